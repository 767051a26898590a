// SPDX-License-Identifier: MIT
// See scheduler.h.
#include "cpu/exec/scheduler.h"
#include "base/env.h"
#include "base/log.h"
#include "cpu/exec/driver_thread.h"
#include "cpu/exec/stream.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <sched.h>
#include <utility>

namespace hiplz::cpu {
namespace {
// Long enough to bridge the time between two launches of a program that launches all the time, short enough not to show
// in the processor time of one that does not.
constexpr uint64_t kSpinNanoseconds = 20'000;

constexpr uint64_t kGraceNanoseconds = 1000;

unsigned chooseThreadCount() {
  if (auto wanted = envNumber(EnvVar::HIPLZ_CPU_THREADS); wanted && *wanted > 0)
    return static_cast<unsigned>(std::min<uint64_t>(*wanted, 1024));
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0)
    return std::max(1, CPU_COUNT(&set));
  return static_cast<unsigned>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
}
} // namespace

Scheduler &Scheduler::get() {
  static Scheduler *scheduler = new Scheduler;
  return *scheduler;
}

Scheduler::Scheduler() : threadCount_(chooseThreadCount()) {}

bool Scheduler::start() {
  Lock guard(starting_);
  if (hasThreads())
    return true;
  unsigned created = 0;
  for (; created < threadCount_; ++created) {
    pthread_t thread;
    char name[16];
    std::snprintf(name, sizeof name, "hiplz-cpu-%u", created);
    if (int error = startDriverThread(thread, name, threadMain, this); error != 0) {
      HIPLZ_LOG_ERROR("only %u of %u worker threads could be created: %s", created, threadCount_, std::strerror(error));
      break;
    }
    ::pthread_detach(thread);
  }
  hasThreads_.store(created > 0);
  return created > 0;
}

void *Scheduler::threadMain(void *scheduler) {
  try {
    static_cast<Scheduler *>(scheduler)->work(Worker::current());
  } catch (const std::bad_alloc &) {
    HIPLZ_LOG_ERROR("a worker thread ends: out of memory for its local memory");
    return nullptr;
  }
}

void Scheduler::work(Worker &worker) {
  worker.servesAll = true;
  bool streamsFirst = false; // after a job that may be where it was
  for (;;) {
    if (Stream *stream = std::exchange(streamsFirst, false) ? takeStream() : nullptr) {
      stream->run(worker, nullptr);
    } else if (Job *job = joinAny()) {
      streamsFirst = job->cooperative;
      if (job->participate(worker))
        job->stream->finishJob(worker, nullptr);
    } else if (Stream *next = takeStream()) {
      next->run(worker, nullptr);
    } else {
      idle();
    }
  }
}

void Scheduler::idle() {
  searching_.fetch_add(1);
  uint64_t end = now() + kSpinNanoseconds;
  while (!hasWork() && now() < end)
    for (int pauses = 0; pauses < 8; ++pauses)
      _mm_pause();
  searching_.fetch_sub(1);
  if (hasWork()) {
    // A host thread that has just appended is likely to wait for the result next and to execute the command itself,
    // sooner than this thread could. Competing with it for the stream would only delay both.
    for (uint64_t grace = now() + kGraceNanoseconds; offered_.load(std::memory_order_relaxed) == 0 && now() < grace;)
      _mm_pause();
    return;
  }
  uint32_t seen = wakeups_.load();
  sleeping_.fetch_add(1);
  if (!hasWork())
    futexWait(&wakeups_, seen, kForever);
  sleeping_.fetch_sub(1);
}

void Scheduler::wakeOne() {
  if (searching_.load() == 0 && sleeping_.load() != 0) {
    wakeups_.fetch_add(1);
    futexWake(&wakeups_, 1);
  }
}

void Scheduler::enqueue(Stream &stream, bool urgent) {
  if (!stream.inQueue.exchange(true)) {
    Lock guard(lock_);
    if (urgent) {
      stream.previousReady = nullptr;
      stream.nextReady = firstStream_;
      (firstStream_ ? firstStream_->previousReady : lastStream_) = &stream;
      firstStream_ = &stream;
    } else {
      stream.nextReady = nullptr;
      stream.previousReady = lastStream_;
      (lastStream_ ? lastStream_->nextReady : firstStream_) = &stream;
      lastStream_ = &stream;
    }
    stream.linked = true;
    queued_.fetch_add(1);
  }
  ensureThreads();
  wakeOne();
}

