// Copies and fills in a stream. What a pointer is decides how it is copied: memory that the device reaches is copied by
// one command; pageable memory passes through the queue's staging ring, unless the device reaches all of the host's
// memory by itself.
#include "lz/copy_region.h"
#include "lz/lz_context.h"
#include "lz/lz_device.h"
#include "lz/lz_queue.h"
#include "lz/lz_queue_submit.h"

#include <algorithm>
#include <cstring>

namespace hiplz {
namespace {

struct Place {
  bool reachable; // by commands of the device
  bool foreign;   // device memory that belongs to another driver
  LZDevice *device;
};

Place placeOf(const LZDevice &device, const void *pointer) {
  if (std::optional<Allocation> known = LZContext::instance().allocations().find(pointer)) {
    const bool own = &known->device->driver() == &device.driver();
    return {own, !own && known->kind == MemoryKind::device, known->device};
  }
  // Memory that another library allocated in the same context is not in our table, but the driver knows it.
  ze_memory_allocation_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  ze_device_handle_t owner = nullptr;
  const bool known =
      zeMemGetAllocProperties(device.zeContext(), pointer, &properties, &owner) == ZE_RESULT_SUCCESS &&
      properties.type != ZE_MEMORY_TYPE_UNKNOWN;
  return {known, false, nullptr};
}

bool reachesAllMemory(const LZDevice &device) {
  constexpr auto kReadWrite = ZE_MEMORY_ACCESS_CAP_FLAG_RW;
  return (device.memoryAccess().sharedSystemAllocCapabilities & kReadWrite) == kReadWrite;
}

} // namespace

hipError_t LZQueue::appendCopy(void *to, const void *from, size_t bytes) {
  return submit([&](ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
    return zeCommandListAppendMemoryCopy(list_.get(), to, from, bytes, signal, waitCount, waits);
  });
}

hipError_t LZQueue::copy(void *to, const void *from, size_t bytes, bool blocking) {
  if (bytes == 0)
    return blocking ? synchronize() : hipSuccess;
  const Place target = placeOf(device_, to), source = placeOf(device_, from);
  if (target.foreign || source.foreign)
    return copyBetweenDrivers(to, target.foreign ? target.device : nullptr, from,
                              source.foreign ? source.device : nullptr, bytes);
  if (target.reachable && source.reachable) {
    hipError_t error = appendCopy(to, from, bytes);
    return error || !blocking ? error : synchronize();
  }
  if (!target.reachable && !source.reachable) {
    hipError_t error = synchronize();
    if (!error)
      std::memmove(to, from, bytes);
    return error;
  }
  const bool direct = reachesAllMemory(device_);
  if (source.reachable && !direct)
    return copyToPageable(to, from, bytes);
  if (target.reachable && (!direct || (!blocking && bytes <= LZStaging::kChunkBytes))) {
    hipError_t error = copyFromPageable(to, from, bytes);
    return error || !blocking ? error : synchronize();
  }
  hipError_t error = appendCopy(to, from, bytes);
  return error ? error : synchronize();
}

hipError_t LZQueue::copyFromPageable(void *to, const void *from, size_t bytes) {
  std::lock_guard staging(staging_.mutex());
  for (size_t at = 0; at < bytes;) {
    const size_t part = std::min(bytes - at, LZStaging::kChunkBytes);
    LZStaging::Chunk &chunk = staging_.nextLocked(device_);
    if (chunk.done)
      if (ze_result_t result = chunk.done.wait())
        return failed(result, "zeEventHostSynchronize");
    std::memcpy(chunk.memory, static_cast<const char *>(from) + at, part);
    if (hipError_t error = appendCopy(static_cast<char *>(to) + at, chunk.memory, part))
      return error;
    chunk.done = marker().event;
    at += part;
  }
  return hipSuccess;
}

// While the host empties one chunk the device fills the others.
hipError_t LZQueue::copyToPageable(void *to, const void *from, size_t bytes) {
  struct Pending {
    LZStaging::Chunk *chunk;
    size_t at, bytes;
  };
  std::lock_guard staging(staging_.mutex());
  std::array<Pending, LZStaging::kChunks> pending;
  size_t started = 0, finished = 0;
  auto finishOne = [&]() -> hipError_t {
    const Pending &oldest = pending[finished++ % LZStaging::kChunks];
    if (ze_result_t result = oldest.chunk->done.wait())
      return failed(result, "zeEventHostSynchronize");
    std::memcpy(static_cast<char *>(to) + oldest.at, oldest.chunk->memory, oldest.bytes);
    return hipSuccess;
  };
  for (size_t at = 0; at < bytes;) {
    if (started - finished == LZStaging::kChunks)
      if (hipError_t error = finishOne())
        return error;
    const size_t part = std::min(bytes - at, LZStaging::kChunkBytes);
    LZStaging::Chunk &chunk = staging_.nextLocked(device_);
    if (chunk.done)
      if (ze_result_t result = chunk.done.wait())
        return failed(result, "zeEventHostSynchronize");
    if (hipError_t error = appendCopy(chunk.memory, static_cast<const char *>(from) + at, part))
      return error;
    chunk.done = marker().event;
    pending[started++ % LZStaging::kChunks] = {&chunk, at, part};
    at += part;
  }
  while (finished < started)
    if (hipError_t error = finishOne())
      return error;
  return synchronize();
}

// No driver reaches the device memory of another one: the bytes go through the host, in order with this stream.
hipError_t LZQueue::copyBetweenDrivers(void *to, LZDevice *toDevice, const void *from, LZDevice *fromDevice,
                                       size_t bytes) {
  if (hipError_t error = synchronize())
    return error;
  auto buffer = std::make_unique<std::byte[]>(bytes);
  (fromDevice ? *fromDevice : device_).copyBlocking(buffer.get(), from, bytes);
  (toDevice ? *toDevice : device_).copyBlocking(to, buffer.get(), bytes);
  return hipSuccess;
}

hipError_t LZQueue::copyRegion(const CopyRegion &region, bool blocking) {
  if (region.empty())
    return blocking ? synchronize() : hipSuccess;
  std::byte *const to = region.to.first();
  const std::byte *const from = region.from.first();
  const size_t toSlice = region.to.slicePitch(), fromSlice = region.from.slicePitch();
  const Place target = placeOf(device_, to), source = placeOf(device_, from);
  // Level Zero counts in 32 bits.
  const size_t largest = std::max({region.width, region.height, region.depth, region.to.pitch, toSlice,
                                   region.from.pitch, fromSlice});
  const bool direct =
      (target.reachable && source.reachable) || (reachesAllMemory(device_) && !target.foreign && !source.foreign);
  if (direct && largest <= UINT32_MAX) {
    const ze_copy_region_t box{0, 0, 0, static_cast<uint32_t>(region.width), static_cast<uint32_t>(region.height),
                               static_cast<uint32_t>(region.depth)};
    hipError_t error = submit([&](ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
      return zeCommandListAppendMemoryCopyRegion(list_.get(), to, &box, region.to.pitch, toSlice, from, &box,
                                                 region.from.pitch, fromSlice, signal, waitCount, waits);
    });
    const bool pageable = !target.reachable || !source.reachable;
    return error || !(blocking || pageable) ? error : synchronize();
  }
  for (size_t z = 0; z < region.depth; ++z)
    for (size_t y = 0; y < region.height; ++y)
      if (hipError_t error = copy(to + z * toSlice + y * region.to.pitch, from + z * fromSlice + y * region.from.pitch,
                                  region.width, false))
        return error;
  return blocking ? synchronize() : hipSuccess;
}

hipError_t LZQueue::fill(void *to, uint32_t pattern, size_t patternBytes, size_t bytes) {
  if (bytes == 0)
    return hipSuccess;
  if (const Place place = placeOf(device_, to); !place.reachable && place.device) {
    // Another driver's memory: filled by its own device, in order with this stream.
    if (hipError_t error = synchronize())
      return error;
    place.device->fillBlocking(to, pattern, patternBytes, bytes);
    return hipSuccess;
  }
  return submit([&](ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
    return zeCommandListAppendMemoryFill(list_.get(), to, &pattern, patternBytes, bytes, signal, waitCount, waits);
  });
}

} // namespace hiplz
