// SPDX-License-Identifier: MIT
// Cuts kernels out of a SPIR-V module. A module asks for everything that any of its kernels needs, and a device that lacks
// one of these things refuses the module whole; without the kernels that need it, it takes the others.
#pragma once
#include "base/spirv_words.h"
#include "fatbin/parse_error.h"
#include "fatbin/reflection.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace hiplz::spirv {

/// Not thread-safe. Refers to the module's bytes.
class ModuleCutter {
public:
  /// Reads a module that reflect() accepts. Throws ParseError.
  explicit ModuleCutter(std::span<const std::byte> bytes);

  /// What a kernel needs, with all functions that it reaches: values in registers count, members of structures in memory that
  /// nobody looks at do not.
  struct KernelNeeds {
    std::string name;
    Needs needs;
  };
  const std::vector<KernelNeeds> &kernels() const { return kernels_; }

  /// The module with the kernels that `keep` wants, what they reach, and all exported variables: these keep their names,
  /// sizes and initial values. It declares no capability of those in Needs that none of the kernels needs; floating-point
  /// types of such widths become integers. Debug information goes, but for lines.
  std::vector<std::byte> cut(const std::function<bool(const KernelNeeds &)> &keep) const;

private:
  using Ids = std::unordered_set<uint32_t>;
  struct Function {
    size_t begin = 0, end = 0; // words
    Needs needs;               // of its own instructions
    std::vector<uint32_t> references;
  };
  class Writer;

  void readPreamble(const Instruction &in);
  void readFunction(size_t begin, size_t end);
  Needs needsOf(const Instruction &in) const;
  Needs needsOfValue(uint32_t id) const;
  Ids reachedFrom(const Ids &roots) const;

  Words words_;
  std::vector<KernelNeeds> kernels_;
  std::vector<std::pair<uint32_t, std::vector<uint32_t>>> entryPoints_; // of each kernel: its function and interface
  Ids debugSets_;                                               // imported instructions that describe the source
  Ids always_;                                                  // exported variables, operands of decorations
  std::unordered_map<uint32_t, std::vector<uint32_t>> globals_; // references of what stands outside of functions
  std::unordered_map<uint32_t, Needs> types_;                   // of scalars and vectors
  std::unordered_map<uint32_t, uint32_t> typeOf_;               // of values
  std::unordered_map<uint32_t, uint32_t> subgroupSizes_;        // that functions ask for
  std::unordered_map<uint32_t, Function> functions_;
};

} // namespace hiplz::spirv
