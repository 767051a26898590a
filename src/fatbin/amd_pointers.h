// SPDX-License-Identifier: MIT
// Pointers of AMD's dialect. Its compiler has pointers without a pointee; its translator gives some of them one (variables, parameters
// by value) and lets them meet the others in any instruction. Here each operand gets the type that its instruction asks for.
#pragma once
#include "fatbin/amd_arithmetic.h"

#include <algorithm>
#include <array>

namespace hiplz::spirv {

class PointerWriter : protected ArithmeticWriter {
protected:
  static std::vector<uint32_t> operandsFrom(const Instruction &in, size_t first) {
    std::vector<uint32_t> result;
    for (size_t i = first; i < in.operands(); ++i)
      result.push_back(in[i]);
    return result;
  }

  void noteResult(const Instruction &in) {
    if (resultOperand(in.op()) != 1)
      return;
    typeOf_[operand(in, 1)] = operand(in, 0);
    if (in.op() == spv::OpConstantNull || in.op() == spv::OpUndef)
      empty_[in[1]] = in.op();
  }

  /// The value, as one of another type if it is a pointer.
  uint32_t cast(uint32_t value, uint32_t to) {
    if (!pointerTypeOf(value) || typeOf(value) == to)
      return value;
    const uint32_t result = fresh();
    writeCast(to, result, value);
    typeOf_[result] = to;
    return result;
  }

  void writeCast(uint32_t type, uint32_t result, uint32_t value) {
    if (const auto found = empty_.find(value); found != empty_.end())
      emit(found->second, {type, result});
    else if (inHead())
      emit(spv::OpSpecConstantOp, {type, result, spv::OpBitcast, value});
    else
      emit(spv::OpBitcast, {type, result, value});
  }

  /// A pointer as one to `pointee`.
  uint32_t pointing(uint32_t value, uint32_t pointee) {
    const Type *pointer = pointerTypeOf(value);
    if (!pointer)
      throw ParseError("the SPIR-V is malformed: " + std::to_string(value) + " is not a pointer");
    if (pointer->operands[1] == pointee)
      return value;
    return cast(value, pointerTo(pointer->operands[0], pointee));
  }

  uint32_t pointeeOfType(uint32_t pointer) const {
    const Type &known = type(pointer);
    if (known.op != spv::OpTypePointer)
      throw ParseError("the SPIR-V is malformed: " + std::to_string(pointer) + " is not a type of pointers");
    return known.operands[1];
  }

  /// An instruction whose operand `index` points to something of a known type.
  void writeWithPointer(const Instruction &in, size_t index, uint32_t pointee) {
    std::vector<uint32_t> operands = operandsFrom(in, 0);
    operands[index] = pointing(operand(in, index), pointee);
    noteResult(in);
    emit(in.op(), {}, operands);
  }

  /// An instruction whose operands from `first` to `last` are of a type.
  void writeWithType(const Instruction &in, size_t first, size_t last, uint32_t type) {
    std::vector<uint32_t> operands = operandsFrom(in, 0);
    for (size_t i = first; i <= last; ++i)
      operands[i] = cast(operand(in, i), type);
    noteResult(in);
    emit(in.op(), {}, operands);
  }

  /// An aggregate of constants, or the first value of a variable.
  void writeConstantComposite(const Instruction &in) {
    std::vector<uint32_t> operands = operandsFrom(in, 0);
    for (size_t i = 2; i < operands.size(); ++i)
      operands[i] = cast(operands[i], memberType(operand(in, 0), i - 2));
    noteResult(in);
    emit(in.op(), {}, operands);
  }

