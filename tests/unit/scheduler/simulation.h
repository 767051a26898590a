// SPDX-License-Identifier: MIT
// A machine of many processors in virtual time. Each simulated thread has a processor to itself, a clock and a stack; the one whose
// clock is behind goes first, so the accesses to shared words come in the order of their times. A word belongs to a line of 64 bytes,
// and a line to the processors that hold a copy. An access costs little if the processor has what it needs; otherwise the line
// travels, from further away if its last writer is on another node of memory, and lines that many want make them wait in turn.
#pragma once
#include "base/processors.h"

#include <cstdint>
#include <functional>

namespace hiplz::simulation {

struct Machine {
  unsigned processors = 2;
  unsigned nodes = 1;
  uint64_t seed = 0; ///< of what makes costs vary by up to a half; zero: nothing does
};

/// Traffic and wake-ups since resetCounts().
struct Counts {
  uint64_t commonWrites = 0; ///< to lines that more than a quarter of the processors, and more than two, have written
  uint64_t transfers = 0;    ///< of lines
  uint64_t wakes = 0;
  unsigned mostWakesByOne = 0;
  unsigned depth = 0;    ///< of the tree of threads that have woken each other
  uint64_t lastWake = 0; ///< when the last woken thread began, on its clock
};

/// Executes `host` on the first processor of this machine; ends when it returns, whatever the other threads are doing. Once per process.
void run(const Machine &machine, const std::function<void()> &host);

/// Starts a thread. The n-th one is on the n-th processor, so the first shares the host thread's, and is not executed.
void start(void *(*main)(void *), void *argument);

Processors processors();
unsigned processor(); ///< that the current thread is on
unsigned node(unsigned processor);
uint64_t clock(); ///< of the current thread, in ns
void spend(uint64_t nanoseconds);
void read(const void *word);
void write(const void *word);
void sleep(uint32_t *word, uint32_t expected);
void wake(uint32_t *word, int count);

void resetCounts();
Counts counts();

} // namespace hiplz::simulation
