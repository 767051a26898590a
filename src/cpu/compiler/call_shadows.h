// SPDX-License-Identifier: MIT
// Calls, and operations that the lanes of a warp make together: these exchange their shadows in the same way as the values.
#pragma once
#include "cpu/abi/collective.h"
#include "cpu/compiler/memory_shadows.h"

namespace hiplz::cpu {

/// printf, and what it is made of.
bool isPrint(const llvm::Function &function);

/// A function of the built-in library or of C: only its arguments decide about its result.
bool isFunctionOfArguments(const llvm::CallBase &call);

/// A shuffle of a warp: a value from another lane, or an undefined one if that lane does not take part.
bool isShuffle(const llvm::CallBase &call);

/// True if a shuffle with a mask reads a lane that is not in it; null if the shuffle has no mask.
llvm::Value *isUnnamedLane(BitShadows::Builder &builder, const llvm::CallInst &shuffle);

/// Another operation of the same participants, inserted where the builder is.
llvm::CallInst *collectiveLike(BitShadows::Builder &builder, llvm::CallInst &like, llvm::Value *value,
                               CollectiveKind kind, FoldOperator fold = FoldOperator::bitOr);

class CallShadows {
public:
  CallShadows(BitShadows &shadows, TrackedVariables &variables, UseReports &uses, MemoryShadows &memory)
      : s_(shadows), variables_(variables), uses_(uses), memory_(memory) {}

  void visitCall(llvm::CallInst &call);

private:
  llvm::Value *ofFunction(llvm::CallInst &call, llvm::Type *type);
  void clearResults(llvm::CallInst &call);
  void visitCollective(llvm::CallInst &call);
  llvm::Value *ofShuffle(llvm::CallInst &call, llvm::Value *shadow);
  llvm::CallInst *collective(llvm::CallInst &like, llvm::Value *value, CollectiveKind kind) {
    return collectiveLike(s_.b, like, value, kind);
  }

  BitShadows &s_;
  TrackedVariables &variables_;
  UseReports &uses_;
  MemoryShadows &memory_;
};

} // namespace hiplz::cpu
