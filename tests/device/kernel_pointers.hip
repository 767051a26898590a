// SPDX-License-Identifier: MIT
// Kernels as values in host code: in tables, chosen at run time, passed to templates, launched through the C function.
#include "tests/device/check.h"

using Kernel = void (*)(int *, int);

__global__ void assign(int *out, int v) { out[threadIdx.x] = v; }
static __global__ void twice(int *out, int v) { out[threadIdx.x] = 2 * v; }
template <int N> __global__ __launch_bounds__(64) void times(int *out, int v) { out[threadIdx.x] = N * v; }
struct Holder {
  template <class T> static void launch(void (*kernel)(T *, T), T *out, T v) { kernel<<<1, 4>>>(out, v); }
};
template <Kernel K> static void launchConstant(int *out, int v) { K<<<1, 4>>>(out, v); }

int main() {
  DeviceArray<int> out(4);
  const Kernel kernels[] = {assign, &twice, times<5>};
  const int factors[] = {1, 2, 5};
  for (int i = 0; i < 3; ++i) {
    Kernel kernel = i == 1 ? twice : kernels[i];
    CHECK(kernel == kernels[i]);
    kernel<<<1, 4>>>(out, 10);
    CHECK_EQ(out.host()[3], 10 * factors[i]);

    Holder::launch<int>(kernel, out, 11);
    CHECK_EQ(out.host()[2], 11 * factors[i]);

    int *pointer = out;
    int value = 7;
    void *arguments[] = {&pointer, &value};
    HIP_CHECK(hipLaunchKernel(reinterpret_cast<const void *>(kernel), dim3(1), dim3(4), arguments, 0, nullptr));
    CHECK_EQ(out.host()[1], 7 * factors[i]);
  }
  launchConstant<times<9>>(out, 3);
  CHECK_EQ(out.host()[0], 27);
  return testResult();
}
