// SPDX-License-Identifier: MIT
// Compiled code tells which work-items it is at, for messages about faults, by stores that stay where they are. Between two barriers
// it may do nothing that can fault: the steps of a tree in shared memory. What it tells there is never seen, but LLVM takes such a store for one that
// may change any memory, so values go through shared memory from each step to the next.
//
// Once loops are unrolled and indices are constants, this is known: an access of static shared memory within its bounds does not fault. The store of
// an id goes if all ways from it come to the next one before anything that may fault, ends the function or calls what may look.
#include "cpu/vectorizer/unseen_tells.h"
#include "cpu/abi/compiled_code.h"
#include "cpu/vectorizer/passes.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>

#include <optional>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr unsigned kLaunch = 0, kWorker = 1; // parameters of KernelFunction
constexpr unsigned kAllIds = 7;              // a bit for each dimension

/// A base and a distance from it.
struct Distance {
  const Value *base;
  int64_t offset;
};

class UnseenTells {
public:
  explicit UnseenTells(Function &function) : function_(function), layout_(function.getParent()->getDataLayout()) {
    function.getFnAttribute(kStaticLocalBytes).getValueAsString().getAsInteger(10, localBytes_);
  }

  bool drop() {
    // Which ids may be looked at behind the begin of each block.
    DenseMap<const BasicBlock *, unsigned> seen;
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock *block : post_order(&function_)) {
        const unsigned before = walk(*block, seenBehind(*block, seen), nullptr);
        changed = changed || seen[block] != before;
        seen[block] = before;
      }
    }
    SmallVector<Instruction *, 32> dropped;
    for (BasicBlock *block : post_order(&function_))
      walk(*block, seenBehind(*block, seen), &dropped);
    for (Instruction *tell : dropped)
      tell->eraseFromParent();
    return !dropped.empty();
  }

private:
  static unsigned seenBehind(const BasicBlock &block, const DenseMap<const BasicBlock *, unsigned> &seen) {
    unsigned result = 0;
    for (const BasicBlock *next : successors(&block))
      result |= seen.lookup(next);
    return result;
  }

  unsigned walk(BasicBlock &block, unsigned seen, SmallVectorImpl<Instruction *> *unseen) const {
    for (Instruction &instruction : reverse(block)) {
      if (const auto id = idToldBy(instruction)) {
        if (unseen && !(seen & *id))
          unseen->push_back(&instruction);
        seen &= ~*id;
      } else if (looks(instruction)) {
        seen = kAllIds;
      }
    }
    return seen;
  }

  Distance placeOf(const Value *pointer) const {
    APInt offset(layout_.getIndexTypeSizeInBits(pointer->getType()), 0);
    const Value *base = pointer->stripAndAccumulateConstantOffsets(layout_, offset, true);
    return {base, offset.getSExtValue()};
  }

  std::optional<unsigned> idToldBy(const Instruction &instruction) const {
    auto *store = dyn_cast<StoreInst>(&instruction);
    if (!store || !store->isVolatile() || !store->getValueOperand()->getType()->isIntegerTy(32))
      return std::nullopt;
    const auto [base, offset] = placeOf(store->getPointerOperand());
    const int64_t field = offset - static_cast<int64_t>(offsetof(WorkerState, localId));
    if (base != function_.getArg(kWorker) || field < 0 || field > 8 || field % 4 != 0)
      return std::nullopt;
    return 1u << (field / 4);
  }

  /// True if the instruction may fault, or others may look what has been told.
  bool looks(const Instruction &instruction) const {
    if (instruction.isTerminator())
      return instruction.getNumSuccessors() == 0;
    if (const Value *pointer = getLoadStorePointerOperand(&instruction))
      return !isThere(pointer, layout_.getTypeStoreSize(getLoadStoreType(const_cast<Instruction *>(&instruction))));
    if (instruction.isIntDivRem())
      return !isPlainDivisor(instruction.getOperand(1));
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call)
      return instruction.mayReadOrWriteMemory();
    auto *intrinsic = dyn_cast<IntrinsicInst>(call);
    if (!intrinsic)
      return true;
    switch (intrinsic->getIntrinsicID()) {
    case Intrinsic::prefetch:
    case Intrinsic::assume:
    case Intrinsic::experimental_noalias_scope_decl: return false;
    default: return intrinsic->mayHaveSideEffects() || intrinsic->mayReadOrWriteMemory();
    }
  }

  static bool isPlainDivisor(const Value *divisor) {
    auto *number = dyn_cast<ConstantInt>(divisor);
    return number && !number->isZero() && !number->isMinusOne();
  }

  bool isThere(const Value *pointer, TypeSize size) const {
    const auto [base, offset] = placeOf(pointer);
    if (size.isScalable() || offset < 0)
      return false;
    const uint64_t end = static_cast<uint64_t>(offset) + size.getFixedValue();
    if (base == function_.getArg(kLaunch))
      return end <= sizeof(LaunchState);
    if (base == function_.getArg(kWorker))
      return end <= sizeof(WorkerState);
    auto *load = dyn_cast<LoadInst>(base);
    if (!load)
      return false;
    const auto [state, field] = placeOf(load->getPointerOperand());
    return state == function_.getArg(kWorker) && field == offsetof(WorkerState, local) && end <= localBytes_;
  }

  Function &function_;
  const DataLayout &layout_;
  uint64_t localBytes_ = 0;
};

} // namespace

PreservedAnalyses UnseenTellsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  if (!function.hasFnAttribute(kStaticLocalBytes) || !UnseenTells(function).drop())
    return PreservedAnalyses::all();
  analyses.invalidate(function, preservedControlFlow(true));
  // Values that went through shared memory from one step to the next can stay in registers now.
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass(true));
  passes.addPass(GVNPass());
  passes.addPass(DSEPass());
  passes.addPass(InstCombinePass());
  passes.run(function, analyses);
  return PreservedAnalyses::none();
}

} // namespace hiplz::cpu
