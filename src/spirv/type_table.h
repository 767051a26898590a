// SPDX-License-Identifier: MIT
// The types of a module of SPIR-V and how they lie in memory.
#pragma once
#include "base/parse_error.h"
#include "spirv/words.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace hiplz::spirv {

struct Layout {
  uint64_t size = 0;
  uint64_t align = 1;
};

struct Type {
  enum class Kind { value, aggregate, pointer } kind = Kind::value;
  Layout layout;                 ///< of a pointer: its own, not that of what it points to
  uint32_t element = 0;          ///< vector, array: its type
  uint32_t storage = 0;          ///< of a pointer: spv::StorageClass, or whatever stands in a damaged module
  uint32_t pointee = 0;          ///< pointer
  std::vector<uint32_t> members; ///< structure: their types
  std::vector<uint64_t> offsets; ///< structure: where the members are
};

/// Grows as the module is read from its beginning. Sizes are computed when a type is declared, from types declared before it, so that
/// no input can make this recurse.
class TypeTable {
public:
  /// Notes a type or an integer constant, which may be the length of an array; ignores other instructions. `packed`: the structure is
  /// decorated so. Throws ParseError if operands are missing.
  void read(const Instruction &in, bool packed);

  /// Null for types without a known size: images, arrays of huge length.
  const Type *find(uint32_t id) const {
    const auto found = types_.find(id);
    return found == types_.end() ? nullptr : &found->second;
  }
  /// The value of an integer constant.
  std::optional<uint64_t> constant(uint32_t id) const {
    const auto found = constants_.find(id);
    return found == constants_.end() ? std::nullopt : std::optional(found->second);
  }

private:
  void declareScalar(uint32_t id, uint32_t bits);
  void declareVector(const Instruction &in);
  void declareArray(const Instruction &in);
  void declareStruct(const Instruction &in, bool packed);
  void declarePointer(uint32_t id, uint32_t storage, uint32_t pointee);

  std::unordered_map<uint32_t, Type> types_;
  std::unordered_map<uint32_t, uint64_t> constants_;
};

/// a*b, a+b and a rounded up, or nothing if that exceeds what an object can measure.
std::optional<uint64_t> multiply(uint64_t a, uint64_t b);
std::optional<uint64_t> add(uint64_t a, uint64_t b);
std::optional<uint64_t> alignUp(uint64_t value, uint64_t align);

} // namespace hiplz::spirv
