// SPDX-License-Identifier: MIT
// Intrinsics of LLVM and of AMD in modules that AMD's compiler has made.
#include "amd_modules.h"
#include "small_float.h"

#include <algorithm>
#include <cstdint>

/// Intrinsics of LLVM that are not AMD's, of which some are younger than the LLVM here, and a variable of a template.
template <class T> static void checkIntrinsics(Module &module, const char *kernel, const char *variable, double error) {
  Values<T> x(64), y(416);
  Values<int> exponents(32);
  for (int i = 0; i < 32; ++i) {
    x[i] = T((i - 15.5) / 16);
    x[i + 32] = T(i == 3 ? NAN : i == 5 ? -2.5 : (i - 11) * 0.25);
    exponents[i] = i - 16;
  }
  const T factor = T(3);
  hipDeviceptr_t address;
  size_t bytes;
  HIP_CHECK(hipModuleGetGlobal(&address, &bytes, module.get(), variable));
  CHECK_EQ(bytes, sizeof(T));
  HIP_CHECK(hipMemcpy(address, &factor, sizeof factor, hipMemcpyHostToDevice));
  module.run(kernel, 1, 32, x.get(), exponents.get(), y.get());
  for (int i = 0; i < 32; ++i) {
    const double a = double(x[i]), b = double(x[i + 32]);
    const double expected[] = {std::acos(a),   std::asin(a),          std::atan(b),    std::atan2(a, b),
                               std::sinh(b),   std::cosh(b),          std::tanh(b),    std::tan(a),
                               3 * a,          std::ldexp(a, i - 16), std::pow(10, a), std::fmin(a, b),
                               std::fmax(a, b)};
    for (int n = 0; n < 13; ++n) {
      const double actual = double(y[32 * n + i]);
      CHECK((std::isnan(actual) && std::isnan(expected[n])) ||
            std::fabs(actual - expected[n]) <= error * std::fmax(1, std::fabs(expected[n])));
    }
  }
}

