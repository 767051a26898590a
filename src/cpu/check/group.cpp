// SPDX-License-Identifier: MIT
// See group.h.
#include "cpu/check/group_state.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace hiplz::cpu::check {

void Group::begin(const WorkItem &item) {
  launch = item.launch;
  std::copy_n(item.groupId, 3, id);
  items = launch->groupSize[0] * launch->groupSize[1] * launch->groupSize[2];
  firstEpoch = ++lastEpoch;
  worker = item.worker;
  kernel = worker->kernelName;
  passedByAll = 0;
  race = static_cast<RaceLaunch *>(checkedLaunch(*launch).races);
  number = (uint64_t{id[2]} * launch->groupCount[1] + id[1]) * launch->groupCount[0] + id[0];
  order = nullptr;
  sites.refresh();
  if (std::exchange(hasPassed, false) || passed.size() != items) {
    passed.assign(items, 0);
    met.assign(items, 0);
  }
  tiles.begin();
  apart = 0;
  meetings.clear();
  incompleteMeetings = 0;
  if (tools().barriers)
    warps.assign((items + kSubgroupSize - 1) / kSubgroupSize, {});
  warpOrder.begin();
  variables.begin();
  shared.begin(firstEpoch);
}

uint32_t Group::pass(std::vector<uint32_t> &numbers, const WorkItem &first, uint32_t lanes) {
  hasPassed = true;
  if (first.linearId % kSubgroupSize || lanes != lanesFrom(first.linearId))
    apart |= 1u << first.linearId / kSubgroupSize;
  uint32_t *const all = &numbers[first.linearId];
  uint32_t most = 0;
  if (!(lanes & (lanes + 1))) { // from the first lane on
    const auto count = static_cast<uint32_t>(std::bit_width(lanes));
    for (uint32_t lane = 0; lane < count; ++lane)
      most = std::max(most, ++all[lane]);
    return most;
  }
  for (; lanes; lanes &= lanes - 1)
    most = std::max(most, ++all[std::countr_zero(lanes)]);
  return most;
}

void Group::accessShared(const LaneAccess &access) {
  if (access.site.flags & checkMayWait && waitingOnes.add(access, worker->local))
    return;
  look();
  hasLooked = true;
  shared.access(access, *this);
}

void Group::lookAtWaiting() {
  WorkItem item{};
  item.launch = launch;
  item.worker = worker;
  waitingOnes.forEach(item, worker->local, [&](const LaneAccess &access) { shared.access(access, *this); });
  waitingOnes.clear();
  hasLooked = true;
}

// If all accesses since the last barrier are waiting and do not race with each other, nothing needs to know of them.
void Group::endInterval() {
  if (waitingCount && (hasLooked || waitingOnes.mayRace(launch->localBytes)))
    lookAtWaiting();
  waitingOnes.clear();
  hasLooked = false;
}

void Group::allPass(uint32_t count) {
  if (count == passedByAll)
    return;
  endInterval();
  passedByAll = count;
  lastEpoch = std::max(lastEpoch, firstEpoch + count);
}

Place Group::placeOf(uint32_t linear) const {
  const uint32_t *size = launch->groupSize;
  return {{id[0], id[1], id[2]}, {linear % size[0], linear / size[0] % size[1], linear / size[0] / size[1]}};
}

// Work-items that have not come to a barrier by now never will.
void Group::end() {
  if (launch)
    endInterval();
  if (launch && tools().barriers)
    for (const Meeting &meeting : meetings)
      if (meeting.count < items) {
        const auto index = static_cast<uint32_t>(&meeting - meetings.data());
        const auto missing = std::find_if(passed.begin(), passed.end(), [&](uint32_t n) { return n <= index; });
        if (missing != passed.end())
          note(*launch, {meeting.site->flags & checkMayBePassed ? Kind::barrierPassed : Kind::barrierMissed,
                         meeting.site, nullptr, placeOf(meeting.item),
                         placeOf(static_cast<uint32_t>(missing - passed.begin())), nullptr, 0, 0, kernel});
      }
  launch = nullptr;
  incompleteMeetings = 0;
}

void createGroup(WorkerState &state) { state.check = new Group; }

Group &groupOf(const WorkItem &item) {
  WorkerState &state = *item.worker;
  if (!state.check)
    createGroup(state);
  Group &group = *static_cast<Group *>(state.check);
  // One by one: compiled code has just written these numbers, and the processor would wait if it had to read two at once.
  const volatile uint32_t *const id = item.groupId;
  if (group.launch != item.launch || group.id[0] != id[0] || group.id[1] != id[1] || group.id[2] != id[2]) {
    group.end();
    group.begin(item);
  }
  return group;
}

void endGroup(WorkerState &state) { static_cast<Group *>(state.check)->end(); }

void destroyGroup(WorkerState &state) { delete static_cast<Group *>(std::exchange(state.check, nullptr)); }

} // namespace hiplz::cpu::check
