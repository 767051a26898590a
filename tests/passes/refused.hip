// SPDX-License-Identifier: MIT
// Code that cannot be supported ends the compilation of the stock clang with the place in the source, and without a crash.
// RUN: not %clang --cuda-device-only -O2 -Xarch_device -Wp,-debug-info-kind=line-directives-only %s -o %t 2>&1 | FileCheck %s
// RUN: not %clang --cuda-device-only -O0 -Xarch_device -Wp,-debug-info-kind=line-directives-only %s -o %t 2>&1 | FileCheck %s
// RUN: not %clang --cuda-device-only -O2 %s -o %t 2>&1 | FileCheck %s --check-prefix=PLAIN
#include "device.h"
// CHECK-NOT: {{PLEASE submit|Stack dump|crash}}
// CHECK-DAG: refused.hip:[[# @LINE + 2]]:{{[0-9]+}}: error: inline assembly is not supported on the device: 'v_mov_b32' is an instruction of AMD's GPUs
__global__ void assembly(int *p) {
  asm volatile("v_mov_b32 v0, 1");
  *p = 1;
}

// CHECK-DAG: refused.hip:[[# @LINE + 2]]:{{[0-9]+}}: error: variables whose size is known only at run time
__global__ void sized(int *p, int n) {
  int *a = (int *)__builtin_alloca(n * 4);
  a[n - 1] = *p;
  *p = a[n / 2];
}

// CHECK: clang{{.*}}: error: hipspv-link command failed with exit code 1
// PLAIN: error: inline assembly is not supported on the device{{.*}} (in device function 'assembly(int*)'); add -Xarch_device -Wp,-debug-info-kind=line-directives-only to see the line
