// SPDX-License-Identifier: MIT
// A small SPIR-V assembler, so that tests say exactly which words the parsers get. It writes what it is told, also
// nonsense.
#pragma once
#include "spirv/words.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace hiplz::test {

class SpirvBuilder {
public:
  static constexpr uint32_t kUniformConstant = 0, kWorkgroup = 4, kCrossWorkgroup = 5, kFunction = 7, kGeneric = 8;
  static constexpr uint32_t kByVal = 2, kExport = 0, kImport = 1;

  SpirvBuilder() : words_{spv::MagicNumber, 0x00010300, 0, 0, 0} {}

  uint32_t id() { return next_++; }

  void op(uint32_t opcode, std::vector<uint32_t> operands) {
    words_.push_back(spirv::firstWord(static_cast<spv::Op>(opcode), operands.size() + 1));
    words_.insert(words_.end(), operands.begin(), operands.end());
  }
  static std::vector<uint32_t> text(std::string_view string) {
    std::vector<uint32_t> words(string.size() / 4 + 1);
    std::memcpy(words.data(), string.data(), string.size());
    return words;
  }
  template <class... Parts> static std::vector<uint32_t> join(Parts... parts) {
    std::vector<uint32_t> all;
    (append(all, parts), ...);
    return all;
  }

  void entryPoint(uint32_t function, std::string_view name) { op(15, join(6u, function, text(name))); }
  void executionMode(uint32_t function, const std::vector<uint32_t> &what) { op(16, join(function, what)); }
  void decorate(uint32_t target, const std::vector<uint32_t> &what) { op(71, join(target, what)); }
  void byVal(uint32_t parameter) { decorate(parameter, {38, kByVal}); }
  void align(uint32_t parameter, uint32_t bytes) { decorate(parameter, {44, bytes}); }
  void linkage(uint32_t target, std::string_view name, uint32_t kind) { decorate(target, join(41u, text(name), kind)); }

  uint32_t voidType() { return typed(19, {}); }
  uint32_t boolType() { return typed(20, {}); }
  uint32_t intType(uint32_t bits) { return typed(21, {bits, 0}); }
  uint32_t floatType(uint32_t bits) { return typed(22, {bits}); }
  uint32_t vectorType(uint32_t component, uint32_t lanes) { return typed(23, {component, lanes}); }
  uint32_t samplerType() { return typed(26, {}); }
  uint32_t arrayType(uint32_t element, uint32_t length) { return typed(28, {element, length}); }
  uint32_t pointerType(uint32_t storage, uint32_t pointee) { return typed(32, {storage, pointee}); }
  uint32_t functionType(const std::vector<uint32_t> &returnAndParameters) { return typed(33, returnAndParameters); }
  /// A structure with an id from id(), so that it can be decorated before.
  void structType(uint32_t result, const std::vector<uint32_t> &members) { op(30, join(result, members)); }
  uint32_t structType(const std::vector<uint32_t> &members) { return typed(30, members); }

  uint32_t constant(uint32_t type, uint64_t value, bool wide = false) {
    uint32_t result = id();
    op(43, wide ? join(type, result, static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32))
                : join(type, result, static_cast<uint32_t>(value)));
    return result;
  }
  void variable(uint32_t result, uint32_t pointerType, uint32_t storage) { op(59, {pointerType, result, storage}); }

  /// A function with these parameters (pairs of type and id) and an empty body.
  void function(uint32_t result, uint32_t voidType, const std::vector<std::pair<uint32_t, uint32_t>> &parameters) {
    op(54, {voidType, result, 0, 0});
    for (auto [type, id] : parameters)
      op(55, {type, id});
    op(248, {id()});
    op(253, {});
    op(56, {});
  }

  std::vector<std::byte> bytes() const {
    std::vector<uint32_t> words = words_;
    words[spirv::kBoundWord] = next_;
    auto all = std::as_bytes(std::span(words));
    return {all.begin(), all.end()};
  }

private:
  static void append(std::vector<uint32_t> &to, uint32_t word) { to.push_back(word); }
  static void append(std::vector<uint32_t> &to, const std::vector<uint32_t> &words) {
    to.insert(to.end(), words.begin(), words.end());
  }
  uint32_t typed(uint32_t opcode, const std::vector<uint32_t> &operands) {
    uint32_t result = id();
    op(opcode, join(result, operands));
    return result;
  }

  std::vector<uint32_t> words_;
  uint32_t next_ = 1;
};

/// A module with one kernel `name(float *, int)` and an exported variable `counter` of 4 bytes.
inline std::vector<std::byte> smallModule(std::string_view name = "_Z1kPfi") {
  SpirvBuilder b;
  uint32_t kernel = b.id(), pointer = b.id(), number = b.id(), counter = b.id();
  b.entryPoint(kernel, name);
  b.linkage(counter, "counter", SpirvBuilder::kExport);
  uint32_t none = b.voidType(), i32 = b.intType(32), f32 = b.floatType(32);
  uint32_t floats = b.pointerType(SpirvBuilder::kCrossWorkgroup, f32);
  uint32_t ints = b.pointerType(SpirvBuilder::kCrossWorkgroup, i32);
  b.variable(counter, ints, SpirvBuilder::kCrossWorkgroup);
  b.function(kernel, none, {{floats, pointer}, {i32, number}});
  return b.bytes();
}

} // namespace hiplz::test
