// SPDX-License-Identifier: MIT
// See kernel_stack.h. A fault leaves the stack by a long jump; the next call begins at its top again.
#include "cpu/exec/kernel_stack.h"
#include "base/log.h"
#include "base/sanitizer.h"

namespace hiplz::cpu {
namespace {

// For functions that call themselves, and for the math library and what lies below the kernel. As much as threads have; only pages that
// are used take memory.
constexpr size_t kBaseBytes = 8 << 20;

/// Calls the kernel with its frame at the top of another stack. A plain call and return, which the processor predicts: an exchange of
/// stacks by a jump (switch_stack.h) made each launch 12 ns slower. The frame pointer leads debuggers back to the thread's stack.
[[gnu::noinline]] HIPLZ_NO_THREAD_SANITIZER void callOn(void *top, KernelFunction function, const LaunchState *launch,
                                                        WorkerState *state, uint64_t begin, uint64_t end) {
  [[maybe_unused]] void *volatile frame = __builtin_frame_address(0); // makes the compiler keep a frame pointer
  asm volatile("movq %%rsp, %%rbx\n\t"
               "movq %[top], %%rsp\n\t"
               "callq *%[function]\n\t"
               "movq %%rbx, %%rsp"
               : "+D"(launch), "+S"(state), "+d"(begin), "+c"(end), [top] "+r"(top), [function] "+r"(function)
               :
               : "rax", "rbx", "r8", "r9", "r10", "r11", "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
                 "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}
} // namespace

void KernelStack::call(KernelFunction function, const LaunchState &launch, WorkerState &state, uint64_t begin,
                       uint64_t end, size_t bytes) {
  if (kBaseBytes + bytes > bytes_) [[unlikely]] {
    if (!stack_.ensure(1, kBaseBytes + bytes)) {
      HIPLZ_LOG_ERROR("out of memory for a stack of %zu bytes", bytes);
      __builtin_trap(); // reported like every other fault of the kernel
    }
    bytes_ = kBaseBytes + bytes;
  }
  callOn(stack_.top(0), function, &launch, &state, begin, end);
}

} // namespace hiplz::cpu
