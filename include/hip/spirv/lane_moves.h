// SPDX-License-Identifier: MIT
// AMD's headers have functions for some of its processors' instructions: moves between the lanes of a warp by their encodings, the
// barriers below __syncthreads, and small helpers; and CUDA's reductions of a warp. A warp has 32 lanes here, as on
// AMD's processors in their mode of 32 lanes.
#pragma once

#include "hip/hip_vector_types.h"
#include "hip/spirv/sync.h"
#include "hip/spirv/warp.h"

// The place of the thread's block on an Intel GPU; the CPU device gives the number of the processor.
__attribute__((device)) unsigned intel_get_slice_id();
__attribute__((device)) unsigned intel_get_subslice_id();

namespace __hiplz {

__HIPLZ_DEVICE bool isActive(unsigned active, unsigned lane) { return lane < 32 && (active >> lane & 1); }

/// The value of an active lane, else 0.
__HIPLZ_DEVICE unsigned laneOrZero(unsigned value, unsigned lane) {
  unsigned active = (unsigned)__activemask(), found = shuffleFrom(value, lane & 31);
  return isActive(active, lane) ? found : 0;
}

/// The lane that the pattern of ds_swizzle reads: the reversed order of a Fourier transform within groups of lanes, lanes
/// rotated within groups, four lanes in a new order, or a number made by masks.
__HIPLZ_DEVICE unsigned swizzledLane(unsigned lane, unsigned pattern) {
  const unsigned fixed = pattern & 31; // the bits of a lane that name its group
  if ((pattern & 0xe000) == 0xe000)
    return (__builtin_bitreverse32(lane) >> 27 >> __builtin_popcount(fixed)) | (lane & fixed);
  if ((pattern & 0xc000) == 0xc000) {
    const unsigned by = pattern >> 5 & 31;
    return (lane & fixed) | ((pattern & 0x400 ? lane - by : lane + by) & ~fixed & 31);
  }
  if (pattern & 0x8000)
    return (lane & ~3u) | (pattern >> 2 * (lane & 3) & 3);
  return ((lane & pattern) | (pattern >> 5)) & 31 ^ (pattern >> 10 & 31);
}

/// The lane that a DPP control reads; 32 or more if there is none.
__HIPLZ_DEVICE unsigned dppLane(unsigned lane, unsigned control) {
  const unsigned none = 64, row = lane & ~15u, inRow = lane & 15, by = control & 15;
  if (control < 0x100) // quad_perm
    return (lane & ~3u) | (control >> 2 * (lane & 3) & 3);
  if (control < 0x110) // row_shl
    return inRow + by < 16 ? lane + by : none;
  if (control < 0x120) // row_shr
    return inRow >= by ? lane - by : none;
  if (control < 0x130) // row_ror
    return row | ((inRow - by) & 15);
  if (control >= 0x150 && control < 0x160) // row_share
    return row | by;
  if (control >= 0x160 && control < 0x170) // row_xmask
    return row | (inRow ^ by);
  switch (control) {
  case 0x130: return lane < 31 ? lane + 1 : none;     // wave_shl
  case 0x134: return (lane + 1) & 31;                 // wave_rol
  case 0x138: return lane > 0 ? lane - 1 : none;      // wave_shr
  case 0x13c: return (lane - 1) & 31;                 // wave_ror
  case 0x140: return row | (15 - inRow);              // row_mirror
  case 0x141: return (lane & ~7u) | (7 - (lane & 7)); // row_half_mirror
  case 0x142: return row >= 16 ? row - 1 : none;      // row_bcast15
  default: return none;                               // row_bcast31 concerns rows 2 and 3
  }
}

} // namespace __hiplz

/// The value of the lane that `index`, in bytes of four for each lane, names; 0 if it is not active.
__HIPLZ_DEVICE unsigned __hip_ds_bpermute(int index, unsigned value) {
  return __hiplz::laneOrZero(value, (unsigned)index >> 2 & 31);
}
__HIPLZ_DEVICE float __hip_ds_bpermutef(int index, float value) {
  return __builtin_bit_cast(float, __hip_ds_bpermute(index, __builtin_bit_cast(unsigned, value)));
}

