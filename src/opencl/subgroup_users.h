// SPDX-License-Identifier: MIT
// Kernels with operations of sub-groups. PoCL leaves a call of its own in such a kernel when it compiles it for groups of one work-item, and
// ends the process when the kernel is launched.
#pragma once
#include <cstddef>
#include <set>
#include <span>
#include <string>

namespace hiplz::opencl {

/// The names of the kernels that have such an operation, or call functions that do. Throws ParseError.
std::set<std::string> kernelsWithSubgroups(std::span<const std::byte> module);

} // namespace hiplz::opencl
