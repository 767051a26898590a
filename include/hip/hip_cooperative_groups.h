// Cooperative groups: the threads of a grid and of all grids of a launch on several devices, as objects that can meet.
#ifndef HIP_HIP_COOPERATIVE_GROUPS_H
#define HIP_HIP_COOPERATIVE_GROUPS_H

#include <hip/hip_runtime.h>

#if defined(__cplusplus) && defined(__HIP__)
#include <hip/spirv/grid.h>

namespace cooperative_groups {

/// The threads of a grid. They can meet if the launch was cooperative: is_valid().
class grid_group {
 public:
  __HIPLZ_DEVICE bool is_valid() const { return __hiplz_grid_is_valid(); }
  /// Waits for all threads of the grid, each of which must call it; what they wrote before is visible after.
  __HIPLZ_DEVICE void sync() const { __hiplz_grid_sync(); }

  __HIPLZ_DEVICE unsigned long long num_threads() const {
    return (unsigned long long)__hiplz::gridBlocks() * blockThreads();
  }
  __HIPLZ_DEVICE unsigned long long size() const { return num_threads(); }
  __HIPLZ_DEVICE unsigned long long thread_rank() const {
    return block_rank() * blockThreads() + (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  __HIPLZ_DEVICE unsigned long long num_blocks() const { return __hiplz::gridBlocks(); }
  __HIPLZ_DEVICE unsigned long long block_rank() const {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  __HIPLZ_DEVICE dim3 dim_blocks() const { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  __HIPLZ_DEVICE dim3 group_dim() const { return dim_blocks(); }
  __HIPLZ_DEVICE dim3 block_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }

 private:
  static __HIPLZ_DEVICE unsigned blockThreads() { return blockDim.x * blockDim.y * blockDim.z; }
};

/// The threads of all grids of one launch on several devices; valid in such a launch alone.
class multi_grid_group {
 public:
  __HIPLZ_DEVICE bool is_valid() const { return __hiplz_multi_grid_is_valid(); }
  /// Waits for all threads of all grids, each of which must call it.
  __HIPLZ_DEVICE void sync() const { __hiplz_multi_grid_sync(); }
  __HIPLZ_DEVICE unsigned num_grids() const { return __hiplz::gridState()->count; }
  __HIPLZ_DEVICE unsigned grid_rank() const { return __hiplz::gridState()->rank; }
  __HIPLZ_DEVICE unsigned long long num_threads() const { return __hiplz::gridState()->threads; }
  __HIPLZ_DEVICE unsigned long long size() const { return num_threads(); }
  __HIPLZ_DEVICE unsigned long long thread_rank() const {
    return __hiplz::gridState()->threadsBefore + grid_group().thread_rank();
  }
};

__HIPLZ_DEVICE grid_group this_grid() { return grid_group(); }
__HIPLZ_DEVICE multi_grid_group this_multi_grid() { return multi_grid_group(); }

template <class Group>
__HIPLZ_DEVICE void sync(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups
#endif

#endif
