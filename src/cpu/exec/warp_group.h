// SPDX-License-Identifier: MIT
// Runs the warps of a work-group on fibers, for kernels of the vector path that wait for their work-group or in loops: one
// fiber a warp. Warps take turns, and a turn goes to the next barrier, or until the warp finds that it must wait for what others
// write. Warps that have ended are not waited for at a barrier, and barriers at different places in the kernel complete together, as
// with fibers of work-items (fiber_group.h). When all warps of a resident group wait, it lets other groups run.
#pragma once
#include "cpu/abi/runtime_functions.h"

namespace hiplz::cpu {

/// Frees what a worker has for warps; part of destroyFibers().
void destroyWarps(WorkerState &worker);

} // namespace hiplz::cpu
