// SPDX-License-Identifier: MIT
// vectorAdd: sum[i] = a[i] + b[i].
#include "vector.h"

#include <hip/hip_runtime.h>

static __global__ void add(const float *a, const float *b, float *sum, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n)
    sum[i] = a[i] + b[i];
}

void vectorAdd(const float *a, const float *b, float *sum, size_t n) {
  add<<<unsigned((n + 255) / 256), 256>>>(a, b, sum, n);
}
