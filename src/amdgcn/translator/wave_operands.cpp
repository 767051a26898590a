// SPDX-License-Identifier: MIT
// How operands are read and written: registers, constants, halves (op_sel), bytes and words (SDWA), other lanes (DPP), and the signs
// that every encoding can change.
#include "amdgcn/translator/wave.h"
#include "base/llvm_compat.h"

#include <llvm/ADT/APFloat.h>

#include <cstring>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

constexpr unsigned kHighHalves = 128; ///< where the numbers of high halves begin (Instruction::halvesByNumber)

}

uint64_t Wave::constantBits(const Operand &operand, unsigned width, bool isFloat) {
  if (operand.kind == Operand::Kind::real) {
    APFloat value(operand.real);
    bool inexact;
    value.convert(width == 16   ? APFloat::IEEEhalf()
                  : width == 32 ? APFloat::IEEEsingle()
                                : APFloat::IEEEdouble(),
                  APFloat::rmNearestTiesToEven, &inexact);
    return value.bitcastToAPInt().getZExtValue();
  }
  // A literal is the high half of a double, and an inline integer is the same bits for every type.
  if (operand.isLiteral && width == 64 && isFloat)
    return static_cast<uint64_t>(operand.integer) << 32;
  const auto bits = static_cast<uint64_t>(operand.integer);
  return width == 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}

// abs comes before neg.
Value *Wave::withSign(const Operand &operand, Value *value, unsigned width) {
  const uint64_t sign = uint64_t{1} << (width - 1);
  if (operand.absolute)
    value = b.CreateAnd(value, constant(value, sign - 1));
  if (operand.negative)
    value = b.CreateXor(value, constant(value, sign));
  return value;
}

Value *Wave::readScalar(const Operand &operand, unsigned width, bool isFloat) {
  Value *value;
  if (operand.kind == Operand::Kind::integer || operand.kind == Operand::Kind::real) {
    value = b.getIntN(width, constantBits(operand, width, isFloat));
  } else if (operand.kind != Operand::Kind::scalar) {
    refuse("a scalar operand is expected");
  } else if (operand.index >= kScalarRegisters) {
    uint64_t bits = 0;
    switch (operand.index) {
    case kSharedBase: bits = uint64_t{kSharedAperture} << 32; break;
    case kSharedLimit: bits = uint64_t{kSharedAperture} << 32 | 0xffffffff; break;
    case kPrivateBase: bits = uint64_t{kPrivateAperture} << 32; break;
    case kPrivateLimit: bits = uint64_t{kPrivateAperture} << 32 | 0xffffffff; break;
    case kScc: return b.CreateZExt(scc(), b.getIntNTy(width));
    case kExecIsZero: return b.CreateZExt(b.CreateICmpEQ(exec(), b.getInt32(0)), b.getIntNTy(width));
    case kVccIsZero: return b.CreateZExt(b.CreateICmpEQ(scalarRegister(kVcc), b.getInt32(0)), b.getIntNTy(width));
    default: refuse("an operand is not known");
    }
    // An operand of 32 bits is the half that says where the memory is.
    value = b.getIntN(width, width == 64 ? bits : bits >> 32);
  } else if (width == 64) {
    Value *high = operand.count > 1 ? scalarRegister(operand.index + 1u) : b.getInt32(0);
    value = wide(scalarRegister(operand.index), high);
  } else {
    value = scalarRegister(operand.index);
    if (width == 16)
      value = b.CreateTrunc(value, i16);
  }
  return withSign(operand, value, width);
}

void Wave::writeScalar(const Operand &operand, Value *value) {
  if (operand.kind != Operand::Kind::scalar)
    refuse("a scalar result is expected");
  if (value->getType()->isFloatingPointTy())
    value = b.CreateBitCast(value, b.getIntNTy(value->getType()->getPrimitiveSizeInBits()));
  const unsigned width = value->getType()->getIntegerBitWidth();
  if (width < 32)
    value = b.CreateZExt(value, i32);
  if (width <= 32) {
    setScalarRegister(operand.index, value);
    return;
  }
  if (operand.index == kNull)
    return;
  setScalarRegister(operand.index, lowHalf(value));
  setScalarRegister(operand.index + 1u, highHalf(value));
}

// A half of an operand of 32 bits, without signs. Inline numbers of 16 bits have a high half of 0: compilers write (0, 2) as 2.0 with
// the halves exchanged. In operations on integers they are numbers of 32 bits.
Value *Wave::word(const Operand &operand, bool high, bool isFloat) {
  Operand plain = operand;
  plain.negative = plain.absolute = false;
  Value *value;
  if (operand.isVector())
    value = vectorRegister(operand.index);
  else if (operand.kind == Operand::Kind::real && isFloat)
    value = vector(static_cast<uint32_t>(constantBits(operand, 16, true)));
  else
    value = splat(readScalar(plain, 32));
  return b.CreateTrunc(high ? b.CreateLShr(value, vector(16)) : value, vectorOf(i16));
}

