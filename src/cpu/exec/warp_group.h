// SPDX-License-Identifier: MIT
// Runs the warps of a work-group on fibers, for kernels of the vector path that wait for their work-group: one fiber a
// warp. Warps take turns, and a turn goes from one barrier to the next, so when a warp's turn comes again, every other one
// has reached the barrier or has ended. Warps that have ended are not waited for, and barriers at different places in the
// kernel complete together, as with fibers of work-items (fiber_group.h).
#pragma once
#include "cpu/abi/compiled_code.h"

namespace hiplz::cpu {

/// The function of a warp, arguments included.
using WarpFunction = void (*)(WarpState *warp);

/// Frees what a worker has for warps; part of destroyFibers().
void destroyWarps(WorkerState &worker);

} // namespace hiplz::cpu

// What compiled code calls.
extern "C" {

/// Memory of the worker for the states of warps and what they keep between barriers: at least `bytes`, aligned to 64. The
/// same memory at each call, contents undefined.
std::byte *hiplz_cpu_warp_memory(hiplz::cpu::WorkerState *worker, uint64_t bytes);

/// Runs the warps of one work-group, whose states lie `stride` bytes apart. `stackBytes` is what the stack of a warp must
/// hold at least.
void hiplz_cpu_run_warps(hiplz::cpu::WarpFunction function, hiplz::cpu::WarpState *first, uint32_t stride,
                         uint32_t count, uint32_t stackBytes);

/// A barrier of the work-group; called on a warp's fiber.
void hiplz_cpu_warp_barrier(hiplz::cpu::WarpState *warp);
}
