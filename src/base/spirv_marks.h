// SPDX-License-Identifier: MIT
// Notes of the link-time passes about a whole SPIR-V module for those who have it compiled, in instructions without meaning for
// others (OpSourceExtension), and of kernels in their names.
#pragma once

namespace hiplz::spirv {

/// Divisions and square roots of float are to be rounded correctly.
inline constexpr char kCorrectlyRounded[] = "hiplz_correctly_rounded_divide_sqrt";
/// The option with which drivers' compilers do that.
inline constexpr char kCorrectlyRoundedOption[] = "-ze-fp32-correctly-rounded-divide-sqrt";

/// A kernel that reaches recursive functions is there twice: this behind its name marks the form for compilers without recursion.
inline constexpr char kFramesSuffix[] = ".frames";

/// How marks begin that name a kernel and, behind a space, what it needs and HIPLZ does not have.
inline constexpr char kMissing[] = "hiplz_missing ";

} // namespace hiplz::spirv
