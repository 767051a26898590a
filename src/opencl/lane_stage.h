// SPDX-License-Identifier: MIT
// Shuffles, ballots and votes, for compilers that get them wrong, and for lanes that take no part: HIP's programs read them, and SPIR-V
// leaves open what they read.
#pragma once
#include "opencl/spirv_stage.h"

namespace hiplz::opencl {

/// The module with the operations of sub-groups that `how` asks for. Throws ParseError.
std::vector<std::byte> adaptLanes(std::span<const std::byte> module, const Adaptation &how);

} // namespace hiplz::opencl
