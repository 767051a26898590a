// SPDX-License-Identifier: MIT
// Failures of the translator, explained to users.
#pragma once

#include "tools/process.h"

namespace hiplz::spirv {

/// The translator's message, up to the stack trace of a crash, which is of no use to users.
std::string messagesWithoutTrace(const Outcome &outcome);

/// One sentence for what went wrong.
std::string explain(const Outcome &outcome);

} // namespace hiplz::spirv
