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

template <class T>
struct Generic {
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
  static __host__ __device__ T transcendental(T x) { return std::sin(x) + std::exp(x) + std::log(x) + std::atan2(x, T(2)); }
  static __host__ __device__ T classes(T x) {
    return T(std::isnan(x) + 2 * std::isfinite(x) + 4 * std::signbit(x) + 8 * std::isinf(x / 0) + 16 * (std::fpclassify(x) == FP_NORMAL));
  }
};

static __host__ __device__ int integers(int n, long l) {
  return std::abs(-n) + (int)std::abs(-l) + std::max(n, 3) + std::min(n, 3) + (int)std::sqrt(n) + (int)std::pow(n, 2);
}

template <class T>
__global__ void evaluate(const T* in, T* out) {
  int i = threadIdx.x;
  T x = in[i];
  T* o = out + 6 * i;
  o[0] = Generic<T>::rounding(x);
  o[1] = Generic<T>::parts(x);
  o[2] = Generic<T>::roots(x);
  o[3] = Generic<T>::transcendental(x);
  o[4] = Generic<T>::classes(x);
  o[5] = (T)integers(i, i);
}

template <class T>
static void check() {
  std::vector<T> in = {T(0.5), T(1.25), T(2.5), T(3), T(7.75), T(40.5)};
  DeviceArray<T> device(in), out(6 * in.size());
  evaluate<T><<<1, in.size()>>>(device, out);
  HIP_CHECK(hipGetLastError());
  std::vector<T> r = out.host();
  for (size_t i = 0; i < in.size(); ++i) {
    const T expected[] = {Generic<T>::rounding(in[i]),       Generic<T>::parts(in[i]),   Generic<T>::roots(in[i]),
                          Generic<T>::transcendental(in[i]), Generic<T>::classes(in[i]), (T)integers((int)i, (long)i)};
    for (int k = 0; k < 6; ++k)
      CHECK_NEAR(r[6 * i + k], expected[k], 8 * std::numeric_limits<T>::epsilon() * std::fabs(expected[k]));
  }
}

int main() {
  check<float>();
  check<double>();
  return testResult();
}
