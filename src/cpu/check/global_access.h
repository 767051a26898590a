// SPDX-License-Identifier: MIT
// An access to global memory, and how it stands to one that a history knows: what the histories of words (global_races.cpp) and of launches
// (tag_accesses.h) have in common.
#pragma once
#include "cpu/check/cells.h"
#include "cpu/check/findings.h"
#include "cpu/check/group_state.h"
#include "cpu/check/lane_access.h"
#include "cpu/check/race_launch.h"
#include "cpu/check/shadow.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace hiplz::cpu::check {

enum class Relation { ordered, race, withoutFence, inWarp };

/// An access that is being made.
struct GlobalAccess {
  Group &group;
  const CheckSite &site;
  uint64_t bytes;
  const void *address = nullptr;
  uint32_t item = 0; ///< in the group

  bool writes() const { return site.flags & checkWrite; }
  Finding finding(Kind kind) const {
    return {kind, &site, nullptr, group.placeOf(item), {}, address, bytes, 0, group.kernel};
  }
};

/// How two accesses to the same bytes stand that are not both reads. Of those of one block, only what areApart() or areLanesApart().
Relation relate(const Side &before, const Side &now, const CheckSite &site, Group &group);

/// Reports a race with an access that a history knows.
void noteRace(const Side &before, Relation relation, const GlobalAccess &access);

/// Looks for copies that are under way: of the whole access, or of some bytes of it.
void compareWithCopies(const std::vector<HostAccess> &copies, const GlobalAccess &access);
void compareWithCopies(const std::vector<HostAccess> &copies, const GlobalAccess &access, uintptr_t begin,
                       uintptr_t end);

/// The accesses of one place in a kernel by a warp.
class WarpAccesses {
protected:
  WarpAccesses(Group &group, const LaneAccess &lanes)
      : lanes_(lanes), access_{group, lanes.site, lanes.bytes}, launch_(*group.race),
        copies_(launch_.copies(group.copies)), orders_(orders(lanes.site)),
        low_((group.number & 0x7fffffff) | uint64_t{group.sites.of(lanes.site)} << Side::kSiteAt |
             uint64_t{orders_} << Side::kOrdersAt) {}

  template <class Visit> void forEachLane(Visit visit) const {
    for (uint32_t lanes = lanes_.lanes; lanes; lanes &= lanes - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
      if (!isOwn(lanes_.addressOf(lane))) // or a variable of the work-item, by a pointer
        visit(lane);
    }
  }

  void beLane(uint32_t lane) {
    access_.item = lanes_.first.linearId + lane;
    access_.address = lanes_.addressOf(lane);
  }

  const LaneAccess &lanes_;
  GlobalAccess access_;
  RaceLaunch &launch_;
  const std::vector<HostAccess> &copies_;
  const bool orders_;
  const uint64_t low_; ///< what all lanes have in common, for Side::of()
};

} // namespace hiplz::cpu::check
