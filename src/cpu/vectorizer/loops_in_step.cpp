// SPDX-License-Identifier: MIT
// Loops in which each thread starts at its x and leaps over what the other threads do:
//
//     for (i = base + threadIdx.x; i < n; i += step)          for (first = base; first < n; first += step) {
//       sum += a[i];                                  →         i = first + threadIdx.x;
//                                                               if (i < n)
//                                                                 sum += a[i];
//                                                               barrier
//                                                             }
//
// Warps that run such a loop one after the other go through memory with the step, which is many pages. Together they read what
// lies side by side, as a GPU does. The barrier orders nothing; it is where the code is taken apart (split_barriers.h). The loops are
// those that all threads of a work-group come to, with no more in them than is worth it. Their original form stays for counters
// that wrap.
//
// LLVM has brought the loops into this form, to which a copy is added:
//
//     guard: c = start < n                     guard: base, step and n are small?
//            br c, preheader, after              no:  as on the left
//     preheader:                                 yes: first = base
//     header:                                    header: i = first + x; br i < n, body, latch
//       i = phi [start], [next]                  body:   the loop's blocks
//       ...                                      latch:  barrier; first += step; br first < n, header, ended
//     latch:                                     ended:  br c, exit, join (without them if the exit does nothing)
//       next = i + step                          exit:   a copy of the loop's exit
//       br next < n, header, exit                join:   br after
//     exit:
//       br after
#include "cpu/vectorizer/group_uniformity.h"
#include "cpu/vectorizer/passes.h"
#include "cpu/vectorizer/polling.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/vectorizer.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <optional>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// Values that a warp keeps from one round to the next pass through memory, and loops that compute much gain nothing.
constexpr unsigned kMaxInstructions = 48;
constexpr unsigned kMaxKept = 4;

// A field of the launch or the worker, which never changes.
bool readsField(const LoadInst &load) {
  APInt offset(64, 0);
  auto *base = dyn_cast<LoadInst>(
      load.getPointerOperand()->stripAndAccumulateConstantOffsets(load.getModule()->getDataLayout(), offset, true));
  auto read = base ? itemReadBy(*base) : std::nullopt;
  return read && base->getType()->isPointerTy() && load.isSimple() && load.hasMetadata(LLVMContext::MD_invariant_load);
}

bool isArithmetic(const Instruction &instruction) {
  return isa<BinaryOperator, CastInst, GetElementPtrInst, CmpInst, SelectInst>(instruction) &&
         !instruction.isIntDivRem();
}

bool isX(const Value *value) {
  while (auto *wider = dyn_cast<ZExtInst>(value))
    value = wider->getOperand(0);
  auto *load = dyn_cast<LoadInst>(value);
  auto read = load ? itemReadBy(*load) : std::nullopt;
  return read && read->field == ItemField::localId && read->dimension == 0;
}

struct Stride {
  Loop *loop;
  PHINode *counter;
  Value *base, *x, *step, *limit;
  CmpInst::Predicate predicate; // counter `predicate` limit: the loop goes on
  BasicBlock *guard, *exit, *after;
};

class StrideFinder {
public:
  explicit StrideFinder(Function &body) : dominators_(body), postDominators_(body), loops_(dominators_), group_(body) {}

