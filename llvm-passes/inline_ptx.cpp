// SPDX-License-Identifier: MIT
// Inline assembly of CUDA programs, which is PTX. Instructions that LLVM has in some form become that; for others, and for special
// registers, CUDA's headers have functions (hiplz/cuda/forms/ptx.h). The pass runs where those functions are, so in code that cucc
// or hipRTC compiles from CUDA.
#include "inline_ptx.h"

#include "base/llvm_compat.h"
#include "diagnostics.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace hiplz::passes {

Type *ptxType(IRBuilderBase &B, StringRef Type) {
  if (Type == "f16")
    return B.getHalfTy();
  if (Type == "f32")
    return B.getFloatTy();
  if (Type == "f64")
    return B.getDoubleTy();
  if (Type == "f16x2")
    return FixedVectorType::get(B.getHalfTy(), 2);
  return B.getIntNTy(ptxTypeBits(Type));
}

void PtxValues::declare(const PtxText &Text) {
  for (const auto &Entry : Text.Registers)
    Registers[Entry.first()].Width = Entry.second;
}

Value *PtxValues::asInteger(Value *V) {
  Type *T = V->getType();
  if (T->isPointerTy())
    return B.CreatePtrToInt(V, B.getInt64Ty());
  const unsigned Bits = T->getPrimitiveSizeInBits();
  if (Bits == 0) {
    fail("an operand is a structure");
    return B.getInt32(0);
  }
  return T->isIntegerTy() ? V : B.CreateBitCast(V, B.getIntNTy(Bits));
}

/// Operands are numbered: results first, then arguments. A result that is an argument, too, has it at first.
void PtxValues::readArguments() {
  const auto *Assembly = cast<InlineAsm>(Call.getCalledOperand());
  unsigned Number = 0, Argument = 0, Result = 0;
  auto *Results = dyn_cast<StructType>(Call.getType());
  for (const InlineAsm::ConstraintInfo &Info : Assembly->ParseConstraints()) {
    if (Info.isIndirect) {
      fail("operands in memory (\"m\") are not supported");
      return;
    }
    if (Info.Type == InlineAsm::isOutput) {
      Type *T = Results ? Results->getElementType(Result) : Call.getType();
      Registers[("$" + Twine(Number)).str()].Width =
          T->isPointerTy() ? 64 : std::max<unsigned>(T->getPrimitiveSizeInBits(), 1);
      ++Result;
      ++Number;
    } else if (Info.Type == InlineAsm::isInput) {
      Value *V = Call.getArgOperand(Argument++);
      unsigned Tied = Number;
      const bool IsTied = !Info.Codes.empty() && !StringRef(Info.Codes[0]).getAsInteger(10, Tied);
      Register &Place = Registers[("$" + Twine(Tied)).str()];
      Place.Bits = asInteger(V);
      Place.Pointer = V->getType()->isPointerTy() ? V : nullptr;
      if (!IsTied)
        Place.Width = Place.Bits->getType()->getIntegerBitWidth();
      else
        Place.Bits = B.CreateZExtOrTrunc(Place.Bits, B.getIntNTy(Place.Width));
      ++Number;
    }
  }
}

void PtxValues::returnResults() {
  Type *Whole = Call.getType();
  if (Whole->isVoidTy())
    return;
  auto *Results = dyn_cast<StructType>(Whole);
  auto result = [&](unsigned N, Type *T) -> Value * {
    Register &Place = Registers[("$" + Twine(N)).str()];
    Value *V = Place.Bits ? Place.Bits : B.getIntN(Place.Width, 0);
    if (T->isPointerTy())
      return Place.Pointer && Place.Pointer->getType() == T ? Place.Pointer : B.CreateIntToPtr(V, T);
    return T->isIntegerTy() ? B.CreateZExtOrTrunc(V, T) : B.CreateBitCast(V, T);
  };
  Value *Returned = Results ? UndefValue::get(Whole) : result(0, Whole);
  for (unsigned N = 0; Results && N < Results->getNumElements(); ++N)
    Returned = B.CreateInsertValue(Returned, result(N, Results->getElementType(N)), N);
  Call.replaceAllUsesWith(Returned);
}

