// SPDX-License-Identifier: MIT
// Level Zero itself cannot import memory of the host. Devices that reach all host memory need no import; for the others
// Intel's driver has functions beyond the specification.
#include "lz/memory/host_register.h"
#include "base/log.h"
#include "lz/core/error.h"
#include "lz/core/ze_extensions.h"
#include "lz/device/check_marks.h"
#include "lz/device/device.h"
#include "lz/device/device_list.h"
#include "lz/memory/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace hiplz {
namespace {

// The drivers that have to import memory before their devices reach it.
std::vector<LZDriver *> importingDrivers() {
  std::vector<LZDriver *> drivers;
  for (LZDevice *device : allDevices())
    if (!device->reachesAllMemory() && (drivers.empty() || drivers.back() != &device->driver()))
      drivers.push_back(&device->driver());
  return drivers;
}

bool isMapped(void *pointer, size_t bytes) {
  const uintptr_t page = sysconf(_SC_PAGESIZE);
  const uintptr_t first = reinterpret_cast<uintptr_t>(pointer), begin = first / page * page;
  if (first + bytes < first)
    return false;
  // It only looks for holes.
  return msync(reinterpret_cast<void *>(begin), first + bytes - begin, MS_ASYNC) == 0;
}

void importInto(LZDriver &driver, void *pointer, size_t bytes) {
  const ZexImportPointer import = driver.importPointer();
  if (!import)
    throw HipError(hipErrorNotSupported, "host memory cannot be registered: the driver cannot import host memory");
  if (ze_result_t result = import(driverHandle(driver.ze()), pointer, bytes))
    throw HipError(toHipError(result),
                   std::string("the driver cannot import this host memory: ") + zeResultName(result), result);
}

void releaseFrom(LZDriver &driver, void *pointer) noexcept {
  if (const ZexReleasePointer release = driver.releasePointer())
    zeOutcome(release(driverHandle(driver.ze()), pointer), "zexDriverReleaseImportedPointer");
}

// Tells the checks of HIPLZ's own driver, which take other memory of the host for pageable.
void tellChecks(ZeCheckMark::Kind kind, const void *pointer, size_t bytes) {
  for (LZDevice *device : allDevices())
    (void)markMemory(device->driver(), nullptr, {.kind = kind, .begin = pointer, .bytes = bytes});
}

} // namespace

bool canRegisterHostMemory() {
  const std::vector<LZDriver *> drivers = importingDrivers();
  return std::all_of(drivers.begin(), drivers.end(),
                     [](LZDriver *driver) { return driver->importPointer() != nullptr; });
}

void registerHostMemory(LZDevice &device, void *pointer, size_t bytes, unsigned flags) {
  if (!isMapped(pointer, bytes))
    throw HipError(hipErrorInvalidValue, "the memory to register is not mapped in this process");
  AllocationTable &table = allocationTable();
  // In the table first, so that of two concurrent calls one fails.
  if (std::optional<Allocation> other =
          table.insertIfFree({pointer, bytes, MemoryKind::host, &device, flags, MemoryOwner::registered}))
    throw HipError(other->kind == MemoryKind::host ? hipErrorHostMemoryAlreadyRegistered : hipErrorInvalidValue,
                   "the memory to register is known to HIP already");
  size_t imported = 0;
  const std::vector<LZDriver *> drivers = importingDrivers();
  try {
    for (; imported < drivers.size(); ++imported)
      importInto(*drivers[imported], pointer, bytes);
  } catch (...) {
    while (imported > 0)
      releaseFrom(*drivers[--imported], pointer);
    table.remove(pointer, MemoryOwner::registered);
    throw;
  }
  tellChecks(ZeCheckMark::Kind::registered, pointer, bytes);
}

void unregisterHostMemory(void *pointer) {
  if (!allocationTable().remove(pointer, MemoryOwner::registered))
    throw HipError(hipErrorHostMemoryNotRegistered, "no registered memory begins at this address");
  // A fault stays with its device; the memory is given back nevertheless.
  synchronizeDevices();
  tellChecks(ZeCheckMark::Kind::unregistered, pointer, 0);
  for (LZDriver *driver : importingDrivers())
    releaseFrom(*driver, pointer);
}

} // namespace hiplz
