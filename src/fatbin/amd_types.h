// SPDX-License-Identifier: MIT
// The types of a module that is being written, and those of its values.
#pragma once
#include "base/parse_error.h"
#include "spirv/writer.h"

#include <map>
#include <string>
#include <unordered_map>

namespace hiplz::spirv {

class TypedWriter : protected WordWriter {
protected:
  struct Type {
    spv::Op op{};
    std::vector<uint32_t> operands; // after the result
  };

  uint32_t pointerTo(uint32_t storage, uint32_t pointee) {
    uint32_t &id = pointers_[{storage, pointee}];
    if (id == 0) {
      id = fresh();
      declare(spv::OpTypePointer, {id, storage, pointee});
      types_[id] = {spv::OpTypePointer, {storage, pointee}};
    }
    return id;
  }

  const Type &type(uint32_t id) const {
    const auto found = types_.find(id);
    if (found == types_.end())
      throw ParseError("the SPIR-V is malformed: " + std::to_string(id) + " is not a type");
    return found->second;
  }

  const Type *pointerTypeOf(uint32_t value) const {
    const auto found = typeOf_.find(value);
    if (found == typeOf_.end())
      return nullptr;
    const auto known = types_.find(found->second);
    return known != types_.end() && known->second.op == spv::OpTypePointer ? &known->second : nullptr;
  }

  uint32_t typeOf(uint32_t value) const {
    const auto found = typeOf_.find(value);
    if (found == typeOf_.end())
      throw ParseError("the SPIR-V is malformed: " + std::to_string(value) + " is used before it is defined");
    return found->second;
  }

  /// The type of integers of so many bits.
  uint32_t integer(uint32_t bits) {
    for (const auto &[id, known] : types_)
      if (known.op == spv::OpTypeInt && known.operands[0] == bits)
        return id;
    const uint32_t id = fresh();
    declare(spv::OpTypeInt, {id, bits, 0});
    types_[id] = {spv::OpTypeInt, {bits, 0}};
    return id;
  }

  uint32_t boolean() {
    for (const auto &[id, known] : types_)
      if (known.op == spv::OpTypeBool)
        return id;
    const uint32_t id = fresh();
    declare(spv::OpTypeBool, {id});
    types_[id] = {spv::OpTypeBool, {}};
    return id;
  }

  /// A small constant of a type of integers.
  uint32_t integerConstant(uint32_t integer, uint32_t value) {
    uint32_t &id = integers_[{integer, value}];
    if (id == 0) {
      id = fresh();
      if (type(integer).operands[0] > 32)
        declare(spv::OpConstant, {integer, id, value, 0});
      else
        declare(spv::OpConstant, {integer, id, value});
    }
    return id;
  }

  /// The type of functions with this result and these parameters.
  uint32_t functionType(const std::vector<uint32_t> &parts) {
    for (const auto &[id, known] : types_)
      if (known.op == spv::OpTypeFunction && known.operands == parts)
        return id;
    const uint32_t id = fresh();
    declare(spv::OpTypeFunction, {id}, parts);
    types_[id] = {spv::OpTypeFunction, parts};
    return id;
  }

  /// The type that indices lead to.
  uint32_t element(uint32_t from, std::span<const uint32_t> indices) const {
    for (uint32_t index : indices) {
      const Type &aggregate = type(from);
      switch (aggregate.op) {
      case spv::OpTypeVector:
      case spv::OpTypeArray: from = aggregate.operands[0]; break;
      case spv::OpTypeStruct: {
        const auto number = constants_.find(index);
        if (number == constants_.end() || number->second >= aggregate.operands.size())
          throw ParseError("the SPIR-V is malformed: there is no such member");
        from = aggregate.operands[number->second];
        break;
      }
      default: throw ParseError("the SPIR-V is malformed: an index into what has no parts");
      }
    }
    return from;
  }

  /// The type that literal indices lead to.
  uint32_t part(uint32_t from, std::span<const uint32_t> indices) const {
    for (uint32_t index : indices) {
      const Type &aggregate = type(from);
      const bool isStructure = aggregate.op == spv::OpTypeStruct;
      if ((!isStructure && aggregate.op != spv::OpTypeVector && aggregate.op != spv::OpTypeArray) ||
          (isStructure && index >= aggregate.operands.size()))
        throw ParseError("the SPIR-V is malformed: there is no such member");
      from = aggregate.operands[isStructure ? index : 0];
    }
    return from;
  }

  std::unordered_map<uint32_t, Type> types_;
  std::unordered_map<uint32_t, uint32_t> typeOf_, constants_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> pointers_; // storage class and pointee
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> integers_; // type and value
};

} // namespace hiplz::spirv
