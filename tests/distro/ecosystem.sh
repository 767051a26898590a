#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tests libraries of AMD's users as Debian packages them, without installing the packages: they are unpacked. rocRAND's host library
# is built from its source.
set -euo pipefail
case "${1:---help}" in
  -*)
    cat <<'TEXT'
usage: bash tests/distro/ecosystem.sh BUILD FOLDER [RELEASE]
Downloads the header libraries of a Debian release, 12, 13 or sid (default: 12), unpacks them into FOLDER/RELEASE, adds their
tests to the configured build folder BUILD, and builds and runs them (ctest label "ecosystem"). Debian 12 has rocPRIM, rocRAND and
VkFFT, which take about 10 minutes on two cores; Debian 13 and sid have hipCUB and rocThrust as well, 30 minutes. There,
rocRAND's host library is built from its source, with some of its own tests: another 10 minutes. Needs no root and no Debian
of that release: the packages are headers. DEBIAN_MIRROR names another mirror than http://deb.debian.org/debian.
TEXT
    [ "${1:---help}" = --help ]; exit ;;
esac
[ $# -ge 2 ] || { echo "$0: a build folder and a folder for the packages are needed" >&2; exit 1; }
build=$1
release=${3:-12}
case $release in
  12) suite=bookworm packages="librocprim-dev librocrand-dev libvkfft-dev" ;;
  13) suite=trixie packages="librocprim-dev libhipcub-dev librocthrust-dev librocrand-dev libvkfft-dev" ;;
  sid) suite=sid packages="librocprim-dev libhipcub-dev librocthrust-dev librocrand-dev libvkfft-dev" ;;
  *) echo "$0: there is no list of packages for Debian $release" >&2; exit 1 ;;
esac
source "$(dirname "$0")/unpack_packages.sh"
mkdir -p "$2/$release"
folder=$(cd "$2/$release" && pwd)
# shellcheck disable=SC2086 # words are wanted
unpack_packages "$suite" "$folder" $packages
if [ "$release" != 12 ]; then # Debian's mirror has no longer the source for 12
  optimisation="-O3 -DNDEBUG"
  # MT19937 on the host is unrolled so far that clang 15 optimises it for many minutes.
  [ "$release" = 13 ] || optimisation+=" -Xarch_host -O0"
  unpack_packages "$suite" "$folder" rocm-cmake
  unpack_source "$suite" "$folder" rocrand
  stage=$(cd "$build/stage" && pwd)
  cmake --build "$build" --target hiplz hiplz_toolchain hiplz_clang hiplz_offload_bundler hipcc hipconfig ze_hiplz_cpu \
    ze_hiplz_cpu_compiler hiplz_cpu_builtins
  ROCM_PATH=$stage cmake -S "$folder/rocrand-source" -B "$folder/rocrand-build" -DCMAKE_CXX_COMPILER="$stage/bin/hipcc" \
    -DCMAKE_PREFIX_PATH="$folder/usr;$stage" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="$optimisation" \
    -DBUILD_HIPRAND=OFF -DBUILD_TEST=ON > /dev/null
  cmake --build "$folder/rocrand-build" -j "$(nproc)" --target rocrand test_rocrand_basic test_rocrand_generate \
    test_rocrand_generate_uniform test_rocrand_generate_normal test_rocrand_generate_log_normal test_rocrand_generate_poisson
fi
cmake -S "$(dirname "$0")/../.." -B "$build" -DHIPLZ_ECOSYSTEM="$folder" > /dev/null
cmake --build "$build" --target ecosystem_programs neo_accept
ctest --test-dir "$build" -L '^ecosystem$' -j "$(nproc)" --output-on-failure
