// SPDX-License-Identifier: MIT
// Racecheck's history of a line of global memory, beside a list of all accesses: of random accesses, the first that is a race is
// found, and nothing is found that is none. A line that has no room for an access is divided, and its words go on.
#include "cpu/check/lines.h"

#include <gtest/gtest.h>

#include <random>

namespace hiplz::cpu::check {
namespace {

constexpr uint32_t kLaunch = 7;

bool mayRace(const Side &before, const Side &now) {
  return before.launch && (before.block != now.block || areApart(before, now) || areLanesApart(before, now));
}

/// All accesses to a word.
struct History {
  std::vector<std::pair<Side, bool>> all; // and whether they write

  /// True if there is one that is a race with this one, of different lanes of a warp or not.
  bool races(const Side &now, bool writes, bool ofLanes) const {
    for (const auto &[before, wrote] : all)
      if ((writes || wrote) && mayRace(before, now) &&
          ofLanes == (before.block == now.block && areInOneWarp(before, now)))
        return true;
    return false;
  }
};

/// A line or, when it is divided, its words.
class Memory {
public:
  /// True if something has been found.
  bool access(const LineAccess &now, bool writes) {
    Line::Suspects suspects;
    if (!line_.isDivided() && line_.keep(now, writes, mayRace, kLaunch, kLaunch - 1, suspects))
      return suspects.count != 0;
    if (!line_.isDivided())
      line_.divide(cells_.data());
    bool found = false;
    for (unsigned word = 0; word < kLineWords; ++word)
      if (now.words >> word & 1) {
        Cell &cell = cells_[word];
        const Side one = now.at(word);
        found = found || mayRace(cell.write, one) || (writes && (mayRace(cell.first, one) || mayRace(cell.last, one)));
        cell.keep(one, writes);
      }
    return found;
  }
  bool isDivided() const { return line_.isDivided(); }

private:
  Line line_;
  std::array<Cell, kLineWords> cells_;
};

// Warps of one block with barriers, or blocks of one warp each: then two reads of a word are enough to find a race.
class RaceLines : public testing::TestWithParam<bool> {
protected:
  uint32_t below(uint32_t end) { return std::uniform_int_distribution<uint32_t>(0, end - 1)(random_); }

  /// A row of a warp on the line: so many words of each lane, at such a distance, from a word and a lane on.
  LineAccess randomAccess(uint32_t epoch) {
    const uint32_t unit = below(4), warp = below(4); // a warp, or a block
    Side side;
    side.launch = kLaunch;
    side.epoch = epoch;
    side.block = GetParam() ? 0 : unit;
    const uint32_t firstItem = (GetParam() ? warp * kSubgroupSize : 0);
    const uint32_t shift = below(5), distance = 1u << shift, length = 1 + below(distance);
    const uint32_t phase = below(distance - length + 1), lanes = kLineWords / distance, from = below(lanes),
                   count = below(4) ? lanes - from : 1 + below(lanes - from), lane = below(kSubgroupSize - lanes + 1);
    side.bytes = shift;
    side.item = (firstItem + lane - (below(2) ? 0 : from) + LineAccess::kItems) % LineAccess::kItems;
    if ((side.item + from) % LineAccess::kItems < firstItem)
      side.item = (firstItem + LineAccess::kItems - from) % LineAccess::kItems;
    LineAccess access{side};
    for (uint32_t i = from; i < from + count; ++i)
      for (uint32_t word = 0; word < length; ++word)
        access.words |= static_cast<uint16_t>(1u << (i * distance + phase + word));
    return access;
  }

  std::mt19937 random_{20261127};
};

TEST_P(RaceLines, findTheFirstRace) {
  int divided = 0, races = 0, lanes = 0;
  for (int round = 0; round < 20000; ++round) {
    Memory memory;
    std::array<History, kLineWords> words;
    uint32_t epoch = 1;
    const uint32_t writesOf = 2 + below(20); // one access of so many is a write
    for (int step = 0; step < 30; ++step) {
      if (GetParam() && below(4) == 0)
        ++epoch;
      const LineAccess now = randomAccess(epoch);
      const bool writes = below(writesOf) == 0;
      bool isRace = false, isOfLanes = false;
      for (unsigned word = 0; word < kLineWords; ++word)
        if (now.words >> word & 1) {
          isRace = isRace || words[word].races(now.at(word), writes, false);
          isOfLanes = isOfLanes || words[word].races(now.at(word), writes, true);
          words[word].all.emplace_back(now.at(word), writes);
        }
      const bool isFound = memory.access(now, writes);
      ASSERT_TRUE(!isRace || isFound) << "round " << round << ", step " << step;
      ASSERT_TRUE(!isFound || isRace || isOfLanes) << "round " << round << ", step " << step;
      if (isRace || isOfLanes) { // what is kept behind a race need not be enough for the next
        ++(isRace ? races : lanes);
        break;
      }
    }
    divided += memory.isDivided();
  }
  EXPECT_GT(divided, 100);
  EXPECT_GT(races, 1000);
}

INSTANTIATE_TEST_SUITE_P(, RaceLines, testing::Bool(),
                         [](const auto &param) { return param.param ? "betweenWarps" : "betweenBlocks"; });

// The numbers that a Side is made of have its members at the places that it names.
TEST(RaceSide, isTheSameFromNumbers) {
  Side side;
  side.block = 0x7ffffff1;
  side.site = 0x1ffff3;
  side.item = 1021;
  side.orders = 1;
  side.epoch = 0x3ff5;
  side.inWarp = 0xff7;
  side.bytes = 9;
  side.blockScope = 1;
  side.launch = 0xffff9;
  side.steps = 0xffb;
  const uint64_t low = side.block | uint64_t{side.site} << Side::kSiteAt | uint64_t{side.item} << Side::kItemAt |
                       uint64_t{side.orders} << Side::kOrdersAt;
  const uint64_t high = side.epoch | uint64_t{side.inWarp} << Side::kInWarpAt | uint64_t{side.bytes} << Side::kBytesAt |
                        uint64_t{side.blockScope} << Side::kBlockScopeAt | uint64_t{side.launch} << Side::kLaunchAt |
                        uint64_t{side.steps} << Side::kStepsAt;
  EXPECT_TRUE(Side::of(low, high) == side);
  side.blockScope = 0;
  side.isConstant = 1;
  EXPECT_TRUE(Side::of(low, (high & ~(uint64_t{1} << Side::kBlockScopeAt)) | uint64_t{1} << Side::kConstantAt) == side);
}

// A write of all words replaces what is known, and a divided line can become whole again.
TEST(RaceLine, becomesWholeAgain) {
  Side side;
  side.launch = kLaunch;
  Line line;
  std::array<Cell, kLineWords> cells;
  line.divide(cells.data());
  line.become({side, UINT16_MAX});
  EXPECT_FALSE(line.isDivided());
  EXPECT_EQ(line.cellOf(5).write.item, 5u);
  line.forget(1u << 5);
  EXPECT_EQ(line.cellOf(5).write.launch, 0u);
  EXPECT_EQ(line.cellOf(6).write.launch, kLaunch);
}

} // namespace
} // namespace hiplz::cpu::check
