// SPDX-License-Identifier: MIT
// Calls: intrinsics with a vector form, the runtime's barrier, sub-group operations, and everything else lane by lane.
#pragma once
#include "cpu/vectorizer/warp/check_emitter.h"
#include "cpu/vectorizer/warp/collectives.h"
#include "cpu/vectorizer/warp/memory_access.h"

namespace hiplz::cpu {

class Calls : WarpPart {
public:
  Calls(WarpContext &context, LaneValues &values, LaneMasks &masks, LaneLoops &loops, Arithmetic &arithmetic,
        MemoryAccess &memory)
      : WarpPart(context), values_(values), loops_(loops), arithmetic_(arithmetic), memory_(memory),
        collectives_(context, values, masks, loops), checks_(context, values, masks, loops) {}

  void emit(const llvm::CallInst &call);

private:
  bool emitIntrinsic(const llvm::CallInst &call);
  void prefetchLanes(const llvm::CallInst &call);
  void prefetchSome(const llvm::CallInst &call, uint64_t bytes);
  llvm::Value *ofLane(const llvm::Value *value, unsigned lane);
  llvm::Value *saturated(const llvm::CallInst &call, bool isSigned);

  LaneValues &values_;
  LaneLoops &loops_;
  Arithmetic &arithmetic_;
  MemoryAccess &memory_;
  Collectives collectives_;
  CheckEmitter checks_;
};

} // namespace hiplz::cpu
