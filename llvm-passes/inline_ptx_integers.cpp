// SPDX-License-Identifier: MIT
// Arithmetic, comparisons and bit operations of inline PTX. Rounding is to the nearest; other directions are not translated.
#include "base/llvm_compat.h"
#include "inline_ptx.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace hiplz::passes {

namespace {

/// An instruction with its suffixes sorted out.
class Arithmetic : PtxLowering {
public:
  Arithmetic(PtxValues &Values, const PtxInstruction &I) : PtxLowering(Values, I) {
    Bits = ptxTypeBits(Type);
    IsFloat = startsWith(Type, "f");
    IsSigned = startsWith(Type, "s");
  }

  bool run() {
    if (Bits == 0 || startsWith(Type, "bf"))
      return false;
    for (StringRef Part : {"rz", "rm", "rp"})
      if (has(Part))
        return false;
    if (Base == "setp")
      return compare();
    if (Value *Result = IsFloat ? floating() : Bits == 1 ? logical() : integer()) {
      if (has("sat"))
        Result = saturated(Result);
      V.write(operand(0), Result, IsSigned);
      return true;
    }
    return Done;
  }

private:
  Value *get(unsigned N) { return V.readAs(operand(N), Type); }
  Value *word(unsigned N) { return V.read(operand(N), 32); }
  Value *callIntrinsic(Intrinsic::ID Id, ArrayRef<Value *> Arguments) {
    return B.CreateCall(intrinsic(V.M, Id, {Arguments[0]->getType()}), Arguments);
  }
  Constant *constant(Value *Like, uint64_t Number) { return ConstantInt::get(Like->getType(), Number); }

  Value *saturated(Value *Result) {
    if (!IsFloat || Bits == 16 || Type == "f16x2") {
      V.fail("saturation of this type is not supported");
      return Result;
    }
    Value *Zero = ConstantFP::get(Result->getType(), 0.0), *One = ConstantFP::get(Result->getType(), 1.0);
    Value *Low = B.CreateSelect(B.CreateFCmpOGT(Result, Zero), Result, Zero); // 0 for NaN
    return B.CreateSelect(B.CreateFCmpOLT(Low, One), Low, One);
  }

  Value *floating() {
    if (Base == "add")
      return B.CreateFAdd(get(1), get(2));
    if (Base == "sub")
      return B.CreateFSub(get(1), get(2));
    if (Base == "mul")
      return B.CreateFMul(get(1), get(2));
    if (Base == "fma" || Base == "mad")
      return has("relu") ? nullptr : callIntrinsic(Intrinsic::fma, {get(1), get(2), get(3)});
    if (Base == "neg")
      return B.CreateFNeg(get(1));
    if (Base == "abs")
      return callIntrinsic(Intrinsic::fabs, {get(1)});
    if ((Base == "min" || Base == "max") && !has("NaN") && !has("xorsign"))
      return callIntrinsic(Base == "min" ? Intrinsic::minnum : Intrinsic::maxnum, {get(1), get(2)});
    if (Base == "div" && Type != "f16x2")
      return B.CreateFDiv(get(1), get(2));
    if (Base == "rcp")
      return B.CreateFDiv(ConstantFP::get(ptxType(B, Type), 1.0), get(1));
    if (Base == "sqrt")
      return callIntrinsic(Intrinsic::sqrt, {get(1)});
    if (Base == "copysign") // of the first operand, to the second
      return callIntrinsic(Intrinsic::copysign, {get(2), get(1)});
    return Base == "selp" ? B.CreateSelect(V.predicate(operand(3)), get(1), get(2)) : nullptr;
  }

  Value *logical() { // of predicates
    if (Base == "mov")
      return V.predicate(operand(1));
    if (Base == "not")
      return B.CreateNot(V.predicate(operand(1)));
    return combine(Base, V.predicate(operand(1)), V.predicate(operand(2)));
  }

  Value *combine(StringRef Operation, Value *Left, Value *Right) {
    return Operation == "and"   ? B.CreateAnd(Left, Right)
           : Operation == "or"  ? B.CreateOr(Left, Right)
           : Operation == "xor" ? B.CreateXor(Left, Right)
                                : nullptr;
  }

