// SPDX-License-Identifier: MIT
// Compiled with -ffast-math: roots, reciprocals, divisions, exponentials, logarithms, powers and waves may be approximated, but they
// stay close, on every processor and in both paths of the CPU device's compiler. What names its rounding stays exact.
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

struct Waves {
  float sine, cosine, tangent, both[2], stdSine, intrinsicSine;
};
struct Powers {
  float power, ofNegative, byZero, ofTen, logarithm2, logarithm10, stdPower, stdExponential;
};
__global__ void computeMore(const float *in, Waves *waves, Powers *powers, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float x = in[i], angle = float(i - 1500) * 0.01f;
  Waves &w = waves[i];
  w.sine = sinf(angle);
  w.cosine = cosf(angle);
  w.tangent = tanf(angle);
  sincosf(angle, &w.both[0], &w.both[1]);
  w.stdSine = std::sin(angle);
  w.intrinsicSine = __sinf(angle);
  Powers &p = powers[i];
  p.power = powf(x, 0.75f);
  p.ofNegative = powf(-float(i % 40 + 1), float(i % 7 - 3));
  p.byZero = powf(float(i % 3), float(blockDim.y - 1));
  p.ofTen = exp10f(float(i - 1500) * 0.02f);
  p.logarithm2 = log2f(x);
  p.logarithm10 = log10f(x);
  p.stdPower = std::pow(x, -0.3f);
  p.stdExponential = std::exp(float(i - 1500) * 0.05f);
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
  DeviceArray<Waves> waves(kCount);
  DeviceArray<Powers> powers(kCount);
  computeMore<<<kCount / 50, 50>>>(source, waves, powers, kCount);
  const std::vector<Waves> w = waves.host();
  const std::vector<Powers> p = powers.host();
  const auto near = [](double found, double wanted, double bound) {
    return std::abs(found - wanted) <= bound * std::max(1.0, std::abs(wanted));
  };
  const auto closeTo = [](double found, double wanted, double bound) {
    return std::abs(found - wanted) <= bound * std::abs(wanted);
  };
  for (int i = 0; i < kCount; ++i) {
    const double x = in[i], angle = float(i - 1500) * 0.01f;
    // The bounds of CUDA's intrinsics in [-pi, pi], and beyond.
    CHECK(near(w[i].sine, std::sin(angle), 1e-6));
    CHECK(near(w[i].cosine, std::cos(angle), 1e-6));
    CHECK(near(w[i].tangent * std::cos(angle), std::sin(angle), 2e-6));
    CHECK(near(w[i].both[0], std::sin(angle), 1e-6));
    CHECK(near(w[i].both[1], std::cos(angle), 1e-6));
    CHECK_EQ(w[i].sine, w[i].intrinsicSine); // that is what fast math makes of it
    CHECK_EQ(w[i].stdSine, w[i].intrinsicSine);
    // An error of the logarithm is multiplied by the exponent.
    CHECK(closeTo(p[i].power, std::pow(x, 0.75), 1e-5));
    CHECK(closeTo(p[i].stdPower, std::pow(x, double(-0.3f)), 1e-5));
    CHECK(closeTo(p[i].ofNegative, std::pow(-double(i % 40 + 1), i % 7 - 3), 1e-5));
    CHECK_EQ(p[i].byZero, 1.0f);
    CHECK(closeTo(p[i].ofTen, std::pow(10.0, double(float(i - 1500) * 0.02f)), 1e-5));
    CHECK(close(p[i].stdExponential, std::exp(double(float(i - 1500) * 0.05f))));
    CHECK(near(p[i].logarithm2, std::log2(x), 1e-6));
    CHECK(near(p[i].logarithm10, std::log10(x), 1e-6));
  }
  checkNearest();
  return testResult();
}
