#include "cpu/exec/clock.h"

#include "cpu/exec/futex.h"

#include <algorithm>
#include <sched.h>

uint64_t hiplz_cpu_clock() { return hiplz::cpu::now(); }

uint32_t hiplz_cpu_processor() { return static_cast<uint32_t>(std::max(0, ::sched_getcpu())); }
