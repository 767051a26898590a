// SPDX-License-Identifier: MIT
// Addresses that are strided unless an index wraps. In a[row * n + first + x] the lanes' indices of 32 bits follow one
// another, but where the sum came without a promise not to overflow (optimisers lose it when they reorder sums), the
// lanes may lie on both sides of the largest number, and be far apart as 64-bit numbers. Whether they do is one
// comparison when the code runs: nearly always there is a plain access, and else a gather or a scatter.
#pragma once
#include "cpu/vectorizer/warp/lane_values.h"

#include <optional>

namespace hiplz::cpu {

class WrappingIndices : WarpPart {
public:
  WrappingIndices(WarpContext &context, LaneValues &values) : WarpPart(context), values_(values) {}

  struct NoWrap {
    llvm::Value *holds; ///< when the code runs: the address is strided
    llvm::Value *first; ///< the first lane's address
    int64_t stride;     ///< bytes
  };
  /// Nothing if the varying address is not of this kind, or if knowing its stride would not help an access to `accessed`.
  std::optional<NoWrap> stridedUnlessWrapping(const llvm::Value *pointer, llvm::Type *accessed);
  /// Calls `emitAccess` twice: where `pointer` is strided, and where it is varying.
  void emitEitherWay(const llvm::Instruction &access, const llvm::Value *pointer, const NoWrap &condition,
                     llvm::function_ref<void()> emitAccess);

private:
  LaneValues &values_;
  unsigned assumptions_ = 0;
};

} // namespace hiplz::cpu
