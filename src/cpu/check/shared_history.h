// SPDX-License-Identifier: MIT
// Who accessed the words of a block's shared memory last.
//
// Two accesses are a race if both belong to the same interval between barriers, at least one is a write, not both are atomic, and they are of
// different work-items. That is FastTrack (Flanagan and Freund, PLDI 2009) with barriers as the only order: a work-item's epoch is the number
// of barriers that it has passed, and no vector clock is needed. Atomic and volatile accesses order the warps between two barriers
// (warp_order.h).
//
// Accesses that the lanes of a warp make together are one step. A word keeps only numbers of steps and work-items, five of 32 bits, and a table has what
// else is known of the latest steps. So most rows of words are found to be in order by comparing the numbers with three limits, without
// looking at the table, several words at once.
#pragma once
#include "cpu/check/lane_access.h"

#include <array>
#include <cstdint>
#include <vector>

namespace hiplz::cpu::check {

struct Group;

/// Of one worker; it serves one block after the other.
class SharedHistory {
public:
  /// Another block begins, with an epoch that is greater than all before.
  void begin(uint32_t epoch);

  /// Notes the races of an access to shared memory.
  void access(const LaneAccess &access, Group &group);

  using Record = int32_t; ///< the number of a step, and in the lowest bits the work-item; 0: none
  /// Records below these are certain to be of an earlier epoch, or of this warp and before its last operation, or before its time changed.
  struct Limits {
    Record epoch = 0, met = 0, time = 0;
  };

private:
  enum Kind { plainWrite, atomicWrite, otherAtomicWrite, firstRead, lastRead, kinds };
  using Records = std::array<std::vector<Record>, kinds>;

  /// The part that the lanes have in common.
  struct Step {
    const CheckSite *site;
    uint32_t epoch, met; ///< barriers and warp operations that they had passed
    uint32_t metOfWarp;  ///< the last operation that was not of a tile
    uint32_t time;       ///< of the warp
  };
  struct Warp {
    uint32_t met = 0, time = 0;
    Record sinceMet = 0, sinceTime = 0;
  };
  class Accesses;

  /// A step begins; `limits` are those for what it does. The result is its record for work-item 0.
  Record start(const Step &step, uint32_t warp, Limits &limits);
  /// Null: too long ago to matter.
  const Step *stepOf(Record record) const;
  void clear();

  Records words_, bytes_;        ///< allocated when needed
  std::vector<uint8_t> isSplit_; ///< words whose bytes have not always been accessed together, and so are in bytes_
  bool isAnySplit_ = false;
  std::vector<Step> steps_; ///< the latest, up to next_
  uint32_t next_ = 1;
  uint32_t epoch_ = 0;
  Record sinceEpoch_ = 0;
  std::array<Warp, kMaxGroupItems / kSubgroupSize> warps_{};
};

} // namespace hiplz::cpu::check