// A part of a 32-bit register, extended to 32 bits.
Value *Wave::selectSdwa(StringRef selection, const Operand &operand, Value *value) {
  const bool isByte = startsWith(selection, "BYTE_");
  const unsigned bits = isByte ? 8 : 16;
  const unsigned shift = static_cast<unsigned>(selection.back() - '0') * bits;
  value = b.CreateShl(value, vector(32 - bits - shift));
  return operand.signExtended ? b.CreateAShr(value, vector(32 - bits)) : b.CreateLShr(value, vector(32 - bits));
}

Value *Wave::readVector(unsigned number, unsigned width, bool isFloat) {
  const Operand &operand = at_->operands[number];
  // Operand 0 is the result of everything that has these modifiers, apart from comparisons that write EXEC. op_sel has the sources first
  // and the result last, also if it is read.
  const unsigned source = startsWith(at_->name, "v_cmpx") ? number
                          : number > 0                    ? number - 1
                                                          : static_cast<unsigned>(at_->operands.size()) - 1;
  const bool carries = StringRef(at_->name).contains("_co_"); // the carry goes before the sources
  const bool isFirst = source == (carries ? 1 : 0);
  StringRef selection;
  if (at_->encoding == Encoding::sdwa)
    selection = at_->textOf(isFirst ? "src0_sel" : "src1_sel");
  const bool isPart = !selection.empty() && selection != "DWORD";
  const bool isHighNumber = width == 16 && at_->halvesByNumber && operand.isVector() && operand.index >= kHighHalves;
  const bool high = isHighNumber || (width == 16 && at_->element("op_sel", source) != 0);
  if (!operand.isVector() && !isPart)
    return high ? withSign(operand, word(operand, true, isFloat), 16) : splat(readScalar(operand, width, isFloat));
  if (!operand.isVector() && operand.kind != Operand::Kind::scalar)
    refuse("a part of a constant is not known");
  Operand plain = operand;
  plain.negative = plain.absolute = false;
  Value *value = operand.isVector() ? vectorRegister(operand.index - (isHighNumber ? kHighHalves : 0u))
                                    : splat(readScalar(plain, 32));
  if (at_->encoding == Encoding::dpp || at_->encoding == Encoding::dpp8) {
    lanes();
    if (isFirst)
      value = permuteDpp(value);
  }
  if (isPart)
    value = selectSdwa(selection, operand, value);
  if (width == 64) {
    if (operand.count < 2)
      refuse("an operand of 64 bits is expected");
    value = wide(value, vectorRegister(operand.index + 1u));
  }
  if (width == 16)
    value = b.CreateTrunc(high ? b.CreateLShr(value, vector(16)) : value, vectorOf(i16));
  return withSign(operand, value, width);
}

Value *Wave::readHalf(unsigned number, unsigned half, bool isFloat) {
  // The result, of which either half belongs to itself, has no modifiers.
  const bool high = number == 0 ? half != 0 : at_->element(half ? "op_sel_hi" : "op_sel", number - 1, half) != 0;
  Value *value = word(at_->operands[number], high, isFloat);
  if (number > 0 && at_->element(half ? "neg_hi" : "neg_lo", number - 1) != 0)
    value = b.CreateXor(value, constant(value, 0x8000));
  return value;
}

Value *Wave::readMixed(unsigned number) {
  const Operand &operand = at_->operands[number];
  const bool isHalf = at_->element("op_sel_hi", number - 1) != 0, high = at_->element("op_sel", number - 1) != 0;
  if (isHalf)
    return withSign(operand, word(operand, high, true), 16);
  return operand.isVector() ? withSign(operand, vectorRegister(operand.index), 32)
                            : splat(readScalar(operand, 32, true));
}

