// SPDX-License-Identifier: MIT
// See global_races.h. Each word of memory that kernels have accessed has a cell with its last write and two reads of different blocks or warps.
// Copies and fills are in a list by themselves, because they are large and mostly have an order.
#include "cpu/check/global_races.h"
#include "base/lockable.h"
#include "cpu/check/block_order.h"
#include "cpu/check/cells.h"
#include "cpu/check/findings.h"
#include "cpu/check/group_state.h"
#include "cpu/check/launches.h"
#include "cpu/check/regions.h"
#include "cpu/check/shadow.h"
#include "cpu/check/site_numbers.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <deque>
#include <sys/mman.h>

namespace hiplz::cpu::check {

/// A launch, as later ones see it.
struct KnownLaunch {
  Moment moment;
  std::array<uint32_t, 3> count{}, size{};
};

/// A copy or a fill: one side of it. Or the moment from which memory of a pool exists, or up to which.
struct HostAccess {
  Region region{};
  HostUse use = HostUse::read;
  uint32_t hostStack = 0;
  Moment moment;
  bool writes() const { return use != HostUse::read; }
};

class RaceLaunch {
public:
  RaceLaunch(uint32_t number, Moment moment, const Clock &clock)
      : number(number), known{moment}, clock(clock), blocks(number, moment, clock) {}

  const uint32_t number;
  KnownLaunch known;
  const Clock clock;
  uint32_t orderedUpTo = 0; ///< launches with numbers up to here come before
  BlockOrder blocks;

