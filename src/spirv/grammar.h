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

/// The operands of an instruction that are ids which somebody else defines: neither the result nor a literal, nor the labels of a switch,
/// which are of the same function. All operands of an instruction that the grammar does not know.
class References {
public:
  /// `in` must be whole, and outlive the object.
  explicit References(const Instruction &in);
  /// The next one's index, in rising order.
  std::optional<size_t> next();

private:
  bool isNext();
  void advance();

  const Instruction &in_;
  const char *operands_; // that follow, as grammar.def writes them
  size_t index_ = 0;
  uint32_t mask_ = 0; // bits of memory operands whose own operands follow
  bool isPair_ = false;
};

/// True if the operand is one of them.
bool isReference(const Instruction &in, size_t index);

/// False if the specification has no such instruction of this length. True for opcodes of extensions.
bool hasPossibleLength(const Instruction &in);

} // namespace hiplz::spirv
