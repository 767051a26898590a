// SPDX-License-Identifier: MIT
// A loop whose lanes are executed one after the other (lane_walks.h): what is known of it, and how the copy is made.
#pragma once
#include "amdgcn/translator/number_halves.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <utility>

namespace hiplz::amdgcn {

struct LaneWalk {
  llvm::BasicBlock *loop = nullptr;
  llvm::Value *lanes = nullptr; ///< i32: those that are there; a phi of the loop if they leave one by one
  llvm::Value *rest = nullptr;  ///< i32: those of them that go round; null if all of them leave together
  llvm::PHINode *row = nullptr; ///< where the lanes read, which tells whether they read side by side
  llvm::SmallVector<llvm::CallInst *, 4> loads;
  llvm::SmallPtrSet<llvm::Value *, 16> masks; ///< i32 in the loop with a bit for each lane
  /// Used behind the loop, and what lanes that are not there have instead: null for the mask of none, and where all lanes are there.
  llvm::SmallVector<std::pair<llvm::Instruction *, llvm::PHINode *>, 4> results;

  static const llvm::ConstantInt *constantOf(const llvm::Value *value) {
    auto *constant = llvm::dyn_cast<llvm::Constant>(value);
    if (constant && constant->getType()->isVectorTy())
      constant = constant->getSplatValue();
    return llvm::dyn_cast_or_null<llvm::ConstantInt>(constant);
  }

  /// True if the mask, of either type, is that of the lanes that are there.
  bool areLanes(llvm::Value *mask) const;
  /// The value that a lane that is there computes.
  llvm::Value *ofLane(llvm::Value *value) const;
  /// The constant that is added to the phi in each round; null if there is none.
  const llvm::ConstantInt *stepOf(llvm::PHINode &phi) const;
};

bool isPerLaneIntrinsic(const llvm::CallInst &call);

/// Adds a copy of the loop, for one lane, and loops over the lanes around it.
void copyForOneLane(const LaneWalk &walk);

} // namespace hiplz::amdgcn
