// SPDX-License-Identifier: MIT
// Calls of the checks (cpu/check), each once for all lanes. An access to shared memory that may wait for the next barrier needs no call: its
// row is written down.
#pragma once
#include "cpu/vectorizer/warp/lane_loops.h"

namespace hiplz::cpu {

class CheckEmitter : WarpPart {
public:
  CheckEmitter(WarpContext &context, LaneValues &values, LaneMasks &masks, LaneLoops &loops)
      : WarpPart(context), values_(values), masks_(masks), loops_(loops) {}

  /// False if it is none of these, or has to be made lane by lane.
  bool emit(const llvm::CallInst &call);

private:
  void emitAccess(const llvm::CallInst &call);
  void emitWaiting(const llvm::CallInst &call);
  llvm::Value *load(llvm::Type *type, llvm::Value *base, uint64_t offset, bool isConstant);

  LaneValues &values_;
  LaneMasks &masks_;
  LaneLoops &loops_;
};

} // namespace hiplz::cpu
