// SPDX-License-Identifier: MIT
// An instruction as the assembler writes it. LLVM's disassembler decodes; what it decoded is taken from the text that it prints,
// not from its operand lists: the text is AMD's notation, in which every operand and modifier has a name, and is the same in all
// versions of LLVM, while the place of a modifier among the operands differs by opcode and version and is in no public table.
#pragma once
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hiplz::amdgcn {

/// Numbers of scalar operands that are not s0 to s105, as instructions encode them.
enum ScalarIndex : uint16_t {
  kVcc = 106,
  kTrapRegisters = 108,
  kM0 = 124,
  kNull = 125,
  kExec = 126,
  kScalarRegisters = 128, // what has storage lies below
  kSharedBase = 235,
  kSharedLimit = 236,
  kPrivateBase = 237,
  kPrivateLimit = 238,
  kVccIsZero = 251,
  kExecIsZero = 252,
  kScc = 253,
};

struct Operand {
  enum class Kind { vector, scalar, integer, real, off };
  Kind kind = Kind::off;
  uint16_t index = 0;                 ///< of the first register
  uint16_t count = 1;                 ///< registers
  llvm::SmallVector<uint8_t, 2> list; ///< their numbers if they do not follow each other
  int64_t integer = 0;                ///< a constant
  bool isLiteral = false;             ///< the constant is a 32-bit literal and not one of the inline ones
  double real = 0;
  bool negative = false, absolute = false, signExtended = false;

  bool isVector() const { return kind == Kind::vector; }
};

enum class Encoding { plain, dpp, dpp8, sdwa };

struct Instruction {
  uint64_t address = 0; ///< in the image
  uint32_t size = 0;
  uint32_t words[3] = {}; ///< of the encoding; longer ones are cut
  std::string text;       ///< as printed
  std::string name;       ///< without the ending that tells the encoding
  Encoding encoding = Encoding::plain;
  llvm::SmallVector<Operand, 6> operands;
  llvm::SmallVector<std::pair<std::string, std::string>, 4> modifiers;
  bool halvesByNumber = false;   ///< a 16-bit operand v128 to v255 is the high half of v0 to v127
  std::vector<Instruction> pair; ///< two instructions that read their operands before either writes (VOPD)

  bool has(llvm::StringRef modifier) const;
  /// The value of a modifier, or `absent`.
  int64_t number(llvm::StringRef modifier, int64_t absent = 0) const;
  /// An element of a list such as op_sel:[0,1].
  int64_t element(llvm::StringRef modifier, unsigned index, int64_t absent = 0) const;
  llvm::StringRef textOf(llvm::StringRef modifier) const;
  /// The 16-bit constant of a scalar instruction.
  int16_t simm16() const { return static_cast<int16_t>(words[0] & 0xffff); }
  uint64_t next() const { return address + size; }
  /// True if it reads local memory by a DS operation, which flat ones may do as well.
  bool readsLocal() const;
  /// True if it stores in local memory by a DS operation, and returns nothing.
  bool storesLocal() const;
};

/// Takes the printed text of an instruction apart; address, size and words are the caller's. False if there is an operand that is
/// not understood.
bool parseInstruction(llvm::StringRef text, Instruction &instruction);

/// Takes the constants of packed and mixed operations from the words of the encoding. The text does not tell a literal, which has
/// 32 bits, from an inline constant, and shows 16 bits of some literals.
void takePackedConstants(Instruction &instruction);

} // namespace hiplz::amdgcn