  std::optional<Stride> find() {
    for (Loop *loop : loops_)
      if (auto stride = match(*loop))
        return stride;
    return std::nullopt;
  }

private:
  std::optional<Stride> match(Loop &loop) const {
    BasicBlock *latch = loop.getLoopLatch(), *preheader = loop.getLoopPreheader(), *exit = loop.getExitBlock();
    if (!loop.isInnermost() || !latch || !preheader || !exit || loop.getExitingBlock() != latch ||
        exit->getSinglePredecessor() != latch || !exit->getSingleSuccessor() || !isWorthIt(loop) || !isPlain(*exit) ||
        !canHoist(*preheader))
      return std::nullopt;
    BasicBlock *guard = preheader->getSinglePredecessor(), *after = exit->getSingleSuccessor();
    auto *entering = guard ? dyn_cast<BranchInst>(guard->getTerminator()) : nullptr;
    auto *ending = dyn_cast<BranchInst>(latch->getTerminator());
    if (!entering || !entering->isConditional() || entering->getSuccessor(0) != preheader ||
        entering->getSuccessor(1) != after || !ending || ending->getSuccessor(0) != loop.getHeader() ||
        !postDominators_.dominates(guard, &guard->getParent()->getEntryBlock()))
      return std::nullopt;
    auto *first = dyn_cast<ICmpInst>(entering->getCondition()), *more = dyn_cast<ICmpInst>(ending->getCondition());
    if (!first || !more || first->getPredicate() != more->getPredicate() ||
        first->getOperand(1) != more->getOperand(1) ||
        (more->getPredicate() != CmpInst::ICMP_SLT && more->getPredicate() != CmpInst::ICMP_ULT) ||
        !group_.isUniform(more->getOperand(1)))
      return std::nullopt;
    for (PHINode &phi : loop.getHeader()->phis()) {
      auto *next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(latch));
      if (next != more->getOperand(0) || !next || next->getOpcode() != Instruction::Add ||
          phi.getIncomingValueForBlock(preheader) != first->getOperand(0) || !is_contained(next->operands(), &phi))
        continue;
      Value *step = next->getOperand(next->getOperand(0) == &phi ? 1 : 0);
      auto *start = dyn_cast<BinaryOperator>(first->getOperand(0));
      if (!group_.isUniform(step) || !start || start->getOpcode() != Instruction::Add ||
          phi.getType()->getIntegerBitWidth() < 32)
        return std::nullopt;
      for (unsigned own : {0u, 1u})
        if (isX(start->getOperand(own)) && group_.isUniform(start->getOperand(1 - own)))
          return Stride{&loop,
                        &phi,
                        start->getOperand(1 - own),
                        start->getOperand(own),
                        step,
                        more->getOperand(1),
                        more->getPredicate(),
                        guard,
                        exit,
                        after};
    }
    return std::nullopt;
  }

  // The computations in front of the loop have no effects and no faults, so threads that do not come to the loop may do them.
  static bool canHoist(const BasicBlock &preheader) {
    return all_of(preheader, [](const Instruction &instruction) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      return isArithmetic(instruction) || instruction.isTerminator() ||
             (load && (itemReadBy(*load) || readsField(*load)));
    });
  }

  // Touches memory, keeps little and does little else.
  static bool isWorthIt(const Loop &loop) {
    size_t size = 0;
    bool touches = false;
    for (const BasicBlock *block : loop.blocks()) {
      if (!isPlain(*block))
        return false;
      size += block->size();
      touches =
          touches || any_of(*block, [](const Instruction &instruction) { return instruction.mayReadOrWriteMemory(); });
    }
    auto phis = loop.getHeader()->phis();
    return touches && size <= kMaxInstructions && std::distance(phis.begin(), phis.end()) <= kMaxKept;
  }

  // Without calls, other than of functions that do nothing but compute, and without what threads can tell the order of.
  static bool isPlain(const BasicBlock &block) {
    return all_of(block, [](const Instruction &instruction) {
      auto *call = dyn_cast<CallBase>(&instruction);
      return !instruction.isVolatile() && !isa<FenceInst>(instruction) && !isa<AtomicCmpXchgInst>(instruction) &&
             (!call || (isa<IntrinsicInst>(call) && call->doesNotAccessMemory() && !call->isConvergent()));
    });
  }

  DominatorTree dominators_;
  PostDominatorTree postDominators_;
  LoopInfo loops_;
  ItemsOfGroup group_;
};

class Rewriter {
public:
  Rewriter(Function &body, const Stride &stride) : body_(body), s_(stride), b_(body.getContext()) {}

