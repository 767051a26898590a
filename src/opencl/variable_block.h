// SPDX-License-Identifier: MIT
// Program-scope variables without OpenCL's help. Implementations that do not tell where a program's variables are cannot give them to
// the host, and some have one copy of them for each kernel, or refuse the program. So the variables become places in one block of
// memory, which the driver allocates, and whose address kernels that need it take as one more argument, behind all others.
#pragma once
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace hiplz::opencl {

/// The memory of a module's variables; empty if it has none.
struct VariableBlock {
  struct Variable {
    std::string name;
    uint64_t offset = 0, size = 0;
  };
  /// Bytes that are not zero in the beginning.
  struct Piece {
    uint64_t offset = 0;
    std::vector<std::byte> bytes;
  };
  /// Where the block's own address is added to 64 bits of a piece.
  using Addresses = std::vector<uint64_t>;

  uint64_t size = 0, align = 1;
  std::vector<Variable> variables; ///< that the module exports
  std::vector<Piece> pieces;
  Addresses addresses;
  std::set<std::string> kernels; ///< those that take the block's address as their last argument

  bool empty() const { return size == 0; }
};

struct LoweredModule {
  std::vector<std::byte> spirv;
  VariableBlock block;
};

/// The module with its program-scope variables of global memory in a block. Throws ParseError, also if an initial value is of a form
/// that it does not know.
LoweredModule lowerVariables(std::span<const std::byte> module);

} // namespace hiplz::opencl
