// SPDX-License-Identifier: MIT
// Accesses that lie side by side, for the checks. Clang takes small structures and vectors apart, and then each member is read or written by
// an instruction of its own. One check of all the bytes says as much as one for each member, and words are checked faster than parts of words.
#pragma once
#include "cpu/compiler/accesses.h"

#include <llvm/ADT/STLFunctionalExtras.h>

namespace hiplz::cpu {

/// Joins plain accesses of one source line, of those that `mayJoin` allows, that follow each other upwards in memory, with nothing between them in the
/// code that might order work-items. The first instruction of those joined stands for all of them. `accesses` have the order of the code.
void joinNeighbours(llvm::SmallVectorImpl<Access> &accesses, llvm::function_ref<bool(const Access &)> mayJoin);

} // namespace hiplz::cpu