  void rewrite() {
    BasicBlock *preheader = s_.loop->getLoopPreheader();
    while (&preheader->front() != preheader->getTerminator())
      preheader->front().moveBefore(s_.guard->getTerminator());
    BasicBlock *alone = SplitBlockPredecessors(s_.after, {s_.guard, s_.exit}, ".alone");
    auto *entering = cast<BranchInst>(s_.guard->getTerminator());
    entered_ = entering->getCondition();
    BasicBlock *asBefore = SplitBlock(s_.guard, entering);
    BasicBlock *begin = block("in.step"), *header = block("round"), *latch = block("round.end"),
               *ended = block("rounds.end");

    Instruction *goOn = s_.guard->getTerminator();
    b_.SetInsertPoint(goOn);
    b_.CreateCondBr(isSmall(), begin, asBefore);
    goOn->eraseFromParent();

    b_.SetInsertPoint(begin);
    for (PHINode &phi : s_.loop->getHeader()->phis())
      if (&phi != s_.counter)
        keep(*phi.getIncomingValueForBlock(s_.loop->getLoopLatch()), phi.getIncomingValueForBlock(preheader), &phi);
    for (PHINode &phi : s_.exit->phis())
      keep(*phi.getIncomingValue(0), nullptr, nullptr);
    b_.CreateCondBr(b_.CreateICmp(s_.predicate, s_.base, s_.limit), header, ended);

    b_.SetInsertPoint(header);
    PHINode *first = b_.CreatePHI(s_.counter->getType(), 2, "first");
    first->addIncoming(s_.base, begin);
    Value *index = b_.CreateAdd(first, s_.x, s_.counter->getName());
    b_.CreateCondBr(b_.CreateICmp(s_.predicate, index, s_.limit), copyLoop(*index, latch), latch);

    b_.SetInsertPoint(latch);
    CallInst *wait = b_.CreateCall(declareRuntime(*body_.getParent(), runtime::barrier), {itemOf(body_)});
    wait->setConvergent();
    wait->setDoesNotThrow();
    Value *next = b_.CreateAdd(first, s_.step);
    first->addIncoming(next, latch);
    b_.CreateCondBr(b_.CreateICmp(s_.predicate, next, s_.limit), header, ended);

    b_.SetInsertPoint(ended);
    leave(*alone, *asBefore);

    DominatorTree dominators(body_);
    PromoteMemToReg(slots_, dominators);
  }

private:
  BasicBlock *block(const char *name) { return BasicBlock::Create(body_.getContext(), name, &body_, s_.after); }

  // No number that is compared or made on the way wraps: of three that are below a quarter of the range and an x the sum is
  // below the half.
  Value *isSmall() {
    Type *type = s_.counter->getType();
    const APInt quarter =
        APInt::getOneBitSet(type->getIntegerBitWidth(), type->getIntegerBitWidth() - 2) - kMaxGroupItems;
    Value *most = ConstantInt::get(type, quarter);
    const bool isSigned = CmpInst::isSigned(s_.predicate);
    auto below = [&](Value *value) { return isSigned ? b_.CreateICmpSLE(value, most) : b_.CreateICmpULE(value, most); };
    Value *advances = isSigned ? b_.CreateICmpSGT(s_.step, ConstantInt::get(type, 0))
                               : b_.CreateICmpNE(s_.step, ConstantInt::get(type, 0));
    return b_.CreateAnd(b_.CreateAnd(below(s_.base), below(s_.limit)), b_.CreateAnd(below(s_.step), advances));
  }

  // The results of a round: the phi of the next one, and what is read behind the loop.
  void keep(Value &value, Value *initial, PHINode *phi) {
    if (!phi && (!isa<Instruction>(value) || !s_.loop->contains(cast<Instruction>(&value)) || finals_.count(&value)))
      return;
    IRBuilder<> atEntry(&*body_.getEntryBlock().begin());
    AllocaInst *slot = atEntry.CreateAlloca(value.getType(), nullptr, "round.slot");
    slots_.push_back(slot);
    if (initial)
      b_.CreateStore(initial, slot);
    kept_.push_back({&value, phi, initial, slot});
    finals_.insert({&value, slot});
  }