void Wave::writeVector(unsigned number, Value *value) {
  const Operand &operand = at_->operands[number];
  if (value->getType()->isFPOrFPVectorTy())
    value = b.CreateBitCast(value, vectorOf(b.getIntNTy(value->getType()->getScalarSizeInBits())));
  const unsigned width = value->getType()->getScalarSizeInBits();
  unsigned index = operand.index;
  if (!operand.isVector())
    refuse("a vector result is expected");
  if (width == 64) {
    setVectorRegister(operand.index, lowHalf(value));
    setVectorRegister(operand.index + 1u, highHalf(value));
    return;
  }
  if (width == 16) { // the other half stays
    value = b.CreateZExt(value, vectorOf(i32));
    if (at_->encoding != Encoding::sdwa) {
      unsigned sources = static_cast<unsigned>(at_->operands.size()) - 1;
      const bool isHighNumber = at_->halvesByNumber && index >= kHighHalves;
      const bool high = isHighNumber || at_->element("op_sel", sources) != 0;
      if (isHighNumber)
        index -= kHighHalves;
      Value *before = vectorRegister(index);
      if (high)
        value = b.CreateShl(value, vector(16));
      value = b.CreateOr(value, b.CreateAnd(before, vector(high ? 0x0000ffff : 0xffff0000)));
    }
  }
  if (at_->encoding == Encoding::sdwa) {
    const StringRef selection = at_->textOf("dst_sel"), unused = at_->textOf("dst_unused");
    if (!selection.empty() && selection != "DWORD") {
      const unsigned bits = startsWith(selection, "BYTE_") ? 8 : 16;
      const unsigned shift = static_cast<unsigned>(selection.back() - '0') * bits;
      const uint32_t mask = ((1u << bits) - 1) << shift;
      if (unused == "UNUSED_SEXT") {
        value = b.CreateShl(value, vector(32 - bits));
        value = b.CreateShl(b.CreateAShr(value, vector(32 - bits)), vector(shift));
      } else {
        value = b.CreateAnd(b.CreateShl(value, vector(shift)), vector(mask));
        if (unused == "UNUSED_PRESERVE")
          value = b.CreateOr(value, b.CreateAnd(vectorRegister(operand.index), vector(~mask)));
      }
    } else if (width == 16) {
      // A result of 16 bits is written as a whole register.
    }
  }
  setVectorRegister(index, value);
}

// Lanes that EXEC excludes are 0 in every mask that an instruction writes.
void Wave::writeMask(const Operand &operand, Value *mask) { writeScalar(operand, toBits(b.CreateAnd(mask, lanes()))); }

// Which lane each lane reads, and which lanes read one that is there and active.
void Wave::prepareDpp() {
  const Instruction &i = *at_;
  std::array<int, kLanes> source{};
  for (int lane = 0; lane < static_cast<int>(kLanes); ++lane) {
    const int row = lane & ~15, place = lane & 15;
    auto inRow = [&](int other) { return other < 0 || other > 15 ? -1 : row + other; };
    int &from = source[static_cast<size_t>(lane)];
    if (i.encoding == Encoding::dpp8)
      from = (lane & ~7) + static_cast<int>(i.element("dpp8", lane & 7));
    else if (i.has("quad_perm"))
      from = (lane & ~3) + static_cast<int>(i.element("quad_perm", lane & 3));
    else if (i.has("row_shl"))
      from = inRow(place + static_cast<int>(i.number("row_shl")));
    else if (i.has("row_shr"))
      from = inRow(place - static_cast<int>(i.number("row_shr")));
    else if (i.has("row_ror"))
      from = row + ((place - static_cast<int>(i.number("row_ror"))) & 15);
    else if (i.has("row_mirror"))
      from = row + 15 - place;
    else if (i.has("row_half_mirror"))
      from = (lane & ~7) + 7 - (lane & 7);
    else if (i.has("row_share"))
      from = row + static_cast<int>(i.number("row_share"));
    else if (i.has("row_xmask"))
      from = row + (place ^ static_cast<int>(i.number("row_xmask")));
    else
      refuse("its exchange of lanes (DPP) is not implemented");
    if (from > 31)
      refuse("its exchange of lanes (DPP) is not valid");
  }
  SmallVector<Constant *, kLanes> valid;
  SmallVector<int, kLanes> shuffle;
  for (const int from : source) {
    valid.push_back(b.getInt1(from >= 0));
    shuffle.push_back(std::max(from, 0));
  }
  Value *execMask = lanes_;
  dppValid_ = ConstantVector::get(valid);
  if (i.number("fi") == 0) // else inactive lanes are read as well
    dppValid_ = b.CreateAnd(dppValid_, b.CreateShuffleVector(execMask, shuffle));
  SmallVector<Constant *, kLanes> numbers;
  for (const int from : shuffle)
    numbers.push_back(b.getInt32(static_cast<uint32_t>(from)));
  dppSource_ = ConstantVector::get(numbers);
  if (i.encoding == Encoding::dpp8)
    return;
  const auto rows = static_cast<uint32_t>(i.number("row_mask", 15)),
             banks = static_cast<uint32_t>(i.number("bank_mask", 15));
  SmallVector<Constant *, kLanes> written;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    written.push_back(b.getInt1((rows >> lane / 16 & 1) && (banks >> (lane % 16) / 4 & 1)));
  lanes_ = b.CreateAnd(lanes_, ConstantVector::get(written));
  if (!i.has("bound_ctrl")) // a lane without a source is not written
    lanes_ = b.CreateAnd(lanes_, dppValid_);
}

Value *Wave::permuteDpp(Value *value) {
  SmallVector<int, kLanes> shuffle;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    shuffle.push_back(
        static_cast<int>(cast<ConstantInt>(cast<Constant>(dppSource_)->getAggregateElement(lane))->getZExtValue()));
  return b.CreateSelect(dppValid_, b.CreateShuffleVector(value, shuffle), vector(0));
}

} // namespace hiplz::amdgcn
