// SPDX-License-Identifier: MIT
// See context/native.h.
#include "lz/context/native.h"
#include "base/lockable.h"
#include "lz/context/context.h"
#include "lz/core/error.h"
#include "lz/device/device.h"
#include "lz/device/device_list.h"

#include <algorithm>

namespace hiplz {
namespace {

/// Whose context an address belongs to, and what it is there; no driver if it belongs to none.
struct Found {
  LZDriver *driver = nullptr;
  ze_memory_type_t type = ZE_MEMORY_TYPE_UNKNOWN;
  ze_device_handle_t device = nullptr;
};
Found findMemory(const void *pointer) {
  for (LZDevice *device : LZContext::instance().devices()) {
    ze_memory_allocation_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
    Found found{&device->driver()};
    if (zeMemGetAllocProperties(device->zeContext(), pointer, &properties, &found.device) != ZE_RESULT_SUCCESS ||
        properties.type == ZE_MEMORY_TYPE_UNKNOWN)
      continue;
    found.type = properties.type;
    return found;
  }
  return {};
}

MemoryKind kindOf(ze_memory_type_t type) {
  switch (type) {
  case ZE_MEMORY_TYPE_HOST: return MemoryKind::host;
  case ZE_MEMORY_TYPE_SHARED: return MemoryKind::managed;
  default: return MemoryKind::device;
  }
}

} // namespace

LZDevice *findDevice(ze_device_handle_t native) {
  for (LZDevice *device : LZContext::instance().devices())
    if (device->ze() == native)
      return device;
  return nullptr;
}

void enterNativeMemory(void *pointer, bool owned) {
  LZContext &context = LZContext::instance();
  const Found found = findMemory(pointer);
  void *base = nullptr;
  size_t bytes = 0;
  if (!found.driver || zeMemGetAddressRange(found.driver->zeContext(), pointer, &base, &bytes) != ZE_RESULT_SUCCESS ||
      base != pointer)
    throw HipError(hipErrorInvalidValue,
                   "the pointer is not the beginning of an allocation in HIP's Level Zero context");
  LZDevice *device = found.device ? findDevice(found.device) : nullptr;
  if (!device) // memory of the host, or shared by all devices of its driver
    device = *std::find_if(context.devices().begin(), context.devices().end(),
                           [&](LZDevice *candidate) { return &candidate->driver() == found.driver; });
  const Allocation entered{.base = pointer,
                           .bytes = bytes,
                           .kind = kindOf(found.type),
                           .device = device,
                           .owner = owned ? MemoryOwner::application : MemoryOwner::native};
  if (context.allocations().insertIfFree(entered))
    throw HipError(hipErrorInvalidValue, "HIP knows this memory already");
  if (owned && entered.kind != MemoryKind::host)
    device->allocatedBytes.fetch_add(bytes, std::memory_order_relaxed);
}

void releaseNativeMemory(void *pointer) {
  LZContext &context = LZContext::instance();
  if (!context.allocations().remove(pointer, MemoryOwner::native))
    throw HipError(hipErrorInvalidValue, "the memory was not made from a native pointer that the application keeps");
  synchronizeDevices(); // a fault stays with its device
  context.allocations().addressesChanged();
}

NativeMemory nativeMemoryOf(const void *pointer) {
  const std::optional<Allocation> known = LZContext::instance().allocations().find(pointer);
  NativeMemory out{};
  if (!known)
    throw HipError(hipErrorInvalidValue, "the pointer is not in memory that HIP knows");
  out.context = known->device->zeContext();
  if (zeMemGetAddressRange(out.context, pointer, &out.base, &out.bytes) != ZE_RESULT_SUCCESS)
    throw HipError(hipErrorInvalidValue, "the memory was not allocated by Level Zero");
  return out;
}

} // namespace hiplz
