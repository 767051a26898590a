// SPDX-License-Identifier: MIT
// Reads that are not what they look like, for the checks of accesses.
#pragma once
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace hiplz::cpu {

/// True if the access is to the aligned word around an address that was rounded down to it. Who does that wants a part of the word.
bool isWordAround(const llvm::Value *pointer, const llvm::Value *bytes);

/// True if a compare-and-exchange only compares with memory what is read: the first read of a loop around one. It may be old or torn. Code that
/// is not optimised keeps the value in variables, and hands it to functions.
bool comparesWithMemory(llvm::Instruction &instruction);

/// True if the program does nothing with the result: an atomic operation that only writes.
bool isResultUnused(const llvm::Instruction &instruction);

/// True if what is read decides a branch, as a flag does that others set. Code that is not optimised keeps the value in variables.
bool decidesBranch(const llvm::Instruction &instruction);

/// The place behind a plain read from which on alone its value is used: where a branch has been taken, with no order of work-items between.
/// Null if there is none. An argument by value is read by all who call the function, also by those who do nothing with it.
llvm::Instruction *whereNeeded(llvm::LoadInst &read, const llvm::DominatorTree &tree);

} // namespace hiplz::cpu
