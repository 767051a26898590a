// SPDX-License-Identifier: MIT
// The program-scope variables of global memory that a module defines, where they go in a block, and what they are in the beginning.
#pragma once
#include "opencl/variable_block.h"
#include "spirv/instructions.h"
#include "spirv/type_table.h"

#include <map>
#include <unordered_map>
#include <unordered_set>

namespace hiplz::opencl {

class InitialValues {
public:
  explicit InitialValues(const spirv::Words &words) : words_(words) {}

  /// Takes the next instruction outside of functions.
  void read(const spirv::Instruction &in);

  /// A variable, or a constant that contains the address of one.
  bool hasAddress(uint32_t id) const { return withAddress_.contains(id); }
  /// Where the instruction of such an id begins.
  size_t definition(uint32_t id) const { return definitions_.at(id); }
  /// In the order of the module.
  const std::vector<uint32_t> &variables() const { return variables_; }

  /// The block for the variables, without kernels. Throws ParseError.
  VariableBlock layOut();
  /// Of the variables, once they are laid out.
  const std::map<uint32_t, uint64_t> &offsets() const { return offsets_; }

private:
  struct Number {
    bool isAddress = false; // in the block
    uint64_t value = 0;
  };
  spirv::Instruction at(uint32_t id) const;
  const spirv::Type &typeOf(uint32_t type) const;
  void fill(uint32_t id, uint32_t type, uint64_t offset, int depth);
  void spend(int depth) const;
  Number evaluate(uint32_t id, int depth) const;
  Number operation(const spirv::Instruction &in, int depth) const;
  uint64_t step(const spirv::Instruction &in, size_t first, bool hasElement, int depth) const;
  void put(uint64_t offset, uint64_t value, size_t size);

  const spirv::Words &words_;
  spirv::TypeTable types_;
  std::unordered_map<uint32_t, size_t> definitions_; // of constants and variables
  std::unordered_set<uint32_t> withAddress_, packed_;
  std::unordered_map<uint32_t, uint64_t> aligned_; // by decoration
  std::unordered_map<uint32_t, std::string> exported_;
  std::unordered_set<uint32_t> imported_;
  std::vector<uint32_t> variables_;
  std::map<uint32_t, uint64_t> offsets_;
  VariableBlock block_;
  mutable uint64_t spent_ = 0; // steps
};

} // namespace hiplz::opencl
