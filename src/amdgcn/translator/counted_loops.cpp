// SPDX-License-Identifier: MIT
// See counted_loops.h. What decides whether a loop is left is followed back to where the loop is entered. It must not be read from memory on
// that way, and if it is one of several values, what chooses between them must not be either.
#include "amdgcn/translator/counted_loops.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

/// The values that decide about a loop's end, as far as they are made in it.
class Deciders {
public:
  Deciders(const Loop &loop, const DominatorTree &dominators) : loop_(loop), dominators_(dominators) {}

  bool readMemory() {
    SmallVector<BasicBlock *, 4> exiting, latches;
    loop_.getExitingBlocks(exiting);
    loop_.getLoopLatches(latches);
    if (exiting.empty())
      return true; // it never ends, or by a fault of the kernel
    for (const BasicBlock *block : exiting) {
      want(*block);
      if (!all_of(latches, [&](const BasicBlock *latch) { return dominators_.dominates(block, latch); }))
        wantChoices(); // not each round comes there
    }
    for (unsigned next = 0; next < wanted_.size(); ++next) {
      const Instruction &value = *wanted_[next];
      if (value.mayReadOrWriteMemory() && !value.hasMetadata(LLVMContext::MD_invariant_load))
        return true;
      if (isa<PHINode>(value) && (value.getParent() != loop_.getHeader() || latches.size() > 1))
        wantChoices();
      for (const Value *operand : value.operands())
        want(operand);
    }
    return false;
  }

private:
  void want(const Value *value) {
    auto *made = dyn_cast<Instruction>(value);
    if (made && loop_.contains(made))
      wanted_.insert(made);
  }

  void want(const BasicBlock &end) {
    for (const Value *operand : end.getTerminator()->operands())
      want(operand);
  }

  // Also those of loops inside.
  void wantChoices() {
    if (!std::exchange(choices_, true))
      for (const BasicBlock *block : loop_.blocks())
        want(*block);
  }

  const Loop &loop_;
  const DominatorTree &dominators_;
  SmallSetVector<const Instruction *, 32> wanted_;
  bool choices_ = false;
};

} // namespace

void dropNeedlessPauses(Function &wave, function_ref<bool(const Instruction &)> isPause) {
  const DominatorTree dominators(wave);
  const LoopInfo loops(dominators);
  DenseMap<const Loop *, bool> waits;
  for (Instruction &instruction : make_early_inc_range(instructions(wave))) {
    const Loop *loop = isPause(instruction) ? loops.getLoopFor(instruction.getParent()) : nullptr;
    if (!loop)
      continue;
    if (!waits.count(loop))
      waits[loop] = Deciders(*loop, dominators).readMemory();
    if (!waits.lookup(loop))
      instruction.eraseFromParent();
  }
}

} // namespace hiplz::amdgcn
