// SPDX-License-Identifier: MIT
// The loops over the work-groups of a launch and the warps of each, for one layout of lanes.
//
// Warps of a kernel without barriers follow each other, with the warp function inlined; where the last warp of a
// work-group may be partial and the function is small, twice: LLVM makes plain code of the copy for whole warps, and
// the one for the last warp keeps its masks. Warps that wait for each other have states in memory of the worker, and
// run
// - in step, piece by piece from barrier to barrier, if the warp function can be taken apart (vectorizer/split_barriers.h) and
//   all warps come to the same barriers: each region is a loop over the warps, and the loops follow each other like the
//   regions do. A loop of the kernel with a barrier is a loop around loops over warps;
// - in rounds, if they may come to different barriers: in a round each warp runs the region that is next for it, one loop over
//   the warps for each region that some warp is at. A warp of machine code that turns goes on in its round;
// - else on a fiber each (exec/warp_group.h). So do warps that need more stack than every thread has, and those that wait in loops for
//   what others write.
#pragma once
#include "cpu/compiler/group_loop.h"
#include "cpu/vectorizer/split_barriers.h"
#include "cpu/vectorizer/vectorizer.h"

#include <array>

namespace hiplz::cpu {

class WarpLoopBuilder final : public GroupLoopBuilder {
public:
  /// `sideBySide`: whether work-groups may be executed side by side, if faults in them are found.
  WarpLoopBuilder(Kernel &kernel, const WarpOptions &options, bool sideBySide)
      : GroupLoopBuilder(kernel), layout_(options.layout), width_(options.width), globalIds_(options.globalIds),
        sideBySide_(sideBySide) {}

  /// Makes a function of KernelFunction's type that runs the warp function, or replaces it by its regions and runs those.
  llvm::Function *build(llvm::Function &warp, bool hasBarrier, bool yields);

private:
  void enter() override;
  void runGroups(llvm::Value *const group[3], llvm::Value *many) override;
  void chooseBarriers();
  bool ownStates() const;
  llvm::Function *buildFiberFunction();
  /// A warp: the ids of its first lane, the linear one as well, and the set of lanes that have a work-item.
  struct Warp {
    std::array<llvm::Value *, 3> first;
    llvm::Value *linear, *live;
  };
  using WarpBody = llvm::function_ref<llvm::Value *(const Warp &warp)>;
  void forEachWarp(bool tells, WarpBody body);
  void forEachGroup(llvm::function_ref<void()> body);
  void forWholeAndPartial(bool tells, WarpBody body);
  void runWarps();
  void runUnlessWrapping(llvm::function_ref<void()> run);
  Warp warpAt(llvm::Value *linear, llvm::Value *live);
  void fillState(llvm::Value *state, const Warp &warp);
  void storeIds(llvm::Value *state, llvm::Value *linear);
  bool hasTable() const { return layout_ == LaneLayout::table || layout_ == LaneLayout::folded; }
  llvm::Value *allLanes();
  llvm::Value *liveLanes(llvm::Value *linear);
  void runFibers();
  void runInStep();
  llvm::Value *runRegionInStep(unsigned region);
  void runRounds();
  void runRegion(unsigned region, llvm::Value *round);
  void noteNext(llvm::Value *state, llvm::Value *region, llvm::Value *round);
  void noteTurn(llvm::Value *state, llvm::Value *then, llvm::Value *current, llvm::Value *following);
  void addTo(llvm::Value *set, llvm::Value *bits);
  llvm::Value *stateOf(llvm::Value *index);
  uint64_t stateBytes() const;
  uint64_t stride() const; // from one warp's state to the next one's
  llvm::CallInst *call(llvm::FunctionCallee callee, llvm::ArrayRef<llvm::Value *> first,
                       llvm::ArrayRef<llvm::Value *> rest);
  llvm::Value *reciprocalOf(llvm::Value *size);
  llvm::Value *like(llvm::Value *value, llvm::Value *scalar);
  llvm::Value *quotient(llvm::Value *value, unsigned d);
  llvm::Value *remainder(llvm::Value *value, llvm::Value *quotient, unsigned d);

  LaneLayout layout_;
  unsigned width_;
  bool globalIds_;
  bool sideBySide_;
  llvm::Function *warp_ = nullptr;             // null if its regions have replaced it
  WarpRegions regions_;                        // empty without
  llvm::Function *fiber_ = nullptr;            // what a fiber runs
  llvm::Function *oneByOneFunction_ = nullptr; // of work-groups in which global ids wrap
  bool oneByOne_ = false;                      // faults are found by executing the work-group again
  llvm::Value *itemCount_ = nullptr;           // work-items of a work-group
  llvm::Value *warpCount_ = nullptr;           // warps of a work-group
  llvm::Value *states_ = nullptr;              // of all warps if they wait on their own, else of one
  llvm::Value *upcoming_ = nullptr;            // where the regions of the next round are collected
  llvm::Value *turning_ = nullptr;             // and those of this round behind turns, if there are any
  llvm::Value *shared_ = nullptr;              // what warps in step have in common
  llvm::Value *frames_ = nullptr;              // of warps in step
  llvm::Value *reciprocal_[2] = {};
  std::array<llvm::Value *, 3> group_{};
  llvm::Value *many_ = nullptr; // work-groups side by side
  llvm::SmallVector<llvm::Value *, 16> arguments_;
};

} // namespace hiplz::cpu
