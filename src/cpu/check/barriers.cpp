// SPDX-License-Identifier: MIT
// Functions that instrumented code calls around barriers. The n-th barrier of each work-item must be the same place for all of its group.
#include "cpu/abi/check_functions.h"
#include "cpu/check/group_state.h"

#include <algorithm>
#include <bit>

using namespace hiplz::cpu;

namespace hiplz::cpu::check {
namespace {

constexpr uint32_t kOneLane = 1;

template <class Visit> void forEachItem(const WorkItem &first, uint32_t lanes, Visit visit) {
  for (; lanes; lanes &= lanes - 1)
    visit(first.linearId + static_cast<uint32_t>(std::countr_zero(lanes)));
}

Meeting &meetingOf(Group &group, uint32_t linear, const CheckSite &site) {
  const uint32_t number = group.passed[linear];
  if (group.meetings.size() <= number)
    group.meetings.resize(number + 1);
  Meeting &meeting = group.meetings[number];
  if (!meeting.site) {
    meeting.site = &site;
    meeting.item = linear;
  }
  return meeting;
}

void comes(const WorkItem &first, const CheckSite &site, uint32_t lanes) {
  Group &group = groupOf(first);
  if (!tools().barriers)
    return;
  forEachItem(first, lanes, [&](uint32_t linear) {
    if (group.incompleteMeetings) {
      WorkItem item = first;
      item.linearId = linear;
      group.meet(linear, [&](WarpMeetings &warp) { warp.goesOn(item, site); });
    }
    Meeting &meeting = meetingOf(group, linear, site);
    ++meeting.count;
    if (meeting.site != &site)
      note(*first.launch, {Kind::barriersDiffer, &site, meeting.site, group.placeOf(linear),
                           group.placeOf(meeting.item), nullptr, 0, 0, first.worker->kernelName});
  });
}

void passes(const WorkItem &first, uint32_t lanes) {
  Group &group = groupOf(first);
  group.look();
  group.lastEpoch = std::max(group.lastEpoch, group.firstEpoch + group.pass(group.passed, first, lanes));
}

void meets(const WorkItem &first, uint32_t lanes) {
  Group &group = groupOf(first);
  group.look();
  group.pass(group.met, first, lanes);
  if (!group.tiles.isAny()) [[likely]]
    return;
  forEachItem(first, lanes, [&](uint32_t linear) { group.tiles.meet(linear, ~0u, group.met); });
}

void meetsSome(const WorkItem &item, uint64_t mask) {
  Group &group = groupOf(item);
  group.look();
  group.pass(group.met, item, kOneLane);
  group.tiles.meet(item.linearId, static_cast<uint32_t>(mask), group.met);
}

} // namespace
} // namespace hiplz::cpu::check

void hiplz_cpu_check_barrier(WorkItem *item, const CheckSite *site) { check::comes(*item, *site, check::kOneLane); }
void hiplz_cpu_check_passed(WorkItem *item) { check::passes(*item, check::kOneLane); }
void hiplz_cpu_check_met(WorkItem *item) { check::meets(*item, check::kOneLane); }
void hiplz_cpu_check_met_some(WorkItem *item, uint64_t mask) { check::meetsSome(*item, mask); }
void hiplz_cpu_check_all_passed(WorkItem *item, uint32_t count) { check::groupOf(*item).allPass(count); }

void hiplz_cpu_check_barrier_of_lanes(WorkItem *item, const CheckSite *site, uint32_t lanes) {
  check::comes(*item, *site, lanes);
}
void hiplz_cpu_check_passed_of_lanes(WorkItem *item, uint32_t lanes) { check::passes(*item, lanes); }
void hiplz_cpu_check_all_passed_of_lanes(WorkItem *item, uint32_t count, uint32_t) {
  hiplz_cpu_check_all_passed(item, count);
}
void hiplz_cpu_check_met_of_lanes(WorkItem *item, uint32_t lanes) { check::meets(*item, lanes); }
