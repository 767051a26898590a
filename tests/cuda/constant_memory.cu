// SPDX-License-Identifier: MIT
// Symbols: constant and device variables, written and read in every form of the copies.
#include "check.h"

__constant__ float coefficients[5];
__constant__ struct Settings {
  int width;
  float scale;
} settings;
__device__ int counters[4];
__device__ const float kFixed[3] = {1, 2, 4};

__global__ void polynomial(const float *x, float *y) {
  const int i = threadIdx.x;
  float value = 0;
  for (int k = 4; k >= 0; --k)
    value = value * x[i] + coefficients[k];
  y[i] = value * settings.scale + settings.width + kFixed[i % 3];
  atomicAdd(&counters[i % 4], 1);
}

int main() {
  const float values[5] = {1, -2, 0.5f, 3, 0.25f};
  CALL(cudaMemcpyToSymbol(coefficients, values, sizeof(values)));
  const float third = 0.75f;
  CALL(cudaMemcpyToSymbol(coefficients, &third, sizeof(float), 2 * sizeof(float), cudaMemcpyHostToDevice));
  const Settings chosen = {7, 2};
  CALL(cudaMemcpyToSymbolAsync(settings, &chosen, sizeof(chosen)));
  int *address = nullptr;
  size_t size = 0;
  CALL(cudaGetSymbolAddress((void **)&address, counters));
  CALL(cudaGetSymbolSize(&size, counters));
  EXPECT(size == sizeof(counters));
  CALL(cudaMemset(address, 0, size));
  std::vector<float> x(64);
  for (int i = 0; i < 64; ++i)
    x[i] = i / 16.0f - 2;
  float *dX = onDevice(x), *dY = nullptr;
  CALL(cudaMalloc(&dY, 64 * sizeof(float)));
  polynomial<<<1, 64>>>(dX, dY);
  const std::vector<float> y = onHost(dY, 64);
  for (int i = 0; i < 64; ++i) {
    const float value = 1 + x[i] * (-2 + x[i] * (0.75f + x[i] * (3 + x[i] * 0.25f)));
    EXPECT(std::fabs(y[i] - (value * 2 + 7 + (1 << i % 3))) < 1e-3f);
  }
  int read[4] = {};
  CALL(cudaMemcpyFromSymbol(read, counters, sizeof(read)));
  for (int value : read)
    EXPECT(value == 16);
  float back = 0;
  CALL(cudaMemcpyFromSymbol(&back, coefficients, sizeof(float), 3 * sizeof(float)));
  EXPECT(back == 3);
}
