// SPDX-License-Identifier: MIT
// Where clang is: the tools run it, and the runtime runs the programs beside it to link device code.
#pragma once
#include <string>

namespace hiplz {

/// The program of this name in PATH, or itself if it is a path; empty if there is none that can be executed, or it is
/// the clang++ of the installed prefix (lib/hiplz/clang/clang++), which runs hipcc and must not be what hipcc runs.
std::string findProgram(const std::string &program, const std::string &prefix);

struct FoundClang {
  std::string path;    ///< empty if there is none
  std::string problem; ///< then a sentence: which version is needed and what was found instead
};

/// The clang++ to run: HIPLZ_CLANG; clang++ in the folder HIP_CLANG_PATH; the one that HIPLZ was built with; the clang++
/// of that version or clang++ in PATH. Never that of the prefix, and none of another version than HIPLZ was built with.
FoundClang findClang(const std::string &prefix);

} // namespace hiplz