  Value *integer() {
    if (has("cc") || Base == "addc" || Base == "subc" || Base == "madc")
      return withCarry();
    if (Base == "add" || Base == "sub")
      return sum();
    if (Base == "mul" || Base == "mul24")
      return has("wide") ? wide(1, 2) : product(1, 2);
    if (Base == "mad" || Base == "mad24") {
      if (!has("wide"))
        return has("sat") ? nullptr : B.CreateAdd(product(1, 2), get(3));
      return B.CreateAdd(wide(1, 2), V.read(operand(3), 2 * Bits, IsSigned));
    }
    if (Value *Bitwise = bits())
      return Bitwise;
    if (Base == "div")
      return IsSigned ? B.CreateSDiv(get(1), get(2)) : B.CreateUDiv(get(1), get(2));
    if (Base == "rem")
      return IsSigned ? B.CreateSRem(get(1), get(2)) : B.CreateURem(get(1), get(2));
    if (Base == "min" || Base == "max") {
      Value *Left = get(1), *Right = get(2);
      Value *Less = IsSigned ? B.CreateICmpSLT(Left, Right) : B.CreateICmpULT(Left, Right);
      return Base == "min" ? B.CreateSelect(Less, Left, Right) : B.CreateSelect(Less, Right, Left);
    }
    if (Base == "neg")
      return B.CreateNeg(get(1));
    if (Base == "abs")
      return magnitude(get(1));
    if (Base == "sad") {
      Value *Left = get(1), *Right = get(2);
      Value *Less = IsSigned ? B.CreateICmpSLT(Left, Right) : B.CreateICmpULT(Left, Right);
      return B.CreateAdd(B.CreateSelect(Less, B.CreateSub(Right, Left), B.CreateSub(Left, Right)), get(3));
    }
    return Base == "selp" ? B.CreateSelect(V.predicate(operand(3)), get(1), get(2)) : nullptr;
  }

  Value *magnitude(Value *X) { return B.CreateSelect(B.CreateICmpSLT(X, constant(X, 0)), B.CreateNeg(X), X); }

  Value *sum() {
    Value *Left = get(1), *Right = get(2);
    Value *Sum = Base == "add" ? B.CreateAdd(Left, Right) : B.CreateSub(Left, Right);
    if (!has("sat"))
      return Sum;
    if (Type != "s32")
      return nullptr;
    Value *Other = Base == "add" ? Right : B.CreateNot(Right); // both operands have one sign, and the sum the other
    Value *Overflow = B.CreateAnd(B.CreateNot(B.CreateXor(Left, Other)), B.CreateXor(Left, Sum));
    Value *Limit = B.CreateXor(B.CreateAShr(Left, 31), constant(Left, 0x7fffffff));
    V.write(operand(0), B.CreateSelect(B.CreateICmpSLT(Overflow, constant(Left, 0)), Limit, Sum), true);
    Done = true;
    return nullptr;
  }

  Value *wide(unsigned First, unsigned Second) {
    if (Bits > 32) {
      V.fail("products of 128 bits are not supported");
      return B.getInt64(0);
    }
    return B.CreateMul(extended(First), extended(Second));
  }
  /// An operand with twice the bits, by its sign.
  Value *extended(unsigned N) {
    Value *Narrow = V.read(operand(N), Bits);
    llvm::Type *T = B.getIntNTy(2 * Bits);
    return IsSigned ? B.CreateSExt(Narrow, T) : B.CreateZExt(Narrow, T);
  }

  Value *product(unsigned First, unsigned Second) {
    if (Base == "mul24" || Base == "mad24") {
      if (has("hi") || Bits != 32) {
        V.fail("the high half of it is not supported");
        return B.getInt32(0);
      }
      auto narrow = [&](unsigned N) {
        Value *Shifted = B.CreateShl(get(N), 8);
        return IsSigned ? B.CreateAShr(Shifted, 8) : B.CreateLShr(Shifted, 8);
      };
      return B.CreateMul(narrow(First), narrow(Second));
    }
    if (!has("hi"))
      return B.CreateMul(get(First), get(Second));
    if (Bits == 64)
      return V.callHelper(IsSigned ? "mul_hi_s64" : "mul_hi_u64", {get(First), get(Second)});
    return B.CreateTrunc(B.CreateLShr(B.CreateMul(extended(First), extended(Second)), Bits), B.getIntNTy(Bits));
  }

