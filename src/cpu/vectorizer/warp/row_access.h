// SPDX-License-Identifier: MIT
// Loads and stores of elements that lie side by side within each row of a warp (LaneLayout::folded), a shorter vector for each
// row, and loads of one element for all lanes of a row.
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

  /// True if the lanes of a row have the same address, and a warp has few rows.
  bool isSameInRows(const LaneAddress &at) const;
  llvm::Value *loadSame(llvm::Type *type, const LaneAddress &from);

private:
  bool hasFewRows() const;
  llvm::Value *rowValue(const llvm::Value *value, unsigned row);
  llvm::Value *rowAddress(const LaneAddress &at, unsigned row);
  llvm::Value *rowMask(unsigned row);
  llvm::Value *mergeRow(llvm::Value *rows, llvm::Value *wide, unsigned row); ///< takes the row of `wide`
  llvm::Constant *nowhere();

  LaneValues &values_;
  llvm::DenseMap<std::pair<const llvm::Value *, unsigned>, llvm::Value *> rowValues_;
};

} // namespace hiplz::cpu
