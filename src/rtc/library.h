// SPDX-License-Identifier: MIT
// Where this library is installed, and the compiler beside it.
#pragma once
#include "rtc/compiler_interface.h"

namespace hiplz::rtc {

/// The folder above lib, with symbolic links resolved; empty if it cannot be found.
const std::string &installedPrefix();

/// The file of the compiler's library.
std::string compilerLibrary();

struct Compiler {
  CompileFunction compile = nullptr;
  LinkFunction link = nullptr;
  std::string problem; ///< a sentence, if the compiler cannot be loaded
};

/// The compiler, which stays loaded. What kept it from being loaded may be gone at the next call. Thread-safe.
Compiler compiler();

} // namespace hiplz::rtc
