// SPDX-License-Identifier: MIT
// The shadows of a function's values: what they are, and the code that makes them.
#pragma once
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/InstSimplifyFolder.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace hiplz::cpu {

/// The type of a value's shadow; null if it has none.
llvm::Type *shadowType(llvm::Type *type);

bool isZero(const llvm::Value *shadow);

/// A value that nobody has given. Parts of vectors and structures without a value are padding more often than not.
bool isUndefinedScalar(const llvm::Value *value);

/// Where code begins that needs the result of an instruction.
llvm::Instruction *behind(llvm::Instruction &instruction);

class BitShadows {
public:
  using Builder = llvm::IRBuilder<llvm::InstSimplifyFolder>;

  explicit BitShadows(llvm::Function &function)
      : function(function), module(*function.getParent()), layout(module.getDataLayout()),
        b(function.getContext(), llvm::InstSimplifyFolder(layout)) {}

  llvm::Function &function;
  llvm::Module &module;
  const llvm::DataLayout &layout;
  Builder b;
  llvm::Instruction *prologue = nullptr; ///< what is needed everywhere stands before it

  /// Values whose shadow may not be zero.
  bool isSuspect(const llvm::Instruction *instruction) const { return suspects_.contains(instruction); }
  bool suspect(const llvm::Instruction &instruction) { return suspects_.insert(&instruction).second; }

  llvm::Value *shadowOf(const llvm::Value *value);
  void setShadow(const llvm::Instruction &instruction, llvm::Value *shadow) { shadows_[&instruction] = shadow; }

  /// True if a bit is set, as one bit.
  llvm::Value *any(llvm::Value *shadow);

  /// All bits of an element of `type` if a bit of the element is set; of all elements if the numbers of elements differ.
  llvm::Value *spread(llvm::Value *shadow, llvm::Type *type);

  /// A phi beside another one, which is filled in later.
  llvm::PHINode *twinOf(const llvm::PHINode &phi, llvm::Type *type);
  /// All of them have been filled in.
  void endTwins();

  /// Instructions of ours are not visited.
  template <class T> T *mark(T *value) {
    if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(value))
      made_.insert(instruction);
    return value;
  }
  bool isOurs(const llvm::Instruction *instruction) const { return made_.contains(instruction); }

  /// Code goes behind the instruction from here on.
  void start(llvm::Instruction &instruction);

  /// Metadata of a branch that is taken only if there is something to report.
  llvm::MDNode *unlikely();

private:
  llvm::SmallPtrSet<const llvm::Instruction *, 32> suspects_;
  llvm::SmallPtrSet<const llvm::Instruction *, 16> made_;
  llvm::DenseMap<llvm::Type *, llvm::Instruction *> unknown_;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> shadows_;
};

} // namespace hiplz::cpu
