// SPDX-License-Identifier: MIT
// Atomic operations of OpenCL C on floating-point numbers.
#include "support.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace {

/// A half that is a small whole number, at least 1, or zero.
struct Half {
  Half() = default;
  explicit Half(int number) {
    if (number) {
      const int exponent = std::bit_width(static_cast<unsigned>(number)) - 1;
      bits = static_cast<uint16_t>((exponent + 15) << 10 | ((number << 10 >> exponent) & 0x3ff));
    }
  }
  bool operator==(const Half &other) const = default;
  uint16_t bits = 0;
};
std::ostream &operator<<(std::ostream &out, const Half &half) { return out << std::hex << half.bits << std::dec; }

/// The module is built with the flags of the parameter; null: none.
class AtomicFloats : public KernelTest, public testing::WithParamInterface<const char *> {
protected:
  static constexpr int kItems = 200;
  const char *buildFlags() const override { return GetParam(); }
  const char *moduleFile() const override { return "atomics.spv"; }

  template <class T> void run(const char *name, T *x, T *out) {
    ze_kernel_handle_t made = kernel(name, kItems);
    setArguments(made, x, out);
    const ze_group_count_t one{1, 1, 1};
    auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandListAppendLaunchKernel(list, made, &one, nullptr, 0, nullptr)) << name;
  }

  template <class T> void exchangeAndCompare(const std::string &name) {
    SCOPED_TRACE(name);
    T *x = device<T>(5), *out = device<T>(2 * kItems);
    x[0] = T(1000);
    x[1] = x[2] = x[3] = T(0);
    x[4] = T(9);
    run(name.c_str(), x, out);
    EXPECT_EQ(T(1), x[0]);
    EXPECT_EQ(T(kItems), x[1]);
    EXPECT_EQ(T(7), x[3]);
    // Everything that was put there has come out again, but for the last one.
    std::vector<T> exchanged(out, out + kItems);
    exchanged.push_back(x[2]);
    for (int number = 0; number <= kItems; ++number)
      EXPECT_EQ(1, std::count(exchanged.begin(), exchanged.end(), T(number))) << number;
    EXPECT_EQ(kItems, std::count(out + kItems, out + 2 * kItems, T(9)));
  }

  template <class T> void add(const char *name) {
    T *x = device<T>(1), *out = device<T>(kItems);
    *x = 0;
    run(name, x, out);
    const T sum = kItems * (kItems + 1) / 2;
    EXPECT_EQ(sum, *x) << name;
    EXPECT_EQ(kItems, std::count(out, out + kItems, sum)) << name;
  }
};

TEST_P(AtomicFloats, AreLeastLargestAndExchanged) {
  for (const char *space : {"global_", "local_"}) {
    exchangeAndCompare<Half>(std::string(space) + "half");
    exchangeAndCompare<float>(std::string(space) + "float");
    exchangeAndCompare<double>(std::string(space) + "double");
  }
}

TEST_P(AtomicFloats, AreAdded) {
  add<float>("add_float");
  add<double>("add_double");
}

INSTANTIATE_TEST_SUITE_P(Vector, AtomicFloats, testing::Values(nullptr));
INSTANTIATE_TEST_SUITE_P(Scalar, AtomicFloats, testing::Values("-hiplz-scalar"));
INSTANTIATE_TEST_SUITE_P(Unoptimized, AtomicFloats, testing::Values("-ze-opt-disable"));

} // namespace