  /// add.cc, addc, addc.cc, sub.cc, subc, subc.cc, mad.{lo,hi}.cc, madc.{lo,hi} and madc.{lo,hi}.cc.
  Value *withCarry() {
    const bool Subtracts = startsWith(Base, "sub"), Multiplies = startsWith(Base, "mad");
    Value *Left = Multiplies ? product(1, 2) : get(1), *Right = get(Multiplies ? 3 : 2);
    Value *Result = Subtracts ? B.CreateSub(Left, Right) : B.CreateAdd(Left, Right);
    Value *Flag = Subtracts ? B.CreateICmpULT(Left, Right) : B.CreateICmpULT(Result, Left);
    if (endsWith(Base, "c")) {
      Value *In = B.CreateZExtOrTrunc(V.carry(), Result->getType());
      Value *First = Result;
      Result = Subtracts ? B.CreateSub(First, In) : B.CreateAdd(First, In);
      Flag = B.CreateOr(Flag, Subtracts ? B.CreateICmpULT(First, In) : B.CreateICmpULT(Result, In));
    }
    if (has("cc"))
      V.setCarry(Flag);
    return Result;
  }

  Value *bits() {
    if (Value *Combined = Base == "and" || Base == "or" || Base == "xor" ? combine(Base, get(1), get(2)) : nullptr)
      return Combined;
    if (Base == "not")
      return B.CreateNot(get(1));
    if (Base == "cnot")
      return B.CreateZExt(B.CreateICmpEQ(get(1), constant(get(1), 0)), B.getIntNTy(Bits));
    if (Base == "shl" || Base == "shr")
      return shifted(get(1), word(2), Base == "shl", IsSigned);
    if (Base == "popc")
      return callIntrinsic(Intrinsic::ctpop, {get(1)});
    if (Base == "brev")
      return callIntrinsic(Intrinsic::bitreverse, {get(1)});
    if (Base == "clz")
      return B.CreateCall(intrinsic(V.M, Intrinsic::ctlz, {B.getIntNTy(Bits)}), {get(1), B.getFalse()});
    if (Base == "bfind")
      return highest();
    if (Base == "bfe")
      return extracted();
    if (Base == "bfi")
      return inserted();
    return Base == "lop3" ? table() : nullptr;
  }

  /// Shifts by the number of bits and more give 0, or the sign.
  Value *shifted(Value *X, Value *Amount, bool Left, bool Arithmetic) {
    const unsigned Width = X->getType()->getIntegerBitWidth();
    Value *TooFar = B.CreateICmpUGT(Amount, B.getInt32(Width - 1));
    Value *Within = B.CreateSelect(TooFar, B.getInt32(Arithmetic ? Width - 1 : 0), Amount);
    Value *By = B.CreateZExtOrTrunc(Within, X->getType());
    if (Arithmetic && !Left)
      return B.CreateAShr(X, By);
    return B.CreateSelect(TooFar, constant(X, 0), Left ? B.CreateShl(X, By) : B.CreateLShr(X, By));
  }

  /// The position of the highest bit, for signed numbers that of the highest one unlike the sign; all ones if there is none.
  Value *highest() {
    Value *X = get(1);
    if (IsSigned)
      X = B.CreateXor(X, B.CreateAShr(X, Bits - 1));
    Value *Zeros = B.CreateZExtOrTrunc(B.CreateCall(intrinsic(V.M, Intrinsic::ctlz, {X->getType()}), {X, B.getFalse()}),
                                       B.getInt32Ty());
    Value *Place = has("shiftamt") ? Zeros : B.CreateSub(B.getInt32(Bits - 1), Zeros);
    return B.CreateSelect(B.CreateICmpEQ(X, constant(X, 0)), B.getInt32(~0u), Place);
  }

  /// bfe: bits from a position on, filled up with zeros or with the field's sign; beyond the end of the source there is its sign.
  Value *extracted() {
    Value *X = get(1), *From = B.CreateAnd(word(2), 255), *Count = B.CreateAnd(word(3), 255);
    Value *Field = shifted(X, From, false, IsSigned);
    Value *Unused = B.CreateSub(B.getInt32(Bits), Count);
    Value *AllBits = B.CreateICmpUGE(Count, B.getInt32(Bits));
    Value *Result = shifted(shifted(Field, Unused, true, false), Unused, false, IsSigned);
    if (IsSigned) { // a field that ends behind the source has the source's sign, which the first shift brought
      Value *Past = B.CreateICmpUGT(B.CreateAdd(From, Count), B.getInt32(Bits));
      AllBits = B.CreateOr(AllBits, Past);
    }
    Result = B.CreateSelect(AllBits, Field, Result);
    return B.CreateSelect(B.CreateICmpEQ(Count, B.getInt32(0)), constant(X, 0), Result);
  }

