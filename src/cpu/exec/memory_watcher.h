// SPDX-License-Identifier: MIT
// Streams that wait for a value in memory. The value may be written by anybody: a kernel, a copy, the host, another
// process. So somebody has to look, but not a worker, and not all the time: one thread looks at all awaited values as
// soon as a command of this driver has ended, and otherwise at intervals that grow to a millisecond. The thread is
// created with the first wait and sleeps while there is none.
#pragma once
#include "base/lockable.h"
#include "cpu/exec/fault.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/record.h"

#include <atomic>

namespace hiplz::cpu {

class Stream;

/// The outcome of a wait.
enum class MemoryWait { pending, met, faulted };

/// All methods may be called by any thread.
class MemoryWatcher {
public:
  /// The process has one. It is never destroyed: its thread may be looking when the process ends.
  static MemoryWatcher &get();

  /// Looks at the memory once. The scope is the calling thread's.
  static MemoryWait look(const WaitMemoryRecord &record, FaultScope &scope);

  /// Creates the thread that looks unless there is one. False if there can be none at the moment.
  bool ensureThread();

  /// Makes sure that the stream, which must be in the blocked state, is told the outcome (Stream::endMemoryWait). False
  /// if there can be no thread that looks.
  bool watch(Stream &stream);

  /// A command has ended that may have written what somebody waits for.
  static void noteChange() {
    if (wantsChanges.load() && wantsChanges.exchange(false)) [[unlikely]]
      get().wake();
  }

private:
  MemoryWatcher() = default;
  static void *threadMain(void *watcher);
  [[noreturn]] void run();
  bool lookAtAll(FaultScope &scope);
  void wake();

  static std::atomic<bool> wantsChanges; // the thread sleeps until the next look is due, or until something has changed
  Lockable<bool> running_{LockRank::cpuWatcherStart, false};
  Lockable<Stream *, SpinLock> fresh_{LockRank::cpuWatcher, nullptr}; // linked by nextWaiter
  Stream *watched_ = nullptr;                                         // of the thread
  std::atomic<uint32_t> changes_{0};                                  // the word that the thread sleeps on
};

} // namespace hiplz::cpu
