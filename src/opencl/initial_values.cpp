// SPDX-License-Identifier: MIT
// See initial_values.h.
#include "opencl/initial_values.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace hiplz::opencl {
namespace {

using spirv::Instruction;
using spirv::operand;

// Constants of constants are not nested deeper than types are.
constexpr int kDeepest = 256;

[[noreturn]] void refuse(const char *what) {
  throw ParseError(std::string("a program-scope variable cannot be laid out: ") + what);
}

bool isConstant(spv::Op op) { return op >= spv::OpConstantTrue && op <= spv::OpSpecConstantOp; }

} // namespace

void InitialValues::read(const Instruction &in) {
  switch (in.op()) {
  case spv::OpDecorate:
    if (operand(in, 1) == spv::DecorationCPacked)
      packed_.insert(in[0]);
    else if (in[1] == spv::DecorationAlignment)
      aligned_[in[0]] = operand(in, 2);
    else if (in[1] == spv::DecorationLinkageAttributes) {
      const auto name = in.literal(2);
      if (name && operand(in, name->next) == spv::LinkageTypeExport)
        exported_[in[0]] = name->text;
      else
        imported_.insert(in[0]);
    }
    return;
  case spv::OpGroupDecorate:
    for (size_t index = 1; index < in.operands(); ++index) {
      if (packed_.contains(in[0]))
        packed_.insert(in[index]);
      if (const auto align = aligned_.find(in[0]); align != aligned_.end())
        aligned_[in[index]] = align->second;
    }
    return;
  case spv::OpVariable:
    if (operand(in, 2) == spv::StorageClassCrossWorkgroup && !imported_.contains(in[1])) {
      definitions_[in[1]] = in.at();
      withAddress_.insert(in[1]);
      variables_.push_back(in[1]);
    }
    return;
  default: break;
  }
  if (isConstant(in.op()) || in.op() == spv::OpUndef) {
    definitions_[operand(in, 1)] = in.at();
    spirv::forEachReference(in, [&](uint32_t id) {
      if (withAddress_.contains(id))
        withAddress_.insert(in[1]);
    });
  }
  types_.read(in, in.op() == spv::OpTypeStruct && packed_.contains(operand(in, 0)));
}

Instruction InitialValues::at(uint32_t id) const {
  const auto found = definitions_.find(id);
  if (found == definitions_.end())
    refuse("its initial value is not a constant");
  return {words_, found->second};
}

const spirv::Type &InitialValues::typeOf(uint32_t type) const {
  const spirv::Type *found = types_.find(type);
  if (!found)
    refuse("the size of its type is not known");
  return *found;
}

VariableBlock InitialValues::layOut() {
  for (uint32_t id : variables_) {
    const spirv::Type &type = typeOf(typeOf(at(id)[0]).pointee);
    const auto decorated = aligned_.find(id);
    uint64_t align = type.layout.align;
    if (decorated != aligned_.end() && std::has_single_bit(decorated->second))
      align = std::max(align, decorated->second);
    const auto offset = spirv::alignUp(block_.size, align);
    // Variables without a size have addresses of their own too.
    const auto end = offset ? spirv::add(*offset, std::max<uint64_t>(type.layout.size, 1)) : std::nullopt;
    if (!end)
      refuse("it is too large");
    block_.align = std::max(block_.align, align);
    block_.size = *end;
    offsets_[id] = *offset;
    if (const auto name = exported_.find(id); name != exported_.end())
      block_.variables.push_back({name->second, *offset, type.layout.size});
  }
  for (uint32_t id : variables_)
    if (const Instruction in = at(id); in.operands() > 3)
      fill(in[3], typeOf(in[0]).pointee, offsets_.at(id), 0);
  return std::move(block_);
}

/// A piece goes on over small gaps. Values come in the order of their offsets.
void InitialValues::put(uint64_t offset, uint64_t value, size_t size) {
  constexpr uint64_t kSmall = 256;
  const VariableBlock::Piece *last = block_.pieces.empty() ? nullptr : &block_.pieces.back();
  if (!last || offset - (last->offset + last->bytes.size()) > kSmall)
    block_.pieces.push_back({offset, {}});
  VariableBlock::Piece &piece = block_.pieces.back();
  piece.bytes.resize(offset - piece.offset + size);
  std::memcpy(piece.bytes.data() + (offset - piece.offset), &value, size);
}

