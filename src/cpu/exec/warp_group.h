// SPDX-License-Identifier: MIT
// Runs the warps of a work-group on fibers, for kernels of the vector path that wait for their work-group: one fiber a
// warp. Warps take turns, and a turn goes from one barrier to the next, so when a warp's turn comes again, every other one
// has reached the barrier or has ended. Warps that have ended are not waited for, and barriers at different places in the
// kernel complete together, as with fibers of work-items (fiber_group.h).
#pragma once
#include "cpu/abi/runtime_functions.h"

namespace hiplz::cpu {

/// Frees what a worker has for warps; part of destroyFibers().
void destroyWarps(WorkerState &worker);

} // namespace hiplz::cpu
