// SPDX-License-Identifier: MIT
// The worker threads and what they look for: streams that can go on, and jobs that want company. Threads are created
// when there is work for them for the first time; a process that only asks for properties has none. A thread that adds work wakes one
// sleeper, unless a worker is looking around anyway or, for a job, a host thread that waits for it; a thread that joins a job wakes two
// if it has room for more than are coming.
//
// There may be hundreds of workers, and all of them end a job and begin the next one at about the same time. A word that each of them
// writes costs each of them the time of all others, so there are few: the lock, which they come to through the entrance of their
// domain (sixteen neighbouring processors), and the number of participants of a job.
//
// An idle worker spins for some microseconds and then sleeps. It sleeps at once if host threads that help have taken the
// processors: there are as many workers as the process may have processors busy.
//
// A worker that executes a long job or many commands of a stream looks around every few microseconds (callsAway()): for
// streams of a higher priority, and for streams that have not had a turn, it leaves at once, for others after a time slice.
#pragma once
#include "base/mutex.h"
#include "base/processors.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/job.h"
#include "cpu/exec/priority.h"
#include "cpu/exec/sleepers.h"

#include <array>
#include <memory>
#include <vector>

namespace hiplz::cpu {

class Stream;

/// All methods may be called by any thread.
class Scheduler {
public:
  /// The process has one. It is never destroyed: workers may be busy when the process ends.
  static Scheduler &get();

  /// HIPLZ_CPU_THREADS, or the number of processors that the process may keep busy.
  unsigned threadCount() const { return threadCount_; }

  /// The processors that worker threads may run on.
  const std::vector<Processor> &processors() const { return processors_.allowed; }

  /// Which of `parts` equal parts of some work belongs to the processor that the calling thread is running on.
  unsigned partHere(unsigned parts) const;

  /// True if worker threads have been created.
  bool hasThreads() const { return hasThreads_.load(); }

  /// True if they have been, or are being created.
  bool hasBegun() const { return begun_.load(); }

  /// Creates the worker threads unless there are some. False if the system has none to give at the moment: what is appended
  /// then would be executed only by a host thread that waits for it.
  bool ensureThreads() { return hasThreads() || start(); }

  /// Adds a stream in the ready state, if it is not in the queue already, and makes sure that a worker looks.
  /// `hadTurn`: it has been executed for a while and gives way to others.
  void enqueue(Stream &stream, Priority priority, bool hadTurn);

  /// Takes a stream out of the queue, for a caller that has acquired it or is about to reuse it.
  void remove(Stream &stream);

  /// Offers a job, which has one participant, to the workers.
  void publish(Job &job);

  /// Makes the calling thread a participant, if the job is offered and has room.
  bool join(Job &job);

  /// For a thread that has looked for work (Job::lookers) and leaves what there is to others.
  void passOn() { wake(1); }

  /// Ends the participation in a job without resident groups, for a thread that has found nothing left to execute. True if it
  /// was the last participant.
  bool finish(Job &job);

  /// Ends the participation in any other job. The job is offered again if it is not over and the caller, or somebody else, can
  /// still take part. True if it is over and the caller was the last participant.
  bool leave(Job &job, bool comesBack);

  /// True if there is something to do for a worker besides the job (null: besides a stream).
  bool hasWorkBeside(const Job *job) const {
    return queued_.load(std::memory_order_relaxed) != 0 ||
           offered_.load(std::memory_order_relaxed) > (job && job->listed.load(std::memory_order_relaxed) ? 1u : 0u);
  }

  /// True if a worker should stop executing a stream or a job (null: a stream) of that priority, which it has been executing
  /// since `since` (nanoseconds of now()). If it is for a stream, that is acquired and in `worker.next`.
  bool callsAway(Worker &worker, Priority priority, const Job *job, uint64_t since) {
    return hasWorkBeside(job) && choosesOther(worker, priority, job, now() - since);
  }

