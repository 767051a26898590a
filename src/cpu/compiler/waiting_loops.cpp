// SPDX-License-Identifier: MIT
// See waiting_loops.h. On a GPU such a loop costs nothing but time, because other work-items run meanwhile. Here the one who
// would change the memory may need this very thread.
#include "cpu/compiler/waiting_loops.h"
#include "base/llvm_compat.h"
#include "cpu/vectorizer/runtime_calls.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// True if a value is the same in each round, also if it is read anew: a pointer in an object, behind a fence or a call.
bool staysTheSame(const Value *value, const Loop &loop, unsigned depth = 0) {
  constexpr unsigned kMaxDepth = 8;
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || !loop.contains(instruction))
    return true;
  if (isa<PHINode>(instruction) || depth == kMaxDepth)
    return false;
  if (auto *load = dyn_cast<LoadInst>(instruction)) {
    const Value *object = getUnderlyingObject(load->getPointerOperand());
    if (!load->isSimple() || any_of(loop.blocks(), [&](const BasicBlock *block) {
          return any_of(*block, [&](const Instruction &other) {
            auto *store = dyn_cast<StoreInst>(&other);
            return store && getUnderlyingObject(store->getPointerOperand()) == object;
          });
        }))
      return false;
  } else if (instruction->mayReadOrWriteMemory()) {
    return false;
  }
  return all_of(instruction->operands(), [&](const Value *operand) { return staysTheSame(operand, loop, depth + 1); });
}

bool haveSameOperands(const Instruction &instruction, const Loop &loop) {
  return all_of(instruction.operands(), [&](const Value *operand) { return staysTheSame(operand, loop); });
}

// An access whose result can differ from one iteration to the next only because somebody else has written. Adding to a
// counter changes it, unless nothing is added.
bool asksMemory(const Instruction &instruction, const Loop &loop) {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return (load->isVolatile() || load->isAtomic()) && haveSameOperands(*load, loop);
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
    if (!haveSameOperands(*update, loop))
      return false;
    if (update->getOperation() != AtomicRMWInst::Add && update->getOperation() != AtomicRMWInst::Sub)
      return true;
    auto *amount = dyn_cast<Constant>(update->getValOperand());
    return amount && amount->isNullValue();
  }
  return isa<AtomicCmpXchgInst>(instruction) && haveSameOperands(instruction, loop);
}

// True if a value is what memory had at the address of an exchange: loaded from there in the loop, or found by the
// exchange in the round before; what the first round has is of no interest.
bool isWhatWasRead(const Value *value, const AtomicCmpXchgInst &exchange, const Loop &loop, unsigned depth = 0) {
  constexpr unsigned kMaxDepth = 4;
  if (auto *cast = dyn_cast<BitCastInst>(value)) // a floating-point number
    value = cast->getOperand(0);
  if (auto *read = dyn_cast<LoadInst>(value))
    return loop.contains(read) && read->getPointerOperand() == exchange.getPointerOperand();
  if (auto *part = dyn_cast<ExtractValueInst>(value))
    return part->getAggregateOperand() == &exchange && part->getIndices()[0] == 0;
  auto *phi = dyn_cast<PHINode>(value);
  return phi && loop.contains(phi) && depth < kMaxDepth && all_of(phi->blocks(), [&](const BasicBlock *from) {
           const Value *incoming = phi->getIncomingValueForBlock(from);
           return !loop.contains(from) || incoming == phi || isWhatWasRead(incoming, exchange, loop, depth + 1);
         });
}

// True if an instruction is the outcome of an exchange, success or failure, of just the value that was read: it fails
// only because somebody else has made progress. One of a value that was made of what was read may wait for a bit.
bool isOutcomeOfUpdate(const Instruction &instruction, const Loop &loop) {
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
  return isWhatWasRead(exchange->getCompareOperand(), *exchange, loop);
}

const Value *withoutCasts(const Value *value) {
  while (auto *cast = dyn_cast<CastInst>(value))
    value = cast->getOperand(0);
  return value;
}

