// SPDX-License-Identifier: MIT
// The body reads its ids, its launch and its worker from a WorkItem. The warp function reads them from a WarpState.
#pragma once
#include "cpu/vectorizer/warp/lane_values.h"

namespace hiplz::cpu {

class ItemReads : WarpPart {
public:
  ItemReads(WarpContext &context, LaneValues &values) : WarpPart(context), values_(values) {}

  /// Reads the WarpState, where nothing changes while the warp function runs.
  llvm::Value *field(llvm::Type *type, uint64_t offset);
  /// Emits the load if it reads the WorkItem; false if it reads something else.
  bool emit(const llvm::LoadInst &load);
  /// A WorkItem for a function that is called for one lane. It has no fiber: a body with a function that waits is declined.
  llvm::Value *workItemOf(llvm::Value *lane);

private:
  LaneValues &values_;
};

} // namespace hiplz::cpu
