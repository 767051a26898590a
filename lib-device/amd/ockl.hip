// SPDX-License-Identifier: MIT
// The functions of AMD's library ockl that AMD's headers call: indices, the warp, the block and the grid, memory of the heap, integers.
#include "define.h"

#include <hip/hip_cooperative_groups.h>
#include <hip/spirv/printf_record.h>

extern "C" {
__attribute__((device)) extern unsigned long __hiplz_printf;
/// Writes a part of a message (__hiplz::PrintfPart). Returns what printf returns if it was the last one.
__attribute__((device)) int __hiplz_print_part(unsigned long part, unsigned last, ...);
}

namespace {

__device__ inline size_t choose(unsigned dimension, size_t x, size_t y, size_t z, size_t otherwise) {
  return dimension == 0 ? x : dimension == 1 ? y : dimension == 2 ? z : otherwise;
}

__device__ inline unsigned long beginMessage(unsigned long errorStream) {
  auto *ring = (__hiplz::PrintfRing *)__hiplz_printf;
  if (!ring)
    return 0;
  const unsigned long number = atomicAdd((unsigned long long *)&ring->messages, 1ull);
  return (number << (__hiplz::PrintfPart::indexBits + 1)) >> 1 | errorStream << __hiplz::PrintfPart::errorBit;
}
__device__ inline unsigned long afterPart(unsigned long part, unsigned last, int printed) {
  return last ? (unsigned long)(long)printed : part + 1;
}

} // namespace

