// SPDX-License-Identifier: MIT
// The specification's grammar as grammar.def has it: the operands of each instruction, a letter each, which may be followed by
// `?` (it may be missing) or `*` (any number).
//
//   t  the type of the result        r  the result              i  another id
//   l  a word that is no id          s  a string                n  words that are no ids, to the end
//   q  an id and a number            M  a mask of memory operands, with those of the bits that are set
//   S  an opcode, and the operands of this instruction
#include "spirv/grammar.h"

#include <algorithm>
#include <iterator>

namespace hiplz::spirv {
namespace {

struct Row {
  uint16_t first, last; // opcodes
  const char *operands;
};
constexpr Row kRows[] = {
#include "spirv/grammar.def"
};

constexpr uint32_t kFirstOfExtensions = 4000;

/// Null for an instruction that the grammar does not have.
const char *operandsOf(uint32_t op) {
  const Row *found = std::upper_bound(std::begin(kRows), std::end(kRows), op,
                                      [](uint32_t wanted, const Row &row) { return wanted < row.first; });
  return found == std::begin(kRows) || op > (--found)->last ? nullptr : found->operands;
}

int placeOf(char operand, spv::Op op) {
  const char *const operands = operandsOf(op);
  for (int place = 0; operands && place < 2 && operands[place]; ++place)
    if (operands[place] == operand)
      return place;
  return -1;
}

} // namespace

int resultOperand(spv::Op op) { return placeOf('r', op); }
int resultTypeOperand(spv::Op op) { return placeOf('t', op); }

References::References(const Instruction &in) : in_(in), operands_(operandsOf(in.op())) {
  if (!operands_)
    operands_ = "";
}

void References::advance() {
  if (operands_[1] != '*')
    operands_ += operands_[1] == '?' ? 2 : 1;
}

bool References::isNext() {
  if (mask_) {
    const uint32_t bit = mask_ & -mask_;
    mask_ &= mask_ - 1;
    if (bit == spv::MemoryAccessAlignedMask)
      ++index_;
    return bit != spv::MemoryAccessAlignedMask && bit != spv::MemoryAccessVolatileMask &&
           bit != spv::MemoryAccessNontemporalMask && bit != spv::MemoryAccessNonPrivatePointerMask;
  }
  switch (*operands_) {
  case 't':
  case 'i': advance(); [[fallthrough]];
  case 0: return true; // operands that the grammar does not have are taken for ids
  case 'q':
    isPair_ = true;
    advance();
    return true;
  case 's': {
    const auto text = in_.literal(index_);
    index_ = text ? text->next : in_.operands();
    break;
  }
  case 'n': index_ = in_.operands(); return false;
  case 'M': mask_ = in_[index_++]; break;
  case 'S':
    operands_ = operandsOf(in_[index_++]);
    operands_ = operands_ && *operands_ == 't' ? operands_ + 2 : ""; // its type and result are those of the whole
    return false;
  default: ++index_; break;
  }
  advance();
  return false;
}

std::optional<size_t> References::next() {
  while (index_ < in_.operands())
    if (isNext() && index_ < in_.operands()) {
      const size_t found = index_;
      index_ += isPair_ ? 2 : 1;
      isPair_ = false;
      return found;
    }
  return std::nullopt;
}

bool isReference(const Instruction &in, size_t index) {
  References references(in);
  std::optional<size_t> found = references.next();
  while (found && *found < index)
    found = references.next();
  return found == index;
}

bool hasPossibleLength(const Instruction &in) {
  const char *operands = operandsOf(in.op());
  if (!operands || in.op() >= kFirstOfExtensions)
    return true;
  size_t least = 1, most = 1;
  bool isOpen = false;
  while (*operands) {
    const bool isOptional = operands[1] == '?', isRepeated = operands[1] == '*';
    least += !isOptional && !isRepeated;
    ++most;
    isOpen |= isRepeated || std::string_view("snSM").find(*operands) != std::string_view::npos;
    operands += isOptional || isRepeated ? 2 : 1;
  }
  return in.length() >= least && (isOpen || in.length() <= most);
}

} // namespace hiplz::spirv
