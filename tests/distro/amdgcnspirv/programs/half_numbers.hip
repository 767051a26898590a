// SPDX-License-Identifier: MIT
// Half precision by AMD's header: sums, products and comparisons of halves and of pairs of them.
#include "tests/device/check.h"

#include <hip/hip_fp16.h>

__global__ void compute(const float *x, float *y, int n) {
  const int i = threadIdx.x;
  const __half a = __float2half(x[i]), b = __float2half(x[(i + 1) % n]);
  const __half2 pair = __halves2half2(a, b), sum = __hfma2(pair, __float2half2_rn(2.0f), __float2half2_rn(0.5f));
  y[i * 5] = __half2float(__hadd(a, b));
  y[i * 5 + 1] = __half2float(__hmul(a, b));
  y[i * 5 + 2] = __low2float(sum);
  y[i * 5 + 3] = __high2float(sum);
  y[i * 5 + 4] = __hlt(a, b) ? __half2float(hsqrt(__habs(a))) : __half2float(__hneg(b));
}

TEST(numbersThatHalvesHave) { // quarters up to 16: sums are exact, products and roots within the last bit
  constexpr int n = 64;
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i)
    x[i] = float((i * 37) % 129 - 64) * 0.25f;
  DeviceArray<float> in(x), out(5 * n);
  compute<<<1, n>>>(in, out, n);
  const std::vector<float> y = out.host();
  for (int i = 0; i < n; ++i) {
    const float a = x[i], b = x[(i + 1) % n];
    CHECK_EQ(y[i * 5], a + b);
    CHECK_NEAR(y[i * 5 + 1], a * b, 0.0005 * std::fabs(a * b));
    CHECK_EQ(y[i * 5 + 2], 2 * a + 0.5f);
    CHECK_EQ(y[i * 5 + 3], 2 * b + 0.5f);
    CHECK_NEAR(y[i * 5 + 4], a < b ? std::sqrt(std::fabs(a)) : -b, 0.002);
  }
}

int main(int argc, char **argv) { return runTests(argc, argv); }
