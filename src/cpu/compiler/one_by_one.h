// SPDX-License-Identifier: MIT
// Which work-item a fault is in. Where many work-items are executed at once, as the lanes of vectors, the code does not know;
// such a kernel has a second function that executes one after the other, and that the driver calls for the work-group in
// which something has faulted. It is independent of how the kernel itself was vectorised.
#pragma once
#include "cpu/compiler/kernel_table.h"

namespace hiplz::cpu {

/// True if work-items can be executed a second time without harm: no loops, so that each ends, and no effects but plain loads
/// and stores. Others must keep WorkerState::localId and itemCount up to date as well as they can. The body is one that
/// prepareModule has left.
bool canRunOneByOne(const llvm::Function &body);

/// A function that executes a work-group one work-item after the other: that of the kernel if there is one, else a new
/// one. Its parameters are those of KernelFunction, but it executes the work-group `begin` alone. For kernels whose
/// work-items do not wait for each other.
llvm::Function *oneByOneFunction(Kernel &kernel);

/// Adds the function oneByOneSymbol(name) if that is possible. Call before either path of the compiler gets the kernel.
void addOneByOne(Kernel &kernel);

} // namespace hiplz::cpu
