// SPDX-License-Identifier: MIT
// A stack for kernels that need more than the thread that executes them has left: a large private array would otherwise lie
// beyond the end of the stack, in somebody else's memory.
#pragma once
#include "cpu/abi/kernel.h"
#include "cpu/exec/stack_slab.h"

namespace hiplz::cpu {

/// Of one thread. Its memory is taken at the first call and kept.
class KernelStack {
public:
  /// Calls the kernel on a stack that has `bytes` for it. May fault, like any kernel; traps if there is no memory.
  void call(KernelFunction function, const LaunchState &launch, WorkerState &state, uint64_t begin, uint64_t end,
            size_t bytes);

private:
  StackSlab stack_;
};

} // namespace hiplz::cpu
