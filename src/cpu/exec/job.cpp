// SPDX-License-Identifier: MIT
// See job.h.
#include "cpu/exec/job.h"
#include "base/log.h"
#include "cpu/check/group.h"
#include "cpu/exec/fiber_group.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/scheduler.h"
#include "cpu/exec/stream.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <sched.h>
#include <utility>

namespace hiplz::cpu {
namespace {
// Waking a thread costs the waker 1 to 3 us and takes effect after 5 to 50 us. Work shorter than this stays on one thread.
constexpr uint64_t kAloneNanoseconds = 6000;
// Work that is known to take longer than this is not begun alone.
constexpr uint64_t kLongNanoseconds = 5 * kAloneNanoseconds;
// A participant's claim takes about this long if it is more than one index: some hundred times what a claim costs.
constexpr uint64_t kClaimNanoseconds = 20'000;
// How often a participant looks at each waiting resident work-group before it looks around.
constexpr uint64_t kTurnsBeforeRest = 8;
// Neighbouring parts that are counted together.
constexpr unsigned kGroupParts = 16;
} // namespace

/// Contiguous indices, which are claimed from the front.
struct alignas(64) Job::Part {
  Atomic<uint64_t> next{0};
  uint64_t begin = 0, end = 0;
};

/// How many indices a participant claims at a time, and how long it has been at work.
class Job::Pace {
public:
  /// `most` indices at a time.
  explicit Pace(uint64_t most) : most_(most) {}

  /// The size of the next claim, of `left` indices. Towards the end claims become smaller, so that all participants end at
  /// about the same time.
  uint64_t claim(uint64_t left) { return claimed_ = std::clamp(left / 2, std::max<uint64_t>(1, batch_ / 8), batch_); }

  /// Notes that a claim has been executed.
  void step() {
    const uint64_t time = now(), taken = time - last_;
    last_ = time;
    if (taken < kClaimNanoseconds / 2 && claimed_ == batch_ && batch_ < most_)
      batch_ *= 2;
    else if (taken > 2 * kClaimNanoseconds && batch_ > 1)
      batch_ /= 2;
  }

