// SPDX-License-Identifier: MIT
// The barrier of a cooperative launch, and of one that spans several devices. The runtime keeps the state of the barrier in
// device memory and says in the global offset of the launch where: no HIP kernel uses that offset for anything else, so it
// needs no parameter, and each launch has its own (docs/design/cooperative.md).
#pragma once

#include "hip/spirv/builtins.h"
#include "hip/spirv/grid_state.h"
#include "hip/spirv/index.h"
#include "hip/spirv/sync.h"

__HIPLZ_SPIRV_PURE size_t __spirv_BuiltInGlobalOffset(int dimension);
__HIPLZ_SPIRV void __spirv_ocl_prefetch(const __attribute__((address_space(1))) char *address, size_t elements);

namespace __hiplz {

/// Null if the launch is not cooperative.
__HIPLZ_DEVICE GridState *gridState() {
  return (GridState *)(__spirv_BuiltInGlobalOffset(0) | __spirv_BuiltInGlobalOffset(1) << 32);
}

/// For those who wait: an address that says why it is none.
__HIPLZ_DEVICE GridState *requiredGridState() {
  GridState *const grid = gridState();
  return grid ? grid : (GridState *)__no_grid;
}

/// To be called in a loop that waits for others to change the memory. A prefetch of nothing does nothing on a GPU,
/// whose blocks all run; the CPU device runs another thread meanwhile.
__HIPLZ_DEVICE void yieldTo(const void *address) {
  __spirv_ocl_prefetch((const __attribute__((address_space(1))) char *)(size_t)address, 0);
}

/// The last of `count` callers to arrive calls last(); then all go on.
template <class Last> __HIPLZ_DEVICE void meet(BarrierState *barrier, unsigned count, int scope, Last last) {
  const int acquire = 0x2 | 0x200;
  unsigned seen = __spirv_AtomicLoad(&barrier->generation, scope, __hiplz_relaxed);
  if (__spirv_AtomicIAdd(&barrier->arrived, scope, __hiplz_acquire_release, 1u) + 1 == count) {
    last();
    __spirv_AtomicExchange(&barrier->arrived, scope, __hiplz_relaxed, 0u);
    __spirv_AtomicIAdd(&barrier->generation, scope, __hiplz_acquire_release, 1u);
  } else {
    while (__spirv_AtomicLoad(&barrier->generation, scope, acquire) == seen)
      yieldTo(barrier);
  }
}

__HIPLZ_DEVICE unsigned gridBlocks() { return gridDim.x * gridDim.y * gridDim.z; }

struct NoMore {
  __HIPLZ_DEVICE void operator()() const {}
};
/// For the last block of a grid: meets the last blocks of the other grids.
struct MeetOtherGrids {
  GridState *grid;
  __HIPLZ_DEVICE void operator()() const { meet(grid->all, grid->count, __hiplz_scope_system, NoMore()); }
};

template <class Last> __HIPLZ_DEVICE void gridMeet(GridState *grid, Last last) {
  __hiplz_expect((size_t)gridState(), __hiplz_meeting_grid);
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
    meet(&grid->barrier, gridBlocks(), __hiplz_scope_device, last);
  __syncthreads();
}

} // namespace __hiplz

/// True if the kernel was launched cooperatively, on one device or on several at once.
__HIPLZ_DEVICE bool __hiplz_grid_is_valid() { return __hiplz::gridState() != nullptr; }
__HIPLZ_DEVICE bool __hiplz_multi_grid_is_valid() {
  __hiplz::GridState *grid = __hiplz::gridState();
  return grid && grid->all;
}

/// Waits for all threads of the grid, each of which must call it; what they wrote before is visible after. The launch must
/// be cooperative.
__HIPLZ_DEVICE void __hiplz_grid_sync() { __hiplz::gridMeet(__hiplz::requiredGridState(), __hiplz::NoMore()); }

/// The same for the threads of all grids of a launch on several devices.
__HIPLZ_DEVICE void __hiplz_multi_grid_sync() {
  __hiplz::GridState *grid = __hiplz::requiredGridState();
  __hiplz::gridMeet(grid, __hiplz::MeetOtherGrids{grid});
}
