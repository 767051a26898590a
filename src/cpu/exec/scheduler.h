// SPDX-License-Identifier: MIT
// The worker threads and what they look for: streams that can go on, and jobs that want company. Threads are created
// when there is work for them for the first time; a process that only asks for properties has none. An idle worker spins
// for some microseconds and then sleeps. Whoever adds work wakes one sleeper, unless a worker is looking around anyway,
// and a worker that found work wakes the next one if there is more.
#pragma once
#include "base/mutex.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/job.h"

#include <atomic>

namespace hiplz::cpu {

class Stream;

/// All methods may be called by any thread.
class Scheduler {
public:
  /// The process has one. It is never destroyed: workers may be busy when the process ends.
  static Scheduler &get();

  /// HIPLZ_CPU_THREADS, or the number of processors that the process may use.
  unsigned threadCount() const { return threadCount_; }

  /// Whether worker threads have been created.
  bool hasThreads() const { return hasThreads_.load(); }

  /// Creates the worker threads unless there are some. False if the system has none to give at the moment: what is appended
  /// then would be executed only by a host thread that waits for it.
  bool ensureThreads() { return hasThreads() || start(); }

  /// Adds a stream in the ready state, if it is not in the queue already, and sees to it that a worker looks.
  void enqueue(Stream &stream, bool urgent);

  /// Takes a stream out of the queue, for one that is about to be reused.
  void remove(Stream &stream);

  /// Offers a job, which has one participant, to the workers. unpublish() has no effect on a job that is not offered.
  void publish(Job &job);
  void unpublish(Job &job);

  /// Makes the calling thread a participant, if the job is offered and has room.
  bool join(Job &job);

  /// Ends the participation in a cooperative job, which is offered again if it is not over and the caller, or somebody
  /// else, can still take part. True if it is over and the caller was the last participant.
  bool leave(Job &job, bool comesBack);

  /// True if there is something to do for a worker besides the job.
  bool hasWorkBeside(const Job &job) const {
    return queued_.load() != 0 || offered_.load() > (job.listed.load() ? 1u : 0u);
  }

  /// True if streams wait for a worker, so that one that has run for long should step back.
  bool isContended() const { return queued_.load(std::memory_order_relaxed) != 0; }

private:
  Scheduler();
  bool start();
  static void *threadMain(void *scheduler);
  [[noreturn]] void work(Worker &worker);
  void idle();
  void wakeOne();
  bool hasWork() const { return queued_.load() != 0 || offered_.load() != 0; }
  Stream *takeStream();
  Job *joinAny();
  bool joinLocked(Job &job) HIPLZ_REQUIRES(lock_);
  void listLocked(Job &job, bool first) HIPLZ_REQUIRES(lock_);
  void unlistLocked(Job &job) HIPLZ_REQUIRES(lock_);

  const unsigned threadCount_;
  Mutex starting_{LockRank::cpuSchedulerStart}; // one thread starts the others
  std::atomic<bool> hasThreads_{false};

  // Guards the two lists; held for a few instructions. Not a Lockable: the links of the lists are members of streams and jobs.
  alignas(64) SpinLock lock_{LockRank::cpuScheduler};
  Stream *firstStream_ HIPLZ_GUARDED_BY(lock_) = nullptr, *lastStream_ HIPLZ_GUARDED_BY(lock_) = nullptr;
  Job *firstJob_ HIPLZ_GUARDED_BY(lock_) = nullptr, *lastJob_ HIPLZ_GUARDED_BY(lock_) = nullptr;

  // Lengths of the lists. Whoever adds work increments and then reads searching_ and sleeping_; whoever goes to sleep
  // increments sleeping_ and then reads these: sequentially consistent, so that one of them sees the other.
  alignas(64) std::atomic<uint32_t> queued_{0};
  std::atomic<uint32_t> offered_{0};
  alignas(64) std::atomic<uint32_t> searching_{0};
  std::atomic<uint32_t> sleeping_{0};
  std::atomic<uint32_t> wakeups_{0}; // the word that sleepers wait on
};

} // namespace hiplz::cpu
