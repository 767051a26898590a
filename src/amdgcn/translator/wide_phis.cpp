// SPDX-License-Identifier: MIT
// See wide_phis.h. What takes the new phi apart, and puts its incoming values together, is left to LLVM's simplifications, which know that a
// number is the same when its halves have been joined again.
#include "amdgcn/translator/wide_phis.h"
#include "amdgcn/translator/number_halves.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

constexpr uint64_t kHalf = 32;
constexpr unsigned kMostRounds = 4; ///< a pair may become one that another one needs

struct Halves {
  PHINode *low, *high;
};

/// The phis that an operation puts together, if it does that.
bool findHalves(Instruction &joins, Halves &halves) {
  Value *low, *high;
  if (!isJoined(joins, low, high) || low == high)
    return false;
  halves = {dyn_cast<PHINode>(low), dyn_cast<PHINode>(high)};
  if (!halves.low || !halves.high || halves.low->getParent() != halves.high->getParent())
    return false;
  for (BasicBlock *from : halves.low->blocks())
    if (wholeOf(halves.low->getIncomingValueForBlock(from), halves.high->getIncomingValueForBlock(from)))
      return true;
  return false;
}

void join(const Halves &halves) {
  PHINode *low = halves.low;
  Type *type = low->getType()->getWithNewBitWidth(2 * kHalf);
  IRBuilder<> b(low);
  PHINode *wide = b.CreatePHI(type, low->getNumIncomingValues(), "wide");
  for (BasicBlock *from : low->blocks()) {
    if (wide->getBasicBlockIndex(from) >= 0) { // more edges than one from there have the same value
      wide->addIncoming(wide->getIncomingValueForBlock(from), from);
      continue;
    }
    b.SetInsertPoint(from->getTerminator());
    Value *below = b.CreateZExt(low->getIncomingValueForBlock(from), type);
    Value *above = b.CreateZExt(halves.high->getIncomingValueForBlock(from), type);
    wide->addIncoming(b.CreateOr(below, b.CreateShl(above, kHalf)), from);
  }
  BasicBlock *block = low->getParent();
  b.SetInsertPoint(block, block->getFirstInsertionPt());
  Value *above = b.CreateLShr(wide, kHalf);
  low->replaceAllUsesWith(b.CreateTrunc(wide, low->getType()));
  halves.high->replaceAllUsesWith(b.CreateTrunc(above, low->getType()));
  low->eraseFromParent();
  halves.high->eraseFromParent();
}

} // namespace

void joinHalvesOfPhis(Function &wave) {
  for (unsigned round = 0; round < kMostRounds; ++round) {
    SmallVector<Halves, 32> found;
    SmallPtrSet<PHINode *, 32> taken;
    for (Instruction &instruction : instructions(wave))
      if (Halves halves{};
          findHalves(instruction, halves) && !taken.contains(halves.low) && !taken.contains(halves.high)) {
        taken.insert(halves.low);
        taken.insert(halves.high);
        found.push_back(halves);
      }
    if (found.empty())
      return;
    for (const Halves &halves : found)
      join(halves);
  }
}

} // namespace hiplz::amdgcn
