// SPDX-License-Identifier: MIT
// Errors: returned, kept until they are asked for, and named.
#include "check.h"
#include <cstring>

__global__ void nothing() {}

int main() {
  EXPECT(cudaPeekAtLastError() == cudaSuccess);
  void *memory = nullptr;
  EXPECT(cudaMalloc(&memory, (size_t)1 << 60) == cudaErrorMemoryAllocation);
  EXPECT(cudaPeekAtLastError() == cudaErrorMemoryAllocation);
  EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation);
  EXPECT(cudaGetLastError() == cudaSuccess);
  nothing<<<1, 1 << 20>>>();
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  nothing<<<0, 32>>>();
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  int host = 0;
  EXPECT(cudaMemcpy(nullptr, &host, sizeof(host), cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  EXPECT(cudaMemcpy(&host, &host, sizeof(host), (cudaMemcpyKind)77) == cudaErrorInvalidMemcpyDirection);
  EXPECT(cudaGetDevice(nullptr) == cudaErrorInvalidValue);
  cudaDeviceProp prop;
  EXPECT(cudaGetDeviceProperties(&prop, 1000) == cudaErrorInvalidDevice);
  cudaGetLastError();
  EXPECT(std::strlen(cudaGetErrorString(cudaErrorInvalidValue)) > 0);
  EXPECT(std::strstr(cudaGetErrorName(cudaErrorInvalidValue), "ErrorInvalidValue") != nullptr);
  // CUDA's numbers, which programs print and compare.
  static_assert(cudaSuccess == 0 && cudaErrorInvalidValue == 1 && cudaErrorMemoryAllocation == 2, "CUDA's values");
  static_assert(cudaErrorInvalidDevice == 101 && cudaErrorNotReady == 600 && cudaErrorUnknown == 999, "CUDA's values");
  nothing<<<1, 1>>>();
  CALL(cudaDeviceSynchronize());
}
