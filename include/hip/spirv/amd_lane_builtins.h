// SPDX-License-Identifier: MIT
// AMD's built-in functions that move values between the lanes of a warp, vote, and reduce. A lane that is not active
// gives nothing: whoever reads it gets what the function documents, else 0.
#pragma once

#include "hip/spirv/lane_moves.h"
#include "hip/spirv/warp.h"

/// The warp and its lanes.
__HIPLZ_DEVICE unsigned __builtin_amdgcn_wavefrontsize() { return (unsigned)warpSize; }
__HIPLZ_DEVICE unsigned __builtin_amdgcn_mbcnt_lo(unsigned mask, unsigned added) { return __mbcnt_lo(mask, added); }
__HIPLZ_DEVICE unsigned __builtin_amdgcn_mbcnt_hi(unsigned mask, unsigned added) { return __mbcnt_hi(mask, added); }
__HIPLZ_DEVICE unsigned long __builtin_amdgcn_read_exec() { return (unsigned long)__activemask(); }
__HIPLZ_DEVICE unsigned __builtin_amdgcn_read_exec_lo() { return (unsigned)__activemask(); }
__HIPLZ_DEVICE unsigned __builtin_amdgcn_read_exec_hi() { return 0; }

/// Masks of the active lanes for which something holds, and the way back.
__HIPLZ_DEVICE unsigned __builtin_amdgcn_ballot_w32(bool holds) { return (unsigned)__ballot(holds); }
__HIPLZ_DEVICE unsigned long __builtin_amdgcn_ballot_w64(bool holds) { return (unsigned long)__ballot(holds); }
__HIPLZ_DEVICE bool __builtin_amdgcn_inverse_ballot_w32(unsigned mask) { return mask >> __lane_id() & 1; }
__HIPLZ_DEVICE bool __builtin_amdgcn_inverse_ballot_w64(unsigned long mask) { return mask >> __lane_id() & 1; }

namespace __hiplz {

/// LLVM's numbers of comparisons: bit 0 equal, 1 greater, 2 less, 3 unordered for floating-point numbers; from 32 on eq, ne,
/// then four of unsigned and four of signed integers.
template <class T> __HIPLZ_DEVICE bool amdCompareFloat(T x, T y, int predicate) {
  return ((predicate & 1) && x == y) || ((predicate & 2) && x > y) || ((predicate & 4) && x < y) ||
         ((predicate & 8) && (x != x || y != y));
}
template <class U, class S> __HIPLZ_DEVICE bool amdCompare(U x, U y, int predicate) {
  switch (predicate) {
  case 32: return x == y;
  case 33: return x != y;
  case 34: return x > y;
  case 35: return x >= y;
  case 36: return x < y;
  case 37: return x <= y;
  case 38: return (S)x > (S)y;
  case 39: return (S)x >= (S)y;
  case 40: return (S)x < (S)y;
  case 41: return (S)x <= (S)y;
  default: return false;
  }
}

} // namespace __hiplz

#define __HIPLZ_AMD_COMPARE(name, T, holds)                                                                            \
  __HIPLZ_DEVICE unsigned long __builtin_amdgcn_##name(T x, T y, int predicate) {                                      \
    return (unsigned long)__ballot(holds);                                                                             \
  }
__HIPLZ_AMD_COMPARE(uicmp, unsigned, (__hiplz::amdCompare<unsigned, int>(x, y, predicate)))
__HIPLZ_AMD_COMPARE(sicmp, int, (__hiplz::amdCompare<unsigned, int>((unsigned)x, (unsigned)y, predicate)))
__HIPLZ_AMD_COMPARE(uicmpl, unsigned long, (__hiplz::amdCompare<unsigned long, long>(x, y, predicate)))
__HIPLZ_AMD_COMPARE(sicmpl, long,
                    (__hiplz::amdCompare<unsigned long, long>((unsigned long)x, (unsigned long)y, predicate)))
