#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs that AMD's compiler has built with portable SPIR-V run on HIPLZ by the swap of libraries alone.
set -euo pipefail
case "${1:---help}" in
  -*)
    cat <<'TEXT'
usage: bash tests/distro/amdgcnspirv.sh BUILD FOLDER [SOURCE.hip...]
Makes FOLDER/sid, a Debian sid with clang 21, the SPIR-V translator and AMD's headers (debootstrap, as root; what is there is used
again), compiles each source there with --offload-arch=amdgcnspirv, and runs the programs here, with the libraries under AMD's names
of the build folder BUILD. Without sources these are the samples and the programs of tests/device. Programs that use what AMD's headers
do not have do not compile; they are counted. FOLDER/results.tsv has one line for each: name, and ok, wrong or not compiled. tests/distro/amdgcnspirv has
programs for the ways in which code gets into one: several files with -fgpu-rdc, compressed bundles, code objects, hipRTC.
    --modules    instead: compiles tests/data/amd-spirv/*.hip to the modules beside them
    --ways       instead: only the programs of tests/distro/amdgcnspirv
AMD_TARGET=gfx1030 compiles machine code for that processor instead of SPIR-V. DEBIAN_MIRROR names another mirror than
http://deb.debian.org/debian.
TEXT
    [ "${1:---help}" = --help ]; exit ;;
esac
[ $# -ge 2 ] || { echo "$0: a build folder and a folder for Debian sid are needed" >&2; exit 1; }
root=$(cd "$(dirname "$0")/../.." && pwd)
stage=$(cd "$1/stage" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
sid=$folder/sid
export target=${AMD_TARGET:-amdgcnspirv}
shift 2

if [ ! -x "$sid/usr/bin/clang++-21" ]; then
  [ -e "$sid/etc/debian_version" ] || debootstrap --variant=minbase sid "$sid" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}"
  chroot "$sid" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    clang-21 clang-tools-21 llvm-21 llvm-spirv-21 lld-21 libamdhip64-dev rocm-device-libs-21 g++
  # Clang looks for it without the version.
  ln -sf /usr/lib/llvm-21/bin/clang-offload-bundler "$sid/usr/local/bin/clang-offload-bundler"
fi
mkdir -p "$sid/work"
cp -r "$root/samples" "$root/tests" "$sid/work/"
amdclang() {
  chroot "$sid" bash -c 'cd /work && exec clang++-21 -w -x hip --offload-arch=$target -D__AMDGCN_WAVEFRONT_SIZE=32 -rdynamic -std=c++17 -O2 -I. -Isamples "$@"' - "$@"
}

if [ "${1:-}" = --modules ]; then
  for source in "$root"/tests/data/amd-spirv/*.hip; do
    name=$(basename "$source" .hip)
    amdclang --cuda-device-only --no-gpu-bundle-output -c "tests/data/amd-spirv/$name.hip" -o "$name.spv"
    cp "$sid/work/$name.spv" "$root/tests/data/amd-spirv/"
  done
  exit
fi

export HIPLZ_CACHE_DIR=$folder/cache
# The programs need the C and C++ libraries of sid, the compiler that HIPLZ starts those of this system: so no LD_LIBRARY_PATH.
libraries=$stage/lib/hiplz/amdhip64:$stage/lib:$sid/usr/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu
start=("$sid/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2" --library-path "$libraries")
mkdir -p "$folder/run"
: > "$folder/results.tsv"

# try NAME COMPILATION... -- ARGUMENT...: runs the compilation, a function that makes /work/program, and then the program with the arguments.
try() {
  local name=$1 result=ok compilation=()
  shift
  while [ "$1" != -- ]; do
    compilation+=("$1")
    shift
  done
  shift
  if ! "${compilation[@]}" > "$folder/run/$name.compiler" 2>&1; then
    result="not compiled"
  elif ! (cd "$folder/run" && timeout 120 "${start[@]}" "$sid/work/program" "$@" > "$name.output" 2>&1); then
    result=wrong
  fi
  printf '%s\t%s\n' "$name" "$result" | tee -a "$folder/results.tsv"
}

ways=tests/distro/amdgcnspirv
several_files() {
  amdclang -fgpu-rdc -c $ways/variables.hip -o variables.o && amdclang -fgpu-rdc -c $ways/functions.hip -o functions.o &&
    chroot "$sid" bash -c 'cd /work && exec clang++-21 --hip-link --offload-arch=$target -fgpu-rdc variables.o functions.o -o program -lamdhip64'
}
code_object() {
  amdclang --cuda-device-only --gpu-bundle-output "$@" -c $ways/double.hip -o code.hsaco && amdclang $ways/loads.hip -o program -lamdhip64
}
if [ $# -eq 0 ] || [ "$1" = --ways ]; then
  try several_files several_files --
  try compressed amdclang --offload-compress $ways/double.hip -o program -lamdhip64 --
  try code_object code_object -- "$sid/work/code.hsaco"
  try compressed_code_object code_object --offload-compress -- "$sid/work/code.hsaco"
  try hiprtc amdclang $ways/hiprtc.hip -o program -lamdhip64 --
fi
if [ "${1:-}" = --ways ]; then
  shift
elif [ $# -eq 0 ]; then
  set -- "$root"/samples/*.hip "$root"/tests/device/*.hip
fi
for source in "$@"; do
  source=$(realpath "$source")
  try "$(basename "$source" .hip)" amdclang "${source#"$root"/}" -o program -lamdhip64 --
done
cut -f2 "$folder/results.tsv" | sort | uniq -c
! grep -q 'wrong$' "$folder/results.tsv"
