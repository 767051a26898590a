// SPDX-License-Identifier: MIT
// Operations with an explicit rounding give the one number that MPFR gives for that rounding: for special, random and
// subnormal operands, for sums that cancel and products that underflow or overflow, signs of zeros included.
#include <mpfr.h>

#include <random>

#include "tests/device/check.h"

enum Operation { add, sub, mul, divide, rcp, root, fused, operationCount };

#define OPERATIONS(T, prefix, fma, mode)                                                                               \
  __global__ void evaluate_##mode(const T *x, const T *y, const T *z, T *out, int n) {                                 \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                     \
    if (i >= n)                                                                                                        \
      return;                                                                                                          \
    T *o = out + (size_t)i * operationCount;                                                                           \
    o[add] = __##prefix##add_##mode(x[i], y[i]);                                                                       \
    o[sub] = __##prefix##sub_##mode(x[i], y[i]);                                                                       \
    o[mul] = __##prefix##mul_##mode(x[i], y[i]);                                                                       \
    o[divide] = __##prefix##div_##mode(x[i], y[i]);                                                                    \
    o[rcp] = __##prefix##rcp_##mode(x[i]);                                                                             \
    o[root] = __##prefix##sqrt_##mode(x[i]);                                                                           \
    o[fused] = fma##_##mode(x[i], y[i], z[i]);                                                                         \
  }
OPERATIONS(float, f, __fmaf, rn)
OPERATIONS(float, f, __fmaf, ru)
OPERATIONS(float, f, __fmaf, rd)
OPERATIONS(float, f, __fmaf, rz)
OPERATIONS(double, d, __fma, rn)
OPERATIONS(double, d, __fma, ru)
OPERATIONS(double, d, __fma, rd)
OPERATIONS(double, d, __fma, rz)

/// The result of an operation of MPFR, whose exponents are unlimited, in the precision and range of T.
template <class T> static T limited(mpfr_ptr r, int ternary, mpfr_rnd_t rounding) {
  typedef std::numeric_limits<T> Limits;
  mpfr_exp_t low = mpfr_get_emin(), high = mpfr_get_emax();
  mpfr_set_emin(Limits::min_exponent - Limits::digits + 1);
  mpfr_set_emax(Limits::max_exponent);
  ternary = mpfr_check_range(r, ternary, rounding);
  mpfr_subnormalize(r, ternary, rounding);
  T result = sizeof(T) == 4 ? (T)mpfr_get_flt(r, rounding) : (T)mpfr_get_d(r, rounding);
  mpfr_set_emin(low);
  mpfr_set_emax(high);
  return result;
}

template <class T>
static void check(const char *mode, void (*launch)(const T *, const T *, const T *, T *, int), mpfr_rnd_t rounding,
                  int count) {
  typedef std::numeric_limits<T> Limits;
  std::mt19937_64 random(7);
  std::vector<T> x, y, z;
  auto put = [&](T a, T b, T c) {
    x.push_back(a);
    y.push_back(b);
    z.push_back(c);
  };
  std::vector<T> special;
  for (T v : {(T)0, Limits::denorm_min(), Limits::min(), std::nextafter(Limits::min(), (T)0), (T)1,
              std::nextafter((T)1, (T)2), std::nextafter((T)1, (T)0), (T)3, (T)0.1, Limits::max(), Limits::infinity(),
              Limits::quiet_NaN()}) {
    special.push_back(v);
    special.push_back(-v);
  }
  for (T a : special)
    for (T b : special)
      for (T c : special)
        put(a, b, c);
  auto any = [&](int range) {
    return std::ldexp((T)((double)random() / 1.8446744073709552e19 + 1), (int)(random() % (2 * range + 1)) - range) *
           (random() & 1 ? 1 : -1);
  };
  int wide = Limits::max_exponent + Limits::digits - 3;
  for (int i = 0; i < count; ++i) {
    put(any(3), any(3), any(3));
    put(any(wide), any(wide), any(wide));
    T a = any(wide), b = std::ldexp((T)1, -std::min(std::ilogb(a), wide)) * any(1);
    put(a, b, any(80));                                                         // a product near 1
    put(a, std::ldexp(b, Limits::min_exponent), any(4) * Limits::denorm_min()); // and near the smallest numbers
    put(a, std::ldexp(a, -1) * -any(1), -a * b);                                // cancellation
    T few = (T)(int)(random() % 1000);
    put(few, (T)(int)(random() % 1000 + 1), -few * few); // exact results
    put(few * few, -few * few, few);
  }
  int n = x.size();
  std::vector<T> results;
  {
    DeviceArray<T> dx(x), dy(y), dz(z), out((size_t)n * operationCount);
    launch<<<(n + 255) / 256, 256>>>(dx, dy, dz, out, n);
    HIP_CHECK(hipGetLastError());
    results = out.host();
  }
  mpfr_t a, b, c, r;
  mpfr_inits2(Limits::digits, a, b, c, r, (mpfr_ptr)0);
  const char *names[] = {"add", "sub", "mul", "div", "rcp", "sqrt", "fma"};
  for (int i = 0; i < n; ++i) {
    mpfr_set_d(a, x[i], MPFR_RNDN);
    mpfr_set_d(b, y[i], MPFR_RNDN);
    mpfr_set_d(c, z[i], MPFR_RNDN);
    for (int k = 0; k < operationCount; ++k) {
      int t = k == add      ? mpfr_add(r, a, b, rounding)
              : k == sub    ? mpfr_sub(r, a, b, rounding)
              : k == mul    ? mpfr_mul(r, a, b, rounding)
              : k == divide ? mpfr_div(r, a, b, rounding)
              : k == rcp    ? mpfr_ui_div(r, 1, a, rounding)
              : k == root   ? mpfr_sqrt(r, a, rounding)
                            : mpfr_fma(r, a, b, c, rounding);
      T expected = limited<T>(r, t, rounding), actual = results[(size_t)i * operationCount + k];
      if ((expected != expected && actual != actual) || std::memcmp(&expected, &actual, sizeof(T)) == 0)
        continue;
      if (++checkFailures < 40)
        std::fprintf(stderr, "%s_%s<%s>(%a, %a, %a) is %a, expected %a\n", names[k], mode,
                     sizeof(T) == 4 ? "float" : "double", (double)x[i], (double)y[i], (double)z[i], (double)actual,
                     (double)expected);
    }
  }
  mpfr_clears(a, b, c, r, (mpfr_ptr)0);
}

int main(int argc, char **argv) {
  int count = argc > 1 ? std::atoi(argv[1]) : 2000;
#define CHECK_MODE(mode, rounding)                                                                                     \
  check<float>(#mode, evaluate_##mode, rounding, count);                                                               \
  check<double>(#mode, evaluate_##mode, rounding, count);
  CHECK_MODE(rn, MPFR_RNDN)
  CHECK_MODE(ru, MPFR_RNDU)
  CHECK_MODE(rd, MPFR_RNDD)
  CHECK_MODE(rz, MPFR_RNDZ)
  return testResult();
}
