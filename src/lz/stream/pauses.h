// SPDX-License-Identifier: MIT
// The times for which a stream stood still because the host compiled what it was to launch next. AMD's programs are compiled
// before they run, so they expect that the time between two events around a launch is the kernel's, and elapsed times leave
// these out.
#pragma once
#include "base/lockable.h"
#include "lz/sync/event_pool.h"

#include <chrono>
#include <cstdint>
#include <vector>

namespace hiplz {

class LZDevice;

/// The pauses of one stream. Thread-safe.
class LZPauses {
public:
  /// Timed events of the stream, with no command between them.
  struct Pause {
    LZEventRef before, after;
    uint64_t count = 0; ///< commands that precede it
    std::chrono::steady_clock::time_point begin, end;
    explicit operator bool() const { return static_cast<bool>(after); }
  };

  /// A pause of a stream of this device that a command follows.
  void add(const LZDevice &device, Pause pause);

  /// How long the stream stood still behind its first `from` commands and before the last of its first `to`, all of which are
  /// complete.
  double nanoseconds(const LZDevice &device, uint64_t from, uint64_t to);

private:
  struct Settled {
    uint64_t count;
    double nanoseconds;
  };
  struct State {
    std::vector<Pause> open; // may not be over
    std::vector<Settled> settled;
    void settle(const LZDevice &device);
  };
  static constexpr size_t kMostOpen = 16; // events are worth more than the time to ask them
  Lockable<State> state_{LockRank::pauses};
};

} // namespace hiplz
