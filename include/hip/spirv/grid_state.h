// SPDX-License-Identifier: MIT
// The state in which the blocks of a cooperative launch meet, in memory that the device reaches. The runtime provides it and says in the
// global offset of the launch where it is; grid.h waits with it. Both include this file.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace __hiplz {

/// One barrier: everybody adds to `arrived`, the last one begins the next generation. Zeros before the first use.
struct BarrierState {
  uint32_t arrived;
  uint32_t generation;
};

struct GridState {
  BarrierState barrier;
  BarrierState *all;      ///< of a launch on several devices, else null
  uint32_t rank;          ///< of this grid among them
  uint32_t count;         ///< how many grids there are
  uint64_t threadsBefore; ///< threads of the grids of lower rank
  uint64_t threads;       ///< threads of all grids
};
static_assert(sizeof(GridState) == 40 && offsetof(GridState, all) == 8 && offsetof(GridState, rank) == 16 &&
                  offsetof(GridState, threadsBefore) == 24,
              "host and device agree");

/// The state that a kernel sees which was not launched cooperatively and waits for its grid: the page that no process can map.
/// The access faults, and whoever reports the fault knows the reason by the address.
constexpr uint64_t __no_grid = 0x7ffffffff000;

} // namespace __hiplz
