// SPDX-License-Identifier: MIT
// See stream.h. The order of stores and loads of state_, committed_ and completed_ is sequentially consistent: a thread
// that appends and an owner that runs out of records must not miss each other.
#include "cpu/exec/stream.h"
#include "base/lockable.h"
#include "base/log.h"
#include "cpu/abi/group_count.h"
#include "cpu/check/memory.h"
#include "cpu/check/tools.h"
#include "cpu/check/uninitialized.h"
#include "cpu/exec/copy.h"
#include "cpu/exec/counted_event.h"
#include "cpu/exec/launch_counting.h"
#include "cpu/exec/record_checks.h"
#include "cpu/exec/scheduler.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace hiplz::cpu {
namespace {

// Streams that nobody uses. Never destroyed, see stream.h.
using FreeStreams = Lockable<Stream *, SpinLock>;
FreeStreams &freeStreams() {
  static auto *first = new FreeStreams(LockRank::cpuFreeStreams, nullptr);
  return *first;
}

// How often a waiting host thread looks before it sleeps: about 4 us, or 20 us if it has executed a part of what it waits for, so
// that the others will soon be done too.
constexpr int kSpins = 100, kSpinsAfterHelp = 500;
// A launch of this many work-items is offered to the other workers at once.
constexpr uint64_t kLargeLaunch = 1 << 16;
// Programs that count on all work-groups being there launch no more than a large GPU holds.
constexpr uint64_t kResidentGroups = 512;
// A work-group of an ordinary launch mostly waits for one that runs, and not for long. A scan that looks back became 1.5 times as slow
// with 64.
constexpr uint32_t kPatience = 4096;

void kernelBody(const Job &job, Worker &worker, uint64_t begin, uint64_t end) {
  worker.execute(latest(*job.kernel), job.launch, begin, end);
}

// A record of a stream has been executed and does not need its events any more.
void releaseEvents(const Record &record) {
  if (record.signal)
    record.signal->release();
  for (uint32_t index = 0; index < record.waitCount; ++index)
    record.waits[index]->release();
  if (record.op == Op::resetEvent) {
    static_cast<const ResetRecord &>(record).event->release();
  } else if (record.op == Op::queryTimestamps) {
    const auto &query = static_cast<const QueryTimestampsRecord &>(record);
    for (uint32_t index = 0; index < query.count; ++index)
      query.events[index]->release();
  }
}

void writeMemoryBody(const Job &job, Worker &, uint64_t, uint64_t) {
  auto &record = *static_cast<const WriteMemoryRecord *>(job.record);
  check::initialize(record.to, sizeof *record.to);
  __atomic_store_n(record.to, record.value, __ATOMIC_RELEASE);
}

} // namespace

bool Goal::isMet() const {
  if (shared)
    return shared->shared->hasPassed(static_cast<uint32_t>(target));
  return signal ? signal->isSignalled() : stream->isCompleted(target);
}

Stream *Stream::create(std::shared_ptr<DeviceStatus> status, Priority priority, uint32_t maxThreads) {
  auto arena = std::make_unique<RecordArena>(RecordArena::Use::stream);
  Stream *stream;
  {
    const auto first = freeStreams().lock();
    stream = *first;
    if (stream)
      *first = stream->nextFree_;
  }
  if (!stream)
    stream = new Stream;
  stream->arena_ = std::move(arena);
  stream->status_ = std::move(status);
  stream->priority_ = priority;
  stream->maxThreads_ = maxThreads;
  stream->outer_ = stream->record_ = nullptr;
  stream->state_.store(kIdle); // ends the previous life's kDead
  return stream;
}

void Stream::destroy() {
  if (state_.fetch_or(kAbandoned) != kIdle)
    return; // the owner, or the next one, sees to it
  // An owner that has just become idle may not have noticed yet what was appended meanwhile. It cannot come back now, so
  // whatever is left is up to this thread to hand on.
  if (completed_.load() == committed_.load())
    reclaim();
  else
    makeReady(kIdle);
}

void Stream::reclaim() {
  state_.store(kDead);
  Scheduler::get().remove(*this);
  arena_.reset();
  status_.reset();
  const auto first = freeStreams().lock();
  nextFree_ = *first;
  *first = this;
}

void Stream::commit(uint64_t records) {
  const uint64_t target = committed_.load(std::memory_order_relaxed) + records;
  if (checks_) [[unlikely]]
    checks_->submitted(target - records + 1);
  committed_.store(target);
  uint32_t expected = kIdle;
  if (state_.load() == kIdle && state_.compare_exchange_strong(expected, kReady))
    Scheduler::get().enqueue(*this, priority_, false);
}

