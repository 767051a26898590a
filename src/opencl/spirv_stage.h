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
  /// them into the branch that uses the result, where fewer lanes take part. Lanes that take no part give 0.
  bool pinShuffles = false;
  /// Work-groups have one dimension. Intel's compiler for processors fills sub-groups from one row of the group only. Kernels find
  /// the shape that the application asked for in the upper halves of the global offset (see shapedOffset).
  bool flattenGroups = false;
  /// Functions that Intel's compilers for GPUs bring along are defined: the clock by an instruction, slices and subslices as 0.
  bool defineClock = false, defineSlices = false;
  /// Non-uniform votes are made from ballots, which have 32 bits.
  bool votesFromBallots = false;
};

struct AdaptedModule {
  std::vector<std::byte> spirv;
  bool isFlat = false; ///< launches must pass one dimension, and the shape in the offset
};

/// The module for a compiler that needs `how`. Modules without operations of sub-groups are not flattened. In any case the limits of
/// group sizes go, which are an extension, and exported variables are no constants. Throws ParseError.
AdaptedModule adapt(std::span<const std::byte> module, const Adaptation &how);

/// A global offset with the size of the group in this dimension.
constexpr size_t shapedOffset(size_t offset, size_t groupSize) { return offset | groupSize << 32; }

} // namespace hiplz::opencl
