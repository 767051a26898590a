// SPDX-License-Identifier: MIT
// See type_table.h.
#include "spirv/type_table.h"
#include "spirv/instructions.h"

#include <algorithm>
#include <bit>

namespace hiplz::spirv {

namespace {
constexpr uint64_t kPointerBytes = 8;
} // namespace

std::optional<uint64_t> multiply(uint64_t a, uint64_t b) {
  uint64_t result;
  return __builtin_mul_overflow(a, b, &result) || result > INT64_MAX ? std::nullopt : std::optional(result);
}
std::optional<uint64_t> add(uint64_t a, uint64_t b) {
  uint64_t result;
  return __builtin_add_overflow(a, b, &result) || result > INT64_MAX ? std::nullopt : std::optional(result);
}
std::optional<uint64_t> alignUp(uint64_t value, uint64_t align) {
  auto padded = add(value, align - 1);
  return padded ? std::optional(*padded / align * align) : std::nullopt;
}

void TypeTable::read(const Instruction &in, bool packed) {
  switch (in.op()) {
  case spv::OpTypeBool: types_[operand(in, 0)] = {.layout = {1, 1}}; break;
  case spv::OpTypeInt:
  case spv::OpTypeFloat: declareScalar(operand(in, 0), operand(in, 1)); break;
  case spv::OpTypeVector: declareVector(in); break;
  case spv::OpTypeArray: declareArray(in); break;
  case spv::OpTypeStruct: declareStruct(in, packed); break;
  case spv::OpTypeForwardPointer: declarePointer(operand(in, 0), operand(in, 1), 0); break;
  case spv::OpTypePointer: declarePointer(operand(in, 0), operand(in, 1), operand(in, 2)); break;
  case spv::OpConstant:
  case spv::OpSpecConstant:
    constants_[operand(in, 1)] = operand(in, 2) | (in.operands() > 3 ? uint64_t(in[3]) << 32 : 0);
    break;
  default: break;
  }
}

void TypeTable::declareScalar(uint32_t id, uint32_t bits) {
  if (bits > 0 && bits <= 1024) {
    const uint64_t bytes = std::bit_ceil((bits + 7) / 8);
    types_[id] = {.layout = {bytes, bytes}};
  }
}

void TypeTable::declareVector(const Instruction &in) {
  const Type *component = find(operand(in, 1));
  const uint32_t lanes = operand(in, 2);
  if (component && component->kind == Type::Kind::value && lanes > 0 && lanes <= 1024) {
    const uint64_t bytes = component->layout.size * std::bit_ceil(lanes); // three components take the room of four
    types_[in[0]] = {.layout = {bytes, bytes}, .element = in[1]};
  }
}

void TypeTable::declareArray(const Instruction &in) {
  const Type *element = find(operand(in, 1));
  const auto length = constant(operand(in, 2));
  if (!element || !length)
    return;
  if (auto size = multiply(element->layout.size, *length))
    types_[in[0]] = {.kind = Type::Kind::aggregate, .layout = {*size, element->layout.align}, .element = in[1]};
}

void TypeTable::declareStruct(const Instruction &in, bool packed) {
  Type type{.kind = Type::Kind::aggregate};
  Layout &layout = type.layout;
  for (size_t i = 1; i < in.operands(); ++i) {
    const Type *member = find(in[i]);
    if (!member)
      return;
    const uint64_t align = packed ? 1 : member->layout.align;
    const auto offset = alignUp(layout.size, align);
    const auto end = offset ? add(*offset, member->layout.size) : std::nullopt;
    if (!end)
      return;
    layout = {*end, std::max(layout.align, align)};
    type.members.push_back(in[i]);
    type.offsets.push_back(*offset);
  }
  if (auto size = alignUp(layout.size, layout.align)) {
    layout.size = *size;
    types_[operand(in, 0)] = std::move(type);
  }
}

void TypeTable::declarePointer(uint32_t id, uint32_t storage, uint32_t pointee) {
  types_[id] = {
      .kind = Type::Kind::pointer, .layout = {kPointerBytes, kPointerBytes}, .storage = storage, .pointee = pointee};
}

} // namespace hiplz::spirv
