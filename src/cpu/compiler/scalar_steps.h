// SPDX-License-Identifier: MIT
// The scalar path for programs that rely on the lanes of a warp going together.
#pragma once
#include <llvm/IR/Function.h>

namespace hiplz::cpu {

/// Makes the lanes of a warp meet between accesses that may be of the same place, where the kernel or a function that it calls
/// exchanges values without a barrier (lanes/lanes_in_step.h), and numbers all places where lanes meet. In code without optimisation they
/// meet for operations of the warp only. Fibers that wait for such a meeting do nothing for those who wait in a loop; so there is none
/// where something that a loop waits for may come later. To be done after waiting loops are marked.
void keepLanesInStep(llvm::Function &kernel);

/// The same for the functions that are called through pointers. Kernels decide by the same analysis whether they run on fibers.
void keepLanesInStep(llvm::Module &shared);

} // namespace hiplz::cpu
