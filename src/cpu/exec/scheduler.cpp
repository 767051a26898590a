// SPDX-License-Identifier: MIT
// See scheduler.h.
#include "cpu/exec/scheduler.h"
#include "base/env.h"
#include "base/log.h"
#include "cpu/exec/driver_thread.h"
#include "cpu/exec/stream.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
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

// Workers that search are counted up to here. More make no difference: work that is added wakes nobody if there is one.
constexpr uint32_t kCountedSearchers = 2;

// Processors of a domain. Contention grows with the square of the threads that want a word.
constexpr size_t kDomainProcessors = 16;

// A stream or job that others wait for is executed at least this long if they have not had a turn, or for a slice.
constexpr uint64_t kTurnNanoseconds = 20'000;
constexpr uint64_t kSliceNanoseconds = 1'000'000;

unsigned chooseThreadCount(const Processors &processors) {
  if (const auto wanted = envNumber(EnvVar::HIPLZ_CPU_THREADS))
    return static_cast<unsigned>(*wanted);
  return processors.limit;
}

unsigned domainsOf(const Processors &processors) {
  return static_cast<unsigned>((processors.allowed.size() + kDomainProcessors - 1) / kDomainProcessors);
}
} // namespace

Scheduler &Scheduler::get() {
  static Scheduler *scheduler = new Scheduler;
  return *scheduler;
}

Scheduler::Scheduler()
    : processors_(usableProcessors()), threadCount_(chooseThreadCount(processors_)),
      domainCount_(domainsOf(processors_)), entrances_(new Entrance[domainCount_]), sleepers_(domainCount_) {
  for (uint32_t place = 0; place < processors().size(); ++place) {
    const unsigned number = processors()[place].number;
    if (number >= placeOf_.size())
      placeOf_.resize(number + 1, 0);
    placeOf_[number] = place;
  }
}

unsigned Scheduler::partHere(unsigned parts) const {
  const int number = processorHere();
  const uint64_t place = number >= 0 && static_cast<size_t>(number) < placeOf_.size() ? placeOf_[number] : 0;
  return static_cast<unsigned>(place * parts / processors().size());
}

