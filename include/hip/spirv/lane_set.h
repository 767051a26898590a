// SPDX-License-Identifier: MIT
// Sets of threads of one warp, as tiles and coalesced groups have them: which lanes belong to it, a thread's rank among
// them, and the lane of each rank. Votes, matches and shuffles of a group speak of ranks, those of a warp of lanes.
#pragma once

#include "hip/spirv/index.h"
#include "hip/spirv/warp.h"

namespace __hiplz {

/// Any lanes.
struct SomeLanes {
  unsigned members;

  __HIPLZ_DEVICE unsigned mask() const { return members; }
  __HIPLZ_DEVICE unsigned size() const { return (unsigned)__builtin_popcount(members); }
  __HIPLZ_DEVICE unsigned rank() const { return (unsigned)__builtin_popcount(members & ((1u << __lane_id()) - 1)); }
  /// The lane with the rank, which is less than size().
  __HIPLZ_DEVICE unsigned lane(unsigned rank) const {
    unsigned left = members, found = 0;
#pragma unroll
    for (unsigned width = 16; width != 0; width /= 2) {
      unsigned below = (unsigned)__builtin_popcount(left & ((1u << width) - 1));
      bool above = rank >= below;
      rank -= above ? below : 0;
      left >>= above ? width : 0;
      found += above ? width : 0;
    }
    return found;
  }
  /// Those whose ranks divided by `count`, a power of two, are what that of the calling thread is.
  __HIPLZ_DEVICE SomeLanes part(unsigned count) const {
    unsigned begin = rank() & ~(count - 1), end = begin + count < size() ? begin + count : size();
    return SomeLanes{members & (0xffffffffu << lane(begin)) & (0xffffffffu >> (31 - lane(end - 1)))};
  }
  /// A mask of lanes as a mask of ranks.
  __HIPLZ_DEVICE unsigned ranks(unsigned lanes) const {
    unsigned packed = 0, rank = 0;
    for (unsigned left = members; left != 0; left &= left - 1, ++rank)
      packed |= (lanes & (left & (~left + 1))) != 0 ? 1u << rank : 0;
    return packed;
  }
};

/// The lanes of the warp that have threads; at the end of a block not all do.
__HIPLZ_DEVICE unsigned lanesOfBlock() {
  unsigned left = blockThreads() - (blockRank() - __lane_id());
  return left >= 32 ? 0xffffffffu : (1u << left) - 1;
}

/// An aligned section of `count` lanes, a power of two.
template <unsigned count> struct SectionOfLanes {
  static __HIPLZ_DEVICE unsigned first() { return __lane_id() & ~(count - 1); }
  static __HIPLZ_DEVICE unsigned mask() { return (0xffffffffu >> (32 - count)) << first(); }
  static __HIPLZ_DEVICE unsigned members() { return mask() & lanesOfBlock(); }
  /// How many of the lanes have threads.
  static __HIPLZ_DEVICE unsigned size() { return (unsigned)__builtin_popcount(members()); }
  static __HIPLZ_DEVICE unsigned rank() { return __lane_id() & (count - 1); }
  static __HIPLZ_DEVICE unsigned lane(unsigned rank) { return first() + rank; }
  static __HIPLZ_DEVICE unsigned ranks(unsigned lanes) { return (lanes & mask()) >> first(); }
};

/// Tells hiplz-check that all threads of the set have to come to the operation that follows.
template <class Lanes> __HIPLZ_DEVICE void expectAll(Lanes lanes, int meeting = __hiplz_meeting_group_operation) {
  expect(lanes.mask(), meeting);
}

/// Waits for all threads of the set.
template <class Lanes> __HIPLZ_DEVICE void syncOf(Lanes lanes) {
  expectAll(lanes, __hiplz_meeting_group_sync);
  __spirv_ControlBarrier(__hiplz_scope_warp, __hiplz_scope_warp, __hiplz_acquire_release);
}

// Operations of the groups, made of the functions of a warp. All threads of the set call them together.
template <class Lanes, class T> __HIPLZ_DEVICE T valueOf(Lanes lanes, T value, unsigned lane) {
  expectAll(lanes);
  return valueFrom(value, lane);
}
template <class Lanes> __HIPLZ_DEVICE int anyOf(Lanes lanes, int predicate) {
  expectAll(lanes);
  return anyIn(lanes.mask(), predicate);
}
template <class Lanes> __HIPLZ_DEVICE int allOf(Lanes lanes, int predicate) {
  expectAll(lanes);
  return allIn(lanes.mask(), predicate);
}
template <class Lanes> __HIPLZ_DEVICE unsigned long long ballotOf(Lanes lanes, int predicate) {
  expectAll(lanes);
  return lanes.ranks((unsigned)ballotIn(lanes.mask(), predicate));
}
template <class Lanes, class T> __HIPLZ_DEVICE unsigned long long matchAnyOf(Lanes lanes, T value) {
  expectAll(lanes);
  return lanes.ranks((unsigned)matchAnyIn(lanes.mask(), value));
}
template <class Lanes, class T> __HIPLZ_DEVICE unsigned long long matchAllOf(Lanes lanes, T value, int &predicate) {
  expectAll(lanes);
  return lanes.ranks((unsigned)matchAllIn(lanes.mask(), value, &predicate));
}

} // namespace __hiplz
