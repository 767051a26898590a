// SPDX-License-Identifier: MIT
// Functions for inline PTX that LLVM has no instruction for: the pass that translates asm statements calls these functions by their
// names, which are those of the instructions ("sreg_" for special registers). They are kept until it has run, and no longer.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include <hip/hip_runtime.h>

#if defined(__HIP_DEVICE_COMPILE__)

#define HIPLZ_PTX(Result) extern "C" inline __attribute__((device, used, always_inline)) Result

// Special registers
HIPLZ_PTX(unsigned) __hiplz_ptx_sreg_laneid() { return __lane_id(); }
HIPLZ_PTX(unsigned) __hiplz_ptx_sreg_lanemask_eq() { return (unsigned)__lanemask_eq(); }
HIPLZ_PTX(unsigned) __hiplz_ptx_sreg_lanemask_lt() { return (unsigned)__lanemask_lt(); }
HIPLZ_PTX(unsigned) __hiplz_ptx_sreg_lanemask_le() { return (unsigned)(__lanemask_lt() | __lanemask_eq()); }
HIPLZ_PTX(unsigned) __hiplz_ptx_sreg_lanemask_gt() { return (unsigned)__lanemask_gt(); }
HIPLZ_PTX(unsigned) __hiplz_ptx_sreg_lanemask_ge() { return (unsigned)(__lanemask_gt() | __lanemask_eq()); }
#define HIPLZ_PTX_INDEX(name, variable)                                                                                \
  HIPLZ_PTX(unsigned) __hiplz_ptx_sreg_##name##_x() { return variable.x; }                                             \
  HIPLZ_PTX(unsigned) __hiplz_ptx_sreg_##name##_y() { return variable.y; }                                             \
  HIPLZ_PTX(unsigned) __hiplz_ptx_sreg_##name##_z() { return variable.z; }
HIPLZ_PTX_INDEX(tid, threadIdx)
HIPLZ_PTX_INDEX(ntid, blockDim)
HIPLZ_PTX_INDEX(ctaid, blockIdx)
HIPLZ_PTX_INDEX(nctaid, gridDim)
#undef HIPLZ_PTX_INDEX
HIPLZ_PTX(unsigned) __hiplz_ptx_sreg_warpid() {
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32;
}
HIPLZ_PTX(unsigned) __hiplz_ptx_sreg_nwarpid() { return (blockDim.x * blockDim.y * blockDim.z + 31) / 32; }
HIPLZ_PTX(unsigned) __hiplz_ptx_sreg_smid() { return __smid(); }
HIPLZ_PTX(unsigned) __hiplz_ptx_sreg_clock() { return (unsigned)clock64(); }
HIPLZ_PTX(unsigned) __hiplz_ptx_sreg_clock_hi() { return (unsigned)(clock64() >> 32); }
HIPLZ_PTX(unsigned long long) __hiplz_ptx_sreg_clock64() { return (unsigned long long)clock64(); }

// Memory. An address of __shared__ memory with 32 bits is the lower half of the generic one.
HIPLZ_PTX(void *) __hiplz_ptx_shared_address(unsigned low) { return __hiplz_cuda_shared_address(low); }
HIPLZ_PTX(unsigned) __hiplz_ptx_load_b32(const unsigned *address) {
  return __nv_atomic_load_n(address, __NV_ATOMIC_RELAXED);
}
HIPLZ_PTX(unsigned long long) __hiplz_ptx_load_b64(const unsigned long long *address) {
  return __nv_atomic_load_n(address, __NV_ATOMIC_RELAXED);
}
HIPLZ_PTX(void) __hiplz_ptx_store_b32(unsigned *address, unsigned value) {
  __nv_atomic_store_n(address, value, __NV_ATOMIC_RELAXED);
}
HIPLZ_PTX(void) __hiplz_ptx_store_b64(unsigned long long *address, unsigned long long value) {
  __nv_atomic_store_n(address, value, __NV_ATOMIC_RELAXED);
}
HIPLZ_PTX(void) __hiplz_ptx_cp_async(char *target, const char *source, unsigned size, unsigned given) {
  for (unsigned i = 0; i < size; ++i) // what is not given is zero
    target[i] = i < given ? source[i] : (char)0;
}
HIPLZ_PTX(void) __hiplz_ptx_fence_cta() { __threadfence_block(); }
HIPLZ_PTX(void) __hiplz_ptx_fence_gpu() { __threadfence(); }
HIPLZ_PTX(void) __hiplz_ptx_fence_sys() { __threadfence_system(); }

