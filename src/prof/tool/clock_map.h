// SPDX-License-Identifier: MIT
// The times of a device on the host's clock. A trace has moments at which both clocks were read; between two of them the
// line through them holds, which corrects their drift, and outside the nearest line or the device's nominal rate.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hiplz::prof {

class ClockMap {
public:
  struct Moment {
    uint64_t host;  ///< nanoseconds
    uint64_t ticks; ///< all bits of the device's counter
  };

  /// \p tick is the nominal length of a tick in nanoseconds; \p bits how many bits of the counter a command's times have
  /// (0 or 64: all). The moments may be in any order.
  ClockMap(double tick, uint32_t bits, std::vector<Moment> moments);

  /// Nanoseconds of the host for a command's time. The counter may have wrapped any number of times: \p near is a time of the
  /// host that is less than half a period away.
  uint64_t toHost(uint64_t ticks, uint64_t near) const;

private:
  double rate(size_t moment) const;

  double tick_;
  uint32_t bits_;
  std::vector<Moment> moments_;
};

} // namespace hiplz::prof
