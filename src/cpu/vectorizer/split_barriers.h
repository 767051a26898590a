// SPDX-License-Identifier: MIT
// Takes a warp function with barriers apart, so that all warps of a work-group can pass a barrier without a stack for each:
//
//     warp:                    region 0:                     for every round
//       a = load x               a = load x                    for every warp that has not ended
//       barrier                  frame.a = a; return 1           warp.next = region[warp.next](warp)
//       store y, a             region 1:
//       return                   store y, frame.a; return ended
//
// Each warp has its own next region, so warps may leave a loop at different times, return early, or wait at different
// barriers. The frame holds what a warp carries across barriers (barrier_crossings.h); the loop around the regions is the
// caller's (compiler/warp_loop.h).
//
// Most kernels send all warps to the same barriers (group_uniformity.h). Then every warp of a round names the same next
// region, and what is the same in all warps is kept once for the work-group, in two copies: a region reads the first and
// writes the second, since the warp that comes next has to find what this one has found. The caller copies the second onto
// the first when all warps have ended the region.
//
// A turn ends a region, too (barrier_crossings.h). Where all warps come to the same ones it is a barrier.
#pragma once
#include <llvm/IR/Function.h>

#include <optional>
#include <string>
#include <vector>

namespace hiplz::cpu {

/// The number that a region returns instead of a region's when the warp has ended; also the most regions there may be.
constexpr uint32_t kEndedRegion = 63;

/// Added to the number that a region returns, in step only: warps with larger x and the same y and z would do nothing in this
/// region and return the same, so they need not be run (idle_warps.h).
constexpr uint32_t kNoWarpFollows = 64;

/// Added to the number that a region returns, not in step: the region ends with a turn and not with a barrier. The warp goes on before the
/// barrier that others are at, and behind those of its round that have not come as far.
constexpr uint32_t kTurns = 128;

struct WarpRegions {
  /// i32(WarpState *, ptr frame, ptr shared, arguments...): region i. Returns the number of the region that follows the next
  /// barrier, with kNoWarpFollows or kTurns if that is so. `shared` has 2 * sharedBytes.
  std::vector<llvm::Function *> functions;
  uint64_t frameBytes = 0; ///< of each warp, aligned to 64; its content need not be initialised
  bool inStep = false;     ///< all warps return the same number when they have executed the same regions
  bool turns = false;      ///< a region may return kTurns
  std::vector<std::vector<unsigned>> following; ///< what each region can return, ascending

  /// A value that all warps have in common; only if they are in step.
  struct SharedValue {
    llvm::Type *type;
    uint64_t offset;
  };
  std::vector<SharedValue> shared;
  uint64_t sharedBytes = 0; ///< aligned to 64; its content need not be initialised
};

/// Replaces the warp function of so many lanes, which is erased, by functions of its regions. Nothing, and a sentence in `reason`, if that
/// cannot be done; the function then means what it meant before. What it calls must not have barriers.
std::optional<WarpRegions> splitAtBarriers(llvm::Function &warp, unsigned width, std::string &reason);

} // namespace hiplz::cpu
