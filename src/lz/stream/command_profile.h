// SPDX-License-Identifier: MIT
// Times of commands for the recorder of profiles (base/profiler.h). A command that is profiled signals an event of its own with
// timestamps; a thread of the runtime reads them a few milliseconds later, so that nobody who submits waits for anything.
#pragma once
#include "base/profiler.h"
#include "lz/sync/event_pool.h"

#include <cstdint>

namespace hiplz {

class LZDevice;

/// Facts about a command when it is appended. A plain value, made only while a profile is recorded.
using CommandNote = trace::Command;

inline CommandNote commandNote(trace::CommandType type, uint64_t bytes = 0) {
  CommandNote note{};
  note.type = type;
  note.bytes = bytes;
  return note;
}

/// Thread-safe.
class LZCommandProfile {
public:
  /// Records a command of the stream that has been appended. `done` has timestamps and is signalled by the command, or by a
  /// command behind it; then `before` (else empty) is signalled right before it.
  static void submitted(const ProfilerHooks &hooks, LZDevice &device, uint64_t stream, CommandNote note,
                        LZEventRef done, LZEventRef before = {});

  /// The same for one that the host executes, between two moments that it tells itself. Returns its number.
  static uint64_t submittedToHost(const ProfilerHooks &hooks, uint64_t stream, CommandNote note);
  static void executedByHost(const ProfilerHooks &hooks, uint64_t command, uint64_t begin, uint64_t end);

  /// Reads the times of a stream whose commands the host has just waited for: whatever the program does next, they are in the
  /// trace.
  static void collect(const ProfilerHooks &hooks, uint64_t stream);

  /// The properties that times are read with, and what occupancy is computed from.
  static void describe(const ProfilerHooks &hooks, LZDevice &device);

  /// Reads what can be read now and ends. For the end of the process: nothing calls a driver afterwards.
  static void stop() noexcept;
};

} // namespace hiplz
