// SPDX-License-Identifier: MIT
// Atomic operations. Lanes that change one address with a number nobody reads are put together first; all others go one
// after the other.
#pragma once
#include "cpu/vectorizer/warp/lane_loops.h"

namespace hiplz::cpu {

class Atomics : WarpPart {
public:
  Atomics(WarpContext &context, LaneValues &values, LaneMasks &masks, LaneLoops &loops)
      : WarpPart(context), values_(values), masks_(masks), loops_(loops) {}

  void emit(const llvm::AtomicRMWInst &update);

private:
  using Values = LaneLoops::Values;
  void addInOrder(const llvm::AtomicRMWInst &update);
  void updateLocal(const llvm::AtomicRMWInst &update);

  LaneValues &values_;
  LaneMasks &masks_;
  LaneLoops &loops_;
};

} // namespace hiplz::cpu
