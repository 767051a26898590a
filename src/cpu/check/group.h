// SPDX-License-Identifier: MIT
// Calls by which the executors of kernels tell the checks about the work-groups that a worker executes (group_state.h).
#pragma once
#include "cpu/abi/compiled_code.h"
#include "cpu/check/tools.h"

namespace hiplz::cpu::check {

void createGroup(WorkerState &state);
void endGroup(WorkerState &state);
void destroyGroup(WorkerState &state);

/// Reports what kernels have noted (findings.h). Not on a kernel's stack.
void reportNoted();

/// A worker begins or ends to execute work-groups of a launch.
inline void beginCall(WorkerState &state) {
  if ((tools().barriers || tools().races) && !state.check) [[unlikely]] // compiled code looks into it
    createGroup(state);
  if (state.check) [[unlikely]]
    endGroup(state);
}
inline void endCall(WorkerState &state) {
  if (tools().any()) [[unlikely]] {
    if (state.check)
      endGroup(state);
    reportNoted();
  }
}

} // namespace hiplz::cpu::check
