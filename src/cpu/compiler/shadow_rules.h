// SPDX-License-Identifier: MIT
// How instructions that compute values pass shadows on. The rules are those of MemorySanitizer (Stepanov and Serebryany, CGO 2015), with exact
// comparisons.
#pragma once
#include "cpu/compiler/bit_shadows.h"

#include <llvm/IR/Instructions.h>

namespace hiplz::cpu {

class ShadowRules {
public:
  explicit ShadowRules(BitShadows &shadows) : s_(shadows) {}

  /// The shadow of the result, made where the builder is; null if the instruction has none.
  llvm::Value *compute(llvm::Instruction &instruction);

private:
  llvm::Value *ofBinary(llvm::BinaryOperator &operation);
  llvm::Value *ofProduct(llvm::Value *left, llvm::Value *right, llvm::Value *a, llvm::Value *b);
  llvm::Value *ofCast(llvm::CastInst &cast, llvm::Type *type);
  llvm::Value *ofCompare(llvm::ICmpInst &compare);
  llvm::Value *ofOrder(const llvm::ICmpInst &compare, llvm::Value *a, llvm::Value *b);
  llvm::Value *ofSelect(llvm::SelectInst &select);
  llvm::Value *ofAddress(llvm::GetElementPtrInst &address, llvm::Type *type);
  llvm::Value *ofShuffle(llvm::ShuffleVectorInst &shuffle);
  llvm::Value *asInteger(llvm::Value *value);

  BitShadows &s_;
};

} // namespace hiplz::cpu
