// SPDX-License-Identifier: MIT
// What AMD's headers call in AMD's library ockl: indices, the warp, the block and the grid, memory of the heap, integers.
#include "define.h"

#include <hip/hip_cooperative_groups.h>

namespace {

__device__ inline size_t choose(unsigned dimension, size_t x, size_t y, size_t z, size_t otherwise) {
  return dimension == 0 ? x : dimension == 1 ? y : dimension == 2 ? z : otherwise;
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

// The warp. The number of a lane among the active ones counts those below it.
AMD_FUNCTION(unsigned, __ockl_lane_u32, ()) { return __lane_id(); }
AMD_FUNCTION(unsigned, __ockl_activelane_u32, ()) {
  return (unsigned)__builtin_popcount((unsigned)(__activemask() & __lanemask_lt()));
}
AMD_FUNCTION(bool, __ockl_wfany_i32, (int value)) { return __any(value) != 0; }
AMD_FUNCTION(bool, __ockl_wfall_i32, (int value)) { return __all(value) != 0; }

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
AMD_FUNCTION(void, __ockl_atomic_add_noret_f32, (float *address, float value)) { atomicAdd(address, value); }

/// What assert and the like of AMD's headers call: linked under its own name when something else uses it.
extern "C" __device__ void __amd_endings(const char *text, unsigned line) {
  if (line == 1)
    __assertfail();
  if (line == 2)
    __cxa_pure_virtual();
  if (line == 3)
    __cxa_deleted_virtual();
  __assert_fail(text, text, line, text);
}
