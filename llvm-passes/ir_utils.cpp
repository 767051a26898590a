// SPDX-License-Identifier: MIT
#include "ir_utils.h"

#include "base/llvm_compat.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace hiplz::passes {

namespace {

/// Rewrites one use after the other. A constant that contains C is spelled out as instructions in front of its user.
class ConstantRewriter {
public:
  ConstantRewriter(Constant &C, function_ref<Value *(Function &)> ValueIn) : C(C), ValueIn(ValueIn) { collect(&C); }

  bool run(const Value **Outside) {
    for (Constant *Dependent : Dependents)
      for (User *U : Dependent->users())
        if (!isa<Instruction>(U) && !Contains.count(cast<Constant>(U))) {
          if (Outside)
            *Outside = U;
          return false;
        }
    for (Constant *Dependent : Dependents) {
      SmallVector<Use *, 8> Uses;
      for (Use &U : Dependent->uses())
        if (isa<Instruction>(U.getUser()))
          Uses.push_back(&U);
      for (Use *U : Uses)
        rewrite(*U, Dependent);
    }
    C.removeDeadConstantUsers();
    return true;
  }

private:
  void collect(Constant *Root) {
    if (!Contains.insert(Root).second)
      return;
    Dependents.push_back(Root);
    for (User *U : Root->users())
      if (isa<ConstantExpr>(U) || isa<ConstantAggregate>(U))
        collect(cast<Constant>(U));
  }

  void rewrite(Use &U, Constant *Dependent) {
    auto *I = cast<Instruction>(U.getUser());
    auto *Phi = dyn_cast<PHINode>(I);
    if (!Phi) {
      IRBuilder<> B(I);
      U.set(build(B, Dependent, *I->getFunction()));
      return;
    }
    // Several edges from one block must carry one value.
    BasicBlock *From = Phi->getIncomingBlock(U);
    for (unsigned N = 0; N < Phi->getNumIncomingValues(); ++N)
      if (Phi->getIncomingBlock(N) == From && Phi->getIncomingValue(N) != Dependent) {
        U.set(Phi->getIncomingValue(N));
        return;
      }
    IRBuilder<> B(From->getTerminator());
    Value *New = build(B, Dependent, *I->getFunction());
    for (unsigned N = 0; N < Phi->getNumIncomingValues(); ++N)
      if (Phi->getIncomingBlock(N) == From)
        Phi->setIncomingValue(N, New);
  }

  Value *build(IRBuilderBase &B, Constant *K, Function &F) {
    if (K == &C)
      return ValueIn(F);
    if (!Contains.count(K))
      return K;
    if (auto *CE = dyn_cast<ConstantExpr>(K)) {
      Instruction *I = CE->getAsInstruction();
      for (Use &Operand : I->operands())
        Operand.set(build(B, cast<Constant>(Operand.get()), F));
      return B.Insert(I);
    }
    Value *Aggregate = PoisonValue::get(K->getType());
    for (unsigned N = 0; N < K->getNumOperands(); ++N) {
      Value *Element = build(B, cast<Constant>(K->getOperand(N)), F);
      Aggregate = isa<VectorType>(K->getType()) ? B.CreateInsertElement(Aggregate, Element, uint64_t(N))
                                                : B.CreateInsertValue(Aggregate, Element, N);
    }
    return Aggregate;
  }

  Constant &C;
  function_ref<Value *(Function &)> ValueIn;
  SmallPtrSet<Constant *, 16> Contains;
  SmallVector<Constant *, 16> Dependents;
};

} // namespace

bool replaceConstantUses(Constant &C, function_ref<Value *(Function &)> ValueIn, const Value **Outside) {
  return ConstantRewriter(C, ValueIn).run(Outside);
}

void collectUsingFunctions(const Constant &C, function_ref<void(Function &)> Found) {
  SmallPtrSet<const Constant *, 16> Seen{&C};
  SmallVector<const Constant *, 16> Work{&C};
  while (!Work.empty())
    for (const User *U : Work.pop_back_val()->users()) {
      if (auto *I = dyn_cast<Instruction>(U))
        Found(*const_cast<Function *>(I->getFunction()));
      else if (auto *K = dyn_cast<Constant>(U); K && !isa<GlobalValue>(K) && Seen.insert(K).second)
        Work.push_back(K);
    }
}

