// SPDX-License-Identifier: MIT
// The stack that kernels run on. It is not that of the thread: a kernel that leaves a private array damages its own frames and
// then faults, and the runtime's frames, to which the thread returns after the fault, are out of its reach. How deep functions can
// recur does not depend on the thread that happens to execute them.
#pragma once
#include "cpu/abi/kernel.h"
#include "cpu/exec/stack_slab.h"

namespace hiplz::cpu {

/// Of one thread. Its memory is taken at the first call and kept.
class KernelStack {
public:
  /// Calls the kernel on a stack that has `bytes` for it, besides what every kernel has. May fault, like any kernel; traps if
  /// there is no memory.
  void call(KernelFunction function, const LaunchState &launch, WorkerState &state, uint64_t begin, uint64_t end,
            size_t bytes);

private:
  StackSlab stack_;
  size_t bytes_ = 0;
};

} // namespace hiplz::cpu
