// SPDX-License-Identifier: MIT
// The second half of counting: marks (operation_marks.h) become additions. A function sums up in local variables and adds the sums
// to the counters of the launch when it returns, so that counting is arithmetic on registers, which the vectoriser turns into
// arithmetic on vectors, masks included.
#pragma once
#include <llvm/IR/Module.h>

namespace hiplz::cpu {

/// Replaces all marks of a piece, which is in the form that the paths take. `kernel`, null in the shared piece, also counts its
/// work-items.
void countOperations(llvm::Module &module, llvm::Function *kernel);

} // namespace hiplz::cpu
