// SPDX-License-Identifier: MIT
// The order of the blocks of a launch, and of launches that run at the same time: a block that has written an address by an atomic or
// volatile access comes before one that reads it so later, and before those that come behind that one. There are no vector clocks, which
// would have a place for each block: each block has a list of such writes and each address one of such reads, and paths through them are
// searched only where two accesses would be a race otherwise. A path may lead through several launches, and from a launch to those that
// come after it in the order of streams.
#pragma once
#include "base/lockable.h"
#include "cpu/check/order.h"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hiplz::cpu::check {

enum class BlocksOrder { none, withoutFence, ordered };

/// That of one launch, which others find as long as the object exists. Thread-safe.
class BlockOrder {
public:
  /// The steps of a block so far, as a number for `since`. Those beyond the limit count as if they ordered everything.
  static constexpr uint32_t kLimit = 0xfff;
  struct Block {
    struct Event {
      uint64_t time;
      uint32_t address; ///< its number; kFence: a fence
      bool writes, releases;
    };
    std::vector<Event> events; ///< only the block itself adds to it
    bool hasAccesses = true;   ///< since the last fence
    bool hasOthers = false;    ///< accesses that are no such events, since the last one
    /// How many steps the block has made, for an access that it is about to make, which becomes an event or does not.
    uint32_t stepsAtAccess(bool isEvent) {
      hasAccesses = true;
      hasOthers = hasOthers || !isEvent;
      return events.size() < kLimit ? static_cast<uint32_t>(events.size()) : kLimit;
    }
  };

  /// `moment` and `clock` are the place of the launch in the order of streams.
  BlockOrder(uint32_t launch, Moment moment, Clock clock);
  ~BlockOrder();
  BlockOrder(const BlockOrder &) = delete;
  BlockOrder &operator=(const BlockOrder &) = delete;

  /// The block's list, for as long as this object exists.
  Block &block(uint64_t number);

  /// The block is about to write the address, has read it, or has executed a fence for other blocks. `inBlock`: only for itself.
  void writes(Block &block, uint64_t number, const void *address, bool inBlock, bool releases);
  void hasRead(Block &block, uint64_t number, const void *address, bool inBlock);
  void fences(Block &block);

  /// How what the block `before` of `launch` had done when it had made `since` steps stands to what `now` of this launch does.
  BlocksOrder find(uint32_t launch, uint64_t before, uint32_t since, uint64_t now) const;

private:
  static constexpr uint32_t kFence = UINT32_MAX;
  using Address = std::pair<const void *, uint64_t>; ///< and 1 + the block, if only that one sees it
  struct Read {
    uint64_t time, block;
    uint32_t event; ///< number in the block's list
  };
  struct Launch {
    Moment moment;
    Clock clock;
    std::unordered_map<uint64_t, Block> blocks;
    std::map<Address, uint32_t> numbers;                      ///< of the addresses
    std::vector<std::pair<Address, std::vector<Read>>> reads; ///< by these
    uint64_t total = 0, lastTime = 0;
    bool hasReads = false;
    bool isFull = false; ///< from then on everything counts as ordered
  };
  struct Launches {
    std::map<uint32_t, Launch> all; ///< by their numbers
    uint64_t time = 0;              ///< how many accesses there have been
  };
  class Search;

  static Lockable<Launches> &launches();
  static bool repeats(const Block &block, uint32_t address, bool writes, bool releases);
  static void addRead(std::vector<Read> &reads, const Read &read, bool repeats);
  void add(Block &block, uint64_t number, const Address &address, bool writes, bool releases);
  static Address addressOf(const void *address, uint64_t number, bool inBlock) {
    return {address, inBlock ? number + 1 : 0};
  }

  const uint32_t launch_;
};

} // namespace hiplz::cpu::check
