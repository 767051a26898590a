// SPDX-License-Identifier: MIT
// The built-in functions against the C library: scalar float against double precision rounded, within the given number of
// units in the last place; double against long double.
#include "harness.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>

namespace hiplz::cpu {
namespace {

template <typename T> double distanceInUlps(T value, long double exact) {
  if (std::isnan(exact))
    return std::isnan(value) ? 0 : INFINITY;
  T rounded = static_cast<T>(exact);
  if (value == rounded)
    return 0;
  if (std::isinf(rounded) || std::isinf(value) || std::isnan(value))
    return std::fabs(rounded) == std::numeric_limits<T>::max() || std::fabs(value) == std::numeric_limits<T>::max()
               ? 1
               : INFINITY;
  T size = std::max(std::fabs(rounded), std::numeric_limits<T>::min());
  long double unit = std::nextafter(size, std::numeric_limits<T>::infinity()) - size;
  return static_cast<double>(std::fabs((static_cast<long double>(value) - exact) / unit));
}

using Reference = std::function<long double(long double)>;
using Reference2 = std::function<long double(long double, long double)>;
constexpr long double kPi = std::numbers::pi_v<long double>;

long double sinPi(long double x) {
  long double r = std::fmod(std::fabs(x), 2.0L);
  long double value = r == 0 || r == 1 ? 0 : std::sin(kPi * (r > 1.5L ? r - 2 : r > 0.5L ? 1 - r : r));
  return std::isinf(x) ? NAN : std::copysign(1.0L, x) * value;
}
long double cosPi(long double x) {
  long double r = std::fmod(std::fabs(x), 2.0L);
  return std::isinf(x)            ? NAN
         : r == 0.5L || r == 1.5L ? 0
         : r > 0.25L && r < 0.75L ? std::sin(kPi * (0.5L - r))
         : r > 1.25L && r < 1.75L ? std::sin(kPi * (r - 1.5L))
                                  : std::cos(kPi * r);
}

struct Unary {
  const char *name;
  Reference exact;
  double low, high; // where the arguments come from
  double ulps = 1;  // of float; double gets the same and one more
};

void PrintTo(const Unary &function, std::ostream *stream) { *stream << function.name; }

const Unary kUnary[] = {
    {"acos", [](long double x) { return std::acos(x); }, -1.1, 1.1},
    {"acosh", [](long double x) { return std::acosh(x); }, 0.5, 1e5, 2},
    {"acospi", [](long double x) { return std::acos(x) / kPi; }, -1.1, 1.1, 2},
    {"asin", [](long double x) { return std::asin(x); }, -1.1, 1.1},
    {"asinh", [](long double x) { return std::asinh(x); }, -1e3, 1e3, 2},
    {"asinpi", [](long double x) { return std::asin(x) / kPi; }, -1, 1, 2},
    {"atan", [](long double x) { return std::atan(x); }, -50, 50},
    {"atanh", [](long double x) { return std::atanh(x); }, -1, 1, 2},
    {"atanpi", [](long double x) { return std::atan(x) / kPi; }, -50, 50, 2},
    {"cbrt", [](long double x) { return std::cbrt(x); }, -1e5, 1e5, 1},
    {"ceil", [](long double x) { return std::ceil(x); }, -1e5, 1e5, 0},
    {"cos", [](long double x) { return std::cos(x); }, -1e4, 1e4},
    {"cosh", [](long double x) { return std::cosh(x); }, -80, 80, 2},
    {"cospi", cosPi, -1e3, 1e3, 2},
    {"erf", [](long double x) { return std::erf(x); }, -4, 4, 1},
    {"erfc", [](long double x) { return std::erfc(x); }, -4, 9, 5},
    {"exp", [](long double x) { return std::exp(x); }, -80, 80},
    {"exp2", [](long double x) { return std::exp2(x); }, -120, 120},
    {"exp10", [](long double x) { return std::pow(10.0L, x); }, -35, 35, 2},
    {"expm1", [](long double x) { return std::expm1(x); }, -5, 50, 1},
    {"fabs", [](long double x) { return std::fabs(x); }, -10, 10, 0},
    {"floor", [](long double x) { return std::floor(x); }, -1e5, 1e5, 0},
    {"lgamma", [](long double x) { return std::lgamma(x); }, 3, 1e3, 4},
    {"log", [](long double x) { return std::log(x); }, -1, 1e6},
    {"log2", [](long double x) { return std::log2(x); }, 0, 1e6},
    {"log10", [](long double x) { return std::log10(x); }, 0, 1e6, 2},
    {"log1p", [](long double x) { return std::log1p(x); }, -0.9, 1e3, 1},
    {"logb", [](long double x) { return std::logb(x); }, -1e5, 1e5, 0},
    {"rint", [](long double x) { return std::rint(x); }, -1e4, 1e4, 0},
    {"round", [](long double x) { return std::round(x); }, -1e4, 1e4, 0},
    {"rsqrt", [](long double x) { return 1 / std::sqrt(x); }, 0, 1e5, 2},
    {"sin", [](long double x) { return std::sin(x); }, -1e4, 1e4},
    {"sinh", [](long double x) { return std::sinh(x); }, -80, 80, 2},
    {"sinpi", sinPi, -1e3, 1e3, 2},
    {"sqrt", [](long double x) { return std::sqrt(x); }, -1, 1e5, 0.5},
    {"tan", [](long double x) { return std::tan(x); }, -1e3, 1e3, 1},
    {"tanh", [](long double x) { return std::tanh(x); }, -10, 10, 2},
    {"tanpi", [](long double x) { return sinPi(x) / cosPi(x); }, -0.49, 0.49, 4},
    {"tgamma", [](long double x) { return std::tgamma(x); }, 0.1, 30, 5},
    {"trunc", [](long double x) { return std::trunc(x); }, -1e5, 1e5, 0},
    {"degrees", [](long double x) { return x * 180 / kPi; }, -10, 10, 2},
    {"radians", [](long double x) { return x * kPi / 180; }, -1000, 1000, 2},
    {"sign", [](long double x) { return x > 0           ? 1.0L
                                        : x < 0         ? -1.0L
                                        : std::isnan(x) ? 0.0L
                                                        : x; }, -2, 2, 0},
};

template <typename T> std::vector<T> arguments(double low, double high, unsigned seed) {
  std::vector<T> values{0,
                        T(-0.0),
                        1,
                        T(0.5),
                        2,
                        std::numeric_limits<T>::infinity(),
                        -std::numeric_limits<T>::infinity(),
                        std::numeric_limits<T>::quiet_NaN()};
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> distribution(low, high);
  while (values.size() < 1000)
    values.push_back(static_cast<T>(distribution(random)));
  return values;
}

class UnaryMath : public testing::TestWithParam<Unary> {};
INSTANTIATE_TEST_SUITE_P(Functions, UnaryMath, testing::ValuesIn(kUnary),
                         [](const auto &info) { return std::string(info.param.name); });

template <typename T> void check(const Unary &function, const char *suffix, uint32_t items) {
  auto in = arguments<T>(function.low, function.high, 1);
  std::vector<T> out(in.size());
  Launch(testProgram("math"), std::string(function.name) + suffix).arg(in).arg(out).run({items / 10, 1, 1}, {10, 1, 1});
  for (size_t i = 0; i < in.size(); ++i)
    ASSERT_LE(distanceInUlps<T>(out[i], function.exact(in[i])), function.ulps + (sizeof(T) == 8))
        << function.name << suffix << "(" << in[i] << ") = " << out[i];
}

TEST_P(UnaryMath, AgreesWithTheReference) {
  check<float>(GetParam(), "_f32", 1000);
  check<double>(GetParam(), "_f64", 1000);
  check<float>(GetParam(), "_f32x4", 250);
}

struct Binary {
  const char *name;
  Reference2 exact;
  double low, high;
  double ulps = 1;
};

void PrintTo(const Binary &function, std::ostream *stream) { *stream << function.name; }

const Binary kBinary[] = {
    {"atan2", [](long double x, long double y) { return std::atan2(x, y); }, -10, 10, 2},
    {"atan2pi", [](long double x, long double y) { return std::atan2(x, y) / kPi; }, -10, 10, 2},
    {"copysign", [](long double x, long double y) { return std::copysign(x, y); }, -10, 10, 0},
    {"fdim", [](long double x, long double y) { return std::fdim(x, y); }, -10, 10, 0.5},
    {"fmax", [](long double x, long double y) { return std::fmax(x, y); }, -10, 10, 0},
    {"fmin", [](long double x, long double y) { return std::fmin(x, y); }, -10, 10, 0},
    {"fmod", [](long double x, long double y) { return std::fmod(x, y); }, -100, 100, 0},
    {"hypot", [](long double x, long double y) { return std::hypot(x, y); }, -100, 100, 1},
    {"maxmag",
     [](long double x, long double y) {
       return std::fabs(x) > std::fabs(y) ? x : std::fabs(y) > std::fabs(x) ? y : std::fmax(x, y);
     },
     -10, 10, 0},
    {"minmag",
     [](long double x, long double y) {
       return std::fabs(x) < std::fabs(y) ? x : std::fabs(y) < std::fabs(x) ? y : std::fmin(x, y);
     },
     -10, 10, 0},
    {"pow", [](long double x, long double y) { return std::pow(x, y); }, -5, 15, 1},
    {"powr",
     [](long double x, long double y) {
       return x < 0 || (x == 0 && y == 0) || (x == 1 && std::isinf(y)) || (std::isinf(x) && y == 0) || std::isnan(x) ||
                      std::isnan(y)
                  ? NAN
                  : std::pow(x, y);
     },
     0, 15, 1},
    {"remainder", [](long double x, long double y) { return std::remainder(x, y); }, -100, 100, 0},
    {"step", [](long double x, long double y) { return y < x ? 0.0L : 1.0L; }, -10, 10, 0},
};

class BinaryMath : public testing::TestWithParam<Binary> {};
INSTANTIATE_TEST_SUITE_P(Functions, BinaryMath, testing::ValuesIn(kBinary),
                         [](const auto &info) { return std::string(info.param.name); });

template <typename T> void check(const Binary &function, const char *suffix) {
  auto a = arguments<T>(function.low, function.high, 1), b = arguments<T>(function.low, function.high, 2);
  std::rotate(b.begin(), b.begin() + 3, b.end());
  std::vector<T> out(a.size());
  Launch(testProgram("math"), std::string(function.name) + suffix).arg(a).arg(b).arg(out).run({10, 1, 1}, {100, 1, 1});
  for (size_t i = 0; i < a.size(); ++i)
    ASSERT_LE(distanceInUlps<T>(out[i], function.exact(a[i], b[i])),
              function.ulps + (sizeof(T) == 8 && function.ulps > 0))
        << function.name << suffix << "(" << a[i] << ", " << b[i] << ") = " << out[i];
}

TEST_P(BinaryMath, AgreesWithTheReference) {
  check<float>(GetParam(), "_f32");
  check<double>(GetParam(), "_f64");
}

TEST(Math, Approximations) {
  struct Case {
    const char *name;
    double (*exact)(double);
  };
  for (const Case &entry : {Case{"native_sin", std::sin}, Case{"native_cos", std::cos}, Case{"native_exp", std::exp},
                            Case{"native_log", std::log}, Case{"native_sqrt", std::sqrt},
                            Case{"native_recip", [](double x) { return 1 / x; }},
                            Case{"native_rsqrt", [](double x) { return 1 / std::sqrt(x); }}, Case{"half_sin", std::sin},
                            Case{"half_exp", std::exp}, Case{"half_recip", [](double x) { return 1 / x; }}}) {
    std::vector<float> in(64), out(64);
    for (int i = 0; i < 64; ++i)
      in[i] = 0.1f + 0.37f * i;
    Launch(testProgram("math"), std::string(entry.name) + "_f32").arg(in).arg(out).run({1, 1, 1}, {64, 1, 1});
    for (int i = 0; i < 64; ++i)
      ASSERT_LE(distanceInUlps<float>(out[i], entry.exact(in[i])), 2) << entry.name << in[i];
  }
}

TEST(Math, FunctionsWithPointers) {
  std::vector<float> in{0.3f, -0.3f, 2.75f, -2.75f, 1e10f, -0.5f, -1.5f, 1e-40f, 4, -0.0f}, out(80);
  std::vector<int> e(50);
  Launch(testProgram("math"), "with_pointers").arg(in).arg(out).arg(e).run({10, 1, 1}, {1, 1, 1});
  for (int i = 0; i < 10; ++i) {
    SCOPED_TRACE(in[i]);
    const float *o = &out[8 * i];
    int exponent, quotient;
    float whole;
    ASSERT_EQ(o[0], std::min(in[i] - std::floor(in[i]), 0x1.fffffep-1f));
    ASSERT_EQ(o[1], std::floor(in[i]));
    ASSERT_EQ(o[2], std::frexp(in[i], &exponent));
    ASSERT_EQ(e[5 * i], exponent);
    ASSERT_EQ(o[3], std::modf(in[i], &whole));
    ASSERT_EQ(o[4], whole);
    ASSERT_LE(distanceInUlps<float>(o[5], std::sin((double)in[i])), 1);
    ASSERT_LE(distanceInUlps<float>(o[6], std::cos((double)in[i])), 1);
    ASSERT_EQ(o[7], std::remquo(in[i], 0.7f, &quotient));
    ASSERT_EQ(e[5 * i + 1] & 7, (quotient < 0 ? -(-quotient & 0x7f) : quotient & 0x7f) & 7);
    ASSERT_EQ(e[5 * i + 2], std::ilogb(in[i]));
    ASSERT_EQ(e[5 * i + 3] < 0, std::tgamma((double)in[i]) < 0 || (in[i] == 0 && std::signbit(in[i])));
    ASSERT_EQ(e[5 * i + 4], 1);
  }
}

TEST(Math, FunctionsWithIntegers) {
  std::vector<float> in{2, 3, -8, 1.5f, 27, -27}, out(24);
  std::vector<int> n{10, -3, 3, 4, 3, 2};
  Launch(testProgram("math"), "with_integers").arg(in).arg(n).arg(out).run({6, 1, 1}, {1, 1, 1});
  for (int i = 0; i < 6; ++i) {
    SCOPED_TRACE(in[i]);
    ASSERT_EQ(out[4 * i], std::ldexp(in[i], n[i]));
    ASSERT_LE(distanceInUlps<float>(out[4 * i + 1], std::pow((long double)in[i], n[i])), 1);
    long double root = std::pow(std::fabs((long double)in[i]), 1.0L / n[i]);
    ASSERT_LE(distanceInUlps<float>(out[4 * i + 2], in[i] < 0 ? (n[i] & 1 ? -root : NAN) : root), 1);
    ASSERT_TRUE(std::isnan(out[4 * i + 3]));
    ASSERT_EQ(std::bit_cast<uint32_t>(out[4 * i + 3]) & 0x3fffff, uint32_t(n[i]) & 0x3fffff);
  }
}

TEST(Math, ThreeOperands) {
  auto a = arguments<float>(-3, 3, 4), b = arguments<float>(-3, 3, 5), c = arguments<float>(-3, 3, 6);
  a.erase(a.begin(), a.begin() + 8);
  b.erase(b.begin(), b.begin() + 8);
  c.erase(c.begin(), c.begin() + 8);
  uint32_t n = uint32_t(a.size());
  std::vector<float> out(6 * n);
  Launch(testProgram("math"), "three").arg(a).arg(b).arg(c).arg(out).run({n, 1, 1}, {1, 1, 1});
  for (uint32_t i = 0; i < n; ++i) {
    const float *o = &out[6 * i];
    ASSERT_EQ(o[0], std::fma(a[i], b[i], c[i]));
    ASSERT_NEAR(o[1], a[i] * b[i] + c[i], 1e-5);
    ASSERT_EQ(o[2], std::clamp(a[i], std::min(b[i], c[i]), std::max(b[i], c[i])));
    ASSERT_NEAR(o[3], a[i] + (b[i] - a[i]) * c[i], 1e-5);
    float t = std::clamp(b[i] - a[i], 0.0f, 1.0f);
    ASSERT_NEAR(o[4], t * t * (3 - 2 * t), 1e-5);
    ASSERT_FLOAT_EQ(o[5], a[i] / b[i]);
  }
}

TEST(Math, Geometry) {
  struct alignas(16) Float4 {
    float v[4];
  };
  struct alignas(32) Double4 {
    double v[4];
  };
  std::vector<Float4> a{{{1, 2, 3, 4}}, {{0, 0, 0, 0}}, {{1e30f, 1e30f, 1e30f, 1e30f}}},
      b{{{-5, 6, 7, 8}}, {{1, 1, 1, 1}}, {{1, 1, 1, 1}}};
  std::vector<Double4> d{{{1, 2, 3, 4}}, {{0, 0, 0, 0}}, {{1e200, 1e200, 1e200, 1e200}}};
  std::vector<float> o(36);
  Launch(testProgram("math"), "geometry").arg(a).arg(b).arg(o).arg(d).run({3, 1, 1}, {1, 1, 1});
  EXPECT_FLOAT_EQ(o[0], -5 + 12 + 21 + 32);
  EXPECT_FLOAT_EQ(o[1], std::sqrt(30.0f));
  EXPECT_FLOAT_EQ(o[2], std::sqrt(36.0f + 16 + 16 + 16));
  EXPECT_EQ(o[3], 2 * 7 - 3 * 6);
  EXPECT_EQ(o[4], 3 * -5 - 1 * 7);
  EXPECT_EQ(o[5], 1 * 6 - 2 * -5);
  EXPECT_EQ(o[6], 0);
  EXPECT_FLOAT_EQ(o[7], 1 / std::sqrt(30.0f));
  EXPECT_FLOAT_EQ(o[9], std::sqrt(30.0f));
  EXPECT_FLOAT_EQ(o[10], std::sqrt(14.0f));
  EXPECT_EQ(o[11], 6);
  EXPECT_EQ(o[12 + 7], 0); // the zero vector stays zero
  EXPECT_FLOAT_EQ(o[24 + 1], 2e30f);
}

TEST(Math, Relations) {
  std::vector<float> a{1, 2, NAN, INFINITY, -0.0f, 1e-40f, -3}, b{2, 2, 1, -INFINITY, 0, 1, NAN};
  std::vector<int> out(22 * a.size());
  Launch(testProgram("math"), "relations").arg(a).arg(b).arg(out).run({uint32_t(a.size()), 1, 1}, {1, 1, 1});
  for (size_t i = 0; i < a.size(); ++i) {
    float x = a[i], y = b[i];
    SCOPED_TRACE(testing::Message() << x << " " << y);
    const int *r = &out[22 * i];
    const int expected[] = {std::isnan(x),
                            std::isinf(x),
                            std::isfinite(x),
                            std::isnormal(x),
                            std::signbit(x),
                            x == y,
                            x != y,
                            x<y, x>
                                y,
                            x <= y,
                            x >= y,
                            std::islessgreater(x, y),
                            !std::isunordered(x, y),
                            std::isunordered(x, y)};
    for (int k = 0; k < 14; ++k)
      ASSERT_EQ(r[k] != 0, expected[k] != 0) << k;
    ASSERT_EQ(r[14], 1); // -1 < 1
    ASSERT_EQ(r[15] != 0, x <= y && y <= x);
    ASSERT_EQ(r[16], std::isnan(x) ? -1 : 0);
    ASSERT_EQ(r[17], -1);
    ASSERT_EQ(r[18], -1);
    ASSERT_EQ(r[19], std::bit_cast<int>(std::isnan(x) ? y : x));
    ASSERT_EQ(r[20], std::bit_cast<int>(y));
    int mask = std::bit_cast<int>(1.0f);
    ASSERT_EQ(r[21], (std::bit_cast<int>(x) & ~mask) | (std::bit_cast<int>(y) & mask));
  }
}

} // namespace
} // namespace hiplz::cpu