void Stream::commitAndWait(uint64_t records) {
  Worker &worker = Worker::current(); // before the stream is taken: see help
  uint64_t target = committed_.load(std::memory_order_relaxed) + records;
  if (checks_) [[unlikely]]
    checks_->submitted(target - records + 1);
  committed_.store(target);
  Goal goal{nullptr, this, target};
  uint32_t expected = kIdle;
  if (!worker.hasStack()) {
    if (state_.compare_exchange_strong(expected, kReady))
      Scheduler::get().enqueue(*this, priority_, false);
  } else if (state_.compare_exchange_strong(expected, kRunning)) {
    run(worker, &goal);
  }
  wait(this, goal, kForever);
}

void Stream::resume() { makeReady(kBlocked); }

void Stream::makeReady(State from, bool afterTurn) {
  const Priority priority = priority_; // from the next line on the stream may belong to somebody else
  change(from, kReady);
  Scheduler::get().enqueue(*this, priority, afterTurn);
}

bool Stream::help(Worker &worker, const Goal &goal) {
  if (tryAcquire()) {
    Scheduler::get().remove(*this); // so that nobody takes it for work that is left
    run(worker, &goal);
    return true;
  }
  if (!Scheduler::get().join(job_))
    return false;
  if (job_.participate(worker))
    finishJob(worker, &goal);
  return true;
}

void Stream::Progress::wait() const { Stream::wait(stream, Goal{nullptr, stream, target}, kForever); }

bool Stream::wait(Stream *helped, const Goal &goal, uint64_t deadline) {
  const bool isMet = waitUnchecked(helped, goal, deadline);
  if (isMet && goal.stream && goal.stream->checks_) [[unlikely]]
    goal.stream->checks_->hostWaited();
  return isMet;
}

bool Stream::waitUnchecked(Stream *helped, const Goal &goal, uint64_t deadline) {
  if (goal.isMet())
    return true;
  if (deadline == 0)
    return false;
  // A thread's first worker registers a destructor, for which it needs the dynamic loader's lock. Somebody who unloads a
  // library may hold that lock and wait for this stream, so it must not be taken while this thread is responsible for it.
  Worker *worker = helped && deadline == kForever ? &Worker::current() : nullptr;
  if (worker && !worker->hasStack())
    worker = nullptr;
  for (int spins = kSpins;; spins = kSpins) {
    bool helps = worker && helped->help(*worker, goal), met = goal.isMet();
    if (met)
      return true;
    if (helps)
      spins = kSpinsAfterHelp;
    if (worker) // a worker was quicker, and is about to offer a job
      helped->job_.lookers.fetch_add(1);
    for (helps = false; spins > 0 && !helps && !met; --spins) {
      _mm_pause();
      met = goal.isMet();
      helps = worker && helped->wantsHelp();
    }
    if (worker) {
      helped->job_.lookers.fetch_sub(1);
      helps = helps || helped->wantsHelp();
    }
    if (met) {
      if (helps) // with what comes behind the goal
        Scheduler::get().passOn();
      return true;
    }
    if (helps)
      continue;
    if (deadline != kForever && now() >= deadline)
      return goal.isMet();
    if (goal.shared)
      goal.shared->sharedPool->sleep(*goal.shared->shared, static_cast<uint32_t>(goal.target), deadline);
    else if (goal.signal)
      goal.signal->sleep(deadline);
    else
      goal.stream->sleepUntilCompleted(goal.target, deadline);
  }
}

void Stream::sleepUntilCompleted(uint64_t target, uint64_t deadline) const {
  sleepers_.fetch_add(1);
  uint64_t seen = completed_.load();
  if (seen < target)
    futexWait(const_cast<std::atomic<uint64_t> *>(&completed_), static_cast<uint32_t>(seen), deadline);
  sleepers_.fetch_sub(1);
}

void Stream::run(Worker &worker, const Goal *goal) {
  Scheduler &scheduler = Scheduler::get();
  uint64_t since = 0; // when somebody was seen to wait
  for (;;) {
    if (!record_ && !fetch()) {
      if (becomeIdle())
        return;
      continue;
    }
    if (!waitForEvents() || !execute(worker))
      return;
    if (!record_)
      continue; // a list has been entered; its records come next
    completeRecord();
    if (goal) {
      if (goal->isMet() && (list_ || completed_.load() != committed_.load()))
        return makeReady(kRunning);
    } else if (worker.next) { // it was called away from a job that has ended meanwhile
      return makeReady(kRunning);
    } else if (scheduler.hasWorkBeside(nullptr)) {
      if (since == 0)
        since = now();
      else if (scheduler.callsAway(worker, priority_, nullptr, since))
        return makeReady(kRunning, true);
    }
  }
}

