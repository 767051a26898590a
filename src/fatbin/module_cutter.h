// SPDX-License-Identifier: MIT
// Cuts kernels out of a SPIR-V module. A module asks for everything that any of its kernels needs, and a device that lacks
// one of these things refuses the module whole; without the kernels that need it, it takes the others. And kernels that are
// compiled each for itself are compiled only when they are needed.
#pragma once
#include "base/parse_error.h"
#include "fatbin/reflection.h"
#include "spirv/words.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace hiplz::spirv {

/// Kernels that reach recursive functions are in a module twice. `native` takes those that call, `frames` those that keep their
/// frames in memory of their own; either has the kernels' plain names.
enum class Recursion { native, frames };

/// Immutable after construction, so any thread may cut. Refers to the module's bytes.
class ModuleCutter {
public:
  /// Reads a module that reflect() accepts. Throws ParseError.
  explicit ModuleCutter(std::span<const std::byte> bytes, Recursion recursion = Recursion::frames);

  /// The features that a kernel needs, with all functions that it reaches: values in registers count, members of structures in memory that
  /// nobody looks at do not.
  struct KernelNeeds {
    std::string name;
    Needs needs;
    std::vector<size_t> variables; ///< that it reaches, as indices of variables()
    size_t words = 0;              ///< of SPIR-V in the functions that it reaches
  };
  const std::vector<KernelNeeds> &kernels() const { return kernels_; }

  /// A program-scope variable that must be one object for all kernels: exported, or one that kernels can write to, or a
  /// constant whose address may be stored, such as the virtual table of an object that another kernel uses.
  struct Variable {
    std::string name;           ///< empty: it is not exported
    std::vector<size_t> others; ///< that its initial value refers to, as indices of variables()
  };
  const std::vector<Variable> &variables() const { return variables_; }

  /// The module with the kernels that `keep` wants, what they reach, and the exported variables that `keepVariable` wants,
  /// with what they reach: these keep their names, sizes and initial values. It declares no capability of those in Needs, and of
  /// sub-groups, that none of the kernels needs; floating-point types of such widths become integers. Debug information goes, but for lines.
  std::vector<std::byte> cut(const std::function<bool(const KernelNeeds &)> &keep,
                             const std::function<bool(const Variable &)> &keepVariable) const;
  /// The same with all exported variables.
  std::vector<std::byte> cut(const std::function<bool(const KernelNeeds &)> &keep) const {
    return cut(keep, [](const Variable &) { return true; });
  }

private:
  using Ids = std::unordered_set<uint32_t>;
  struct Function {
    size_t begin = 0, end = 0; // words
    Needs needs;               // of its own instructions
    std::vector<uint32_t> references;
    bool usesSubgroups = false; // operations of them
  };
  class Writer;

  void chooseForms(Recursion recursion);
  void readPreamble(const Instruction &in);
  void readFunction(size_t begin, size_t end);
  void setValue(std::vector<uint32_t> &of, uint32_t id, uint32_t value);
  void addVariable(uint32_t id, const std::string &name);
  void findStoredAddresses(size_t begin, size_t end);
  void addSharedConstants();
  std::vector<size_t> variablesAmong(const Ids &ids) const;
  Needs needsOf(const Instruction &in) const;
  Needs needsOfValue(uint32_t id) const;
  Ids reachedFrom(const Ids &roots) const;

  Words words_;
  std::vector<KernelNeeds> kernels_;
  std::vector<Variable> variables_;
  std::unordered_map<uint32_t, size_t> variableOf_;    // by id
  std::unordered_map<uint32_t, std::string> exported_; // names of variables and functions
  Ids readOnly_;                                       // what is decorated so
  Ids constants_;                                      // variables that nobody writes to and that are not exported
  Ids stored_;                                         // of them, those whose address may be in memory
  struct EntryPoint {
    uint32_t function = 0;
    std::vector<uint32_t> interface;
    size_t at = 0; // word
  };
  std::vector<EntryPoint> entryPoints_;                         // of each kernel
  Ids debugSets_;                                               // imported instructions that describe the source
  Ids always_;                                                  // operands of decorations
  std::unordered_map<uint32_t, std::vector<uint32_t>> globals_; // references of what stands outside of functions
  std::unordered_map<uint32_t, Needs> types_;                   // of scalars and vectors
  std::vector<uint32_t> typeOf_;                                // of values, by id; 0: none
  std::vector<uint32_t> functionOf_; // that defines a value or label, by id; 0: it stands outside of functions
  std::unordered_map<uint32_t, uint32_t> subgroupSizes_; // that functions ask for
  std::unordered_map<uint32_t, Function> functions_;
};

} // namespace hiplz::spirv
