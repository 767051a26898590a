// SPDX-License-Identifier: MIT
// Work of the driver for code that counts (HIPLZ_CPU_COUNTS), besides the counters themselves: launches, and the lines of global memory
// that each of them touches. Code notes a line in a table of the launch; when that has ended its slots are counted.
#pragma once
#include "cpu/abi/compiled_code.h"

namespace hiplz::cpu {

/// Counts the launch, which has counters, and gives it a table.
void beginCounting(LaunchState &launch);
/// Adds the lines to the counters and takes the table away.
void endCounting(LaunchState &launch);

} // namespace hiplz::cpu
