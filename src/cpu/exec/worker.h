// SPDX-License-Identifier: MIT
// What a thread needs to execute device work: local memory, fibers, an alternate signal stack. Worker threads have one
// for life; a host thread that helps while it waits gets one at its first help and keeps it until it ends.
#pragma once
#include "cpu/abi/kernel.h"
#include "cpu/exec/fault.h"
#include "cpu/exec/kernel_stack.h"
#include "cpu/exec/local_memory.h"

namespace hiplz::cpu {

class Stream;

class alignas(64) Worker {
public:
  Worker();
  ~Worker();
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  /// The calling thread's. Throws std::bad_alloc at the first call of a thread.
  static Worker &current();

  /// Whether the calling thread, whose worker this is, has stack enough for kernels, and `bytes` beside that. Host threads may
  /// have small stacks, or run on stacks of their own making.
  bool hasStack(size_t bytes = 0) const;

  /// Executes a range of work-groups, on another stack if this one is too small. May fault.
  void execute(const KernelCode &kernel, const LaunchState &launch, uint64_t begin, uint64_t end);

  /// To be called after a fault: writes what happened to the log and makes the worker usable again. `faulted` is what the
  /// kernel was using.
  void recover(WorkerState &faulted);
  void recover() { recover(state); }

  WorkerState state{};
  FaultScope fault{};
  bool servesAll = false; ///< a thread of the scheduler's, on which other streams may depend
  bool searches = false;  ///< counted by the scheduler among those that look for work
  Stream *next = nullptr; ///< for which the worker leaves what it executes; acquired already

private:
  LocalMemory local_;
  KernelStack stack_;
  std::byte *stackBegin_ = nullptr, *stackEnd_ = nullptr;
};

} // namespace hiplz::cpu