#define HIPLZ_PTX_ATOMIC(name, T, type, function)                                                                      \
  HIPLZ_PTX(T) __hiplz_ptx_atom_##name##_##type(T *address, T value) { return function(address, value); }
#define HIPLZ_PTX_WORDS(name, function)                                                                                \
  HIPLZ_PTX_ATOMIC(name, unsigned, u32, function)                                                                      \
  HIPLZ_PTX_ATOMIC(name, unsigned long long, u64, function)
HIPLZ_PTX_WORDS(add, atomicAdd_system)
HIPLZ_PTX_WORDS(and, atomicAnd_system)
HIPLZ_PTX_WORDS(or, atomicOr_system)
HIPLZ_PTX_WORDS(xor, atomicXor_system)
HIPLZ_PTX_WORDS(exch, atomicExch_system)
HIPLZ_PTX_WORDS(min, atomicMin_system)
HIPLZ_PTX_WORDS(max, atomicMax_system)
HIPLZ_PTX_ATOMIC(min, int, s32, atomicMin_system)
HIPLZ_PTX_ATOMIC(max, int, s32, atomicMax_system)
HIPLZ_PTX_ATOMIC(min, long long, s64, atomicMin_system)
HIPLZ_PTX_ATOMIC(max, long long, s64, atomicMax_system)
HIPLZ_PTX_ATOMIC(add, float, f32, atomicAdd_system)
HIPLZ_PTX_ATOMIC(add, double, f64, atomicAdd_system)
HIPLZ_PTX_ATOMIC(inc, unsigned, u32, atomicInc)
HIPLZ_PTX_ATOMIC(dec, unsigned, u32, atomicDec)
#undef HIPLZ_PTX_WORDS
#undef HIPLZ_PTX_ATOMIC
HIPLZ_PTX(unsigned) __hiplz_ptx_atom_cas_u32(unsigned *address, unsigned expected, unsigned value) {
  return atomicCAS_system(address, expected, value);
}
HIPLZ_PTX(unsigned long long)
__hiplz_ptx_atom_cas_u64(unsigned long long *address, unsigned long long expected, unsigned long long value) {
  return atomicCAS_system(address, expected, value);
}
HIPLZ_PTX(unsigned short)
__hiplz_ptx_atom_cas_u16(unsigned short *address, unsigned short expected, unsigned short value) {
  return atomicCAS(address, expected, value);
}

