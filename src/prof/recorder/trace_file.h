// SPDX-License-Identifier: MIT
// The file of a trace. Threads write into chunks of it that are mapped, so records need no system call, and what has been
// recorded is in the file when the process is killed. The file grows by chunks whose disk space is there before anybody
// writes: a full disk ends the trace, never the program. Making a chunk costs tens of microseconds, so a program that fills chunks
// gets a thread that has the next one ready.
#pragma once
#include "base/lockable.h"
#include "base/trace_format.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <string>
#include <vector>

namespace hiplz::prof {

/// Thread-safe. The file is created with the first chunk.
class TraceFile {
public:
  /// The folder must be the user's own.
  explicit TraceFile(std::string folder) : folder_(std::move(folder)) {}
  TraceFile(const TraceFile &) = delete;
  TraceFile &operator=(const TraceFile &) = delete;

  /// A fresh chunk for the calling thread, mapped; null when nothing can be written any more. `first` tells that it is the
  /// first of the process. `full` (null allowed) is the one that the thread has filled, and is taken back.
  trace::ChunkHeader *newChunk(bool &first, trace::ChunkHeader *full);

  /// Ends a chunk of this process and unmaps it.
  static void seal(trace::ChunkHeader *chunk);

  /// True if it has been given up; then every newChunk() fails.
  bool failed() const { return failed_.load(std::memory_order_relaxed); }

  /// True if the process has begun a file, or tried to.
  bool opened() const { return opened_.load(std::memory_order_relaxed); }

  /// Around fork: no thread of the parent has the lock, and the child begins a file of its own.
  void beforeFork();
  void afterForkInParent();
  void afterForkInChild();

private:
  /// The thread that makes spare chunks and seals full ones.
  enum class Helper { none, runs, impossible };
  struct State {
    int file = -1;
    uint64_t bytes = 0;
    trace::ChunkHeader *spare = nullptr;    // that nobody has used
    std::vector<trace::ChunkHeader *> full; // to be sealed
    Helper helper = Helper::none;
  };
  bool open(State &state);
  trace::ChunkHeader *makeChunk();
  bool startHelper(State &state);
  void help();
  void giveUp(const char *what, int error);

  const std::string folder_;
  std::atomic<bool> opened_{false}, failed_{false}; // written under the lock
  Mutex mutex_{LockRank::traceFile};
  std::condition_variable work_; // of the helper
  State state_ HIPLZ_GUARDED_BY(mutex_);
};

/// The number of the process in its MPI program, from the environment of the common launchers; -1 if there is none.
int mpiRank();

} // namespace hiplz::prof
