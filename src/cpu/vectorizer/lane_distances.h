// SPDX-License-Identifier: MIT
// How far the accesses of neighbouring work-items are apart, for estimates that are made before anything is known of shapes.
#pragma once
#include "cpu/vectorizer/dependents.h"

#include <llvm/Analysis/ScalarEvolution.h>

#include <cstdint>
#include <optional>

namespace hiplz::cpu {

/// Lanes differ in their ids in x, and in what is made of these; a warp has one y and z as a rule.
class LaneDistances {
public:
  explicit LaneDistances(llvm::Function &body);

  /// The bytes between neighbouring lanes; nothing if they are not the same between all lanes, or not known. In a loop it is
  /// that of the first round.
  std::optional<int64_t> distance(const llvm::SCEV *expression) const;

  bool differs(const llvm::SCEV *expression) const;
  bool differs(const llvm::Instruction &instruction) const { return varying_.contains(&instruction); }

private:
  Dependents varying_;
};

} // namespace hiplz::cpu
