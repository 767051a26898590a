// SPDX-License-Identifier: MIT
// cucc as a function: the words of an nvcc command line in, those of the hipcc command that does the same
// out. Nothing here starts a process or reads a file.
#pragma once
#include "tools/hipcc/arguments.h"

#include <functional>
#include <string>

namespace hiplz::cucc {

using hipcc::Words;

/// The command for hipcc.
struct Translation {
  std::string error; // a sentence for the user; nothing is to be run then
  Words notes;       // sentences for the user, shown under -v
  Words words;       // the arguments of hipcc
};

/// The options between commas and white space of a word such as -Xcompiler's; quotes group, and a backslash takes a
/// comma literally.
Words splitPassedOptions(std::string_view text);

/// True if an object, a static library or "-lname" in these folders holds device code that was compiled with -dc.
using HoldsDeviceCode = std::function<bool(const std::string &input, const Words &folders)>;

/// Translates the arguments behind the program's name, with response files expanded. `prefix` is the folder that
/// holds bin and include. nvcc links the device code of what it links in any case, hipcc if it is told to.
Translation translate(const Words &words, const std::string &prefix, const HoldsDeviceCode &holdsDeviceCode);

} // namespace hiplz::cucc