void Scheduler::remove(Stream &stream) {
  Lock guard(lock_);
  if (!stream.linked)
    return;
  (stream.previousReady ? stream.previousReady->nextReady : firstStream_) = stream.nextReady;
  (stream.nextReady ? stream.nextReady->previousReady : lastStream_) = stream.previousReady;
  stream.linked = false;
  queued_.fetch_sub(1);
  stream.inQueue.store(false);
}

Stream *Scheduler::takeStream() {
  if (queued_.load(std::memory_order_relaxed) == 0)
    return nullptr;
  Stream *taken = nullptr;
  {
    Lock guard(lock_);
    while (firstStream_ && !taken) {
      Stream *stream = firstStream_;
      firstStream_ = stream->nextReady;
      (firstStream_ ? firstStream_->previousReady : lastStream_) = nullptr;
      stream->linked = false;
      queued_.fetch_sub(1);
      // First the flag, then the state: a thread that makes the stream ready between the two enqueues it again.
      stream->inQueue.store(false);
      if (stream->tryAcquire())
        taken = stream;
    }
  }
  if (taken && hasWork())
    wakeOne();
  return taken;
}

void Scheduler::publish(Job &job) {
  {
    Lock guard(lock_);
    listLocked(job, true);
  }
  ensureThreads();
  wakeOne();
}

void Scheduler::listLocked(Job &job, bool first) {
  job.previous = first ? nullptr : lastJob_;
  job.next = first ? firstJob_ : nullptr;
  (job.previous ? job.previous->next : firstJob_) = &job;
  (job.next ? job.next->previous : lastJob_) = &job;
  job.listed.store(true);
  offered_.fetch_add(1);
}

void Scheduler::unlistLocked(Job &job) {
  (job.previous ? job.previous->next : firstJob_) = job.next;
  (job.next ? job.next->previous : lastJob_) = job.previous;
  job.listed.store(false);
  offered_.fetch_sub(1);
}

void Scheduler::unpublish(Job &job) {
  if (!job.listed.load())
    return;
  Lock guard(lock_);
  if (job.listed.load())
    unlistLocked(job);
}

bool Scheduler::joinLocked(Job &job) {
  if (!job.listed.load())
    return false;
  if (job.cooperative ? job.isOver() : job.claimed.load(std::memory_order_relaxed) >= job.total) {
    unlistLocked(job);
    return false;
  }
  // Participants leave only when there is nothing left to claim, so a job that is full stays full (see leave() for others).
  if (job.participants.fetch_add(1, std::memory_order_acq_rel) + 1 >= job.maxParticipants)
    unlistLocked(job);
  return true;
}

bool Scheduler::join(Job &job) {
  if (!job.listed.load())
    return false;
  Lock guard(lock_);
  return joinLocked(job);
}

Job *Scheduler::joinAny() {
  if (offered_.load(std::memory_order_relaxed) == 0)
    return nullptr;
  Job *joined = nullptr;
  {
    Lock guard(lock_);
    for (Job *job = firstJob_, *next; job && !joined; job = next) {
      next = job->next;
      if (joinLocked(*job))
        joined = job;
    }
  }
  if (joined && hasWork())
    wakeOne();
  return joined;
}

bool Scheduler::leave(Job &job, bool comesBack) {
  {
    Lock guard(lock_);
    if (job.listed.load())
      unlistLocked(job);
    const uint32_t others = job.participants.fetch_sub(1, std::memory_order_acq_rel) - 1;
    if (job.isOver())
      return others == 0;
    // Who found no work-group to execute will find none later: there are enough threads for those that are left.
    if (!comesBack)
      job.maxParticipants = std::max(others, 1u);
    if (others >= job.maxParticipants)
      return false;
    listLocked(job, false); // last, so that other jobs come first
  }
  wakeOne();
  return false;
}

} // namespace hiplz::cpu
