// SPDX-License-Identifier: MIT
// Arithmetic of AMD's dialect for which older translators have no form: sums with a carry, and bfloat16 (SPV_KHR_bfloat16,
// SPV_INTEL_bfloat16_arithmetic). Numbers of bfloat16 become integers of 16 bits. An instruction that computes with them gets floats,
// and its result is rounded to nearest: the sum, difference, product and quotient are those of the exact numbers.
#pragma once
#include "fatbin/amd_opcodes.h"
#include "fatbin/amd_types.h"

#include <set>

namespace hiplz::spirv {

class ArithmeticWriter : protected TypedWriter {
protected:
  /// For each instruction, before any is written.
  void noteBfloat(const Instruction &in) {
    if (isTypeOfBfloat(in) || (in.op() == spv::OpTypeVector && bfloats_.contains(operand(in, 1))))
      bfloats_.insert(operand(in, 0));
    else if (const uint32_t result = resultOf(in); result && !isType(in.op()) && bfloats_.contains(in[0]))
      bfloatResults_.insert(result);
  }

  static bool isTypeOfBfloat(const Instruction &in) {
    if (in.op() != spv::OpTypeFloat || in.operands() < 3)
      return false;
    if (in[2] != 0)
      throw ParseError("the SPIR-V has floating-point numbers of a format that is not supported");
    return true;
  }

  bool isFastMathOfBfloat(const Instruction &decoration) const {
    return decoration.operands() > 1 && decoration[1] == spv::DecorationFPFastMathMode &&
           bfloatResults_.contains(decoration[0]);
  }

  bool computesBfloat(const Instruction &in) const {
    if (bfloats_.empty() || inHead() || !computes(in.op()))
      return false;
    if (bfloats_.contains(operand(in, 0)))
      return true;
    for (size_t i = firstValue(in); i < in.operands(); ++i)
      if (isBfloat(in[i]))
        return true;
    return false;
  }

  void writeBfloat(const Instruction &in, uint32_t openCl) {
    const uint32_t resultType = operand(in, 0), result = operand(in, 1);
    typeOf_[result] = resultType;
    if (in.op() == spv::OpAtomicFAddEXT || in.op() == spv::OpAtomicFMinEXT || in.op() == spv::OpAtomicFMaxEXT)
      throw ParseError("the SPIR-V has atomic operations on bfloat16, which are not supported");
    if (in.op() == spv::OpExtInst && pointsSomewhere(operand(in, 3)))
      throw ParseError("the SPIR-V has functions of bfloat16 with two results, which are not supported");
    std::vector<uint32_t> operands;
    for (size_t i = 2; i < in.operands(); ++i)
      operands.push_back(i >= firstValue(in) && isBfloat(in[i]) ? widened(in[i]) : in[i]);
    if (!bfloats_.contains(resultType)) {
      if (in.op() == spv::OpFConvert && width(resultType) == 32) // that is how it was widened
        return emit(spv::OpBitcast, {resultType, result}, operands);
      return emit(in.op(), {resultType, result}, operands);
    }
    const uint32_t wideType = like(resultType, real(32));
    uint32_t wide = operands[0];
    if (in.op() == spv::OpFConvert && width(typeOf(wide)) == 64)
      wide = toOdd(wide, openCl);
    else if (in.op() == static_cast<spv::Op>(kOpFma))
      emit(spv::OpExtInst, {wideType, wide = fresh(), openCl, kOpenClFma}, operands);
    else if (in.op() != spv::OpFConvert || width(typeOf(wide)) != 32)
      emit(in.op(), {wideType, wide = fresh()}, operands);
    narrow(wide, resultType, result);
  }

  void writeCarry(const Instruction &in) {
    const bool isSum = in.op() == spv::OpIAddCarry;
    const Type results = type(operand(in, 0));
    if (results.op != spv::OpTypeStruct || results.operands.size() != 2 ||
        type(results.operands[0]).op != spv::OpTypeInt)
      throw ParseError("the SPIR-V has a sum of vectors with a carry, which is not supported");
    const uint32_t number = results.operands[0], value = fresh(), isCarried = fresh(), carried = fresh();
    const uint32_t x = operand(in, 2), y = operand(in, 3);
    emit(isSum ? spv::OpIAdd : spv::OpISub, {number, value, x, y});
    emit(spv::OpULessThan, {boolean(), isCarried, isSum ? value : x, isSum ? x : y});
    emit(spv::OpSelect, {number, carried, isCarried, integerConstant(number, 1), integerConstant(number, 0)});
    typeOf_[in[1]] = in[0];
    const uint32_t nothing = fresh(), first = fresh();
    emit(spv::OpUndef, {in[0], nothing});
    emit(spv::OpCompositeInsert, {in[0], first, value, nothing, 0});
    emit(spv::OpCompositeInsert, {in[0], in[1], carried, first, 1});
  }

private:
  static bool computes(uint32_t op) {
    return (op >= spv::OpConvertFToU && op <= spv::OpConvertUToF) || op == spv::OpFConvert || op == spv::OpFNegate ||
           op == spv::OpFAdd || op == spv::OpFSub || op == spv::OpFMul || op == spv::OpFDiv || op == spv::OpFRem ||
           op == spv::OpFMod || op == spv::OpDot || op == spv::OpVectorTimesScalar ||
           (op >= spv::OpIsNan && op <= spv::OpUnordered) ||
           (op >= spv::OpFOrdEqual && op <= spv::OpFUnordGreaterThanEqual) || op == spv::OpExtInst || op == kOpFma ||
           op == spv::OpAtomicFAddEXT || op == spv::OpAtomicFMinEXT || op == spv::OpAtomicFMaxEXT;
  }

