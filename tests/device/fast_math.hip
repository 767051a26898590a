// SPDX-License-Identifier: MIT
// Compiled with -ffast-math: roots, reciprocals, divisions, exponentials and logarithms may be approximated, but they stay close, on
// every processor and in both paths of the CPU device's compiler. What names its rounding stays exact.
#include "tests/device/check.h"
#include "tests/device/nearest.h"

#include <cmath>

struct Results {
  float root, reciprocalRoot, quotient, pull, exponential, power, logarithm;
  double wide;
};

__global__ void compute(const float *in, Results *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float x = in[i];
  Results &r = out[i];
  r.root = sqrtf(x * 2);
  r.reciprocalRoot = rsqrtf(x * 2);
  r.quotient = 3 / (x * 2);
  const float inverse = rsqrtf(x * x + 1);
  r.pull = x * inverse * inverse * inverse;
  r.exponential = expf(-float(i - 1500) * 0.05f); // from 1e32 to 1e-32
  r.power = exp2f(float(i - 1500) * 0.08f);
  r.logarithm = logf(x * 2);
  r.wide = rsqrt(double(x) * 2);
}

static bool close(double found, double wanted) { return std::abs(found - wanted) <= 1e-6 * std::abs(wanted); }

int main() {
  constexpr int kCount = 3000;
  std::vector<float> in(kCount);
  for (int i = 0; i < kCount; ++i) // from 1e-15 to 1e15
    in[i] = std::pow(10.0f, float(i) / 100 - 15);
  DeviceArray<float> source(in);
  DeviceArray<Results> target(kCount);
  for (int block : {64, 100}) {
    compute<<<(kCount + block - 1) / block, block>>>(source, target, kCount);
    std::vector<Results> out = target.host();
    for (int i = 0; i < kCount; ++i) {
      const double x = in[i];
      CHECK(close(out[i].root, std::sqrt(2 * x)));
      CHECK(close(out[i].reciprocalRoot, 1 / std::sqrt(2 * x)));
      CHECK(close(out[i].quotient, 1.5 / x));
      CHECK(close(out[i].pull, x / std::pow(x * x + 1, 1.5)));
      CHECK(close(out[i].exponential, std::exp(double(-float(i - 1500) * 0.05f))));
      CHECK(close(out[i].power, std::exp2(double(float(i - 1500) * 0.08f))));
      CHECK(close(out[i].logarithm, std::log(2 * x)));
      CHECK(close(out[i].wide, 1 / std::sqrt(2 * x)));
    }
  }
  checkNearest();
  return testResult();
}
