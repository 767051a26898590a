// SPDX-License-Identifier: MIT
// An access that lanes of a warp make together. Most are rows: neighbouring lanes, and as many bytes from the address of each to that of the
// next. What a row touches can be looked at as a whole.
#pragma once
#include "cpu/abi/check_functions.h"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace hiplz::cpu::check {

/// True for accesses that order others.
inline bool orders(const CheckSite &site) { return site.flags & (checkAtomic | checkVolatile); }

/// True if one of two accesses that order others, by different warps, is meant for the other one: it is atomic, or a flag is read. Of other
/// volatile accesses only the order of the program says which value is read.
inline bool isSignal(const CheckSite &one, const CheckSite &other) {
  return (one.flags | other.flags) & (checkAtomic | checkFlag);
}

/// Lanes whose addresses are as far apart as their numbers are, times a stride. Lanes between them may be missing.
struct Row {
  uint32_t count =
      0; ///< of lanes, from the first to the last, those that are missing included; none: the addresses are no row
  uint32_t stride = 0; ///< bytes from one address to the next; 0: all lanes access one
  uintptr_t begin = 0; ///< address of the first lane

  explicit operator bool() const { return count != 0; }
  uintptr_t last() const { return begin + uintptr_t{stride} * (count - 1); }
};

/// Lane i is the work-item `first.linearId + i`; all are of one warp. At least one takes part, and each accesses at least a byte.
class LaneAccess {
public:
  /// `addresses`: of each lane; those of others than `lanes` are not looked at.
  LaneAccess(const WorkItem &first, const void *const *addresses, uint64_t bytes, const CheckSite &site, uint32_t lanes)
      : first(first), bytes(bytes), site(site), lanes(lanes), addresses_(addresses) {
    const uint32_t firstOne = firstLane(), others = lanes & (lanes - 1);
    const uintptr_t begin = at(firstOne);
    if (!others) {
      setRow(begin, 0);
      return;
    }
    const auto next = static_cast<uint32_t>(std::countr_zero(others));
    const uintptr_t stride =
        static_cast<uintptr_t>(static_cast<intptr_t>(at(next) - begin) / static_cast<intptr_t>(next - firstOne));
    uintptr_t different = 0;
    if (hasHoles())
      for (uint32_t left = lanes; left; left &= left - 1)
        different |= differenceAt(static_cast<uint32_t>(std::countr_zero(left)), begin, stride);
    else
      for (uint32_t lane = firstOne, last = lastLane(); lane <= last; ++lane) // no branches, so that it becomes vectors
        different |= differenceAt(lane, begin, stride);
    if (!different)
      setRow(begin, stride);
  }
  /// Lane i accesses `origin + i * stride`.
  LaneAccess(const WorkItem &first, const void *origin, int64_t stride, uint64_t bytes, const CheckSite &site,
             uint32_t lanes)
      : first(first), bytes(bytes), site(site), lanes(lanes), origin_(reinterpret_cast<uintptr_t>(origin)),
        stride_(static_cast<uintptr_t>(stride)) {
    setRow(at(firstLane()), lanes & (lanes - 1) ? stride_ : 0);
  }

  const void *addressOf(uint32_t lane) const { return reinterpret_cast<const void *>(at(lane)); }
  uint32_t firstLane() const { return static_cast<uint32_t>(std::countr_zero(lanes)); }
  uint32_t lastLane() const { return 31 - static_cast<uint32_t>(std::countl_zero(lanes)); }
  uint32_t firstItem() const { return first.linearId + firstLane(); }
  uint32_t lastItem() const { return first.linearId + lastLane(); }

  /// True if lanes between the first and the last one take no part.
  bool hasHoles() const { return (lanes + (lanes & -lanes)) & lanes; }

  const WorkItem &first;
  const uint64_t bytes; ///< that each lane accesses
  const CheckSite &site;
  uint32_t lanes; ///< bit i: lane i takes part
  Row row;        ///< of these lanes, or none

private:
  uintptr_t at(uint32_t lane) const {
    return addresses_ ? reinterpret_cast<uintptr_t>(addresses_[lane]) : origin_ + lane * stride_;
  }
  uintptr_t differenceAt(uint32_t lane, uintptr_t begin, uintptr_t stride) const {
    return at(lane) ^ (begin + (lane - firstLane()) * stride);
  }
  void setRow(uintptr_t begin, uintptr_t stride) {
    if (stride <= UINT32_MAX)
      row = {lastLane() - firstLane() + 1, static_cast<uint32_t>(stride), begin};
  }

  const void *const *addresses_ = nullptr;
  uintptr_t origin_ = 0, stride_ = 0;
};

} // namespace hiplz::cpu::check