void Stream::finishJob(Worker &worker, const Goal *goal) {
  failed_ = job_.failed.load(std::memory_order_relaxed);
  completeRecord();
  if (worker.next)
    return makeReady(kRunning);
  run(worker, goal);
}

bool Stream::fetch() {
  if (list_) {
    --listLeft_;
    listRecord_ = listRecord_ ? list_->next(*listRecord_, false) : list_->first(false);
    record_ = listRecord_;
    return true;
  }
  if (completed_.load(std::memory_order_relaxed) == committed_.load())
    return false;
  outer_ = outer_ ? arena_->next(*outer_, true) : arena_->first(true);
  record_ = outer_;
  return true;
}

bool Stream::becomeIdle() {
  uint32_t expected = kRunning;
  if (!state_.compare_exchange_strong(expected, kIdle)) {
    // Abandoned while it was executed: what was appended before has been executed now, and nothing will follow.
    if (completed_.load() != committed_.load())
      return false;
    reclaim();
    return true;
  }
  // From here on the stream may belong to somebody else, even in its next life; only the exchange gives it back.
  expected = kIdle;
  return completed_.load() == committed_.load() || !state_.compare_exchange_strong(expected, kRunning);
}

bool Stream::waitForEvents() {
  while (nextWait_ < record_->waitCount) {
    EventState &event = *record_->waits[nextWait_++]; // once resumed it counts as seen, even if it is reset meanwhile
    if (event.shared) {
      if (!event.isSignalled() && event.sharedPool->block(event, *this))
        return false;
      continue;
    }
    Signal &signal = event.counted && list_ ? static_cast<CountedState &>(event).each : event.signal;
    if (signal.isSignalled())
      continue;
    block();
    if (signal.addWaiter(*this))
      return false;
    change(kBlocked, kRunning);
  }
  return true;
}

// True if the record has been executed, or `record_` is null because a list has been entered. False if the calling thread
// does not own the stream any more.
bool Stream::execute(Worker &worker) {
  const Record &record = *record_;
  if (checks_) [[unlikely]]
    tellChecks(*checks_, *record_, completed_.load(std::memory_order_relaxed) + 1);
  if (EventState *event = record.timeStart; event && event->timed)
    event->start = now();
  failed_ = isLost();
  // Events stay signalled once the device is lost, so that nobody waits for what will not be executed.
  if (failed_ && record.op != Op::executeList && record.op != Op::signalFence)
    return true;
  switch (record.op) {
  case Op::none:
  case Op::jump: return true;
  case Op::resetEvent: static_cast<const ResetRecord &>(record).event->reset(); return true;
  case Op::copy: job_.body = copyBody; return runJob(worker, copyPieces(static_cast<const CopyRecord &>(record)), true);
  case Op::copyRegion:
    job_.body = copyRegionBody;
    return runJob(worker, copyRegionPieces(static_cast<const CopyRegionRecord &>(record)), true);
  case Op::fill: job_.body = fillBody; return runJob(worker, fillPieces(static_cast<const FillRecord &>(record)), true);
  case Op::launch: return launch(worker, static_cast<const LaunchRecord &>(record));
  case Op::writeTimestamp: job_.body = writeTimestampBody; return runJob(worker, 1, false);
  case Op::queryTimestamps: job_.body = queryTimestampsBody; return runJob(worker, 1, false);
  case Op::waitMemory: return waitForMemory(worker);
  case Op::writeMemory: job_.body = writeMemoryBody; return runJob(worker, 1, false);
  case Op::callHost: { // not guarded like a kernel: what it does wrong is not the device's business
    auto &call = static_cast<const CallHostRecord &>(record);
    if (checks_) [[unlikely]]
      checks_->beginsHostFunction();
    call.function(call.argument);
    if (checks_) [[unlikely]]
      checks_->endsHostFunction();
    return true;
  }
  case Op::executeList:
    list_ = static_cast<const ExecuteListRecord &>(record).list;
    listLeft_ = list_->recordCount;
    for (EventState *event : list_->signalled)
      if (event->counted)
        static_cast<CountedState *>(event)->begin();
    listRecord_ = nullptr;
    if (listLeft_)
      record_ = nullptr;
    nextWait_ = 0;
    return true;
  case Op::signalFence: return true;
  case Op::markMemory: check::markMemory(static_cast<const MarkMemoryRecord &>(record).mark); return true;
  }
  return true;
}