/// Sends the value to the lane that `index` names. A lane that gets several keeps that of the highest lane, one that
/// gets none has 0.
__HIPLZ_DEVICE unsigned __hip_ds_permute(int index, unsigned value) {
  unsigned active = (unsigned)__activemask(), self = __lane_id(), received = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned target = __hiplz::shuffleFrom((unsigned)index >> 2 & 31, lane), sent = __hiplz::shuffleFrom(value, lane);
    received = __hiplz::isActive(active, lane) && target == self ? sent : received;
  }
  return received;
}
__HIPLZ_DEVICE float __hip_ds_permutef(int index, float value) {
  return __builtin_bit_cast(float, __hip_ds_permute(index, __builtin_bit_cast(unsigned, value)));
}

template <int pattern> __HIPLZ_DEVICE unsigned __hip_ds_swizzle_N(unsigned value) {
  return __hiplz::laneOrZero(value, __hiplz::swizzledLane(__lane_id(), (unsigned)pattern));
}
template <int pattern> __HIPLZ_DEVICE float __hip_ds_swizzlef_N(float value) {
  return __builtin_bit_cast(float, __hip_ds_swizzle_N<pattern>(__builtin_bit_cast(unsigned, value)));
}
#define __hip_ds_swizzle(value, pattern) __hip_ds_swizzle_N<(pattern)>((value))
#define __hip_ds_swizzlef(value, pattern) __hip_ds_swizzlef_N<(pattern)>((value))

/// The value of the lane that `control` names. Lanes of rows and banks that the masks leave out keep their own; one
/// whose source does not exist or is not active has 0 if `bound`, else its own.
template <int control, int rows, int banks, bool bound> __HIPLZ_DEVICE int __hip_move_dpp_N(int value) {
  unsigned lane = __lane_id(), source = __hiplz::dppLane(lane, (unsigned)control), active = (unsigned)__activemask();
  int found = __hiplz::shuffleFrom(value, source & 31);
  if (!((unsigned)rows >> (lane >> 4) & 1) || !((unsigned)banks >> (lane >> 2 & 3) & 1))
    return value;
  if (!__hiplz::isActive(active, source))
    return bound ? 0 : value;
  return found;
}
#define __hip_move_dpp(value, control, rows, banks, bound)                                                             \
  __hip_move_dpp_N<(control), (rows), (banks), (bound)>((value))

/// The value of the first active lane; of any type that can be copied.
template <class T> __HIPLZ_DEVICE T __hip_readfirstlane(T value) {
  return __hiplz::valueFrom(value, (unsigned)__builtin_ctz((unsigned)__activemask()));
}

/// `added` plus the number of lanes below the caller's in `mask`; of the lanes from 32 on there are none.
__HIPLZ_DEVICE unsigned __mbcnt_lo(unsigned mask, unsigned added) {
  return (unsigned)__builtin_popcount(mask & (unsigned)__lanemask_lt()) + added;
}
__HIPLZ_DEVICE unsigned __mbcnt_hi(unsigned mask, unsigned added) {
  (void)mask;
  return added;
}

namespace __hiplz {
/// The result of `operation` over the values of the lanes of `mask`, in their order: the same for all of them, also where sums are
/// rounded.
template <class Mask, class T, class Operation> __HIPLZ_DEVICE T reduceLanes(Mask mask, T value, Operation operation) {
  expect(mask);
  const unsigned first = mask ? (unsigned)__builtin_ctzll((unsigned long long)mask) : __lane_id();
  T result = valueFrom(value, first & 31);
  for (unsigned lane = 1; lane < 32; ++lane) {
    T other = valueFrom(value, lane);
    if (lane > first && ((unsigned long long)mask >> lane & 1))
      result = operation(result, other);
  }
  return result;
}
} // namespace __hiplz

