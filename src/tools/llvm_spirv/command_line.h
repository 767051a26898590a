// SPDX-License-Identifier: MIT
// The command line by which clang calls the translator, and the one that it should have used.
#pragma once

#include <string>
#include <vector>

namespace hiplz::spirv {

struct CommandLine {
  std::vector<std::string> arguments; ///< for the translator, without its name
  std::string output;                 ///< file that will hold the module; empty: none that we may change
};

/// Replaces the version and the extensions that clang names, for drivers of today, and keeps everything else.
CommandLine rewriteCommandLine(const std::vector<std::string> &arguments);

/// The translator: $HIPLZ_LLVM_SPIRV, the one found when HIPLZ was built, or one on the PATH that is not \p self.
/// Empty if there is none.
std::string findTranslator(const std::string &self);

} // namespace hiplz::spirv
