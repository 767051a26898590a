// SPDX-License-Identifier: MIT
// The compiled objects that are loaded in the process, by address: for the report of a fault, which names the source line.
#pragma once
#include <cstddef>
#include <span>
#include <string>

namespace hiplz::cpu {

/// Adds an ELF image with debug information, whose sections carry their final addresses; the image must stay where it is. Thread-safe.
void addLoadedCode(std::span<const std::byte> image);

/// Takes it away again. Thread-safe.
void removeLoadedCode(std::span<const std::byte> image);

/// The source line of an instruction, as the compiler (compiler/source_line.h) reads it from the image. Empty if no image has it.
/// Thread-safe.
std::string sourceLineOf(const void *instruction);

} // namespace hiplz::cpu