  Value *inserted() {
    Value *Field = get(1), *Into = get(2), *From = B.CreateAnd(word(3), 255), *Count = B.CreateAnd(word(4), 255);
    Value *Ones = Constant::getAllOnesValue(Field->getType());
    Value *Mask = shifted(B.CreateNot(shifted(Ones, Count, true, false)), From, true, false);
    return B.CreateOr(B.CreateAnd(shifted(Field, From, true, false), Mask), B.CreateAnd(Into, B.CreateNot(Mask)));
  }

  /// lop3: any function of three bits, as a table of its eight results.
  Value *table() {
    auto *Table = dyn_cast<ConstantInt>(V.read(operand(4), 32));
    if (!Table || Type != "b32") {
      V.fail("the table must be a constant");
      return B.getInt32(0);
    }
    Value *Inputs[] = {get(1), get(2), get(3)};
    Value *Result = B.getInt32(0);
    for (unsigned Row = 0; Row < 8; ++Row) {
      if (!(Table->getZExtValue() >> Row & 1))
        continue;
      Value *Term = nullptr;
      for (unsigned N = 0; N < 3; ++N) {
        Value *Input = Row >> (2 - N) & 1 ? Inputs[N] : B.CreateNot(Inputs[N]);
        Term = Term ? B.CreateAnd(Term, Input) : Input;
      }
      Result = B.CreateOr(Result, Term);
    }
    return Result;
  }

  /// setp.less.type p|q, a, b and setp.less.and.type p|q, a, b, c; q is the opposite comparison.
  bool compare() {
    Value *Left = get(1), *Right = get(2), *Result = nullptr;
    const StringRef Name = Parts.size() > 1 ? Parts[1] : "";
    if (IsFloat) {
      const CmpInst::Predicate Kind = StringSwitch<CmpInst::Predicate>(Name)
                                          .Case("eq", CmpInst::FCMP_OEQ)
                                          .Case("ne", CmpInst::FCMP_ONE)
                                          .Case("lt", CmpInst::FCMP_OLT)
                                          .Case("le", CmpInst::FCMP_OLE)
                                          .Case("gt", CmpInst::FCMP_OGT)
                                          .Case("ge", CmpInst::FCMP_OGE)
                                          .Case("equ", CmpInst::FCMP_UEQ)
                                          .Case("neu", CmpInst::FCMP_UNE)
                                          .Case("ltu", CmpInst::FCMP_ULT)
                                          .Case("leu", CmpInst::FCMP_ULE)
                                          .Case("gtu", CmpInst::FCMP_UGT)
                                          .Case("geu", CmpInst::FCMP_UGE)
                                          .Case("num", CmpInst::FCMP_ORD)
                                          .Case("nan", CmpInst::FCMP_UNO)
                                          .Default(CmpInst::FCMP_FALSE);
      Result = Kind == CmpInst::FCMP_FALSE || Type == "f16x2" ? nullptr : B.CreateFCmp(Kind, Left, Right);
    } else {
      const CmpInst::Predicate Kind = StringSwitch<CmpInst::Predicate>(Name)
                                          .Case("eq", CmpInst::ICMP_EQ)
                                          .Case("ne", CmpInst::ICMP_NE)
                                          .Case("lt", IsSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT)
                                          .Case("le", IsSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE)
                                          .Case("gt", IsSigned ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT)
                                          .Case("ge", IsSigned ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE)
                                          .Case("lo", CmpInst::ICMP_ULT)
                                          .Case("ls", CmpInst::ICMP_ULE)
                                          .Case("hi", CmpInst::ICMP_UGT)
                                          .Case("hs", CmpInst::ICMP_UGE)
                                          .Default(CmpInst::BAD_ICMP_PREDICATE);
      Result = Kind == CmpInst::BAD_ICMP_PREDICATE ? nullptr : B.CreateICmp(Kind, Left, Right);
    }
    if (!Result)
      return false;
    Value *Opposite = B.CreateNot(Result);
    if (I.Operands.size() > 3) {
      const StringRef Operation = Parts.size() > 2 ? Parts[2] : "";
      Value *More = V.predicate(operand(3));
      Result = combine(Operation, Result, More);
      if (!Result)
        return false;
      Opposite = combine(Operation, Opposite, More);
    }
    const auto [First, Second] = operand(0).split('|');
    V.write(First, Result);
    if (!Second.empty())
      V.write(Second, Opposite);
    return true;
  }

  unsigned Bits = 0;
  bool IsFloat = false, IsSigned = false, Done = false;
};

} // namespace

bool lowerPtxInteger(PtxValues &Values, const PtxInstruction &I) { return Arithmetic(Values, I).run(); }

} // namespace hiplz::passes
