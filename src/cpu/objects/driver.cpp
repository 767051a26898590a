// See driver.h.
#include "cpu/objects/driver.h"
#include "base/env.h"
#include "cpu/exec/scheduler.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <pthread.h>

namespace hiplz::cpu {
namespace {
std::atomic<Driver *> theDriver{nullptr};
constexpr uint64_t kMaxDevices = 64;
} // namespace

Driver::Driver() {
  uint64_t count = std::clamp<uint64_t>(envNumber(EnvVar::HIPLZ_CPU_DEVICES).value_or(1), 1, kMaxDevices);
  uint64_t memory = envNumber(EnvVar::HIPLZ_CPU_MEMORY).value_or(ProcessorInfo::get().memoryBytes);
  for (unsigned index = 0; index < count; ++index)
    devices_.push_back(std::make_unique<Device>(index, memory, budget_));
}

Driver &Driver::initialise() {
  static std::once_flag once;
  std::call_once(once, [] {
    // Worker threads do not survive fork(). A child of a process that has some gets an error from every call; a child of
    // one that has none can use the driver like its parent.
    ::pthread_atfork(nullptr, nullptr, [] {
      if (Scheduler::get().hasThreads())
        invalidateAll();
    });
    theDriver.store(new Driver, std::memory_order_release);
  });
  return get();
}

Driver &Driver::get() {
  Driver *driver = theDriver.load(std::memory_order_acquire);
  if (!driver || isInvalidated())
    throw Error{ZE_RESULT_ERROR_UNINITIALIZED};
  return *driver;
}

} // namespace hiplz::cpu
