// SPDX-License-Identifier: MIT
// Adds two vectors, with a grid that is larger than they are.
#include "check.h"

__global__ void add(const float *x, const float *y, float *sum, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    sum[i] = x[i] + y[i];
}

int main() {
  const int count = 50000;
  std::vector<float> x(count), y(count);
  for (int i = 0; i < count; ++i) {
    x[i] = i * 0.5f;
    y[i] = 3.0f - i;
  }
  float *dX = onDevice(x), *dY = onDevice(y), *dSum = nullptr;
  CALL(cudaMalloc((void **)&dSum, count * sizeof(float)));
  const int block = 256;
  add<<<(count + block - 1) / block, block>>>(dX, dY, dSum, count);
  CALL(cudaGetLastError());
  CALL(cudaDeviceSynchronize());
  const std::vector<float> sum = onHost(dSum, count);
  for (int i = 0; i < count; ++i)
    EXPECT(sum[i] == x[i] + y[i]);
  CALL(cudaFree(dX));
  CALL(cudaFree(dY));
  CALL(cudaFree(dSum));
  CALL(cudaDeviceReset());
}
