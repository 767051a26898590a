// SPDX-License-Identifier: MIT
// See driver.h.
#include "cpu/objects/driver.h"
#include "base/env.h"
#include "cpu/exec/fault_report.h"
#include "cpu/exec/scheduler.h"
#include "cpu/objects/context.h"
#include "cpu/program/loaded_code.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <pthread.h>
#include <string>
#include <string_view>

namespace hiplz::cpu {
namespace {
std::atomic<Driver *> theDriver{nullptr};

/// The devices that ZE_AFFINITY_MASK leaves, in ascending order. An entry is a number, with or without ".0" after it: a
/// device has only itself below it. Anything that is not a device is skipped.
std::vector<unsigned> affinityMask(unsigned count) {
  std::vector<unsigned> devices(count);
  std::iota(devices.begin(), devices.end(), 0);
  const std::string mask = envString(EnvVar::ZE_AFFINITY_MASK);
  if (mask.empty())
    return devices;
  std::vector<bool> named(count);
  for (std::string_view rest = mask; !rest.empty();) {
    std::string_view entry = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), entry.size() + 1));
    if (entry.ends_with(".0"))
      entry.remove_suffix(2);
    unsigned index = 0;
    const auto [end, error] = std::from_chars(entry.data(), entry.data() + entry.size(), index);
    if (error == std::errc() && end == entry.data() + entry.size() && index < count)
      named[index] = true;
  }
  std::erase_if(devices, [&](unsigned index) { return !named[index]; });
  return devices;
}
} // namespace

Driver::Driver() {
  const uint64_t count = envNumber(EnvVar::HIPLZ_CPU_DEVICES).value_or(1);
  uint64_t memory = envNumber(EnvVar::HIPLZ_CPU_MEMORY).value_or(budget_.total());
  for (unsigned index : affinityMask(static_cast<unsigned>(count)))
    devices_.push_back(std::make_unique<Device>(index, memory, budget_));
}

Driver &Driver::initialise() {
  static std::once_flag once;
  std::call_once(once, [] {
    // Worker threads do not survive fork(). A child of a process that has some gets an error from every call; a child of
    // one that has none can use the driver like its parent. Any thread may fork, at any time: the handler waits for nothing
    // that another thread had under way, so the scheduler exists before it.
    Scheduler::get();
    ::pthread_atfork(nullptr, nullptr, [] {
      if (Scheduler::get().hasBegun())
        invalidateAll();
    });
    theDriver.store(new Driver, std::memory_order_release);
    describeMemoryBy([](const void *address) { return theDriver.load()->allocations().describe(address); });
    describeCodeBy(sourceLineOf);
  });
  return get();
}

Driver &Driver::get() {
  Driver *driver = theDriver.load(std::memory_order_acquire);
  if (!driver || isInvalidated())
    throw Error{ZE_RESULT_ERROR_UNINITIALIZED};
  return *driver;
}

Allocation Driver::allocationOf(const void *pointer) const {
  const Allocation allocation = allocations_.find(pointer);
  return allocation.base ? allocation : virtualMemory_.find(pointer);
}

Context &Driver::defaultContext() {
  std::call_once(defaultContextMade_, [this] {
    std::vector<Device *> devices;
    for (auto &device : devices_)
      devices.push_back(device.get());
    defaultContext_.store(new Context(*this, devices));
  });
  return *defaultContext_.load();
}

void Driver::synchronize(const Device &device) {
  std::vector<Stream::Progress> submitted;
  {
    const auto contexts = contexts_.lock();
    for (const Context *context : *contexts)
      context->addProgress(device, submitted);
  }
  for (const Stream::Progress &progress : submitted)
    progress.wait();
}

} // namespace hiplz::cpu