// Barriers, votes and shuffles. A second result is in bit 32.
HIPLZ_PTX(void) __hiplz_ptx_barrier_all() { __syncthreads(); }
HIPLZ_PTX(void) __hiplz_ptx_bar_warp_sync(unsigned mask) { __syncwarp(mask); }
HIPLZ_PTX(unsigned) __hiplz_ptx_activemask_b32() { return (unsigned)__activemask(); }
HIPLZ_PTX(unsigned) __hiplz_ptx_vote_sync_ballot_b32(bool predicate, unsigned mask) {
  return (unsigned)__ballot_sync(mask, predicate);
}
HIPLZ_PTX(bool) __hiplz_ptx_vote_sync_all_pred(bool predicate, unsigned mask) {
  return __all_sync(mask, predicate) != 0;
}
HIPLZ_PTX(bool) __hiplz_ptx_vote_sync_any_pred(bool predicate, unsigned mask) {
  return __any_sync(mask, predicate) != 0;
}
HIPLZ_PTX(unsigned) __hiplz_ptx_vote_ballot_b32(bool predicate) { return (unsigned)__ballot(predicate); }
HIPLZ_PTX(bool) __hiplz_ptx_vote_all_pred(bool predicate) { return __all(predicate) != 0; }
HIPLZ_PTX(bool) __hiplz_ptx_vote_any_pred(bool predicate) { return __any(predicate) != 0; }
HIPLZ_PTX(unsigned) __hiplz_ptx_match_any_sync_b32(unsigned value, unsigned mask) {
  return (unsigned)__match_any_sync(mask, value);
}
HIPLZ_PTX(unsigned) __hiplz_ptx_match_any_sync_b64(unsigned long long value, unsigned mask) {
  return (unsigned)__match_any_sync(mask, value);
}
HIPLZ_PTX(unsigned long long) __hiplz_ptx_match_all_sync_b32(unsigned value, unsigned mask) {
  int all;
  const unsigned lanes = (unsigned)__match_all_sync(mask, value, &all);
  return lanes | (unsigned long long)(all != 0) << 32;
}
#define HIPLZ_PTX_REDUCE(name, type, T)                                                                                \
  HIPLZ_PTX(T) __hiplz_ptx_redux_sync_##name##_##type(T value, unsigned mask) {                                        \
    return __reduce_##name##_sync(mask, value);                                                                        \
  }
HIPLZ_PTX_REDUCE(add, u32, unsigned)
HIPLZ_PTX_REDUCE(add, s32, int)
HIPLZ_PTX_REDUCE(min, u32, unsigned)
HIPLZ_PTX_REDUCE(min, s32, int)
HIPLZ_PTX_REDUCE(max, u32, unsigned)
HIPLZ_PTX_REDUCE(max, s32, int)
HIPLZ_PTX_REDUCE(and, b32, unsigned)
HIPLZ_PTX_REDUCE(or, b32, unsigned)
HIPLZ_PTX_REDUCE(xor, b32, unsigned)
#undef HIPLZ_PTX_REDUCE

// `limits` has the last lane in its lowest bits, and from bit 8 on a mask of the lane's bits that name its segment.
#define HIPLZ_PTX_SHUFFLE(name, from, inside)                                                                          \
  HIPLZ_PTX(unsigned long long)                                                                                        \
  __hiplz_ptx_shfl_##name(unsigned value, unsigned by, unsigned limits, unsigned mask) {                               \
    const int self = (int)__lane_id(), segment = (int)(limits >> 8 & 31), clamp = (int)(limits & 31);                  \
    const int first = self & segment, last = first | (clamp & ~segment), b = (int)(by & 31);                           \
    const int lane = from;                                                                                             \
    const bool within = inside;                                                                                        \
    (void)first, (void)last, (void)b;                                                                                  \
    const unsigned moved = (unsigned)__shfl_sync(mask, value, within ? lane : self, 32);                               \
    return moved | (unsigned long long)within << 32;                                                                   \
  }
HIPLZ_PTX_SHUFFLE(up, self - b, lane >= last)
HIPLZ_PTX_SHUFFLE(down, self + b, lane <= last)
HIPLZ_PTX_SHUFFLE(bfly, self ^ b, lane <= last)
HIPLZ_PTX_SHUFFLE(idx, first | (b & ~segment), lane <= last)
#undef HIPLZ_PTX_SHUFFLE

