// SPDX-License-Identifier: MIT
// Modules as some compilers of OpenCL need them to make the right code. The stage changes how a module says what it says, and tells
// the driver what launches of its kernels must then do.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hiplz::opencl {

struct Adaptation {
  /// Shuffles are kept where they stand. Intel's compiler for processors takes them for functions without side effects and moves
  /// them into the branch that uses the result, where fewer lanes take part.
  bool pinShuffles = false;
  /// Work-groups have one dimension. Intel's compiler for processors fills sub-groups from one row of the group only. Kernels find
  /// the shape that the application asked for in the upper halves of the global offset (see shapedOffset).
  bool flattenGroups = false;
  /// Functions that Intel's compilers for GPUs bring along are defined: the clock by an instruction, slices and subslices as 0.
  bool defineClock = false, defineSlices = false;
  /// Non-uniform votes are made from ballots, which have 32 bits.
  bool votesFromBallots = false;
  /// A shuffle that reads a lane which takes no part gives 0, as on the CPU device. HIP and SPIR-V leave it open.
  bool zeroAbsentLanes = false;
  /// Lanes that take part are found by counting work-items, where all that there are reach every operation of the sub-group. PoCL's ballots
  /// name lanes behind the end of the group.
  bool countLanes = false;
  /// Indices in the grid are the implementation's, not computed from those in the group (opencl/grid_indices.h). Not in flat modules.
  bool joinIndices = false;
  /// The smallest number divided by minus one wraps.
  bool wrapDivisions = false;
  /// Undefined numbers are zero. LLVM's loop vectoriser makes undefined results of loops in which a variable begins with one
  /// (cpu/compiler/loop_starts.h has the same for the CPU device).
  bool zeroUndefined = false;
};

struct AdaptedModule {
  std::vector<std::byte> spirv;
  bool isFlat = false;        ///< launches must pass one dimension, and the shape in the offset
  bool withoutOffset = false; ///< launches must pass no global offset, which the kernels do not see
};

/// The module for a compiler that needs `how`. Modules without operations of sub-groups are not flattened. In any case the limits of
/// group sizes go, which are an extension, exported variables are no constants, and ids are not cut to 32 bits. Throws ParseError.
AdaptedModule adapt(std::span<const std::byte> module, const Adaptation &how);

/// A global offset with the size of the group in this dimension, of which 1 is nothing.
constexpr size_t shapedOffset(size_t offset, size_t groupSize) { return offset | (groupSize - 1) << 32; }

} // namespace hiplz::opencl
