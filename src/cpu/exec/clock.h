// The clock, and the number of the processor, that kernels read.
#pragma once
#include <cstdint>

// What compiled code calls.
extern "C" {

/// Nanoseconds, of the clock that the timestamps of events come from. The processor's own counter would be a little faster
/// to read, but its rate is not known exactly.
uint64_t hiplz_cpu_clock();

/// Which processor executes the caller.
uint32_t hiplz_cpu_processor();
}