// True if an instruction compares a value with what it was in the round before: the loop goes on only because somebody
// else has changed it meanwhile, and ends if nobody does.
bool isAboutChange(const Instruction &instruction, const Loop &loop) {
  auto *comparison = dyn_cast<ICmpInst>(&instruction);
  if (!comparison || !comparison->isEquality())
    return false;
  for (unsigned before : {0u, 1u}) {
    auto *phi = dyn_cast<PHINode>(withoutCasts(comparison->getOperand(before)));
    const Value *now = withoutCasts(comparison->getOperand(1 - before));
    if (phi && phi->getParent() == loop.getHeader() && isa<Instruction>(now) &&
        all_of(phi->blocks(), [&](const BasicBlock *from) {
          return !loop.contains(from) || withoutCasts(phi->getIncomingValueForBlock(from)) == now;
        }))
      return true;
  }
  return false;
}

// The branches that decide whether the loop goes on: those that leave it, and those of whose ways just one leads back
// to the header without coming to any of these.
SmallVector<Instruction *, 8> decidingBranches(const Loop &loop) {
  SmallPtrSet<const BasicBlock *, 8> mayEnd; // the blocks from which control may come to an exit in this round
  SmallVector<BasicBlock *, 8> work;
  loop.getExitingBlocks(work);
  SmallVector<Instruction *, 8> result;
  for (BasicBlock *block : work)
    result.push_back(block->getTerminator());
  while (!work.empty()) {
    BasicBlock *block = work.pop_back_val();
    if (mayEnd.insert(block).second && block != loop.getHeader())
      for (BasicBlock *before : predecessors(block))
        if (loop.contains(before))
          work.push_back(before);
  }
  for (BasicBlock *block : loop.blocks()) {
    auto goesRound = [&](const BasicBlock *next) { return next == loop.getHeader() || !mayEnd.contains(next); };
    Instruction *end = block->getTerminator();
    if (!is_contained(result, end) && any_of(successors(block), goesRound) && !all_of(successors(block), goesRound))
      result.push_back(end);
  }
  return result;
}

using Ways = SmallPtrSet<const BasicBlock *, 4>;

// The blocks in the loop from which control comes to a join with the value `phi` if it has not changed in this round; the latch if
// it never does.
void collectUnchanged(const Value *value, const BasicBlock *from, const PHINode &phi, const Loop &loop, Ways &ways,
                      unsigned depth = 0) {
  constexpr unsigned kMaxDepth = 4;
  if (value == &phi) {
    ways.insert(from);
    return;
  }
  auto *join = dyn_cast<PHINode>(value);
  if (!join || !loop.contains(join) || join->getParent() == loop.getHeader() || depth == kMaxDepth)
    return;
  for (unsigned i = 0; i < join->getNumIncomingValues(); ++i)
    collectUnchanged(join->getIncomingValue(i), join->getIncomingBlock(i), phi, loop, ways, depth + 1);
}

// A load of volatile or atomic memory at an address that may be the same in the next round, because this one has found that what it waits
// for is not there yet: `while (k < n) if (ready[k]) { ...; k += stride; }`. Not the address of a search, whose bounds do
// not all stay.
bool mayAskAgain(const LoadInst &load, const Loop &loop) {
  if (!load.isVolatile() && !load.isAtomic())
    return false;
  SmallVector<const Instruction *, 8> work;
  SmallPtrSet<const Instruction *, 16> seen;
  SmallVector<const PHINode *, 2> places;
  const auto look = [&](const Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (instruction && loop.contains(instruction) && seen.insert(instruction).second)
      work.push_back(instruction);
  };
  look(load.getPointerOperand());
  while (!work.empty()) {
    const Instruction *instruction = work.pop_back_val();
    auto *phi = dyn_cast<PHINode>(instruction);
    if (phi && phi->getParent() == loop.getHeader())
      places.push_back(phi);
    else if (phi || instruction->mayReadFromMemory() || isa<SelectInst>(instruction))
      return false;
    else
      for (const Value *operand : instruction->operands())
        look(operand);
  }
  const BasicBlock *latch = loop.getLoopLatch();
  if (!latch || places.empty())
    return false;
  SmallVector<Ways, 2> ways(places.size());
  for (size_t i = 0; i < places.size(); ++i)
    collectUnchanged(places[i]->getIncomingValueForBlock(latch), latch, *places[i], loop, ways[i]);
  return any_of(ways.front(), [&](const BasicBlock *from) {
    return from != latch && all_of(ways, [&](const Ways &each) { return each.contains(from); });
  });
}