bool isOddInteger(const Type *T) {
  if (!T->isIntegerTy())
    return false;
  unsigned Bits = T->getIntegerBitWidth();
  return Bits != 1 && Bits != 8 && Bits != 16 && Bits != 32 && Bits != 64;
}

bool isOddVector(const Type *T) {
  auto *Vector = dyn_cast<FixedVectorType>(T);
  if (!Vector)
    return false;
  const unsigned N = Vector->getNumElements();
  return isOddInteger(Vector->getElementType()) || (N != 2 && N != 3 && N != 4 && N != 8 && N != 16);
}

Type *memoryType(Type *T) {
  if (!T->isIntOrIntVectorTy() || T->getScalarSizeInBits() > 64)
    return T;
  return T->getWithNewBitWidth(std::max<unsigned>(8, PowerOf2Ceil(T->getScalarSizeInBits())));
}

bool isUnrepresentable(Type *T) {
  if (auto *Array = dyn_cast<ArrayType>(T))
    return Array->getNumElements() == 0 || isUnrepresentable(Array->getElementType());
  if (auto *Struct = dyn_cast<StructType>(T))
    return any_of(Struct->elements(), isUnrepresentable);
  return isOddInteger(T) || isOddVector(T);
}

Value *castPointer(IRBuilderBase &B, Value *Pointer, Type *To) {
  Value *Source = Pointer->stripPointerCasts();
  unsigned From = Source->getType()->getPointerAddressSpace(), Target = To->getPointerAddressSpace();
  if (From == Target || Target == kGeneric)
    Pointer = Source;
  return B.CreatePointerBitCastOrAddrSpaceCast(Pointer, To);
}

bool mentionsSubgroup(StringRef Name) {
  return Name.contains("Subgroup") || Name.contains("sub_group") || Name.contains("GroupNonUniform");
}

CallInst *createCall(IRBuilderBase &B, Function *Callee, ArrayRef<Value *> Arguments) {
  CallInst *Call = B.CreateCall(Callee, Arguments);
  Call->setCallingConv(Callee->getCallingConv());
  return Call;
}

GlobalVariable *runtimeVariable(Module &M, StringRef Name) {
  if (GlobalVariable *Present = M.getNamedGlobal(Name))
    return Present;
  Type *Address = Type::getInt64Ty(M.getContext());
  auto *Variable = new GlobalVariable(M, Address, false, GlobalValue::ExternalLinkage, ConstantInt::get(Address, 0),
                                      Name, nullptr, GlobalValue::NotThreadLocal, kGlobal);
  Variable->setExternallyInitialized(true);
  return Variable;
}

void moveVariablesToStart(Function &F) {
  BasicBlock &Entry = F.getEntryBlock();
  Instruction *First = &*Entry.begin();
  while (isa<AllocaInst>(First))
    First = First->getNextNode();
  for (Instruction &I : make_early_inc_range(make_range(First->getIterator(), Entry.end())))
    if (auto *Variable = dyn_cast<AllocaInst>(&I); Variable && isa<ConstantInt>(Variable->getArraySize()))
      Variable->moveBefore(First);
}

void removeUnusedCasts(Function &F) {
  for (BasicBlock *Block : post_order(&F))
    for (Instruction &I : make_early_inc_range(reverse(*Block)))
      if (isa<CastInst>(I) && I.getType()->isPointerTy() && I.use_empty())
        I.eraseFromParent();
}

Function *recreate(Function &F, ArrayRef<Type *> Types, Type *Result) {
  auto *New = Function::Create(FunctionType::get(Result ? Result : F.getReturnType(), Types, F.isVarArg()),
                               F.getLinkage(), F.getAddressSpace());
  insertBefore(New, &F);
  New->takeName(&F);
  New->copyAttributesFrom(&F);
  New->setComdat(F.getComdat());
  New->copyMetadata(&F, 0);
  F.setSubprogram(nullptr);
  moveBody(*New, F);
  for (auto [Old, Argument] : zip(F.args(), New->args()))
    Argument.takeName(&Old);
  return New;
}

} // namespace hiplz::passes
