// SPDX-License-Identifier: MIT
// A shared library with kernels; built several times with different factors, with kernels and variables of one name.
#include "tests/device/plugins/plugin.h"

__device__ int launchCount = 0;
__constant__ int factor = PLUGIN_FACTOR;

__global__ void scaleKernel(int *data, int count) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count)
    data[index] *= factor;
  if (index == 0)
    launchCount += 1;
}

static hipError_t scale(int *data, int count, hipStream_t stream) {
  scaleKernel<<<(count + 63) / 64, 64, 0, stream>>>(data, count);
  return hipGetLastError();
}
static hipError_t shared(int *data, int count, hipStream_t stream) {
  addTen<int><<<(count + 63) / 64, 64, 0, stream>>>(data, count);
  return hipGetLastError();
}
static int launches() {
  int count = -1;
  return hipMemcpyFromSymbol(&count, HIP_SYMBOL(launchCount), sizeof count) == hipSuccess ? count : -1;
}

extern "C" __attribute__((visibility("default"))) Plugin plugin() { return {scale, shared, launches}; }