bool Stream::waitForMemory(Worker &worker) {
  const auto &record = awaited();
  MemoryWait outcome = std::exchange(memoryWait_, MemoryWait::pending); // known if the watcher has resumed the stream
  if (outcome == MemoryWait::pending) {
    worker.state.kernelName = nullptr;
    outcome = MemoryWatcher::look(record, worker.fault);
    if (outcome == MemoryWait::faulted)
      noteFault(worker.recover());
  }
  if (outcome == MemoryWait::pending) {
    block();
    if (MemoryWatcher::get().watch(*this))
      return false;
    change(kBlocked, kRunning);
  }
  failed_ = outcome != MemoryWait::met;
  if (checks_) [[unlikely]]
    checks_->waitedForAnything();
  return true;
}

bool Stream::launch(Worker &worker, const LaunchRecord &record) {
  job_.launch = record.launch;
  if (record.indirect) {
    // The buffers are the user's, so reading them may fault like a kernel.
    bool wanted = false;
    auto read = [&] {
      wanted = !record.indirectCount || record.indirectIndex < *record.indirectCount;
      job_.launch.groupCount[0] = record.indirect->groupCountX;
      job_.launch.groupCount[1] = record.indirect->groupCountY;
      job_.launch.groupCount[2] = record.indirect->groupCountZ;
    };
    worker.state.kernelName = nullptr;
    if (!runGuarded(worker.fault, read)) {
      noteFault(worker.recover());
      failed_ = true;
      return true;
    }
    if (!wanted)
      return true;
  }
  const uint32_t *count = job_.launch.groupCount, *size = job_.launch.groupSize;
  const auto total = totalGroups(count);
  if (!total) { // other launches are checked when they are appended
    HIPLZ_LOG_ERROR("an indirect launch has %u x %u x %u work-groups, more than can be counted; the device is lost",
                    count[0], count[1], count[2]);
    failed_ = true;
    return true;
  }
  const uint64_t groups = *total;
  if (groups == 0)
    return true;
  if (job_.launch.counters) [[unlikely]]
    beginCounting(job_.launch);
  if (checks_) [[unlikely]]
    checks_->launches(job_.launch, *record.info, record.submission);
  const bool fits = record.cooperative || (groups > 1 && groups <= kResidentGroups);
  job_.resident = record.kernel->yields && fits ? &latest(*record.kernel) : nullptr;
  job_.patience = record.cooperative ? 1 : kPatience;
  job_.inOrder = record.kernel->yields && !job_.resident;
  job_.launch.workDim = count[2] * size[2] > 1 ? 3 : count[1] * size[1] > 1 ? 2 : 1;
  job_.kernel = record.kernel;
  job_.body = kernelBody;
  return runJob(worker, groups, groups >= kLargeLaunch || groups * size[0] * size[1] * size[2] >= kLargeLaunch);
}

bool Stream::runJob(Worker &worker, uint64_t total, bool publishAtOnce) {
  job_.stream = this;
  job_.priority = priority_;
  job_.record = record_;
  if (!job_.execute(worker, total, maxThreads_, publishAtOnce))
    return false;
  failed_ = job_.failed.load(std::memory_order_relaxed);
  return true;
}

void Stream::completeRecord() {
  const Record &record = *record_;
  if (failed_)
    status_->lose();
  if (job_.kernel && job_.launch.counters) [[unlikely]]
    endCounting(job_.launch);
  job_.resident = nullptr;
  job_.inOrder = false;
  job_.kernel = nullptr;
  MemoryWatcher::noteChange();
  bool isOuter = record_ == outer_;
  record_ = nullptr;
  nextWait_ = 0;
  if (record.op == Op::signalFence) {
    FenceState &fence = *static_cast<const SignalFenceRecord &>(record).fence;
    fence.signal.signal();
    fence.release();
  }
  if (EventState *event = record.signal) {
    if (event->timed)
      event->end = now();
    if (checks_) [[unlikely]]
      checks_->signals(event);
    event->complete(failed_);
  }
  if (isOuter || listLeft_ == 0) {
    releaseEvents(*outer_);
    if (list_)
      std::exchange(list_, nullptr)->release();
    completeOuter();
  }
}

void Stream::completeOuter() {
  completed_.store(completed_.load(std::memory_order_relaxed) + 1);
  if (sleepers_.load())
    futexWake(&completed_, INT32_MAX);
}

} // namespace hiplz::cpu
