// SPDX-License-Identifier: MIT
// The clock, and the number of the processor, that kernels read.
#pragma once
#include "cpu/abi/runtime_functions.h"

#include <cstdint>

namespace hiplz::cpu {

/// How many cycles hiplz_cpu_clock() counts in a microsecond: the clock rate that the device reports. Call before any
/// kernel runs.
void setClockRate(uint32_t rate);

} // namespace hiplz::cpu
