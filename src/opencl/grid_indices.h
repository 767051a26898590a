// SPDX-License-Identifier: MIT
// Indices of threads in the grid, as Intel's compiler for processors makes fast code of them. HIP computes them from three built-in variables
// of 32 bits, in SPIR-V of 64. Masks that cut them to 32 bits change nothing, but behind one the compiler does not see that neighbours
// access neighbouring elements. And where it computes group * size + thread itself, each group begins with that: a kernel that copies
// takes 2 to 3 percent longer than with the index that the implementation has.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace hiplz::opencl {

struct SimpleIndices {
  std::vector<std::byte> spirv;
  bool withoutOffset = false; ///< launches must pass no global offset
};

/// The module without these masks. If `joins`, with the global index for those sums too, unless kernels of the module can tell that a launch
/// has a global offset. Throws ParseError.
SimpleIndices simplifyIndices(std::span<const std::byte> module, bool joins);

} // namespace hiplz::opencl
