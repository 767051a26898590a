// SPDX-License-Identifier: MIT
// The fast intrinsics, within the errors that CUDA documents for them, and the operations with explicit rounding, exactly.
#include "tests/device/nearest.h"
#include "tests/device/ulp.h"

#include <limits>

enum {
  sine,
  cosine,
  tangent,
  sine2,
  cosine2,
  expo,
  expo10,
  log_,
  log2_,
  log10_,
  power,
  quotient,
  saturated,
  fastCount
};

__global__ void fast(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], *o = out + i * fastCount;
  o[sine] = __sinf(x);
  o[cosine] = __cosf(x);
  o[tangent] = __tanf(x);
  __sincosf(x, &o[sine2], &o[cosine2]);
  o[expo] = __expf(x);
  o[expo10] = __exp10f(x);
  o[log_] = __logf(x);
  o[log2_] = __log2f(x);
  o[log10_] = __log10f(x);
  o[power] = __powf(x, 1.5f);
  o[quotient] = __fdividef(1.0f, x);
  o[saturated] = __saturatef(x - 1.0f);
}

template <class T> struct Rounded {
  T add, sub, mul, div, rcp, sqrt, fma, separate, ordered;
};

__global__ void rounded(const float *x, const float *y, Rounded<float> *out) {
  int i = threadIdx.x;
  float a = x[i], b = y[i];
  out[i] = {__fadd_rn(a, b), __fsub_rn(a, b), __fmul_rn(a, b),     __fdiv_rn(a, b),
            __frcp_rn(a),    __fsqrt_rn(a),   __fmaf_rn(a, b, -b), __fadd_rn(__fmul_rn(a, b), -b),
            __frsqrt_rn(a)};
}
__global__ void rounded(const double *x, const double *y, Rounded<double> *out) {
  int i = threadIdx.x;
  double a = x[i], b = y[i];
  out[i] = {__dadd_rn(a, b), __dsub_rn(a, b), __dmul_rn(a, b),    __ddiv_rn(a, b),
            __drcp_rn(a),    __dsqrt_rn(a),   __fma_rn(a, b, -b), __dadd_rn(__dmul_rn(a, b), -b),
            rsqrt(a)};
}

template <class T> static void checkRounded() {
  std::vector<T> x, y;
  for (double a : {1.0, 3.0, 0.1, 1e10, 7.7, 1.0000001, 123456.789, 1e-5})
    for (double b : {1.0, 0.3, 9.0, 1e-3}) {
      x.push_back((T)a);
      y.push_back((T)b);
    }
  DeviceArray<T> dx(x), dy(y);
  DeviceArray<Rounded<T>> out(x.size());
  rounded<<<1, x.size()>>>(dx, dy, out);
  HIP_CHECK(hipGetLastError());
  std::vector<Rounded<T>> r = out.host();
  for (size_t i = 0; i < x.size(); ++i) {
    volatile T a = x[i], b = y[i], sum = a + b, difference = a - b, product = a * b, then = product - b;
    CHECK_EQ(r[i].add, (T)sum);
    CHECK_EQ(r[i].sub, (T)difference);
    CHECK_EQ(r[i].mul, (T)product);
    checkUlp("div", r[i].div, (long double)a / b, 0, (T)a, (T)b);
    checkUlp("rcp", r[i].rcp, 1 / (long double)a, 0, (T)a);
    checkUlp("sqrt", r[i].sqrt, std::sqrt((long double)a), 0, (T)a);
    CHECK_EQ(r[i].fma, std::fma((T)a, (T)b, -(T)b));
    CHECK_EQ(r[i].separate, (T)then);
    checkUlp("rsqrt", r[i].ordered, 1 / std::sqrt((long double)a), sizeof(T) == 4 ? 0 : 2, (T)a);
  }
}

