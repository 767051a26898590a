// SPDX-License-Identifier: MIT
// A shuffle by 32 lanes or more is a warning at its place in the program, also in the first round of a loop; a width of 64, a loop
// that begins with warpSize / 2, an offset that is not known and code that is never reached are none.
// RUN: %hipcc -O3 --genco %s -o %t 2>&1 | FileCheck %s --implicit-check-not=warning
// RUN: %hipcc -O3 -DHIPLZ_NO_SHUFFLE_WARNINGS --genco %s -o %t 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// QUIET-NOT: warning
#include <hip/hip_runtime.h>

// CHECK-DAG: warp_offsets.hip:[[# @LINE + 4]]:{{[0-9]+}}: warning: a shuffle by 32 lanes gives each lane its own value: warps have 32 lanes
__global__ void loop(float *p) {
  float v = p[threadIdx.x];
  for (int o = 32; o; o >>= 1)
    v += __shfl_down(v, o);
  p[threadIdx.x] = v;
}
// CHECK-DAG: warp_offsets.hip:[[# @LINE + 4]]:{{[0-9]+}}: warning: a shuffle by 32 lanes
template <class T> __device__ T reduce(T v) {
#pragma unroll
  for (int o = 64 / 2; o > 0; o /= 2)
    v += __shfl_xor_sync(~0ull, v, o);
  return v;
}
__global__ void viaTemplate(double *p) { p[threadIdx.x] = reduce(p[threadIdx.x]); }
// CHECK-DAG: warp_offsets.hip:[[# @LINE + 1]]:{{[0-9]+}}: warning: a shuffle by 48 lanes
__global__ void up(int *p) { p[threadIdx.x] = __shfl_up(p[threadIdx.x], 48); }

__global__ void fine(float *p, int n) {
  float v = p[threadIdx.x];
  for (int o = 16; o; o >>= 1)
    v += __shfl_xor(v, o, 64);
  if (warpSize > 32)
    v += __shfl_xor(v, 32);
  for (int o = warpSize / 2; o; o >>= 1)
    v += __shfl_down_sync(~0ull, v, o);
  p[threadIdx.x] = v + __shfl_up(v, n);
}
