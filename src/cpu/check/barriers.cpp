// SPDX-License-Identifier: MIT
// What instrumented code calls around barriers. The n-th barrier of each work-item must be the same place for all of its group.
#include "cpu/abi/runtime_functions.h"
#include "cpu/check/group_state.h"

using namespace hiplz::cpu;

void hiplz_cpu_check_barrier(WorkItem *item, const CheckSite *site) {
  check::Group &group = check::groupOf(*item);
  if (!check::tools().barriers)
    return;
  group.warpOf(item->linearId).goesOn(*item, *site);
  const uint32_t number = group.passed[item->linearId];
  if (group.meetings.size() <= number)
    group.meetings.resize(number + 1);
  check::Meeting &meeting = group.meetings[number];
  if (!meeting.site) {
    meeting.site = site;
    meeting.item = item->linearId;
  }
  ++meeting.count;
  if (meeting.site != site)
    check::note(*item->launch, {check::Kind::barriersDiffer, site, meeting.site, check::placeOf(*item),
                                group.placeOf(meeting.item), nullptr, 0, 0, item->worker->kernelName});
}

void hiplz_cpu_check_met(WorkItem *item) { ++check::groupOf(*item).met[item->linearId]; }

void hiplz_cpu_check_passed(WorkItem *item) {
  check::Group &group = check::groupOf(*item);
  const uint32_t epoch = group.firstEpoch + ++group.passed[item->linearId];
  if (epoch > group.lastEpoch)
    group.lastEpoch = epoch;
}
