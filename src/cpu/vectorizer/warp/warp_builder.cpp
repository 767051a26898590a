// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/warp/warp_builder.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>

using namespace llvm;

namespace hiplz::cpu {

WarpBuilder::WarpBuilder(Function &body, Function &warp, const ShapeInfo &shapes, const WarpOptions &options)
    : context_(body, warp, shapes, options), values_(context_), masks_(context_), items_(context_, values_),
      control_(context_, values_, masks_, items_), loops_(context_, values_, masks_, items_),
      arithmetic_(context_, values_), memory_(context_, values_, masks_, items_, loops_, arithmetic_),
      atomics_(context_, values_, masks_, loops_), calls_(context_, values_, masks_, loops_, arithmetic_, memory_) {}

bool WarpBuilder::build(std::string &reason) {
  control_.createBlocks();
  ReversePostOrderTraversal<Function *> order(&context_.body);
  for (BasicBlock *block : order) {
    control_.begin(*block);
    for (const Instruction &instruction : *block) {
      if (isa<PHINode>(instruction))
        continue;
      context_.builder.SetCurrentDebugLocation(instruction.getDebugLoc());
      if (instruction.isTerminator())
        control_.emitTerminator(*block);
      else
        emit(instruction);
      if (!context_.reason.empty()) {
        reason = context_.reason;
        return false;
      }
    }
  }
  control_.completePhis();
  reason = context_.reason;
  return reason.empty();
}

void WarpBuilder::emit(const Instruction &instruction) {
  if (isItemAddress(&instruction, context_.body))
    return; // code that reads there finds the field by itself
  if (auto *variable = dyn_cast<AllocaInst>(&instruction))
    return arithmetic_.emitAlloca(*variable);
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return memory_.emitLoad(*load);
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return memory_.emitStore(*store);
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    return atomics_.emit(*update);
  if (auto *call = dyn_cast<CallInst>(&instruction))
    return calls_.emit(*call);
  if (isa<AtomicCmpXchgInst>(instruction))
    return loops_.replicate(instruction);
  arithmetic_.emit(instruction);
}

} // namespace hiplz::cpu
