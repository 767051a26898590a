// SPDX-License-Identifier: MIT
// See job.h.
#include "cpu/exec/job.h"
#include "base/log.h"
#include "cpu/exec/fiber_group.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/scheduler.h"

#include <algorithm>
#include <csignal>
#include <sched.h>
#include <utility>

namespace hiplz::cpu {
namespace {
// Waking a thread costs the waker 1 to 3 us and takes effect after 5 to 50 us. Work shorter than this stays on one thread.
constexpr uint64_t kAloneNanoseconds = 6000;
// How often a participant of a cooperative kernel looks at each waiting work-group before it looks around.
constexpr uint64_t kTurnsBeforeRest = 8;
} // namespace

bool Job::participate(Worker &worker) {
  if (cooperative)
    return cooperate(worker);
  auto work = [this, &worker] {
    for (;;) {
      uint64_t begin = claimed.fetch_add(batch, std::memory_order_relaxed);
      if (begin >= total)
        break;
      body(*this, worker, begin, std::min(begin + batch, total));
    }
  };
  if (!runGuarded(worker.fault, work))
    fail(worker, worker.state);
  // Nobody may join any more: there is nothing left to claim.
  Scheduler::get().unpublish(*this);
  return participants.fetch_sub(1, std::memory_order_acq_rel) == 1;
}

bool Job::runAlone(Worker &worker) {
  uint64_t done = 0;
  auto work = [this, &worker, &done] {
    if (total == 1 || maxParticipants == 1) {
      body(*this, worker, 0, total);
      done = total;
      return;
    }
    uint64_t start = now();
    for (uint64_t step = 1; done < total; step *= 2) {
      uint64_t end = std::min(done + step, total);
      body(*this, worker, done, end);
      done = end;
      if (now() - start > kAloneNanoseconds)
        return;
    }
  };
  if (!runGuarded(worker.fault, work)) {
    fail(worker, worker.state);
    return true;
  }
  claimed.store(done, std::memory_order_relaxed);
  return done == total;
}

void Job::fail(Worker &worker, WorkerState &faulted) {
  claimed.store(total, std::memory_order_relaxed);
  if (failed.exchange(true)) // one message is enough
    return destroyFibers(faulted);
  if (kernel && kernel->oneByOne && faulted.itemCount == 0)
    findWorkItem(worker, faulted);
  worker.recover(faulted);
}

// Executes the work-group again, one work-item after the other. Only what faults in the same way is taken for the same fault:
// the first execution may have changed what the kernel reads.
void Job::findWorkItem(Worker &worker, WorkerState &faulted) {
  constexpr uintptr_t kNear = 4096; // several work-items access memory together, and the address is that of any of them
  const FaultInfo first = worker.fault.info;
  const uint32_t *group = faulted.groupId, *count = launch.groupCount;
  const uint64_t index = (uint64_t{group[2]} * count[1] + group[1]) * count[0] + group[0];
  auto again = [&] { kernel->oneByOne(&launch, &faulted, index, index + 1); };
  const bool faults = !runGuarded(worker.fault, again);
  const FaultInfo second = worker.fault.info;
  const uintptr_t distance = reinterpret_cast<uintptr_t>(second.address) - reinterpret_cast<uintptr_t>(first.address);
  const bool inMemory = first.signal == SIGSEGV || first.signal == SIGBUS; // else the address is that of the code
  if (faults && second.signal == first.signal && (!inMemory || distance + kNear < 2 * kNear))
    return;
  worker.fault.info = first;
  faulted.itemCount = 0;
}

bool Job::cooperate(Worker &worker) {
  Scheduler &scheduler = Scheduler::get();
  ResidentGroup *group = nullptr;
  bool comesBack = false;
  auto work = [&] {
    uint64_t turns = 0; // since a group has ended
    while (!failed.load(std::memory_order_relaxed) && (group = nextGroup())) {
      if (group->run()) {
        std::exchange(group, nullptr)->release();
        ended.fetch_add(1);
        turns = 0;
        continue;
      }
      putBack(*std::exchange(group, nullptr));
      if (++turns % (total * kTurnsBeforeRest) != 0)
        continue;
      // Everybody waits, and most likely for somebody who is not running at the moment.
      comesBack = worker.servesAll && scheduler.hasWorkBeside(*this);
      if (comesBack)
        return;
      ::sched_yield();
    }
  };
  if (!runGuarded(worker.fault, work)) {
    fail(worker, group->state);
    group->release();
  }
  bool isLast = scheduler.leave(*this, comesBack);
  if (isLast)
    while (ResidentGroup *left = waiting_.lock()->pop())
      left->release();
  return isLast;
}

// Work-groups that have not begun come first: the others are likely to be waiting for them.
ResidentGroup *Job::nextGroup() {
  if (claimed.load(std::memory_order_relaxed) < total) {
    if (uint64_t index = claimed.fetch_add(1, std::memory_order_relaxed); index < total) {
      if (ResidentGroup *group = ResidentGroup::acquire()) {
        group->prepare(cooperative, launch, index);
        return group;
      }
      HIPLZ_LOG_ERROR(
          "out of memory for %llu concurrent work-groups; the cooperative kernel is abandoned and the device is lost",
          static_cast<unsigned long long>(total));
      failed.store(true);
      return nullptr;
    }
  }
  return waiting_.lock()->pop();
}

void Job::putBack(ResidentGroup &group) { waiting_.lock()->push(group); }

} // namespace hiplz::cpu
