// SPDX-License-Identifier: MIT
// The shadow of memory (abi/bit_shadow.h) beside each access of the program's.
#pragma once
#include "cpu/compiler/tracked_variables.h"
#include "cpu/compiler/use_reports.h"

#include <llvm/IR/IntrinsicInst.h>

namespace hiplz::cpu {

class MemoryShadows {
public:
  MemoryShadows(BitShadows &shadows, TrackedVariables &variables, UseReports &uses)
      : s_(shadows), variables_(variables), uses_(uses) {}

  /// The address of the shadow at a pointer, made where the pointer is.
  llvm::Value *addressOf(llvm::Value *pointer);

  void visitLoad(llvm::LoadInst &load);
  void visitStore(llvm::StoreInst &store);
  void visitUpdate(llvm::AtomicRMWInst &update);
  void visitExchange(llvm::AtomicCmpXchgInst &exchange);
  void visitMemory(llvm::MemIntrinsic &memory);

  /// Stores the shadows of what plain stores have written since the last call, in front of `next`, which is of the same block: neighbouring
  /// stores of the program stay neighbours, and one branch looks at all that they have written. To be called before anything that may read
  /// memory, or write it otherwise, and before control goes on.
  void settleStores(llvm::Instruction &next);

  /// Gives the phis of addresses their values, those that it makes meanwhile too.
  void fillPhis();

private:
  llvm::Value *loadShadow(llvm::Instruction &behindIt, llvm::Value *pointer, llvm::Type *type, llvm::Align align);
  void clearPadding(llvm::StoreInst &store, llvm::Instruction &next);
  llvm::Value *sourceOf(llvm::Value *pointer, llvm::Value *target, PointerTarget memory);
  llvm::Value *isTracked(llvm::Value *pointer);

  BitShadows &s_;
  TrackedVariables &variables_;
  UseReports &uses_;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> addresses_;
  llvm::SmallVector<std::pair<llvm::PHINode *, llvm::PHINode *>, 16> phis_; ///< with their twins, to be filled
  llvm::SmallVector<llvm::StoreInst *, 8> stores_;                          ///< whose shadows are to be stored
};

} // namespace hiplz::cpu
