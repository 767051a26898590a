// SPDX-License-Identifier: MIT
// Built-in functions of AMD's compiler that have no meaning elsewhere end the compilation with the reason, and only those.
// RUN: not %hipcc --cuda-device-only -fsyntax-only %s 2>&1 | FileCheck %s
#include <hip/hip_runtime.h>

__global__ void matrices(float *p) {
  // CHECK: refused_amd_builtins.hip:[[# @LINE + 1]]:{{[0-9]+}}: error: {{.*}}__builtin_amdgcn_mfma_f32_4x4x1f32{{.*}}: not supported by HIPLZ: the matrix instructions
  *p = (float)__builtin_amdgcn_mfma_f32_4x4x1f32(*p, *p, *p, 0, 0, 0);
}

__global__ void hardware(unsigned *p) {
  // CHECK: error: {{.*}}__builtin_amdgcn_s_getreg{{.*}}: not supported by HIPLZ: it reads or writes registers
  *p = __builtin_amdgcn_s_getreg(0);
  // CHECK: error: {{.*}}the scope of a fence is
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "galaxy");
}

// CHECK-NOT: error:
__global__ void supported(unsigned *p) {
  *p = __builtin_amdgcn_ubfe(*p, 3, 4);
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
}
