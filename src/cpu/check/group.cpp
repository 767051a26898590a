// SPDX-License-Identifier: MIT
// See group.h.
#include "cpu/check/cells.h"
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
  kernel = item.worker->kernelName;
  race = static_cast<RaceLaunch *>(checkedLaunch(*launch).races);
  number = (uint64_t{id[2]} * launch->groupCount[1] + id[1]) * launch->groupCount[0] + id[0];
  order = nullptr;
  sites.refresh();
  passed.assign(items, 0);
  met.assign(items, 0);
  meetings.clear();
  incompleteMeetings = 0;
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
  incompleteMeetings = 0;
}

void createGroup(WorkerState &state) { state.check = new Group; }

Group &groupOf(const WorkItem &item) {
  WorkerState &state = *item.worker;
  if (!state.check)
    createGroup(state);
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

/// The accesses of one place in a kernel by one warp.
class SharedAccesses {
public:
  SharedAccesses(const WorkItem &first, Group &group, uint64_t bytes, const CheckSite &site)
      : group_(group), local_(first.worker->local), bytes_(bytes), site_(site), warp_(warpOf(first)) {
    if (group.words.empty()) {
      group.words.resize(kMaxLocalBytes / kWord);
      group.isSplit.resize(kMaxLocalBytes / kWord);
    }
  }

  void add(uint32_t item, uint64_t offset) {
    const LastAccess now{&site_, group_.firstEpoch + group_.passed[item], group_.met[item], item,
                         group_.warpOrder.timeOf(warp_)};
    if (writes_ && orders_)
      group_.warpOrder.writes(warp_, local_ + offset);
    bool found = false; // one is enough
    for (uint64_t at = offset, end = offset + bytes_; at < end;) {
      const uint64_t word = at / kWord, next = std::min(end, (word + 1) * kWord);
      if (next - at < kWord && !group_.isSplit[word])
        split(word);
      if (!group_.isSplit[word])
        found = touch(group_.words[word], now, at, found);
      else
        for (uint64_t byte = at; byte < next; ++byte)
          found = touch(group_.bytes[byte], now, byte, found);
      at = next;
    }
  }

private:
  void split(uint64_t word) {
    if (group_.bytes.empty())
      group_.bytes.resize(kMaxLocalBytes);
    std::fill_n(&group_.bytes[word * kWord], kWord, group_.words[word]);
    group_.isSplit[word] = true;
  }

  // True if there is a race, if not before.
  bool touch(Group::Byte &last, const LastAccess &now, uint64_t at, bool found) {
    for (const LastAccess &write : last.writes)
      found = found || (write.epoch == now.epoch && write.site && compare(write, now, at));
    if (!writes_) {
      keepRead(last.reads, now);
      return found;
    }
    for (const LastAccess &read : last.reads)
      found = found || (read.epoch == now.epoch && read.site && compare(read, now, at));
    last.writes[isAtomic_] = now; // of an atomic operation that is enough, and it must not take a plain read's place
    return found;
  }

  bool compare(const LastAccess &before, const LastAccess &now, uint64_t at) {
    if (before.item == now.item || (orders_ && orders(*before.site)) ||
        (before.site == &site_ && (site_.flags & checkConstant)))
      return false;
    const uint32_t other = before.item / kSubgroupSize;
    const bool sameWarp = other == warp_;
    if (sameWarp ? before.inWarp != now.inWarp : group_.warpOrder.isBefore(other, before.time, warp_))
      return false;
    note(*group_.launch, {sameWarp ? Kind::raceInWarp : Kind::race, &site_, before.site, group_.placeOf(now.item),
                          group_.placeOf(before.item), local_ + at, bytes_, static_cast<int64_t>(at), group_.kernel});
    return true;
  }

  Group &group_;
  const std::byte *const local_;
  const uint64_t bytes_;
  const CheckSite &site_;
  const uint32_t warp_;
  const bool writes_ = site_.flags & checkWrite, orders_ = orders(site_), isAtomic_ = isAtomic(site_);
};

} // namespace

void accessShared(const WorkItem &first, const void *const *addresses, uint64_t bytes, const CheckSite &site,
                  uint32_t lanes) {
  SharedAccesses accesses(first, groupOf(first), bytes, site);
  for (; lanes; lanes &= lanes - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
    accesses.add(first.linearId + lane,
                 static_cast<uint64_t>(static_cast<const std::byte *>(addresses[lane]) - first.worker->local));
  }
}

} // namespace hiplz::cpu::check
