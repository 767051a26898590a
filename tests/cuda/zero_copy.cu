// SPDX-License-Identifier: MIT
// Kernels work on memory of the host: allocated, and registered later.
#include "check.h"

__global__ void square(float *values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    values[i] *= values[i];
}

int main() {
  cudaDeviceProp prop;
  CALL(cudaGetDeviceProperties(&prop, 0));
  EXPECT(prop.canMapHostMemory);
  const int count = 10000;
  float *host = nullptr, *device = nullptr;
  CALL(cudaHostAlloc(&host, count * sizeof(float), cudaHostAllocMapped | cudaHostAllocWriteCombined));
  CALL(cudaHostGetDevicePointer(&device, host, 0));
  std::vector<float> pageable(count);
  float *registered = nullptr;
  CALL(cudaHostRegister(pageable.data(), count * sizeof(float), cudaHostRegisterMapped));
  CALL(cudaHostGetDevicePointer((void **)&registered, pageable.data(), 0));
  for (int i = 0; i < count; ++i)
    host[i] = pageable[i] = float(i % 100);
  square<<<(count + 127) / 128, 128>>>(device, count);
  square<<<(count + 127) / 128, 128>>>(registered, count);
  CALL(cudaDeviceSynchronize());
  for (int i = 0; i < count; ++i)
    EXPECT(host[i] == float(i % 100) * float(i % 100) && pageable[i] == host[i]);
  unsigned flags = 0;
  CALL(cudaHostGetFlags(&flags, host));
  EXPECT(flags & cudaHostAllocMapped);
  cudaPointerAttributes attributes;
  CALL(cudaPointerGetAttributes(&attributes, host));
  EXPECT(attributes.type == cudaMemoryTypeHost && attributes.hostPointer == host);
  CALL(cudaHostUnregister(pageable.data()));
  CALL(cudaFreeHost(host));
}
