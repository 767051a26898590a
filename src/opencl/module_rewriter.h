// SPDX-License-Identifier: MIT
// The base of the stages that rewrite a module. A module is written in three sections: what stands before its declarations, these, and its
// functions. A stage can add types, constants and built-in variables to the declarations before the functions are written.
#pragma once
#include "spirv/instructions.h"
#include "spirv/writer.h"

#include <initializer_list>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hiplz::opencl {

class ModuleRewriter : protected spirv::WordWriter {
protected:
  using Instruction = spirv::Instruction;

  /// Throws ParseError if the module has no header. `module` must outlive the object.
  explicit ModuleRewriter(std::span<const std::byte> module);
  ~ModuleRewriter() = default;
  ModuleRewriter(const ModuleRewriter &) = delete;
  ModuleRewriter &operator=(const ModuleRewriter &) = delete;

  template <class Visit> void forEach(Visit visit) { spirv::forEachInstruction(words_, visit); }

  /// The first walk: types and built-in variables of the module. A stage calls it for each instruction.
  void note(const Instruction &in);
  /// The second walk.
  std::vector<std::byte> rewrite();

  /// Writes an instruction of the module, or what takes its place.
  virtual void write(const Instruction &in) = 0;
  /// Adds declarations behind those of the module.
  virtual void addDeclarations() {}
  /// Adds functions behind those of the module.
  virtual void addFunctions() {}

  /// Makes the module have a built-in variable. To be called between the two walks.
  void need(spv::BuiltIn builtIn);
  /// Writes an entry point, with the variables that are needed.
  void writeEntryPoint(const Instruction &in);

  bool inFunctions() const { return out_ == &body_; }

  // Types, which SPIR-V has once. They may be added in addDeclarations() only.
  uint32_t boolean();
  uint32_t integer(uint32_t bits);
  uint32_t vectorOf(uint32_t element, uint32_t count);
  uint32_t pointerTo(spv::StorageClass storage, uint32_t type);

  /// An integer constant of at most 32 bits, whose higher bits must be zero.
  uint32_t constant(uint32_t type, uint32_t number);
  /// The constant of a type whose bits are all zero.
  uint32_t zeroOf(uint32_t type);
  /// An instruction with a result of its own.
  uint32_t value(spv::Op op, uint32_t type, std::initializer_list<uint32_t> operands);

  const spirv::Words words_;
  std::map<uint32_t, uint32_t> variables_; // by built-in
  std::map<uint32_t, uint32_t> integers_;  // types, by bits

private:
  void chooseSection(const Instruction &in);

  std::map<uint32_t, uint32_t> added_; // variables, by built-in
  std::set<uint32_t> needed_;          // variables, also those that the module has
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> vectors_, pointers_;
  std::map<uint32_t, uint32_t> zeros_; // by type
  uint32_t bool_ = 0;
  std::vector<uint32_t> declarations_;
};

} // namespace hiplz::opencl
