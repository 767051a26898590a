// SPDX-License-Identifier: MIT
// Times of a run that are in the outputs: rocprofv3's --collection-period.
#pragma once
#include "prof/tool/profile.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hiplz::prof {

/// Waits, collects, and does both again.
struct CollectionPeriod {
  double delay = 0, duration = 0; ///< in the unit of the command line
  uint32_t repeat = 1;            ///< 0: without an end

  /// "DELAY:DURATION:REPEAT", false if it is none.
  bool parse(const std::string &text);
};

/// Nanoseconds of "hour", "min", "sec", "msec", "usec" or "nsec"; 0: it is none of them.
double nanosecondsOf(const std::string &unit);

/// Removes what begins outside of the periods, which follow each other from `start` on: calls, commands, nodes of their graphs,
/// compilations and markers. Allocations stay, since those from before are held all the time.
void keepPeriods(Process &process, std::span<const CollectionPeriod> periods, double unit, uint64_t start);

} // namespace hiplz::prof