  uint64_t since() const { return begin_; }

private:
  const uint64_t most_, begin_ = now();
  uint64_t last_ = begin_, batch_ = 1, claimed_ = 1;
};

Job::Job()
    : parts_(new Part[Scheduler::get().threadCount()]),
      openOfOthers_(new OpenParts[Scheduler::get().threadCount() / kGroupParts]) {}
Job::~Job() = default;

bool Job::execute(Worker &worker, uint64_t indices, uint32_t maxThreads, bool publishAtOnce) {
  total = indices;
  maxParticipants = static_cast<uint32_t>(std::min<uint64_t>({Scheduler::get().threadCount(), maxThreads, total}));
  failed.store(false, std::memory_order_relaxed);
  const uint64_t done = !resident && (total == 1 || !publishAtOnce) ? runAlone(worker) : 0;
  if (done == total)
    return true;
  divide(done);
  participants.store(1, std::memory_order_relaxed);
  if (total - done > 1 && maxParticipants > 1)
    Scheduler::get().publish(*this);
  return participate(worker);
}

// From the front without publishing, while that takes little time in all; nothing if the kernel is known to take long. Returns how
// many indices are done now; all if the job has failed.
uint64_t Job::runAlone(Worker &worker) {
  uint64_t done = 0;
  if (kernel && total > 1 && groupTimes_.expect(*kernel, total) > kLongNanoseconds)
    return 0;
  auto work = [this, &worker, &done] {
    if (total == 1) {
      body(*this, worker, 0, 1);
      done = 1;
      return;
    }
    const uint64_t start = now();
    for (uint64_t step = 1; done < total; step *= 2) {
      uint64_t end = std::min(done + step, total);
      body(*this, worker, done, end);
      done = end;
      const uint64_t taken = now() - start;
      if (kernel && (done == total || taken > kAloneNanoseconds))
        groupTimes_.note(*kernel, taken, done);
      if (taken > kAloneNanoseconds)
        return;
    }
  };
  if (runGuarded(worker.fault, work))
    return done;
  fail(worker, worker.state);
  return total;
}

// Before the first participation: what follows the first `done` indices is divided into parts.
void Job::divide(uint64_t done) {
  begun_.store(0, std::memory_order_relaxed);
  ended_.store(0, std::memory_order_relaxed);
  if (resident)
    return;
  // Where a part ends depends on nothing but `total`, so that it is the same in each launch of that size.
  partCount_ = inOrder ? 1 : static_cast<unsigned>(std::min<uint64_t>(Scheduler::get().threadCount(), total));
  const uint64_t size = total / partCount_, rest = total % partCount_;
  uint32_t open = 0, openGroups = 0;
  uint64_t begin = 0;
  for (unsigned index = 0; index < partCount_; ++index) {
    const uint64_t end = begin + size + (index < rest);
    Part &part = parts_[index];
    part.begin = std::clamp(done, begin, end);
    part.end = end;
    part.next.store(part.begin, std::memory_order_relaxed);
    open += part.begin < end;
    begin = end;
    if ((index + 1) % kGroupParts == 0 || index + 1 == partCount_) {
      openOf(index / kGroupParts).store(open, std::memory_order_relaxed);
      openGroups += open != 0;
      open = 0;
    }
  }
  openGroups_.store(openGroups);
}

bool Job::participate(Worker &worker) {
  if (resident)
    return participateResident(worker);
  bool comesBack = false;
  auto work = [this, &worker, &comesBack] { comesBack = !workOff(worker); };
  const bool shared = listed.load(std::memory_order_relaxed) || participants.load(std::memory_order_relaxed) > 1;
  const Scheduler::HelperScope helper(!worker.servesAll && shared);
  if (!runGuarded(worker.fault, work)) {
    comesBack = false;
    fail(worker, worker.state);
  }
  return comesBack ? Scheduler::get().leave(*this, true) : Scheduler::get().finish(*this);
}

// The part of the processor that the thread runs on, or the first one that nobody has begun.
unsigned Job::firstPart() const {
  const unsigned home = Scheduler::get().partHere(partCount_);
  for (unsigned count = 0, part = home; count < partCount_; ++count, part = part + 1 < partCount_ ? part + 1 : 0)
    if (parts_[part].next.load(std::memory_order_relaxed) == parts_[part].begin &&
        parts_[part].begin < parts_[part].end)
      return part;
  return home;
}

// False if the worker has been called away.
bool Job::workOff(Worker &worker) {
  Pace pace(inOrder ? 1 : UINT64_MAX);
  unsigned part = firstPart();
  for (unsigned looked = 0; looked < partCount_ && openGroups_.load() != 0;) {
    const unsigned group = part / kGroupParts, begin = group * kGroupParts;
    const unsigned end = std::min(begin + kGroupParts, partCount_);
    for (unsigned left = end - begin; left != 0 && openOf(group).load() != 0;
         --left, part = part + 1 < end ? part + 1 : begin)
      if (!workOff(part, worker, pace))
        return false;
    looked += end - begin;
    part = end < partCount_ ? end : 0;
  }
  return true;
}

bool Job::workOff(unsigned index, Worker &worker, Pace &pace) {
  Part &part = parts_[index];
  for (;;) {
    const uint64_t seen = part.next.load(std::memory_order_relaxed);
    if (seen >= part.end || failed.load(std::memory_order_relaxed))
      return true;
    const uint64_t size = pace.claim(part.end - seen);
    const uint64_t begin = part.next.fetch_add(size, std::memory_order_relaxed);
    if (begin >= part.end)
      return true;
    const uint64_t end = std::min(begin + size, part.end);
    if (end == part.end && openOf(index / kGroupParts).fetch_sub(1) == 1)
      openGroups_.fetch_sub(1);
    body(*this, worker, begin, end);
    pace.step();
    if (worker.servesAll && Scheduler::get().hasWorkBeside(this) && openGroups_.load(std::memory_order_relaxed) != 0 &&
        Scheduler::get().callsAway(worker, priority, this, pace.since()))
      return false;
  }
}

void Job::fail(Worker &worker, WorkerState &faulted) {
  if (failed.exchange(true)) // one message is enough
    return destroyFibers(faulted);
  if (kernel && kernel->oneByOne && faulted.itemCount == 0)
    findWorkItem(worker, faulted);
  stream->noteFault(worker.recover(faulted));
}

// Executes the work-group, or those that the code has executed together, again, one work-item after the other. Only
// what faults in the same way is taken for the same fault: the first execution may have changed what the kernel reads.
void Job::findWorkItem(Worker &worker, WorkerState &faulted) {
  constexpr uintptr_t kNear = 4096; // several work-items access memory together, and the address is that of any of them
  const FaultInfo first = worker.fault.info;
  const uint32_t *count = launch.groupCount;
  const std::array<uint32_t, 3> group{faulted.groupId[0], faulted.groupId[1], faulted.groupId[2]};
  const uint64_t index = (uint64_t{group[2]} * count[1] + group[1]) * count[0] + group[0];
  const uint64_t end = index + std::clamp(faulted.groupSpan, 1u, count[0] - group[0]);
  auto again = [&] {
    for (uint64_t each = index; each < end; ++each)
      worker.call(kernel->oneByOne, launch, faulted, each, each + 1, size_t{kernel->privateBytes} + kernel->frameBytes);
  };
  const bool faults = !runGuarded(worker.fault, again);
  const FaultInfo second = worker.fault.info;
  const uintptr_t distance = reinterpret_cast<uintptr_t>(second.address) - reinterpret_cast<uintptr_t>(first.address);
  // An access to something that cannot be an address is a segmentation fault or a bus error, as the register has it that it was in. Of other signals the
  // address is that of the code.
  const auto inMemory = [](const FaultInfo &info) { return info.signal == SIGSEGV || info.signal == SIGBUS; };
  const bool alike = inMemory(first) ? inMemory(second) && distance + kNear < 2 * kNear : second.signal == first.signal;
  if (faults && alike) {
    worker.fault.info.linePc = first.linePc; // the function for single work-items has no lines
    return;
  }
  worker.fault.info = first;
  faulted.itemCount = 0;
  std::copy(group.begin(), group.end(), faulted.groupId);
}

bool Job::participateResident(Worker &worker) {
  Scheduler &scheduler = Scheduler::get();
  ResidentGroup *group = nullptr, *spare = nullptr; // the memory of a group that has ended is warm
  bool comesBack = false;
  const uint64_t since = now();
  auto work = [&] {
    uint64_t turns = 0; // since a group has ended
    while (!failed.load(std::memory_order_relaxed) && (group = nextGroup(spare))) {
      if (group->run()) {
        check::endCall(group->state);
        if (ResidentGroup *const older = std::exchange(spare, std::exchange(group, nullptr)))
          older->release();
        ended_.fetch_add(1);
        turns = 0;
        comesBack = worker.servesAll && scheduler.callsAway(worker, priority, this, since);
        if (comesBack)
          return;
        continue;
      }
      putBack(*std::exchange(group, nullptr));
      if (++turns % (total * kTurnsBeforeRest) != 0)
        continue;
      // Everybody waits, and most likely for somebody who is not running at the moment.
      comesBack = worker.servesAll && scheduler.hasWorkBeside(this);
      if (comesBack)
        return;
      yieldProcessor();
    }
  };
  if (!runGuarded(worker.fault, work)) {
    fail(worker, group->state);
    group->release();
  }
  if (spare)
    spare->release();
  bool isLast = scheduler.leave(*this, comesBack);
  if (isLast)
    while (ResidentGroup *left = waiting_.lock()->pop())
      left->release();
  return isLast;
}

// Work-groups that have not begun come first: the others are likely to be waiting for them.
ResidentGroup *Job::nextGroup(ResidentGroup *&spare) {
  if (begun_.load(std::memory_order_relaxed) < total) {
    if (uint64_t index = begun_.fetch_add(1, std::memory_order_relaxed); index < total) {
      if (ResidentGroup *group = spare ? std::exchange(spare, nullptr) : ResidentGroup::acquire()) {
        group->prepare(*resident, launch, index, patience);
        return group;
      }
      HIPLZ_LOG_ERROR("out of memory for %llu concurrent work-groups; the kernel is abandoned and the device is lost",
                      static_cast<unsigned long long>(total));
      failed.store(true);
      return nullptr;
    }
  }
  return waiting_.lock()->pop();
}

void Job::putBack(ResidentGroup &group) { waiting_.lock()->push(group); }

} // namespace hiplz::cpu
