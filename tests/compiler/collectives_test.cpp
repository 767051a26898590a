// SPDX-License-Identifier: MIT
#include "harness.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <random>

namespace hiplz::cpu {
namespace {

class Collectives : public testing::TestWithParam<uint32_t> {
protected:
  static const Program *program() { return testProgram("collectives"); }
  uint32_t items() const { return GetParam(); } // of one work-group
  uint32_t lanes(uint32_t i) const {
    return std::min(32u, items() - i % items() / 32 * 32);
  } // of the sub-group of item i
  uint32_t lane(uint32_t i) const { return i % items() % 32; }
  uint32_t first(uint32_t i) const { return i - lane(i); }
  uint32_t full(uint32_t i) const { return lanes(i) == 32 ? ~0u : (1u << lanes(i)) - 1; }

  template <typename T> std::vector<T> randomValues(uint32_t count, int low, int high) {
    std::mt19937 random(count);
    std::uniform_int_distribution<int> distribution(low, high);
    std::vector<T> values(count);
    for (T &value : values)
      value = static_cast<T>(distribution(random));
    return values;
  }
};
INSTANTIATE_TEST_SUITE_P(GroupSize, Collectives, testing::Values(1, 20, 32, 64, 100, 1024),
                         testing::PrintToStringParamName());

TEST_P(Collectives, Ids) {
  std::vector<uint32_t> out(2 * items() * 6);
  Launch(program(), "ids").arg(out).run({2, 1, 1}, {items(), 1, 1});
  for (uint32_t i = 0; i < 2 * items(); ++i) {
    const uint32_t *o = &out[i * 6];
    ASSERT_EQ(o[0], lane(i));
    ASSERT_EQ(o[1], i % items() / 32);
    ASSERT_EQ(o[2], lanes(i));
    ASSERT_EQ(o[3], (items() + 31) / 32);
    ASSERT_EQ(o[4], 32u);
  }
}

TEST_P(Collectives, Votes) {
  auto in = randomValues<int>(2 * items(), -1, 3);
  std::vector<uint32_t> out(2 * items() * 12);
  Launch launch(program(), "votes");
  launch.arg(in).arg(out).run({2, 1, 1}, {items(), 1, 1});
  for (uint32_t i = 0; i < 2 * items(); ++i) {
    uint32_t mask = 0;
    bool equal = true;
    for (uint32_t l = 0; l < lanes(i); ++l) {
      mask |= uint32_t(in[first(i) + l] > 0) << l;
      equal = equal && in[first(i) + l] == in[i];
    }
    const uint32_t *o = &out[i * 12];
    ASSERT_EQ(o[0], mask == full(i));
    ASSERT_EQ(o[1], mask != 0);
    ASSERT_EQ(o[2], mask);
    ASSERT_EQ(o[3], mask >> lane(i) & 1);
    ASSERT_EQ(o[4], mask >> 5 & 1);
    ASSERT_EQ(o[5], uint32_t(std::popcount(mask)));
    ASSERT_EQ(o[6], uint32_t(std::popcount(mask & ((2u << lane(i)) - 1))));
    ASSERT_EQ(o[7], uint32_t(std::popcount(mask & ((1u << lane(i)) - 1))));
    if (mask) {
      ASSERT_EQ(o[8], uint32_t(std::countr_zero(mask)));
      ASSERT_EQ(o[9], 31u - uint32_t(std::countl_zero(mask)));
    }
    ASSERT_EQ(o[10], lane(i) == 0);
    ASSERT_EQ(o[11], equal);
  }
}

TEST_P(Collectives, Shuffles) {
  struct alignas(16) Float4 {
    float x, y, z, w;
  };
  auto in = randomValues<int>(items(), -1000, 1000);
  std::vector<int> out(items() * 8);
  std::vector<double> d(items());
  std::vector<Float4> v(items());
  Launch(program(), "shuffles").arg(in).arg(out).arg(d).arg(v).run({1, 1, 1}, {items(), 1, 1});
  for (uint32_t i = 0; i < items(); ++i) {
    auto from = [&](uint32_t source) { return source < lanes(i) ? in[first(i) + source] : 0; }; // as AMD has it
    uint32_t l = lane(i);
    const int *o = &out[i * 8];
    ASSERT_EQ(o[0], from((l * 7 + 3) & 31));
    ASSERT_EQ(o[1], from(l ^ 5));
    ASSERT_EQ(o[2], from(l - 3));
    ASSERT_EQ(o[3], from(l + 4));
    ASSERT_EQ(o[4], from(2));
    ASSERT_EQ(o[5], from(0));
    ASSERT_EQ(o[6], int8_t(from(1)));
    ASSERT_EQ(o[7], int16_t(from(l ^ 1)));
    ASSERT_EQ(d[i], (l ^ 2) < lanes(i) ? from(l ^ 2) + 0.5 : 0.0);
    ASSERT_EQ(v[i].x, float(from(l ^ 4)));
    ASSERT_EQ(v[i].y, float(from(l ^ 1)));
  }
}

template <typename T> class Checker {
public:
  Checker(const std::vector<T> &in, uint32_t begin, uint32_t count) : in_(in), begin_(begin), count_(count) {}
  template <typename Fold> T fold(uint32_t from, uint32_t to, T start, Fold f) const {
    T result = start;
    for (uint32_t i = from; i < to; ++i)
      result = f(result, in_[begin_ + i]);
    return result;
  }
  uint32_t count() const { return count_; }

private:
  const std::vector<T> &in_;
  uint32_t begin_, count_;
};

template <typename T>
void checkReductions(const Program *program, const char *kernel, const std::vector<T> &values, uint32_t items) {
  std::vector<T> in = values, out(items * 10);
  Launch(program, kernel).arg(in).arg(out).run({1, 1, 1}, {items, 1, 1});
  auto add = [](T a, T b) { return T(a + b); };
  auto multiply = [](T a, T b) { return T(a * b); };
  auto low = [](T a, T b) { return std::min(a, b); };
  auto high = [](T a, T b) { return std::max(a, b); };
  constexpr bool floating = std::is_floating_point_v<T>;
  constexpr T lowest = floating ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
  constexpr T highest = floating ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
  for (uint32_t i = 0; i < items; ++i) {
    uint32_t l = i % 32, begin = i - l, n = std::min(32u, items - begin);
    Checker<T> c(in, begin, n);
    const T *o = &out[i * 10];
    ASSERT_EQ(o[0], c.fold(0, n, 0, add)) << kernel << " " << i;
    ASSERT_EQ(o[1], c.fold(0, n, highest, low));
    ASSERT_EQ(o[2], c.fold(0, n, lowest, high));
    ASSERT_EQ(o[3], c.fold(0, l + 1, 0, add));
    ASSERT_EQ(o[4], c.fold(0, l, 0, add));
    ASSERT_EQ(o[5], c.fold(0, l, lowest, high));
    ASSERT_EQ(o[6], c.fold(0, n, 1, multiply));
    ASSERT_EQ(o[7], c.fold(l / 8 * 8, std::min(n, l / 8 * 8 + 8), 0, add));
    ASSERT_EQ(o[8], c.fold(0, l, highest, low));
    ASSERT_EQ(o[9], c.fold(0, l + 1, lowest, high));
  }
}

TEST_P(Collectives, Reductions) {
  checkReductions(program(), "reduce_int", randomValues<int>(items(), -3, 3), items());
  checkReductions(program(), "reduce_uint", randomValues<uint32_t>(items(), -5, 5), items());
  checkReductions(program(), "reduce_long", randomValues<int64_t>(items(), -2, 2), items());
  checkReductions(program(), "reduce_ulong", randomValues<uint64_t>(items(), -2, 4), items());
  checkReductions(program(), "reduce_float", randomValues<float>(items(), -2, 2), items());
  checkReductions(program(), "reduce_double", randomValues<double>(items(), -2, 2), items());
}

TEST_P(Collectives, BitwiseReductions) {
  auto in = randomValues<uint32_t>(items(), 0, 1 << 30);
  std::vector<uint32_t> out(items() * 3);
  Launch(program(), "bitwise").arg(in).arg(out).run({1, 1, 1}, {items(), 1, 1});
  for (uint32_t i = 0; i < items(); ++i) {
    uint32_t a = ~0u, o = 0, x = 0;
    for (uint32_t l = 0; l < lanes(i); ++l) {
      a &= in[first(i) + l];
      o |= in[first(i) + l];
      x ^= in[first(i) + l];
    }
    ASSERT_EQ(out[i * 3], a);
    ASSERT_EQ(out[i * 3 + 1], o);
    ASSERT_EQ(out[i * 3 + 2], x);
  }
}

TEST_P(Collectives, DivergentBranchesAndLoops) {
  for (const char *flags : {"", "-cl-opt-disable"}) {
    std::vector<uint32_t> out(items() * 4);
    Launch(testProgram("collectives", flags), "divergent").arg(out).run({1, 1, 1}, {items(), 1, 1});
    for (uint32_t i = 0; i < items(); ++i) {
      const uint32_t *o = &out[i * 4];
      uint32_t all = full(i), lower = all & 0xffff, l = lane(i);
      ASSERT_EQ(o[0], l < 16 ? lower : lanes(i) - 16) << flags;
      ASSERT_EQ(o[1], all);
      uint32_t seen = 0, leavers = 0; // in its last round a lane meets those that stay at least as long
      for (uint32_t k = 0; k < lanes(i); ++k) {
        seen += k % 4 >= l % 4;
        leavers |= uint32_t(k % 4 == 3) << k;
      }
      ASSERT_EQ(o[2], l % 4 ? seen : 0) << i << flags;
      ASSERT_EQ(o[3], leavers);
    }
  }
}

TEST_P(Collectives, InlinedCopiesAreDifferentPlaces) {
  std::vector<uint32_t> out(items() * 2);
  Launch(program(), "helper_in_branch").arg(out).run({1, 1, 1}, {items(), 1, 1});
  for (uint32_t i = 0; i < items(); ++i) {
    ASSERT_EQ(out[2 * i], lane(i) & 1 ? lanes(i) / 2 : 0);
    ASSERT_EQ(out[2 * i + 1], lanes(i));
  }
}

TEST_P(Collectives, LanesThatReturnedAreNotCounted) {
  for (uint32_t n : {1u, items() / 2, items() - items() / 3}) {
    std::vector<uint32_t> out(items());
    Launch(program(), "early_exit").arg(out).arg(n).run({1, 1, 1}, {items(), 1, 1});
    for (uint32_t i = 0; i < items(); ++i) {
      uint32_t count = std::min(32u, n - std::min(n, first(i)));
      ASSERT_EQ(out[i], i >= n ? 0 : count == 32 ? ~0u : (1u << count) - 1);
    }
  }
}

TEST_P(Collectives, TogetherWithBarriers) {
  std::vector<uint32_t> out(3 * items());
  Launch(program(), "with_barriers").arg(out).run({3, 1, 1}, {items(), 1, 1});
  for (uint32_t value : out)
    ASSERT_EQ(value, items() * (items() - 1) / 2);
}

TEST_P(Collectives, SubgroupBarrier) {
  uint32_t whole = (items() + 31) / 32 * 32;
  std::vector<int> data(whole);
  std::iota(data.begin(), data.end(), 0);
  Launch(program(), "exchange_in_place").arg(data).run({1, 1, 1}, {whole, 1, 1});
  for (uint32_t i = 0; i < whole; ++i)
    ASSERT_EQ(data[i], int((i & ~31u) | ((i + 5) & 31)));
}

TEST_P(Collectives, WorkGroupOperations) {
  uint32_t source = std::min(3u, items() - 1);
  auto in = randomValues<int>(2 * items(), -2, 100);
  std::vector<int> out(2 * items() * 9);
  Launch(program(), "work_group").arg(in).arg(out).arg(source).run({2, 1, 1}, {items(), 1, 1});
  for (uint32_t i = 0; i < 2 * items(); ++i) {
    auto begin = in.begin() + i / items() * items(), here = in.begin() + i, end = begin + items();
    const int *o = &out[i * 9];
    ASSERT_EQ(o[0], std::all_of(begin, end, [](int v) { return v > 0; }));
    ASSERT_EQ(o[1], std::any_of(begin, end, [](int v) { return v > 0; }));
    ASSERT_EQ(o[2], begin[source]);
    ASSERT_EQ(o[3], std::accumulate(begin, end, 0));
    ASSERT_EQ(o[4], *std::max_element(begin, end));
    ASSERT_EQ(o[5], std::accumulate(begin, here + 1, 0));
    ASSERT_EQ(o[6], std::accumulate(begin, here, 0));
    ASSERT_EQ(o[7], begin == here ? std::numeric_limits<int>::max() : *std::min_element(begin, here));
  }
}

// Whole sub-groups: what a lane that is not there has is not defined.
TEST(IntelSubgroups, ShufflesOfTwoValues) {
  std::vector<float> out(2 * 64);
  Launch(testProgram("collectives"), "intel_shuffles").arg(out).run({1, 1, 1}, {64, 1, 1});
  for (uint32_t i = 0; i < 64; ++i) {
    const uint32_t lane = i % 32;
    ASSERT_EQ(out[2 * i], lane + 3 < 32 ? lane + 3.0f : 100.0f + lane + 3 - 32);
    ASSERT_EQ(out[2 * i + 1], lane < 3 ? lane - 3.0f + 32 : 100.0f + lane - 3);
  }
}

TEST(IntelSubgroups, BlocksAreContiguous) {
  std::vector<uint32_t> in(256);
  std::vector<uint16_t> shorts(128);
  std::iota(in.begin(), in.end(), 1000);
  std::iota(shorts.begin(), shorts.end(), 500);
  std::vector<uint32_t> out(256);
  std::vector<uint16_t> outShorts(128);
  Launch(testProgram("collectives"), "intel_blocks")
      .arg(in)
      .arg(out)
      .arg(shorts)
      .arg(outShorts)
      .run({1, 1, 1}, {64, 1, 1});
  for (uint32_t i = 0; i < 256; ++i)
    ASSERT_EQ(out[i], 2 * in[i] + in[i / 128 * 128 + i % 32]) << i;
  for (uint32_t i = 0; i < 128; ++i)
    ASSERT_EQ(outShorts[i], uint16_t(shorts[i] + 1)) << i;
}

TEST(CollectivesInThreeDimensions, LinearIdsAndBroadcast) {
  const Program *program = testProgram("collectives");
  std::vector<int> out(2 * 60);
  Launch(program, "broadcast_3d").arg(out).run({2, 1, 1}, {3, 4, 5});
  for (int value : out)
    ASSERT_EQ(value, (1 * 4 + 2) * 3 + 1);
  std::vector<uint32_t> ids(60 * 6);
  Launch(program, "ids").arg(ids).run({1, 1, 1}, {3, 4, 5});
  for (uint32_t i = 0; i < 60; ++i) {
    ASSERT_EQ(ids[i * 6], i % 32);
    ASSERT_EQ(ids[i * 6 + 1], i / 32);
    ASSERT_EQ(ids[i * 6 + 2], i < 32 ? 32u : 28u);
    ASSERT_EQ(ids[i * 6 + 5], i);
  }
}

} // namespace
} // namespace hiplz::cpu
