// SPDX-License-Identifier: MIT
// Extended lambdas: __device__ and __host__ __device__ ones as arguments of kernels; constexpr functions in device
// code.
#include "check.h"
#include <algorithm>
#include <limits>

#ifndef __CUDACC_EXTENDED_LAMBDA__
#error "cucc --extended-lambda defines this"
#endif

template <class Function> __global__ void run(int count, Function function) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    function(i);
}
template <class Function> void forEach(int count, Function function) {
  run<<<4, 64>>>(count, function);
  CALL(cudaGetLastError());
}

constexpr int cube(int x) { return x * x * x; }

int main() {
  const int count = 1000;
  int *data = onDevice(std::vector<int>(count));
  const int factor = 3;
  forEach(count, [=] __device__(int i) { data[i] = factor * i + cube(i % 4); });
  const auto clampToLimit = [=] __host__ __device__(int i) { return i < 500 ? i : std::numeric_limits<short>::max(); };
  forEach(count, [=] __device__(int i) { data[i] += clampToLimit(i) + std::max(i % 3, 1); });
  const std::vector<int> result = onHost(data, count);
  for (int i = 0; i < count; ++i)
    EXPECT(result[i] == 3 * i + cube(i % 4) + clampToLimit(i) + std::max(i % 3, 1));
  CALL(cudaFree(data));
}
