// SPDX-License-Identifier: MIT
// The text of inline PTX, taken apart: instructions with their guards, and the registers that the text declares.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace hiplz::passes {

/// One instruction. Operands keep their spelling: "$0" is the asm statement's first, "[$1+8]" an address, "{a,b}" a vector.
struct PtxInstruction {
  std::string Guard; ///< the predicate behind '@', without '!'; empty if there is none
  bool Inverted = false;
  std::string Name; ///< with its suffixes: "add.cc.u32"
  llvm::SmallVector<std::string, 4> Operands;

  /// The parts of the name: "add", "cc", "u32".
  llvm::SmallVector<llvm::StringRef, 6> parts() const;
};

struct PtxText {
  llvm::SmallVector<PtxInstruction, 4> Instructions;
  llvm::StringMap<unsigned> Registers; ///< declared ones, with their bits; a predicate has 1
  std::string Error;                   ///< a sentence, if the text could not be read
};

/// Reads the text of an asm statement as LLVM has it, with its escapes.
PtxText parsePtx(llvm::StringRef Assembly);

/// The bits of a PTX type such as "u32", "pred" or "f16x2"; 0 if it is none.
unsigned ptxTypeBits(llvm::StringRef Type);

/// Splits at commas outside brackets and braces.
llvm::SmallVector<std::string, 4> splitPtxList(llvm::StringRef Text);

} // namespace hiplz::passes
