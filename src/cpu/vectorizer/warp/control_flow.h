// SPDX-License-Identifier: MIT
// Blocks, masks, branches and phis of the warp function.
//
// The blocks of the body become blocks of the warp function one to one (with loops over lanes inside some). Each has a mask: the lanes
// that are there. A divergent if jumps over what it guards when no lane wants to go there, and a divergent loop goes on while any lane
// does, so that **no block runs with an empty mask**. That is why uniform values can be computed by scalar code, loads and stores
// included, and why masked accesses never have an empty mask (which is slow on pages that are not present).
#pragma once
#include "cpu/vectorizer/warp/item_reads.h"
#include "cpu/vectorizer/warp/lane_masks.h"

namespace hiplz::cpu {

class ControlFlow : WarpPart {
public:
  ControlFlow(WarpContext &context, LaneValues &values, LaneMasks &masks, ItemReads &items)
      : WarpPart(context), values_(values), masks_(masks), items_(items) {}

  void createBlocks();
  /// The code of `block` comes next: makes its phis and its mask. Blocks come in reverse post-order.
  void begin(const llvm::BasicBlock &block);
  void emitTerminator(const llvm::BasicBlock &block);
  /// All blocks are written.
  void completePhis();

private:
  llvm::Value *maskOf(const llvm::BasicBlock &block);
  void createPhis(const llvm::BasicBlock &block);
  void createTrackers(const llvm::Loop &loop);
  void completePhi(const llvm::PHINode &phi);

  LaneValues &values_;
  LaneMasks &masks_;
  ItemReads &items_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> starts_, ends_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::Value *> blockMasks_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::Value *> guardMasks_; // of guarded blocks
  llvm::DenseMap<const llvm::Loop *, llvm::PHINode *> loopMasks_;
  llvm::DenseMap<const llvm::PHINode *, llvm::PHINode *> trackers_; // of what leaves a divergent loop
  llvm::DenseMap<const llvm::PHINode *, llvm::PHINode *> phis_;     // of the body, in the warp function
};

} // namespace hiplz::cpu
