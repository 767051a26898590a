// SPDX-License-Identifier: MIT
// The program: host code only. It asks HIP for the device's name, leaves the computing to the library, and compares with
// the same steps on the host.
#include "heat.h"

#include <hip/hip_runtime_api.h>

#include <chrono>
#include <cmath>
#include <cstdio>

static void spreadOnHost(std::vector<float> &rod, unsigned steps, float conductivity) {
  std::vector<float> next = rod;
  for (unsigned s = 0; s < steps; ++s, rod.swap(next))
    for (size_t i = 1; i + 1 < rod.size(); ++i)
      next[i] = rod[i] + conductivity * (rod[i - 1] - 2 * rod[i] + rod[i + 1]);
}

int main() {
  hipDeviceProp_t properties;
  if (hipGetDeviceProperties(&properties, 0) != hipSuccess) {
    std::fputs("no device; hiplz-info says why\n", stderr);
    return 1;
  }
  const unsigned steps = 200;
  std::vector<float> start(1 << 16);
  for (size_t i = 0; i < start.size(); ++i)
    start[i] = i % 1000 < 500 ? 20.0f : 80.0f;
  std::vector<float> rod = start, expected = start;
  spreadOnHost(expected, steps, 0.2f);

  bool passed = spreadHeat(rod, steps, 0.2f);
  for (size_t i = 0; i < rod.size(); ++i)
    passed = passed && std::abs(rod[i] - expected[i]) <= 1e-3f;

  rod = start;
  const auto begin = std::chrono::steady_clock::now();
  passed = spreadHeat(rod, steps, 0.2f) && passed;
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
  std::printf("RESULT name=cmake_project device=\"%s\" check=%s figure=%.4g unit=us/step\n", properties.name,
              passed ? "PASS" : "FAIL", time.count() / steps);
  return passed ? 0 : 1;
}
