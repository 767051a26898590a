// SPDX-License-Identifier: MIT
// Writes the warp function: goes over the structured body once, in an order in which definitions come before uses, and has
// each instruction written by the class for its kind. These classes have a WarpContext in common, and know each other only as far as their
// constructors say:
//
//   LaneValues    the scalar and the vector of each value
//   LaneMasks     which lanes are there
//   ControlFlow   blocks, their masks, branches, phis
//   ItemReads     ids and the like
//   LaneLoops     what is done lane by lane
//   Arithmetic, MemoryAccess, Atomics, Calls (Collectives)
#pragma once
#include "cpu/vectorizer/warp/atomics.h"
#include "cpu/vectorizer/warp/calls.h"
#include "cpu/vectorizer/warp/control_flow.h"

namespace hiplz::cpu {

class WarpBuilder {
public:
  /// `warp` is an empty function with the parameters of `body`, which is structured and analysed.
  WarpBuilder(llvm::Function &body, llvm::Function &warp, const ShapeInfo &shapes, const WarpOptions &options);

  /// Fills the warp function. False, with a sentence in `reason`, if something in the body has no vector form.
  bool build(std::string &reason);

private:
  void emit(const llvm::Instruction &instruction);

  WarpContext context_;
  LaneValues values_;
  LaneMasks masks_;
  ItemReads items_;
  ControlFlow control_;
  LaneLoops loops_;
  Arithmetic arithmetic_;
  MemoryAccess memory_;
  Atomics atomics_;
  Calls calls_;
};

} // namespace hiplz::cpu