  static size_t firstValue(const Instruction &in) { return in.op() == spv::OpExtInst ? 4 : 2; }

  bool isBfloat(uint32_t value) const {
    const auto found = typeOf_.find(value);
    return found != typeOf_.end() && bfloats_.contains(found->second);
  }

  /// Bits of a number, or of the elements of a vector.
  uint32_t width(uint32_t id) const {
    const Type &known = type(id);
    return known.op == spv::OpTypeVector ? width(known.operands[0]) : known.operands[0];
  }

  /// The type of floating-point numbers of so many bits.
  uint32_t real(uint32_t bits) {
    for (const auto &[id, known] : types_)
      if (known.op == spv::OpTypeFloat && known.operands[0] == bits)
        return id;
    const uint32_t id = fresh();
    declare(spv::OpTypeFloat, {id, bits});
    types_[id] = {spv::OpTypeFloat, {bits}};
    return id;
  }

  /// The scalar, or a vector of as many as `shape` has.
  uint32_t like(uint32_t shape, uint32_t scalar) {
    const Type &model = type(shape);
    if (model.op != spv::OpTypeVector)
      return scalar;
    const uint32_t count = model.operands[1];
    for (const auto &[id, known] : types_)
      if (known.op == spv::OpTypeVector && known.operands[0] == scalar && known.operands[1] == count)
        return id;
    const uint32_t id = fresh();
    declare(spv::OpTypeVector, {id, scalar, count});
    types_[id] = {spv::OpTypeVector, {scalar, count}};
    return id;
  }

  /// An integer of 32 bits for each element of `shape`.
  uint32_t constantLike(uint32_t shape, uint32_t value) {
    const uint32_t one = integerConstant(integer(32), value), all = like(shape, integer(32));
    if (type(shape).op != spv::OpTypeVector)
      return one;
    const uint32_t id = fresh();
    declare(spv::OpConstantComposite, {all, id}, std::vector<uint32_t>(type(shape).operands[1], one));
    return id;
  }

  uint32_t write(spv::Op op, uint32_t type, std::initializer_list<uint32_t> operands) {
    const uint32_t result = fresh();
    emit(op, {type, result}, std::vector<uint32_t>(operands));
    typeOf_[result] = type;
    return result;
  }

  uint32_t widened(uint32_t value) {
    const uint32_t shape = typeOf(value), word = like(shape, integer(32));
    const uint32_t bits = write(spv::OpUConvert, word, {value});
    const uint32_t shifted = write(spv::OpShiftLeftLogical, word, {bits, constantLike(shape, 16)});
    return write(spv::OpBitcast, like(shape, real(32)), {shifted});
  }

  /// A double as a float that rounds to the same bfloat16: cut off, with the last bit set if that was not exact.
  uint32_t toOdd(uint32_t value, uint32_t openCl) {
    const uint32_t shape = typeOf(value), word = like(shape, integer(32)), single = like(shape, real(32)),
                   condition = like(shape, boolean());
    const uint32_t nearest = write(spv::OpFConvert, single, {value});
    const uint32_t back = write(spv::OpFConvert, shape, {nearest});
    const uint32_t inexact = write(spv::OpFOrdNotEqual, condition, {back, value});
    const uint32_t there = write(spv::OpExtInst, shape, {openCl, OpenCLLIB::Fabs, back});
    const uint32_t here = write(spv::OpExtInst, shape, {openCl, OpenCLLIB::Fabs, value});
    const uint32_t further = write(spv::OpFOrdGreaterThan, condition, {there, here});
    const uint32_t bits = write(spv::OpBitcast, word, {nearest}), one = constantLike(shape, 1);
    const uint32_t less = write(spv::OpISub, word, {bits, one});
    const uint32_t cut = write(spv::OpSelect, word, {further, less, bits});
    const uint32_t odd = write(spv::OpBitwiseOr, word, {cut, one});
    return write(spv::OpBitcast, single, {write(spv::OpSelect, word, {inexact, odd, bits})});
  }

  void narrow(uint32_t value, uint32_t to, uint32_t result) {
    const uint32_t word = like(to, integer(32)), half = constantLike(to, 16);
    const uint32_t bits = write(spv::OpBitcast, word, {value});
    const uint32_t high = write(spv::OpShiftRightLogical, word, {bits, half});
    const uint32_t last = write(spv::OpBitwiseAnd, word, {high, constantLike(to, 1)});
    const uint32_t sum = write(spv::OpIAdd, word, {bits, constantLike(to, 0x7fff)});
    const uint32_t rounded = write(spv::OpIAdd, word, {sum, last});
    const uint32_t shifted = write(spv::OpShiftRightLogical, word, {rounded, half});
    const uint32_t quiet = write(spv::OpBitwiseOr, word, {high, constantLike(to, 0x40)});
    const uint32_t isNan = write(spv::OpIsNan, like(to, boolean()), {value});
    emit(spv::OpUConvert, {to, result, write(spv::OpSelect, word, {isNan, quiet, shifted})});
  }

  std::set<uint32_t> bfloats_, bfloatResults_; // types, of vectors too; values of them
};

} // namespace hiplz::spirv