// Arguments outside the range in which the fast intrinsics are close.
TEST(special) {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> in{-infinity, infinity, nan, 0.0f, -1.0f, 1e10f, -200.0f, 200.0f, 88.7f, -87.3f, 1e30f};
  DeviceArray<float> device(in), out(in.size() * fastCount);
  fast<<<1, 64>>>(device, out, (int)in.size());
  HIP_CHECK(hipGetLastError());
  const std::vector<float> r = out.host();
  auto at = [&](int argument, int function) { return r[argument * fastCount + function]; };
  CHECK_EQ(at(0, expo), 0);
  CHECK_EQ(at(1, expo), infinity);
  CHECK(std::isnan(at(2, expo)));
  CHECK_EQ(at(3, expo), 1);
  CHECK_EQ(at(6, expo), 0);
  CHECK_EQ(at(7, expo), infinity);
  for (int i : {8, 9}) // next to the largest and the smallest normal number
    CHECK_NEAR(at(i, expo), std::exp(double(in[i])), 1e-6 * std::exp(double(in[i])));
  CHECK(std::isnan(at(0, log_)));
  CHECK_EQ(at(1, log_), infinity);
  CHECK(std::isnan(at(2, log_)));
  CHECK_EQ(at(3, log_), -infinity);
  CHECK(std::isnan(at(4, log_)));
  CHECK_NEAR(at(10, log_), std::log(double(in[10])), 1e-5);
  for (int i : {0, 1, 2})
    CHECK(std::isnan(at(i, sine)) && std::isnan(at(i, cosine)));
  for (int i : {5, 10})
    CHECK(std::fabs(at(i, sine)) <= 1 && std::fabs(at(i, cosine)) <= 1);
  CHECK_NEAR(at(7, sine), std::sin(200.0), 1e-6);
  CHECK_NEAR(at(7, cosine), std::cos(200.0), 1e-6);
}

TEST(fast) {
  std::vector<float> in;
  for (int i = 1; i < 300; ++i)
    in.push_back(i * 0.0103f);
  DeviceArray<float> device(in), out(in.size() * fastCount);
  fast<<<(in.size() + 63) / 64, 64>>>(device, out, (int)in.size());
  HIP_CHECK(hipGetLastError());
  std::vector<float> r = out.host();
  for (size_t i = 0; i < in.size(); ++i) {
    const float *o = &r[i * fastCount];
    double x = in[i];
    CHECK_NEAR(o[sine], std::sin(x), 1e-5);
    CHECK_NEAR(o[cosine], std::cos(x), 1e-5);
    if (std::fabs(std::cos(x)) > 0.1)
      CHECK_NEAR(o[tangent], std::tan(x), 2e-3);
    CHECK_EQ(o[sine2], o[sine]);
    CHECK_EQ(o[cosine2], o[cosine]);
    CHECK_NEAR(o[expo], std::exp(x), 1e-5 * std::exp(x));
    CHECK_NEAR(o[expo10], std::pow(10, x), 1e-5 * std::pow(10, x));
    CHECK_NEAR(o[log_], std::log(x), 1e-5);
    CHECK_NEAR(o[log2_], std::log2(x), 1e-5);
    CHECK_NEAR(o[log10_], std::log10(x), 1e-5);
    CHECK_NEAR(o[power], std::pow(x, 1.5), 1e-4 * std::pow(x, 1.5));
    CHECK_NEAR(o[quotient], 1 / x, 1e-6 / x);
    CHECK_EQ(o[saturated], std::min(1.0f, std::max(0.0f, in[i] - 1.0f)));
  }
}

__global__ void plain(const float *x, const float *y, float *quotient, float *root, float *rootByStd, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  quotient[i] = x[i] / y[i];
  root[i] = sqrtf(x[i]);
  rootByStd[i] = std::sqrt(x[i]);
}

// -fhip-fp32-correctly-rounded-divide-sqrt is on by default.
TEST(plainDivisionsAndRoots) {
  const std::vector<float> x = positiveNumbers(3, 5000), y = positiveNumbers(4, 5000);
  DeviceArray<float> dx(x), dy(y), quotient(x.size()), root(x.size()), other(x.size());
  plain<<<20, 256>>>(dx, dy, quotient, root, other, (int)x.size());
  const std::vector<float> quotients = quotient.host(), roots = root.host(), others = other.host();
  for (size_t i = 0; i < x.size(); ++i) {
    volatile float expected = x[i] / y[i];
    CHECK_EQ(quotients[i], expected);
    CHECK_EQ(roots[i], std::sqrt(x[i]));
    CHECK_EQ(others[i], std::sqrt(x[i]));
  }
}

TEST(nearest) {
  checkNearest();
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  DeviceArray<float> x(std::vector<float>{0, -0.0f, infinity, -1, nan}), y(std::vector<float>{1, 2, 3, 4, 5});
  DeviceArray<NearestResults> target(5);
  computeNearest<<<1, 64>>>(x, y, target, 5);
  const std::vector<NearestResults> out = target.host();
  CHECK_EQ(out[0].reciprocalRoot, infinity);
  CHECK_EQ(out[1].reciprocalRoot, -infinity);
  CHECK_EQ(out[2].reciprocalRoot, 0);
  CHECK(std::isnan(out[3].reciprocalRoot) && std::isnan(out[4].reciprocalRoot));
}

TEST(rounded) {
  checkRounded<float>();
  checkRounded<double>();
}

int main(int argc, char **argv) { return runTests(argc, argv); }
