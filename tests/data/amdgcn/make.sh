#!/bin/bash
# SPDX-License-Identifier: MIT
# Makes the code objects in this folder anew: make.sh BUILD, a build tree with the test programs. Needs Debian's clang-15 and lld-15, and
# ld.lld-16, because version 15 does not link code objects of version 5.
set -euo pipefail
build=$(realpath "${1:?usage: make.sh BUILD}")
cd "$(dirname "$0")"
for name in kernels textures; do
  clang-15 -x hip --offload-arch=gfx1030 --cuda-device-only --no-gpu-bundle-output -nogpuinc -nogpulib -O2 \
    -mcode-object-version=4 -Wno-unused-command-line-argument $name.hip -o $name.co
done
# Only newer compilers put formats of printf there.
clang-15 -x hip --offload-arch=gfx1030 --cuda-device-only -S -emit-llvm -nogpuinc -nogpulib -O2 -mcode-object-version=5 services.hip \
  -o services.ll
cat >> services.ll << 'TEXT'
!llvm.printf.fmts = !{!9000}
!9000 = !{!"0:0:abcdef0123456789,%d: %-8s|%5.2f|%llx, 50:50%%\0A"}
TEXT
clang-15 --target=amdgcn-amd-amdhsa -mcpu=gfx1030 -mcode-object-version=5 -nogpulib -O2 -S services.ll -o services.s
clang-15 --target=amdgcn-amd-amdhsa -mcpu=gfx1030 -mcode-object-version=5 -c services.s -o services.o
ld.lld-16 -shared services.o -o services.co
for part in 0 1; do
  clang-15 -x hip --offload-arch=gfx1030 --cuda-device-only -fgpu-rdc -S -emit-llvm -nogpuinc -nogpulib -O2 -mcode-object-version=4 \
    -DPART=$part linked.hip -o linked$part.ll
  clang-15 --target=amdgcn-amd-amdhsa -mcpu=gfx1030 -mcode-object-version=4 -nogpulib -O2 -c linked$part.ll -o linked$part.o
done
ld.lld-15 -shared linked0.o linked1.o -o linked.co
"$build/tests/device/machine_operations" --list > operations.txt
python3 make_operations.py > operations.s
clang-15 --target=amdgcn-amd-amdhsa -mcpu=gfx1030 -mcode-object-version=4 -nogpulib operations.s -o operations.co
llvm-strip-15 --strip-debug operations.co kernels.co linked.co services.co textures.co
rm linked?.ll linked?.o operations.s services.ll services.s services.o
