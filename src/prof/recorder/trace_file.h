// SPDX-License-Identifier: MIT
// The file of a trace. Threads write into chunks of it that are mapped, so records need no system call, and what has been
// recorded is in the file when the process is killed. The file grows by chunks whose disk space is there before anybody
// writes: a full disk ends the trace, never the program.
#pragma once
#include "base/lockable.h"
#include "base/trace_format.h"

#include <atomic>
#include <cstdint>
#include <string>

namespace hiplz::prof {

/// Thread-safe. The file is created with the first chunk.
class TraceFile {
public:
  /// The folder must be the user's own.
  explicit TraceFile(std::string folder) : folder_(std::move(folder)) {}
  TraceFile(const TraceFile &) = delete;
  TraceFile &operator=(const TraceFile &) = delete;

  /// A fresh chunk for the calling thread, mapped; null when nothing can be written any more. `first` tells that it is the
  /// first of the process. seal() takes it back.
  trace::ChunkHeader *newChunk(bool &first);

  /// Ends a chunk of this process and unmaps it.
  static void seal(trace::ChunkHeader *chunk);

  /// Whether it has been given up; then every newChunk() fails.
  bool failed() const { return failed_.load(std::memory_order_relaxed); }

  /// Whether the process has begun a file, or tried to.
  bool opened() const { return opened_.load(std::memory_order_relaxed); }

  /// Around fork: no thread of the parent has the lock, and the child begins a file of its own.
  void beforeFork();
  void afterForkInParent();
  void afterForkInChild();

private:
  struct State {
    int file = -1;
    uint64_t bytes = 0;
  };
  bool open(State &state);
  void giveUp(const char *what, int error);

  const std::string folder_;
  std::atomic<bool> opened_{false}, failed_{false}; // written under the lock
  Mutex mutex_{LockRank::traceFile};
  State state_ HIPLZ_GUARDED_BY(mutex_);
};

/// The number of the process in its MPI program, from the environment of the common launchers; -1 if there is none.
int mpiRank();

} // namespace hiplz::prof
