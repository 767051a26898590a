// SPDX-License-Identifier: MIT
// The order of the warps of a block between two barriers: a warp that has written an address by an atomic or volatile access comes before
// one that reads it so later. There are few warps, so each has a vector clock, and so has each such address (FastTrack).
#pragma once
#include "cpu/abi/runtime_functions.h"

#include <array>
#include <cstdint>
#include <unordered_map>

namespace hiplz::cpu::check {

class WarpOrder {
public:
  WarpOrder() { start(); }

  /// Another block begins.
  void begin();

  /// The time of a warp, for isBefore(). The number of a warp is that of its first work-item, divided by the size of warps.
  uint32_t timeOf(uint32_t warp) const { return clocks_[warp][warp]; }

  /// The warp is about to write the address, or has read it.
  void writes(uint32_t warp, const void *address);
  void hasRead(uint32_t warp, const void *address);

  /// True if what the warp `before` did at that time comes before what `now` does.
  bool isBefore(uint32_t before, uint32_t time, uint32_t now) const { return isFull_ || clocks_[now][before] >= time; }

  /// True if that may be, whenever it was.
  bool hasSeen(uint32_t before, uint32_t now) const { return isBefore(before, 1, now); }

private:
  static constexpr size_t kWarps = kMaxGroupItems / kSubgroupSize;
  using Clock = std::array<uint32_t, kWarps>;

  void start();

  std::array<Clock, kWarps> clocks_{};
  std::unordered_map<uintptr_t, Clock> addresses_; ///< by words
  bool isUsed_ = false;                            ///< since it began
  bool isFull_ = false;                            ///< from then on everything counts as ordered
};

} // namespace hiplz::cpu::check