  /// Copies that have no order with the launch. They may begin while it runs. Valid until the thread calls it for another launch.
  const std::vector<HostAccess> &copies() const;
};

namespace {

constexpr size_t kKeptCopies = 1024, kRecentLaunches = 32;

struct Commands {
  std::vector<KnownLaunch> launches{KnownLaunch{}};                 // by their numbers
  std::vector<std::deque<std::pair<uint32_t, uint32_t>>> ofStreams; // of each stream: time and number of its launches
  std::deque<HostAccess> copies;
  std::deque<std::shared_ptr<RaceLaunch>> recent; // whose blocks may be asked about when they have ended
};

Lockable<Commands> &commands() {
  static auto *all = new Lockable<Commands>(LockRank::cpuCheckCells);
  return *all;
}
std::atomic<uint64_t> copiesVersion{1};

bool orders(const CheckSite &site) { return site.flags & (checkAtomic | checkVolatile); }

Place placeOf(const Side &side, const KnownLaunch &launch) {
  const auto &count = launch.count, &size = launch.size;
  const uint32_t item = side.item, block = side.block;
  return {{block % count[0], block / count[0] % count[1], block / count[0] / count[1]},
          {item % size[0], item / size[0] % size[1], item / size[0] / size[1]}};
}

/// Launches up to the result come before the clock.
uint32_t orderedLaunches(Commands &all, const Clock &clock, uint32_t now) {
  uint32_t first = now;
  for (uint32_t stream = 0; stream < all.ofStreams.size(); ++stream) {
    auto &launches = all.ofStreams[stream];
    const uint32_t known = stream < clock.size() ? clock[stream] : 0;
    const auto next = std::upper_bound(launches.begin(), launches.end(), std::pair(known, UINT32_MAX));
    if (next != launches.end())
      first = std::min(first, next->second);
  }
  return first - 1;
}

Kind kindOf(HostUse use) {
  switch (use) {
  case HostUse::read: return Kind::raceWithRead;
  case HostUse::write: return Kind::raceWithWrite;
  case HostUse::start: return Kind::raceWithStart;
  case HostUse::end: return Kind::raceWithEnd;
  }
  return Kind::raceWithWrite;
}

} // namespace

const std::vector<HostAccess> &RaceLaunch::copies() const {
  static thread_local std::vector<HostAccess> mine;
  static thread_local uint32_t ofLaunch = 0;
  static thread_local uint64_t version = 0;
  const uint64_t now = copiesVersion.load(std::memory_order_acquire);
  if (ofLaunch == number && version == now)
    return mine;
  ofLaunch = number;
  version = now;
  mine.clear();
  const auto all = commands().lock();
  for (const HostAccess &copy : all->copies)
    if (!isBefore(copy.moment, clock))
      mine.push_back(copy);
  return mine;
}

std::shared_ptr<RaceLaunch> beginLaunch(const LaunchState &launch, StreamOrder &order) {
  if (!tools().races)
    return nullptr;
  const Moment moment = order.next();
  auto made = std::make_shared<RaceLaunch>(checkedLaunch(launch).number, moment, order.clock());
  std::copy_n(launch.groupCount, 3, made->known.count.begin());
  std::copy_n(launch.groupSize, 3, made->known.size.begin());
  const auto all = commands().lock();
  all->launches.resize(std::max<size_t>(all->launches.size(), made->number + 1));
  all->launches[made->number] = made->known;
  made->orderedUpTo = orderedLaunches(*all, made->clock, made->number);
  all->ofStreams.resize(std::max<size_t>(all->ofStreams.size(), made->known.moment.stream + 1));
  auto &ofStream = all->ofStreams[made->known.moment.stream];
  ofStream.emplace_back(made->known.moment.time, made->number);
  if (ofStream.size() > kKeptCopies)
    ofStream.pop_front();
  all->recent.push_back(made);
  if (all->recent.size() > kRecentLaunches)
    all->recent.pop_front();
  return made;
}

namespace {

enum class Relation { ordered, race, withoutFence, inWarp };

/// How two accesses to the same bytes stand that are not both reads. Of those of one block, only what areApart() or areLanesApart().
Relation relate(const Side &before, const Side &now, Group &group) {
  RaceLaunch &launch = *group.race;
  const uint32_t number = numberOf(before.launch, launch.number);
  const bool inLaunch = number == launch.number, inBlock = inLaunch && before.block == now.block;
  if (before.orders && now.orders && (inBlock || !(before.blockScope || now.blockScope)))
    return Relation::ordered;
  if (inBlock && areInOneWarp(before, now))
    return Relation::inWarp;
  if (inBlock && group.warpOrder.hasSeen(before.item / kSubgroupSize, now.item / kSubgroupSize))
    return Relation::ordered;
  if (!inLaunch) {
    if (number <= launch.orderedUpTo)
      return Relation::ordered;
    const auto all = commands().lock();
    if (number >= all->launches.size() || isBefore(all->launches[number].moment, launch.clock))
      return Relation::ordered;
  }
  switch (launch.blocks.find(number, before.block, before.steps, now.block)) {
  case BlocksOrder::ordered: return Relation::ordered;
  case BlocksOrder::withoutFence: return inBlock ? Relation::ordered : Relation::withoutFence;
  case BlocksOrder::none: break;
  }
  return Relation::race;
}

/// An access that is being made.
struct Access {
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

void noteRace(const Side &before, Relation relation, const Access &access) {
  const RaceLaunch &launch = *access.group.race;
  const uint32_t number = numberOf(before.launch, launch.number);
  const CheckSite *other = siteOf(before.site);
  if (!other)
    return;
  KnownLaunch known;
  {
    const auto all = commands().lock();
    if (number >= all->launches.size())
      return;
    known = all->launches[number];
  }
  Finding finding = access.finding(before.isConstant && &access.site == other ? Kind::sameValue
                                   : relation == Relation::withoutFence       ? Kind::noFence
                                   : number != launch.number                  ? Kind::raceOfLaunches
                                   : relation == Relation::inWarp             ? Kind::raceOfLanes
                                                                              : Kind::raceOfBlocks);
  finding.other = other;
  finding.otherPlace = placeOf(before, known);
  finding.otherLaunch = number;
  note(*access.group.launch, finding);
}

/// Looks for a copy that is under way.
void compareWithCopies(const std::vector<HostAccess> &copies, const Access &access) {
  const auto begin = reinterpret_cast<uintptr_t>(access.address), end = begin + access.bytes;
  for (const HostAccess &copy : copies)
    if ((access.writes() || copy.writes()) && touches(copy.region, begin, end)) {
      Finding finding = access.finding(kindOf(copy.use));
      finding.otherStack = copy.hostStack;
      return note(*access.group.launch, finding);
    }
}

/// False if it can be seen at once that there is no race.
bool mayRace(const Side &before, const Side &now, const RaceLaunch &launch) {
  if (!before.launch || !(before.bytes & now.bytes))
    return false;
  if (before.launch != now.launch)
    return numberOf(before.launch, launch.number) > launch.orderedUpTo;
  return before.block != now.block || areApart(before, now) || areLanesApart(before, now);
}

/// The accesses of one place in a kernel.
class GlobalAccesses {
public:
  GlobalAccesses(Group &group, uint64_t bytes, const CheckSite &site)
      : access_{group, site, bytes}, launch_(*group.race), copies_(launch_.copies()) {
    now_.block = static_cast<uint32_t>(group.number) & 0x7fffffff;
    now_.site = group.sites.of(site);
    now_.orders = orders(site);
    now_.blockScope = (site.flags & checkBlockScope) != 0;
    now_.isConstant = (site.flags & checkConstant) != 0;
    now_.launch = launch_.number;
  }

