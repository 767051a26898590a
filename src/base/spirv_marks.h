// SPDX-License-Identifier: MIT
// Notes of the link-time passes about a whole SPIR-V module for those who have it compiled, in instructions without meaning for
// others (OpSourceExtension), and of kernels in their names.
#pragma once
#include "base/spirv_words.h"

namespace hiplz::spirv {

/// Divisions and square roots of float are to be rounded correctly.
inline constexpr char kCorrectlyRounded[] = "hiplz_correctly_rounded_divide_sqrt";
/// The option with which drivers' compilers do that.
inline constexpr char kCorrectlyRoundedOption[] = "-ze-fp32-correctly-rounded-divide-sqrt";

/// A kernel that reaches recursive functions is there twice: this behind its name marks the form for compilers without recursion.
inline constexpr char kFramesSuffix[] = ".frames";

/// How marks begin that name a kernel and, behind a space, what it needs and HIPLZ does not have.
inline constexpr char kMissing[] = "hiplz_missing ";

/// True if a module carries a mark. Pure; a damaged module has none.
inline bool hasMark(std::span<const std::byte> bytes, std::string_view mark) {
  const Words words(bytes);
  if (!words.beginLikeSpirv())
    return false;
  for (size_t at = kHeaderWords; at < words.count();) {
    const Instruction instruction(words, at);
    if (!instruction.whole() || instruction.op() == spv::OpFunction)
      return false;
    if (instruction.op() == spv::OpSourceExtension)
      if (const auto found = instruction.literal(0); found && found->text == mark)
        return true;
    at = instruction.end();
  }
  return false;
}

} // namespace hiplz::spirv
