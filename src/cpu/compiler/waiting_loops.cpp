// SPDX-License-Identifier: MIT
// See waiting_loops.h. On a GPU such a loop costs nothing but time, because other work-items run meanwhile. Here the one who
// would change the memory may need this very thread.
#include "cpu/compiler/waiting_loops.h"
#include "cpu/vectorizer/runtime_calls.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// An access whose result can differ from one iteration to the next only because somebody else has written. Adding to a
// counter changes it, unless what is added is nothing.
bool asksMemory(const Instruction &instruction, const Loop &loop) {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return (load->isVolatile() || load->isAtomic()) && loop.hasLoopInvariantOperands(load);
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
    if (!loop.hasLoopInvariantOperands(update))
      return false;
    if (update->getOperation() != AtomicRMWInst::Add && update->getOperation() != AtomicRMWInst::Sub)
      return true;
    auto *amount = dyn_cast<Constant>(update->getValOperand());
    return amount && amount->isNullValue();
  }
  return isa<AtomicCmpXchgInst>(instruction) && loop.hasLoopInvariantOperands(&instruction);
}

// Whether an instruction is the outcome of an exchange, success or failure, of just the value that was read: it fails
// only because somebody else has made progress. One of a value that was made of what was read may wait for a bit.
bool isOutcomeOfUpdate(const Instruction &instruction) {
  const Instruction *outcome = &instruction;
  const Value *compared = nullptr;
  if (auto *comparison = dyn_cast<ICmpInst>(outcome); comparison && comparison->isEquality()) {
    outcome = dyn_cast<ExtractValueInst>(comparison->getOperand(0));
    compared = comparison->getOperand(1);
    if (!outcome) {
      outcome = dyn_cast<ExtractValueInst>(comparison->getOperand(1));
      compared = comparison->getOperand(0);
    }
  }
  auto *part = dyn_cast_or_null<ExtractValueInst>(outcome);
  auto *exchange = part ? dyn_cast<AtomicCmpXchgInst>(part->getAggregateOperand()) : nullptr;
  if (!exchange || part->getIndices()[0] != (compared ? 0u : 1u) ||
      (compared && compared != exchange->getCompareOperand()))
    return false;
  const Value *wanted = exchange->getCompareOperand();
  if (auto *cast = dyn_cast<BitCastInst>(wanted)) // a floating-point number
    wanted = cast->getOperand(0);
  auto *read = dyn_cast<LoadInst>(wanted);
  return read && read->getPointerOperand() == exchange->getPointerOperand();
}

// True if what decides whether the loop goes on is computed from such an access.
bool waits(const Loop &loop) {
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  SmallVector<Instruction *, 16> work;
  SmallPtrSet<Instruction *, 32> seen;
  for (BasicBlock *block : exiting)
    work.push_back(block->getTerminator());
  while (!work.empty()) {
    Instruction *instruction = work.pop_back_val();
    if (!loop.contains(instruction) || !seen.insert(instruction).second || isOutcomeOfUpdate(*instruction))
      continue;
    if (asksMemory(*instruction, loop))
      return true;
    for (Value *operand : instruction->operands())
      if (auto *next = dyn_cast<Instruction>(operand))
        work.push_back(next);
  }
  return false;
}

} // namespace

void markWaitingLoops(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration() || function.arg_empty() || !function.getArg(0)->getType()->isPointerTy())
      continue;
    DominatorTree tree(function);
    LoopInfo loops(tree);
    for (Loop *loop : loops.getLoopsInPreorder()) {
      if (!waits(*loop))
        continue;
      SmallVector<BasicBlock *, 4> latches;
      loop->getLoopLatches(latches);
      for (BasicBlock *latch : latches) {
        IRBuilder<> builder(latch->getTerminator());
        CallInst *call = builder.CreateCall(declareRuntime(module, runtime::yield), {function.getArg(0)});
        call->getCalledFunction()->setConvergent();
        call->setDoesNotThrow();
      }
    }
  }
}

} // namespace hiplz::cpu
