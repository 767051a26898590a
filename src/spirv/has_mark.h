// SPDX-License-Identifier: MIT
// Finds the marks of base/spirv_marks.h in a module.
#pragma once
#include "base/spirv_marks.h"
#include "spirv/words.h"

namespace hiplz::spirv {

/// True if a module carries a mark. Pure; a damaged module has none.
inline bool hasMark(std::span<const std::byte> bytes, std::string_view mark) {
  const Words words(bytes);
  bool found = false;
  if (words.beginLikeSpirv())
    walk(words, [&](const Instruction &in) {
      if (in.op() == spv::OpSourceExtension)
        if (const auto text = in.literal(0); text && text->text == mark)
          found = true;
      return !found && in.op() != spv::OpFunction;
    });
  return found;
}

} // namespace hiplz::spirv