TEST(intrinsicsOfAllTargets) {
  Module module(readModule("llvm"));
  checkIntrinsics<float>(module, "singles", "_ZN6HolderIfE6factorE", 1e-6);
  checkIntrinsics<double>(module, "doubles", "_ZN6HolderIdE6factorE", 1e-14);
  checkIntrinsics<_Float16>(module, "halves", "_ZN6HolderIDF16_E6factorE", 1e-3);
  Values<unsigned> x(64), y(192);
  Values<int64_t> wide(64), lengths(96);
  for (unsigned i = 0; i < 64; ++i) {
    x[i] = i * 0x4eadbeefu ^ (i % 4 == 0 ? 0x7f800000u : 0);
    wide[i] = int64_t(i * 0x123456789abcdefull);
  }
  module.run("integers", 1, 32, x.get(), y.get(), wide.get(), lengths.get());
  for (unsigned i = 0; i < 32; ++i) {
    const unsigned a = x[i], b = x[i + 32], turn = b % 32;
    const int64_t difference = int64_t{int(a)} - int(b), sum = int64_t{int(a)} + int(b);
    CHECK_EQ(y[i], a + b < a ? ~0u : a + b);
    CHECK_EQ(int(y[i + 32]), int(std::min<int64_t>(std::max<int64_t>(difference, INT32_MIN), INT32_MAX)));
    CHECK_EQ(y[i + 64], unsigned(sum != int(sum)));
    CHECK_EQ(y[i + 96], a + b);
    CHECK_EQ(y[i + 128], (turn ? a << turn | a >> (32 - turn) : a) ^ __builtin_bswap32(a));
    const unsigned size = a & 0x7fffffff; // zeros and infinities
    CHECK_EQ(y[i + 160], unsigned(size == 0 || size == 0x7f800000));
    int64_t product;
    CHECK_EQ(lengths[i], int64_t{__builtin_mul_overflow(wide[i], wide[i + 32], &product)});
    CHECK_EQ(lengths[i + 32], product);
    CHECK_EQ(lengths[i + 64], std::llrint(double(wide[i]) * 0.25));
  }
  Values<float> singles(64), results(96);
  Values<double> doubles(32), pairs(64);
  for (int i = 0; i < 32; ++i) {
    doubles[i] = singles[i] = (i - 15.5f) / 4;
    singles[i + 32] = (i - 11) / 16.0f;
  }
  module.run("pairsOfSingles", 1, 32, singles.get(), results.get());
  module.run("pairsOfDoubles", 1, 32, doubles.get(), pairs.get());
  for (int i = 0; i < 32; ++i) {
    CHECK_NEAR(results[i], std::sin(doubles[i]), 1e-6);
    CHECK_NEAR(results[i + 32], std::cos(doubles[i]), 1e-6);
    CHECK_NEAR(pairs[i], std::sin(doubles[i]), 1e-14);
    CHECK_NEAR(pairs[i + 32], std::cos(doubles[i]), 1e-14);
  }
  module.run("vectors", 1, 32, singles.get(), results.get());
  for (int i = 0; i < 32; ++i) {
    double sum = 0, sums[5] = {};
    for (int n = 0; n < 4; ++n)
      sums[n + 1] = sum += std::tanh(doubles[i] + n) +
                           std::atan2(doubles[i] + n, double(singles[i + 32])) * std::pow(10, double(singles[i + 32]));
    CHECK_NEAR(results[i], sums[4], 1e-5 * std::fmax(1, std::fabs(sums[4])));
    CHECK_NEAR(results[i + 32], sums[3], 1e-5 * std::fmax(1, std::fabs(sums[3])));
    CHECK_NEAR(results[i + 64], sums[2], 1e-5 * std::fmax(1, std::fabs(sums[2])));
  }
  Values<uint64_t> carries(96);
  module.run("carries", 1, 32, x.get(), carries.get());
  for (unsigned i = 0; i < 32; ++i) {
    const uint64_t a = x[i], b = x[i + 32], sum = (a << 32 | a) + (b << 32);
    CHECK_EQ(carries[i], a + b);
    CHECK_EQ(carries[i + 32], (a < b ? uint64_t{1} << 32 : 0) | unsigned(a - b));
    CHECK_EQ(carries[i + 64], sum + (sum < b << 32));
  }
  Values<char> places(256);
  Values<uintptr_t> aligned(64);
  module.run("aligned", 1, 32, places.get(), aligned.get());
  for (int i = 0; i < 32; ++i) {
    const uintptr_t down = (uintptr_t(places.get()) + i) & ~uintptr_t{15};
    CHECK_EQ(aligned[i], down);
    CHECK_EQ(aligned[i + 32], (down + i + 63) & ~uintptr_t{63});
  }
  Values<uint64_t> times(2);
  module.run("clocks", 1, 1, times.get());
  CHECK(times[0] != 0 && times[1] != 0);
}

/// The sum of products of numbers of `bits` bits, held at the limits of 32 bits if `clamp`.
static int64_t dot(unsigned x, unsigned y, int bits, bool isSigned, int64_t sum, bool clamp) {
  for (int at = 0; at < 32; at += bits) {
    const auto part = [&](unsigned word) {
      const int64_t value = word >> at & ((1ull << bits) - 1);
      return isSigned && value >> (bits - 1) ? value - (1ll << bits) : value;
    };
    sum += part(x) * part(y);
  }
  if (clamp)
    sum = std::min<int64_t>(std::max<int64_t>(sum, isSigned ? INT32_MIN : 0), isSigned ? INT32_MAX : UINT32_MAX);
  return sum;
}

