// SPDX-License-Identifier: MIT
#include "harness.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>
#include <random>

namespace hiplz::cpu {
namespace {

template <typename T, typename F> T saturated(F value) {
  if (std::isnan(value))
    return 0;
  // 2^bits is a floating-point number, the largest integer may not be one.
  F limit = std::ldexp(F(1), std::numeric_limits<T>::digits);
  if (value >= limit)
    return std::numeric_limits<T>::max();
  if (value < (std::is_signed_v<T> ? -limit : F(0)))
    return std::numeric_limits<T>::min();
  return static_cast<T>(value);
}

template <typename F> std::vector<F> numbers() {
  std::vector<F> values{0,
                        F(-0.0),
                        F(0.5),
                        F(-0.5),
                        F(1.5),
                        F(2.5),
                        F(-1.5),
                        F(-2.5),
                        F(0.25),
                        F(-0.75),
                        127,
                        128,
                        F(127.5),
                        -128,
                        -129,
                        F(255.5),
                        256,
                        32767,
                        65536,
                        F(2147483647.0),
                        F(2147483648.0),
                        F(-2147483648.0),
                        F(4294967296.0),
                        F(9223372036854775807.0),
                        F(-9223372036854775808.0),
                        F(18446744073709551616.0),
                        std::numeric_limits<F>::infinity(),
                        -std::numeric_limits<F>::infinity(),
                        std::numeric_limits<F>::quiet_NaN(),
                        std::numeric_limits<F>::max(),
                        std::numeric_limits<F>::denorm_min()};
  std::mt19937_64 random(3);
  std::uniform_real_distribution<F> distribution(-300, 300);
  for (int i = 0; i < 50; ++i)
    values.push_back(distribution(random));
  return values;
}

template <typename F, typename T> void checkToInteger(const char *kernel) {
  auto in = numbers<F>();
  uint32_t n = uint32_t(in.size());
  std::vector<T> out(n * 6);
  Launch(testProgram("conversions"), kernel).arg(in).arg(out).run({n, 1, 1}, {1, 1, 1});
  for (uint32_t i = 0; i < n; ++i) {
    SCOPED_TRACE(testing::Message() << kernel << " " << in[i]);
    const T *o = &out[i * 6];
    ASSERT_EQ(o[0], (saturated<T, F>(std::trunc(in[i]))));
    ASSERT_EQ(o[1], (saturated<T, F>(std::nearbyint(in[i]))));
    ASSERT_EQ(o[2], (saturated<T, F>(std::trunc(in[i]))));
    ASSERT_EQ(o[3], (saturated<T, F>(std::ceil(in[i]))));
    ASSERT_EQ(o[4], (saturated<T, F>(std::floor(in[i]))));
    ASSERT_EQ(o[5], o[1]);
  }
}

TEST(Conversions, FloatingPointToInteger) {
  checkToInteger<float, int8_t>("float_to_char");
  checkToInteger<float, uint8_t>("float_to_uchar");
  checkToInteger<float, int16_t>("float_to_short");
  checkToInteger<float, int32_t>("float_to_int");
  checkToInteger<float, uint32_t>("float_to_uint");
  checkToInteger<float, int64_t>("float_to_long");
  checkToInteger<float, uint64_t>("float_to_ulong");
  checkToInteger<double, int8_t>("double_to_char");
  checkToInteger<double, uint16_t>("double_to_ushort");
  checkToInteger<double, int32_t>("double_to_int");
  checkToInteger<double, uint32_t>("double_to_uint");
  checkToInteger<double, int64_t>("double_to_long");
  checkToInteger<double, uint64_t>("double_to_ulong");
}

// The processor itself, in another rounding mode.
template <typename F, typename I> F convertRounded(I value, int mode) {
  volatile I source = value;
  int before = std::fegetround();
  std::fesetround(mode);
  volatile F result = static_cast<F>(source);
  std::fesetround(before);
  return result;
}

template <typename I, typename F> void checkToFloat(const char *kernel, std::vector<I> in) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 200; ++i)
    in.push_back(static_cast<I>(static_cast<int64_t>(random())));
  uint32_t n = uint32_t(in.size());
  std::vector<F> out(n * 6);
  Launch(testProgram("conversions"), kernel).arg(in).arg(out).run({n, 1, 1}, {1, 1, 1});
  for (uint32_t i = 0; i < n; ++i) {
    SCOPED_TRACE(testing::Message() << kernel << " " << in[i]);
    const F *o = &out[i * 6];
    ASSERT_EQ(o[0], (convertRounded<F>(in[i], FE_TONEAREST)));
    ASSERT_EQ(o[1], o[0]);
    ASSERT_EQ(o[2], (convertRounded<F>(in[i], FE_TOWARDZERO)));
    ASSERT_EQ(o[3], (convertRounded<F>(in[i], FE_UPWARD)));
    ASSERT_EQ(o[4], (convertRounded<F>(in[i], FE_DOWNWARD)));
    ASSERT_EQ(o[5], o[3]);
  }
}

