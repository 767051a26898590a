// SPDX-License-Identifier: MIT
// Warp functions: vote, ballot, shuffle, match, and their forms with a mask. A warp is a sub-group of 32 work-items. A
// function works on the threads of the warp that reach it together; threads that returned or took another branch do
// not count. Masks of threads have 64 bits in HIP's interfaces, of which the lower 32 are used.
#pragma once

#include "hip/spirv/index.h"
#include "hip/spirv/sync.h"
#include "hip/spirv/word.h"

/// Number of the calling thread in its warp.
__HIPLZ_DEVICE unsigned __lane_id() { return __spirv_BuiltInSubgroupLocalInvocationId(); }
__HIPLZ_DEVICE unsigned long __lanemask_eq() { return 1ul << __lane_id(); }
__HIPLZ_DEVICE unsigned long __lanemask_lt() { return (1ul << __lane_id()) - 1; }
__HIPLZ_DEVICE unsigned long __lanemask_gt() { return 0xffffffff & ~((2ul << __lane_id()) - 1); }

/// True if the predicate holds for all, or for any, of the active threads of the warp.
__HIPLZ_DEVICE int __all(int predicate) { return __spirv_GroupNonUniformAll(__hiplz_scope_warp, predicate != 0); }
__HIPLZ_DEVICE int __any(int predicate) { return __spirv_GroupNonUniformAny(__hiplz_scope_warp, predicate != 0); }

/// The mask of the active threads for which the predicate holds.
__HIPLZ_DEVICE unsigned long long __ballot(int predicate) {
  return __spirv_GroupNonUniformBallot(__hiplz_scope_warp, predicate != 0).x;
}
__HIPLZ_DEVICE unsigned long long __ballot64(int predicate) { return __ballot(predicate); }
__HIPLZ_DEVICE unsigned long long __activemask() { return __ballot(1); }

#ifndef HIPLZ_NO_SHUFFLE_WARNINGS
/// Not defined anywhere: the link-time passes warn of each call that is left and remove it.
extern "C" __attribute__((device, cold, nothrow)) void __hiplz_beyond_warp(unsigned offset);
#endif

