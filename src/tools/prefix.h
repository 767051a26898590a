// Where the tools are installed and which clang they use: shared by hipcc and hipconfig.
#pragma once
#include <string>

namespace hiplz {

/// The folder above the one that holds the running program, with symbolic links resolved, so that a prefix that was
/// moved or is reached through a link in /usr/bin still finds its parts.
std::string installedPrefix();

/// The clang++ to run: HIPLZ_CLANG; clang++ in the folder HIP_CLANG_PATH; the one that HIPLZ was built with; the clang++
/// of that version or clang++ in PATH. Empty if there is none.
std::string findClang();

/// "6.4.43484-hiplz0.1.0": the version of the HIP API, then HIPLZ's own.
std::string hipVersionText();

} // namespace hiplz
