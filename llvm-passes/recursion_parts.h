// SPDX-License-Identifier: MIT
// The facts about a function that RecursionPass collects before it makes part of a loop of it: the values that frames keep, and where the
// lanes of a warp wait for each other.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PassManager.h"

#include <vector>

namespace hiplz::passes {

/// The values of \p F, other than addresses of variables, that are used after the beginning of one of \p Blocks and made before it.
llvm::SmallSetVector<llvm::Instruction *, 16> liveAt(llvm::Function &F,
                                                     const llvm::SmallPtrSetImpl<llvm::BasicBlock *> &Blocks);

/// Calls \p valueIn for the block of each use of \p Old outside of its own block, once for each block, and uses that value there.
void replaceOutside(llvm::Value &Old, llvm::BasicBlock *Own,
                    llvm::function_ref<llvm::Value *(llvm::BasicBlock &)> valueIn);

/// True if the result of the call depends on which lanes of the warp make it together.
bool isWarpOperation(const llvm::CallBase &Call);

/// A place of a function at which lanes wait for each other.
struct Stop {
  llvm::BasicBlock *After; // goes on there
  uint32_t Number;         // from 1; those of earlier places are less
};

/// Splits the blocks of \p F at recursive calls, at operations that need the lanes together, and on the edges back into loops with such
/// places, and returns the latter in the order of the numbers. The number behind that of a call is free, for the return to it.
std::vector<Stop> splitAtStops(llvm::Function &F, llvm::function_ref<bool(const llvm::CallBase &)> isRecursive,
                               llvm::FunctionAnalysisManager &Manager);

/// The mask of the lanes that are here together.
llvm::Value *activeLanes(llvm::IRBuilderBase &B);

/// The blocks in which lanes choose those among them that go on.
struct LaneChoice {
  llvm::BasicBlock *Again = nullptr; // lanes that wait branch there
  llvm::PHINode *Active = nullptr;   // the lanes in the loop, in the first block; the caller adds those from outside
  llvm::Value *Next = nullptr;       // the number of the place at which those that were chosen go on
};

/// Emits them behind \p B's block. Lanes have stored where they go on in \p Place and the offset of the frame in \p Depth. Code that
/// the caller adds at \p B runs for those that were chosen.
LaneChoice chooseLanes(llvm::IRBuilderBase &B, llvm::AllocaInst *Place, llvm::AllocaInst *Depth);

/// Makes lines of \p F those of a function that was inlined into \p To; none if that is null.
void inlineLines(llvm::Function &F, llvm::DISubprogram *To);

} // namespace hiplz::passes
