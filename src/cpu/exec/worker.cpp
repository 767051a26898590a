// See worker.h. Local memory lies between inaccessible pages, so that a kernel that leaves it faults.
#include "cpu/exec/worker.h"
#include "base/log.h"
#include "cpu/exec/fiber_group.h"

#include <csignal>
#include <new>
#include <pthread.h>
#include <sys/mman.h>

namespace hiplz::cpu {
namespace {
constexpr size_t kGuardBytes = 64 << 10;
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
  size_t bytes = kMaxLocalBytes + 2 * kGuardBytes;
  void *memory = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  state.local = static_cast<std::byte *>(memory) + kGuardBytes;
  if (::mprotect(state.local, kMaxLocalBytes, PROT_READ | PROT_WRITE) != 0) {
    ::munmap(memory, bytes);
    throw std::bad_alloc();
  }
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

Worker::~Worker() {
  destroyFibers(state);
  ::munmap(state.local - kGuardBytes, kMaxLocalBytes + 2 * kGuardBytes);
}

Worker &Worker::current() {
  static thread_local Worker worker;
  return worker;
}

void Worker::recover() {
  if (state.kernelName)
    HIPLZ_LOG_ERROR(
        "kernel %s: %s at address %p in work-group (%u, %u, %u), work-item (%u, %u, %u); the device is lost",
        state.kernelName, describe(fault.info), fault.info.address, state.groupId[0], state.groupId[1],
        state.groupId[2], state.localId[0], state.localId[1], state.localId[2]);
  else
    HIPLZ_LOG_ERROR("a command that is not a kernel (copy, fill, timestamp, indirect count): %s at address %p; the device is lost", describe(fault.info),
                    fault.info.address);
  destroyFibers(state);
}

} // namespace hiplz::cpu
