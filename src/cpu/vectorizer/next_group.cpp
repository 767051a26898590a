// SPDX-License-Identifier: MIT
// A store whose place leaps from one work-group to the next, as in a transposition, waits for its line, and processors do not look ahead
// there. One thread runs the groups in the order of x, so such a store fetches the line that the next group will write. The address
// of the next group is a copy of the few instructions between the group's id and the
// address. It may be any address, since prefetches have no faults.
#include "cpu/vectorizer/passes.h"
#include "cpu/vectorizer/prefetch.h"
#include "cpu/vectorizer/shape_analysis.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr unsigned kMaxChain = 12;
constexpr unsigned kMost = 8; // in one kernel

bool isGroupX(const LoadInst &load) {
  const auto read = itemReadBy(load);
  return read && read->field == ItemField::groupId && read->dimension == 0;
}

// Groups that are as far apart as they have threads lie side by side.
bool isGroupSize(const Value *value) {
  if (auto *load = dyn_cast<LoadInst>(value))
    return readsGroupSizeX(*load);
  auto *operation = dyn_cast<Instruction>(value);
  return operation && (isa<CastInst>(operation) || operation->getOpcode() == Instruction::Shl) &&
         isGroupSize(operation->getOperand(0));
}

/// The way from the group's id to the address of a store.
class NextPlace {
public:
  explicit NextPlace(StoreInst &store) : store_(store) {}

  bool find() { return depends(store_.getPointerOperand()) && !failed_ && leaps_ && chain_.size() <= kMaxChain; }

  CallInst *prefetch() {
    IRBuilder<> b(&store_);
    DenseMap<Value *, Value *> next;
    for (Instruction *instruction : chain_) { // what they are made of comes first
      if (isa<LoadInst>(instruction)) {
        next[instruction] = b.CreateAdd(instruction, b.getInt32(1));
        continue;
      }
      Instruction *made = instruction->clone();
      made->dropPoisonGeneratingFlags();
      for (Use &operand : made->operands())
        if (Value *other = next.lookup(operand))
          operand.set(other);
      b.Insert(made);
      next[instruction] = made;
    }
    Value *address = next[store_.getPointerOperand()];
    return b.CreateIntrinsic(Intrinsic::prefetch, {address->getType()},
                             {address, b.getInt32(1), b.getInt32(3), b.getInt32(1)});
  }

private:
  bool depends(Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || isa<PHINode>(instruction) || failed_)
      return false;
    if (chain_.contains(instruction))
      return true;
    if (auto *load = dyn_cast<LoadInst>(instruction))
      return isGroupX(*load) && chain_.insert(load);
    SmallVector<bool, 4> of;
    for (Value *operand : instruction->operands())
      of.push_back(depends(operand));
    if (failed_ || !is_contained(of, true))
      return false;
    if (instruction->getOpcode() == Instruction::Mul) {
      Value *factor = instruction->getOperand(of[0] ? 1 : 0);
      failed_ = of[0] && of[1];
      leaps_ = leaps_ || !(isa<ConstantInt>(factor) || isGroupSize(factor));
    } else if (!isa<GetElementPtrInst>(instruction) && !isIndexArithmetic(*instruction)) {
      failed_ = true;
      return false;
    }
    chain_.insert(instruction);
    return true;
  }

  StoreInst &store_;
  SetVector<Instruction *> chain_;
  bool leaps_ = false;  // the id is multiplied by something that is known only when the kernel runs
  bool failed_ = false; // depends on the id in another way
};

} // namespace

PreservedAnalyses NextGroupPass::run(Function &body, FunctionAnalysisManager &analyses) {
  const ShapeInfo &shapes = analyses.getResult<ShapeAnalysis>(body);
  SmallVector<NextPlace, 8> places;
  for (Instruction &instruction : instructions(body)) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    if (!store || !store->isSimple() || !shapes.shapeOf(store->getPointerOperand()).isStrided())
      continue;
    NextPlace place(*store);
    if (places.size() < kMost && place.find())
      places.push_back(place);
  }
  if (places.empty())
    return PreservedAnalyses::all();
  SmallVector<CallInst *, 8> made;
  for (NextPlace &place : places)
    made.push_back(place.prefetch());
  // Elsewhere it would be done lane by lane.
  const ShapeInfo later(body, warpOptionsOf(body));
  for (CallInst *call : made)
    if (!later.shapeOf(call->getArgOperand(0)).isStrided())
      call->eraseFromParent();
  return preservedControlFlow(true);
}

} // namespace hiplz::cpu
