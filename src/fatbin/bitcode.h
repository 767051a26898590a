// SPDX-License-Identifier: MIT
// Facts about LLVM bitcode that are needed before a compiler reads it.
#pragma once
#include <cstddef>
#include <span>

namespace hiplz {

/// True if the bytes begin like LLVM bitcode.
bool isBitcode(std::span<const std::byte> bytes);

/// The number of bytes of the bitcode at the beginning of `bytes`, which may be followed by anything; 0 if none begins
/// there. Reads the headers of its outermost blocks.
size_t bitcodeSize(std::span<const std::byte> bytes);

} // namespace hiplz
