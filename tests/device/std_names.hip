// SPDX-License-Identifier: MIT
// Code that knows nothing of HIP, templates over float and double with std:: names and using declarations, gives the
// same results on both sides; <cmath> and its relatives come before hip_runtime.h here and in the other tests after it.
// Compiled for every C++ standard from C++11 on.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <math.h>

#include "tests/device/check.h"

#include <math.h>

template <class T> struct Generic {
  static __host__ __device__ T rounding(T x) {
    using std::floor;
    return floor(x) + std::ceil(x) + std::trunc(x) + std::round(x) + std::rint(x) + std::nearbyint(x) + std::lrint(x) +
           std::lround(x) + std::llrint(x) + std::llround(x);
  }
  static __host__ __device__ T parts(T x) {
    using std::abs;
    return abs(x) + std::fabs(x) + std::copysign(x, T(-1)) + std::ilogb(x) + std::logb(x) + std::ldexp(x, 2) +
           std::scalbn(x, -1) + std::fmod(x, T(0.75)) + std::max(x, T(2)) + std::min(x, T(2)) + std::fmax(x, T(3)) +
           std::fmin(x, T(3)) + std::fdim(x, T(1)) + std::fma(x, x, T(1));
  }
  static __host__ __device__ T roots(T x) {
    using std::sqrt;
    return sqrt(x) + std::cbrt(x) + std::hypot(x, T(3)) + std::pow(x, 2) + std::pow(x, T(0.5));
  }
  static __host__ __device__ T transcendental(T x) {
    return std::sin(x) + std::exp(x) + std::log(x) + std::atan2(x, T(2));
  }
  static __host__ __device__ T classes(T x) {
    return T(std::isnan(x) + 2 * std::isfinite(x) + 4 * std::signbit(x) + 8 * std::isinf(x / 0) +
             16 * (std::fpclassify(x) == FP_NORMAL));
  }
};

static __host__ __device__ int integers(int n, long l) {
  return std::abs(-n) + (int)std::abs(-l) + std::max(n, 3) + std::min(n, 3) + (int)std::sqrt(n) + (int)std::pow(n, 2);
}

// One kernel a group: a device that emulates double compiles several small kernels faster than a large one.
template <class T, int kGroup> __global__ void evaluate(const T *in, T *out) {
  T x = in[threadIdx.x];
  out[5 * threadIdx.x + kGroup] = kGroup == 0   ? Generic<T>::rounding(x)
                                  : kGroup == 1 ? Generic<T>::parts(x)
                                  : kGroup == 2 ? Generic<T>::roots(x)
                                  : kGroup == 3 ? Generic<T>::transcendental(x)
                                                : Generic<T>::classes(x) + (T)integers(threadIdx.x, threadIdx.x);
}

// For double, the groups in which its overloads are made in another way than those of float.
static void launch(const float *in, float *out, int n) {
  evaluate<float, 0><<<1, n>>>(in, out);
  evaluate<float, 1><<<1, n>>>(in, out);
  evaluate<float, 2><<<1, n>>>(in, out);
  evaluate<float, 3><<<1, n>>>(in, out);
  evaluate<float, 4><<<1, n>>>(in, out);
}
__attribute__((unused)) static void launch(const double *in, double *out, int n) {
  evaluate<double, 0><<<1, n>>>(in, out);
  evaluate<double, 1><<<1, n>>>(in, out);
  evaluate<double, 4><<<1, n>>>(in, out);
}

template <class T> static void check() {
  std::vector<T> in = {T(0.5), T(1.25), T(2.5), T(3), T(7.75), T(40.5)};
  DeviceArray<T> device(in), out(5 * in.size());
  launch(device, out, (int)in.size());
  HIP_CHECK(hipGetLastError());
  std::vector<T> r = out.host();
  for (size_t i = 0; i < in.size(); ++i) {
    const T expected[] = {Generic<T>::rounding(in[i]), Generic<T>::parts(in[i]), Generic<T>::roots(in[i]),
                          Generic<T>::transcendental(in[i]), Generic<T>::classes(in[i]) + (T)integers((int)i, (long)i)};
    for (int k : {0, 1, 2, 3, 4})
      if (sizeof(T) == sizeof(float) || k < 2 || k == 4)
        CHECK_NEAR(r[5 * i + k], expected[k], 8 * std::numeric_limits<T>::epsilon() * std::fabs(expected[k]));
  }
}

int main() {
  check<float>();
  // The other standards are for the overloads, which are resolved alike for double.
#if __cplusplus == 201703L
  check<double>();
#endif
  return testResult();
}
