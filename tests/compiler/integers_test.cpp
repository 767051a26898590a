// SPDX-License-Identifier: MIT
#include "harness.h"

#include <bit>
#include <limits>
#include <random>
#include <type_traits>

namespace hiplz::cpu {
namespace {

using Wide = __int128;

template <typename T> T saturate(Wide value) {
  if (value < Wide(std::numeric_limits<T>::min()))
    return std::numeric_limits<T>::min();
  if (value > Wide(std::numeric_limits<T>::max()))
    return std::numeric_limits<T>::max();
  return T(value);
}

template <typename T> std::vector<T> interesting() {
  std::vector<T> values{0,
                        1,
                        T(-1),
                        2,
                        100,
                        std::numeric_limits<T>::min(),
                        std::numeric_limits<T>::max(),
                        T(std::numeric_limits<T>::max() - 1),
                        T(std::numeric_limits<T>::max() / 2)};
  std::mt19937_64 random(7);
  for (int i = 0; i < 12; ++i)
    values.push_back(T(random()));
  return values;
}

template <typename T> class Integers : public testing::Test {};
using AllIntegers = testing::Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>;
TYPED_TEST_SUITE(Integers, AllIntegers);

template <typename T> std::string kernelName() {
  const char *names[] = {"char", "short", "int", "long"};
  return std::string("int_") + (std::is_signed_v<T> ? "" : "u") + names[std::countr_zero(sizeof(T))];
}

TYPED_TEST(Integers, AllFunctions) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  constexpr int bits = sizeof(T) * 8;
  std::vector<T> a, b, c;
  for (T x : interesting<T>())
    for (T y : interesting<T>()) {
      a.push_back(x);
      b.push_back(y);
      c.push_back(T(U(x) * 3 + U(y)));
    }
  uint32_t n = uint32_t(a.size());
  std::vector<T> out(n * 20);
  Launch(testProgram("integers"), kernelName<T>()).arg(a).arg(b).arg(c).arg(out).run({n, 1, 1}, {1, 1, 1});
  auto high = [](T x, T y) { return T((unsigned __int128)Wide(x) * (unsigned __int128)Wide(y) >> bits); };
  for (uint32_t i = 0; i < n; ++i) {
    T x = a[i], y = b[i], z = c[i];
    const T *o = &out[i * 20];
    SCOPED_TRACE(testing::Message() << +x << " " << +y << " " << +z);
    ASSERT_EQ(o[0], T(x < 0 ? U(0) - U(x) : U(x)));
    ASSERT_EQ(o[1], T(x > y ? U(x) - U(y) : U(y) - U(x)));
    ASSERT_EQ(o[2], saturate<T>(Wide(x) + y));
    ASSERT_EQ(o[3], saturate<T>(Wide(x) - y));
    ASSERT_EQ(o[4], T((Wide(x) + y) >> 1));
    ASSERT_EQ(o[5], T((Wide(x) + y + 1) >> 1));
    ASSERT_EQ(o[6], T(std::countl_zero(U(x))));
    ASSERT_EQ(o[7], T(std::countr_zero(U(x))));
    ASSERT_EQ(o[8], T(std::popcount(U(x))));
    ASSERT_EQ(o[9], T(std::rotl(U(x), int(U(y) % bits))));
    ASSERT_EQ(o[10], high(x, y));
    ASSERT_EQ(o[11], T(U(high(x, y)) + U(z)));
    ASSERT_EQ(o[12],
              (bits < 64 || std::is_signed_v<T> ? saturate<T>(Wide(x) * y + z)
                                                : T((unsigned __int128)x * y + z > ~U(0) ? ~U(0) : U(x) * y + z)));
    ASSERT_EQ(o[13], std::min(x, y));
    ASSERT_EQ(o[14], std::max(x, y));
    ASSERT_EQ(o[15], T((U(x) & ~U(z)) | (U(y) & U(z))));
    ASSERT_EQ(o[16], high(y, z));
    ASSERT_EQ(o[17], saturate<T>(Wide(z) + x));
    ASSERT_EQ(o[18], T(std::popcount(U(x))));
    ASSERT_EQ(o[19], std::min(std::max(x, std::min(y, z)), std::max(y, z)));
  }
}

TEST(Integers24, MultiplyAndUpsample) {
  std::vector<int> a{5, -7, 0x7fffff, -0x800000}, b{6, 9, 3, 1}, out(16);
  Launch(testProgram("integers"), "int24").arg(a).arg(b).arg(out).run({4, 1, 1}, {1, 1, 1});
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(out[4 * i], a[i] * b[i]);
    EXPECT_EQ(out[4 * i + 1], a[i] * b[i] + 7);
    EXPECT_EQ(uint32_t(out[4 * i + 2]), (uint32_t(a[i]) & 0xffffff) * uint32_t(b[i]));
    EXPECT_EQ(out[4 * i + 3], int(uint32_t(a[i]) << 16 | uint16_t(b[i])));
  }
}

} // namespace
} // namespace hiplz::cpu
