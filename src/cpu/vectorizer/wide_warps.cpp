// SPDX-License-Identifier: MIT
// See wide_warps.h. Estimates, made before anything is known of shapes: what depends on the ids of a work-item differs from lane
// to lane, control flow aside, and the body of a loop counts eight times.
#include "cpu/vectorizer/wide_warps.h"
#include "cpu/vectorizer/dependents.h"
#include "cpu/vectorizer/lane_distances.h"
#include "cpu/vectorizer/loop_analyses.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr unsigned kLoopBits = 3, kMaxDepth = 5; // 8 rounds
constexpr uint64_t kArithmeticPerAccess = 8;
constexpr uint64_t kCall = 8;      // accesses that a call for each lane counts for
constexpr unsigned kMaxAlive = 12; // values in a loop: 24 of 32 registers; doubles are two

bool differsByItself(const Instruction &instruction) {
  if (isa<AllocaInst>(instruction))
    return true;
  if (const auto read = itemReadBy(&instruction))
    return isLaneId(read->field);
  return isa<AtomicRMWInst>(instruction) || isa<AtomicCmpXchgInst>(instruction);
}

class Estimate {
public:
  explicit Estimate(Function &body) : body_(body), tree_(body), loops_(tree_), varying_(body, differsByItself) {}

  bool gains() {
    uint64_t arithmetic = 0, accesses = 0;
    for (Instruction &instruction : instructions(body_)) {
      if (!dependsOnItem(instruction))
        continue;
      const uint64_t weight = uint64_t{1}
                              << kLoopBits * std::min(loops_.getLoopDepth(instruction.getParent()), kMaxDepth);
      if (usesDoubles(instruction))
        return false;
      if (isa<LoadInst>(instruction) || isa<StoreInst>(instruction) || instruction.isAtomic())
        accesses += weight;
      else if (auto *call = dyn_cast<CallBase>(&instruction); call && !isa<IntrinsicInst>(call))
        accesses += kCall * weight;
      else if (isArithmetic(instruction))
        arithmetic += weight;
    }
    return arithmetic >= kArithmeticPerAccess * std::max<uint64_t>(accesses, 1) &&
           all_of(loops_.getLoopsInPreorder(), [this](const Loop *loop) { return fits(*loop); });
  }

  bool sharesColumns() {
    const LaneDistances lanes(body_);
    const Dependents rows(body_, isIdOfRow);
    LoopAnalyses analyses(body_);
    bool any = false;
    for (Loop *loop : analyses.loops.getLoopsInPreorder())
      if (loop->isInnermost()) {
        unsigned columns = 0, words = 0;
        for (BasicBlock *block : loop->blocks())
          for (Instruction &instruction : *block) {
            if (instruction.mayHaveSideEffects() || (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction)))
              return false;
            auto *load = dyn_cast<LoadInst>(&instruction);
            if (!load)
              continue;
            const auto size = static_cast<int64_t>(load->getType()->getScalarSizeInBits() / 8);
            const bool isOfRow = rows.contains(load->getPointerOperand());
            const std::optional<int64_t> apart = lanes.distance(analyses.evolution.getSCEV(load->getPointerOperand()));
            if (apart == 0)
              words += isOfRow;
            else if (apart == size && (size == 4 || size == 8) && !isOfRow)
              ++columns;
            else
              return false;
          }
        if (columns == 0 || words == 0 || !fits(*loop))
          return false;
        any = true;
      }
    return any;
  }

private:
  // Accesses at a place that is the same for all lanes are one, whatever is stored.
  bool dependsOnItem(const Instruction &instruction) const {
    if (!varying_.contains(&instruction))
      return false;
    const Value *place = getLoadStorePointerOperand(&instruction);
    return !place || isa<StoreInst>(instruction) || varying_.contains(place);
  }

  static bool usesDoubles(const Instruction &instruction) {
    return instruction.getType()->getScalarType()->isDoubleTy() ||
           any_of(instruction.operands(), [](const Use &use) { return use->getType()->getScalarType()->isDoubleTy(); });
  }

  static bool isArithmetic(const Instruction &instruction) {
    Type *type = instruction.getType()->getScalarType();
    if (type->isFloatingPointTy())
      return !isa<PHINode>(instruction);
    return isa<BinaryOperator>(instruction) && type->isIntegerTy() && type->getIntegerBitWidth() <= 32;
  }

  static bool isIdOfRow(const Instruction &instruction) {
    const auto read = itemReadBy(&instruction);
    return read && (read->field == ItemField::linearId || (read->field == ItemField::localId && read->dimension > 0));
  }

  // The numbers that a round of the loop needs or changes.
  bool fits(const Loop &loop) const {
    SmallPtrSet<const Value *, 16> values;
    for (const BasicBlock *block : loop.blocks())
      for (const Instruction &instruction : *block) {
        if (isa<PHINode>(instruction) && block == loop.getHeader()) { // begins as what is not needed otherwise
          values.insert(&instruction);
          continue;
        }
        for (const Value *operand : instruction.operands())
          if (auto *from = dyn_cast<Instruction>(operand); from && !loop.contains(from))
            values.insert(from);
      }
    unsigned alive = 0;
    for (const Value *value : values)
      if (!value->getType()->isPointerTy() && varying_.contains(value))
        alive += value->getType()->getScalarType()->isDoubleTy() ? 2 : 1;
    return alive <= kMaxAlive;
  }

  Function &body_;
  DominatorTree tree_;
  LoopInfo loops_;
  Dependents varying_;
};

} // namespace

bool gainsFromWideWarps(Function &body) { return Estimate(body).gains(); }

bool sharesColumns(Function &body) { return Estimate(body).sharesColumns(); }

} // namespace hiplz::cpu
