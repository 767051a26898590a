// SPDX-License-Identifier: MIT
// Launches that a structure describes: cudaLaunchKernelEx with typed arguments, cudaLaunchKernelExC, cooperative launches, hints, and
// attributes that are refused.
#include "check.h"

#include <cooperative_groups.h>

__global__ void scale(float *data, float factor, int count) {
  extern __shared__ float copies[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    copies[threadIdx.x] = data[i];
    data[i] = copies[threadIdx.x] * factor;
  }
}

// The second half reads what other blocks wrote in the first one.
__global__ void shift(const int *in, int *middle, int *out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  middle[i] = in[i] + 1;
  cooperative_groups::this_grid().sync();
  out[i] = middle[(i + count / 2) % count];
}

int main() {
  const int count = 1000;
  std::vector<float> values(count);
  for (int i = 0; i < count; ++i)
    values[i] = i;
  float *data = onDevice(values);
  cudaStream_t stream;
  CALL(cudaStreamCreate(&stream));

  cudaLaunchConfig_t config = {};
  config.gridDim = 8;
  config.blockDim = dim3(128);
  config.dynamicSmemBytes = 128 * sizeof(float);
  config.stream = stream;
  CALL(cudaLaunchKernelEx(&config, scale, data, 2, count)); // the 2 becomes a float
  CALL(cudaStreamSynchronize(stream));
  EXPECT(onHost(data, count)[999] == 1998);

  cudaLaunchAttribute hints[2];
  hints[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  hints[0].val.programmaticStreamSerializationAllowed = 1;
  hints[1].id = cudaLaunchAttributePriority;
  hints[1].val.priority = 0;
  config.attrs = hints;
  config.numAttrs = 2;
  float factor = 0.5f;
  int all = count;
  void *arguments[] = {&data, &factor, &all};
  CALL(cudaLaunchKernelExC(&config, (const void *)scale, arguments));
  CALL(cudaStreamSynchronize(stream));
  EXPECT(onHost(data, count)[999] == 999);

  cudaLaunchAttribute cooperative[1];
  cooperative[0].id = cudaLaunchAttributeCooperative;
  cooperative[0].val.cooperative = 1;
  cudaLaunchConfig_t whole = {};
  whole.gridDim = 4;
  whole.blockDim = 64;
  whole.attrs = cooperative;
  whole.numAttrs = 1;
  std::vector<int> numbers(256);
  for (int i = 0; i < 256; ++i)
    numbers[i] = 3 * i;
  int *in = onDevice(numbers), *middle = onDevice(numbers), *out = onDevice(numbers);
  CALL(cudaLaunchKernelEx(&whole, shift, in, middle, out, 256));
  const std::vector<int> shifted = onHost(out, 256);
  for (int i = 0; i < 256; ++i)
    EXPECT(shifted[i] == 3 * ((i + 128) % 256) + 1);

  // A cluster of one block is a block; blocks of a larger one would see each other's shared memory.
  cudaLaunchAttribute cluster[1];
  cluster[0].id = cudaLaunchAttributeClusterDimension;
  cluster[0].val.clusterDim = {1, 1, 1};
  config.attrs = cluster;
  config.numAttrs = 1;
  CALL(cudaLaunchKernelEx(&config, scale, data, 3.0f, count));
  cluster[0].val.clusterDim.x = 2;
  EXPECT(cudaLaunchKernelEx(&config, scale, data, 3.0f, count) == cudaErrorNotSupported);
  CALL(cudaDeviceSynchronize());
  EXPECT(onHost(data, count)[999] == 2997);

  EXPECT(cudaLaunchKernelExC(nullptr, (const void *)scale, arguments) == cudaErrorInvalidValue);
  config.attrs = nullptr;
  EXPECT(cudaLaunchKernelEx(&config, scale, data, 3.0f, count) == cudaErrorInvalidValue);
  CALL(cudaStreamDestroy(stream));
  return 0;
}
