// SPDX-License-Identifier: MIT
// Integer divisions whose divisor differs from lane to lane.
//
// LLVM takes a vector division for undefined as a whole if one lane of a constant divisor is zero. Where such a constant is one arm of
// a selection or of a phi, it therefore drops the arm for all lanes: `n / select(mask, <0, 1, 2, ...>, 1)` becomes `n`. The constant may
// appear at any time, since what is known of lane ids grows from pass to pass. So LLVM does not see these divisions: they are calls of
// functions that exist in name only, until nothing but code generation follows. Then each lane has a division of its own.
//
// Divisions by one number for all lanes stay instructions: a zero there is a division by zero of the program.
#pragma once
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace hiplz::cpu {

/// `left` divided by `right`, or the remainder, in the lanes that `mask` has; other lanes have any value. `operation` is a division or
/// remainder of integers. A null mask has all lanes. LaneDivisionsPass replaces the call by instructions; no pass that folds operations may
/// run behind it.
llvm::Value *divideLanes(llvm::IRBuilder<> &builder, llvm::Instruction::BinaryOps operation, llvm::Value *left,
                         llvm::Value *right, llvm::Value *mask);

} // namespace hiplz::cpu
