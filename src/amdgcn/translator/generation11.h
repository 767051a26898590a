// SPDX-License-Identifier: MIT
// Instructions of gfx11: the names and encodings that differ from gfx10. Decoded instructions get gfx10's names, so that
// both generations have the same rows (operations.h).
#pragma once
#include "amdgcn/translator/instruction.h"

#include <cstddef>
#include <optional>
#include <span>

namespace hiplz::amdgcn {

/// An encoding that LLVM 15 does not decode, rewritten to one of the same shape that it does.
struct Rewritten {
  uint32_t words[3] = {};
  const char *name = nullptr; ///< the operation, if it is not that of the new encoding
};

/// Nothing if the encoding needs no help. 16-bit operations in VOP3 have op_sel bits that LLVM 15 takes for mistakes, and it does
/// not know v_mov_b16 and v_swap_b16.
std::optional<Rewritten> rewriteGeneration11(std::span<const uint32_t, 3> words);

/// Turns a parsed instruction of gfx11 into one of gfx10: name, order of operands, halves of registers.
void normalizeGeneration11(Instruction &instruction);

} // namespace hiplz::amdgcn
