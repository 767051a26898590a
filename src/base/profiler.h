// SPDX-License-Identifier: MIT
// The one interface between what is profiled and the recorder, libhiplz_prof.so. The runtime and libroctx64 load the recorder
// when HIPLZ_PROF names a folder for traces, so a program that is not profiled pays a load and a branch in each place.
#pragma once
#include "base/profiler_version.h"
#include "base/trace_format.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hiplz {

/// The functions of the recorder. Thread-safe, never fails: a trace that cannot be written is given up with one message.
struct ProfilerHooks {
  uint32_t version; ///< kProfilerVersion, of this structure and of the records

  /// True if something of these bits (trace::Wanted) is recorded now.
  bool (*wants)(uint32_t bits);
  /// Ends and resumes recording; nothing is forgotten.
  void (*setRecording)(bool on);
  /// Begins a call of the API on this thread and returns the time. endCall gets the time back; `function` is a literal.
  uint64_t (*beginCall)();
  void (*endCall)(const char *function, uint64_t begin, int result);
  /// The id of a text, which is written at its first use. Takes a lock: callers keep the id.
  uint32_t (*name)(const char *text, size_t bytes);
  /// Appends a record, and a text of so many bytes. Fills the header's `bytes`, and `call` of commands.
  void (*write)(trace::Record *record, size_t bytes, const char *text, size_t textBytes);
  /// Nanoseconds of the host's monotonic clock.
  uint64_t (*now)();
  /// A new number for a command.
  uint64_t (*newCommand)();
};

namespace detail {
extern std::atomic<const ProfilerHooks *> profilerHooks;
}

/// The recorder; null if the program is not profiled.
inline const ProfilerHooks *profiler() { return detail::profilerHooks.load(std::memory_order_acquire); }

/// The recorder if it wants any of these bits, else null.
inline const ProfilerHooks *profilerOf(uint32_t bits) {
  const ProfilerHooks *hooks = profiler();
  return hooks && hooks->wants(bits) ? hooks : nullptr; // callers mark the branch as unlikely
}

/// Loads the recorder if HIPLZ_PROF asks for it. It lies in the folder hiplz beside the library that calls this.
void openProfiler();

/// Writes a record, with the kind of its type.
template <class Record> void record(const ProfilerHooks &hooks, Record entry, std::string_view text = {}) {
  entry.kind = Record::kKind;
  hooks.write(&entry, sizeof entry, text.data(), text.size());
}

/// The symbol of the recorder: a function without arguments that returns its hooks, or null if it cannot record.
inline constexpr char kProfilerSymbol[] = "hiplz_profiler_hooks";

} // namespace hiplz
