// SPDX-License-Identifier: MIT
// Kernels that are loaded while the program runs: module_api FILE, a code object from `hipcc --genco`.
#include "common.h"

#include <cmath>

int main(int argumentCount, char **arguments) {
  const char *file = argumentCount > 1 ? arguments[1] : "module_api_kernels.co";
  hipModule_t module;
  HIP_CHECK(hipModuleLoad(&module, file));
  hipFunction_t polynomial;
  HIP_CHECK(hipModuleGetFunction(&polynomial, module, "polynomial"));

  // A variable of the module, by its name.
  const float values[4] = {1, -2, 0.5f, 0.25f};
  hipDeviceptr_t coefficients;
  size_t bytes = 0;
  HIP_CHECK(hipModuleGetGlobal(&coefficients, &bytes, module, "coefficients"));
  bool passed = bytes == sizeof values;
  HIP_CHECK(hipMemcpyHtoD(coefficients, const_cast<float *>(values), sizeof values));

  unsigned n = 1 << 20;
  std::vector<float> x(n);
  for (unsigned i = 0; i < n; ++i)
    x[i] = float(i % 200) / 100 - 1;
  sample::DeviceArray<float> deviceX(x), deviceY(n);

  // The arguments as an array of pointers to each of them.
  const float *xPointer = deviceX.get();
  float *yPointer = deviceY.get();
  void *kernelArguments[] = {&xPointer, &yPointer, &n};
  const double seconds = sample::bestSeconds(10, [&] {
    HIP_CHECK(
        hipModuleLaunchKernel(polynomial, (n + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr, kernelArguments, nullptr));
  });

  const std::vector<float> y = deviceY.toHost();
  for (unsigned i = 0; i < n; ++i) {
    const double expected = ((values[3] * double(x[i]) + values[2]) * x[i] + values[1]) * x[i] + values[0];
    passed = passed && std::abs(y[i] - expected) <= 1e-5;
  }
  HIP_CHECK(hipModuleUnload(module));
  return sample::report("module_api", passed, seconds * 1e6, "us");
}
