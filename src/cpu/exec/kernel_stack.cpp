// SPDX-License-Identifier: MIT
// See kernel_stack.h. A fault leaves the stack by a long jump; the next call begins at its top again.
#include "cpu/exec/kernel_stack.h"
#include "base/log.h"
#include "cpu/exec/switch_stack.h"

namespace hiplz::cpu {
namespace {

constexpr size_t kBaseBytes = 64 << 10; // for the math library and what lies below the kernel

struct Call {
  KernelFunction function;
  const LaunchState *launch;
  WorkerState *state;
  uint64_t begin, end;
  void *returnTo, *ended;
};

void callMain(void *argument) {
  auto &call = *static_cast<Call *>(argument);
  call.function(call.launch, call.state, call.begin, call.end);
  switchStack(&call.ended, call.returnTo);
  __builtin_unreachable();
}

} // namespace

[[gnu::noinline]] void KernelStack::call(KernelFunction function, const LaunchState &launch, WorkerState &state,
                                         uint64_t begin, uint64_t end, size_t bytes) {
  if (!stack_.ensure(1, kBaseBytes + bytes)) {
    HIPLZ_LOG_ERROR("out of memory for a stack of %zu bytes", bytes);
    __builtin_trap(); // reported like every other fault of the kernel
  }
  Call call{function, &launch, &state, begin, end, nullptr, nullptr};
  switchStack(&call.returnTo, freshStack(stack_.top(0), callMain, &call));
}

} // namespace hiplz::cpu
