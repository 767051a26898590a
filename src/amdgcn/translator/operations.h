// SPDX-License-Identifier: MIT
// The operations of the instruction set: tables whose rows say what an operation reads, writes and computes. An operation that has no
// row is not implemented. Another generation adds rows; what its instructions look like, the disassembler knows.
//
// A signature has the results before the "=" and the operands behind it, in the order of the assembler's notation:
//     16 32 64      so many bits          f16 f32 f64   floating-point numbers (f16: computed as f32)
//     i16 u16 i32 u32  integers that saturate under the modifier clamp: they are computed in 64 bits then
//     m             a mask, one bit a lane
//     d             in front of a type, as an operand: the register of the result, which is read as well
//     !             behind a scalar result: SCC says if it is not 0
//     +             behind a scalar result: computing it sets SCC
// Vector operations (v_) compute on <32 x i32> and so on, scalar ones (s_) on single values; many have one function for both.
#pragma once
#include "amdgcn/translator/wave.h"

#include <llvm/ADT/ArrayRef.h>

namespace hiplz::amdgcn {

using llvm::Value;

/// An operation that computes one result out of its operands.
struct ValueRow {
  const char *name;
  const char *signature;
  Value *(*compute)(Wave &wave, Value *const *in);
};

/// An operation that does what another one does with both halves of its registers.
struct PackedRow {
  const char *name;
  const char *half; ///< the operation on 16 bits
};

/// An operation that does everything by itself.
struct ActionRow {
  const char *name;
  void (*emit)(Wave &wave, const Instruction &instruction);
};

llvm::ArrayRef<ValueRow> scalarRows();
llvm::ArrayRef<ValueRow> integerRows();
llvm::ArrayRef<ValueRow> halfRows();
llvm::ArrayRef<ValueRow> floatRows();
llvm::ArrayRef<ValueRow> generation11Rows();
llvm::ArrayRef<PackedRow> packedRows();
llvm::ArrayRef<ActionRow> scalarActions();
llvm::ArrayRef<ActionRow> vectorActions();
llvm::ArrayRef<ActionRow> laneActions();
llvm::ArrayRef<ActionRow> divisionActions();
llvm::ArrayRef<ActionRow> mixedActions();
llvm::ArrayRef<ActionRow> indexedRegisterActions();
llvm::ArrayRef<ActionRow> byteActions();
llvm::ArrayRef<ActionRow> generation11Actions();

/// Families of operations whose names say what they do. False if the name is not of the family.
bool emitComparison(Wave &wave, const Instruction &instruction);
bool emitLocalMemory(Wave &wave, const Instruction &instruction);
bool emitGlobalMemory(Wave &wave, const Instruction &instruction);
bool emitBufferMemory(Wave &wave, const Instruction &instruction);
bool emitImage(Wave &wave, const Instruction &instruction);

/// Reads or writes the elements of a typed buffer for the lanes of the mask (image_memory.cpp): `address` is that of buffer_formats.h. The buffer
/// is linear memory of a texture if `texture` is not 0. The result are four words that were read.
llvm::SmallVector<Value *, 4> accessTyped(Wave &wave, bool isStore, Value *texture, llvm::ArrayRef<Value *> address,
                                          llvm::ArrayRef<Value *> colour, Value *mask);

/// The mode register behind an instruction, if it was `before`; nothing if that depends on what other registers hold.
std::optional<uint32_t> modeBehind(const Instruction &instruction, uint32_t before);

/// Emits what an instruction other than a branch does. Throws Untranslatable.
void emitOperation(Wave &wave, const Instruction &instruction);

} // namespace hiplz::amdgcn