  /// LLVM 15's translator makes aggregates of constants alone in this way, so each member is inserted.
  void writeConstruct(const Instruction &in) {
    const uint32_t whole = operand(in, 0), result = operand(in, 1);
    std::vector<std::pair<uint32_t, uint32_t>> members; // value and index
    for (size_t i = 2; i < in.operands(); ++i) {
      const auto count = static_cast<uint32_t>(members.size());
      const uint32_t wanted = memberType(whole, count), given = typeOf(in[i]);
      if (type(whole).op != spv::OpTypeVector || type(given).op != spv::OpTypeVector) {
        members.emplace_back(cast(in[i], wanted), count);
        continue;
      }
      for (uint32_t element = 0; element < type(given).operands[1]; ++element) { // a vector made of vectors
        const uint32_t value = fresh();
        emit(spv::OpCompositeExtract, {wanted, value, in[i], element});
        members.emplace_back(value, count + element);
      }
    }
    uint32_t made = fresh();
    emit(spv::OpUndef, {whole, made});
    for (const auto &[value, index] : members) {
      const uint32_t next = index + 1 == members.size() ? result : fresh();
      emit(spv::OpCompositeInsert, {whole, next, value, made, index});
      made = next;
    }
    if (members.empty())
      emit(spv::OpUndef, {whole, result});
    noteResult(in);
  }

  void writeInsert(const Instruction &in) { writeWithType(in, 2, 2, part(operand(in, 0), operandsFrom(in, 4))); }

  /// AMD's translator declares some types of arrays twice: what is no pointer has the type that the instruction names.
  void writeExtract(const Instruction &in) {
    if (type(operand(in, 0)).op != spv::OpTypePointer) {
      noteResult(in);
      return append(in);
    }
    const std::vector<uint32_t> operands = operandsFrom(in, 2);
    const uint32_t there = part(typeOf(operand(in, 2)), std::span(operands).subspan(1));
    writeWithCast(there, operand(in, 0), operand(in, 1), [&](uint32_t result) {
      emit(in.op(), {there, result}, operands);
    });
  }

  void writeCopyOfObject(const Instruction &in) {
    const bool isCast = pointerTypeOf(operand(in, 2)) && typeOf(in[2]) != in[0];
    noteResult(in);
    if (isCast)
      writeCast(in[0], in[1], in[2]);
    else
      append(in);
  }

  /// LLVM 15's translator stops at OpCopyMemory: a load and a store. The pointer without a pointee in AMD's dialect becomes one to what the
  /// other points to. There may be accesses for both, or one for both.
  void writeCopy(const Instruction &in, uint32_t byte) {
    const Type *source = pointerTypeOf(operand(in, 1));
    const Type *target = pointerTypeOf(operand(in, 0));
    if (!source || !target)
      throw ParseError("the SPIR-V is malformed: a copy from or to what is no pointer");
    const uint32_t pointee = (target->operands[1] == byte ? source : target)->operands[1];
    const uint32_t to = pointing(in[0], pointee), from = pointing(in[1], pointee), value = fresh();
    const std::vector<uint32_t> accesses = operandsFrom(in, 2);
    size_t first = accesses.size(); // operands of the access to the target
    if (first > 0)
      first = std::min<size_t>(first, accesses[0] & spv::MemoryAccessAlignedMask ? 2 : 1);
    const std::span<const uint32_t> all(accesses), rest = all.subspan(first);
    emit(spv::OpLoad, {pointee, value, from}, rest.empty() ? all : rest);
    emit(spv::OpStore, {to, value}, all.first(first));
  }

  /// `operands`: the type of the base, the base, for two of the forms the element, the indices.
  void writeAccess(uint32_t op, const std::vector<uint32_t> &operands, uint32_t resultType, uint32_t result) {
    const bool hasElement = op == kOpUntypedPtrAccessChain || op == kOpUntypedInBoundsPtrAccessChain ||
                            op == spv::OpPtrAccessChain || op == spv::OpInBoundsPtrAccessChain;
    const bool inBounds = op == kOpUntypedInBoundsAccessChain || op == kOpUntypedInBoundsPtrAccessChain ||
                          op == spv::OpInBoundsAccessChain || op == spv::OpInBoundsPtrAccessChain;
    const size_t first = hasElement ? 3 : 2;
    if (operands.size() < first)
      throw ParseError("the SPIR-V is malformed: an access has too few operands");
    const uint32_t base = pointing(operands[1], operands[0]);
    const uint32_t storage = type(typeOf(base)).operands[0];
    const uint32_t there = pointerTo(storage, element(operands[0], std::span(operands).subspan(first)));
    const spv::Op typed = hasElement ? (inBounds ? spv::OpInBoundsPtrAccessChain : spv::OpPtrAccessChain)
                                     : (inBounds ? spv::OpInBoundsAccessChain : spv::OpAccessChain);
    const std::span<const uint32_t> rest = std::span(operands).subspan(2);
    writeWithCast(there, resultType, result, [&](uint32_t address) {
      if (inHead())
        emit(spv::OpSpecConstantOp, {there, address, static_cast<uint32_t>(typed), base}, rest);
      else
        emit(typed, {there, address, base}, rest);
    });
  }

