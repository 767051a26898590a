// SPDX-License-Identifier: MIT
// Long division, a bit in each round: the dividend leaves its register at the top and the quotient enters at the bottom. What it needs
// (shifts by one, a comparison, a difference) is what legal_integers.cpp knows how to do in words.
#include "wide_division.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace hiplz::passes {

namespace {

bool isWideDivision(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem: return I.getType()->isIntegerTy() && I.getType()->getIntegerBitWidth() > 64;
  default: return false;
  }
}

/// X if Sign is zero, -X if all its bits are set.
Value *withSign(IRBuilder<> &B, Value *X, Value *Sign) { return B.CreateSub(B.CreateXor(X, Sign), Sign); }

void expand(Instruction &I) {
  Type *T = I.getType();
  const unsigned Bits = T->getIntegerBitWidth();
  const bool IsSigned = I.getOpcode() == Instruction::SDiv || I.getOpcode() == Instruction::SRem;
  const bool IsQuotient = I.getOpcode() == Instruction::SDiv || I.getOpcode() == Instruction::UDiv;
  IRBuilder<> B(&I);
  Value *Dividend = I.getOperand(0), *Divisor = I.getOperand(1), *Sign = nullptr;
  if (IsSigned) {
    Value *DividendSign = B.CreateAShr(Dividend, Bits - 1), *DivisorSign = B.CreateAShr(Divisor, Bits - 1);
    Dividend = withSign(B, Dividend, DividendSign);
    Divisor = withSign(B, Divisor, DivisorSign);
    Sign = IsQuotient ? B.CreateXor(DividendSign, DivisorSign) : DividendSign;
  }
  BasicBlock *Before = I.getParent(), *After = Before->splitBasicBlock(&I);
  BasicBlock *Loop = BasicBlock::Create(I.getContext(), "division", Before->getParent(), After);
  Before->getTerminator()->setSuccessor(0, Loop);

  B.SetInsertPoint(Loop);
  PHINode *Round = B.CreatePHI(B.getInt32Ty(), 2), *Quotient = B.CreatePHI(T, 2), *Rest = B.CreatePHI(T, 2);
  Constant *One = ConstantInt::get(T, 1);
  // The bit that leaves the rest at the top makes it larger than every divisor.
  Value *Larger = B.CreateICmpSLT(Rest, Constant::getNullValue(T));
  Value *Next = B.CreateOr(B.CreateShl(Rest, One), B.CreateLShr(Quotient, ConstantInt::get(T, Bits - 1)));
  Value *Fits = B.CreateOr(Larger, B.CreateICmpUGE(Next, Divisor));
  Value *NextRest = B.CreateSelect(Fits, B.CreateSub(Next, Divisor), Next);
  Value *NextQuotient = B.CreateOr(B.CreateShl(Quotient, One), B.CreateZExt(Fits, T));
  Value *NextRound = B.CreateAdd(Round, B.getInt32(1));
  B.CreateCondBr(B.CreateICmpULT(NextRound, B.getInt32(Bits)), Loop, After);
  Round->addIncoming(B.getInt32(0), Before);
  Round->addIncoming(NextRound, Loop);
  Quotient->addIncoming(Dividend, Before);
  Quotient->addIncoming(NextQuotient, Loop);
  Rest->addIncoming(Constant::getNullValue(T), Before);
  Rest->addIncoming(NextRest, Loop);

  B.SetInsertPoint(&I);
  Value *Result = IsQuotient ? NextQuotient : NextRest;
  I.replaceAllUsesWith(IsSigned ? withSign(B, Result, Sign) : Result);
  I.eraseFromParent();
}

} // namespace

void expandWideDivisions(Function &F) {
  SmallVector<Instruction *, 4> Divisions;
  for (Instruction &I : instructions(F))
    if (isWideDivision(I))
      Divisions.push_back(&I);
  for (Instruction *I : Divisions)
    expand(*I);
}

} // namespace hiplz::passes
