// SPDX-License-Identifier: MIT
// Launches on a simulated machine, and what can be counted of them.
#pragma once
#include "simulation.h"

#include <cstdint>
#include <vector>

namespace hiplz::simulation {

struct Launches {
  uint64_t groups = 0;
  uint64_t groupNanoseconds = 10'000;
  unsigned count = 4;     ///< one after the other
  uint64_t pause = 0;     ///< in front of each, so that all workers sleep if it is long
  unsigned slowEvery = 0; ///< each n-th work-group takes ten times as long; zero: none does
};

/// Of the last launch; plain, because a process of its own finds it out.
struct Outcome {
  Counts counts;
  uint64_t time = 0;        ///< of the launch
  uint64_t least = 0;       ///< that its work-groups would take on that many processors
  unsigned took = 0;        ///< processors that executed a work-group
  double sameProcessor = 0; ///< of the work-groups, those that the processor of the launch before executed
  double sameNode = 0;   ///< those whose pages are on the node that executed them: where the first launch touched them
  bool complete = false; ///< each work-group of each launch was executed once
};

/// In a process of its own, since the scheduler is one object for life.
Outcome simulate(const Machine &machine, const Launches &launches);

} // namespace hiplz::simulation