  /// The base of a typed access has its type already.
  void writeTypedAccess(uint32_t op, std::vector<uint32_t> operands, uint32_t resultType, uint32_t result) {
    const Type *base = operands.empty() ? nullptr : pointerTypeOf(operands[0]);
    if (!base)
      throw ParseError("the SPIR-V is malformed: an access to what is no pointer");
    operands.insert(operands.begin(), base->operands[1]);
    writeAccess(op, operands, resultType, result);
  }

  /// Compares pointers as numbers.
  void writeComparison(const Instruction &in, spv::Op op) {
    const uint32_t number = integer(64);
    std::array<uint32_t, 2> sides;
    for (size_t i = 0; i < sides.size(); ++i)
      emit(spv::OpConvertPtrToU, {number, sides[i] = fresh(), operand(in, 2 + i)});
    noteResult(in);
    emit(op, {in[0], in[1], sides[0], sides[1]});
  }

  void writeCall(const Instruction &in) {
    std::vector<uint32_t> operands = operandsFrom(in, 0);
    noteResult(in);
    if (const auto callee = functionTypes_.find(operand(in, 2)); callee != functionTypes_.end()) {
      const Type function = type(callee->second);
      for (size_t i = 3; i < operands.size() && i - 2 < function.operands.size(); ++i)
        operands[i] = cast(operands[i], function.operands[i - 2]);
    }
    emit(in.op(), {}, operands);
  }

  /// AMD's pointers to functions are like those to data. The translator takes them for private ones.
  void writeFunctionPointer(const Instruction &in) {
    const auto function = functionTypes_.find(operand(in, 2));
    if (function == functionTypes_.end())
      throw ParseError("the SPIR-V is malformed: a pointer to what is no function");
    const uint32_t pointer = pointerTo(spv::StorageClassFunction, function->second), number = integer(64);
    const uint32_t address = fresh(), bits = fresh();
    emit(static_cast<spv::Op>(kOpConstantFunctionPointer), {pointer, address, in[2]});
    emit(spv::OpSpecConstantOp, {number, bits, spv::OpConvertPtrToU, address});
    emit(spv::OpSpecConstantOp, {in[0], in[1], spv::OpConvertUToPtr, bits});
    typeOf_[in[1]] = in[0];
  }

  void writeIndirectCall(const Instruction &in) {
    std::vector<uint32_t> function{operand(in, 0)}, arguments = operandsFrom(in, 3);
    for (const uint32_t argument : arguments)
      function.push_back(typeOf(argument));
    const uint32_t pointer = pointerTo(spv::StorageClassFunction, functionType(function)), number = integer(64);
    const uint32_t bits = fresh(), address = fresh();
    emit(spv::OpConvertPtrToU, {number, bits, operand(in, 2)});
    emit(spv::OpConvertUToPtr, {pointer, address, bits});
    typeOf_[in[1]] = in[0];
    emit(in.op(), {in[0], in[1], address}, arguments);
  }

  std::unordered_map<uint32_t, uint32_t> functionTypes_;

private:
  uint32_t memberType(uint32_t whole, size_t index) const {
    const Type &known = type(whole);
    const size_t member = known.op == spv::OpTypeStruct ? index : 0;
    if (member >= known.operands.size())
      throw ParseError("the SPIR-V is malformed: there is no such member");
    return known.operands[member];
  }

  /// `write` makes a value of type `there`, which becomes one of `wanted`.
  template <class Write> void writeWithCast(uint32_t there, uint32_t wanted, uint32_t result, Write write) {
    const uint32_t value = there == wanted ? result : fresh();
    write(value);
    typeOf_[value] = there;
    if (value != result)
      writeCast(wanted, result, value);
    typeOf_[result] = wanted;
  }

  std::unordered_map<uint32_t, spv::Op> empty_; // nothing but a type: it is written anew instead of cast
};

} // namespace hiplz::spirv
