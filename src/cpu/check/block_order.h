// SPDX-License-Identifier: MIT
// The order of the blocks of a launch: a block that has written an address by an atomic or volatile access comes before one that reads it so
// later, and before those that come behind that one. There are no vector clocks, which would have a place for each block: each address and
// each block has a list of such accesses, and paths through them are searched only where two accesses would be a race otherwise.
#pragma once
#include "base/lockable.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hiplz::cpu::check {

enum class BlocksOrder { none, withoutFence, ordered };

/// Thread-safe.
class BlockOrder {
public:
  /// What a block has done so far, as a number for `since`. Those beyond the limit count as if they ordered everything.
  static constexpr uint32_t kLimit = 0xfff;
  struct Block {
    struct Event {
      uint32_t address;  ///< its number; kFence: a fence
      uint32_t position; ///< in the list of the address
      bool writes, releases;
    };
    std::vector<Event> events; ///< only the block itself adds to it
    bool hasAccesses = true;   ///< since the last fence
    /// How many steps the block has made, for an access that it is about to make.
    uint32_t stepsAtAccess() {
      hasAccesses = true;
      return events.size() < kLimit ? static_cast<uint32_t>(events.size()) : kLimit;
    }
  };

  /// The block's list, for as long as this object exists.
  Block &block(uint64_t number);

  /// The block is about to write the address, has read it, or has executed a fence for other blocks. `inBlock`: only for itself.
  void writes(Block &block, uint64_t number, const void *address, bool inBlock, bool releases);
  void hasRead(Block &block, uint64_t number, const void *address, bool inBlock);
  void fences(Block &block);

  /// True if what the block `before` had done when it had made `since` steps comes before what `now` does.
  BlocksOrder find(uint64_t before, uint32_t since, uint64_t now);

  bool hasWrites() const { return hasWrites_.load(std::memory_order_relaxed); }
  bool hasReads() const { return hasReads_.load(std::memory_order_relaxed); }

private:
  static constexpr uint32_t kFence = UINT32_MAX;
  struct Access {
    uint64_t block;
    uint32_t event; ///< number in the block's list
    bool writes;
  };
  struct All {
    std::unordered_map<uint64_t, Block> blocks;
    std::map<std::pair<const void *, uint64_t>, uint32_t> addresses; ///< and 1 + the block, if only that one sees them
    std::vector<std::vector<Access>> lists;                          ///< of the addresses
    uint64_t total = 0;
    bool isFull = false; ///< from then on everything counts as ordered
  };
  static void add(All &all, Block &block, uint64_t number, const void *address, bool inBlock, bool writes,
                  bool releases);
  static bool isReachable(All &all, uint64_t before, uint32_t since, uint64_t now, bool needsFence);

  Lockable<All> all_{LockRank::cpuCheckLaunch};
  std::atomic<bool> hasWrites_{false}, hasReads_{false};
};

} // namespace hiplz::cpu::check
