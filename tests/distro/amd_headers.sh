#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Compiles programs of this project against AMD's own headers and libraries, HIP 6.4.3 of Debian sid and 7.2.4 of Debian
# experimental, and runs them on HIPLZ by LD_LIBRARY_PATH. The host side sees nothing of HIPLZ; only the kernels, which it embeds,
# are compiled by hipcc.
set -euo pipefail
source_tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
case "${1:---help}" in
  -*)
    cat <<'TEXT'
usage: bash tests/distro/amd_headers.sh PREFIX FOLDER
Downloads the packages into FOLDER, without installing them, and tests HIPLZ in PREFIX (build/release/stage will do). CLANGXX
names the compiler of the host side, 19 or newer (clang++-19).
TEXT
    exit 0 ;;
esac
prefix=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
clangxx=${CLANGXX:-clang++-19}
. "$source_tree/tests/distro/unpack_packages.sh"
passed=0 failed=0

# run NAME VERSION SOURCE [OPTION...]
run() {
  local name=$1-$2 version=$2 source=$source_tree/$3 debian=$folder/hip-$2
  local libraries=$debian/usr/lib/x86_64-linux-gnu
  shift 3
  if "$prefix/bin/hipcc" --genco -O2 -DHIPLZ_HIP_VERSION="$version" -I"$source_tree" "$@" "$source" -o "$folder/$name.co" &&
    "$clangxx" -x hip --cuda-host-only --offload-arch=gfx1030 -nogpuinc -nogpulib -include __clang_hip_runtime_wrapper.h \
      -Xclang -fcuda-include-gpubinary -Xclang "$folder/$name.co" -D__HIP_PLATFORM_AMD__ -isystem "$debian/usr/include" \
      -std=c++17 -w -I"$source_tree" "$@" -c "$source" -o "$folder/$name.o" &&
    "$clangxx" "$folder/$name.o" -o "$folder/$name" -L"$libraries" -lamdhip64 $([ "$version" = 6 ] || echo -lhiprtc) \
      -Wl,--allow-shlib-undefined,--unresolved-symbols=ignore-in-shared-libs &&
    ! readelf -d "$folder/$name" | grep -q libhiplz && readelf -d "$folder/$name" | grep -q "libamdhip64.so.$version" &&
    (cd "$folder" && LD_LIBRARY_PATH=$prefix/lib/hiplz/amdhip64 "./$name"); then
    passed=$((passed + 1)) && echo "$name: passed"
  else
    failed=$((failed + 1)) && echo "$name: FAILED"
  fi
}

unpack_packages sid "$folder/hip-6" libamdhip64-dev libamdhip64-6
unpack_packages experimental "$folder/hip-7" libamdhip64-dev libamdhip64-7 libhiprtc7 libhiprtc-builtins7
for version in 6 7; do
  run rules "$version" tests/toolchain/amdhip64/rules.hip -DRULES="$version"
  for name in arrays copy_boxes events launches modules occupancy streams_order; do
    run "$name" "$version" "tests/device/$name.hip"
  done
done
run memory_pool 6 tests/device/memory_pool.hip
for name in hip_7_launches hip_7_copies hiprtc_libraries; do
  run "$name" 7 "tests/device/$name.hip"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
