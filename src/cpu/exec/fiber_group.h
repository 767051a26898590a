// SPDX-License-Identifier: MIT
// Runs the work-items of a work-group on fibers, for kernels with barriers or sub-group operations: one fiber a
// work-item, switched only when a work-item waits for others. All of them belong to the calling thread.
//
// The work-items that take part in an operation:
// - A work-group operation or barrier completes when every work-item that has not ended waits at one. Work-items that
//   returned early are not waited for (`if (i >= n) return; ... barrier()` works), and barriers at different places in
//   the kernel complete together, as on GPUs.
// - A sub-group operation completes when every lane of the sub-group that has not ended waits at some operation or barrier.
//   The lanes that wait at the same place of the kernel take part together. If lanes wait at several places, those at the
//   place that comes first in the kernel go on alone: lanes that fell behind in a branch or loop catch up and meet the others
//   where control flow joins, so `if (lane < 16) m = ballot(true)` sees 16 lanes and a ballot behind it all 32.
// - A place in a function that is called includes the calls that led there. Lanes in different calls of a function do not meet in it,
//   nor do those at different depths of a recursion.
// - Reading the value of a lane that takes no part gives 0, as on AMD's GPUs.
// - A work-item that waits for a value that another one is to write (a lock, a barrier of the grid) says so with
//   hiplz_cpu_yield() in its loop: the other work-items of the group go first, and in a launch with resident groups others
//   after them (exec/resident_group.h). Without it, busy-waiting for another work-item of the same work-group never ends.
#pragma once
#include "cpu/abi/runtime_functions.h"

namespace hiplz::cpu {

/// Frees the fibers of a worker. To be called when the worker ends, and after a fault in a kernel, when the fibers are in
/// the middle of something. Must not be called while a kernel runs on the worker.
void destroyFibers(WorkerState &worker);

} // namespace hiplz::cpu
