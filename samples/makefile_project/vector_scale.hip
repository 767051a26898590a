// SPDX-License-Identifier: MIT
// vectorScale: values[i] *= factor. A kernel may have the same name as one in another file as long as both are static.
#include "vector.h"

#include <hip/hip_runtime.h>

static __global__ void scale(float *values, float factor, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] *= factor;
}

void vectorScale(float *values, float factor, size_t n) {
  scale<<<unsigned((n + 255) / 256), 256>>>(values, factor, n);
}
