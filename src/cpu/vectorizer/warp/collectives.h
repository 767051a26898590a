// SPDX-License-Identifier: MIT
// Sub-group operations as vector code. The lanes of the mask are the participants; what an operation means is what
// exec/fiber_collectives.cpp does: folds go over the participants in ascending order, and reading a lane that takes no
// part gives 0.
#pragma once
#include "cpu/vectorizer/warp/lane_loops.h"

namespace hiplz::cpu {

class Collectives : WarpPart {
public:
  Collectives(WarpContext &context, LaneValues &values, LaneMasks &masks, LaneLoops &loops)
      : WarpPart(context), values_(values), masks_(masks), loops_(loops) {}

  void emit(const llvm::CallInst &call);

private:
  using Values = LaneLoops::Values;
  llvm::Value *ballot(llvm::Value *conditions);
  llvm::Value *exchange(const llvm::CallInst &call, uint32_t code);
  llvm::Value *fold(const llvm::CallInst &call, uint32_t code);

  LaneValues &values_;
  LaneMasks &masks_;
  LaneLoops &loops_;
};

} // namespace hiplz::cpu