/// The result of `operation` over the values of the lanes of `mask`. `wholeWarp` is what does it on AMD's processors if all lanes take
/// part.
template <class Mask, class T, class Operation, class WholeWarp>
__HIPLZ_DEVICE T __reduce_op_sync(Mask mask, T value, Operation operation, WholeWarp wholeWarp) {
  (void)wholeWarp;
  return __hiplz::reduceLanes(mask, value, operation);
}

// Reductions over the lanes of `mask`. Threads with different masks may call them together, as with the result of
// __match_any_sync.
#define __HIPLZ_REDUCE(name, T, expression)                                                                            \
  template <class Mask> __HIPLZ_DEVICE T __reduce_##name##_sync(Mask mask, T value) {                                  \
    return __hiplz::reduceLanes(                                                                                       \
        mask, value, [](T result, T other) __attribute__((always_inline)) { return expression; });                     \
  }
#define __HIPLZ_REDUCES(T)                                                                                             \
  __HIPLZ_REDUCE(add, T, result + other)                                                                               \
  __HIPLZ_REDUCE(min, T, other < result ? other : result)                                                              \
  __HIPLZ_REDUCE(max, T, other > result ? other : result)
#define __HIPLZ_REDUCE_BITS(T)                                                                                         \
  __HIPLZ_REDUCE(and, T, result &other)                                                                                \
  __HIPLZ_REDUCE(or, T, result | other)                                                                                \
  __HIPLZ_REDUCE(xor, T, result ^ other)
__HIPLZ_REDUCES(int)
__HIPLZ_REDUCES(unsigned)
__HIPLZ_REDUCES(long long)
__HIPLZ_REDUCES(unsigned long long)
__HIPLZ_REDUCES(float)
__HIPLZ_REDUCES(double)
__HIPLZ_REDUCE_BITS(int)
__HIPLZ_REDUCE_BITS(unsigned)
__HIPLZ_REDUCE_BITS(long long)
__HIPLZ_REDUCE_BITS(unsigned long long)
#undef __HIPLZ_REDUCE_BITS
#undef __HIPLZ_REDUCES
#undef __HIPLZ_REDUCE

// The barriers below __syncthreads. Both kinds of memory are ordered whatever the flags say.
typedef unsigned __cl_mem_fence_flags;
#define __CLK_LOCAL_MEM_FENCE 0x01
#define __CLK_GLOBAL_MEM_FENCE 0x02
__HIPLZ_DEVICE void __work_group_barrier(__cl_mem_fence_flags flags) {
  (void)flags;
  __syncthreads();
}
__HIPLZ_DEVICE void __barrier(int flags) { __work_group_barrier((__cl_mem_fence_flags)flags); }
__HIPLZ_DEVICE void __named_sync() { __syncthreads(); }

/// The multiprocessor that executes the thread's block.
__HIPLZ_DEVICE unsigned __smid() { return intel_get_slice_id() << 4 | intel_get_subslice_id(); }

/// Pointers to __shared__ memory are pointers like all others here.
__HIPLZ_DEVICE void *__local_to_generic(void *pointer) { return pointer; }
/// Where the dynamic __shared__ memory of the kernel begins.
__HIPLZ_DEVICE void *__get_dynamicgroupbaseptr() {
  extern __shared__ char __dynamic_shared_base[];
  return __dynamic_shared_base;
}

#define __HIPLZ_PACKED(name, op)                                                                                       \
  __HIPLZ_DEVICE char4 __hip_hc_##name##8pk(char4 x, char4 y) {                                                        \
    return make_char4((char)(x.x op y.x), (char)(x.y op y.y), (char)(x.z op y.z), (char)(x.w op y.w));                 \
  }
__HIPLZ_PACKED(add, +)
__HIPLZ_PACKED(sub, -)
__HIPLZ_PACKED(mul, *)
#undef __HIPLZ_PACKED
