// SPDX-License-Identifier: MIT
// The timeline as a file that ui.perfetto.dev and chrome://tracing open.
#pragma once
#include "prof/tool/profile.h"

#include <ostream>
#include <span>

namespace hiplz::prof {

/// In the JSON form of Chrome's trace events. Times begin with the first process.
void writeTimeline(std::ostream &out, std::span<const Process> processes);

} // namespace hiplz::prof
