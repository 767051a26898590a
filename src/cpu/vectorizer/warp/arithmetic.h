// SPDX-License-Identifier: MIT
// Arithmetic, addresses, comparisons, conversions: one instruction of the warp function for one of the body, scalar where
// the shape allows it. Private variables, too.
#pragma once
#include "cpu/vectorizer/warp/lane_values.h"

namespace hiplz::cpu {

class Arithmetic : WarpPart {
public:
  Arithmetic(WarpContext &context, LaneValues &values) : WarpPart(context), values_(values) {}

  void emit(const llvm::Instruction &instruction);
  /// A copy with scalar operands, for a uniform result or an access to a uniform address.
  void emitScalar(const llvm::Instruction &instruction);
  void emitAlloca(const llvm::AllocaInst &variable);

private:
  void emitVector(const llvm::Instruction &instruction);
  llvm::Value *vectorBinary(const llvm::BinaryOperator &operation);
  llvm::Constant *knownLowBits(const llvm::Value *value, unsigned bits, unsigned depth = 0) const;
  llvm::Value *vectorDivision(const llvm::BinaryOperator &operation);
  llvm::Value *vectorAddress(const llvm::GetElementPtrInst &address);
  llvm::Value *vectorSelect(const llvm::SelectInst &select);
  llvm::Value *vectorBitCast(const llvm::Instruction &cast);
  llvm::Value *vectorElement(const llvm::Instruction &access);

  LaneValues &values_;
};

} // namespace hiplz::cpu