AMD_FUNCTION(size_t, __ockl_get_local_id, (unsigned d)) { return choose(d, threadIdx.x, threadIdx.y, threadIdx.z, 0); }
AMD_FUNCTION(size_t, __ockl_get_group_id, (unsigned d)) { return choose(d, blockIdx.x, blockIdx.y, blockIdx.z, 0); }
AMD_FUNCTION(size_t, __ockl_get_local_size, (unsigned d)) { return choose(d, blockDim.x, blockDim.y, blockDim.z, 1); }
AMD_FUNCTION(size_t, __ockl_get_num_groups, (unsigned d)) { return choose(d, gridDim.x, gridDim.y, gridDim.z, 1); }
AMD_FUNCTION(size_t, __ockl_get_global_id, (unsigned d)) {
  return choose(d, (size_t)blockIdx.x * blockDim.x + threadIdx.x, (size_t)blockIdx.y * blockDim.y + threadIdx.y,
                (size_t)blockIdx.z * blockDim.z + threadIdx.z, 0);
}
AMD_FUNCTION(size_t, __ockl_get_global_size, (unsigned d)) {
  return choose(d, (size_t)gridDim.x * blockDim.x, (size_t)gridDim.y * blockDim.y, (size_t)gridDim.z * blockDim.z, 1);
}
AMD_FUNCTION(size_t, __ockl_get_global_offset, (unsigned)) { return 0; }
AMD_FUNCTION(size_t, __ockl_get_enqueued_local_size, (unsigned d)) {
  return choose(d, blockDim.x, blockDim.y, blockDim.z, 1);
}
AMD_FUNCTION(unsigned, __ockl_get_work_dim, ()) {
  return gridDim.z * blockDim.z > 1 ? 3 : gridDim.y * blockDim.y > 1 ? 2 : 1;
}
AMD_FUNCTION(size_t, __ockl_get_local_linear_id, ()) {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
AMD_FUNCTION(size_t, __ockl_get_global_linear_id, ()) {
  const size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x, y = (size_t)blockIdx.y * blockDim.y + threadIdx.y,
               z = (size_t)blockIdx.z * blockDim.z + threadIdx.z;
  return (z * gridDim.y * blockDim.y + y) * gridDim.x * blockDim.x + x;
}

/// A field that AMD's kernels read from memory (llvm-passes/amd_hidden_arguments.cpp): counts of blocks, threads of a block and of
/// the grid, dimensions.
extern "C" __device__ __attribute__((noinline)) unsigned long __amd_hidden(unsigned field) {
  return field < 3   ? __ockl_get_num_groups(field)
         : field < 6 ? __ockl_get_local_size(field - 3)
         : field < 9 ? __ockl_get_global_size(field - 6)
                     : __ockl_get_work_dim();
}
// Only there so that the function above is: nothing calls them after the pass.
extern "C" __device__ __attribute__((noinline)) const void *__amd_implicitarg_ptr() {
  return (const void *)__amd_hidden(0);
}
extern "C" __device__ __attribute__((noinline)) const void *__amd_dispatch_ptr() {
  return (const void *)__amd_hidden(3);
}

// The warp. The number of a lane among the active ones counts those below it.
AMD_FUNCTION(unsigned, __ockl_lane_u32, ()) { return __lane_id(); }
AMD_FUNCTION(unsigned, __ockl_activelane_u32, ()) {
  return (unsigned)__builtin_popcount((unsigned)(__activemask() & __lanemask_lt()));
}
AMD_FUNCTION(bool, __ockl_wfany_i32, (int value)) { return __any(value) != 0; }
AMD_FUNCTION(bool, __ockl_wfall_i32, (int value)) { return __all(value) != 0; }
AMD_FUNCTION(bool, __ockl_wfsame_i32, (int value)) {
  return __all(value == __builtin_amdgcn_readfirstlane(value)) != 0;
}
AMD_FUNCTION(unsigned, __ockl_wfbcast_u32, (unsigned value, unsigned lane)) {
  return (unsigned)__builtin_amdgcn_readlane((int)value, (int)lane);
}
AMD_FUNCTION(unsigned long, __ockl_wfbcast_u64, (unsigned long value, unsigned lane)) {
  const unsigned low = (unsigned)__builtin_amdgcn_readlane((int)value, (int)lane),
                 high = (unsigned)__builtin_amdgcn_readlane((int)(value >> 32), (int)lane);
  return (unsigned long)high << 32 | low;
}

// The block. AMD's headers pass 0 and 1, for which "and" and "or" of the bits are those of the truth values.
AMD_FUNCTION(int, __ockl_wgred_add_i32, (int value)) {
  return __spirv_GroupIAdd(__hiplz_scope_block, __hiplz_reduce, value);
}
AMD_FUNCTION(int, __ockl_wgred_and_i32, (int value)) { return __syncthreads_and(value); }
AMD_FUNCTION(int, __ockl_wgred_or_i32, (int value)) { return __syncthreads_or(value); }

// The grid.
AMD_FUNCTION(int, __ockl_grid_is_valid, ()) { return __hiplz_grid_is_valid(); }
AMD_FUNCTION(void, __ockl_grid_sync, ()) { __hiplz_grid_sync(); }
AMD_FUNCTION(int, __ockl_multi_grid_is_valid, ()) { return cooperative_groups::this_multi_grid().is_valid(); }
AMD_FUNCTION(unsigned, __ockl_multi_grid_num_grids, ()) { return cooperative_groups::this_multi_grid().num_grids(); }
AMD_FUNCTION(unsigned, __ockl_multi_grid_grid_rank, ()) { return cooperative_groups::this_multi_grid().grid_rank(); }
AMD_FUNCTION(unsigned, __ockl_multi_grid_size, ()) { return cooperative_groups::this_multi_grid().size(); }
AMD_FUNCTION(unsigned, __ockl_multi_grid_thread_rank, ()) {
  return cooperative_groups::this_multi_grid().thread_rank();
}
AMD_FUNCTION(void, __ockl_multi_grid_sync, ()) { cooperative_groups::this_multi_grid().sync(); }

// The heap and the clocks.
AMD_FUNCTION(unsigned long, __ockl_dm_alloc, (unsigned long bytes)) { return (unsigned long)malloc(bytes); }
AMD_FUNCTION(void, __ockl_dm_dealloc, (unsigned long address)) { free((void *)address); }
AMD_FUNCTION(unsigned long, __ockl_steadyctr_u64, ()) { return (unsigned long)wall_clock64(); }
AMD_FUNCTION(unsigned long, __ockl_cyclectr_u64, ()) { return (unsigned long)clock64(); }

// printf where llvm-passes/amd_printf.cpp does not find the whole message.
AMD_FUNCTION(unsigned long, __ockl_printf_begin, (unsigned long)) { return beginMessage(0); }
AMD_FUNCTION(unsigned long, __ockl_fprintf_stdout_begin, ()) { return beginMessage(0); }
AMD_FUNCTION(unsigned long, __ockl_fprintf_stderr_begin, ()) { return beginMessage(1); }
#define APPEND(function)                                                                                               \
  AMD_FUNCTION(unsigned long, __ockl_##function##_append_args,                                                         \
               (unsigned long part, unsigned count, unsigned long a, unsigned long b, unsigned long c,                 \
                unsigned long d, unsigned long e, unsigned long f, unsigned long g, unsigned last)) {                  \
    return afterPart(part, last, __hiplz_print_part(part, last, count, a, b, c, d, e, f, g));                          \
  }                                                                                                                    \
  AMD_FUNCTION(unsigned long, __ockl_##function##_append_string_n,                                                     \
               (unsigned long part, const char *text, unsigned long length, unsigned last)) {                          \
    return afterPart(part, last, __hiplz_print_part(part, last, length, text));                                        \
  }
APPEND(printf)
APPEND(fprintf)

// Integers.
AMD_FUNCTION(unsigned char, __ockl_clz_u8, (unsigned char x)) { return (unsigned char)(__clz((int)x) - 24); }
AMD_FUNCTION(unsigned short, __ockl_clz_u16, (unsigned short x)) { return (unsigned short)(__clz((int)x) - 16); }
AMD_FUNCTION(unsigned, __ockl_clz_u32, (unsigned x)) { return (unsigned)__clz((int)x); }
AMD_FUNCTION(unsigned long, __ockl_clz_u64, (unsigned long x)) { return (unsigned long)__clzll((long long)x); }
AMD_FUNCTION(unsigned, __ockl_mul24_u32, (unsigned x, unsigned y)) { return __umul24(x, y); }
AMD_FUNCTION(int, __ockl_mul24_i32, (int x, int y)) { return __mul24(x, y); }
AMD_FUNCTION(unsigned, __ockl_mul_hi_u32, (unsigned x, unsigned y)) { return __umulhi(x, y); }
AMD_FUNCTION(int, __ockl_mul_hi_i32, (int x, int y)) { return __mulhi(x, y); }
AMD_FUNCTION(unsigned, __ockl_sadd_u32, (unsigned x, unsigned y, unsigned z)) {
  return (x > y ? x - y : y - x) + z; // the sum of absolute differences of one pair
}
AMD_FUNCTION(unsigned long, __ockl_mul_hi_u64, (unsigned long x, unsigned long y)) { return __umul64hi(x, y); }
AMD_FUNCTION(long, __ockl_mul_hi_i64, (long x, long y)) { return __mul64hi(x, y); }
AMD_FUNCTION(unsigned, __ockl_popcount_u32, (unsigned x)) { return (unsigned)__popc(x); }
AMD_FUNCTION(unsigned long, __ockl_popcount_u64, (unsigned long x)) { return (unsigned long)__popcll(x); }
AMD_FUNCTION(unsigned char, __ockl_ctz_u8, (unsigned char x)) { return x ? (unsigned char)__builtin_ctz(x) : 8; }
AMD_FUNCTION(unsigned short, __ockl_ctz_u16, (unsigned short x)) { return x ? (unsigned short)__builtin_ctz(x) : 16; }
AMD_FUNCTION(unsigned, __ockl_ctz_u32, (unsigned x)) { return x ? (unsigned)__builtin_ctz(x) : 32; }
AMD_FUNCTION(unsigned long, __ockl_ctz_u64, (unsigned long x)) { return x ? (unsigned long)__builtin_ctzl(x) : 64; }
AMD_FUNCTION(unsigned, __ockl_bfm_u32, (unsigned width, unsigned offset)) {
  return ((1u << (width & 31)) - 1) << (offset & 31);
}
AMD_FUNCTION(unsigned, __ockl_bfe_u32, (unsigned x, unsigned offset, unsigned width)) {
  return __builtin_amdgcn_ubfe(x, offset, width);
}
AMD_FUNCTION(int, __ockl_bfe_i32, (int x, unsigned offset, unsigned width)) {
  return __builtin_amdgcn_sbfe(x, offset, width);
}
AMD_FUNCTION(unsigned, __ockl_bitalign_u32, (unsigned x, unsigned y, unsigned shift)) {
  return __builtin_amdgcn_alignbit(x, y, shift);
}
AMD_FUNCTION(unsigned, __ockl_bytealign_u32, (unsigned x, unsigned y, unsigned shift)) {
  return __builtin_amdgcn_alignbyte(x, y, shift);
}
AMD_FUNCTION(unsigned, __ockl_lerp_u32, (unsigned x, unsigned y, unsigned z)) { return __builtin_amdgcn_lerp(x, y, z); }
AMD_FUNCTION(unsigned, __ockl_sad_u32, (unsigned x, unsigned y, unsigned z)) {
  return __builtin_amdgcn_sad_u8(x, y, z);
}
AMD_FUNCTION(unsigned, __ockl_msad_u32, (unsigned x, unsigned y, unsigned z)) {
  return __builtin_amdgcn_msad_u8(x, y, z);
}
AMD_FUNCTION(unsigned, __ockl_sadhi_u32, (unsigned x, unsigned y, unsigned z)) {
  return __builtin_amdgcn_sad_hi_u8(x, y, z);
}
AMD_FUNCTION(unsigned, __ockl_sadw_u32, (unsigned x, unsigned y, unsigned z)) {
  return __builtin_amdgcn_sad_u16(x, y, z);
}

// Three numbers: the median is what is left without the smallest and the largest.
#define THREE(T, suffix, least, most)                                                                                  \
  AMD_FUNCTION(T, __ockl_min3_##suffix, (T x, T y, T z)) { return least(least(x, y), z); }                             \
  AMD_FUNCTION(T, __ockl_max3_##suffix, (T x, T y, T z)) { return most(most(x, y), z); }                               \
  AMD_FUNCTION(T, __ockl_median3_##suffix, (T x, T y, T z)) { return most(least(x, y), least(most(x, y), z)); }
THREE(int, i32, min, max)
THREE(unsigned, u32, min, max)
THREE(float, f32, fminf, fmaxf)

// Dot products of the numbers that stand in words; `clamp` holds the result at the limits of its type.
typedef char Char4 __attribute__((ext_vector_type(4)));
typedef unsigned char UChar4 __attribute__((ext_vector_type(4)));
AMD_FUNCTION(float, __ockl_fdot2, (__hiplz::AmdPackedHalf x, __hiplz::AmdPackedHalf y, float added, bool clamp)) {
  return __builtin_amdgcn_fdot2(x, y, added, clamp);
}
AMD_FUNCTION(int, __ockl_sdot2, (__hiplz::AmdPackedShort x, __hiplz::AmdPackedShort y, int added, bool clamp)) {
  return __builtin_amdgcn_sdot2(x, y, added, clamp);
}
AMD_FUNCTION(unsigned, __ockl_udot2,
             (__hiplz::AmdPackedUShort x, __hiplz::AmdPackedUShort y, unsigned added, bool clamp)) {
  return __builtin_amdgcn_udot2(x, y, added, clamp);
}
AMD_FUNCTION(int, __ockl_sdot4, (Char4 x, Char4 y, int added, bool clamp)) {
  return __builtin_amdgcn_sdot4(__builtin_bit_cast(int, x), __builtin_bit_cast(int, y), added, clamp);
}
AMD_FUNCTION(unsigned, __ockl_udot4, (UChar4 x, UChar4 y, unsigned added, bool clamp)) {
  return __builtin_amdgcn_udot4(__builtin_bit_cast(unsigned, x), __builtin_bit_cast(unsigned, y), added, clamp);
}
AMD_FUNCTION(int, __ockl_sdot8, (int x, int y, int added, bool clamp)) {
  return __builtin_amdgcn_sdot8(x, y, added, clamp);
}
AMD_FUNCTION(unsigned, __ockl_udot8, (unsigned x, unsigned y, unsigned added, bool clamp)) {
  return __builtin_amdgcn_udot8(x, y, added, clamp);
}

AMD_FUNCTION(bool, __ockl_is_local_addr, (const void *pointer)) { return __builtin_amdgcn_is_shared(pointer); }
AMD_FUNCTION(bool, __ockl_is_private_addr, (const void *pointer)) { return __builtin_amdgcn_is_private(pointer); }
AMD_FUNCTION(void, __ockl_atomic_add_noret_f32, (float *address, float value)) { atomicAdd(address, value); }

/// Called by assert and the like of AMD's headers: linked under its own name when something else uses it.
extern "C" __device__ void __amd_endings(const char *text, unsigned line) {
  if (line == 1)
    __assertfail();
  if (line == 2)
    __cxa_pure_virtual();
  if (line == 3)
    __cxa_deleted_virtual();
  __assert_fail(text, text, line, text);
}
