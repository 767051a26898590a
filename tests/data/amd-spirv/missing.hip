// SPDX-License-Identifier: MIT
// Kernels of which one calls what only AMD's processors have.
#include <hip/hip_runtime.h>

__device__ __attribute__((noinline)) unsigned unit() { return __builtin_amdgcn_s_getreg(6148); }

extern "C" __global__ void works(int *result) { result[threadIdx.x] = threadIdx.x; }
extern "C" __global__ void asks(unsigned *result) {
  if (result)
    result[threadIdx.x] = unit();
}
extern "C" __global__ void queues(unsigned long *result) {
  result[0] = ((const unsigned long __attribute__((address_space(4))) *)__builtin_amdgcn_implicitarg_ptr())[13];
}
