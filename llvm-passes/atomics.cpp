// SPDX-License-Identifier: MIT
// Atomic operations in the forms that SPIR-V has. Clang calls a library for the functions of the __atomic family, because
// the target names no width that has instructions; the calls become instructions. Those on 8 and 16 bits, which no
// device has, work on the aligned word around them.
#include "base/llvm_compat.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

#include <optional>

using namespace llvm;

namespace hiplz::passes {

namespace {

/// The order that a parameter of the C library's kind names; the strictest if that is known at run time only.
AtomicOrdering orderOf(const Value *Parameter) {
  auto *Constant = dyn_cast<ConstantInt>(Parameter);
  switch (Constant ? Constant->getZExtValue() : 5) {
  case 0: return AtomicOrdering::Monotonic;
  case 1:
  case 2: return AtomicOrdering::Acquire;
  case 3: return AtomicOrdering::Release;
  case 4: return AtomicOrdering::AcquireRelease;
  default: return AtomicOrdering::SequentiallyConsistent;
  }
}

/// The part of an order that a load may have: no release.
AtomicOrdering withoutRelease(AtomicOrdering Order) { return AtomicCmpXchgInst::getStrongestFailureOrdering(Order); }
AtomicOrdering withoutAcquire(AtomicOrdering Order) {
  return Order == AtomicOrdering::Acquire          ? AtomicOrdering::Monotonic
         : Order == AtomicOrdering::AcquireRelease ? AtomicOrdering::Release
                                                   : Order;
}

std::optional<AtomicRMWInst::BinOp> operationOf(StringRef Name) {
  static const std::pair<StringRef, AtomicRMWInst::BinOp> Names[] = {
      {"exchange", AtomicRMWInst::Xchg},  {"fetch_add", AtomicRMWInst::Add}, {"fetch_sub", AtomicRMWInst::Sub},
      {"fetch_and", AtomicRMWInst::And},  {"fetch_or", AtomicRMWInst::Or},   {"fetch_xor", AtomicRMWInst::Xor},
      {"fetch_nand", AtomicRMWInst::Nand}};
  for (auto [Known, Operation] : Names)
    if (Name == Known)
      return Operation;
  return std::nullopt;
}

/// Replaces the call of the library function `__atomic_<Name>_<Bytes>`. Returns whether it is one that is known.
bool replaceCall(CallInst &Call, StringRef Name, unsigned Bytes) {
  IRBuilder<> B(&Call);
  Type *Value = B.getIntNTy(8 * Bytes);
  Align Natural(Bytes);
  auto placeOf = [&](llvm::Value *Pointer) {
    return castPointer(B, Pointer, pointerTo(Value, Pointer->getType()->getPointerAddressSpace()));
  };
  auto result = [&](llvm::Value *V) {
    Call.replaceAllUsesWith(V);
    Call.eraseFromParent();
    return true;
  };
  const unsigned Count = Call.arg_size();
  if (Name == "load" && Count == 2 && Call.getType() == Value) {
    LoadInst *Load = B.CreateAlignedLoad(Value, placeOf(Call.getArgOperand(0)), Natural);
    Load->setAtomic(withoutRelease(orderOf(Call.getArgOperand(1))));
    return result(Load);
  }
  if (Name == "store" && Count == 3 && Call.getArgOperand(1)->getType() == Value) {
    StoreInst *Store = B.CreateAlignedStore(Call.getArgOperand(1), placeOf(Call.getArgOperand(0)), Natural);
    Store->setAtomic(withoutAcquire(orderOf(Call.getArgOperand(2))));
    Call.eraseFromParent();
    return true;
  }
  if (Name == "compare_exchange" && Count == 5 && Call.getArgOperand(2)->getType() == Value) {
    llvm::Value *Expected = placeOf(Call.getArgOperand(1));
    AtomicCmpXchgInst *Exchange = B.CreateAtomicCmpXchg(
        placeOf(Call.getArgOperand(0)), B.CreateAlignedLoad(Value, Expected, Natural), Call.getArgOperand(2), Natural,
        orderOf(Call.getArgOperand(3)), withoutRelease(orderOf(Call.getArgOperand(4))));
    // The value found is the expected one, or the one that the caller wants to know.
    B.CreateAlignedStore(B.CreateExtractValue(Exchange, 0), Expected, Natural);
    return result(B.CreateZExt(B.CreateExtractValue(Exchange, 1), Call.getType()));
  }
  std::optional<AtomicRMWInst::BinOp> Operation = operationOf(Name);
  if (!Operation || Count != 3 || Call.getArgOperand(1)->getType() != Value || Call.getType() != Value)
    return false;
  return result(B.CreateAtomicRMW(*Operation, placeOf(Call.getArgOperand(0)), Call.getArgOperand(1), Natural,
                                  orderOf(Call.getArgOperand(2))));
}

bool replaceLibraryCalls(Module &M) {
  bool Changed = false;
  for (Function &F : make_early_inc_range(M)) {
    StringRef Name = F.getName();
    unsigned Bytes = 0;
    if (!F.isDeclaration() || !Name.consume_front("__atomic_"))
      continue;
    auto [Operation, Size] = Name.rsplit('_');
    if (Size.getAsInteger(10, Bytes) || (Bytes != 1 && Bytes != 2 && Bytes != 4 && Bytes != 8))
      continue;
    for (User *U : make_early_inc_range(F.users()))
      if (auto *Call = dyn_cast<CallInst>(U); Call && Call->getCalledOperand() == &F)
        Changed |= replaceCall(*Call, Operation, Bytes);
    if (F.use_empty())
      F.eraseFromParent();
  }
  return Changed;
}

/// A value of 8 or 16 bits within the word around it.
class SmallPlace {
public:
  SmallPlace(IRBuilder<> &B, Value *Pointer, Type *Small) : Small(Small) {
    Value *Address = B.CreatePtrToInt(Pointer, B.getInt64Ty());
    Value *Bytes = B.CreateAnd(Address, 3);
    Word = B.CreateIntToPtr(B.CreateSub(Address, Bytes),
                            pointerTo(B.getInt32Ty(), Pointer->getType()->getPointerAddressSpace()));
    Shift = B.CreateTrunc(B.CreateShl(Bytes, 3), B.getInt32Ty());
    Mask = B.CreateNot(B.CreateShl(B.getInt32((1u << Small->getIntegerBitWidth()) - 1), Shift));
  }
  Value *word() const { return Word; }
  Value *get(IRBuilder<> &B, Value *Whole) const { return B.CreateTrunc(B.CreateLShr(Whole, Shift), Small); }
  Value *put(IRBuilder<> &B, Value *Whole, Value *V) const {
    return B.CreateOr(B.CreateAnd(Whole, Mask), B.CreateShl(B.CreateZExt(V, B.getInt32Ty()), Shift));
  }

private:
  Type *Small;
  Value *Word, *Shift, *Mask;
};

/// Puts a loop in front of \p I that exchanges the word until it succeeds. desired(word) gives the words to exchange, and
/// retry(found), a condition, says whether to go on after a failure. Returns the old value and the success.
template <class Desired, class Retry>
std::pair<Value *, Value *> exchangeLoop(Instruction &I, Value *Pointer, Type *Small, AtomicOrdering Order,
                                         AtomicOrdering Failure, Desired desired, Retry retry) {
  BasicBlock *Before = I.getParent();
  BasicBlock *After = SplitBlock(Before, &I);
  BasicBlock *Loop = BasicBlock::Create(I.getContext(), "atomic", I.getFunction(), After);
  Before->getTerminator()->eraseFromParent();
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(I.getDebugLoc());
  SmallPlace Place(B, Pointer, Small);
  LoadInst *First = B.CreateAlignedLoad(B.getInt32Ty(), Place.word(), Align(4));
  First->setAtomic(AtomicOrdering::Monotonic);
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *Whole = B.CreatePHI(B.getInt32Ty(), 2);
  auto [Assumed, New] = desired(B, Place, Whole);
  AtomicCmpXchgInst *Exchange = B.CreateAtomicCmpXchg(Place.word(), Assumed, New, Align(4), Order, Failure);
  Value *Found = B.CreateExtractValue(Exchange, 0), *Success = B.CreateExtractValue(Exchange, 1);
  Value *Old = Place.get(B, Found);
  Whole->addIncoming(First, Before);
  Whole->addIncoming(Found, Loop);
  B.CreateCondBr(B.CreateAnd(B.CreateNot(Success), retry(B, Old)), Loop, After);
  return {Old, Success};
}

/// The words that the loop exchanges: the word that it expects, and the new one.
using Words = std::pair<Value *, Value *>;

bool isSmall(Type *T) { return T->isIntegerTy(8) || T->isIntegerTy(16); }

void lowerUpdate(Instruction &I, Value *Pointer, AtomicRMWInst::BinOp Operation, Value *Operand, AtomicOrdering Order) {
  auto [Old, Success] = exchangeLoop(
      I, Pointer, Operand->getType(), Order, withoutRelease(Order),
      [&](IRBuilder<> &B, SmallPlace &Place, Value *Whole) {
        return Words(Whole, Place.put(B, Whole, buildAtomicRMWValue(Operation, B, Place.get(B, Whole), Operand)));
      },
      [](IRBuilder<> &B, Value *) { return B.getTrue(); });
  (void)Success;
  if (!I.getType()->isVoidTy())
    I.replaceAllUsesWith(Old);
  I.eraseFromParent();
}

void lowerExchange(AtomicCmpXchgInst &I) {
  Value *Wanted = I.getCompareOperand(), *Desired = I.getNewValOperand();
  auto [Old, Success] = exchangeLoop(
      I, I.getPointerOperand(), Wanted->getType(), I.getSuccessOrdering(), I.getFailureOrdering(),
      [&](IRBuilder<> &B, SmallPlace &Place, Value *Whole) {
        return Words(Place.put(B, Whole, Wanted), Place.put(B, Whole, Desired));
      },
      // The rest of the word was what differed.
      [&](IRBuilder<> &B, Value *Found) { return B.CreateICmpEQ(Found, Wanted); });
  IRBuilder<> B(&I);
  Value *Pair = B.CreateInsertValue(UndefValue::get(I.getType()), Old, 0);
  I.replaceAllUsesWith(B.CreateInsertValue(Pair, Success, 1));
  I.eraseFromParent();
}

void lowerLoad(LoadInst &I) {
  IRBuilder<> B(&I);
  SmallPlace Place(B, I.getPointerOperand(), I.getType());
  LoadInst *Whole = B.CreateAlignedLoad(B.getInt32Ty(), Place.word(), Align(4));
  Whole->setAtomic(I.getOrdering());
  I.replaceAllUsesWith(Place.get(B, Whole));
  I.eraseFromParent();
}

bool lowerSmallOperations(Function &F) {
  SmallVector<Instruction *, 8> Found;
  for (Instruction &I : instructions(F)) {
    auto *Store = dyn_cast<StoreInst>(&I);
    auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I);
    Type *T = Store      ? Store->getValueOperand()->getType()
              : Exchange ? Exchange->getNewValOperand()->getType()
                         : I.getType();
    if (I.isAtomic() && isSmall(T))
      Found.push_back(&I);
  }
  for (Instruction *I : Found) {
    if (auto *Load = dyn_cast<LoadInst>(I))
      lowerLoad(*Load);
    else if (auto *Store = dyn_cast<StoreInst>(I))
      lowerUpdate(*I, Store->getPointerOperand(), AtomicRMWInst::Xchg, Store->getValueOperand(), Store->getOrdering());
    else if (auto *Update = dyn_cast<AtomicRMWInst>(I))
      lowerUpdate(*I, Update->getPointerOperand(), Update->getOperation(), Update->getValOperand(),
                  Update->getOrdering());
    else
      lowerExchange(*cast<AtomicCmpXchgInst>(I));
  }
  return !Found.empty();
}

} // namespace

PreservedAnalyses AtomicsPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = replaceLibraryCalls(M);
  for (Function &F : M)
    if (!F.isDeclaration())
      Changed |= lowerSmallOperations(F);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
