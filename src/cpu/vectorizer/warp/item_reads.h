// SPDX-License-Identifier: MIT
// What a body reads of its WorkItem: ids, and the way to its launch and its worker. The warp function has a WarpState for it.
#pragma once
#include "cpu/vectorizer/warp/lane_values.h"

namespace hiplz::cpu {

class ItemReads : WarpPart {
public:
  ItemReads(WarpContext &context, LaneValues &values) : WarpPart(context), values_(values) {}

  /// Reads the WarpState, where nothing changes while the warp function runs.
  llvm::Value *field(llvm::Type *type, uint64_t offset);
  /// Writes what the load reads of the WorkItem; false if it reads something else.
  bool emit(const llvm::LoadInst &load);
  /// What a function gets that is called for one lane. It has no fiber: a body with a function that waits is declined.
  llvm::Value *workItemOf(llvm::Value *lane);

private:
  LaneValues &values_;
};

} // namespace hiplz::cpu
