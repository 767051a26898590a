// SPDX-License-Identifier: MIT
// See worker.h.
#include "cpu/exec/worker.h"
#include "cpu/exec/fault_report.h"
#include "cpu/exec/fiber_group.h"

#include <memory>
#include <pthread.h>

namespace hiplz::cpu {
namespace {
// The stack that a thread must have left to execute commands. Kernels have stacks of their own.
constexpr ptrdiff_t kCommandStack = 256 << 10;
} // namespace

Worker::Worker() {
  state.local = local_.begin();
  prepareForFaults();
  installFaultHandlers();
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) == 0) {
    void *begin = nullptr;
    size_t size = 0;
    if (::pthread_attr_getstack(&attributes, &begin, &size) == 0) {
      stackBegin_ = static_cast<std::byte *>(begin);
      stackEnd_ = stackBegin_ + size;
    }
    ::pthread_attr_destroy(&attributes);
  }
}

bool Worker::hasStack() const {
  auto *here = static_cast<std::byte *>(__builtin_frame_address(0));
  return here < stackEnd_ && here - stackBegin_ > kCommandStack;
}

void Worker::execute(const KernelCode &kernel, const LaunchState &launch, uint64_t begin, uint64_t end) {
  state.itemCount = 0; // until the kernel says more
  state.groupSpan = 1;
  call(kernel.function, launch, state, begin, end, kernel.privateBytes);
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
