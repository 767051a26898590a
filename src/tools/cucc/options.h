// SPDX-License-Identifier: MIT
// The options of nvcc that cucc knows: their names, whether a value belongs to them, and what becomes of them.
#pragma once
#include <optional>
#include <string_view>

namespace hiplz::cucc {

/// The fate of an option of nvcc's.
enum class Fate {
  ignore,      // it has no meaning here; a note says so
  rename,      // another name, without the value if it has none there
  join,        // another name with the value joined to it
  separate,    // another name and the value in words of their own
  passHost,    // the value is options for clang
  passLinker,  // the value is words for the linker
  language,    // -x
  relocatable, // true or false
  perThread,   // the default stream
  contraction, // -fmad
  precision,   // of divisions or square roots
  werror,      // kinds of warnings
  outputFolder,
  deviceDebug, // another name, and kernels as they are written
  refuse,      // `becomes` tells why
};

/// An option of nvcc's.
struct Option {
  std::string_view longName, shortName; // without dashes; nvcc takes both with one or two
  bool takesValue;                      // behind '=' or in the next word
  Fate fate;
  std::string_view becomes;
};

/// The option that a word names ("--std=c++17", "-std"), or nothing. The text behind '=' is stored in `value`.
const Option *findOption(std::string_view word, std::optional<std::string_view> &value);

} // namespace hiplz::cucc
