// SPDX-License-Identifier: MIT
// Operations whose results are rounded correctly whatever the options of the compilation say: for a program with the default ones
// and one with -ffast-math. The expected results are rounded from wider types, so that fast math on the host does no harm.
#pragma once
#include "tests/device/check.h"

#include <cstdint>
#include <random>

struct NearestResults {
  float quotient, reciprocal, root, reciprocalRoot, quotientBelow, rootAbove;
};

__global__ void computeNearest(const float *x, const float *y, NearestResults *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = {__fdiv_rn(x[i], y[i]), __frcp_rn(x[i]),       __fsqrt_rn(x[i]),
              __frsqrt_rn(x[i]),     __fdiv_rd(x[i], y[i]), __fsqrt_ru(x[i])};
}

/// Positive numbers of all sizes, the smallest ones below the normal ones.
inline std::vector<float> positiveNumbers(unsigned seed, int count) {
  std::mt19937 random(seed);
  std::vector<float> numbers(count);
  for (float &number : numbers) {
    const uint32_t bits = random() % 0x7f800000u;
    std::memcpy(&number, &bits, sizeof number);
  }
  return numbers;
}

inline void checkNearest() {
  constexpr int kCount = 20000;
  const std::vector<float> x = positiveNumbers(1, kCount), y = positiveNumbers(2, kCount);
  DeviceArray<float> dx(x), dy(y);
  DeviceArray<NearestResults> target(kCount);
  computeNearest<<<(kCount + 255) / 256, 256>>>(dx, dy, target, kCount);
  const std::vector<NearestResults> out = target.host();
  for (int i = 0; i < kCount && checkFailures < 10; ++i) {
    volatile double a = x[i], b = y[i], quotient = a / b, root = std::sqrt(a), reciprocal = 1 / a;
    volatile long double precise = 1 / std::sqrt((long double)x[i]);
    CHECK_EQ(out[i].root, float(root));
    CHECK_EQ(out[i].reciprocalRoot, float(precise));
    CHECK(double(out[i].rootAbove) >= root && double(out[i].rootAbove) * out[i].rootAbove >= a);
    if (quotient > 1e-37 && quotient < 1e38) { // below, doubles would be rounded twice
      CHECK_EQ(out[i].quotient, float(quotient));
      CHECK(double(out[i].quotientBelow) * b <= a);
    }
    if (reciprocal > 1e-37 && reciprocal < 1e38)
      CHECK_EQ(out[i].reciprocal, float(reciprocal));
  }
}
