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
#include <llvm/IR/PassManager.h>

namespace hiplz::cpu {

/// `left` divided by `right`, or the remainder, in the lanes that `mask` has; other lanes have any value. `operation` is a division or
/// remainder of integers. A null mask has all lanes.
llvm::Value *divideLanes(llvm::IRBuilder<> &builder, llvm::Instruction::BinaryOps operation, llvm::Value *left,
                         llvm::Value *right, llvm::Value *mask);

/// Replaces the calls that divideLanes() has made by instructions. Returns true if there was one.
bool expandLaneDivisions(llvm::Function &function);

/// Runs behind all passes that fold operations.
struct LaneDivisionsPass : llvm::PassInfoMixin<LaneDivisionsPass> {
  static llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace hiplz::cpu
