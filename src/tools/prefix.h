// SPDX-License-Identifier: MIT
// Where the tools are installed and which clang they use: shared by hipcc and hipconfig.
#pragma once
#include "base/find_clang.h"

#include <string>

namespace hiplz {

/// The prefix whose bin/ or lib/hiplz/clang/ holds the running program, with symbolic links resolved, so that a prefix
/// that was moved or is reached through a link in /usr/bin still finds its parts.
std::string installedPrefix();

/// The clang++ to run (base/find_clang.h).
FoundClang findClang();

/// The folder of that clang++, with symbolic links resolved: clang's other programs are there. Empty if there is none.
std::string findClangFolder();

/// Intel's offline compiler: HIPLZ_OCLOC, or ocloc in PATH. Empty if there is none.
std::string findOcloc();
inline constexpr char kNoOcloc[] = "native code for Intel's GPUs is made by ocloc, which was not found; install "
                                   "intel-opencl-icd (or intel-ocloc), let HIPLZ_OCLOC name the program, or compile "
                                   "without --offload-arch: the program then runs on these GPUs as well";

/// "7.2.53211-hiplz0.1.0": the version of the HIP API, then HIPLZ's own.
std::string hipVersionText();

} // namespace hiplz