TEST(dotProductsAndIntrinsics) {
  Module module(readModule("intrinsics"));
  constexpr int n = 64;
  Values<int> x(n), y(n), dots(7 * n);
  uint64_t state = 5;
  for (int i = 0; i < n; ++i) {
    x[i] = i == 0 ? -1 : static_cast<int>(nextRandom(state));
    y[i] = i == 0 ? -1 : static_cast<int>(nextRandom(state));
  }
  module.run("dots", 1, n, x.get(), y.get(), dots.get());
  for (int i = 0; i < n; ++i) {
    const unsigned a = x[i], b = y[i];
    CHECK_EQ(dots[7 * i], static_cast<int>(dot(a, b, 8, true, 5, false)));
    CHECK_EQ(dots[7 * i + 1], static_cast<int>(dot(a, b, 8, false, 5, true)));
    CHECK_EQ(dots[7 * i + 2], static_cast<int>(dot(a, b, 16, true, 7, false)));
    CHECK_EQ(dots[7 * i + 3], static_cast<int>(dot(a, b, 16, false, 7, true)));
    CHECK_EQ(dots[7 * i + 4], static_cast<int>(dot(a, b, 4, true, 9, true)));
    CHECK_EQ(dots[7 * i + 5], static_cast<int>(dot(a, b, 4, false, 9, false)));
  }
  Values<unsigned> words(3 * n), results(8 * n);
  for (int i = 0; i < 3 * n; ++i)
    words[i] = static_cast<unsigned>(nextRandom(state));
  module.run("integers", 1, n, words.get(), results.get());
  const auto byteOf = [](uint64_t value, unsigned at) { return static_cast<unsigned>(value >> 8 * at & 255); };
  const auto distance = [](unsigned p, unsigned q) { return p < q ? q - p : p - q; };
  for (int i = 0; i < n; ++i) {
    const unsigned a = words[3 * i], b = words[3 * i + 1], c = words[3 * i + 2];
    const uint64_t both = static_cast<uint64_t>(a) << 32 | b;
    unsigned permuted = 0, sad8 = c, lerp = 0;
    for (unsigned k = 0; k < 4; ++k) {
      permuted |= byteOf(both, byteOf(c & 0x07070707, k)) << 8 * k;
      sad8 += distance(byteOf(a, k), byteOf(b, k));
      lerp |= (byteOf(a, k) + byteOf(b, k) + (c >> 8 * k & 1)) / 2 << 8 * k;
    }
    const unsigned offset = b & 31, width = c & 31;
    const unsigned field = a >> offset & ((1u << width) - 1);
    const bool negative = width && field >> (width - 1);
    const unsigned expected[] = {static_cast<unsigned>(both >> (c & 31)),
                                 static_cast<unsigned>(both >> 8 * (c & 3)),
                                 permuted,
                                 sad8,
                                 field,
                                 negative ? field | ~((1u << width) - 1) : field,
                                 lerp,
                                 distance(a & 0xffff, b & 0xffff) + distance(a >> 16, b >> 16) + c};
    for (unsigned k = 0; k < 8; ++k)
      if (k != 5 || offset + width <= 32) // beyond the word the sign is not defined
        CHECK_EQ(results[8 * i + k], expected[k]);
  }
}

static unsigned short bfloat(double x) {
  if (x != x)
    return 0x7fc0;
  int exponent = 0;
  std::frexp(x, &exponent);
  exponent = std::max(exponent, -125);
  const float rounded = std::isinf(x) ? x : std::ldexp(std::nearbyint(std::ldexp(x, 8 - exponent)), exponent - 8);
  return __builtin_bit_cast(unsigned, rounded) >> 16;
}
/// NaNs have no sign that counts.
static unsigned short withoutSignOfNan(unsigned short code) { return (code & 0x7fff) > 0x7f80 ? 0x7fc0 : code; }
static double number(unsigned short code) { return __builtin_bit_cast(float, static_cast<unsigned>(code) << 16); }

