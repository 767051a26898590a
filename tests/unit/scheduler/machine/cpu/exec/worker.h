// SPDX-License-Identifier: MIT
// Takes the place of src/cpu/exec/worker.h: a worker without memory for kernels, which the simulation does not execute.
#pragma once
#include "base/driver_extensions.h"
#include "cpu/abi/kernel.h"
#include "cpu/exec/fault.h"

namespace hiplz::cpu {

class Stream;

class Worker {
public:
  static Worker &current(); ///< of the simulated thread
  void call(KernelFunction, const LaunchState &, WorkerState &, uint64_t, uint64_t, size_t) {}
  ZeFault recover(WorkerState &) { return {}; }

  WorkerState state{};
  FaultScope fault{};
  bool servesAll = false, searches = false, woken = false;
  unsigned sleptIn = 0;
  Stream *next = nullptr;
};

} // namespace hiplz::cpu
