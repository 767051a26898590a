// SPDX-License-Identifier: MIT
// Operations of tiles: they order the lanes of a part of the warp only. A tile is of 2, 4, 8 or 16 neighbouring lanes, as tiled_partition()
// makes them. All lanes of a tile count the operations of it and of larger ones alike, so a lane's access comes before one of another lane if
// that has counted more of them, in the smallest tile that both are in. The operations of other lanes count as those of the whole warp.
#pragma once
#include "cpu/abi/compiled_code.h"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace hiplz::cpu::check {

/// Of one block. The numbers of operations that work-items have passed are those of Group::met.
class WarpTiles {
public:
  void begin() {
    counts_.clear();
    isUnclear_ = false;
  }

  /// True if there have been operations of tiles.
  bool isAny() const { return !counts_.empty(); }

  /// A work-item has passed an operation of the lanes of `mask`. `met`: the numbers of all work-items, this operation included.
  void meet(uint32_t item, uint32_t mask, const std::vector<uint32_t> &met) {
    const uint32_t lane = item % kSubgroupSize, size = sizeOf(lane, mask);
    if (!size)
      isUnclear_ = true;
    if (!isAny()) {
      if (!size || size == kSubgroupSize)
        return;
      counts_.resize(met.size());
      for (size_t i = 0; i < met.size(); ++i)
        counts_[i] = {met[i] - (i == item ? 1 : 0), {Counts{}}};
    }
    Lane &each = counts_[item];
    if (each.all.size() == kKept)
      each = {each.first + static_cast<uint32_t>(kKept) - 1, {each.all.back()}};
    Counts now = each.all.back();
    for (uint32_t level = 0; level < levelOf(size ? size : kSubgroupSize); ++level)
      ++now[level];
    each.all.push_back(now);
  }

  /// True if the work-item `other` comes behind what `item` did when its number was `met`. Lanes of one warp.
  bool areOrdered(uint32_t item, uint32_t met, uint32_t other) const {
    const Lane &before = counts_[item], &now = counts_[other];
    // Of lanes that have not passed the same operations nobody knows. One may just not have counted yet.
    const uint32_t passed = before.passed(), passedByOther = now.passed();
    if (isUnclear_ || met < before.first || met > passed || passed + 1 < passedByOther || passedByOther + 1 < passed)
      return met != passedByOther || passed != passedByOther;
    const uint32_t level = static_cast<uint32_t>(std::bit_width((item ^ other) % kSubgroupSize)) - 1;
    return now.all.back()[level] > before.all[met - before.first][level];
  }
  /// Rises with the operations of the whole warp.
  uint32_t ofWarp(uint32_t item) const { return counts_[item].first + counts_[item].all.back()[kLevels - 1]; }

private:
  static constexpr uint32_t kLevels = std::bit_width(kSubgroupSize) - 1;
  static constexpr size_t kKept = 1 << 12;
  /// Operations of tiles of 2, 4, ... lanes or more.
  using Counts = std::array<uint32_t, kLevels>;
  struct Lane {
    uint32_t first = 0;      ///< the number that `all` begins with
    std::vector<Counts> all; ///< for each number from then on
    uint32_t passed() const { return first + static_cast<uint32_t>(all.size()) - 1; }
  };

  static uint32_t levelOf(uint32_t size) { return static_cast<uint32_t>(std::countr_zero(size)); }

  // Of the lane's tile; 0: the mask is none of a tile.
  static uint32_t sizeOf(uint32_t lane, uint32_t mask) {
    const auto size = static_cast<uint32_t>(std::popcount(mask));
    if (size == kSubgroupSize)
      return size;
    return size > 1 && std::has_single_bit(size) && mask == ((1u << size) - 1) << (lane & ~(size - 1)) ? size : 0;
  }

  std::vector<Lane> counts_;
  bool isUnclear_ = false; ///< lanes have met that are no tile
};

} // namespace hiplz::cpu::check