// Arithmetic
HIPLZ_PTX(unsigned long long) __hiplz_ptx_mul_hi_u64(unsigned long long x, unsigned long long y) {
  return __umul64hi(x, y);
}
HIPLZ_PTX(long long) __hiplz_ptx_mul_hi_s64(long long x, long long y) { return __mul64hi(x, y); }
HIPLZ_PTX(unsigned) __hiplz_ptx_prmt_b32(unsigned x, unsigned y, unsigned selector) {
  unsigned bytes = 0; // a selector with its highest bit set copies the sign
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned chosen = selector >> 4 * i & 15, index = chosen & 7;
    const unsigned byte = (index < 4 ? x >> 8 * index : y >> 8 * (index - 4)) & 255;
    bytes |= (chosen & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * i;
  }
  return bytes;
}
HIPLZ_PTX(unsigned) __hiplz_ptx_shf_l_wrap_b32(unsigned low, unsigned high, unsigned by) {
  return __funnelshift_l(low, high, by);
}
HIPLZ_PTX(unsigned) __hiplz_ptx_shf_r_wrap_b32(unsigned low, unsigned high, unsigned by) {
  return __funnelshift_r(low, high, by);
}
HIPLZ_PTX(unsigned) __hiplz_ptx_shf_l_clamp_b32(unsigned low, unsigned high, unsigned by) {
  return __funnelshift_lc(low, high, by);
}
HIPLZ_PTX(unsigned) __hiplz_ptx_shf_r_clamp_b32(unsigned low, unsigned high, unsigned by) {
  return __funnelshift_rc(low, high, by);
}
HIPLZ_PTX(int) __hiplz_ptx_dp4a_s32_s32(int a, int b, int c) { return __dp4a(a, b, c); }
HIPLZ_PTX(unsigned) __hiplz_ptx_dp4a_u32_u32(unsigned a, unsigned b, unsigned c) { return __dp4a(a, b, c); }
HIPLZ_PTX(unsigned) __hiplz_ptx_vabsdiff4_u32_u32_u32_add(unsigned a, unsigned b, unsigned c) {
  return __vsadu4(a, b) + c;
}
HIPLZ_PTX(unsigned) __hiplz_ptx_vabsdiff4_u32_u32_u32(unsigned a, unsigned b, unsigned) { return __vabsdiffu4(a, b); }

// Mathematics, approximate as in PTX
HIPLZ_PTX(float) __hiplz_ptx_ex2_approx_f32(float x) { return exp2f(x); }
HIPLZ_PTX(float) __hiplz_ptx_lg2_approx_f32(float x) { return __log2f(x); }
HIPLZ_PTX(float) __hiplz_ptx_sin_approx_f32(float x) { return __sinf(x); }
HIPLZ_PTX(float) __hiplz_ptx_cos_approx_f32(float x) { return __cosf(x); }
HIPLZ_PTX(float) __hiplz_ptx_tanh_approx_f32(float x) { return tanhf(x); }
HIPLZ_PTX(float) __hiplz_ptx_rsqrt_approx_f32(float x) { return rsqrtf(x); }
HIPLZ_PTX(double) __hiplz_ptx_rsqrt_approx_f64(double x) { return rsqrt(x); }
#define HIPLZ_PTX_HALF(name, function)                                                                                 \
  HIPLZ_PTX(unsigned short) __hiplz_ptx_##name##_approx_f16(unsigned short x) {                                        \
    return __builtin_bit_cast(unsigned short, (_Float16)function((float)__builtin_bit_cast(_Float16, x)));             \
  }                                                                                                                    \
  HIPLZ_PTX(unsigned) __hiplz_ptx_##name##_approx_f16x2(unsigned x) {                                                  \
    return __hiplz_ptx_##name##_approx_f16((unsigned short)x) |                                                        \
           (unsigned)__hiplz_ptx_##name##_approx_f16((unsigned short)(x >> 16)) << 16;                                 \
  }
HIPLZ_PTX_HALF(ex2, exp2f)
HIPLZ_PTX_HALF(tanh, tanhf)
#undef HIPLZ_PTX_HALF

// Others
HIPLZ_PTX(void) __hiplz_ptx_trap() { __trap(); }
HIPLZ_PTX(void) __hiplz_ptx_brkpt() { __trap(); }
HIPLZ_PTX(void) __hiplz_ptx_nanosleep_u32(unsigned nanoseconds) { __nanosleep(nanoseconds); }
#undef HIPLZ_PTX
#endif

#include <hip/spirv/user_macros_on.h>
