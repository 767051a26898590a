// See worker.h.
#include "cpu/exec/worker.h"
#include "base/log.h"
#include "cpu/exec/fiber_group.h"

#include <csignal>
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

bool Worker::hasStack() const {
  auto *here = static_cast<std::byte *>(__builtin_frame_address(0));
  return here < stackEnd_ && here - stackBegin_ > kKernelStack;
}

Worker::~Worker() { destroyFibers(state); }

Worker &Worker::current() {
  static thread_local Worker worker;
  return worker;
}

void Worker::recover(WorkerState &faulted) {
  if (faulted.kernelName)
    HIPLZ_LOG_ERROR(
        "kernel %s: %s at address %p in work-group (%u, %u, %u), work-item (%u, %u, %u); the device is lost",
        faulted.kernelName, describe(fault.info), fault.info.address, faulted.groupId[0], faulted.groupId[1],
        faulted.groupId[2], faulted.localId[0], faulted.localId[1], faulted.localId[2]);
  else
    HIPLZ_LOG_ERROR("a command that is not a kernel (copy, fill, timestamp, memory wait, indirect count): %s at address %p; the device is lost", describe(fault.info),
                    fault.info.address);
  destroyFibers(faulted);
}

} // namespace hiplz::cpu
