// SPDX-License-Identifier: MIT
// Instructions without a vector form run one lane at a time, in a loop over the set bits of the mask. The code is never copied.
// Vectors that the loop reads or makes lie in arrays on the stack, so that a lane's value costs one access.
#pragma once
#include "cpu/vectorizer/warp/item_reads.h"
#include "cpu/vectorizer/warp/lane_masks.h"

namespace hiplz::cpu {

class LaneLoops : WarpPart {
public:
  using Values = llvm::SmallVector<llvm::Value *, 4>;

  LaneLoops(WarpContext &context, LaneValues &values, LaneMasks &masks, ItemReads &items)
      : WarpPart(context), values_(values), masks_(masks), items_(items) {}

  /// Runs `body` for every lane of the current mask, in ascending order; what it returns becomes vectors of `results`.
  Values forEachLane(llvm::ArrayRef<llvm::Type *> results, llvm::function_ref<Values(llvm::Value *lane)> body);
  /// Runs `body` for every lane, whatever the mask, in ascending order.
  void forAllLanes(llvm::function_ref<void(llvm::Value *lane)> body);

  llvm::Value *spill(llvm::Value *vector, llvm::Type *element);                     ///< an array of the lanes' values
  llvm::Value *spilled(llvm::Value *array, llvm::Value *lane, llvm::Type *element); ///< one element of such an array

  /// A copy of the instruction for each lane, with the lane's operands.
  void replicate(const llvm::Instruction &instruction);

  /// The call once for all lanes, which are of one work-group: of `function`, which takes their mask as well. The WorkItem is that of lane 0,
  /// and instead of the argument `each` comes an array of the lanes' values, or that of lane 0 and the stride if they are regular.
  void callOnce(const llvm::CallInst &call, llvm::FunctionCallee function, unsigned each = 0);

private:
  llvm::AllocaInst *laneArray(llvm::Type *element);
  llvm::Value *unspill(llvm::Value *array, llvm::Type *element);
  bool liesLikeVector(llvm::Type *stored) const;

  LaneValues &values_;
  LaneMasks &masks_;
  ItemReads &items_;
};

} // namespace hiplz::cpu