  // The loop's blocks as the body of a round. Returns the first.
  BasicBlock *copyLoop(Value &index, BasicBlock *end) {
    SmallVector<BasicBlock *, 8> copies;
    for (BasicBlock *original : s_.loop->blocks()) {
      BasicBlock *copy = CloneBasicBlock(original, map_, ".round", &body_);
      copy->moveBefore(end);
      map_[original] = copy;
      copies.push_back(copy);
    }
    auto *start = cast<BasicBlock>(map_[s_.loop->getHeader()]);
    for (PHINode &phi : make_early_inc_range(start->phis()))
      phi.eraseFromParent();
    IRBuilder<> atStart(start, start->begin());
    map_[s_.counter] = &index;
    for (const Kept &kept : kept_)
      if (kept.phi)
        map_[kept.phi] = atStart.CreateLoad(kept.phi->getType(), kept.slot);
    for (BasicBlock *copy : copies)
      for (Instruction &instruction : *copy)
        RemapInstruction(&instruction, map_, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    Instruction *back = cast<BasicBlock>(map_[s_.loop->getLoopLatch()])->getTerminator();
    IRBuilder<> atEnd(back);
    for (const Kept &kept : kept_) {
      auto copied = map_.find(kept.value);
      atEnd.CreateStore(copied == map_.end() ? kept.value : static_cast<Value *>(copied->second), kept.slot);
    }
    atEnd.CreateBr(end);
    back->eraseFromParent();
    return start;
  }

  // The work of the exit, for the threads that were in the loop, and the way to where the other form of the loop goes on.
  void leave(BasicBlock &alone, BasicBlock &asBefore) {
    BasicBlock *ended = b_.GetInsertBlock(), *exit = nullptr, *join = ended;
    ValueToValueMapTy map;
    for (PHINode &phi : s_.exit->phis()) {
      Value *value = phi.getIncomingValue(0);
      auto slot = finals_.find(value);
      map[&phi] = slot == finals_.end() ? value : b_.CreateLoad(value->getType(), slot->second);
    }
    if (s_.exit->getFirstNonPHI() != s_.exit->getTerminator()) {
      exit = copyExit(map);
      join = block("in.step.end");
      b_.CreateCondBr(entered_, exit, join);
      cast<BranchInst>(exit->getTerminator())->setSuccessor(0, join);
      b_.SetInsertPoint(join);
    }
    for (PHINode &phi : s_.after->phis()) {
      Value *value = phi.getIncomingValueForBlock(&alone);
      auto *both = dyn_cast<PHINode>(value);
      if (both && both->getParent() == &alone) {
        Value *behind = both->getIncomingValueForBlock(s_.exit), *otherwise = both->getIncomingValueForBlock(&asBefore);
        const Kept *kept = whatBecomes(behind);
        auto copied = map.find(behind);
        value = copied == map.end() ? behind : static_cast<Value *>(copied->second);
        if (exit) {
          PHINode *merged = b_.CreatePHI(phi.getType(), 2);
          merged->addIncoming(value, exit);
          merged->addIncoming(otherwise, ended);
          value = merged;
        } else if (!kept || kept->initial != otherwise) { // else those that were not in the loop have it already
          value = b_.CreateSelect(entered_, value, otherwise);
        }
      }
      phi.addIncoming(value, join);
    }
    b_.CreateBr(s_.after);
  }

  BasicBlock *copyExit(ValueToValueMapTy &map) {
    ValueToValueMapTy copies;
    BasicBlock *copy = CloneBasicBlock(s_.exit, copies, ".round", &body_);
    copy->moveBefore(s_.after);
    for (PHINode &phi : make_early_inc_range(copy->phis()))
      phi.eraseFromParent();
    for (auto &&[original, made] : copies)
      if (!isa<PHINode>(original))
        map[original] = made;
    for (Instruction &instruction : *copy)
      RemapInstruction(&instruction, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    return copy;
  }

  struct Kept {
    Value *value;
    PHINode *phi;
    Value *initial; // of the phi
    AllocaInst *slot;
  };

  // Of a value at the loop's exit: what a round leaves behind as it.
  const Kept *whatBecomes(Value *atExit) const {
    auto *phi = dyn_cast<PHINode>(atExit);
    auto kept = find_if(kept_, [&](const Kept &each) {
      return phi && phi->getParent() == s_.exit && each.value == phi->getIncomingValue(0);
    });
    return kept == kept_.end() ? nullptr : &*kept;
  }

  Function &body_;
  const Stride &s_;
  IRBuilder<> b_;
  Value *entered_ = nullptr;
  ValueToValueMapTy map_;
  SmallVector<Kept, 4> kept_;
  DenseMap<Value *, AllocaInst *> finals_;
  SmallVector<AllocaInst *, 4> slots_;
};

} // namespace

PreservedAnalyses LoopsInStepPass::run(Function &body, FunctionAnalysisManager &) {
  // A warp may wait for one that could not leave such a loop.
  if (warpOptionsOf(body).layout != LaneLayout::rows || hasPolls(body))
    return PreservedAnalyses::all();
  // Private arrays would have to last for all warps.
  if (any_of(instructions(body), [](const Instruction &instruction) { return isa<AllocaInst>(instruction); }))
    return PreservedAnalyses::all();
  // The code behind such a loop belongs to the region of the loop and to that in front of it.
  constexpr unsigned kMaxLoops = 2, kMaxCode = 512;
  if (body.getInstructionCount() > kMaxCode)
    return PreservedAnalyses::all();
  unsigned loops = 0;
  for (; loops < kMaxLoops; ++loops) { // finds no loop twice: the original is no longer on the way of all threads
    StrideFinder finder(body);
    auto stride = finder.find();
    if (!stride)
      break;
    Rewriter(body, *stride).rewrite();
  }
  return preservedIfUnchanged(loops > 0);
}

} // namespace hiplz::cpu