  void add(uint32_t item, const void *address) {
    Group &group = access_.group;
    access_.item = item;
    access_.address = address;
    now_.item = item;
    if (group.passed[item] != passed_) {
      passed_ = group.passed[item];
      now_.epoch = passed_ % kEpochs;
    }
    if (group.met[item] != met_) {
      met_ = group.met[item];
      now_.inWarp = met_ % kMeetings;
    }
    if (group.order)
      now_.steps = group.order->stepsAtAccess();
    if (now_.orders && access_.writes())
      hasOrder();
    if (!copies_.empty()) [[unlikely]]
      compareWithCopies(copies_, access_);
    const auto begin = reinterpret_cast<uintptr_t>(address), end = begin + access_.bytes;
    bool found = false; // one is enough
    for (uintptr_t word = begin & ~(kWord - 1); word < end; word += kWord) {
      const uintptr_t from = std::max(begin, word) - word, to = std::min(end, word + kWord) - word;
      now_.bytes = ((1u << to) - 1) & ~((1u << from) - 1);
      found = compare(word, found);
    }
  }

private:
  // A write that others may read as a sign.
  void hasOrder() {
    guard_.release(); // the order of blocks has a lock of its own
    Group &group = access_.group;
    group.warpOrder.writes(access_.item / kSubgroupSize, access_.address);
    if (!group.order)
      group.order = &launch_.blocks.block(group.number);
    launch_.blocks.writes(*group.order, group.number, access_.address, now_.blockScope,
                          access_.site.flags & checkReleases);
  }

  // True if there is a race, if not before.
  bool compare(uintptr_t word, bool found) {
    if (word / kPageBytes != pageNumber_) {
      pageNumber_ = word / kPageBytes;
      page_ = &cells_.page(pageNumber_);
    }
    guard_.take(cells_.lockOf(word));
    Cell &cell = page_->cells[word % kPageBytes / kWord];
    Side suspects[3];
    unsigned count = 0;
    const bool writes = access_.writes();
    if (mayRace(cell.write, now_, launch_))
      suspects[count++] = cell.write;
    if (writes && mayRace(cell.first, now_, launch_))
      suspects[count++] = cell.first;
    if ((writes || cell.last.isWrite) && mayRace(cell.last, now_, launch_))
      suspects[count++] = cell.last;
    cell.keep(now_, writes,
              cell.first.launch != now_.launch || (cell.first.block == now_.block && !areApart(cell.first, now_)));
    if (!count || found) [[likely]]
      return found;
    guard_.release();
    for (unsigned i = 0; i < count; ++i)
      if (const Relation relation = relate(suspects[i], now_, access_.group); relation != Relation::ordered) {
        noteRace(suspects[i], relation, access_);
        return true;
      }
    return false;
  }

