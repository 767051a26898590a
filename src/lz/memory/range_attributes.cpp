// SPDX-License-Identifier: MIT
// Attributes by intervals of addresses. Nobody says when an allocation ends: its intervals are recognised by the
// allocation's id, and swept away when there are many.
#include "lz/memory/range_attributes.h"
#include "lz/memory/memory.h"

#include <algorithm>
#include <iterator>

namespace hiplz {
namespace {

constexpr uintptr_t kPage = 4096;

void keepCommon(RangeState &state, const RangeState &other) {
  state.readMostly &= other.readMostly;
  if (state.coherency != other.coherency)
    state.coherency = hipMemRangeCoherencyModeIndeterminate;
  if (state.preferred != other.preferred)
    state.preferred = hipInvalidDeviceId;
  if (state.lastPrefetch != other.lastPrefetch)
    state.lastPrefetch = hipInvalidDeviceId;
  std::erase_if(state.accessedBy, [&](int device) {
    return std::find(other.accessedBy.begin(), other.accessedBy.end(), device) == other.accessedBy.end();
  });
}

} // namespace

// No part reaches across the address afterwards.
void RangeAttributes::Parts::split(uintptr_t at) {
  auto next = byBegin.lower_bound(at);
  if (next == byBegin.begin())
    return;
  Part &part = std::prev(next)->second;
  if (part.end <= at)
    return;
  byBegin.emplace_hint(next, at, part);
  part.end = at;
}

// The parts that cover the pages of the range, without gaps.
std::vector<RangeAttributes::Part *> RangeAttributes::Parts::of(const Allocation &allocation, const void *pointer,
                                                                size_t bytes) {
  const uintptr_t first = reinterpret_cast<uintptr_t>(pointer);
  uintptr_t begin = first / kPage * kPage, end = (first + bytes + kPage - 1) / kPage * kPage;
  if (allocation.id != 0) {
    const uintptr_t base = reinterpret_cast<uintptr_t>(allocation.base);
    begin = std::max(begin, base);
    end = std::min(end, base + allocation.bytes);
  }
  split(begin);
  split(end);
  std::vector<Part *> found;
  auto next = byBegin.lower_bound(begin);
  while (begin < end) {
    if (next == byBegin.end() || next->first > begin) {
      const uintptr_t gapEnd = next == byBegin.end() ? end : std::min(end, next->first);
      next = byBegin.emplace_hint(next, begin, Part{gapEnd, allocation.id, {}});
    }
    Part &part = next->second;
    if (part.allocation != allocation.id)
      part = {part.end, allocation.id, {}};
    found.push_back(&part);
    begin = part.end;
    ++next;
  }
  return found;
}

RangeState RangeAttributes::common(const Allocation &allocation, const void *pointer, size_t bytes) const {
  const auto parts = parts_.lock();
  const std::map<uintptr_t, Part> &byBegin = parts->byBegin;
  static const RangeState none;
  uintptr_t begin = reinterpret_cast<uintptr_t>(pointer);
  const uintptr_t end = begin + bytes;
  auto next = byBegin.upper_bound(begin);
  if (next != byBegin.begin() && std::prev(next)->second.end > begin)
    --next;
  std::optional<RangeState> state;
  while (begin < end) {
    const bool gap = next == byBegin.end() || next->first > begin;
    const RangeState &here = gap || next->second.allocation != allocation.id ? none : next->second.state;
    if (state)
      keepCommon(*state, here);
    else
      state = here;
    begin = gap ? (next == byBegin.end() ? end : next->first) : next++->second.end;
  }
  return state.value_or(none);
}

void RangeAttributes::Parts::sweep() {
  const AllocationTable &table = allocationTable();
  std::erase_if(byBegin, [&](const auto &entry) {
    const auto &[begin, part] = entry;
    if (part.state == RangeState{})
      return true;
    const std::optional<Allocation> owner = table.find(reinterpret_cast<const void *>(begin));
    return part.allocation != (owner ? owner->id : 0);
  });
  sweepAbove = std::max<size_t>(64, 2 * byBegin.size());
}

} // namespace hiplz
