// SPDX-License-Identifier: MIT
// Where clang is: the tools run it, and the runtime runs the programs beside it to link device code.
#pragma once
#include <string>

namespace hiplz {

/// The program of this name in PATH, or itself if it is a path; empty if there is none that can be executed, or it is
/// the clang++ of the installed prefix (lib/hiplz/clang/clang++), which runs hipcc and must not be what hipcc runs.
std::string findProgram(const std::string &program, const std::string &prefix);

/// The clang++ to run: HIPLZ_CLANG; clang++ in the folder HIP_CLANG_PATH; the one that HIPLZ was built with; the clang++
/// of that version or clang++ in PATH. Empty if there is none. Never that of the prefix.
std::string findClang(const std::string &prefix);

} // namespace hiplz
