// SPDX-License-Identifier: MIT
// The vectoriser's interface. It turns the body of a kernel, which is the work of one work-item, into the function of a
// warp, which is the work of `width` work-items at once: a whole-function vectoriser. It knows LLVM and the layout of
// WorkItem and WarpState (abi/compiled_code.h), and nothing of SPIR-V, work-groups or threads; those belong to the
// compiler around it (compiler/vector.h), which calls warp functions and implements what they call.
//
// The body is a function as prepareModule leaves it: void(WorkItem *, arguments...), callees inlined as far as possible,
// built-in functions lowered, opaque pointers, one address space. The warp function is void(WarpState *, arguments...) with the
// same arguments, which are the same for all lanes. Where the body calls the fiber runtime with its WorkItem, the warp function
// - waits at a barrier of the work-group by hiplz_cpu_warp_barrier(), once for the warp, whichever of its
//   lanes have come; lanes that have returned are not waited for, and a warp without lanes does not come;
// - lets others run by hiplz_cpu_warp_yield(), once for the warp, where a lane would (polling.h);
// - performs sub-group operations (hiplz_cpu_collective with the scope of a sub-group) itself, as vector code.
#pragma once
#include <llvm/IR/Function.h>

#include <string>

namespace hiplz {
class ModuleDump;
}

namespace hiplz::cpu {

/// How the lanes of a warp relate to the ids of work-items. Lanes are consecutive linear ids, x fastest, in every layout.
enum class LaneLayout {
  rows, ///< groupSize[0] is a multiple of the width. All lanes are live; lane i has x = firstId[0] + i; y and z are uniform.
  line, ///< groupSize[1] and groupSize[2] are 1. Only the lanes of WarpState::live exist; lane i has x = firstId[0] + i.
  folded, ///< groupSize[0] is WarpOptions::rowLanes: a warp has several rows of a work-group, lane i x = i % rowLanes. y and z stand in
          ///< tables, and only the lanes of WarpState::live exist.
  singles, ///< work-groups of one work-item. Lane i is that of the work-group groupId[0] + i in x; y and z are uniform.
  blocks, ///< several small work-groups, neighbours in x: ids stand in the tables of WarpState, but for those of the work-group in y
          ///< and z, which are uniform.
  table,  ///< any shape: local ids stand in WarpState::localId, and only the lanes of WarpState::live exist.
};

/// The properties of a kernel that decide how it may be vectorised.
struct KernelTraits {
  bool hasBarrier = false;      ///< waits for its work-group
  bool yields = false;          ///< waits in loops for what other work-items write
  bool usesLocalMemory = false; ///< has memory in common with its work-group
  bool needsWholeWarp =
      false; ///< can tell how wide a warp is: sub-group operations and ids, volatile memory, waiting loops
  bool gainsFromWideWarps = false; ///< see wide_warps.h
  bool sharesColumns = false;      ///< see wide_warps.h
  bool walksRows = false;          ///< is faster one work-item after the other: row_loops.h
  std::string refusal; ///< why it cannot be vectorised at all, with its source line where that is known; else empty
};

/// True if a warp may have lanes of several work-groups.
inline bool mixesGroups(LaneLayout layout) { return layout == LaneLayout::singles || layout == LaneLayout::blocks; }

/// Properties that do not depend on the shape of blocks. Kernels whose lanes exchange values in memory need whole warps besides (lanes_in_step.h).
KernelTraits inspectKernel(llvm::Function &body);

struct WarpOptions {
  unsigned width = 32; ///< 8, 16 or 32; 32 for kernels that need whole warps
  LaneLayout layout = LaneLayout::table;
  /// The caller promises that within a warp groupId[0] * groupSize[0] + localId[0] does not wrap, neither as a signed
  /// number of 32 bits nor as an unsigned one, and sets WarpState::firstGlobalX. Not for LaneLayout::table. With
  /// LaneLayout::blocks it promises as well that work-groups have one row.
  bool globalIds = false;
  unsigned rowLanes = 0;  ///< with LaneLayout::folded: a power of two below the width
  bool masksCost = false; ///< the processor has no masks of its own: coherent_branches.cpp
  bool masksHide =
      false; ///< it has masks, but does not look ahead where accesses have one: AMD's; coherent_branches.cpp
  bool fetchesFar = false;   ///< AMD's processors; prefetch.h says why
  bool rollsUpdates = false; ///< for AMD's processors: LaneLoops::forAllLanes says why
};

/// Adds the warp function to the module of `body`, which stays as it is. Null, with the module unchanged and a sentence in
/// `reason`, if the kernel cannot be vectorised. `dump`, which may be null, gets the module after each pass that changes it (passes.def).
llvm::Function *vectorize(llvm::Function &body, const WarpOptions &options, std::string &reason,
                          ModuleDump *dump = nullptr);

/// An attribute of warp functions whose work-groups gain from being executed side by side (side_by_side.h).
inline constexpr char kSideBySide[] = "hiplz-side-by-side";

/// Passes take the options from attributes of the body: "hiplz-warp-width"="16", "hiplz-lane-layout"="rows", "hiplz-row-lanes"="8",
/// "hiplz-global-ids", "hiplz-masks-cost", "hiplz-masks-hide", "hiplz-rolls-updates". What is missing has its default value.
void setWarpOptions(llvm::Function &body, const WarpOptions &options);
WarpOptions warpOptionsOf(const llvm::Function &body);

/// The layout's name in attributes and options: "rows" for LaneLayout::rows.
llvm::StringRef nameOf(LaneLayout layout);

} // namespace hiplz::cpu