bool Scheduler::start() {
  Lock guard(starting_);
  if (hasThreads())
    return true;
  begun_.store(true);
  unsigned created = 0;
  for (; created < threadCount_; ++created) {
    char name[16]; // what Linux takes
    std::snprintf(name, sizeof name, "hiplz-cpu-%u", created % 100'000);
    if (int error = startDetachedThread(name, threadMain, this); error != 0) {
      HIPLZ_LOG_ERROR("only %u of %u worker threads could be created: %s", created, threadCount_, std::strerror(error));
      break;
    }
  }
  begun_.store(created > 0);
  hasThreads_.store(created > 0);
  return created > 0;
}

void *Scheduler::threadMain(void *argument) {
  auto *scheduler = static_cast<Scheduler *>(argument);
  try {
    scheduler->keepToNode(scheduler->started_.fetch_add(1));
  } catch (const std::bad_alloc &) { // then its pages may be far away
  }
  try {
    scheduler->work(Worker::current());
  } catch (const std::bad_alloc &) {
    HIPLZ_LOG_ERROR("a worker thread ends: out of memory for its local memory");
    return nullptr;
  }
}

// A thread begins with the mask of the thread that has created it, which may be pinned. Workers may use all processors of the
// process that share a node of memory, so that what they have touched first stays near. They are not pinned further: host threads
// help, and other programs run, on processors that only the system knows.
void Scheduler::keepToNode(unsigned index) const {
  const std::vector<Processor> &all = processors();
  const unsigned node = all[uint64_t{index % threadCount_} * all.size() / threadCount_].node;
  const size_t bytes = CPU_ALLOC_SIZE(placeOf_.size());
  std::vector<std::byte> memory(bytes);
  auto *set = reinterpret_cast<cpu_set_t *>(memory.data());
  for (const Processor &processor : all)
    if (processor.node == node)
      CPU_SET_S(processor.number, bytes, set);
  if (!keepThreadOn(set, bytes))
    HIPLZ_LOG_INFO("a worker thread cannot keep to node %u of memory: %s", node, std::strerror(errno));
}

void Scheduler::work(Worker &worker) {
  worker.servesAll = true;
  bool streamsFirst = false; // after a job with resident groups, which may be where it was
  for (;;)
    if (Stream *stream = std::exchange(worker.next, nullptr))
      stream->run(worker, nullptr);
    else if (!serve(worker, streamsFirst))
      idle(worker);
}

// False if there is nothing to do.
bool Scheduler::serve(Worker &worker, bool &streamsFirst) {
  const bool streams = std::exchange(streamsFirst, false);
  beginSearch(worker);
  for (Priority priority : {Priority::high, Priority::normal, Priority::low}) {
    Stream *stream = streams ? takeStream(priority) : nullptr;
    const auto [job, room] = stream ? Joined{} : joinAny(priority);
    if (!stream && !job)
      stream = takeStream(priority);
    if (!stream && !job)
      continue;
    arrive(worker);
    endSearch(worker);
    if (job)
      wakeFor(*job, room);
    else if (hasWork())
      wake(1);
    if (stream) {
      stream->run(worker, nullptr);
      return true;
    }
    streamsFirst = job->resident;
    if (job->participate(worker))
      job->stream->finishJob(worker, nullptr);
    return true;
  }
  arrive(worker);
  beginSearch(worker); // if it has been woken, and for nothing
  return false;
}

void Scheduler::arrive(Worker &worker) {
  if (std::exchange(worker.woken, false))
    sleepers_.arrive(worker.sleptIn);
}

// Work that is added while a counted worker searches wakes nobody, so it searches until it has taken something or is about to sleep.
// A worker that has been woken is counted as one that is coming.
void Scheduler::beginSearch(Worker &worker) {
  if (worker.searches || worker.woken || searching_.load() >= kCountedSearchers)
    return;
  worker.searches = true;
  searching_.fetch_add(1);
}

void Scheduler::endSearch(Worker &worker) {
  if (std::exchange(worker.searches, false))
    searching_.fetch_sub(1);
}

void Scheduler::idle(Worker &worker) {
  // A worker whose processor a host thread has taken would only be in its way.
  if (sleepers_.areAtLeast(helpers_.load(std::memory_order_relaxed))) {
    const uint64_t end = now() + kSpinNanoseconds;
    while (!hasWork() && now() < end)
      for (int pauses = 0; pauses < 8; ++pauses)
        relax();
    const bool found = hasWork();
    // A host thread that has just appended is likely to wait for the result next and to execute the command itself, sooner than
    // this thread could. Competing with it for the stream would only delay both. If it offers a job meanwhile, this thread
    // is still searching, and no other one is woken for it.
    if (found) {
      for (uint64_t grace = now() + kGraceNanoseconds; queued_.load(std::memory_order_relaxed) != 0 &&
                                                       offered_.load(std::memory_order_relaxed) == 0 && now() < grace;)
        relax();
      return;
    }
  }
  endSearch(worker);
  worker.sleptIn = domainHere();
  worker.woken = sleepers_.sleep(worker.sleptIn, [this] { return hasWork(); });
}

void Scheduler::wake(uint32_t count) {
  if (searching_.load() == 0)
    sleepers_.wake(domainHere(), count);
}

// Each thread that joins a job wakes two more, those two four, and so on, until those that take part and those that are on their way
// fill the job. So a hundred workers are there after seven times the time that it takes to wake one.
void Scheduler::wakeFor(const Job &job, uint32_t room) {
  if (searching_.load() != 0)
    return;
  const uint32_t coming = room != 0 ? sleepers_.coming() : 0;
  if (room > coming)
    sleepers_.wake(domainHere(), std::min(room - coming, 2u));
  else if (hasWorkBeside(&job))
    sleepers_.wake(domainHere(), 2);
}

void Scheduler::enqueue(Stream &stream, Priority priority, bool hadTurn) {
  if (!stream.inQueue.exchange(true)) {
    Lock guard(lock_);
    Lane &lane = laneOf(priority);
    stream.nextReady = nullptr;
    stream.previousReady = lane.lastStream;
    (lane.lastStream ? lane.lastStream->nextReady : lane.firstStream) = &stream;
    lane.lastStream = &stream;
    stream.lane = priority;
    stream.hadTurn = hadTurn;
    stream.linked = true;
    queued_.fetch_add(1);
  }
  ensureThreads();
  wake(1);
}

void Scheduler::unlinkLocked(Stream &stream) {
  Lane &lane = laneOf(stream.lane);
  (stream.previousReady ? stream.previousReady->nextReady : lane.firstStream) = stream.nextReady;
  (stream.nextReady ? stream.nextReady->previousReady : lane.lastStream) = stream.previousReady;
  stream.linked = false;
  queued_.fetch_sub(1);
  stream.inQueue.store(false);
}

void Scheduler::remove(Stream &stream) {
  Lock guard(lock_);
  if (stream.linked)
    unlinkLocked(stream);
}

Stream *Scheduler::takeStreamLocked(Priority priority, bool evenAfterTurn) {
  for (Stream *stream = laneOf(priority).firstStream, *next; stream; stream = next) {
    next = stream->nextReady;
    if (stream->hadTurn && !evenAfterTurn)
      continue;
    // First the flag, then the state: a thread that makes the stream ready between the two enqueues it again.
    unlinkLocked(*stream);
    if (stream->tryAcquire())
      return stream;
  }
  return nullptr;
}

Stream *Scheduler::takeStream(Priority priority) {
  if (queued_.load(std::memory_order_relaxed) == 0)
    return nullptr;
  Lock guard(lock_);
  return takeStreamLocked(priority, true);
}

bool Scheduler::choosesOther(Worker &worker, Priority priority, const Job *job, uint64_t elapsed) {
  if (elapsed < kTurnNanoseconds)
    return false;
  const bool sliceIsOver = elapsed >= kSliceNanoseconds;
  Lock guard(lock_);
  for (Priority other : {Priority::high, Priority::normal, Priority::low}) {
    if (other > priority)
      return false;
    const bool givesWay = other < priority || sliceIsOver;
    worker.next = takeStreamLocked(other, givesWay);
    if (worker.next)
      return true;
    const Job *first = laneOf(other).firstJob;
    if (first == job && first)
      first = first->next;
    if (first && givesWay)
      return true;
  }
  return false;
}

void Scheduler::publish(Job &job) {
  {
    Lock guard(lock_);
    listLocked(job, true);
  }
  ensureThreads();
  if (!isHeardOf(job))
    wake(1);
}

// Waking a thread takes the waker longer than it takes a host thread that has just appended to come and wait, or a worker that has
// just done something else to look around.
bool Scheduler::isHeardOf(const Job &job) const {
  for (uint64_t grace = now() + kGraceNanoseconds;; relax()) {
    if (searching_.load() != 0 || job.lookers.load() != 0 || job.participants.load() > 1)
      return true;
    if (now() >= grace)
      return false;
  }
}

void Scheduler::listLocked(Job &job, bool first) {
  Lane &lane = laneOf(job.priority);
  job.previous = first ? nullptr : lane.lastJob;
  job.next = first ? lane.firstJob : nullptr;
  (job.previous ? job.previous->next : lane.firstJob) = &job;
  (job.next ? job.next->previous : lane.lastJob) = &job;
  job.closing.store(false);
  job.listed.store(true);
  offered_.fetch_add(1);
}

void Scheduler::unlistLocked(Job &job) {
  Lane &lane = laneOf(job.priority);
  (job.previous ? job.previous->next : lane.firstJob) = job.next;
  (job.next ? job.next->previous : lane.lastJob) = job.previous;
  offered_.fetch_sub(1);
  job.listed.store(false);
}

Scheduler::Joined Scheduler::joinLocked(Job &job) {
  if (!job.listed.load())
    return {};
  if (job.isOver()) {
    unlistLocked(job);
    return {};
  }
  // A job that is full becomes free again only in leave().
  const uint32_t others = job.participants.fetch_add(1, std::memory_order_acq_rel);
  if (others + 1 < job.maxParticipants)
    return {&job, job.maxParticipants - others - 1};
  unlistLocked(job);
  return {&job, 0};
}

bool Scheduler::join(Job &job) {
  if (!job.listed.load())
    return false;
  Joined joined;
  {
    Lock guard(lock_);
    joined = joinLocked(job);
  }
  if (joined.job)
    wakeFor(job, joined.room);
  return joined.job != nullptr;
}

Scheduler::Joined Scheduler::joinAny(Priority priority) {
  if (offered_.load(std::memory_order_relaxed) == 0)
    return {};
  if (domainCount_ == 1)
    return joinFirst(priority);
  Atomic<bool> &occupied = entrances_[domainHere()].occupied;
  Backoff backoff;
  while (occupied.load(std::memory_order_relaxed) || occupied.exchange(true, std::memory_order_acquire)) {
    backoff.pause();
    if (offered_.load(std::memory_order_relaxed) == 0)
      return {};
  }
  const Joined joined = joinFirst(priority);
  occupied.store(false, std::memory_order_release);
  return joined;
}

Scheduler::Joined Scheduler::joinFirst(Priority priority) {
  if (offered_.load(std::memory_order_relaxed) == 0) // after others were at the entrance
    return {};
  Lock guard(lock_);
  for (Job *job = laneOf(priority).firstJob, *next; job; job = next) {
    next = job->next;
    if (const Joined joined = joinLocked(*job); joined.job)
      return joined;
  }
  return {};
}

// Nobody who joined now would find anything to execute, so the job must not be offered when its last participant has
// gone. A participant that leaves at this moment offers it first and then checks whether it is over; this thread has
// first seen that it is over, and then checks whether it is offered. One of them sees the other. Many finish at the same time: one of
// them takes the job out of the list, and is a participant until it has done so.
bool Scheduler::finish(Job &job) {
  if (job.listed.load() && !job.closing.load() && !job.closing.exchange(true)) {
    Lock guard(lock_);
    if (job.listed.load())
      unlistLocked(job);
  }
  return job.participants.fetch_sub(1, std::memory_order_acq_rel) == 1;
}

bool Scheduler::leave(Job &job, bool comesBack) {
  {
    Lock guard(lock_);
    if (job.listed.load())
      unlistLocked(job);
    const uint32_t others = job.participants.load() - 1;
    // A thread that found no work-group to execute will find none later: there are enough threads for those that are left.
    if (!comesBack)
      job.maxParticipants = std::max(others, 1u);
    if (others < job.maxParticipants)
      listLocked(job, false); // last, so that other jobs come first
    const bool isOver = job.isOver();
    if (isOver && job.listed.load())
      unlistLocked(job);
    const bool isLast = job.participants.fetch_sub(1, std::memory_order_acq_rel) == 1;
    if (isOver)
      return isLast;
  }
  wake(1);
  return false;
}

} // namespace hiplz::cpu
