// SPDX-License-Identifier: MIT
// The scalar path for programs that rely on the lanes of a warp going together.
#pragma once
#include <llvm/IR/Function.h>

namespace hiplz::cpu {

/// Makes the lanes of a warp meet between accesses to local memory that may be of the same place, in a body that exchanges values
/// without a barrier (lanes/lanes_in_step.h); others stay as they are. Returns whether it has added something. Fibers that wait
/// for such a meeting do nothing for those who wait in a loop; so there is none where something that a loop waits for may come
/// later. To be done after waiting loops are marked.
bool keepLanesInStep(llvm::Function &body);

} // namespace hiplz::cpu
