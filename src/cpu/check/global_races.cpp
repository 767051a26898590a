// SPDX-License-Identifier: MIT
// See global_races.h. Each word of memory that is accessed has a cell with its last plain and atomic write and two reads of different blocks.
#include "cpu/check/global_races.h"
#include "base/lockable.h"
#include "cpu/abi/runtime_functions.h"
#include "cpu/check/findings.h"
#include "cpu/check/group.h"
#include "cpu/check/shadow.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <unordered_map>
#include <vector>

namespace hiplz::cpu::check {
namespace {

constexpr uintptr_t kWord = 4, kPage = 4096;

struct Side {
  const CheckSite *site = nullptr;
  uint64_t block = 0;
  uint32_t launch = 0;
  uint32_t syncs = 0; ///< how many ordering accesses the block had made
  uint32_t epoch = 0; ///< how many barriers the work-item had passed
  uint16_t item = 0;
  uint8_t bytes = 0; ///< of the word, one bit each
};

struct Cell {
  Side writes[2]; ///< plain, atomic
  Side reads[2];  ///< of different blocks
};

using CellPage = Lockable<std::array<Cell, kPage / kWord>>;

/// The moments of a block's ordering accesses. Those beyond the limit count as if they ordered everything.
struct Syncs {
  static constexpr size_t kLimit = 4096;
  std::vector<uint64_t> times;
  uint64_t last = 0;
};

struct Launch {
  explicit Launch(uint32_t number) : id(number) {}
  const uint32_t id;
  Lockable<std::unordered_map<uint64_t, Syncs>> blocks{LockRank::cpuCheckLaunch};
};

struct Maps {
  std::unordered_map<uintptr_t, std::unique_ptr<CellPage>> pages;
  std::unordered_map<const LaunchState *, std::shared_ptr<Launch>> launches;
  uint32_t lastLaunch = 0;
};

Lockable<Maps, SharedMutex> &maps() {
  static auto *all = new Lockable<Maps, SharedMutex>(LockRank::cpuCheckMaps); // kernels may run when the process ends
  return *all;
}
std::atomic<uint64_t> lastTime{0};

std::shared_ptr<Launch> launchOf(const WorkItem &item) {
  const auto all = maps().lockShared();
  const auto found = all->launches.find(item.launch);
  return found == all->launches.end() ? nullptr : found->second;
}

CellPage &pageOf(uintptr_t address) {
  const uintptr_t number = address / kPage;
  {
    const auto all = maps().lockShared();
    if (const auto found = all->pages.find(number); found != all->pages.end())
      return *found->second;
  }
  const auto all = maps().lock();
  std::unique_ptr<CellPage> &page = all->pages[number];
  if (!page)
    page = std::make_unique<CellPage>(LockRank::cpuCheckCells);
  return *page;
}

uint64_t blockOf(const WorkItem &item) {
  const uint32_t *count = item.launch->groupCount;
  return (uint64_t{item.groupId[2]} * count[1] + item.groupId[1]) * count[0] + item.groupId[0];
}

Place placeOfSide(const Side &side, const LaunchState &launch) {
  const uint32_t *count = launch.groupCount, *size = launch.groupSize;
  return {{static_cast<uint32_t>(side.block % count[0]), static_cast<uint32_t>(side.block / count[0] % count[1]),
           static_cast<uint32_t>(side.block / count[0] / count[1])},
          {side.item % size[0], side.item / size[0] % size[1], side.item / size[0] / size[1]}};
}

bool orders(const CheckSite &site) { return site.flags & (checkAtomic | checkVolatile); }

/// True if what `before` is a side of comes before what the block does now.
bool isOrdered(Launch &launch, const Side &before, uint64_t block) {
  const auto blocks = launch.blocks.lock();
  const Syncs &earlier = (*blocks)[before.block], &later = (*blocks)[block];
  if (before.syncs >= Syncs::kLimit)
    return true;
  return before.syncs < earlier.times.size() && earlier.times[before.syncs] < later.last;
}

} // namespace

void beginLaunch(const LaunchState &launch) {
  if (!tools().races)
    return;
  const auto all = maps().lock();
  all->launches[&launch] = std::make_shared<Launch>(++all->lastLaunch);
}

void accessGlobal(const WorkItem &item, const void *address, uint64_t bytes, const CheckSite &site) {
  if (isOwn(address)) // a variable of the work-item, by a pointer
    return;
  const std::shared_ptr<Launch> launch = launchOf(item);
  if (!launch)
    return;
  Side now;
  now.site = &site;
  now.block = blockOf(item);
  now.launch = launch->id;
  now.epoch = groupOf(item).passed[item.linearId];
  now.item = static_cast<uint16_t>(item.linearId);
  {
    const auto blocks = launch->blocks.lock();
    Syncs &syncs = (*blocks)[now.block];
    now.syncs = static_cast<uint32_t>(syncs.times.size());
    if (orders(site)) {
      syncs.last = ++lastTime;
      if (syncs.times.size() < Syncs::kLimit)
        syncs.times.push_back(syncs.last);
    }
  }
  auto races = [&](const Side &before) {
    if (!before.site || before.launch != now.launch || !(before.bytes & now.bytes) ||
        (orders(*before.site) && orders(site)) || (before.site == &site && (site.flags & checkConstant)))
      return false;
    if (before.block == now.block)
      return before.item / kSubgroupSize != now.item / kSubgroupSize && before.epoch == now.epoch &&
             !isOrdered(*launch, before, now.block);
    return !isOrdered(*launch, before, now.block);
  };
  const bool writes = site.flags & checkWrite;
  const auto begin = reinterpret_cast<uintptr_t>(address), end = begin + bytes;
  bool found = false; // one is enough
  for (uintptr_t word = begin & ~(kWord - 1); word < end; word += kWord) {
    now.bytes = 0;
    for (uintptr_t byte = std::max(begin, word); byte < std::min(end, word + kWord); ++byte)
      now.bytes |= static_cast<uint8_t>(1 << (byte - word));
    const auto cells = pageOf(word).lock();
    Cell &cell = (*cells)[word % kPage / kWord];
    const Side *other = nullptr;
    for (const Side &write : cell.writes)
      if (!other && races(write))
        other = &write;
    for (const Side &read : cell.reads)
      if (!other && writes && races(read))
        other = &read;
    if (other && !found) {
      found = true;
      note({Kind::raceOfBlocks, &site, other->site, placeOf(item), placeOfSide(*other, *item.launch), address, bytes, 0,
            item.worker->kernelName});
    }
    if (writes)
      cell.writes[(site.flags & checkAtomic) != 0] = now;
    if (site.flags & checkRead) {
      Side &first = cell.reads[0], &last = cell.reads[1];
      const bool isFirst = first.launch != now.launch || first.block == now.block;
      (isFirst ? first : last) = now;
    }
  }
}

void orderedAccess(const WorkItem &item) {
  if (const std::shared_ptr<Launch> launch = launchOf(item))
    (*launch->blocks.lock())[blockOf(item)].last = ++lastTime;
}

} // namespace hiplz::cpu::check

void hiplz_cpu_check_ordered(hiplz::cpu::WorkItem *item) {
  hiplz::cpu::check::orderedAccess(*item);
  hiplz::cpu::check::groupOf(*item).orderOf(item->linearId).last = ++hiplz::cpu::check::groupOf(*item).time;
}
