// SPDX-License-Identifier: MIT
// See waiting_accesses.h.
#include "cpu/check/waiting_accesses.h"

#include <algorithm>

namespace hiplz::cpu::check {
namespace {

constexpr uint32_t kWordBytes = 4, kBits = 64; // of an element
constexpr uint32_t kWords = kMaxLocalBytes / kWordBytes;
constexpr uint8_t kNobody = 0, kSeveral = UINT8_MAX; // of lanes; otherwise one more than the number

using Span = AccessSpan;

bool areDisjoint(const Span &one, const Span &other) { return one.end <= other.begin || other.end <= one.begin; }

Span wordsOf(uint32_t begin, uint32_t bytes) {
  return {begin / kWordBytes, (begin + bytes + kWordBytes - 1) / kWordBytes};
}

/// Calls `visit` with the elements of `words` that have bits of the span, and with these bits.
template <class Visit> void forEachElement(uint64_t *words, Span span, Visit visit) {
  uint32_t element = span.begin / kBits;
  const uint32_t last = (span.end - 1) / kBits;
  uint64_t bits = ~uint64_t{0} << span.begin % kBits;
  for (; element < last; ++element, bits = ~uint64_t{0})
    visit(words[element], bits);
  visit(words[last], bits & ~uint64_t{0} >> (kBits - 1 - (span.end - 1) % kBits));
}

bool writes(const WaitingAccess &access) { return access.site->flags & checkWrite; }
uint32_t firstLane(const WaitingAccess &access) { return static_cast<uint32_t>(std::countr_zero(access.lanes)); }
uint32_t lastLane(const WaitingAccess &access) { return 31 - static_cast<uint32_t>(std::countl_zero(access.lanes)); }

/// The bytes from the first lane's to the last one's, of lanes that are a row.
Span bytesOf(const WaitingAccess &access) {
  const auto at = [&](uint32_t lane) {
    return static_cast<uint32_t>(access.at + static_cast<int32_t>(lane) * access.stride);
  };
  return {at(firstLane(access)), at(lastLane(access)) + access.bytes};
}

bool isOneLane(const WaitingAccess &access) { return !(access.lanes & (access.lanes - 1)); }
/// True if no two lanes access the same byte.
bool areLanesApart(const WaitingAccess &access) { return access.stride >= access.bytes || isOneLane(access); }

/// True for two accesses of one lane.
bool areOfOneLane(const WaitingAccess &one, const WaitingAccess &other) {
  return isOneLane(one) && one.lanes == other.lanes;
}

/// True if, of two accesses by one warp, each lane that makes both accesses the same bytes, which are no other lane's.
bool isSame(const WaitingAccess &one, const WaitingAccess &other) {
  return one.at == other.at && one.stride == other.stride && one.bytes == other.bytes &&
         (one.stride >= one.bytes || areOfOneLane(one, other));
}

/// The next access that is not of the same lanes.
const WaitingAccess *behindWarp(const WaitingAccess *from, const WaitingAccess *end) {
  const WaitingAccess *next = from + 1;
  while (next != end && next->item == from->item)
    ++next;
  return next;
}

} // namespace

bool WaitingAccesses::add(const LaneAccess &access, const std::byte *local) {
  if (group_.waitingCount == CheckedGroup::kMostWaiting || access.bytes > UINT16_MAX)
    return false;
  const auto base = reinterpret_cast<uintptr_t>(local);
  Access &added = group_.waiting[group_.waitingCount++];
  added = {&access.site,
           0,
           0,
           access.lanes,
           static_cast<uint16_t>(access.first.linearId),
           static_cast<uint16_t>(access.bytes)};
  if (const Row &row = access.row; row && row.stride < kMaxLocalBytes) {
    added.stride = static_cast<int32_t>(row.stride);
    added.at = static_cast<int32_t>(row.begin - base) - static_cast<int32_t>(access.firstLane()) * added.stride;
    return true;
  }
  added.stride = kIrregular;
  added.at = static_cast<int32_t>(offsets_.size());
  offsets_.resize(offsets_.size() + kSubgroupSize);
  for (uint32_t left = access.lanes; left; left &= left - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(left));
    offsets_[static_cast<uint32_t>(added.at) + lane] =
        static_cast<uint16_t>(reinterpret_cast<uintptr_t>(access.addressOf(lane)) - base);
  }
  return true;
}

// The common case: rows of words that ascend from warp to warp are written, and what lies before or behind all of them is read, or by each lane
// its own.
bool WaitingAccesses::areInRows() const {
  Span written{UINT32_MAX, 0}, read{UINT32_MAX, 0};
  for (const Access *from = begin(), *to; from != end(); from = to) {
    to = behindWarp(from, end());
    const Access *write = nullptr;
    for (const Access *each = from; each != to; ++each) {
      if (isIrregular(*each) || !writes(*each))
        continue;
      if (write && isSame(*write, *each) && write->lanes == each->lanes)
        continue;
      const Span span = bytesOf(*each);
      if (span.begin < written.end || !areLanesApart(*each))
        return false;
      written = {std::min(written.begin, span.begin), span.end};
      write = each;
    }
    for (const Access *each = from; each != to; ++each) {
      if (isIrregular(*each))
        return false;
      if (writes(*each) || (write && isSame(*write, *each) && !(each->lanes & ~write->lanes)))
        continue;
      const Span span = bytesOf(*each);
      read = {std::min(read.begin, span.begin), std::max(read.end, span.end)};
    }
  }
  return areDisjoint(written, read);
}