namespace __hiplz {

/// Warns at compile time where the offset is known and no lane of a warp has another at that distance, as in loops for warps of
/// 64 lanes.
__HIPLZ_DEVICE void checkOffset([[maybe_unused]] unsigned offset) {
#ifndef HIPLZ_NO_SHUFFLE_WARNINGS
  if (__builtin_constant_p(offset) && offset >= (unsigned)warpSize)
    __hiplz_beyond_warp(offset);
#endif
}

// Values are moved by words that a shuffle instruction takes.
__HIPLZ_DEVICE int shuffleFrom(int value, unsigned lane) {
  return __spirv_GroupNonUniformShuffle(__hiplz_scope_warp, value, lane);
}
__HIPLZ_DEVICE unsigned shuffleFrom(unsigned value, unsigned lane) { return (unsigned)shuffleFrom((int)value, lane); }
__HIPLZ_DEVICE long shuffleFrom(long value, unsigned lane) {
  return __spirv_GroupNonUniformShuffle(__hiplz_scope_warp, value, lane);
}
__HIPLZ_DEVICE unsigned long shuffleFrom(unsigned long value, unsigned lane) {
  return (unsigned long)shuffleFrom((long)value, lane);
}
__HIPLZ_DEVICE long long shuffleFrom(long long value, unsigned lane) { return shuffleFrom((long)value, lane); }
__HIPLZ_DEVICE unsigned long long shuffleFrom(unsigned long long value, unsigned lane) {
  return (unsigned long long)shuffleFrom((long)value, lane);
}
__HIPLZ_DEVICE float shuffleFrom(float value, unsigned lane) {
  return __spirv_GroupNonUniformShuffle(__hiplz_scope_warp, value, lane);
}
__HIPLZ_DEVICE double shuffleFrom(double value, unsigned lane) {
  return __spirv_GroupNonUniformShuffle(__hiplz_scope_warp, value, lane);
}

/// The value that another lane has, for any type that can be copied by its bytes.
template <class T> __HIPLZ_DEVICE T valueFrom(const T &value, unsigned lane) {
  unsigned words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
  for (unsigned i = 0; i < (sizeof(T) + 3) / 4; ++i)
    words[i] = shuffleFrom(words[i], lane);
  T result = value;
  __builtin_memcpy((void *)&result, words, sizeof(T));
  return result;
}
__HIPLZ_DEVICE long valueFrom(long value, unsigned lane) { return shuffleFrom(value, lane); }
__HIPLZ_DEVICE unsigned long valueFrom(unsigned long value, unsigned lane) { return shuffleFrom(value, lane); }
__HIPLZ_DEVICE long long valueFrom(long long value, unsigned lane) { return shuffleFrom(value, lane); }
__HIPLZ_DEVICE unsigned long long valueFrom(unsigned long long value, unsigned lane) {
  return shuffleFrom(value, lane);
}
__HIPLZ_DEVICE double valueFrom(double value, unsigned lane) { return shuffleFrom(value, lane); }

// The lane that each shuffle reads; sections of `width` lanes, a power of two, do not see each other. Of a section that is wider
// than a warp, lane numbers wrap around at 32, as in the instruction that AMD's headers use (ds_bpermute).
__HIPLZ_DEVICE unsigned sourceLane(int lane, int width) {
  return ((__lane_id() & ~(unsigned)(width - 1)) | ((unsigned)lane & (unsigned)(width - 1))) & 31;
}
__HIPLZ_DEVICE unsigned sourceLaneUp(unsigned delta, int width) {
  checkOffset(delta);
  unsigned self = __lane_id();
  return (self & (unsigned)(width - 1)) < delta ? self : self - delta;
}
__HIPLZ_DEVICE unsigned sourceLaneDown(unsigned delta, int width) {
  checkOffset(delta);
  unsigned self = __lane_id();
  return delta >= (unsigned)width - (self & (unsigned)(width - 1)) ? self : (self + delta) & 31;
}
__HIPLZ_DEVICE unsigned sourceLaneXor(int mask, int width) {
  checkOffset((unsigned)mask);
  unsigned self = __lane_id(), source = self ^ (unsigned)mask;
  return source >= ((self + (unsigned)width) & ~(unsigned)(width - 1)) ? self : source & 31;
}

// Comparison by bits, for which NaN equals itself and the zeros differ.
template <class T> __HIPLZ_DEVICE bool sameBits(T x, T y) {
  typedef typename WordOf<T>::type Bits;
  return __builtin_bit_cast(Bits, x) == __builtin_bit_cast(Bits, y);
}

} // namespace __hiplz

// HIP leaves open what comes from a lane that does not reach the call or has no thread. On the CPU device it is 0, as on AMD's GPUs.
#define __HIPLZ_SHUFFLES(T)                                                                                            \
  /** The value that lane `lane` of the section has. */                                                                \
  __HIPLZ_DEVICE T __shfl(T value, int lane, int width = warpSize) {                                                   \
    return __hiplz::shuffleFrom(value, __hiplz::sourceLane(lane, width));                                              \
  }                                                                                                                    \
  /** The value of the lane `delta` below; the caller's own value where that is in another section. */                 \
  __HIPLZ_DEVICE T __shfl_up(T value, unsigned delta, int width = warpSize) {                                          \
    return __hiplz::shuffleFrom(value, __hiplz::sourceLaneUp(delta, width));                                           \
  }                                                                                                                    \
  /** The value of the lane `delta` above; the caller's own value where that is in another section. */                 \
  __HIPLZ_DEVICE T __shfl_down(T value, unsigned delta, int width = warpSize) {                                        \
    return __hiplz::shuffleFrom(value, __hiplz::sourceLaneDown(delta, width));                                         \
  }                                                                                                                    \
  /** The value of the lane whose number differs in the bits of `mask`. */                                             \
  __HIPLZ_DEVICE T __shfl_xor(T value, int mask, int width = warpSize) {                                               \
    return __hiplz::shuffleFrom(value, __hiplz::sourceLaneXor(mask, width));                                           \
  }
__HIPLZ_SHUFFLES(int)
__HIPLZ_SHUFFLES(unsigned)
__HIPLZ_SHUFFLES(long)
__HIPLZ_SHUFFLES(unsigned long)
__HIPLZ_SHUFFLES(long long)
__HIPLZ_SHUFFLES(unsigned long long)
__HIPLZ_SHUFFLES(float)
__HIPLZ_SHUFFLES(double)
#undef __HIPLZ_SHUFFLES