/// Integers in C's notation, and floating-point numbers as 0f3F800000, 0d3FF0000000000000 or 1.0.
Value *PtxValues::number(StringRef Operand, unsigned Width) {
  StringRef Digits = Operand;
  const bool IsNegative = Digits.consume_front("-");
  uint64_t Bits = 0;
  if (startsWith(Digits.lower(), "0f") || startsWith(Digits.lower(), "0d")) {
    const bool IsFloat = startsWith(Digits.lower(), "0f");
    if (Digits.drop_front(2).getAsInteger(16, Bits))
      return nullptr;
    if (IsFloat && Width == 64)
      Bits = APFloat(double(APInt(32, Bits).bitsToFloat())).bitcastToAPInt().getZExtValue();
  } else if (Digits.contains('.')) {
    double Decimal = 0;
    if (Digits.getAsDouble(Decimal))
      return nullptr;
    Bits = Width == 64 ? APFloat(Decimal).bitcastToAPInt().getZExtValue()
                       : APFloat(float(Decimal)).bitcastToAPInt().getZExtValue();
    if (IsNegative)
      Bits ^= 1ull << (Width - 1);
    return B.getIntN(Width, Bits);
  } else {
    Digits = Digits.rtrim("Uu");
    if (Digits.empty() || Digits.getAsInteger(0, Bits))
      return nullptr;
  }
  return ConstantInt::get(B.getIntNTy(Width), IsNegative ? -Bits : Bits);
}

Value *PtxValues::read(StringRef Operand, unsigned Width, bool IsSigned) {
  Operand = Operand.trim();
  Type *T = B.getIntNTy(Width);
  if (Width == 1 && Operand.consume_front("!"))
    return B.CreateNot(read(Operand, 1));
  Value *V = nullptr;
  if (auto Found = Registers.find(Operand); Found != Registers.end()) {
    Register &Place = Found->second;
    V = Place.Bits ? Place.Bits : ConstantInt::get(B.getIntNTy(Place.Width), 0);
  } else if (Operand == "WARP_SZ") {
    V = B.getInt32(32);
  } else if (startsWith(Operand, "%")) {
    std::string Name = Operand.drop_front().str();
    std::replace(Name.begin(), Name.end(), '.', '_');
    if (!helper("sreg_" + Name)) {
      fail("the special register '" + Operand + "' does not exist here");
      return Constant::getNullValue(T);
    }
    V = callHelper("sreg_" + Name, {});
  } else {
    V = number(Operand, Width);
  }
  if (!V) {
    fail("the operand '" + Operand + "' is not understood");
    return Constant::getNullValue(T);
  }
  if (Width == 1 && V->getType() != T)
    return B.CreateICmpNE(V, Constant::getNullValue(V->getType()));
  return IsSigned ? B.CreateSExtOrTrunc(V, T) : B.CreateZExtOrTrunc(V, T);
}

Value *PtxValues::readAs(StringRef Operand, StringRef Type) {
  Value *V = read(Operand, ptxTypeBits(Type), startsWith(Type, "s"));
  return B.CreateBitCast(V, ptxType(B, Type));
}

void PtxValues::write(StringRef Operand, Value *Result, bool IsSigned) {
  Operand = Operand.trim();
  if (Operand == "_")
    return;
  auto Found = Registers.find(Operand);
  if (Found == Registers.end())
    return fail("'" + Operand + "' is not a register");
  Register &Place = Found->second;
  Value *V = asInteger(Result);
  Type *T = B.getIntNTy(Place.Width);
  Place.Bits = IsSigned ? B.CreateSExtOrTrunc(V, T) : B.CreateZExtOrTrunc(V, T);
  Place.Pointer = nullptr;
}

Value *PtxValues::address(StringRef Operand) {
  PointerType *Bytes = pointerTo(B.getInt8Ty(), kGeneric);
  if (!Operand.consume_front("[") || !Operand.consume_back("]")) {
    fail("'" + Operand + "' is not an address");
    return Constant::getNullValue(Bytes);
  }
  const size_t Sign = Operand.find_first_of("+-", 1);
  const StringRef Base = Operand.take_front(Sign).trim();
  int64_t Offset = 0;
  if (Sign != StringRef::npos) {
    StringRef Number = Operand.drop_front(Sign + 1).trim();
    const bool IsNegative = Number.consume_front("-") != (Operand[Sign] == '-');
    if (Number.getAsInteger(0, Offset)) {
      fail("the address '[" + Operand + "]' is not understood");
      return Constant::getNullValue(Bytes);
    }
    Offset = IsNegative ? -Offset : Offset;
  }
  Value *Pointer = nullptr;
  auto Found = Registers.find(Base);
  if (Found == Registers.end()) {
    fail("the address '[" + Operand + "]' is not in a register");
    return Constant::getNullValue(Bytes);
  }
  if (Found->second.Pointer)
    Pointer = castPointer(B, Found->second.Pointer, Bytes);
  else if (Found->second.Width == 64)
    Pointer = B.CreateIntToPtr(read(Base, 64), Bytes);
  else // of __shared__ memory
    Pointer = castPointer(B, callHelper("shared_address", {read(Base, 32)}), Bytes);
  return Offset ? B.CreateGEP(B.getInt8Ty(), Pointer, B.getInt64(Offset)) : Pointer;
}