  /// While a host thread executes a job that workers take part in, one of them need not look for work.
  class HelperScope {
  public:
    explicit HelperScope(bool helps) : count_(helps ? &get().helpers_ : nullptr) {
      if (count_)
        count_->fetch_add(1, std::memory_order_relaxed);
    }
    ~HelperScope() {
      if (count_)
        count_->fetch_sub(1, std::memory_order_relaxed);
    }
    HelperScope(const HelperScope &) = delete;
    HelperScope &operator=(const HelperScope &) = delete;

  private:
    Atomic<uint32_t> *count_;
  };

private:
  Scheduler();
  bool start();
  static void *threadMain(void *scheduler);
  void keepToNode(unsigned index) const;
  [[noreturn]] void work(Worker &worker);
  bool serve(Worker &worker, bool &streamsFirst);
  void beginSearch(Worker &worker);
  void endSearch(Worker &worker);
  void idle(Worker &worker);
  bool isHeardOf(const Job &job) const;
  void arrive(Worker &worker);
  void wakeFor(const Job &job, uint32_t room);
  unsigned domainHere() const { return domainCount_ == 1 ? 0 : partHere(domainCount_); }
  void wake(uint32_t count);
  bool hasWork() const { return queued_.load() != 0 || offered_.load() != 0; }
  bool choosesOther(Worker &worker, Priority priority, const Job *job, uint64_t elapsed);
  Stream *takeStream(Priority priority);
  Stream *takeStreamLocked(Priority priority, bool evenAfterTurn) HIPLZ_REQUIRES(lock_);
  void unlinkLocked(Stream &stream) HIPLZ_REQUIRES(lock_);
  struct Joined {
    Job *job = nullptr;
    uint32_t room = 0; ///< for so many participants more
  };
  Joined joinAny(Priority priority);
  Joined joinFirst(Priority priority);
  Joined joinLocked(Job &job) HIPLZ_REQUIRES(lock_);
  void listLocked(Job &job, bool first) HIPLZ_REQUIRES(lock_);
  void unlistLocked(Job &job) HIPLZ_REQUIRES(lock_);

  const Processors processors_;
  const unsigned threadCount_;
  std::vector<uint32_t> placeOf_;               // of a processor among processors(), by number
  Mutex starting_{LockRank::cpuSchedulerStart}; // one thread starts the others
  Atomic<bool> begun_{false}, hasThreads_{false};
  Atomic<uint32_t> started_{0}; // threads that know their number

  // The work of one priority.
  struct Lane {
    Stream *firstStream = nullptr, *lastStream = nullptr;
    Job *firstJob = nullptr, *lastJob = nullptr;
  };
  Lane &laneOf(Priority priority) HIPLZ_REQUIRES(lock_) { return lanes_[static_cast<unsigned>(priority)]; }

  // Guards the lists; held for a few instructions. Not a Lockable: the links of the lists are members of streams and jobs.
  alignas(64) SpinLock lock_{LockRank::cpuScheduler};
  std::array<Lane, kPriorities> lanes_ HIPLZ_GUARDED_BY(lock_);

  // Lengths of the lists, of all priorities. A thread that adds work increments one and then looks for searching and sleeping workers;
  // a worker that goes to sleep first counts itself and then reads these: sequentially consistent, so that one sees the other.
  alignas(64) Atomic<uint32_t> queued_{0};
  Atomic<uint32_t> offered_{0};
  alignas(64) Atomic<uint32_t> searching_{0}; // see beginSearch()
  Atomic<uint32_t> helpers_{0};               // host threads in jobs

  // One worker of each domain at a time comes to the lock, so that few want it when all are about to join a job. Not a lock: it guards
  // nothing, and a worker waits here only while there are jobs, and holds nothing.
  struct alignas(64) Entrance {
    Atomic<bool> occupied{false};
  };
  const unsigned domainCount_;
  const std::unique_ptr<Entrance[]> entrances_; // one per domain
  Sleepers sleepers_;
};

} // namespace hiplz::cpu
