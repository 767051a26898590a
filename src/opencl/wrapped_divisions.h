// SPDX-License-Identifier: MIT
// Signed divisions of the smallest number by minus one. SPIR-V leaves their results open, and PoCL's are wrong. On AMD's GPUs the quotient
// is the smallest number and the remainder zero.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace hiplz::opencl {

/// The module with every signed division defined whose divisor may be minus one. Throws ParseError.
std::vector<std::byte> wrapDivisions(std::span<const std::byte> module);

} // namespace hiplz::opencl