Value *PtxValues::carry() {
  if (!Carry.Written) {
    fail("no instruction in front of it in the same function sets the carry flag");
    return B.getInt32(0);
  }
  return B.CreateLoad(I32, Carry.Flag);
}

void PtxValues::setCarry(Value *Flag) {
  if (!Carry.Flag) {
    BasicBlock &Entry = Call.getFunction()->getEntryBlock();
    Carry.Flag = IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(I32, nullptr, "carry");
  }
  B.CreateStore(B.CreateZExt(Flag, I32), Carry.Flag);
  Carry.Written = true;
}

Value *PtxValues::callHelper(const Twine &Name, ArrayRef<Value *> Arguments) {
  Function *Callee = helper(Name);
  if (!Callee || Callee->arg_size() != Arguments.size()) {
    fail("there is no form of it here");
    return B.getInt32(0);
  }
  SmallVector<Value *, 4> Converted;
  for (unsigned N = 0; N < Arguments.size(); ++N) {
    Value *V = Arguments[N];
    Type *T = Callee->getFunctionType()->getParamType(N);
    if (V->getType() == T)
      Converted.push_back(V);
    else if (T->isPointerTy() && V->getType()->isPointerTy())
      Converted.push_back(castPointer(B, V, T));
    else if (T->isIntegerTy() && V->getType()->isIntegerTy())
      Converted.push_back(B.CreateZExtOrTrunc(V, T));
    else
      Converted.push_back(B.CreateBitCast(V, T));
  }
  return createCall(B, Callee, Converted);
}

namespace {

/// An instruction with a guard becomes a branch; what it writes is merged behind it.
void lowerGuarded(PtxValues &Values, const PtxInstruction &I) {
  Value *Condition = Values.predicate(I.Guard);
  if (I.Inverted)
    Condition = Values.B.CreateNot(Condition);
  StringMap<PtxValues::Register> Before = Values.Registers;
  BasicBlock *From = Values.Call.getParent();
  Instruction *Then = SplitBlockAndInsertIfThen(Condition, &Values.Call, /*Unreachable=*/false);
  Values.B.SetInsertPoint(Then);
  lowerPtx(Values, I);
  BasicBlock *End = Values.B.GetInsertBlock();
  Values.B.SetInsertPoint(&Values.Call);
  for (auto &Entry : Values.Registers) {
    PtxValues::Register &Old = Before[Entry.first()], &New = Entry.second;
    if (New.Bits == Old.Bits)
      continue;
    IRBuilder<> Front(&Values.Call.getParent()->front());
    PHINode *Merged = Front.CreatePHI(New.Bits->getType(), 2);
    Merged->addIncoming(New.Bits, End);
    Merged->addIncoming(Old.Bits ? Old.Bits : Constant::getNullValue(New.Bits->getType()), From);
    New.Bits = Merged;
    New.Pointer = nullptr;
  }
}

/// True if the statement is not PTX: nothing, or an instruction of AMD's.
bool isForeign(const PtxText &Text) {
  return Text.Error.empty() && (Text.Instructions.empty() || startsWith(Text.Instructions[0].Name, "s_") ||
                                startsWith(Text.Instructions[0].Name, "v_"));
}

} // namespace

PreservedAnalyses InlinePtxPass::run(Module &M, ModuleAnalysisManager &) {
  if (!M.getFunction((Twine(kPtxPrefix) + "shared_address").str()))
    return PreservedAnalyses::all();
  Diagnostics Errors;
  for (Function &F : M) {
    SmallVector<CallInst *, 8> Calls;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isInlineAsm())
        Calls.push_back(Call);
    PtxCarry Carry;
    for (CallInst *Call : Calls) {
      const PtxText Text = parsePtx(cast<InlineAsm>(Call->getCalledOperand())->getAsmString());
      if (isForeign(Text))
        continue;
      PtxValues Values(*Call, Carry);
      Values.Error = Text.Error;
      Values.declare(Text);
      Values.readArguments();
      StringRef Name;
      for (const PtxInstruction &I : Text.Instructions) {
        if (!Values.Error.empty())
          break;
        Name = I.Name;
        I.Guard.empty() ? lowerPtx(Values, I) : lowerGuarded(Values, I);
      }
      if (Values.Error.empty())
        Values.returnResults();
      else
        Errors.error(*Call,
                     "inline PTX" + (Name.empty() ? std::string() : " '" + Name.str() + "'") +
                         " cannot be translated: " + Values.Error +
                         "; write it in C++ or with an intrinsic function (docs/cuda.md says what is translated)");
      if (!Call->use_empty())
        Call->replaceAllUsesWith(UndefValue::get(Call->getType()));
      Call->eraseFromParent();
    }
  }
  return PreservedAnalyses::none();
}

} // namespace hiplz::passes
