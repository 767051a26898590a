// SPDX-License-Identifier: MIT
// See worker.h.
#include "cpu/exec/worker.h"
#include "cpu/exec/fault_report.h"
#include "cpu/exec/fiber_group.h"

#include <algorithm>
#include <memory>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__GLIBC__)
extern "C" void *__libc_stack_end; // of the dynamic linker; no header declares it
#endif

namespace hiplz::cpu {
namespace {
// The stack that a thread must have left to execute commands. Kernels have stacks of their own.
constexpr ptrdiff_t kCommandStack = 256 << 10;

#if defined(__GLIBC__)
// The C library finds the first thread's stack by reading all mappings of the process. Linux keeps at least 128 MiB free below the
// place where that stack begins, whatever its limit is, and the dynamic linker knows the place.
Worker::Stack stackOfFirstThread() {
  constexpr rlim_t kKeptFree = 128 << 20;
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0)
    return {};
  auto *end = static_cast<std::byte *>(__libc_stack_end);
  return {end - std::min(limit.rlim_cur, kKeptFree), end};
}
#endif

Worker::Stack stackOfThread() {
#if defined(__GLIBC__)
  if (::gettid() == ::getpid())
    return stackOfFirstThread();
#endif
  Worker::Stack stack;
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) == 0) {
    void *begin = nullptr;
    size_t size = 0;
    if (::pthread_attr_getstack(&attributes, &begin, &size) == 0)
      stack = {static_cast<std::byte *>(begin), static_cast<std::byte *>(begin) + size};
    ::pthread_attr_destroy(&attributes);
  }
  return stack;
}
} // namespace

Worker::Worker() {
  state.local = local_.begin();
  prepareForFaults();
  installFaultHandlers();
  threadStack_ = stackOfThread();
}

bool Worker::hasStack() const {
  auto *here = static_cast<std::byte *>(__builtin_frame_address(0));
  return here < threadStack_.end && here - threadStack_.begin > kCommandStack;
}

void Worker::execute(const KernelCode &kernel, const LaunchState &launch, uint64_t begin, uint64_t end) {
  state.itemCount = 0; // until the kernel says more
  state.groupSpan = 1;
  state.frameBytes = kernel.frameBytes;
  call(kernel.function, launch, state, begin, end, size_t{kernel.privateBytes} + kernel.frameBytes);
}

Worker::~Worker() {
  destroyFibers(state);
  check::destroyGroup(state);
}

// The worker itself is not thread-local: the memory for that may be short when the driver is opened late.
Worker &Worker::current() {
  static thread_local std::unique_ptr<Worker> worker;
  if (!worker) [[unlikely]]
    worker = std::make_unique<Worker>();
  return *worker;
}

ZeFault Worker::recover(WorkerState &faulted) {
  check::endCall(faulted); // says more, and first
  const ZeFault kind = reportFault(fault.info, faulted);
  destroyFibers(faulted);
  return kind;
}

} // namespace hiplz::cpu
