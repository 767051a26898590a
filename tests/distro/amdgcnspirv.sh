#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs that AMD's compiler has built with portable SPIR-V run on HIPLZ by the swap of libraries alone.
set -euo pipefail
case "${1:---help}" in
  -*)
    cat <<'TEXT'
usage: bash tests/distro/amdgcnspirv.sh BUILD FOLDER [NAME...]
Makes FOLDER/sid, a Debian sid with clang, the SPIR-V translator and AMD's headers (debootstrap, as root; what is there is used
again), compiles programs there with --offload-arch=amdgcnspirv, and runs them here with LD_LIBRARY_PATH alone, which names the
libraries under AMD's names of the build folder BUILD. Where Intel's driver is installed, it must accept each module that they have
used, for skl and pvc (neo_accept of the build folder).

The programs are the samples, those of tests/device and tests/distro/amdgcnspirv/programs, and one for each way in which code gets into
one: several_files (-fgpu-rdc), compressed, code_object, compressed_code_object, hiprtc. NAME chooses some of them.
tests/distro/amdgcnspirv/programs.tsv has those that are left out or known to be wrong, with reasons, and options of others.
FOLDER/results.tsv has one line for each: name, result, reason. The exit code is 0 if each result is the expected one. FOLDER/run
has what compilers and programs have said.
    --modules    in place of names: makes the modules of tests/data/amd-spirv of the sources beside them
AMD_HIP=7 compiles with AMD's headers of Debian experimental, HIP 7, which are unpacked in the sid: FOLDER/results-7.tsv, FOLDER/run-7.
AMD_TARGET=gfx1030 (or gfx1100) compiles machine code for that processor instead of SPIR-V, AMD_CLANG=22 with that version of clang instead of 21.
DEBIAN_MIRROR names another mirror than http://deb.debian.org/debian.
TEXT
    [ "${1:---help}" = --help ]; exit ;;
