// SPDX-License-Identifier: MIT
// One command that several threads execute together: a kernel's work-groups or the pieces of a large copy. A job is a
// range of indices with a shared counter; each participant claims batches until none are left. Whoever leaves last goes
// on with the stream, so no thread ever waits for a job on the stream's behalf.
//
// The work-groups of a cooperative kernel wait for each other, so none of them may need a thread of its own to go on. They
// are resident (resident_group.h): a participant executes one until it waits, then another one, first those that have not
// begun. A worker that finds all of them waiting, and other work in the scheduler, leaves for that work and comes back: the
// job may be without participants for a while.
#pragma once
#include "base/lockable.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/resident_group.h"
#include "cpu/exec/worker.h"

#include <atomic>
#include <cstdint>

namespace hiplz::cpu {

class Stream;

struct alignas(64) Job {
  /// Executes the indices begin <= i < end. May fault; must not own anything while it does.
  using Body = void (*)(const Job &job, Worker &worker, uint64_t begin, uint64_t end);

  // Written before the job is published, read-only until the last participant has left.
  Stream *stream = nullptr;
  Body body = nullptr;
  const void *record = nullptr;
  const KernelCode *kernel = nullptr; ///< whose work-groups `body` executes; null if it is not a kernel
  KernelFunction cooperative =
      nullptr;          ///< if set, `total` resident work-groups of this kernel take the place of `body`
  LaunchState launch{}; ///< of a kernel
  uint64_t total = 0;
  uint64_t batch = 1;
  uint32_t maxParticipants = 1;

  // Of the scheduler, under its lock.
  Job *previous = nullptr, *next = nullptr;
  std::atomic<bool> listed{false}; ///< read without the lock as a hint

  alignas(64) std::atomic<uint64_t> claimed{0};
  alignas(64) std::atomic<uint32_t> participants{0};
  std::atomic<bool> failed{false};

  // Of a cooperative kernel.
  std::atomic<uint64_t> ended{0}; ///< work-groups
  bool isOver() const { return failed.load() || ended.load() == total; }

  /// Executes batches until none are left, as a thread that is counted in `participants` already. True if the caller was
  /// the last participant, so that it owns the stream now.
  bool participate(Worker &worker);

  /// Executes from the front without publishing, while that takes little time in all. True if the job is done; otherwise
  /// `claimed` says how far it came.
  bool runAlone(Worker &worker);

private:
  void fail(Worker &worker, WorkerState &faulted);
  void findWorkItem(Worker &worker, WorkerState &faulted);
  bool cooperate(Worker &worker);
  ResidentGroup *nextGroup();
  void putBack(ResidentGroup &group);

  Lockable<ResidentGroupList, SpinLock> waiting_{LockRank::cpuJob}; ///< groups that have begun and that nobody executes
};

} // namespace hiplz::cpu
