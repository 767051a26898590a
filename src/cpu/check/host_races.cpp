// SPDX-License-Identifier: MIT
// See global_races.h: copies, fills and the lifetime of memory. They are in a list by themselves, because they are large and mostly have an order.
#include "cpu/check/findings.h"
#include "cpu/check/global_races.h"
#include "cpu/check/pages.h"
#include "cpu/check/race_launch.h"
#include "cpu/check/regions.h"
#include "cpu/check/site_numbers.h"
#include "cpu/check/tags.h"
#include "cpu/check/tools.h"

#include <algorithm>
#include <atomic>
#include <sys/mman.h>

namespace hiplz::cpu::check {

void releaseAccesses(const void *begin, size_t bytes) {
  if (!tools().races)
    return;
  releaseTags(reinterpret_cast<uintptr_t>(begin));
  const uintptr_t first = reinterpret_cast<uintptr_t>(begin) / kPageBytes,
                  last = (reinterpret_cast<uintptr_t>(begin) + bytes) / kPageBytes;
  for (uintptr_t number = first; number <= last; ++number)
    if (Page *page = Pages::get().ifThere(number)) // allocations do not share it, because they lie farther apart
      ::madvise(page, sizeof(Page), MADV_DONTNEED);
}

void forgetAccesses(const void *begin, uint64_t bytes) {
  const auto first = reinterpret_cast<uintptr_t>(begin);
  forgetTags(first, bytes);
  Pages &pages = Pages::get();
  for (uintptr_t word = first & ~(kWord - 1); word < first + bytes; word += kWord)
    if (Page *page = pages.ifThere(word / kPageBytes)) {
      const Guard guard(pages.lockOf(word));
      page->forget(word);
    } else {
      word = (word / kPageBytes + 1) * kPageBytes - kWord;
    }
}

namespace {

/// Looks for accesses of kernels that have no order with a copy.
class KernelsBesideCopy {
public:
  KernelsBesideCopy(const HostAccess &copy, const Clock &clock) : copy_(copy), clock_(clock) {
    const auto all = commands().lock();
    last_ = static_cast<uint32_t>(all->launches.size() - 1);
    upTo_ = all->orderedLaunches(clock, last_ + 1);
  }

  void run() {
    if (upTo_ >= last_) // mostly there are no such kernels
      return;
    const Region &region = copy_.region;
    for (size_t slice = 0; slice < region.slices; ++slice)
      for (size_t row = 0; row < region.rows; ++row) {
        const uintptr_t begin =
            reinterpret_cast<uintptr_t>(region.begin) + slice * region.slicePitch + row * region.pitch;
        compareWithPages(begin, begin + region.width);
        leaveTags(begin, begin + region.width);
      }
  }

private:
  void compareWithPages(uintptr_t begin, uintptr_t end) {
    Pages &pages = Pages::get();
    for (uintptr_t word = begin & ~(kWord - 1); word < end && !isFound_; word += kWord) {
      Page *page = pages.ifThere(word / kPageBytes);
      if (!page) {
        word = (word / kPageBytes + 1) * kPageBytes - kWord;
        continue;
      }
      Cell cell;
      {
        const Guard guard(pages.lockOf(word));
        cell = page->known(word);
      }
      for (const Side &side : {cell.write, copy_.writes() ? cell.first : Side{},
                               copy_.writes() || cell.last.isAtomicWrite() ? cell.last : Side{}})
        if (side.launch && side.bytes & bytesOfWord(word, begin, end) && !isFound_)
          compare(word, side, numberOf(side.launch, last_));
    }
  }

