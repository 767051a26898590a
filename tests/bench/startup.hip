// SPDX-License-Identifier: MIT
// A small whole program: allocate, copy, one kernel, copy back. startup.py times its process.
#include <hip/hip_runtime.h>

#include <vector>

__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

int main() {
  constexpr int n = 1 << 12;
  std::vector<float> x(n, 1.0f), y(n, 2.0f);
  float *dx, *dy;
  if (hipMalloc(&dx, n * sizeof(float)) != hipSuccess || hipMalloc(&dy, n * sizeof(float)) != hipSuccess)
    return 1;
  (void)hipMemcpy(dx, x.data(), n * sizeof(float), hipMemcpyHostToDevice);
  (void)hipMemcpy(dy, y.data(), n * sizeof(float), hipMemcpyHostToDevice);
  saxpy<<<(n + 255) / 256, 256>>>(n, 3.0f, dx, dy);
  if (hipMemcpy(y.data(), dy, n * sizeof(float), hipMemcpyDeviceToHost) != hipSuccess)
    return 1;
  for (float value : y)
    if (value != 5.0f)
      return 1;
  (void)hipFree(dx);
  (void)hipFree(dy);
  return 0;
}
