// SPDX-License-Identifier: MIT
// Code that is not optimised branches even where it only chooses one of two values, as min() does. For initcheck such a branch is no decision:
// an uninitialized value that is not chosen, or whose choice has no effect, is no defect.
#pragma once
#include <llvm/IR/Function.h>

namespace hiplz::cpu {

/// Replaces branches whose arms do nothing but read variables of the work-item by selections.
void chooseWithoutBranches(llvm::Function &function);

} // namespace hiplz::cpu