  // Kernels that come to the words from now on look into the list of copies.
  void leaveTags(uintptr_t begin, uintptr_t end) {
    for (uintptr_t at = begin; at < end; at = (at / kTagWord + 1) * kTagWord) {
      const CheckTags *const tags = tagsOf(at);
      if (!tags)
        return; // a copy is within one allocation
      const size_t word = (at - tags->begin) / kTagWord;
      for (const bool isWrite : {false, true}) {
        const std::atomic_ref mark(tags->launches[isWrite][word]);
        const uint32_t before = isWrite == copy_.writes() ? mark.exchange(kTagOfCopy) : mark.load();
        // Behind the mark: a kernel leaves the place first.
        const uint64_t place = std::atomic_ref(tags->places[isWrite][word]).load(std::memory_order_relaxed);
        if ((isWrite || copy_.writes()) && before != kTagOfCopy && !(place & kPlaceIsKnown) &&
            bytesOfPlace(place) & bytesOfWord(at / kTagWord * kTagWord, begin, end) && !isFound_)
          compare(tags->begin + word * kTagWord, sideOfPlace(place, before), before);
      }
    }
  }

  void compare(uintptr_t word, const Side &side, uint32_t number) {
    if (number <= upTo_)
      return;
    KnownLaunch known;
    {
      const auto all = commands().lock();
      const KnownLaunch *launch = all->unorderedLaunch(number, clock_);
      if (!launch)
        return;
      known = *launch;
    }
    const CheckSite *site = siteOf(side.site);
    if (!site)
      return;
    reportRaceOfCopy({kindOf(copy_.use),
                      site,
                      nullptr,
                      known.placeOf(side.item, side.block),
                      {},
                      reinterpret_cast<const void *>(word),
                      site->accessBytes ? site->accessBytes : kWord,
                      0,
                      nullptr,
                      number,
                      0,
                      copy_.submission});
    isFound_ = true;
  }

  const HostAccess &copy_;
  const Clock &clock_;
  uint32_t last_ = 0, upTo_ = 0;
  bool isFound_ = false; ///< one is enough
};

// Looks for others that have no order with it, and adds it to the list.
void compareWithOthers(const HostAccess &write, const HostAccess *read, const Clock &clock) {
  const Region &changed = write.region;
  const auto all = commands().lock();
  if (write.use == HostUse::start) // what is left of other memory that was here
    std::erase_if(all->copies, [&](const HostAccess &before) {
      return touches(before.region, reinterpret_cast<uintptr_t>(changed.begin), endOf(changed));
    });
  for (const HostAccess &before : all->copies) {
    if (isBefore(before.moment, clock))
      continue;
    const auto begin = reinterpret_cast<uintptr_t>(before.region.begin);
    const bool meetsWrite = touches(changed, begin, endOf(before.region));
    if (meetsWrite || (read && before.writes() && touches(read->region, begin, endOf(before.region)))) {
      reportRaceOfCopies(meetsWrite ? changed.begin : read->region.begin, write.submission, before.submission);
      break;
    }
  }
  all->copies.push_back(write);
  if (read)
    all->copies.push_back(*read);
  while (all->copies.size() > Commands::kKept)
    all->copies.pop_front();
  RaceLaunch::copiesVersion.fetch_add(1);
}

/// `changed` is changed in a way that no other use may meet, `from` is read.
void checkUses(const Region &changed, HostUse use, const Region *from, uint32_t submission, StreamOrder &order) {
  const Moment moment = order.next();
  const Clock clock = order.clock();
  const HostAccess write{changed, use, submission, moment};
  const HostAccess read{from ? *from : Region{}, HostUse::read, submission, moment};
  // First the list, then what kernels have accessed: a kernel keeps its access and then looks at the list again, so one of the two sees the
  // other.
  compareWithOthers(write, from ? &read : nullptr, clock);
  KernelsBesideCopy(write, clock).run();
  if (from)
    KernelsBesideCopy(read, clock).run();
}

} // namespace

void checkCopy(const Region &to, const Region *from, uint32_t submission, StreamOrder &order) {
  if (tools().races)
    checkUses(to, HostUse::write, from, submission, order);
}

void checkLifetime(const Region &memory, bool begins, uint32_t submission, StreamOrder &order) {
  if (tools().races)
    checkUses(memory, begins ? HostUse::start : HostUse::end, nullptr, submission, order);
}

} // namespace hiplz::cpu::check
