// SPDX-License-Identifier: MIT
// app [ELEMENTS]: (a + b) * factor with the kernels of the library.
#include "../common.h"
#include "arguments.h"
#include "vector.h"

int main(int argumentCount, char **arguments) {
  const size_t n = elementsFromArguments(argumentCount, arguments, 1 << 22);
  const float factor = 0.5f;
  std::vector<float> a(n), b(n);
  for (size_t i = 0; i < n; ++i) {
    a[i] = float(i % 1024);
    b[i] = float(i % 4096);
  }
  sample::DeviceArray<float> deviceA(a), deviceB(b), sum(n);
  const double seconds = sample::bestSeconds(5, [&] {
    vectorAdd(deviceA.get(), deviceB.get(), sum.get(), n);
    vectorScale(sum.get(), factor, n);
  });
  HIP_CHECK(hipGetLastError());

  bool passed = true;
  const std::vector<float> result = sum.toHost();
  for (size_t i = 0; i < n; ++i)
    passed = passed && result[i] == (a[i] + b[i]) * factor;
  return sample::report("makefile_project", passed, 5.0 * n * sizeof(float) / seconds / 1e9, "GB/s");
}
