// SPDX-License-Identifier: MIT
// Processors do not look ahead where work-groups leap through memory, and an access waits for its line. One thread runs the groups in the
// order of x, so
// - a store whose place leaps from one group to the next, as in a transposition, fetches the line that the next group will write;
// - where a group works on a tile, and its warps meet, so that groups cannot run side by side (side_by_side.h), the accesses of one row
//   of the tile fetch that row of a later tile.
// The address of the next group is a copy of the few instructions between the group's id and the address. It may be any address,
// since prefetches have no faults.
#include "cpu/vectorizer/dependents.h"
#include "cpu/vectorizer/passes.h"
#include "cpu/vectorizer/prefetch.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/shape_analysis.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr unsigned kMaxChain = 12;
constexpr unsigned kMost = 8; // in one kernel
constexpr unsigned kTilesAhead =
    2; // a tile may read the edge of its neighbour, which would wait for what was only just fetched

bool isGroupX(const LoadInst &load) {
  const auto read = itemReadBy(load);
  return read && read->field == ItemField::groupId && read->dimension == 0;
}

// Groups that are as far apart as they have threads lie side by side.
bool isGroupSize(const Value *value) {
  if (auto *load = dyn_cast<LoadInst>(value))
    return groupSizeReadBy(*load) == 0u;
  auto *operation = dyn_cast<Instruction>(value);
  return operation && (isa<CastInst>(operation) || operation->getOpcode() == Instruction::Shl) &&
         isGroupSize(operation->getOperand(0));
}

bool isThreadY(const Instruction &instruction) {
  const auto read = itemReadBy(&instruction);
  return read && read->field == ItemField::localId && read->dimension == 1;
}

/// The way from the group's id to the address of a load or a store.
class NextPlace {
public:
  explicit NextPlace(Instruction &access) : access_(access), address_(getLoadStorePointerOperand(&access)) {}

  bool find() { return depends(address_) && !failed_ && chain_.size() <= kMaxChain; }

  bool leaps() const { return leaps_; }

  CallInst *prefetch(unsigned cache) {
    IRBuilder<> b(&access_);
    DenseMap<Value *, Value *> next;
    for (Instruction *instruction : chain_) { // what they are made of comes first
      if (isa<LoadInst>(instruction)) {
        next[instruction] = b.CreateAdd(instruction, b.getInt32(leaps_ ? 1 : kTilesAhead));
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
    Value *address = next[address_];
    return b.CreateIntrinsic(Intrinsic::prefetch, {address->getType()},
                             {address, b.getInt32(isa<StoreInst>(access_)), b.getInt32(cache), b.getInt32(1)});
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

  Instruction &access_;
  Value *address_;
  SetVector<Instruction *> chain_;
  bool leaps_ = false;  // the id is multiplied by something that is known only when the kernel runs
  bool failed_ = false; // depends on the id in another way
};

} // namespace

PreservedAnalyses NextGroupPass::run(Function &body, FunctionAnalysisManager &analyses) {
  const ShapeInfo &shapes = analyses.getResult<ShapeAnalysis>(body);
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(body);
  const bool meets = any_of(instructions(body), isBarrierCall);
  const Dependents ofRows(body, isThreadY);
  SmallVector<NextPlace, 8> places;
  for (Instruction &instruction : instructions(body)) {
    const Value *pointer = getLoadStorePointerOperand(&instruction);
    if (!pointer || instruction.isAtomic() || instruction.isVolatile() || !shapes.shapeOf(pointer).isStrided())
      continue;
    const bool inTile = meets && ofRows.contains(pointer) && !loops.getLoopFor(instruction.getParent());
    NextPlace place(instruction);
    if (places.size() < kMost && place.find() && (place.leaps() ? isa<StoreInst>(instruction) : inTile))
      places.push_back(place);
  }
  if (places.empty())
    return PreservedAnalyses::all();
  const unsigned cache = warpOptionsOf(body).fetchesFar ? kSecondCache : kFirstCache;
  SmallVector<CallInst *, 8> made;
  for (NextPlace &place : places)
    made.push_back(place.prefetch(cache));
  // Elsewhere it would be done lane by lane.
  const ShapeInfo later(body, warpOptionsOf(body));
  for (CallInst *call : made)
    if (!later.shapeOf(call->getArgOperand(0)).isStrided())
      call->eraseFromParent();
  return preservedControlFlow(true);
}

} // namespace hiplz::cpu
