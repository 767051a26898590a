// SPDX-License-Identifier: MIT
// Numbers of bfloat16 (SPV_KHR_bfloat16), as HIP 7's headers use the compiler's type: vectors are computed with as they are,
// single numbers by way of float.
#include <hip/hip_runtime.h>

typedef __bf16 Pair __attribute__((ext_vector_type(2)));
__device__ __bf16 factors[4] = {1.0f, 2.5f, -0.0f, 3.0f};

extern "C" __global__ void arithmetic(const Pair *x, const Pair *y, Pair *results, float *singles, int *whole) {
  const int i = threadIdx.x;
  results[i] = x[i] + y[i];
  results[i + 32] = x[i] - y[i];
  results[i + 64] = x[i] * y[i];
  results[i + 96] = x[i] / y[i];
  results[i + 128] = Pair{-x[i].x, x[i].y * factors[i & 3]};
  results[i + 160] = __builtin_elementwise_abs(x[i]);
  singles[i] = x[i].x;
  whole[i] = (x[i].x < y[i].x) + 2 * (x[i].y == y[i].y) + 4 * (int)x[i].x;
}

extern "C" __global__ void conversions(const double *x, const float *y, const int *n, __bf16 *results) {
  const int i = threadIdx.x;
  results[i] = (__bf16)x[i];
  results[i + 32] = (__bf16)y[i];
  results[i + 64] = (__bf16)n[i];
}
