// SPDX-License-Identifier: MIT
// How the device of a queue or a graph can reach the memory of a copy.
#pragma once
#include "lz/device/device.h"
#include "lz/memory/copy_region.h"
#include "lz/memory/memory.h"
#include "lz/stream/queue.h"

namespace hiplz {

/// For a command that the host executes in place of the queue: waits for all that the command would wait for, which for
/// a blocking stream includes the null stream.
inline hipError_t waitInPlace(LZQueue &queue) {
  const hipError_t error = queue.joinDefault();
  return error ? error : queue.synchronize();
}

/// Memory as a device sees it.
struct CopyPlace {
  bool reachable;    ///< by commands of the device
  LZDevice *foreign; ///< the device of another driver whose memory it is, else null
};

/// `known` is what the table of allocations says about the pointer.
inline CopyPlace placeOf(const LZDevice &device, const void *pointer, const std::optional<Allocation> &known) {
  if (known) {
    // Registered memory is known to all drivers.
    const bool reachable = &known->device->driver() == &device.driver() || known->owner == MemoryOwner::registered;
    return {reachable, !reachable && known->kind == MemoryKind::device ? known->device : nullptr};
  }
  // Memory that another library allocated in the same context is not in our table, but the driver knows it.
  ze_memory_allocation_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  ze_device_handle_t owner = nullptr;
  const bool driverKnows =
      zeMemGetAllocProperties(device.zeContext(), pointer, &properties, &owner) == ZE_RESULT_SUCCESS &&
      properties.type != ZE_MEMORY_TYPE_UNKNOWN;
  return {driverKnows, nullptr};
}

/// The same for the profile.
inline trace::Place placeInProfile(const std::optional<Allocation> &memory) {
  if (!memory)
    return trace::Place::pageable;
  switch (memory->kind) {
  case MemoryKind::device: return trace::Place::device;
  case MemoryKind::host: return trace::Place::pinned;
  case MemoryKind::managed: return trace::Place::managed;
  }
  return trace::Place::unknown;
}

/// No driver reaches the device memory of another one: the bytes go through the host, now. Throws HipError.
inline void copyThroughHost(const CopyRegion &region, LZDevice &to, LZDevice &from) {
  auto buffer = std::make_unique<std::byte[]>(region.width * region.height * region.depth);
  CopyRegion fetch = region, send = region;
  fetch.to = send.from = packedEnd(buffer.get(), region.width, region.height);
  from.copyBlocking(fetch);
  to.copyBlocking(send);
}

} // namespace hiplz
