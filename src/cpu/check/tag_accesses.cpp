// SPDX-License-Identifier: MIT
// See tag_accesses.h.
#include "cpu/check/tag_accesses.h"
#include "cpu/check/launch_uses.h"
#include "cpu/check/pages.h"
#include "cpu/check/site_numbers.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

namespace hiplz::cpu::check {
namespace {

constexpr unsigned kTogether = 4; // words of which tags are left at once

} // namespace

void TagAccesses::leaveAll(const CheckTags &tags) {
  static_cast<LaunchUses *>(checkedLaunch(*access_.group.launch).decision)
      ->know(lanes_.site, access_.group.sites.of(lanes_.site));
  if (!leaveRow(tags))
    forEachLane([&](uint32_t lane) { leave(tags, lane, 0); });
}

void TagAccesses::leaveBesideHistory() {
  forEachLane([&](uint32_t lane) {
    if (const CheckTags *tags = tagsOf(reinterpret_cast<uintptr_t>(lanes_.addressOf(lane))))
      leave(*tags, lane, kPlaceIsKnown);
  });
}

// Allocations have tags as a whole, and there are none between those of neighbouring lanes.
bool TagAccesses::mayBeAny(const LaneAccess &lanes) {
  const Row &row = lanes.row;
  return !row || row.last() - row.begin > kPageBytes || tagsOf(row.begin) || tagsOf(row.last());
}

void TagAccesses::leave(const CheckTags &tags, uint32_t lane, uint64_t isKnown) {
  beLane(lane);
  const uintptr_t begin = reinterpret_cast<uintptr_t>(access_.address) - tags.begin;
  const uintptr_t end = std::min(begin + access_.bytes, tags.bytes);
  bool found = false; // one is enough
  for (uintptr_t word = begin / kTagWord; word * kTagWord < end; ++word) {
    if (!isKnown && begin <= word * kTagWord && (word + kTogether) * kTagWord <= end && leaveTogether(tags, word)) {
      word += kTogether - 1;
      continue;
    }
    found = leaveWord(tags, word, bytesOfWord(word * kTagWord, begin, end), isKnown, found);
  }
}

// Several words, which mostly all are new to the launch, or none. False if they have to be looked at one by one.
bool TagAccesses::leaveTogether(const CheckTags &tags, uintptr_t word) {
  using Launches = uint32_t __attribute__((vector_size(kTogether * 4)));
  using Places = uint64_t __attribute__((vector_size(kTogether * 8)));
  const bool writes = access_.writes();
  uint32_t *const launches = tags.launches[writes] + word;
  uint64_t *const places = tags.places[writes] + word;
  Launches mine, other;
  std::memcpy(&mine, launches, sizeof mine);
  std::memcpy(&other, tags.launches[!writes] + word, sizeof other);
  const auto areAll = [](auto holds) { return (holds[0] & holds[1] & holds[2] & holds[3]) != 0; };
  if (areAll(mine == launch_.number)) {
    Places known;
    std::memcpy(&known, places, sizeof known);
    return !((known[0] | known[1] | known[2] | known[3]) & kAllBytes << kMissingAt);
  }
  const Launches ordered = Launches{} + launch_.orderedUpTo, now = Launches{} + launch_.number;
  if (!areAll((other <= ordered) | (other == now)) || (writes && !areAll((mine <= ordered) | (mine == now))))
    return false;
  const Places place = Places{} + ((low_ | uint64_t{access_.item} << Side::kItemAt) & ~(kAllBytes << kMissingAt));
  std::memcpy(places, &place, sizeof place);
  std::memcpy(launches, &now, sizeof now);
  return true;
}

// Lanes whose bytes lie side by side, or are the same. False if they are none.
bool TagAccesses::leaveRow(const CheckTags &tags) {
  const Row &row = lanes_.row;
  if (!row || lanes_.bytes >= kTogether * kTagWord || (row.stride && (row.stride != lanes_.bytes || lanes_.hasHoles())))
    return false;
  const uintptr_t begin = row.begin - tags.begin, end = row.last() + lanes_.bytes - tags.begin;
  bool found = false;
  for (uintptr_t word = begin / kTagWord; word * kTagWord < end; ++word) {
    const uintptr_t from = std::max(word * kTagWord, begin) - begin;
    beLane(lanes_.firstLane() + (row.stride ? static_cast<uint32_t>(from / row.stride) : 0));
    found = leaveWord(tags, word, bytesOfWord(word * kTagWord, begin, end), 0, found);
  }
  return true;
}

// The first access of the launch to a word, or to some of its bytes, is compared with those of others. True if there is a race, if not before.
bool TagAccesses::leaveWord(const CheckTags &tags, uintptr_t word, uint64_t bytes, uint64_t isKnown, bool found) {
  const bool writes = access_.writes();
  const std::atomic_ref mine(tags.launches[writes][word]), other(tags.launches[!writes][word]);
  const std::atomic_ref place(tags.places[writes][word]);
  const uint32_t last = mine.load(std::memory_order_relaxed);
  if (last == launch_.number && !(bytes & ~bytesOfPlace(place.load(std::memory_order_relaxed))))
    return found;
  const std::array sides{last, other.load(std::memory_order_relaxed)};
  for (const bool isOther : {false, true})
    if (const uint32_t before = sides[isOther];
        before > launch_.orderedUpTo && before != launch_.number && (writes || isOther) && !found)
      found = compare(before, tags, word, isOther != writes, bytes, isKnown);
  if (last == launch_.number) {
    place.fetch_and(~(bytes << kMissingAt), std::memory_order_relaxed);
    return found;
  }
  const uint64_t now = (low_ | isKnown | uint64_t{access_.item} << Side::kItemAt) & ~(kAllBytes << kMissingAt);
  place.store(now | (isKnown ? 0 : kAllBytes & ~bytes) << kMissingAt, std::memory_order_relaxed);
  mine.store(launch_.number, std::memory_order_relaxed);
  return found;
}

bool TagAccesses::compare(uint32_t launch, const CheckTags &tags, uintptr_t word, bool isWrite, uint64_t bytes,
                          uint64_t isKnown) {
  if (launch == kTagOfCopy) {
    const uintptr_t at = tags.begin + word * kTagWord;
    compareWithCopies(copies_, access_, at + static_cast<unsigned>(std::countr_zero(bytes)),
                      at + static_cast<unsigned>(std::bit_width(bytes)));
    return false;
  }
  const uint64_t low = std::atomic_ref(tags.places[isWrite][word]).load(std::memory_order_relaxed);
  if (low & isKnown || !(bytesOfPlace(low) & bytes)) // the other history has shown it
    return false;
  Side before = sideOfPlace(low, launch);
  if (const CheckSite *site = siteOf(before.site))
    before.isConstant = (site->flags & checkConstant) != 0;
  const Relation relation =
      relate(before, Side::of(low_ | uint64_t{access_.item} << Side::kItemAt, 0), access_.site, access_.group);
  if (relation == Relation::ordered)
    return false;
  GlobalAccess one = access_;
  if (const uint64_t each = access_.site.accessBytes; each && each < one.bytes) { // one of a loop
    const uintptr_t from = std::max(tags.begin + word * kTagWord, reinterpret_cast<uintptr_t>(one.address)) -
                           reinterpret_cast<uintptr_t>(one.address);
    one.address = static_cast<const std::byte *>(one.address) + from / each * each;
    one.bytes = each;
  }
  noteRace(before, relation, one);
  return true;
}

} // namespace hiplz::cpu::check
