// SPDX-License-Identifier: MIT
// See meetings.h.
#include "cpu/check/meetings.h"
#include "cpu/check/group_state.h"

#include <algorithm>
#include <bit>
#include <cstddef>

using namespace hiplz::cpu;

namespace hiplz::cpu::check {
namespace {

// Those of __hiplz_meeting (include/hip/spirv/builtins.h).
enum Meeting : uint32_t { sync = 0, operation = 1, groupSync = 2, groupOperation = 3, grid = 4 };

constexpr size_t kMostIncomplete = 8; // of a warp; lanes that have returned never come

bool isSync(uint32_t kind) { return kind == sync || kind == groupSync; }
bool isOfGroup(uint32_t kind) { return kind == groupSync || kind == groupOperation; }

uint32_t laneOf(const WorkItem &item) { return item.linearId % kSubgroupSize; }

void found(Kind kind, const WorkItem &item, const CheckSite &site, uint32_t lane, const CheckSite *other,
           uint32_t otherLane) {
  const Group &group = groupOf(item);
  const uint32_t first = item.linearId - laneOf(item);
  note(*item.launch, {kind, &site, other, group.placeOf(first + lane), group.placeOf(first + otherLane), nullptr, 0, 0,
                      item.worker->kernelName});
}

// The lanes of the work-item's warp that have threads.
uint32_t lanesWithThreads(const WorkItem &item) { return groupOf(item).lanesFrom(item.linearId - laneOf(item)); }

template <class Visit> void forEachLane(uint32_t lanes, Visit visit) {
  for (; lanes; lanes &= lanes - 1)
    visit(static_cast<uint32_t>(std::countr_zero(lanes)));
}

} // namespace

void WarpMeetings::goesOn(const WorkItem &item, uint32_t lane, const CheckSite &site, uint32_t syncOf) {
  const uint32_t bit = 1u << lane;
  std::erase_if(incomplete_, [&](const Incomplete &each) {
    if (!(each.named & ~each.arrived & bit) || (isSync(each.kind) && each.named == syncOf))
      return false;
    found(isOfGroup(each.kind) ? Kind::memberMissing : Kind::laneMissing, item, *each.site, each.lane, &site, lane);
    return true;
  });
}

void WarpMeetings::goesOn(const WorkItem &item, const CheckSite &site) {
  if (!incomplete_.empty())
    goesOn(item, laneOf(item), site, 0);
}

void WarpMeetings::comes(const WorkItem &item, const CheckSite &site, uint64_t mask, uint32_t active, uint32_t kind) {
  const uint32_t lane = laneOf(item), bit = 1u << lane, threads = lanesWithThreads(item);
  const auto high = static_cast<uint32_t>(mask >> 32), low = static_cast<uint32_t>(mask);
  const bool isAll = low == ~0u, namesNobody = (high && high != ~0u) || (!isAll && (low & ~threads));
  if (!(low & bit))
    found(Kind::callerNotNamed, item, site, lane, nullptr, lane);
  else if (namesNobody && !isOfGroup(kind))
    found(Kind::namesNoThread, item, site, lane, nullptr, lane);
  auto arrival = std::find_if(arrivals_.begin(), arrivals_.end(), [&](const Arrival &each) {
    return each.site == &site && each.active == active && !(each.arrived & bit);
  });
  if (arrival == arrivals_.end())
    arrival = arrivals_.insert(arrivals_.end(), {&site, active, 0, kind, {}});
  arrival->arrived |= bit;
  arrival->masks[lane] = low & bit ? low & threads : 0;
  if ((arrival->arrived & active) != active)
    return;
  const Arrival all = *arrival;
  arrivals_.erase(arrival);
  complete(item, all);
}

// All lanes that are here have come; it may be that others are missing.
void WarpMeetings::complete(const WorkItem &item, const Arrival &arrival) {
  const CheckSite &site = *arrival.site;
  uint32_t left = arrival.active;
  while (left) {
    const auto first = static_cast<uint32_t>(std::countr_zero(left));
    const uint32_t mask = arrival.masks[first];
    uint32_t same = 0, different = 0;
    forEachLane(arrival.active, [&](uint32_t lane) {
      const uint32_t bit = 1u << lane;
      if (arrival.masks[lane] == mask)
        same |= bit;
      else if (mask & bit && arrival.masks[lane])
        different |= bit;
    });
    left &= ~same;
    if (!mask)
      continue;
    if (different)
      found(Kind::masksDiffer, item, site, first, &site, static_cast<uint32_t>(std::countr_zero(different)));
    Incomplete now{&site, mask & ~different, same, arrival.kind, first};
    if (isSync(arrival.kind)) { // in other warp functions lanes that come later come too late
      const auto earlier = std::find_if(incomplete_.begin(), incomplete_.end(), [&](const Incomplete &each) {
        return isSync(each.kind) && each.named == mask && !(each.arrived & same);
      });
      if (earlier != incomplete_.end()) {
        now = *earlier;
        now.arrived |= same;
        incomplete_.erase(earlier);
      }
    }
    forEachLane(same, [&](uint32_t lane) { goesOn(item, lane, site, isSync(arrival.kind) ? mask : 0); });
    if (now.named & ~now.arrived) {
      if (incomplete_.size() == kMostIncomplete)
        incomplete_.erase(incomplete_.begin());
      incomplete_.push_back(now);
    }
  }
}

} // namespace hiplz::cpu::check

void hiplz_cpu_check_meeting(WorkItem *item, const CheckSite *site, uint64_t mask, uint64_t active, uint32_t kind) {
  if (!check::tools().barriers)
    return;
  if (kind == check::grid) {
    if (!mask)
      check::note(
          *item->launch,
          {check::Kind::noGrid, site, nullptr, check::placeOf(*item), {}, nullptr, 0, 0, item->worker->kernelName});
    return;
  }
  check::groupOf(*item).meet(item->linearId, [&](check::WarpMeetings &warp) {
    warp.comes(*item, *site, mask, static_cast<uint32_t>(active), kind);
  });
}

void hiplz_cpu_check_goes_on(WorkItem *item, const CheckSite *site) {
  if (check::tools().barriers)
    check::groupOf(*item).meet(item->linearId, [&](check::WarpMeetings &warp) { warp.goesOn(*item, *site); });
}
