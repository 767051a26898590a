// SPDX-License-Identifier: MIT
// Loads and stores of elements that lie side by side within each row of a warp (LaneLayout::folded): a shorter vector
// for each row.
#pragma once
#include "cpu/vectorizer/warp/lane_values.h"
#include "cpu/vectorizer/warp/masked_access.h"

namespace hiplz::cpu {

class RowAccess : WarpPart {
public:
  RowAccess(WarpContext &context, LaneValues &values) : WarpPart(context), values_(values) {}

  /// True if elements of `size` bytes lie like that, and a warp has few rows.
  bool liesInRows(const LaneAddress &at, int64_t size) const;
  llvm::Value *load(llvm::Type *type, const LaneAddress &from);
  void store(llvm::Value *value, const LaneAddress &to);

private:
  llvm::Value *rowValue(const llvm::Value *value, unsigned row);
  llvm::Value *rowAddress(const LaneAddress &at, unsigned row);
  llvm::Value *rowMask(unsigned row);

  LaneValues &values_;
  llvm::DenseMap<std::pair<const llvm::Value *, unsigned>, llvm::Value *> rowValues_;
};

} // namespace hiplz::cpu
