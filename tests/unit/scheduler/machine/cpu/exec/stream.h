// SPDX-License-Identifier: MIT
// Takes the place of src/cpu/exec/stream.h: a stream that launches one kernel after the other and waits for each.
#pragma once
#include "cpu/exec/job.h"
#include "cpu/exec/priority.h"
#include "cpu/exec/worker.h"

namespace hiplz::cpu {

class Stream {
public:
  /// Launches so many work-groups with this body and executes a part of them, as a host thread that waits does.
  void launchAndWait(Job::Body body, uint64_t groups);

  // For the scheduler.
  bool tryAcquire();
  void run(Worker &worker, const void *goal);
  void finishJob(Worker &worker, const void *goal);
  void noteFault(ZeFault) {}
  Stream *nextReady = nullptr, *previousReady = nullptr;
  bool linked = false, hadTurn = false;
  Priority lane = Priority::normal;
  Atomic<bool> inQueue{false};

  Job job;

private:
  alignas(64) Atomic<uint32_t> isDone_{0};
};

} // namespace hiplz::cpu