  Access access_;
  RaceLaunch &launch_;
  const std::vector<HostAccess> &copies_;
  Cells &cells_ = Cells::get();
  Guard guard_;
  Side now_;
  uint32_t passed_ = 0, met_ = 0;
  uintptr_t pageNumber_ = UINTPTR_MAX;
  Page *page_ = nullptr;
};

} // namespace

void accessGlobal(const WorkItem &first, const void *const *addresses, uint64_t bytes, const CheckSite &site,
                  uint32_t lanes) {
  if (site.flags & checkOfRuntime) // our own
    return;
  Group &group = groupOf(first);
  if (!group.race)
    return;
  GlobalAccesses accesses(group, bytes, site);
  for (; lanes; lanes &= lanes - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
    if (!isOwn(addresses[lane])) // or a variable of the work-item, by a pointer
      accesses.add(first.linearId + lane, addresses[lane]);
  }
}

void releaseAccesses(const void *begin, size_t bytes) {
  if (!tools().races)
    return;
  const uintptr_t first = reinterpret_cast<uintptr_t>(begin) / kPageBytes,
                  last = (reinterpret_cast<uintptr_t>(begin) + bytes) / kPageBytes;
  for (uintptr_t number = first; number <= last; ++number)
    if (Page *page = Cells::get().ifThere(number)) // allocations do not share it, because they lie farther apart
      ::madvise(page, sizeof(Page), MADV_DONTNEED);
}

void forgetAccesses(const void *begin, uint64_t bytes) {
  const auto first = reinterpret_cast<uintptr_t>(begin);
  Cells &cells = Cells::get();
  for (uintptr_t word = first & ~(kWord - 1); word < first + bytes; word += kWord) {
    Page *page = cells.ifThere(word / kPageBytes);
    if (!page) {
      word = (word / kPageBytes + 1) * kPageBytes - kWord;
      continue;
    }
    const Guard guard(cells.lockOf(word));
    page->cells[word % kPageBytes / kWord] = {};
  }
}

namespace {

// Accesses of kernels in the region that have no order with the copy. Mostly there are no such kernels, and nothing is looked at.
void compareWithKernels(const HostAccess &copy, const Clock &clock) {
  uint32_t last = 0, upTo = 0;
  {
    const auto all = commands().lock();
    last = static_cast<uint32_t>(all->launches.size() - 1);
    upTo = orderedLaunches(*all, clock, last + 1);
  }
  if (upTo >= last)
    return;
  const Region &region = copy.region;
  Cells &cells = Cells::get();
  for (size_t slice = 0; slice < region.slices; ++slice)
    for (size_t row = 0; row < region.rows; ++row) {
      const uintptr_t begin =
          reinterpret_cast<uintptr_t>(region.begin) + slice * region.slicePitch + row * region.pitch;
      for (uintptr_t word = begin & ~(kWord - 1); word < begin + region.width; word += kWord) {
        Page *page = cells.ifThere(word / kPageBytes);
        if (!page) {
          word = (word / kPageBytes + 1) * kPageBytes - kWord;
          continue;
        }
        Cell cell;
        {
          const Guard guard(cells.lockOf(word));
          cell = page->cells[word % kPageBytes / kWord];
        }
        for (const Side &side : {cell.write, copy.writes() ? cell.first : Side{},
                                 copy.writes() || cell.last.isWrite ? cell.last : Side{}}) {
          const uint32_t number = side.launch ? numberOf(side.launch, last) : 0;
          if (number <= upTo)
            continue;
          KnownLaunch known;
          {
            const auto all = commands().lock();
            if (number >= all->launches.size() || isBefore(all->launches[number].moment, clock))
              continue;
            known = all->launches[number];
          }
          const CheckSite *site = siteOf(side.site);
          if (!site)
            continue;
          reportRaceOfCopy({kindOf(copy.use),
                            site,
                            nullptr,
                            placeOf(side, known),
                            {},
                            reinterpret_cast<const void *>(word),
                            kWord,
                            0,
                            nullptr,
                            number,
                            0,
                            copy.hostStack});
          return;
        }
      }
    }
}

/// `changed` is changed in a way that no other use may meet, `from` is read.
void checkUses(const Region &changed, HostUse use, const Region *from, uint32_t hostStack, StreamOrder &order) {
  const Moment moment = order.next();
  const Clock clock = order.clock();
  const HostAccess write{changed, use, hostStack, moment};
  compareWithKernels(write, clock);
  if (from)
    compareWithKernels({*from, HostUse::read, hostStack, moment}, clock);
  const auto all = commands().lock();
  if (use == HostUse::start) // what is left of other memory that was here
    std::erase_if(all->copies, [&](const HostAccess &before) {
      return touches(before.region, reinterpret_cast<uintptr_t>(changed.begin), endOf(changed));
    });
  for (const HostAccess &before : all->copies) {
    if (isBefore(before.moment, clock))
      continue;
    const auto begin = reinterpret_cast<uintptr_t>(before.region.begin);
    const bool meetsWrite = touches(changed, begin, endOf(before.region));
    if (meetsWrite || (from && before.writes() && touches(*from, begin, endOf(before.region)))) {
      reportRaceOfCopies(meetsWrite ? changed.begin : from->begin, hostStack, before.hostStack);
      break;
    }
  }
  all->copies.push_back(write);
  if (from)
    all->copies.push_back({*from, HostUse::read, hostStack, moment});
  while (all->copies.size() > kKeptCopies)
    all->copies.pop_front();
  copiesVersion.fetch_add(1, std::memory_order_release);
}

} // namespace

void checkCopy(const Region &to, const Region *from, uint32_t hostStack, StreamOrder &order) {
  if (tools().races)
    checkUses(to, HostUse::write, from, hostStack, order);
}

void checkLifetime(const Region &memory, bool begins, uint32_t hostStack, StreamOrder &order) {
  if (tools().races)
    checkUses(memory, begins ? HostUse::start : HostUse::end, nullptr, hostStack, order);
}

} // namespace hiplz::cpu::check

using namespace hiplz::cpu;

// What an atomic read may have seen is known only now: the call in front of it can come before the other block's write.
void hiplz_cpu_check_seen(WorkItem *item, const void *address, const CheckSite *site) {
  using namespace check;
  Group &group = groupOf(*item);
  if (!group.race || isOwn(address))
    return;
  group.warpOrder.hasRead(warpOf(*item), address);
  if (isLocal(*item, address))
    return;
  if (!group.order)
    group.order = &group.race->blocks.block(group.number);
  group.race->blocks.hasRead(*group.order, group.number, address, site->flags & checkBlockScope);
}

void hiplz_cpu_check_fence(WorkItem *item) {
  using namespace check;
  Group &group = groupOf(*item);
  if (!group.race)
    return;
  if (!group.order)
    group.order = &group.race->blocks.block(group.number);
  group.race->blocks.fences(*group.order);
}