esac
[ $# -ge 2 ] || { echo "$0: a build folder and a folder for Debian sid are needed" >&2; exit 1; }
root=$(cd "$(dirname "$0")/../.." && pwd)
stage=$(cd "$1/stage" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
sid=$folder/sid
version=${AMD_CLANG:-21}
target=${AMD_TARGET:-amdgcnspirv}
hip=${AMD_HIP:-6}
programs=$folder/programs-$target-$version suffix="" headers=() libraries=()
if [ "$hip" != 6 ]; then
  programs=$programs-hip$hip suffix=-$hip
  headers=(-isystem "/opt/hip$hip/usr/include")
  libraries=("-L/opt/hip$hip/usr/lib/x86_64-linux-gnu" -lhiprtc "-Wl,--allow-shlib-undefined")
fi
run=$folder/run$suffix results=$folder/results$suffix.tsv
shift 2

if [ ! -x "$sid/usr/bin/clang++-$version" ]; then
  [ -e "$sid/etc/debian_version" ] || debootstrap --variant=minbase sid "$sid" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}"
  chroot "$sid" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    "clang-$version" "clang-tools-$version" "llvm-$version" "llvm-spirv-$version" "lld-$version" libamdhip64-dev rocm-device-libs-21 spirv-tools g++
fi
if [ "$hip" = 7 ]; then
  . "$root/tests/distro/unpack_packages.sh"
  unpack_packages experimental "$sid/opt/hip7" libamdhip64-dev libamdhip64-7 libhiprtc7 libhiprtc-builtins7
fi
mkdir -p "$sid/work" "$run" "$programs" "$folder/accepted"
rm -rf "$sid/work/samples" "$sid/work/tests"
cp -rp "$root/samples" "$root/tests" "$sid/work/"
# Clang looks for its tools without the version.
in_sid() { chroot "$sid" bash -c 'cd /work && PATH=/usr/lib/llvm-$1/bin:$PATH && shift && exec "$@"' - "$version" "$@"; }
amdclang() {
  in_sid clang++ -w -x hip "--offload-arch=$target" -D__AMDGCN_WAVEFRONT_SIZE=32 -std=c++17 -O2 -Xarch_host -O0 "${headers[@]}" -I. -Isamples \
    "$@"
}

if [ "${1:-}" = --modules ]; then
  for source in "$root"/tests/data/amd-spirv/*.hip; do
    name=$(basename "$source" .hip)
    amdclang --cuda-device-only --no-gpu-bundle-output -c "tests/data/amd-spirv/$name.hip" -o "$name.spv"
    cp "$sid/work/$name.spv" "$root/tests/data/amd-spirv/"
  done
  in_sid spirv-as --target-env spv1.6 tests/data/amd-spirv/mixed_pointers.spvasm -o mixed_pointers.spv
  in_sid llvm-as tests/data/amd-spirv/odd_vectors.ll -o odd_vectors.bc
  in_sid "llvm-spirv-$version" --spirv-max-version=1.6 --spirv-ext=+all odd_vectors.bc -o odd_vectors.spv
  cp "$sid/work/mixed_pointers.spv" "$sid/work/odd_vectors.spv" "$root/tests/data/amd-spirv/"
  exit
fi

# The programs use the C and C++ libraries of sid, the compiler that HIPLZ starts those of this system.
debian=$sid/usr/lib/x86_64-linux-gnu
link=(-rdynamic "-Wl,--dynamic-linker=$debian/ld-linux-x86-64.so.2" "-Wl,--enable-new-dtags,-rpath,$debian" "${libraries[@]}" -lamdhip64)

table=$root/tests/distro/amdgcnspirv/programs.tsv
# column NAME NUMBER: of the table.
column() { awk -F '\t' -v name="$1" -v number="$2" '!/^#/ && $1 == name { print $number }' "$table"; }

ways=tests/distro/amdgcnspirv
several_files() {
  amdclang -fgpu-rdc -c $ways/variables.hip -o variables.o && amdclang -fgpu-rdc -c $ways/functions.hip -o functions.o &&
    in_sid clang++ --hip-link "--offload-arch=$target" -fgpu-rdc variables.o functions.o -o program "${link[@]}"
}
# code_object KERNELS PROGRAM OPTION...: the program gets the name of the code object that the options make of the kernels.
code_object() {
  amdclang --cuda-device-only --gpu-bundle-output "${@:3}" -c "$1" -o code.hsaco && amdclang "$2" -o program "${link[@]}" &&
    cp "$sid/work/code.hsaco" "$run/"
}
# build NAME: makes /work/program of sid.
build() {
  local options
  read -ra options <<< "$(column "$1" 3)"
  case $1 in
    several_files) several_files ;;
    compressed) amdclang --offload-compress $ways/double.hip -o program "${link[@]}" ;;
    code_object) code_object $ways/double.hip $ways/loads.hip ;;
    compressed_code_object) code_object $ways/double.hip $ways/loads.hip --offload-compress ;;
    module_api) code_object samples/module_api_kernels.hip samples/module_api.hip ;;
    hiprtc) amdclang $ways/hiprtc.hip -o program "${link[@]}" ;;
    *) amdclang "${options[@]}" "$(source_of "$1")" -o program "${link[@]}" ;;
  esac
}
# source_of NAME: its file, below the root.
source_of() {
  local folder
  for folder in samples $ways/programs tests/device; do
    [ ! -e "$root/$folder/$1.hip" ] || { echo "$folder/$1.hip" && return; }
  done
  echo $ways # of several files
}

# The module of an entry of the cache, which has a header and a key before it, as the fat binary that neo_accept reads.
as_bundle='
import struct, sys
data = sys.stdin.buffer.read()
module, target = data[data.index(b"\x03\x02\x23\x07"):], b"hip-spirv64----generic"
start = 24 + 8 + 24 + len(target)
sys.stdout.buffer.write(b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<QQQQ", 1, start, len(module), len(target)) + target + module)'
# accepted NAME: true if Intel's driver takes every module that the program has used, with all kernels.
accepted() {
  local entry bundle device sum status
  for entry in "$folder/cache$suffix/$1"/amd-spirv/*; do
    [ -e "$entry" ] || continue
    bundle=$run/$1.bundle
    python3 -c "$as_bundle" < "$entry" > "$bundle"
    sum=$(sha256sum < "$bundle" | cut -d ' ' -f 1)
    for device in skl:1x3x8 pvc:1x8x8; do
      [ -e "$folder/accepted/$device-$sum" ] && continue
      status=0
      (cd "$run" && env NEOReadDebugKeys=1 SetCommandStreamReceiver=1 AUBDumpSubCaptureMode=2 UseAubStream=0 NEO_CACHE_PERSISTENT=0 \
        ZE_ENABLE_ALT_DRIVERS=libze_intel_gpu.so.1 ProductFamilyOverride="${device%:*}" HardwareInfoOverride="${device#*:}" \
        "$stage/bin/neo_accept" "$bundle") || status=$?
      [ "$status" = 77 ] && return 0 # no such driver
      [ "$status" = 0 ] || return 1
      touch "$folder/accepted/$device-$sum"
    done
  done
}

# one NAME: builds, runs and says how that went.
one() {
  local name=$1 program=$programs/$1 arguments=() environment=() status=0
  read -ra environment <<< "$(column "$name" 4)"
  environment=("${environment[@]/=tests\//=$root/tests/}") # files
  case $name in *code_object | module_api) rm -f "$program" && arguments=("$run/code.hsaco") ;; esac
  if [ ! "$program" -nt "$root/$(source_of "$name")" ]; then
    build "$name" > "$run/$name.compiler" 2>&1 || { echo "not compiled"; return; }
    mv "$sid/work/program" "$program"
  fi
  rm -rf "$folder/cache$suffix/$name"
  (cd "$run" && env HIPLZ_CACHE_DIR="$folder/cache$suffix/$name" LD_LIBRARY_PATH="$stage/lib/hiplz/amdhip64" "${environment[@]}" \
    timeout 300 "$program" "${arguments[@]}" > "$name.output" 2>&1 < /dev/null) || status=$?
  if [ "$status" = 124 ]; then
    echo "out of time"
  elif [ "$status" != 0 ]; then
    echo wrong
  elif ! accepted "$name" > "$run/$name.intel" 2>&1; then
    echo "refused by Intel's driver"
  else
    echo ok
  fi
}

if [ $# -eq 0 ]; then
  set -- several_files compressed code_object compressed_code_object hiprtc
  for source in "$root"/$ways/programs/*.hip "$root"/samples/*.hip "$root"/tests/device/*.hip; do
    set -- "$@" "$(basename "$source" .hip)"
  done
fi
: > "$results"
unexpected=0
for name; do
  expected=$(column "$name" 2)
  reason=$(column "$name" 5)
  [[ $hip = 6 || $reason != *"needs HIP 7"* ]] || expected=""
  result="left out"
  [ "$expected" = "left out" ] || result=$(one "$name")
  if [ "$result" != "${expected:-ok}" ]; then
    reason="expected: ${expected:-ok}"
    unexpected=$((unexpected + 1))
  fi
  printf '%s\t%s\t%s\n' "$name" "$result" "$reason" | tee -a "$results"
done
cut -f2 "$results" | sort | uniq -c
echo "$unexpected unexpected"
[ "$unexpected" = 0 ]
