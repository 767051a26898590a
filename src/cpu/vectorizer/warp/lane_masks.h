// SPDX-License-Identifier: MIT
// Masks: which lanes are there. A null mask stands for all of them.
#pragma once
#include "cpu/vectorizer/warp/warp_context.h"

namespace hiplz::cpu {

class LaneMasks : WarpPart {
public:
  explicit LaneMasks(WarpContext &context) : WarpPart(context) {}

  llvm::Value *vector(llvm::Value *mask) const;
  llvm::Value *bits(llvm::Value *mask); ///< an integer with a bit for each lane
  /// The lanes of the mask for which the condition holds.
  llvm::Value *within(llvm::Value *mask, llvm::Value *condition);
  llvm::Value *any(llvm::Value *mask);                     ///< an i1
  llvm::Value *first(llvm::Value *mask, llvm::Type *type); ///< the number of the lowest lane, which must exist
  llvm::Value *last(llvm::Value *mask);                    ///< of the highest one, an i32
};

} // namespace hiplz::cpu
