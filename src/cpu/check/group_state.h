// SPDX-License-Identifier: MIT
// What checks know of the work-group that a worker executes: how far its work-items are, and who accessed its shared memory last.
//
// Two accesses to shared memory are a race if both belong to the same interval between barriers, at least one is a write, not both are
// atomic, and they are of different work-items. That is FastTrack (Flanagan and Freund, PLDI 2009) with barriers as the only order: then a
// work-item's epoch is the number of barriers that it has passed, and no vector clock is needed. Atomic and volatile accesses order the
// warps between two barriers (warp_order.h).
#pragma once
#include "cpu/abi/check_functions.h"
#include "cpu/check/block_order.h"
#include "cpu/check/findings.h"
#include "cpu/check/global_races.h"
#include "cpu/check/group.h"
#include "cpu/check/meetings.h"
#include "cpu/check/site_numbers.h"
#include "cpu/check/warp_order.h"

#include <vector>

namespace hiplz::cpu::check {

/// An access to a byte of shared memory.
struct LastAccess {
  const CheckSite *site = nullptr;
  uint32_t epoch = 0;  ///< that of the block's life and the barriers that the work-item had passed
  uint32_t inWarp = 0; ///< meetings of its warp that it had passed
  uint32_t item = 0;
  uint32_t time = 0; ///< of its warp
};

/// What all work-items of a group have come to as their n-th barrier.
struct Meeting {
  const CheckSite *site = nullptr;
  uint32_t count = 0;
  uint32_t item = 0; ///< the first that came
};

struct Group : CheckedGroup {
  const LaunchState *launch = nullptr;
  RaceLaunch *race = nullptr;         // of the launch, if racecheck looks at it
  uint64_t number = 0;                // of the block in the launch
  BlockOrder::Block *order = nullptr; // of the block
  SiteNumbers sites;
  uint32_t id[3] = {};
  uint32_t items = 0;
  uint32_t firstEpoch = 1, lastEpoch = 1;
  const char *kernel = nullptr;
  std::vector<uint32_t> passed; // barriers, for each work-item
  std::vector<uint32_t> met;    // warp operations, for each work-item
  WarpOrder warpOrder;
  std::vector<Meeting> meetings;   // of the group
  std::vector<WarpMeetings> warps; // of each warp
  struct Byte {
    LastAccess writes[2]; ///< plain, atomic
    LastAccess reads[2];  ///< of different warps
  };
  // Of shared memory, allocated when needed: words whose bytes have always been accessed together, and the bytes of the others.
  std::vector<Byte> words, bytes;
  std::vector<uint8_t> isSplit;

  void begin(const WorkItem &item);
  void end();
  Place placeOf(uint32_t linear) const;
  /// Calls `act` for the meetings of a work-item's warp.
  template <class Act> void meet(uint32_t linear, Act act) {
    WarpMeetings &warp = warps[linear / kSubgroupSize];
    incompleteMeetings -= warp.incomplete();
    act(warp);
    incompleteMeetings += warp.incomplete();
  }
};

/// The warp of a work-item in its group.
inline uint32_t warpOf(const WorkItem &item) { return item.linearId / kSubgroupSize; }

/// The group of the work-item, begun if it is another one than before. Callable on any stack.
Group &groupOf(const WorkItem &item);

/// True for shared memory of the block.
inline bool isLocal(const WorkItem &item, const void *address) {
  return reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(item.worker->local) < kMaxLocalBytes;
}

/// Accesses to shared memory, for races. Bit i of `lanes` is the work-item `first.linearId + i`, of the same warp, and it accesses addresses[i].
void accessShared(const WorkItem &first, const void *const *addresses, uint64_t bytes, const CheckSite &site,
                  uint32_t lanes);

} // namespace hiplz::cpu::check
