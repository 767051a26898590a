// SPDX-License-Identifier: MIT
// Lanes of a warp that recurse come to different depths, and the loop that RecursionPass makes has them all. A warp operation must count
// the lanes of one call only, and all of them. So lanes wait at each operation, each call and at the end of each round of a loop,
// and among all lanes those go on that are deepest, of these the ones at the earliest place of their function. Lanes in frames of the
// same depth are always in the same call: the others wait for them until they have returned.
#include "recursion_parts.h"

#include "base/llvm_compat.h"
#include "ir_utils.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

using namespace llvm;

namespace hiplz::passes {

SmallSetVector<Instruction *, 16> liveAt(Function &F, const SmallPtrSetImpl<BasicBlock *> &Blocks) {
  SmallSetVector<Instruction *, 16> Live;
  for (Instruction &I : instructions(F)) {
    if (isa<AllocaInst>(I))
      continue;
    // From each use back to where the value is made.
    SmallPtrSet<BasicBlock *, 16> Seen;
    SmallVector<BasicBlock *, 16> Work;
    auto enter = [&](BasicBlock *Block) {
      if (Seen.insert(Block).second)
        Work.push_back(Block);
    };
    for (Use &U : I.uses()) {
      auto *User = cast<Instruction>(U.getUser());
      if (auto *Phi = dyn_cast<PHINode>(User)) {
        if (Phi->getIncomingBlock(U) != I.getParent())
          enter(Phi->getIncomingBlock(U));
      } else if (User->getParent() != I.getParent()) {
        enter(User->getParent());
      }
    }
    while (!Work.empty()) {
      BasicBlock *Block = Work.pop_back_val();
      if (Blocks.contains(Block)) {
        Live.insert(&I);
        break;
      }
      for (BasicBlock *Before : predecessors(Block))
        if (Before != I.getParent())
          enter(Before);
    }
  }
  return Live;
}

void replaceOutside(Value &Old, BasicBlock *Own, function_ref<Value *(BasicBlock &)> valueIn) {
  DenseMap<BasicBlock *, Value *> Known;
  for (Use &U : make_early_inc_range(Old.uses())) {
    auto *User = cast<Instruction>(U.getUser());
    auto *Phi = dyn_cast<PHINode>(User);
    BasicBlock *Block = Phi ? Phi->getIncomingBlock(U) : User->getParent();
    if (Block == Own)
      continue;
    Value *&New = Known[Block];
    if (!New)
      New = valueIn(*Block);
    U.set(New);
  }
}

constexpr uint32_t kWarpScope = 3; // Subgroup

static bool isWarpOperation(const CallBase &Call, SmallPtrSetImpl<const Function *> &Seen) {
  constexpr uint64_t kWorkgroup = 2;
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return Call.isConvergent();
  if (Callee->isDeclaration()) {
    const StringRef Name = Callee->getName();
    if (Name.contains("BuiltIn")) // numbers, of the lane among others
      return false;
    if (mentionsSubgroup(Name))
      return true;
    if (!Name.contains("ControlBarrier") && !Name.contains("__spirv_Group"))
      return false;
    auto *Scope = Call.arg_size() ? dyn_cast<ConstantInt>(Call.getArgOperand(0)) : nullptr;
    return !Scope || Scope->getZExtValue() != kWorkgroup;
  }
  if (!Seen.insert(Callee).second)
    return false;
  for (const Instruction &I : instructions(*Callee))
    if (auto *Inner = dyn_cast<CallBase>(&I); Inner && isWarpOperation(*Inner, Seen))
      return true;
  return false;
}

bool isWarpOperation(const CallBase &Call) {
  SmallPtrSet<const Function *, 8> Seen;
  return isWarpOperation(Call, Seen);
}

/// The blocks of \p F in an order in which the blocks of a loop stand together and only the edges back into loops lead to earlier
/// blocks.
static std::vector<BasicBlock *> blocksInOrder(Function &F, const LoopInfo &Loops) {
  ReversePostOrderTraversal<Function *> Order(&F);
  std::vector<BasicBlock *> Result;
  SmallPtrSet<const Loop *, 8> Placed;
  auto place = [&](auto &Self, const Loop *In) -> void {
    for (BasicBlock *Block : Order) {
      if (In && !In->contains(Block))
        continue;
      const Loop *Inner = Loops.getLoopFor(Block);
      if (Inner == In) {
        Result.push_back(Block);
        continue;
      }
      // A loop's blocks take the place of its first one.
      while (Inner->getParentLoop() != In)
        Inner = Inner->getParentLoop();
      if (Placed.insert(Inner).second)
        Self(Self, Inner);
    }
  };
  place(place, nullptr);
  return Result;
}

std::vector<Stop> splitAtStops(Function &F, function_ref<bool(const CallBase &)> isRecursive,
                               FunctionAnalysisManager &Manager) {
  // Each loop gets one entry and one edge back, from its last block.
  EliminateUnreachableBlocks(F);
  Manager.clear(F, F.getName());
  Manager.invalidate(F, LowerSwitchPass().run(F, Manager));
  Manager.invalidate(F, FixIrreduciblePass().run(F, Manager));
  Manager.clear(F, F.getName());
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  for (Loop *Outer : Loops)
    simplifyLoop(Outer, &Dominators, &Loops, nullptr, nullptr, nullptr, false);

  struct Edge {
    BasicBlock *From, *To;
    uint32_t Number;
  };
  std::vector<Edge> Edges;
  std::vector<Stop> Stops;
  DenseMap<BasicBlock *, uint32_t> NumberAt;
  uint32_t Number = 0;
  for (BasicBlock *Block : blocksInOrder(F, Loops)) {
    NumberAt[Block] = Number;
    SmallVector<CallBase *, 8> Calls;
    for (Instruction &I : *Block)
      if (auto *Call = dyn_cast<CallBase>(&I); Call && (isRecursive(*Call) || Call->isConvergent()))
        Calls.push_back(Call);
    for (CallBase *Call : Calls) {
      Block = SplitBlock(Block, Call);
      Stops.push_back({Block, ++Number});
      Number += isRecursive(*Call);
    }
    for (BasicBlock *Next : successors(Block))
      if (auto Header = NumberAt.find(Next); Header != NumberAt.end() && Header->second != Number)
        Edges.push_back({Block, Next, ++Number});
  }
  for (const Edge &Each : Edges) {
    BasicBlock *Between = SplitEdge(Each.From, Each.To);
    Stops.push_back({SplitBlock(Between, Between->getTerminator()), Each.Number});
  }
  llvm::sort(Stops, [](const Stop &A, const Stop &B) { return A.Number < B.Number; });
  return Stops;
}

/// The mask of the lanes for which \p Predicate holds.
static Value *ballot(IRBuilderBase &B, Value *Predicate) {
  Module &M = *B.GetInsertBlock()->getModule();
  auto *Mask = FixedVectorType::get(B.getInt32Ty(), 4);
  FunctionCallee Callee =
      M.getOrInsertFunction("_Z29__spirv_GroupNonUniformBallotib", Mask, B.getInt32Ty(), B.getInt1Ty());
  auto *F = cast<Function>(Callee.getCallee());
  F->setCallingConv(CallingConv::SPIR_FUNC);
  F->addFnAttr(Attribute::Convergent);
  F->addFnAttr(Attribute::NoUnwind);
  return B.CreateExtractElement(createCall(B, F, {B.getInt32(kWarpScope), Predicate}), uint64_t(0));
}

/// The \p V of another lane.
static Value *valueOf(IRBuilderBase &B, Value *V, Value *Lane) {
  Module &M = *B.GetInsertBlock()->getModule();
  FunctionCallee Callee = M.getOrInsertFunction("_Z30__spirv_GroupNonUniformShuffleilj", B.getInt64Ty(), B.getInt32Ty(),
                                                B.getInt64Ty(), B.getInt32Ty());
  auto *F = cast<Function>(Callee.getCallee());
  F->setCallingConv(CallingConv::SPIR_FUNC);
  F->addFnAttr(Attribute::Convergent);
  F->addFnAttr(Attribute::NoUnwind);
  return createCall(B, F, {B.getInt32(kWarpScope), V, Lane});
}

Value *activeLanes(IRBuilderBase &B) { return ballot(B, B.getTrue()); }

/// Emits blocks behind \p B's that end in \p Run for the lanes whose unsigned \p Key of 64 bits is the largest one of all \p Active
/// lanes, and in \p Wait for the others.
static void branchToLargest(IRBuilderBase &B, Value *Key, Value *Active, BasicBlock *Run, BasicBlock *Wait) {
  BasicBlock *Before = B.GetInsertBlock();
  Function *F = Before->getParent();
  BasicBlock *Search = BasicBlock::Create(F->getContext(), "search", F);
  BasicBlock *Found = BasicBlock::Create(F->getContext(), "found", F);
  B.CreateBr(Search);
  // Each round takes the key of the first lane that has a larger one than the round before: in nearly all cases there are one or two.
  B.SetInsertPoint(Search);
  PHINode *Candidates = B.CreatePHI(B.getInt32Ty(), 2);
  Value *Best = valueOf(B, Key, B.CreateBinaryIntrinsic(Intrinsic::cttz, Candidates, B.getTrue()));
  Value *Larger = ballot(B, B.CreateICmpUGT(Key, Best));
  Candidates->addIncoming(Active, Before);
  Candidates->addIncoming(Larger, Search);
  B.CreateCondBr(B.CreateICmpNE(Larger, B.getInt32(0)), Search, Found);
  B.SetInsertPoint(Found);
  B.CreateCondBr(B.CreateICmpEQ(Key, Best), Run, Wait);
}

LaneChoice chooseLanes(IRBuilderBase &B, AllocaInst *Place, AllocaInst *Depth) {
  LLVMContext &C = B.getContext();
  Function *F = B.GetInsertBlock()->getParent();
  LaneChoice Choice;
  Choice.Again = BasicBlock::Create(C, "again", F);
  BasicBlock *Choose = BasicBlock::Create(C, "choose", F);
  BasicBlock *Run = BasicBlock::Create(C, "run", F);
  B.CreateBr(Choice.Again);
  // All lanes of the loop come to its last block. The operation there keeps optimisations from making two loops of it.
  B.SetInsertPoint(Choice.Again);
  Value *Lanes = activeLanes(B);
  B.CreateBr(Choose);
  B.SetInsertPoint(Choose);
  Choice.Active = B.CreatePHI(B.getInt32Ty(), 2);
  Choice.Active->addIncoming(Lanes, Choice.Again);
  Choice.Next = B.CreateLoad(B.getInt32Ty(), Place);
  Type *I64 = B.getInt64Ty();
  Value *Key = B.CreateOr(B.CreateShl(B.CreateZExt(B.CreateLoad(B.getInt32Ty(), Depth), I64), 32),
                          B.CreateZExt(B.CreateNot(Choice.Next), I64));
  branchToLargest(B, Key, Choice.Active, Run, Choice.Again);
  B.SetInsertPoint(Run);
  return Choice;
}

void inlineLines(Function &F, DISubprogram *To) {
  LLVMContext &C = F.getContext();
  DILocation *At = To ? DILocation::getDistinct(C, To->getLine(), 0, To) : nullptr;
  DenseMap<const MDNode *, MDNode *> Cache;
  for (Instruction &I : instructions(F))
    if (const DebugLoc &Line = I.getDebugLoc())
      I.setDebugLoc(At ? DILocation::get(C, Line.getLine(), Line.getCol(), Line.getScope(),
                                         DebugLoc::appendInlinedAt(Line, At, C, Cache))
                       : nullptr);
}

} // namespace hiplz::passes
