// SPDX-License-Identifier: MIT
// Accesses to shared memory that no race can have, for racecheck: barriers are the only order of plain accesses within a block, so which of
// them may meet is known from the code alone if all work-items come to the same barriers. Between two barriers, variables that are only read
// need no check, and neither do those of which each work-item accesses elements of its own, nor those with nothing but atomic operations whose
// results are not used. Most of what kernels with tiles or histograms do is one of these.
#pragma once
#include "cpu/compiler/accesses.h"
#include "cpu/compiler/kernel_table.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Metadata.h>

#include <array>
#include <optional>

namespace hiplz::cpu {

/// A work-item's own part of a variable: `bytes` bytes that begin where the sum of its ids, each times a stride, says.
struct OwnElements {
  std::array<int64_t, 3> strides{};
  int64_t begin = 0;
  uint64_t bytes = 0;
};

class SharedIntervals {
public:
  /// `accesses` and `barriers` are all of the kernel, and all work-items come to these barriers. `elsewhere`: variables that other functions
  /// use.
  SharedIntervals(llvm::Function &kernel, const KernelInfo &info, llvm::ArrayRef<Access> accesses,
                  llvm::ArrayRef<llvm::CallInst *> barriers,
                  const llvm::SmallPtrSetImpl<const llvm::MDNode *> &elsewhere);

  enum class Verdict {
    mayRace,
    ordered,
    ownElements ///< no race if ownElements() of different work-items have no byte in common
  };
  Verdict verdict(const Access &access) const;
  const OwnElements &ownElements(const Access &access) const { return access_.find(keyOf(access))->second.own; }

private:
  using Key = std::pair<const llvm::Instruction *, unsigned>;
  using Object = const void *; ///< the metadata of a variable; the kernel: its dynamic memory
  struct Known {
    Object object = nullptr;
    bool isPlainRead = false, isPlain = false;
    bool isBlind = false;                ///< atomic, and tells its work-item nothing
    std::optional<OwnElements> elements; ///< what it accesses
    Verdict verdict = Verdict::ordered;
    OwnElements own;
  };

  static Key keyOf(const Access &access) { return {access.instruction, access.operand}; }
  void findObjects(llvm::Function &kernel, const KernelInfo &info,
                   const llvm::SmallPtrSetImpl<const llvm::MDNode *> &elsewhere);
  void follow(llvm::Value &address, Object object);
  void judge(llvm::ArrayRef<Key> keys);

  llvm::MapVector<Key, Known> access_;                    ///< to shared memory
  llvm::SmallPtrSet<Object, 8> lost_;                     ///< whose addresses go elsewhere
  llvm::DenseMap<const llvm::Value *, Object> addresses_; ///< all that are known to be in an object
};

/// True at run time if elements of different work-items may have bytes in common, which depends on the size of the block.
llvm::Value *mayOverlap(llvm::IRBuilder<> &b, llvm::Value *item, const OwnElements &own);

/// The bytes of dynamic shared memory from `base` on.
llvm::Value *dynamicBytes(llvm::IRBuilder<> &b, llvm::Value *item, llvm::Value *base);

/// Adds the variables of shared memory that the function uses.
void findSharedElsewhere(const llvm::Function &function, llvm::SmallPtrSetImpl<const llvm::MDNode *> &found);

} // namespace hiplz::cpu
