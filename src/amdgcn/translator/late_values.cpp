// SPDX-License-Identifier: MIT
// See late_values.h. For loads a block is walked upward, so what uses a load has its place when the load comes.
#include "amdgcn/translator/late_values.h"
#include "amdgcn/translator/access_calls.h"
#include "amdgcn/translator/late_copies.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

constexpr size_t kManyLoads = 12; ///< of vectors; fewer have registers

bool isLoad(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return load->isSimple();
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == Intrinsic::masked_load;
}

bool mayWrite(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return instruction.mayWriteToMemory() && !(call && call->getIntrinsicID() == Intrinsic::prefetch);
}

class LateLoads {
public:
  explicit LateLoads(BasicBlock &block) : block_(block) {
    for (Instruction &instruction : block) {
      if (isLoad(instruction) || putsInOrder(instruction))
        moved_.insert(&instruction);
      if (mayWrite(instruction))
        writes_.push_back(static_cast<unsigned>(all_.size()));
      places_[&instruction] = static_cast<unsigned>(all_.size());
      all_.push_back(&instruction);
    }
  }

  void run() {
    for (Instruction *instruction : reverse(all_))
      if (moved_.contains(instruction))
        moveDown(*instruction);
  }

private:
  /// True for a copy or another order of words that have just been loaded, and that nobody else uses.
  bool putsInOrder(const Instruction &instruction) const {
    if (!isa<ShuffleVectorInst>(instruction) && !isa<InsertElementInst>(instruction) && !isa<BitCastInst>(instruction))
      return false;
    bool ofLoad = false;
    for (const Value *operand : instruction.operands()) {
      auto *made = dyn_cast<Instruction>(operand);
      if (!made || made->getParent() != &block_)
        continue;
      if (!made->hasOneUse() || !moved_.contains(made))
        return false;
      ofLoad = true;
    }
    return ofLoad;
  }

  void moveDown(Instruction &instruction) {
    const unsigned own = places_.lookup(&instruction);
    Instruction *first = nullptr;
    for (User *user : instruction.users()) {
      auto *one = cast<Instruction>(user);
      if (one->getParent() != &block_ || isa<PHINode>(one))
        continue;
      const unsigned place = places_.lookup(one), best = first ? places_.lookup(first) : ~0u;
      if (place < best || (place == best && one->comesBefore(first)))
        first = one;
    }
    if (!first)
      return;
    const unsigned place = places_.lookup(first);
    const auto write = std::upper_bound(writes_.begin(), writes_.end(), own);
    if (isLoad(instruction) && write != writes_.end() && *write < place)
      return;
    instruction.moveBefore(first);
    places_[&instruction] = place;
  }

  BasicBlock &block_;
  SmallVector<Instruction *, 64> all_;
  SmallVector<unsigned, 16> writes_;
  DenseMap<const Instruction *, unsigned> places_; // those of what they have been moved to
  DenseSet<const Instruction *> moved_;
};

constexpr size_t kMostOfCall = 64, kMostInAll = 3000; ///< operations that are copied

bool isPure(const Instruction &operation) {
  auto *call = dyn_cast<IntrinsicInst>(&operation);
  return isa<BinaryOperator>(operation) || isa<CastInst>(operation) || isa<CmpInst>(operation) ||
         isa<SelectInst>(operation) || isa<ShuffleVectorInst>(operation) || isa<InsertElementInst>(operation) ||
         (call && isTriviallyVectorizable(call->getIntrinsicID()));
}

bool isOfLanes(const Instruction &operation) {
  return operation.getType()->isVectorTy() ||
         (isa<BitCastInst>(operation) && operation.getOperand(0)->getType()->isVectorTy());
}

/// Copies operations on vectors in front of a call. Returns how many.
size_t moveAddresses(CallInst &call) {
  LateCopies copies(call, kMostOfCall);
  SmallVector<WeakTrackingVH, 2> unused; // deleted when nothing is looked up any more
  for (const unsigned n : {kAccessAddresses, kAccessBits}) {
    Value *before = call.getArgOperand(n), *late = copies.of(before, [&](Instruction &operation) {
      return operation.getParent() != call.getParent() && isOfLanes(operation) && isPure(operation);
    });
    call.setArgOperand(n, late);
    if (late != before)
      unused.emplace_back(before);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused);
  return copies.size();
}

/// Puts the constant of an address beside the access, where it costs nothing.
void addConstantLate(Instruction &access) {
  for (Use &use : access.operands())
    if (auto *place = dyn_cast<GetElementPtrInst>(use.get());
        place && place->getParent() != access.getParent() && place->hasAllConstantIndices()) {
      Instruction *copy = place->clone();
      copy->insertBefore(&access);
      use.set(copy);
      RecursivelyDeleteTriviallyDeadInstructions(place);
    }
}

} // namespace

void computeAddressesLate(Function &wave) {
  for (Instruction &instruction : instructions(wave))
    if (isa<LoadInst>(instruction) || isa<StoreInst>(instruction) || isa<IntrinsicInst>(instruction))
      addConstantLate(instruction);
  SmallVector<CallInst *, 32> calls;
  for (Instruction &instruction : instructions(wave))
    if (auto *call = dyn_cast<CallInst>(&instruction); call && (isLoadOfLanes(*call) || isStoreOfLanes(*call)))
      calls.push_back(call);
  size_t copies = 0;
  for (CallInst *call : calls)
    if (copies < kMostInAll)
      copies += moveAddresses(*call);
}

void loadLate(Function &wave) {
  for (BasicBlock &block : wave)
    if (static_cast<size_t>(count_if(block, [](const Instruction &instruction) {
          return isLoad(instruction) && instruction.getType()->isVectorTy();
        })) > kManyLoads)
      LateLoads(block).run();
}

} // namespace hiplz::amdgcn
