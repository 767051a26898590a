#!/bin/bash
# SPDX-License-Identifier: MIT
# Makes the code objects in this folder anew: make.sh BUILD [TARGET...], a build tree with the test programs and processors (all if there
# are none). The files of processors other than gfx1030 have their name behind a hyphen. Needs Debian's clang-15 and lld-15, and ld.lld-16,
# because version 15 does not link code objects of version 5.
set -euo pipefail
build=$(realpath "${1:?usage: make.sh BUILD [TARGET...]}")
shift
cd "$(dirname "$0")"

make_for() { # TARGET
  local target=$1 suffix=-$1
  [ "$target" = gfx1030 ] && suffix=
  local hip="-x hip --offload-arch=$target --cuda-device-only -nogpuinc -nogpulib -O2 -Wno-unused-command-line-argument"
  local code="--target=amdgcn-amd-amdhsa -mcpu=$target -nogpulib"
  for name in kernels textures; do
    clang-15 $hip --no-gpu-bundle-output -mcode-object-version=4 $name.hip -o $name$suffix.co
  done
  # Only newer compilers put formats of printf there.
  clang-15 $hip -S -emit-llvm -mcode-object-version=5 services.hip -o services.ll
  cat >> services.ll << 'TEXT'
!llvm.printf.fmts = !{!9000}
!9000 = !{!"0:0:abcdef0123456789,%d: %-8s|%5.2f|%llx, 50:50%%\0A"}
TEXT
  clang-15 $code -mcode-object-version=5 -O2 -S services.ll -o services.s
  clang-15 $code -mcode-object-version=5 -c services.s -o services.o
  ld.lld-16 -shared services.o -o services$suffix.co
  for part in 0 1; do
    clang-15 $hip -fgpu-rdc -S -emit-llvm -mcode-object-version=4 -DPART=$part linked.hip -o linked$part.ll
    clang-15 $code -mcode-object-version=4 -O2 -c linked$part.ll -o linked$part.o
  done
  ld.lld-15 -shared linked0.o linked1.o -o linked$suffix.co
  HIPLZ_TEST_AMD_TARGET=$target "$build/tests/device/machine_operations" --list > operations$suffix.txt
  TARGET=$target python3 make_operations.py > operations.s
  clang-15 $code -mcode-object-version=4 operations.s -o operations$suffix.co
  for name in operations kernels linked services textures; do
    llvm-strip-15 --strip-debug $name$suffix.co
  done
  rm linked?.ll linked?.o operations.s services.ll services.s services.o
}

[ $# -gt 0 ] || set -- gfx1030 gfx1100
for target; do
  make_for "$target"
done
