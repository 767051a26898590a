// SPDX-License-Identifier: MIT
// See worker.h.
#include "cpu/exec/worker.h"
#include "base/log.h"
#include "cpu/exec/fiber_group.h"

#include <csignal>
#include <cstdio>
#include <memory>
#include <pthread.h>

namespace hiplz::cpu {
namespace {
// What a thread must have left to execute kernels. Work-items with barriers have stacks of their own.
constexpr ptrdiff_t kKernelStack = 256 << 10;

const char *describe(const FaultInfo &info) {
  switch (info.signal) {
  case SIGFPE: return info.code == FPE_INTDIV ? "an integer division by zero" : "an arithmetic exception";
  case SIGILL: return "an illegal instruction or trap";
  case SIGBUS: return "a bus error";
  default: return "an invalid memory access";
  }
}
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

bool Worker::hasStack(size_t bytes) const {
  auto *here = static_cast<std::byte *>(__builtin_frame_address(0));
  return here < stackEnd_ && here - stackBegin_ > kKernelStack + static_cast<ptrdiff_t>(bytes);
}

void Worker::execute(const KernelCode &kernel, const LaunchState &launch, uint64_t begin, uint64_t end) {
  state.itemCount = 0; // until the kernel says more
  state.groupSpan = 1;
  const size_t bytes = kernel.privateBytes;
  if (hasStack(bytes)) [[likely]]
    kernel.function(&launch, &state, begin, end);
  else
    stack_.call(kernel.function, launch, state, begin, end, bytes);
}

Worker::~Worker() { destroyFibers(state); }

// The worker itself is not thread-local: the memory for that may be short when the driver is opened late.
Worker &Worker::current() {
  static thread_local std::unique_ptr<Worker> worker;
  if (!worker) [[unlikely]]
    worker = std::make_unique<Worker>();
  return *worker;
}

// This is written whatever HIPLZ_LOG says: everything that follows fails, and nothing else says why.
void Worker::recover(WorkerState &faulted) {
  if (faulted.kernelName) {
    char groups[64] = "", items[128] = "";
    if (faulted.groupSpan > 1 && faulted.itemCount != 1)
      std::snprintf(groups, sizeof groups, ", or one of the %u behind it in x", faulted.groupSpan - 1);
    const uint32_t *local = faulted.localId;
    if (faulted.itemCount == 1)
      std::snprintf(items, sizeof items, ", work-item (%u, %u, %u)", local[0], local[1], local[2]);
    else if (faulted.itemCount > 1)
      std::snprintf(items, sizeof items,
                    ", one of the %u work-items from (%u, %u, %u) on (HIPLZ_CPU_VECTORIZE=0 tells which)",
                    faulted.itemCount, local[0], local[1], local[2]);
    logLine("kernel %s: %s at address %p in work-group (%u, %u, %u)%s%s; the device is lost", faulted.kernelName,
            describe(fault.info), fault.info.address, faulted.groupId[0], faulted.groupId[1], faulted.groupId[2],
            groups, items);
  } else {
    logLine(
        "a command that is not a kernel (copy, fill, timestamp, memory wait, indirect count): %s at address %p; the "
        "device is lost",
        describe(fault.info), fault.info.address);
  }
  destroyFibers(faulted);
}

} // namespace hiplz::cpu