namespace __hiplz {

/// Tells hiplz-check that all threads that `mask` names have to come to the operation that follows.
template <class Mask> __HIPLZ_DEVICE void expect(Mask mask, int meeting = __hiplz_meeting_operation) {
  __hiplz_expect((unsigned long long)mask, meeting);
}

// The operations themselves, of the active threads that `mask` names.
template <class Mask> __HIPLZ_DEVICE unsigned long long ballotIn(Mask mask, int predicate) {
  return __ballot(predicate) & (unsigned long long)mask;
}
template <class Mask> __HIPLZ_DEVICE int anyIn(Mask mask, int predicate) { return ballotIn(mask, predicate) != 0; }
template <class Mask> __HIPLZ_DEVICE int allIn(Mask mask, int predicate) { return ballotIn(mask, predicate == 0) == 0; }

template <class Mask, class T> __HIPLZ_DEVICE unsigned long long matchAnyIn(Mask mask, T value) {
  unsigned long long equal = 0;
  // Over all active threads, so that those with other masks take the same way.
  for (unsigned long long left = __ballot(1); left != 0; left &= left - 1) {
    int lane = __builtin_ctzll(left);
    T other = __shfl(value, lane);
    if (sameBits(other, value))
      equal |= 1ull << lane;
  }
  return equal & (unsigned long long)mask;
}

template <class Mask, class T> __HIPLZ_DEVICE unsigned long long matchAllIn(Mask mask, T value, int *predicate) {
  unsigned long long threads = ballotIn(mask, 1);
  T first = __shfl(value, __builtin_ctzll(threads));
  *predicate = allIn(mask, sameBits(first, value));
  return *predicate ? threads : 0;
}

} // namespace __hiplz

// The forms with a mask. All threads that `mask` names must reach the call together; the results concern them only.
template <class Mask> __HIPLZ_DEVICE unsigned long long __ballot_sync(Mask mask, int predicate) {
  __hiplz::expect(mask);
  return __hiplz::ballotIn(mask, predicate);
}
template <class Mask> __HIPLZ_DEVICE int __any_sync(Mask mask, int predicate) {
  __hiplz::expect(mask);
  return __hiplz::anyIn(mask, predicate);
}
template <class Mask> __HIPLZ_DEVICE int __all_sync(Mask mask, int predicate) {
  __hiplz::expect(mask);
  return __hiplz::allIn(mask, predicate);
}
template <class Mask, class T> __HIPLZ_DEVICE T __shfl_sync(Mask mask, T value, int lane, int width = warpSize) {
  __hiplz::expect(mask);
  return __shfl(value, lane, width);
}
template <class Mask, class T>
__HIPLZ_DEVICE T __shfl_up_sync(Mask mask, T value, unsigned delta, int width = warpSize) {
  __hiplz::expect(mask);
  return __shfl_up(value, delta, width);
}
template <class Mask, class T>
__HIPLZ_DEVICE T __shfl_down_sync(Mask mask, T value, unsigned delta, int width = warpSize) {
  __hiplz::expect(mask);
  return __shfl_down(value, delta, width);
}
template <class Mask, class T>
__HIPLZ_DEVICE T __shfl_xor_sync(Mask mask, T value, int laneMask, int width = warpSize) {
  __hiplz::expect(mask);
  return __shfl_xor(value, laneMask, width);
}

/// The mask of the threads in `mask` that have the same value, compared by its bits, as the calling thread.
template <class Mask, class T> __HIPLZ_DEVICE unsigned long long __match_any_sync(Mask mask, T value) {
  __hiplz::expect(mask);
  return __hiplz::matchAnyIn(mask, value);
}

/// `mask` if all of its threads have the same value, else 0; *predicate tells which.
template <class Mask, class T> __HIPLZ_DEVICE unsigned long long __match_all_sync(Mask mask, T value, int *predicate) {
  __hiplz::expect(mask);
  return __hiplz::matchAllIn(mask, value, predicate);
}
template <class T> __HIPLZ_DEVICE unsigned long long __match_any(T value) {
  return __hiplz::matchAnyIn(__activemask(), value);
}
template <class T> __HIPLZ_DEVICE unsigned long long __match_all(T value, int *predicate) {
  return __hiplz::matchAllIn(__activemask(), value, predicate);
}
