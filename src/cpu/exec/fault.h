// SPDX-License-Identifier: MIT
// Kernels are the user's code and may dereference anything. A fault in one ends the kernel, not the process: while a
// thread executes device work it has a FaultScope, and the signal handler returns to it. Faults of other code go to the
// handler that was installed before.
#pragma once
#include <atomic>
#include <csetjmp>
#include <cstdint>

namespace hiplz::cpu {

/// The signal handler's findings.
struct FaultInfo {
  int signal = 0;
  int code = 0;
  void *address = nullptr;
  uint64_t pageError = 0;      ///< of a page fault, the processor's error code; else 0
  uint64_t registers[16] = {}; ///< rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15: as instructions number them
  uint64_t pc = 0;
  uint64_t linePc = 0; ///< the instruction whose source line is reported
};

/// The point that a fault of the current thread returns to; null outside of device work.
struct FaultScope {
  static constexpr uint64_t kMark = 0x68697a666c740001;
  uint64_t mark = kMark; ///< anything else: somebody has written over it
  std::jmp_buf returnPoint;
  FaultInfo info;
};

/// Installs the handlers of SIGSEGV, SIGBUS, SIGFPE and SIGILL at the first call, and only then: a handler that somebody
/// else installs later may call this one, so chaining to it again would never end.
void installFaultHandlers();

/// Makes the calling thread, which may be one of the application's, fit for faults: unblocks their signals, because a fault
/// that is blocked ends the process, and gives it an alternate signal stack unless it has one, because a kernel may fault
/// where the stack is full. The stack is freed when the thread ends.
void prepareForFaults();

/// Memory that is moved to other pages at the same addresses is read-only meanwhile. A thread that writes it faults,
/// sleeps in the signal handler until endRelocation() and repeats the instruction. A handler that somebody has
/// installed meanwhile is put behind this one and gets all other faults. The caller makes sure that there is one
/// relocation at a time.
void beginRelocation(const void *begin, const void *end);
void endRelocation();

/// The calling thread's innermost scope, or null. Kept by a key of pthread's: a signal handler may read that, where a
/// thread-local variable may have to be allocated; and static thread-local memory, which needs no allocation, is scarce when
/// the driver is opened late.
FaultScope *currentFaultScope();
void setCurrentFaultScope(FaultScope *scope);

/// Runs `work` and returns true, or false with `scope.info` filled if it faulted. After a fault nothing that `work` was
/// about to do happens, destructors included.
template <class Work> [[gnu::noinline]] bool runGuarded(FaultScope &scope, Work &work) {
  FaultScope *outer = currentFaultScope();
  if (_setjmp(scope.returnPoint) != 0) {
    setCurrentFaultScope(nullptr);
    return false;
  }
  setCurrentFaultScope(&scope);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  work();
  std::atomic_signal_fence(std::memory_order_seq_cst);
  setCurrentFaultScope(outer);
  return true;
}

} // namespace hiplz::cpu
