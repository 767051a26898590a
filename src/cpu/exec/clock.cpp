// SPDX-License-Identifier: MIT
#include "cpu/exec/clock.h"

#include "cpu/exec/futex.h"

#include <algorithm>
#include <atomic>
#include <sched.h>

namespace {
std::atomic<uint32_t> megahertz{1000};
}

void hiplz::cpu::setClockRate(uint32_t rate) { megahertz.store(rate, std::memory_order_relaxed); }

uint64_t hiplz_cpu_clock() {
  // In two parts, because the product would exceed 64 bits.
  const uint64_t nanoseconds = hiplz::cpu::now(), rate = megahertz.load(std::memory_order_relaxed);
  return nanoseconds / 1000 * rate + nanoseconds % 1000 * rate / 1000;
}

uint32_t hiplz_cpu_processor() { return static_cast<uint32_t>(std::max(0, ::sched_getcpu())); }
