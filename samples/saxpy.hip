// SPDX-License-Identifier: MIT
// y = a * x + y: the smallest program that computes something.
#include "common.h"

__global__ void saxpy(float a, const float *x, float *y, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) // the last block may reach beyond the arrays
    y[i] = a * x[i] + y[i];
}

int main() {
  const size_t n = 1 << 22;
  const float a = 2.0f;
  std::vector<float> x(n), y(n);
  for (size_t i = 0; i < n; ++i) {
    x[i] = float(i % 1000);
    y[i] = float(i % 7);
  }

  // Copy the inputs to the device, run one thread for each element, copy the result back.
  sample::DeviceArray<float> deviceX(x), deviceY(y);
  const unsigned block = 256, grid = unsigned((n + block - 1) / block);
  saxpy<<<grid, block>>>(a, deviceX.get(), deviceY.get(), n);
  HIP_CHECK(hipGetLastError()); // a launch that could not start
  const std::vector<float> result = deviceY.toHost();

  bool passed = true;
  for (size_t i = 0; i < n; ++i)
    passed = passed && result[i] == a * x[i] + y[i];

  const double seconds = sample::bestSeconds(10, [&] { saxpy<<<grid, block>>>(a, deviceX.get(), deviceY.get(), n); });
  return sample::report("saxpy", passed, 3.0 * n * sizeof(float) / seconds / 1e9, "GB/s");
}
