#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the device tests and the samples on PoCL or Mesa's rusticl, as Debian ships them: processors through OpenCL and the driver on OpenCL.
usage() {
  cat <<'TEXT'
usage: bash tests/distro/opencl_pocl.sh BUILD FOLDER [PROGRAM...]
Makes a Debian 13 with PoCL and the Level Zero loader in FOLDER and runs there, as the build folder BUILD has them, the samples and the
programs of tests/device that the layer opencl runs on Intel's runtime, each scenario by itself, or only the PROGRAMs. Prints a line
for each program, for each scenario that fails its last words, and a count. FOLDER is used again if it holds a Debian already.
Needs root and debootstrap. DEBIAN_MIRROR names another mirror than http://deb.debian.org/debian. TIMEOUT is how many seconds a
scenario may take (120). PLATFORM=rusticl runs them on Mesa's rusticl with llvmpipe instead, SUITE=sid in another Debian.
TEXT
}
case "${1:---help}" in
  --help|-h) usage; exit 0 ;;
  -*) usage >&2; exit 1 ;;
esac
[ $# -ge 2 ] || { usage >&2; exit 1; }
build=$(cd "$1" && pwd)
source_tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
shift
source "$source_tree/tests/distro/bare_debian.sh"
make_debian "${SUITE:-trixie}" "$1"
shift
rm -rf "${folder:?}/hiplz"
icd=pocl
[ "${PLATFORM:-}" != rusticl ] || icd=rusticl
if [ ! -e "$folder/etc/OpenCL/vendors/$icd.icd" ]; then
  chroot "$folder" apt-get update -qq
  chroot "$folder" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
    "$([ "$icd" = pocl ] && echo pocl-opencl-icd || echo mesa-opencl-icd)" ocl-icd-libopencl1 libze1 zlib1g libzstd1 libxxhash0 >"$folder/packages.log"
fi
# The programs and the libraries are named by their absolute places.
mkdir -p "$folder$source_tree"
mount --bind "$source_tree" "$folder$source_tree"
mounted+=("$folder$source_tree")
status=0
chroot "$folder" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 TIMEOUT="${TIMEOUT:-120}" PLATFORM="${PLATFORM:-}" \
  bash "$source_tree/tests/distro/opencl_pocl_inside.sh" "$source_tree" "$build" "$@" || status=$?
exit "$status"