TEST(Conversions, ToFloatingPointInAllRoundings) {
  checkToFloat<int32_t, float>("int_to_float", {0, 1, -1, 16777217, -16777217, 2147483647, -2147483647 - 1});
  checkToFloat<uint32_t, float>("uint_to_float", {0, 1, 16777217, 4294967295u});
  checkToFloat<int64_t, float>("long_to_float", {0, 1, -1, INT64_MAX, INT64_MIN, INT64_MIN + 1});
  checkToFloat<uint64_t, float>("ulong_to_float", {0, 1, UINT64_MAX});
  checkToFloat<int64_t, double>("long_to_double", {0, 1, -1, INT64_MAX, INT64_MIN, (int64_t(1) << 53) + 1});
  checkToFloat<uint64_t, double>("ulong_to_double", {0, UINT64_MAX, (uint64_t(1) << 53) + 1});
  checkToFloat<double, float>("double_to_float",
                              {0.1, -0.1, 1e300, -1e300, 1e-320, 1e-46, -1e-46, 3.4028235677973366e38});
}

float halfToFloat(uint16_t half) {
  int exponent = half >> 10 & 31, mantissa = half & 1023;
  float value = exponent == 31 ? (mantissa ? NAN : INFINITY)
                : exponent     ? std::ldexp(float(mantissa + 1024), exponent - 25)
                               : std::ldexp(float(mantissa), -24);
  return half & 0x8000 ? -value : value;
}

TEST(Conversions, HalfPrecision) {
  std::vector<float> in{0,      1,       -1,      65504,   65520,    65519,    1e6f,
                        -1e6f,  1e-8f,   -1e-8f,  6e-8f,   5.96e-8f, 6.1e-5f,  6.0e-5f,
                        0.333f, -0.333f, 1.0006f, 2047.5f, 2048.9f,  INFINITY, -INFINITY};
  uint32_t n = uint32_t(in.size());
  std::vector<uint16_t> out(n * 4);
  Launch(testProgram("conversions"), "to_half").arg(in).arg(out).run({n, 1, 1}, {1, 1, 1});
  for (uint32_t i = 0; i < n; ++i) {
    SCOPED_TRACE(in[i]);
    float nearest = halfToFloat(out[4 * i]), zero = halfToFloat(out[4 * i + 1]), up = halfToFloat(out[4 * i + 2]),
          down = halfToFloat(out[4 * i + 3]);
    ASSERT_LE(down, in[i]);
    ASSERT_GE(up, in[i]);
    ASSERT_LE(std::fabs(zero), std::fabs(in[i]));
    ASSERT_TRUE(zero == up || zero == down);
    ASSERT_TRUE(nearest == up || nearest == down);
    if (up != down) { // neighbours
      uint16_t u = out[4 * i + 2] & 0x7fff, d = out[4 * i + 3] & 0x7fff;
      ASSERT_EQ(std::abs(u - d), 1);
      if (std::isfinite(up) && std::isfinite(down)) {
        ASSERT_LE(std::fabs(nearest - in[i]), std::min(up - in[i], in[i] - down));
      }
    }
  }
}

TEST(Conversions, IntegerSaturation) {
  std::vector<int> in{0, 1, -1, 127, 128, -128, -129, 255, 256, 32767, 32768, 65535, INT32_MAX, INT32_MIN};
  uint32_t n = uint32_t(in.size());
  std::vector<int8_t> c(n);
  std::vector<uint8_t> u(n);
  std::vector<uint32_t> w(n);
  std::vector<int16_t> s(n);
  std::vector<uint64_t> l(n);
  Launch(testProgram("conversions"), "int_to_int").arg(in).arg(c).arg(u).arg(w).arg(s).arg(l).run({n, 1, 1}, {1, 1, 1});
  for (uint32_t i = 0; i < n; ++i) {
    SCOPED_TRACE(in[i]);
    ASSERT_EQ(c[i], std::clamp(in[i], -128, 127));
    ASSERT_EQ(u[i], std::clamp(in[i], 0, 255));
    ASSERT_EQ(w[i], uint32_t(std::max(in[i], 0)));
    ASSERT_EQ(s[i], int16_t(std::min<uint32_t>(uint32_t(in[i]), 32767)));
    ASSERT_EQ(l[i], uint64_t(std::max(in[i], 0)));
  }
}

} // namespace
} // namespace hiplz::cpu