TEST(numbersOfBfloat16) {
  Module module(readModule("bfloat"));
  Values<unsigned short> x(64), y(64), results(384);
  Values<float> singles(32);
  Values<int> whole(32);
  for (int i = 0; i < 64; ++i) {
    x[i] = bfloat((i - 29) * 1.37);
    y[i] = bfloat(i % 5 ? (i % 7 + 1) * 0.71 : number(x[i]));
  }
  y[63] = 0;
  x[61] = 0x7f80;
  module.run("arithmetic", 1, 32, x.get(), y.get(), results.get(), singles.get(), whole.get());
  const double factors[] = {1, 2.5, -0.0, 3};
  for (int i = 0; i < 64; ++i) {
    const double a = number(x[i]), b = number(y[i]);
    CHECK_EQ(withoutSignOfNan(results[i]), bfloat(a + b));
    CHECK_EQ(withoutSignOfNan(results[i + 64]), bfloat(a - b));
    CHECK_EQ(withoutSignOfNan(results[i + 128]), bfloat(a * b));
    CHECK_EQ(withoutSignOfNan(results[i + 192]), bfloat(a / b));
    CHECK_EQ(withoutSignOfNan(results[i + 256]), bfloat(i % 2 ? a * factors[i / 2 & 3] : -a));
    CHECK_EQ(withoutSignOfNan(results[i + 320]), bfloat(std::fabs(a)));
  }
  for (int i = 0; i < 32; ++i) {
    CHECK_EQ(singles[i], number(x[2 * i]));
    CHECK_EQ(whole[i], (number(x[2 * i]) < number(y[2 * i])) + 2 * (x[2 * i + 1] == y[2 * i + 1]) +
                           4 * static_cast<int>(number(x[2 * i])));
  }
}

TEST(conversionsToBfloat16) {
  Module module(readModule("bfloat"));
  Values<double> doubles(32);
  Values<float> singles(32);
  Values<int> integers(32);
  Values<unsigned short> results(96);
  // Halves of the last place, a little more and a little less: a conversion by way of float would round twice.
  const double above = std::ldexp(1, -40);
  const double edges[] = {1 + 0x1p-8,
                          1 + 0x1p-8 + above,
                          1 + 0x1p-8 - above,
                          -1 - 0x1p-8 - above,
                          1 + 0x3p-8,
                          1 + 0x3p-8 - above,
                          0x1.ffp127,
                          1e300,
                          -1e300,
                          1e-300,
                          0x1p-133,
                          0x1.8p-133,
                          0x1p-134,
                          0x1p-134 + 0x1p-160,
                          INFINITY,
                          -INFINITY,
                          NAN,
                          -0.0};
  for (int i = 0; i < 32; ++i) {
    doubles[i] = i < 18 ? edges[i] : i * 0.3333;
    singles[i] = static_cast<float>(doubles[i]);
    integers[i] = i % 2 ? 257 * i : -(1 << i) + i;
  }
  module.run("conversions", 1, 32, doubles.get(), singles.get(), integers.get(), results.get());
  for (int i = 0; i < 32; ++i) {
    CHECK_EQ(withoutSignOfNan(results[i]), bfloat(doubles[i]));
    CHECK_EQ(withoutSignOfNan(results[i + 32]), bfloat(singles[i]));
    CHECK_EQ(withoutSignOfNan(results[i + 64]), bfloat(static_cast<float>(integers[i])));
  }
}

// Six words are eight integers of 24 bits.
TEST(vectorsOfOddIntegers) {
  Module module(readModule("odd_vectors"));
  Values<unsigned> from(6), to(7), one(1);
  const auto number = [](unsigned *words, int i) {
    unsigned result = 0;
    std::memcpy(&result, reinterpret_cast<char *>(words) + 3 * i, 3);
    return result;
  };
  for (int i = 0; i < 6; ++i)
    from[i] = 0x9e3779b9u * (i + 1);
  to[6] = 0x12345678;
  for (unsigned rounds = 1; rounds < 12; ++rounds) {
    unsigned expected[8];
    for (int i = 0; i < 8; ++i)
      expected[i] = number(from.get(), i);
    for (unsigned round = 0; round < rounds; ++round) {
      unsigned before[8];
      std::memcpy(before, expected, sizeof before);
      for (int i = 0; i < 8; ++i)
        expected[i] = (before[i] + before[(i + 7) % 8]) & 0xffffff;
    }
    module.run("neighbours", 1, 1, to.get(), from.get(), one.get(), rounds);
    for (int i = 0; i < 8; ++i)
      CHECK_EQ(number(to.get(), i), expected[i]);
    CHECK_EQ(one[0], expected[rounds % 8]);
    CHECK_EQ(to[6], 0x12345678u);
  }
}

int main(int argc, char **argv) { return runTests(argc, argv); }
