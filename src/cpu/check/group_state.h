// SPDX-License-Identifier: MIT
// The work-group that a worker executes, as the checks see it: how far its work-items are, and who accessed its shared memory last
// (shared_history.h).
#pragma once
#include "cpu/abi/check_functions.h"
#include "cpu/abi/checked_group.h"
#include "cpu/check/block_order.h"
#include "cpu/check/findings.h"
#include "cpu/check/global_races.h"
#include "cpu/check/group.h"
#include "cpu/check/lane_access.h"
#include "cpu/check/meetings.h"
#include "cpu/check/private_variables.h"
#include "cpu/check/race_launch.h"
#include "cpu/check/shared_history.h"
#include "cpu/check/site_numbers.h"
#include "cpu/check/waiting_accesses.h"
#include "cpu/check/warp_order.h"
#include "cpu/check/warp_tiles.h"

#include <array>
#include <vector>

namespace hiplz::cpu::check {

/// The place that all work-items of a group have come to as their n-th barrier.
struct Meeting {
  const CheckSite *site = nullptr;
  uint32_t count = 0;
  uint32_t item = 0; ///< the first that came
};

/// A place whose work-items write one constant again and again, which is noted once for each launch and worker.
struct SameValue {
  uint32_t launch = 0, site = 0;
  bool operator==(const SameValue &) const = default;
};

class Page;
/// The places in racecheck's tables at which a worker has looked last. Pages stay.
struct LastPage {
  uintptr_t number = UINTPTR_MAX;
  Page *page = nullptr;
};

struct Group : CheckedGroup {
  RaceLaunch *race = nullptr;         // of the launch, if racecheck looks at it
  uint64_t number = 0;                // of the block in the launch
  BlockOrder::Block *order = nullptr; // of the block
  SiteNumbers sites;
  uint32_t items = 0;
  uint32_t firstEpoch = 1, lastEpoch = 1;
  const char *kernel = nullptr;
  std::vector<uint32_t> passed; // barriers, for each work-item, without those of passedByAll
  std::vector<uint32_t> met;    // warp operations, for each work-item
  bool hasPassed = false;       // any of them
  WarpTiles tiles;
  uint32_t apart = 0; // bit i: the work-items of warp i have not always passed these together
  WarpOrder warpOrder;
  std::vector<Meeting> meetings;   // of the group
  std::vector<WarpMeetings> warps; // of each warp
  SharedHistory shared;
  WaitingAccesses waitingOnes{*this}; // which are not in `shared` yet
  bool hasLooked = false;             // some of the accesses since the last barrier are in `shared`
  WorkerState *worker = nullptr;
  PrivateVariables variables;
  SeenCopies copies;
  std::array<LastPage, 16> pages;
  SameValue sameValue; // noted last

  void begin(const WorkItem &item);
  void end();
  /// Barriers that a work-item has passed.
  uint32_t passedBy(uint32_t linear) const { return passed[linear] + passedByAll; }
  /// An access to shared memory, which may have to wait.
  void accessShared(const LaneAccess &access);
  /// Waiting accesses get into the history of shared memory.
  void look() {
    if (waitingCount) [[unlikely]]
      lookAtWaiting();
  }
  /// All work-items have passed so many barriers.
  void allPass(uint32_t count);
  Place placeOf(uint32_t linear) const;
  bool isTogether(uint32_t warp) const { return !(apart >> warp & 1); }
  /// The lanes pass a barrier, if these are the numbers of `passed`, or a warp operation. The result is the greatest of their numbers.
  uint32_t pass(std::vector<uint32_t> &numbers, const WorkItem &first, uint32_t lanes);
  /// Lanes of the work-item's warp that have threads. Bit 0 is the work-item, which is the first of its warp.
  uint32_t lanesFrom(uint32_t linear) const {
    return items - linear >= kSubgroupSize ? ~0u : (1u << (items - linear)) - 1;
  }
  void lookAtWaiting();
  void endInterval();
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

/// True if the lanes of the access have passed as many barriers and warp operations.
inline bool areTogether(const Group &group, const LaneAccess &access) {
  if (group.isTogether(access.first.linearId / kSubgroupSize))
    return true;
  const uint32_t item = access.firstItem(), count = access.lastItem() - item + 1;
  const uint32_t *const passed = &group.passed[item], *const met = &group.met[item];
  uint32_t different = 0;
  for (uint32_t lane = 0; lane < count; ++lane)
    different |= (passed[lane] ^ passed[0]) | (met[lane] ^ met[0]);
  return !different;
}

} // namespace hiplz::cpu::check
