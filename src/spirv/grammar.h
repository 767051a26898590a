// SPDX-License-Identifier: MIT
// The grammar of the specification: which words of an instruction are ids, for code that follows or renames them, and how long
// instructions may be.
#pragma once
#include "spirv/words.h"

#include <cstdint>

namespace hiplz::spirv {

/// The operand that names the result, or its type, of an instruction; -1 if it has none.
int resultOperand(spv::Op op);
int resultTypeOperand(spv::Op op);

/// True if an operand of the instruction is an id that somebody else defines: neither the result nor a literal. A literal of
/// a rare instruction may be taken for an id, so what follows references may find too many. `index` must be less than
/// in.operands().
bool isReference(const Instruction &in, size_t index);

/// False if the specification has no such instruction of this length. True for opcodes of extensions.
bool hasPossibleLength(const Instruction &in);

} // namespace hiplz::spirv