// The words that the lanes access, lane by lane unless these lie side by side.
template <class Visit> void WaitingAccesses::forEachPart(const Access &access, Visit visit) const {
  const uint32_t first = offset(access, firstLane(access));
  if (access.stride == 0)
    return visit(wordsOf(first, access.bytes));
  if (access.stride == access.bytes && !((access.lanes + (access.lanes & -access.lanes)) & access.lanes))
    return visit(wordsOf(first, access.bytes * static_cast<uint32_t>(std::popcount(access.lanes))));
  for (uint32_t left = access.lanes; left; left &= left - 1)
    visit(wordsOf(offset(access, static_cast<uint32_t>(std::countr_zero(left))), access.bytes));
}

// True if somebody has written the words, or has accessed those that are written now.
bool WaitingAccesses::meets(Span span, bool isWrite) {
  uint64_t common = 0;
  forEachElement((isWrite ? accessed_ : written_).data(), span,
                 [&](uint64_t element, uint64_t bits) { common |= element & bits; });
  return common;
}

void WaitingAccesses::mark(Span span, bool isWrite) {
  const auto add = [](uint64_t &element, uint64_t bits) { element |= bits; };
  forEachElement(accessed_.data(), span, add);
  if (isWrite)
    forEachElement(written_.data(), span, add);
}

// The next common case: nobody writes a word that is accessed more than once.
bool WaitingAccesses::areApart() {
  for (const Access *access = begin(); access != end(); ++access) {
    const bool isWrite = writes(*access);
    if (isWrite && access->stride == 0 && !isOneLane(*access))
      return false;
    bool meet = false;
    forEachPart(*access, [&](Span span) {
      meet |= meets(span, isWrite);
      mark(span, isWrite);
    });
    if (meet)
      return false;
  }
  return true;
}

// Of the accesses of a warp, with those of the warps before it.
bool WaitingAccesses::meetsOthers(const Access *from, const Access *to) {
  bool meet = false;
  for (const Access *access = from; access != to; ++access)
    forEachPart(*access, [&](Span span) { meet |= meets(span, writes(*access)); });
  if (meet)
    return true;
  for (const Access *access = from; access != to; ++access)
    forEachPart(*access, [&](Span span) { mark(span, writes(*access)); });
  return false;
}

// Of the accesses of a warp, with each other.
bool WaitingAccesses::meetsItself(const Access *from, const Access *to) {
  constexpr ptrdiff_t kMostCompared = 32;
  if (std::none_of(from, to, writes) ||
      std::all_of(from, to, [&](const Access &access) { return isOneLane(access) && access.lanes == from->lanes; }))
    return false;
  if (to - from > kMostCompared)
    return lanesMeet(from, to);
  std::array<Span, kMostCompared> spans;
  for (const Access *now = from; now != to; ++now) {
    if (isIrregular(*now) || (writes(*now) && !areLanesApart(*now)))
      return lanesMeet(from, to);
    const Span &span = spans[static_cast<size_t>(now - from)] = bytesOf(*now);
    for (const Access *before = from; before != now; ++before)
      if ((writes(*now) || writes(*before)) && !isSame(*before, *now) && !areOfOneLane(*before, *now) &&
          !areDisjoint(span, spans[static_cast<size_t>(before - from)]))
        return lanesMeet(from, to);
  }
  return false;
}

// By words: which lane has written it, and which has read it.
bool WaitingAccesses::lanesMeet(const Access *from, const Access *to) {
  writers_.resize(kWords);
  readers_.resize(kWords);
  const auto forEachWord = [&](const Access &access, auto visit) {
    for (uint32_t left = access.lanes; left; left &= left - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(left));
      const Span span = wordsOf(offset(access, lane), access.bytes);
      for (uint32_t word = span.begin; word < span.end; ++word)
        visit(word, static_cast<uint8_t>(lane + 1));
    }
  };
  const auto isOther = [](uint8_t one, uint8_t name) { return one != kNobody && one != name; };
  bool meet = false;
  for (const Access *access = from; access != to; ++access)
    forEachWord(*access, [&](uint32_t word, uint8_t name) {
      uint8_t &writer = writers_[word], &reader = readers_[word];
      meet = meet || isOther(writer, name) || (writes(*access) && isOther(reader, name));
      if (writes(*access))
        writer = name;
      else
        reader = isOther(reader, name) ? kSeveral : name;
    });
  for (const Access *access = from; access != to; ++access)
    forEachWord(*access, [&](uint32_t word, uint8_t) { writers_[word] = readers_[word] = kNobody; });
  return meet;
}

bool WaitingAccesses::mayRace(uint64_t bytes) {
  if (areInRows())
    return false;
  const uint64_t elements = (bytes / kWordBytes + kBits) / kBits;
  const auto forget = [&](Words &words) {
    words.resize(kWords / kBits + 1);
    std::fill_n(words.begin(), elements, 0);
  };
  forget(written_);
  forget(accessed_);
  if (areApart())
    return false;
  forget(written_);
  forget(accessed_);
  for (const Access *from = begin(), *to; from != end(); from = to) {
    to = behindWarp(from, end());
    if (meetsItself(from, to) || meetsOthers(from, to))
      return true;
  }
  return false;
}

} // namespace hiplz::cpu::check