__HIPLZ_AMD_COMPARE(fcmp, double, __hiplz::amdCompareFloat(x, y, predicate))
__HIPLZ_AMD_COMPARE(fcmpf, float, __hiplz::amdCompareFloat(x, y, predicate))
#undef __HIPLZ_AMD_COMPARE

/// The value of one lane, for all; and `old` with the value in one lane.
__HIPLZ_DEVICE int __builtin_amdgcn_readfirstlane(int value) { return __hip_readfirstlane(value); }
__HIPLZ_DEVICE int __builtin_amdgcn_readlane(int value, int lane) {
  return __hiplz::shuffleFrom(value, (unsigned)lane & 31);
}
__HIPLZ_DEVICE int __builtin_amdgcn_writelane(int value, int lane, int old) {
  return __lane_id() == ((unsigned)lane & 31) ? value : old;
}

__HIPLZ_DEVICE int __builtin_amdgcn_ds_bpermute(int address, int value) {
  return (int)__hip_ds_bpermute(address, (unsigned)value);
}
__HIPLZ_DEVICE int __builtin_amdgcn_ds_permute(int address, int value) {
  return (int)__hip_ds_permute(address, (unsigned)value);
}
__HIPLZ_DEVICE int __builtin_amdgcn_ds_swizzle(int value, int pattern) {
  return (int)__hiplz::laneOrZero((unsigned)value, __hiplz::swizzledLane(__lane_id(), (unsigned)pattern));
}

namespace __hiplz {

/// The result of DPP: `old` in lanes of rows and banks that the masks leave out; where the source lane does not exist or is not
/// active, 0 if `bound`, else `old`.
__HIPLZ_DEVICE int amdDpp(int old, int value, int control, int rows, int banks, bool bound) {
  const unsigned lane = __lane_id(), source = dppLane(lane, (unsigned)control), active = (unsigned)__activemask();
  const int found = shuffleFrom(value, source & 31);
  const bool written = ((unsigned)rows >> (lane >> 4) & 1) && ((unsigned)banks >> (lane >> 2 & 3) & 1);
  return !written ? old : isActive(active, source) ? found : bound ? 0 : old;
}

/// Lanes of a row of 16 choose by four bits each, from their own row or (`other`) from the second one of the 32. Where the
/// source is not active: its value nevertheless if `inactive`, else 0 if `bound`, else `old`.
__HIPLZ_DEVICE unsigned amdPermuteRow(unsigned old, unsigned value, unsigned choice, bool inactive, bool bound,
                                      unsigned other) {
  const unsigned lane = __lane_id(), source = ((lane & 16) ^ other) | (choice & 15);
  const unsigned active = (unsigned)__activemask(), found = shuffleFrom(value, source);
  return inactive || isActive(active, source) ? found : bound ? 0 : old;
}
__HIPLZ_DEVICE unsigned amdRowChoice(unsigned low, unsigned high) {
  const unsigned lane = __lane_id();
  return (lane & 8 ? high : low) >> 4 * (lane & 7);
}

} // namespace __hiplz

