// SPDX-License-Identifier: MIT
// Clocks, hardware queues and the memory that is left. Properties are read in device/device_properties.cpp.
#include "lz/device/device.h"
#include "base/hip_version.h"
#include "base/log.h"
#include "lz/core/later_properties.h"
#include "lz/core/ze_extensions.h"

#include <algorithm>
#include <cmath>

namespace hiplz {

LZDevice::LZDevice(LZDriver &driver, ze_device_handle_t device, int ordinal)
    : driver_(driver), ze_(device), ordinal_(ordinal) {
  readProperties();
}

double LZDevice::elapsedNanoseconds(uint64_t from, uint64_t to, double hostNanoseconds) const {
  const double ticks = static_cast<double>((to - from) & timestampMask_);
  if (timestampMask_ == UINT64_MAX)
    return static_cast<double>(static_cast<int64_t>(to - from)) * timestampPeriod_;
  const double period = (static_cast<double>(timestampMask_) + 1.0) * timestampPeriod_;
  const double elapsed = ticks * timestampPeriod_;
  return elapsed + std::round((hostNanoseconds - elapsed) / period) * period;
}

ze_command_queue_desc_t LZDevice::nextHardwareQueue() {
  ze_command_queue_desc_t description{};
  description.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  description.ordinal = computeOrdinal_;
  description.index = nextIndex_.fetch_add(1, std::memory_order_relaxed) % computeQueues_;
  description.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  return description;
}

hipError_t LZDevice::explained(uint32_t reason) const {
  if (explained_.exchange(reason, std::memory_order_relaxed) != reason) {
    const char *what = reason == __hiplz_end_assert  ? "an assertion failed"
                       : reason == __hiplz_end_abort ? "abort or __trap was called"
                       : reason == __hiplz_end_stack
                           ? "recursive functions need more stack than a thread has; HIPLZ_RECURSION_STACK, or hipcc's "
                             "--recursion-stack=, makes it larger when the program is compiled"
                           : "a call through a pointer to a function that the kernel's module "
                             "does not have, or through a null pointer, was left out; inline "
                             "functions and templates are the same in all modules that use "
                             "their address, others are known in their own module alone";
    HIPLZ_LOG_INFO("a kernel on %s failed: %s; hipDeviceReset makes the device usable again", properties_.name, what);
  }
  // AMD's library of HIP 7 cannot tell an assertion from a trap, and its test of assert expects that.
  return reason == __hiplz_end_assert && !followsHip7() ? hipErrorAssert : hipErrorLaunchFailure;
}

hipError_t LZDevice::setLost() {
  if (const hipError_t known = lost())
    return known;
  uint32_t fault = 0;
  const auto ask = reinterpret_cast<ZeGetFault>(driver_.extensionFunction(kZeGetFault));
  const bool isAddress =
      ask && ask(driverHandle(ze_), &fault) == ZE_RESULT_SUCCESS && static_cast<ZeFault>(fault) == ZeFault::address;
  const hipError_t error = isAddress ? hipErrorIllegalAddress : hipErrorLaunchFailure;
  const bool isNew = [&] {
    const Lock<SharedMutex> noCopies(hostCopies_);
    return lost_.exchange(error, std::memory_order_relaxed) == hipSuccess;
  }();
  if (isNew) {
    constexpr const char *kMessage = "a kernel on device %d failed; this process can no longer use the device";
    if (driver_.hasExtension(kZeFaultReportsExtension)) // and it says more
      HIPLZ_LOG_INFO(kMessage, ordinal_);
    else
      logLine(kMessage, ordinal_);
  }
  return error;
}

uint64_t LZDevice::remainingMemory() const {
  uint64_t usable = totalMemory_, reported = 0;
  const auto ask = reinterpret_cast<ZeGetUsableMemory>(driver_.extensionFunction(kZeGetUsableMemory));
  if (ask && ask(driverHandle(ze_), &reported) == ZE_RESULT_SUCCESS)
    usable = std::min(usable, reported);
  uint64_t remaining = usable - std::min(usable, allocatedBytes.load(std::memory_order_relaxed));
  // Other processes have some of it too.
  if (!ask && driver_.hasExtension(ZeUsableMemory::kExtension))
    if (const uint64_t now = askFor<ZeUsableMemory>(ze_))
      remaining = std::min(remaining, now);
  return remaining;
}

} // namespace hiplz
