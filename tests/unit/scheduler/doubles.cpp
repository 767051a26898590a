// SPDX-License-Identifier: MIT
// The neighbours of scheduler.cpp and job.cpp in the simulation: threads, a stream, and what faults and resident groups need of
// the rest of the driver, which no simulated launch has.
#include "cpu/check/group.h"
#include "cpu/exec/driver_thread.h"
#include "cpu/exec/fault.h"
#include "cpu/exec/fiber_group.h"
#include "cpu/exec/resident_group.h"
#include "cpu/exec/scheduler.h"
#include "cpu/exec/stream.h"

#include <array>
#include <cstdlib>

namespace hiplz::cpu {

int startDetachedThread(const char *, void *(*main)(void *), void *argument) {
  simulation::start(main, argument);
  return 0;
}

Worker &Worker::current() {
  static std::array<Worker, 256> workers;
  return workers[simulation::processor()];
}

void Stream::launchAndWait(Job::Body body, uint64_t groups) {
  Worker &worker = Worker::current();
  isDone_.store(0);
  job.stream = this;
  job.body = body;
  if (job.execute(worker, groups, UINT32_MAX, true))
    finishJob(worker, nullptr);
  while (isDone_.load() == 0)
    if (!Scheduler::get().join(job))
      relax();
    else if (job.participate(worker))
      finishJob(worker, nullptr);
}

bool Stream::tryAcquire() { return false; }
void Stream::run(Worker &, const void *) {}
void Stream::finishJob(Worker &, const void *) { isDone_.store(1); }

FaultScope *currentFaultScope() { return nullptr; }
void setCurrentFaultScope(FaultScope *) {}
void destroyFibers(WorkerState &) {}
ResidentGroup *ResidentGroup::acquire() noexcept { return nullptr; }
void ResidentGroup::release() noexcept {}
void ResidentGroup::prepare(const KernelCode &, const LaunchState &, uint64_t, uint32_t) {}
bool ResidentGroup::run() { return true; }

namespace check {
Tools chosenTools() { return {}; }
void endGroup(WorkerState &) {}
void reportNoted() {}
} // namespace check

} // namespace hiplz::cpu
