// SPDX-License-Identifier: MIT
// Runs hipcc and adds a sentence of its own to messages of the compiler that do not say what a CUDA programmer has to know.
#pragma once
#include "tools/hipcc/arguments.h"

#include <string>
#include <string_view>

namespace hiplz::cucc {

/// The sentence about what the compiler said, or nothing.
std::string explanationOf(std::string_view messages);

/// Runs the command, passes its standard error on as it comes, and explains it. Returns the exit code; if a signal ended the
/// command, it ends this process, too. Returns 127 if the command cannot be started.
int runAndExplain(hipcc::Words command);

} // namespace hiplz::cucc
