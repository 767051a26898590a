// SPDX-License-Identifier: MIT
// Programs that rely on the lanes of a warp going together: reductions and scans in shared memory without a barrier from step to step.
#pragma once
#include <llvm/IR/Function.h>

namespace hiplz::cpu {

/// Whether the pointer is to local memory: that of the worker, or dynamic shared memory.
bool isLocalMemory(const llvm::Value *pointer);

/// Whether a work-item may read local memory that another one has written since the last barrier: then a warp must not be executed in
/// parts. Reading back what it has itself written does not count, if it does so by the same address.
bool exchangesWithoutBarrier(llvm::Function &body);

} // namespace hiplz::cpu
