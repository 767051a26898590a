// SPDX-License-Identifier: MIT
// Kernels whose barriers OpenCL does not promise to execute: it wants all work-items of a group to reach each barrier, as kernels of
// Level Zero and HIP need not if the others have returned. Compilers for processors cut kernels at their barriers, and the code that
// they make of such a kernel computes something else.
#pragma once
#include <cstddef>
#include <set>
#include <span>
#include <string>

namespace hiplz::opencl {

/// The names of the kernels in which a branch whose condition depends on the work-item leads to a barrier or past it. Loads are
/// taken for uniform if their addresses are, so what all work-items read in the same place decides nothing. Throws ParseError.
/// `withSubgroups`: operations of sub-groups are barriers, too, for compilers that execute them as such.
std::set<std::string> kernelsWithUnevenBarriers(std::span<const std::byte> module, bool withSubgroups = false);

} // namespace hiplz::opencl
