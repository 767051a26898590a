// SPDX-License-Identifier: MIT
// Numbers that a kernel computes from the ids of its work-items, as sums of products: an index is mostly an id, or ids times numbers that are
// known when the kernel is launched. Racecheck learns from them which elements are a work-item's own.
#pragma once
#include "cpu/abi/launch_uses.h"
#include "cpu/compiler/kernel_table.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Value.h>

#include <array>
#include <map>
#include <optional>

namespace hiplz::cpu {

/// The factors of a product, in rising order (abi/launch_uses.h); unused ones are 0 and come first.
using Factors = std::array<uint16_t, kUseFactors>;

struct IndexSum {
  std::map<Factors, int64_t> products; ///< how many times each is taken

  bool operator==(const IndexSum &) const = default;
  bool hasRounds() const;
  /// True if it is the same for all work-items of a launch, at any time.
  bool isUniform() const;
  /// Without what is the same for all launches, which is the result.
  int64_t takeConstant();
};

/// A number of 32 bits that is used as one of 64: the sum is right if it does not leave the range.
struct NarrowSum {
  IndexSum sum;
  bool isUnsigned = false;
  bool operator==(const NarrowSum &) const = default;
};

class IndexSums {
public:
  IndexSums(const KernelInfo &kernel, const llvm::DataLayout &layout) : kernel_(kernel), layout_(layout) {}

  /// Bytes from an address to one that has been made of it by offsets alone. Nothing if it is another kind of number.
  std::optional<IndexSum> between(const llvm::Value *base, const llvm::Value *pointer,
                                  llvm::SmallVectorImpl<NarrowSum> &narrow);

private:
  std::optional<IndexSum> sumOf(const llvm::Value *value, unsigned depth);
  std::optional<IndexSum> ofLoad(const llvm::Value *value) const;
  std::optional<IndexSum> ofRounds(const llvm::Value *value, unsigned depth);
  std::optional<IndexSum> widened(std::optional<IndexSum> sum, bool isUnsigned);

  const KernelInfo &kernel_;
  const llvm::DataLayout &layout_;
  llvm::SmallVectorImpl<NarrowSum> *narrow_ = nullptr;
};

} // namespace hiplz::cpu
