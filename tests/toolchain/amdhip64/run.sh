#!/bin/bash
# SPDX-License-Identifier: MIT
# usage: run.sh CASE STAGE CLANGXX TABLES FOLDER
set -e
case=$1 stage=$2 clangxx=$3 table=$4/host_functions.csv table_7=$4/hip_7/host_functions.csv folder=$5
here=$(dirname "$(readlink -f "$0")")
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
export HIPLZ_CACHE_DIR=$folder/cache

# A library with AMD's symbols and nodes, to link against: link_library VERSION [TABLE ...]
link_library() {
  local version=$1
  shift
  python3 "$here/link_library.py" stub.c stub.map "${@:-$table}"
  gcc -shared -fPIC -w stub.c -o "libamdhip64.so" -Wl,-soname,"libamdhip64.so.$version" -Wl,--version-script=stub.map
}

on_hiplz() { LD_LIBRARY_PATH=$stage/lib/hiplz/amdhip64 "$@"; }

# The library that the program has loaded is HIPLZ under AMD's name.
check_loaded() { # PROGRAM LIBRARY
  readelf -d "$1" | grep -q "NEEDED.*$2" || { echo "$1 does not need $2"; exit 1; }
  on_hiplz ldd "$1" | grep -q "$2 => $stage/lib/hiplz/amdhip64/$2" || { echo "$2 is not ours"; exit 1; }
  if readelf -d "$1" | grep -q libhiplz; then echo "$1 knows HIPLZ"; exit 1; fi
}

# These programs say nothing of their version to the runtime, so the library has to.
hip="$clangxx -x hip --offload=spirv64 --hip-path=$stage -B$stage/lib/hiplz/bin -isystem $stage/include -std=c++17 -O2"
hip+=" -DHIPLZ_RUNTIME_SOURCES"

# The rules in which HIP 6 and 7 differ, with the library of one of them: check_rules VERSION
check_rules() {
  $hip -DRULES=$1 -c "$here/rules.hip" -o rules.o
  $clangxx rules.o -o rules -L. -lamdhip64
  check_loaded rules "libamdhip64.so.$1"
  on_hiplz ./rules
}

case $case in
debian_5)
  for package in libamdhip64-5 libamdhip64-dev; do
    apt-get -qq download $package > download.log 2>&1 || { cat download.log; exit 77; }
    dpkg -x $package*.deb debian
  done
  library=$(find debian -name 'libamdhip64.so.5' | head -1)
  [ "$library" ] || { echo "this distribution's $package is not of HIP 5"; exit 77; }
  # Debian 13 has HIP 5.7, which has the numbers and layouts of HIP 6 for some of what 5.2 has others for.
  grep -q 'HIP_VERSION_MINOR 2$' debian/usr/include/hip/hip_version.h || { echo "SKIP: $package is not of HIP 5.2"; exit 77; }
  gcc -D__HIP_PLATFORM_AMD__ -Idebian/usr/include "$here/version_5.c" -o program "$library" -Wl,--allow-shlib-undefined \
      -Wl,--unresolved-symbols=ignore-in-shared-libs
  check_loaded program libamdhip64.so.5
  on_hiplz ./program
  $hip -DHIPLZ_HIP_VERSION=6 -c "$here/version_5_launch.hip" -o launch.o
  $clangxx launch.o -o launch "$library" -Wl,--allow-shlib-undefined -Wl,--unresolved-symbols=ignore-in-shared-libs
  check_loaded launch libamdhip64.so.5
  on_hiplz ./launch
  # Whatever HIP's part of that library exports is here, too; besides, it has pieces of a debugger and of the compiler's library.
  nm -D --defined-only "$library" | sed -n 's/.* [TW] //p' | sed 's/@.*//' | grep -v '^amd_dbgapi_\|^__gnu_' | sort -u > wanted
  for ours in "$stage/lib/hiplz/amdhip64/libamdhip64.so.5" "$stage/lib/libhiplz.so.1"; do
    nm -D --defined-only "$ours" | sed -n 's/.* [TW] //p' | sed 's/@.*//'
  done | sort -u > there
  comm -23 wanted there > missing
  [ ! -s missing ] || { echo "missing:"; cat missing; exit 1; }
  ;;
version_6)
  link_library 6
  $hip -DHIPLZ_HIP_VERSION=6 -c "$here/version_6.hip" -o program.o
  $clangxx program.o -o program -L. -lamdhip64
  check_loaded program libamdhip64.so.6
  on_hiplz ./program
  check_rules 6
  ;;
version_7)
  link_library 7 "$table" "$table_7"
  check_rules 7
  # A function that HIP 7 added is found under its node.
  readelf -V rules | grep -q hip_7.1
  ;;
version_7_rtc)
  # hipRTC's library alone makes the process follow HIP 7: its rules hold in what is opened afterwards.
  gcc -I"$stage/include" -D__HIP_PLATFORM_AMD__ -DHIPLZ_RUNTIME_SOURCES "$here/version_7_rtc.c" -o program
  on_hiplz ./program libhiprtc.so.7 7
  on_hiplz ./program libhiprtc-builtins.so.7 7
  on_hiplz ./program libhiprtc.so.6 6
  ;;
newer_than_known)
  # A function of HIP 7 has a node that no library here has: the dynamic linker says so, instead of a crash later.
  { cat "$table"; sed -n 's/^hipMalloc,hip_4.2\(.*\),hipMalloc,exported/hipNewerThanKnown,hip_7.0\1,hipNewerThanKnown,exported/p' "$table"; } > newer.csv
  link_library 7 newer.csv "$table_7"
  echo 'int hipNewerThanKnown(void *, unsigned long); int main(void) { return hipNewerThanKnown(0, 0); }' > newer.c
  gcc newer.c -o program -L. -lamdhip64
  if on_hiplz ./program 2> said; then echo "it has run"; exit 1; fi
  cat said
  grep -q "version .hip_7.0. not found" said
  ;;
amd_only)
  # The fat binary of a program that was built for AMD's GPUs alone.
  link_library 6
  head -c 4096 /dev/urandom > gfx906.o

  bundler=$(dirname "$(readlink -f "$clangxx")")/clang-offload-bundler
  "$bundler" -type=o -bundle-align=4096 -targets=host-x86_64-unknown-linux,hipv4-amdgcn-amd-amdhsa--gfx906 \
      -input=/dev/null -input=gfx906.o -output=amd.hipfb
  $hip --cuda-host-only -Xclang -fcuda-include-gpubinary -Xclang amd.hipfb -c "$here/amd_only.hip" -o program.o
  $clangxx program.o -o program -L. -lamdhip64
  check_loaded program libamdhip64.so.6
  HIPLZ_LOG=info on_hiplz ./program 2> said
  cat said
  grep -q "hipv4-amdgcn-amd-amdhsa--gfx906 only; compile the program with HIPLZ's hipcc" said
  ;;
*)
  echo "there is no case $case"
  exit 1
  ;;
esac
