// SPDX-License-Identifier: MIT
// Addresses that are strided unless something rare happens, which one comparison finds out when the code runs. Nearly always there is a
// plain access, and else a gather or a scatter. Two things are rare:
//
// - An index wraps. In a[row * n + first + x] the lanes' indices of 32 bits follow one another, but where the sum came without a promise
//   not to overflow (optimisers lose it when they reorder sums), the lanes may lie on both sides of the largest number, and be far apart
//   as 64-bit numbers.
// - An index is clamped. In a[min(x, n - 1)] and a[max(x - 1, 0)], as stencils have them, the bound only changes indices at the edges of
//   the data.
#pragma once
#include "cpu/vectorizer/warp/lane_values.h"

#include <llvm/IR/IntrinsicInst.h>
#include <optional>

namespace hiplz::cpu {

class LikelyStrides : WarpPart {
public:
  LikelyStrides(WarpContext &context, LaneValues &values) : WarpPart(context), values_(values) {}

  struct Likely {
    llvm::Value *holds; ///< when the code runs: the address is strided
    llvm::Value *first; ///< the first lane's address, if it is
    int64_t stride;     ///< bytes
  };
  /// Nothing if the varying address is not of this kind, or if knowing its stride would not help an access to `accessed`.
  std::optional<Likely> strideOf(const llvm::Value *pointer, llvm::Type *accessed);
  /// Calls `emitAccess` twice: where `pointer` is strided, and where it is varying.
  void emitEitherWay(const llvm::Instruction &access, const llvm::Value *pointer, const Likely &likely,
                     llvm::function_ref<void()> emitAccess);

private:
  /// The lanes' numbers, or addresses, are first + lane * stride, if all of the conditions hold.
  struct Progression {
    llvm::Value *first;
    int64_t stride;
  };
  /// Conditions for a progression, in the order in which they are found.
  using Conditions = llvm::SmallVector<llvm::Value *, 4>;
  std::optional<Progression> progressionOf(const llvm::Value *value, Conditions &conditions, unsigned depth);
  std::optional<Progression> ofSum(const llvm::BinaryOperator &sum, Conditions &conditions, unsigned depth);
  std::optional<Progression> ofExtension(const llvm::CastInst &cast, Conditions &conditions, unsigned depth);
  std::optional<Progression> ofClamp(const llvm::MinMaxIntrinsic &clamp, Conditions &conditions, unsigned depth);
  std::optional<Progression> ofAddress(const llvm::GetElementPtrInst &address, Conditions &conditions, unsigned depth);
  std::optional<llvm::APInt> distance(const Progression &numbers) const;
  llvm::Value *staysWithin(const Progression &numbers, const llvm::APInt &distance, bool isSigned);

  LaneValues &values_;
  unsigned assumptions_ = 0;
};

} // namespace hiplz::cpu