__HIPLZ_DEVICE int __builtin_amdgcn_update_dpp(int old, int value, int control, int rows, int banks, bool bound) {
  return __hiplz::amdDpp(old, value, control, rows, banks, bound);
}
/// Like update_dpp; lanes that get nothing keep their value.
__HIPLZ_DEVICE int __builtin_amdgcn_mov_dpp(int value, int control, int rows, int banks, bool bound) {
  return __hiplz::amdDpp(value, value, control, rows, banks, bound);
}
/// Lanes of each eight choose by three bits each.
__HIPLZ_DEVICE unsigned __builtin_amdgcn_mov_dpp8(unsigned value, unsigned choices) {
  const unsigned lane = __lane_id();
  return __hiplz::laneOrZero(value, (lane & ~7u) | (choices >> 3 * (lane & 7) & 7));
}
__HIPLZ_DEVICE unsigned __builtin_amdgcn_permlane16(unsigned old, unsigned value, unsigned low, unsigned high,
                                                    bool inactive, bool bound) {
  return __hiplz::amdPermuteRow(old, value, __hiplz::amdRowChoice(low, high), inactive, bound, 0);
}
__HIPLZ_DEVICE unsigned __builtin_amdgcn_permlanex16(unsigned old, unsigned value, unsigned low, unsigned high,
                                                     bool inactive, bool bound) {
  return __hiplz::amdPermuteRow(old, value, __hiplz::amdRowChoice(low, high), inactive, bound, 16);
}
__HIPLZ_DEVICE unsigned __builtin_amdgcn_permlane16_var(unsigned old, unsigned value, unsigned choice, bool inactive,
                                                        bool bound) {
  return __hiplz::amdPermuteRow(old, value, choice, inactive, bound, 0);
}
__HIPLZ_DEVICE unsigned __builtin_amdgcn_permlanex16_var(unsigned old, unsigned value, unsigned choice, bool inactive,
                                                         bool bound) {
  return __hiplz::amdPermuteRow(old, value, choice, inactive, bound, 16);
}
/// Swaps the halves of a wave of 64 lanes; a warp of 32 stays as it is.
__HIPLZ_DEVICE unsigned __builtin_amdgcn_permlane64(unsigned value) { return value; }

// Reductions over the active lanes; the second argument advises the compiler.
#define __HIPLZ_AMD_REDUCE(name, type, T, expression)                                                                  \
  __HIPLZ_DEVICE T __builtin_amdgcn_wave_reduce_##name##_##type(T value, int) {                                        \
    unsigned left = (unsigned)__activemask();                                                                          \
    T result = __hiplz::shuffleFrom(value, (unsigned)__builtin_ctz(left));                                             \
    for (left &= left - 1; left != 0; left &= left - 1) {                                                              \
      const T other = __hiplz::shuffleFrom(value, (unsigned)__builtin_ctz(left));                                      \
      result = expression;                                                                                             \
    }                                                                                                                  \
    return result;                                                                                                     \
  }
#define __HIPLZ_AMD_REDUCE_MINMAX(type, T)                                                                             \
  __HIPLZ_AMD_REDUCE(min, type, T, other < result ? other : result)                                                    \
  __HIPLZ_AMD_REDUCE(max, type, T, other > result ? other : result)
#define __HIPLZ_AMD_REDUCE_BITS(type, T)                                                                               \
  __HIPLZ_AMD_REDUCE(and, type, T, result &other)                                                                      \
  __HIPLZ_AMD_REDUCE(or, type, T, result | other)                                                                      \
  __HIPLZ_AMD_REDUCE(xor, type, T, result ^ other)
#define __HIPLZ_AMD_REDUCE_FLOAT(type, T)                                                                              \
  __HIPLZ_AMD_REDUCE(fadd, type, T, result + other)                                                                    \
  __HIPLZ_AMD_REDUCE(fmin, type, T, other < result || result != result ? other : result)                               \
  __HIPLZ_AMD_REDUCE(fmax, type, T, other > result || result != result ? other : result)
__HIPLZ_AMD_REDUCE(add, u32, unsigned, result + other)
__HIPLZ_AMD_REDUCE(add, u64, unsigned long, result + other)
__HIPLZ_AMD_REDUCE_MINMAX(u32, unsigned)
__HIPLZ_AMD_REDUCE_MINMAX(i32, int)
__HIPLZ_AMD_REDUCE_MINMAX(u64, unsigned long)
__HIPLZ_AMD_REDUCE_MINMAX(i64, long)
__HIPLZ_AMD_REDUCE_BITS(b32, unsigned)
__HIPLZ_AMD_REDUCE_BITS(b64, unsigned long)
__HIPLZ_AMD_REDUCE_FLOAT(f32, float)
__HIPLZ_AMD_REDUCE_FLOAT(f64, double)
#undef __HIPLZ_AMD_REDUCE_FLOAT
#undef __HIPLZ_AMD_REDUCE_BITS
#undef __HIPLZ_AMD_REDUCE_MINMAX
#undef __HIPLZ_AMD_REDUCE
