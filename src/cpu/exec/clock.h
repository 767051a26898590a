// SPDX-License-Identifier: MIT
// The clock, and the number of the processor, that kernels read.
#pragma once
#include <cstdint>

namespace hiplz::cpu {

/// How many cycles hiplz_cpu_clock() counts in a microsecond: what the device says of its clock rate. Call before any kernel
/// runs.
void setClockRate(uint32_t rate);

} // namespace hiplz::cpu

// What compiled code calls.
extern "C" {

/// Cycles at the rate of setClockRate, by the clock that the timestamps of events come from. The processor's own counter
/// would be a little faster to read, but its rate is not known exactly.
uint64_t hiplz_cpu_clock();

/// Which processor executes the caller.
uint32_t hiplz_cpu_processor();
}
