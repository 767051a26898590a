// SPDX-License-Identifier: MIT
// See group.h.
#include "cpu/check/group_state.h"

#include <algorithm>
#include <utility>

namespace hiplz::cpu::check {

void Group::begin(const WorkItem &item) {
  launch = item.launch;
  std::copy_n(item.groupId, 3, id);
  items = launch->groupSize[0] * launch->groupSize[1] * launch->groupSize[2];
  firstEpoch = ++lastEpoch;
  kernel = item.worker->kernelName;
  race = static_cast<RaceLaunch *>(checkedLaunch(*launch).races);
  number = (uint64_t{id[2]} * launch->groupCount[1] + id[1]) * launch->groupCount[0] + id[0];
  order = nullptr;
  sites.refresh();
  passed.assign(items, 0);
  met.assign(items, 0);
  meetings.clear();
  warps.assign((items + kSubgroupSize - 1) / kSubgroupSize, {});
  warpOrder.begin();
}

Place Group::placeOf(uint32_t linear) const {
  const uint32_t *size = launch->groupSize;
  return {{id[0], id[1], id[2]}, {linear % size[0], linear / size[0] % size[1], linear / size[0] / size[1]}};
}

// Work-items that have not come to a barrier by now never will.
void Group::end() {
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
}

Group &groupOf(const WorkItem &item) {
  WorkerState &state = *item.worker;
  if (!state.check)
    state.check = new Group;
  Group &group = *static_cast<Group *>(state.check);
  if (group.launch != item.launch || !std::equal(group.id, group.id + 3, item.groupId)) {
    group.end();
    group.begin(item);
  }
  return group;
}

void endGroup(WorkerState &state) { static_cast<Group *>(state.check)->end(); }

void destroyGroup(WorkerState &state) { delete static_cast<Group *>(std::exchange(state.check, nullptr)); }

namespace {

bool isAtomic(const CheckSite &site) { return site.flags & checkAtomic; }
bool orders(const CheckSite &site) { return site.flags & (checkAtomic | checkVolatile); }

// Two reads of different warps, or of different lanes as long as only one warp reads.
void keepRead(LastAccess (&reads)[2], const LastAccess &now) {
  auto areOfOneWarp = [](const LastAccess &left, const LastAccess &right) {
    return left.epoch == right.epoch && left.item / kSubgroupSize == right.item / kSubgroupSize;
  };
  auto &[first, last] = reads;
  if (first.epoch != now.epoch ||
      (areOfOneWarp(first, now) && (first.item == now.item || first.inWarp != now.inWarp || first.time != now.time)))
    first = now;
  else if (!areOfOneWarp(first, now) || last.epoch != now.epoch || areOfOneWarp(last, now))
    last = now;
}

} // namespace

void accessShared(const WorkItem &item, uint32_t offset, uint64_t bytes, const CheckSite &site) {
  Group &group = groupOf(item);
  if (group.bytes.empty())
    group.bytes.resize(kMaxLocalBytes);
  const uint32_t warp = warpOf(item);
  const LastAccess now{&site, group.firstEpoch + group.passed[item.linearId], group.met[item.linearId], item.linearId,
                       group.warpOrder.timeOf(warp)};
  const bool writes = site.flags & checkWrite;
  if (writes && orders(site))
    group.warpOrder.writes(warp, item.worker->local + offset);
  auto compare = [&](const LastAccess &before, uint64_t at) {
    if (before.epoch != now.epoch || before.item == now.item || (orders(*before.site) && orders(site)) ||
        (before.site == &site && (site.flags & checkConstant)))
      return false;
    const uint32_t other = before.item / kSubgroupSize;
    const bool sameWarp = other == warp;
    if (sameWarp ? before.inWarp != now.inWarp : group.warpOrder.isBefore(other, before.time, warp))
      return false;
    note(*item.launch,
         {sameWarp ? Kind::raceInWarp : Kind::race, &site, before.site, placeOf(item), group.placeOf(before.item),
          item.worker->local + at, bytes, static_cast<int64_t>(at), item.worker->kernelName});
    return true;
  };
  bool found = false; // one is enough
  for (uint64_t at = offset; at < offset + bytes; ++at) {
    auto &[lastWrites, reads] = group.bytes[at];
    for (const LastAccess &write : lastWrites)
      if (!found && write.site)
        found = compare(write, at);
    for (const LastAccess &read : reads)
      if (!found && writes && read.site)
        found = compare(read, at);
    if (writes)
      lastWrites[isAtomic(site)] = now;
    if (!writes) // of an atomic operation the write is enough, and it must not take a plain read's place
      keepRead(reads, now);
  }
}

} // namespace hiplz::cpu::check
