// SPDX-License-Identifier: MIT
// See context/device_reset.h.
#include "lz/context/device_reset.h"
#include "lz/device/device.h"
#include "lz/memory/memory.h"
#include "lz/memory/memory_pools.h"
#include "lz/module/abort.h"
#include "lz/module/device_heap.h"
#include "lz/module/hostcall.h"
#include "lz/module/registry.h"

namespace hiplz {

hipError_t resetDevice(LZDevice &device) {
  const hipError_t error = device.synchronize();
  while (std::optional<Allocation> allocation = allocationTable().anyOf(device))
    freeMemory(allocation->base);
  LZMemoryPools &pools = LZMemoryPools::of(device);
  pools.setCurrent(pools.standard());
  pools.trim();
  device.scheduleFlags = hipDeviceScheduleAuto;
  const hipError_t gaveUp = device.gaveUp();
  if (!device.lost())
    LZAbort::of(device).clear();
  if (!device.fault()) {
    LZDeviceHeap::of(device).clear();
    if (LZHostcall *hostcall = LZHostcall::existing(device))
      hostcall->clear();
    LZRegistry::instance().reload(device);
  }
  return error == gaveUp ? device.lost() : error;
}

} // namespace hiplz
