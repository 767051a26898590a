// SPDX-License-Identifier: MIT
// The state of a thread that executes device work: local memory, fibers, an alternate signal stack. Worker threads have one
// for life; a host thread that helps while it waits gets one at its first help and keeps it until it ends.
#pragma once
#include "base/driver_extensions.h"
#include "cpu/abi/kernel.h"
#include "cpu/check/group.h"
#include "cpu/exec/fault.h"
#include "cpu/exec/kernel_stack.h"
#include "cpu/exec/local_memory.h"

namespace hiplz::cpu {

class Stream;

class alignas(64) Worker {
public:
  /// The part of a thread's stack that it may use; empty if that is unknown.
  struct Stack {
    std::byte *begin = nullptr, *end = nullptr;
  };

  Worker();
  ~Worker();
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  /// The calling thread's. Throws std::bad_alloc at the first call of a thread.
  static Worker &current();

  /// True if the calling thread, whose worker this is, has stack enough for what executes commands. Host threads may have small
  /// stacks, or run on stacks of their own making. Kernels have a stack of their own.
  bool hasStack() const;

  /// Executes a range of work-groups on the kernel stack. May fault.
  void execute(const KernelCode &kernel, const LaunchState &launch, uint64_t begin, uint64_t end);

  /// Calls code of a kernel on the kernel stack, with `bytes` for it. May fault.
  void call(KernelFunction function, const LaunchState &launch, WorkerState &with, uint64_t begin, uint64_t end,
            size_t bytes) {
    check::beginCall(with);
    stack_.call(function, launch, with, begin, end, bytes);
    check::endCall(with);
  }

  /// To be called after a fault: writes what happened to the log and makes the worker usable again. `faulted` is what the
  /// kernel was using.
  ZeFault recover(WorkerState &faulted);
  ZeFault recover() { return recover(state); }

  WorkerState state{};
  FaultScope fault{};
  bool servesAll = false; ///< a thread of the scheduler's, on which other streams may depend
  bool searches = false;  ///< counted by the scheduler among those that look for work
  bool woken = false;     ///< counted by the scheduler among those that are coming
  unsigned sleptIn = 0;   ///< the domain where it was woken
  Stream *next = nullptr; ///< for which the worker leaves what it executes; acquired already

private:
  LocalMemory local_;
  KernelStack stack_;
  Stack threadStack_;
};

} // namespace hiplz::cpu
