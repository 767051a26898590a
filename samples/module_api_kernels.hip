// SPDX-License-Identifier: MIT
// The kernels of module_api: compiled with `hipcc --genco module_api_kernels.hip -o module_api_kernels.co`.
#include <hip/hip_runtime.h>

__constant__ float coefficients[4];

// Names of extern "C" kernels are what they are; others would have to be asked for by their mangled names.
extern "C" __global__ void polynomial(const float *x, float *y, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = ((coefficients[3] * x[i] + coefficients[2]) * x[i] + coefficients[1]) * x[i] + coefficients[0];
}
