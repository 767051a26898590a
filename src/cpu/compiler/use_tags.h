// SPDX-License-Identifier: MIT
// Code of a kernel that looks at the history of its parameters' memory by itself (abi/launch_uses.h), so that accesses which cannot race with
// others of their launch need no call: the first one to a word compares with earlier launches and leaves its mark, further ones see that.
#pragma once
#include "cpu/compiler/launch_uses.h"

#include <llvm/IR/IRBuilder.h>

namespace hiplz::cpu {

class UseTags {
public:
  /// Adds the beginning of the kernel. Places of accesses have numbers up to `sites`.
  UseTags(llvm::Function &kernel, const LaunchUses &uses, size_t sites);

  struct Tagged {
    llvm::Value *address;
    uint64_t bytes;     ///< a multiple of 4, at most kMostBytes
    uint32_t parameter; ///< one that is simple
    uint32_t number;    ///< of the place
    bool writes;
    llvm::Value *isWrong; ///< the access needs a call anyway; null: never
  };
  static constexpr uint64_t kMostBytes = 16;
  bool mayTag(uint32_t parameter, uint64_t bytes) const {
    return uses_.isSimple(parameter) && !uses_.hasParts(parameter) && bytes && bytes % 4 == 0 && bytes <= kMostBytes;
  }

  /// Where to make calls for the access: where only the driver can judge it.
  std::array<llvm::Instruction *, 2> whereCalled(const Tagged &access, llvm::Instruction &instruction);

private:
  struct Parameter {
    llvm::Value *begin = nullptr, *bytes = nullptr;
    std::array<llvm::Value *, 2> launches{}, places{};
  };

  llvm::Value *load(llvm::Type *type, llvm::Value *base, uint64_t offset);
  llvm::Value *isThis(llvm::Value *tags);
  llvm::Value *isHarmless(llvm::Value *tags);
  llvm::Value *ofAllTags(llvm::Value *tags, llvm::function_ref<llvm::Value *(llvm::Value *)> test);
  llvm::Value *tagsAt(llvm::Value *tags, llvm::Value *offset, uint64_t bytes);
  llvm::Value *placeOf(llvm::Value *site);
  void mark(llvm::Value *value);
  void markBranchTo(llvm::Instruction &place);

  llvm::IRBuilder<> b_;
  const LaunchUses &uses_;
  llvm::Argument *item_;
  std::vector<Parameter> parameters_;
  llvm::Value *launch_ = nullptr, *ordered_ = nullptr, *sites_ = nullptr, *block_ = nullptr;
};

} // namespace hiplz::cpu
