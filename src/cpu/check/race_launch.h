// SPDX-License-Identifier: MIT
// The launches, copies and fills of the process for racecheck: their places in the order of streams (order.h).
#pragma once
#include "base/lockable.h"
#include "cpu/check/block_order.h"
#include "cpu/check/findings.h"
#include "cpu/check/order.h"
#include "cpu/check/stream_checks.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hiplz::cpu::check {

/// A launch, as later ones see it.
struct KnownLaunch {
  Moment moment;
  uint32_t submission = 0; ///< launches.h
  std::array<uint32_t, 3> count{}, size{};

  /// Where a work-item is, by its number in the block and that of the block.
  Place placeOf(uint32_t item, uint32_t block) const {
    return {{block % count[0], block / count[0] % count[1], block / count[0] / count[1]},
            {item % size[0], item / size[0] % size[1], item / size[0] / size[1]}};
  }
};

/// The use that a copy or a fill makes of memory.
enum class HostUse { read, write, start, end };
Kind kindOf(HostUse use);

/// A copy or a fill: one side of it. Or the moment from which memory of a pool exists, or up to which.
struct HostAccess {
  Region region{};
  HostUse use = HostUse::read;
  uint32_t submission = 0;
  Moment moment;
  bool writes() const { return use != HostUse::read; }
};

/// Copies that have no order with a launch, as a worker has last seen them.
struct SeenCopies {
  std::vector<HostAccess> all;
  uint32_t launch = 0;
  uint64_t version = 0;
};

/// A launch that may be running.
class RaceLaunch {
public:
  RaceLaunch(uint32_t number, KnownLaunch known, const Clock &clock)
      : number(number), known(known), clock(clock), blocks(number, known.moment, clock) {}

  const uint32_t number;
  const KnownLaunch known;
  const Clock clock;
  uint32_t orderedUpTo = 0; ///< launches with numbers up to here come before
  BlockOrder blocks;

  /// Copies that have no order with the launch. They may begin while it runs.
  const std::vector<HostAccess> &copies(SeenCopies &seen) const {
    if (hasNewCopies(seen)) [[unlikely]]
      find(seen);
    return seen.all;
  }
  bool hasNewCopies(const SeenCopies &seen) const {
    return seen.launch != number || seen.version != copiesVersion.load(std::memory_order_acquire);
  }

  static inline std::atomic<uint64_t> copiesVersion{1}; ///< changes with the list of copies

private:
  void find(SeenCopies &seen) const;
};

/// All of them.
struct Commands {
  static constexpr size_t kKept = 1024; ///< copies, and launches of a stream; what is older counts as ordered

  std::vector<KnownLaunch> launches{KnownLaunch{}};                 ///< by their numbers
  std::vector<std::deque<std::pair<uint32_t, uint32_t>>> ofStreams; ///< of each stream: time and number of its launches
  std::deque<HostAccess> copies;
  std::deque<std::shared_ptr<RaceLaunch>> recent; ///< whose blocks may be asked about when they have ended

  /// Launches up to the result come before the clock, of those with numbers below `now`.
  uint32_t orderedLaunches(const Clock &clock, uint32_t now);
  /// Null if the launch is not known, or comes before the clock.
  const KnownLaunch *unorderedLaunch(uint32_t number, const Clock &clock) const;
};
Lockable<Commands> &commands();

/// A launch begins: gives it its number (addLaunch() in launches.h). The result is what racecheck knows of it, null without racecheck.
std::shared_ptr<RaceLaunch> beginLaunch(const LaunchState &launch, CheckedLaunch &checked, const std::string &kernel,
                                        uint32_t submission, StreamOrder &order);

} // namespace hiplz::cpu::check
