// SPDX-License-Identifier: MIT
// The bytes of a program binary: a header, the tables of kernels and globals, and the ELF object. The compiler writes
// it, the loader reads it; both sides share this file, so that the format is written down once.
#pragma once
#include "cpu/program/program.h"

#include <optional>
#include <string>
#include <vector>

namespace hiplz::cpu {

/// Changes with the format, with WorkItem, WarpState, LaunchState and WorkerState, and with the runtime functions.
constexpr uint32_t kBinaryVersion = 4;

/// A program binary taken apart. `function` of the kernels and `address` of the globals are not known yet.
struct BinaryContents {
  std::string hostKey; ///< the processor that the code was made for (hostProcessorKey())
  bool hasDebugInfo = false;
  std::vector<KernelInfo> kernels;
  std::vector<GlobalInfo> globals;
  std::span<const std::byte> object; ///< points into the bytes that were parsed, 16-byte aligned relative to them
};

/// The symbols that kernels and globals have in the object.
std::string kernelSymbol(std::string_view kernelName);
std::string globalSymbol(std::string_view globalName);

/// Of KernelInfo::oneByOne; an object need not have it.
std::string oneByOneSymbol(std::string_view kernelName);

/// Never throws except std::bad_alloc.
std::vector<std::byte> serializeBinary(const BinaryContents &contents);

/// Nothing if the bytes are not a whole, undamaged binary of this version; `error` then says what is wrong.
std::optional<BinaryContents> parseBinary(std::span<const std::byte> bytes, std::string &error);

} // namespace hiplz::cpu