// True if the loop goes round until such a load finds what it asks for.
bool retries(const Loop &loop) {
  return any_of(loop.blocks(), [&](const BasicBlock *block) {
    return any_of(*block, [&](const Instruction &instruction) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      return load && mayAskAgain(*load, loop);
    });
  });
}

// True if what decides whether the loop goes on is computed from such an access.
bool waits(const Loop &loop) {
  if (retries(loop))
    return true;
  SmallVector<Instruction *, 16> work(decidingBranches(loop));
  SmallPtrSet<Instruction *, 32> seen;
  while (!work.empty()) {
    Instruction *instruction = work.pop_back_val();
    if (!loop.contains(instruction) || !seen.insert(instruction).second || isOutcomeOfUpdate(*instruction, loop) ||
        isAboutChange(*instruction, loop))
      continue;
    if (asksMemory(*instruction, loop))
      return true;
    for (Value *operand : instruction->operands())
      if (auto *next = dyn_cast<Instruction>(operand))
        work.push_back(next);
  }
  return false;
}

// The blocks from which the function's waiting loops go round once more.
SmallVector<BasicBlock *, 4> latchesOfWaitingLoops(Function &function) {
  DominatorTree tree(function);
  LoopInfo loops(tree);
  SmallVector<BasicBlock *, 4> result;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (waits(*loop)) {
      SmallVector<BasicBlock *, 4> latches;
      loop->getLoopLatches(latches);
      result.append(latches);
    }
  return result;
}

bool hasLoops(Function &function) {
  DominatorTree tree(function);
  return !LoopInfo(tree).empty();
}

// Code that is not optimised passes every value through a variable, and ids through vectors, which hides what a loop waits for. So the
// loops are looked for in a simpler copy; its blocks are those of the function.
SmallVector<BasicBlock *, 4> latchesBehindVariables(Function &function) {
  if (!hasLoops(function))
    return {};
  ValueToValueMapTy copies;
  Function *copy = CloneFunction(&function, copies);
  PassBuilder builder;
  FunctionAnalysisManager analyses;
  builder.registerFunctionAnalyses(analyses);
  FunctionPassManager passes; // that leave the blocks as they are
  passes.addPass(scalarReplacement());
  passes.addPass(EarlyCSEPass());
  passes.run(*copy, analyses);
  const SmallVector<BasicBlock *, 4> found = latchesOfWaitingLoops(*copy);
  SmallVector<BasicBlock *, 4> result;
  for (BasicBlock &block : function)
    result.append(count(found, cast<BasicBlock>(&*copies[&block])), &block);
  analyses.clear();
  copy->eraseFromParent();
  return result;
}

} // namespace

void markWaitingLoops(Module &module, bool isOptimized) {
  SmallVector<Function *, 32> functions;
  for (Function &function : module)
    if (!function.isDeclaration() && !function.arg_empty() && function.getArg(0)->getType()->isPointerTy() &&
        !function.hasFnAttribute(kAloneAttribute))
      functions.push_back(&function);
  for (Function *function : functions)
    for (BasicBlock *latch : isOptimized ? latchesOfWaitingLoops(*function) : latchesBehindVariables(*function)) {
      IRBuilder<> builder(latch->getTerminator());
      CallInst *call = builder.CreateCall(declareRuntime(module, runtime::yield), {function->getArg(0)});
      call->getCalledFunction()->setConvergent();
      call->setDoesNotThrow();
    }
}

} // namespace hiplz::cpu
