// SPDX-License-Identifier: MIT
// Calls through pointers to member functions: `this` is moved within its address space, also where all optimisations follow.
// RUN: %clang --cuda-device-only -O0 -Xarch_device -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s %typed --check-prefix=MOVED
// RUN: %clang --cuda-device-only -O2 -Xarch_device -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s %typed
// RUN: %clang --cuda-device-only -O2 -Xarch_device -fpass-plugin=%plugin %s -o %t && %unbundle -input=%t -output=%t.spv && spirv-val --target-env spv1.3 %t.spv
#include "device.h"

struct Base {
  int step;
  __device__ int up(int x) const { return x + step; }
  __device__ int down(int x) const { return x - step; }
};

// CHECK-LABEL: define {{.*}}@_Z5calls
// CHECK-NOT: addrspacecast i8* {{.*}} to i8*{{(,|$)}}
// TYPED-NOT: bitcast i8* {{.*}} addrspace(4)*
// MOVED: getelementptr inbounds i8, i8 addrspace(4)* %{{.*}}, i64
// CHECK: ret void
__global__ void calls(int *out, int which) {
  int (Base::*step)(int) const = which ? &Base::up : &Base::down;
  Base object{which};
  *out = (object.*step)(100);
}