void InitialValues::fill(uint32_t id, uint32_t typeId, uint64_t offset, int depth) {
  spend(depth);
  const Instruction in = at(id);
  if (in[0] != typeId)
    refuse("its initial value is of another type");
  switch (in.op()) {
  case spv::OpUndef:
  case spv::OpConstantNull:
  case spv::OpConstantFalse:
  case spv::OpSpecConstantFalse: return;
  case spv::OpConstantComposite:
  case spv::OpSpecConstantComposite: {
    const spirv::Type &type = typeOf(in[0]);
    const uint64_t step = type.element ? typeOf(type.element).layout.size : 0;
    const size_t count = in.operands() - 2;
    if (type.element ? count * step > type.layout.size : count > type.members.size())
      refuse("its initial value has more members than its type");
    for (size_t index = 0; index < count; ++index)
      if (type.element)
        fill(in[index + 2], type.element, offset + index * step, depth + 1);
      else
        fill(in[index + 2], type.members[index], offset + type.offsets[index], depth + 1);
    return;
  }
  default: break;
  }
  const Number number = evaluate(id, depth);
  const size_t size = typeOf(in[0]).layout.size;
  if (size > sizeof number.value || (number.isAddress && size != sizeof number.value))
    refuse("its initial value is a number of another size");
  if (number.isAddress)
    block_.addresses.push_back(offset);
  if (number.isAddress || number.value)
    put(offset, number.value, size);
}

/// Bounds what a module can cost.
void InitialValues::spend(int depth) const {
  constexpr uint64_t kMost = uint64_t{1} << 28;
  if (depth > kDeepest || ++spent_ > kMost)
    refuse("its initial value is nested too deeply");
}

InitialValues::Number InitialValues::evaluate(uint32_t id, int depth) const {
  spend(depth);
  const Instruction in = at(id);
  switch (in.op()) {
  case spv::OpConstantNull:
  case spv::OpUndef:
  case spv::OpConstantFalse:
  case spv::OpSpecConstantFalse: return {};
  case spv::OpConstantTrue:
  case spv::OpSpecConstantTrue: return {false, 1};
  case spv::OpConstant:
  case spv::OpSpecConstant: return {false, operand(in, 2) | (in.operands() > 3 ? uint64_t{in[3]} << 32 : 0)};
  case spv::OpVariable:
    if (const auto offset = offsets_.find(id); offset != offsets_.end())
      return {true, offset->second};
    break;
  case spv::OpSpecConstantOp: return operation(in, depth);
  default: break;
  }
  refuse("its initial value is of a kind that is not known");
}

InitialValues::Number InitialValues::operation(const Instruction &in, int depth) const {
  const auto number = [&](size_t index) { return evaluate(operand(in, index), depth + 1); };
  switch (operand(in, 2)) {
  case spv::OpBitcast:
  case spv::OpPtrCastToGeneric:
  case spv::OpGenericCastToPtr:
  case spv::OpConvertPtrToU:
  case spv::OpConvertUToPtr: return number(3);
  case spv::OpAccessChain:
  case spv::OpInBoundsAccessChain: {
    const Number base = number(3);
    return {base.isAddress, base.value + step(in, 4, false, depth)};
  }
  case spv::OpPtrAccessChain:
  case spv::OpInBoundsPtrAccessChain: {
    const Number base = number(3);
    return {base.isAddress, base.value + step(in, 4, true, depth)};
  }
  case spv::OpIAdd: {
    const Number left = number(3), right = number(4);
    if (left.isAddress && right.isAddress)
      break;
    return {left.isAddress || right.isAddress, left.value + right.value};
  }
  case spv::OpISub: {
    const Number left = number(3), right = number(4);
    if (right.isAddress && !left.isAddress)
      break;
    return {left.isAddress && !right.isAddress, left.value - right.value};
  }
  default: break;
  }
  refuse("its initial value is computed in a way that is not known");
}

/// The offset of an access chain in bytes. `hasElement`: the first one counts whole objects.
uint64_t InitialValues::step(const Instruction &in, size_t first, bool hasElement, int depth) const {
  const Instruction base = at(operand(in, 3));
  uint32_t type = typeOf(operand(base, 0)).pointee;
  uint64_t bytes = 0;
  for (size_t index = first; index < in.operands(); ++index) {
    const Number number = evaluate(in[index], depth + 1);
    if (number.isAddress)
      refuse("an address is used as an index");
    // Indices have a sign.
    const spirv::Type &ofIndex = typeOf(at(in[index])[0]);
    if (ofIndex.kind != spirv::Type::Kind::value || ofIndex.element)
      refuse("an index is not a number");
    const int unused = 64 - 8 * static_cast<int>(std::min<uint64_t>(ofIndex.layout.size, 8));
    const auto place = static_cast<uint64_t>(static_cast<int64_t>(number.value << unused) >> unused);
    const spirv::Type &whole = typeOf(type);
    if (hasElement && index == first) {
      bytes += place * whole.layout.size;
    } else if (whole.element) {
      type = whole.element;
      bytes += place * typeOf(type).layout.size;
    } else {
      if (place >= whole.members.size())
        refuse("an index is larger than the structure");
      type = whole.members[place];
      bytes += whole.offsets[place];
    }
  }
  return bytes;
}

} // namespace hiplz::opencl
