// SPDX-License-Identifier: MIT
// The bytes of a program binary: a header, the tables of kernels and variables, an ELF object with what all kernels share,
// and an ELF object for each piece of code. A module binary has the tables and perhaps no pieces, a kernel binary has a piece
// and no tables, a native binary has everything. The compiler writes them, the loader reads them; both sides share this file.
// kBinaryVersion is that of this format and of all that compiled kernels share with the driver (cpu/abi).
#pragma once
#include "cpu/abi/kernel.h"
#include "cpu/program/binary_version.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hiplz::cpu {

/// The code of one kernel.
struct KernelPiece {
  std::string kernel;
  KernelCode code;                   ///< without addresses
  std::span<const std::byte> object; ///< points into the bytes that were parsed
};

/// A program binary taken apart. `address` of the variables is not known yet.
struct BinaryContents {
  std::string hostKey; ///< the processor that the code was made for (hostProcessorKey())
  bool hasDebugInfo = false;
  std::vector<KernelInfo> kernels;
  std::vector<GlobalInfo> globals;
  std::vector<LinkSymbol> imports; ///< if there are any, there is no code: the module has to be linked first
  std::vector<LinkSymbol> exports;
  std::string flags;                 ///< of a native binary: the build flags,
  std::span<const std::byte> source; ///< and the link set of the module itself, if others may want to be linked with it
  std::span<const std::byte>
      shared; ///< the object with variables and functions that have addresses; empty if there are none
  std::vector<KernelPiece> pieces;
};

/// The symbols that kernels have in the object of their piece, and exported functions and variables in the shared one.
std::string kernelSymbol(std::string_view kernelName);
std::string functionSymbol(std::string_view functionName);
std::string globalSymbol(std::string_view globalName);

/// Of KernelCode::oneByOne; an object need not have it.
std::string oneByOneSymbol(std::string_view kernelName);

/// Never throws except std::bad_alloc.
std::vector<std::byte> serializeBinary(const BinaryContents &contents);

/// Nothing if the bytes are not a whole, undamaged binary of this version; `error` then says what is wrong.
std::optional<BinaryContents> parseBinary(std::span<const std::byte> bytes, std::string &error);

} // namespace hiplz::cpu
