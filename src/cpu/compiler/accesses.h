// SPDX-License-Identifier: MIT
// The accesses to memory that an instruction makes, as the checks see them (checks.h).
#pragma once
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>

namespace hiplz::cpu {

/// One access to memory.
struct Access {
  llvm::Instruction *instruction;
  unsigned operand; ///< the pointer's number among the operands
  llvm::Value *bytes;
  uint32_t flags; ///< CheckFlags
  llvm::Align align;
};

/// How many bytes the access always has; 0: not always as many.
uint32_t constantBytes(const Access &access);

/// Adds the accesses of an instruction, but none of the launch's own state.
void collectAccesses(llvm::Instruction &instruction, llvm::SmallVectorImpl<Access> &accesses);

/// The address that the pointer was made of by offsets alone: that of a variable, if it is one in shared memory.
const llvm::Value *baseOf(const llvm::Value *pointer);

/// The order that an atomic instruction gives to others; that of a plain one is NotAtomic.
llvm::AtomicOrdering orderingOf(const llvm::Instruction &instruction);

/// True for an instruction that is more than arithmetic or a plain access: work-items may be in another order behind it, or what may be accessed
/// may change.
bool mayOrder(const llvm::Instruction &instruction);

/// True for a read by which the work-item may learn what others have done before.
bool learns(const Access &access);

/// Vectors that are misaligned are reported, and the kernel goes on: instructions for smaller alignments do not fault.
void relaxAlignment(llvm::Instruction &instruction);

} // namespace hiplz::cpu
