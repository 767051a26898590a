// SPDX-License-Identifier: MIT
// Copies in a stream. What a pointer is decides how it is copied: memory that the device reaches is copied by one
// command; pageable memory passes through the queue's staging ring, unless the device reaches all of the host's memory
// by itself.
#include "lz/memory/copy_region.h"
#include "lz/stream/capture_sink.h"
#include "lz/stream/copy_place.h"
#include "lz/stream/queue.h"
#include "lz/stream/serialization.h"

#include <algorithm>
#include <cstring>

namespace hiplz {

namespace {

CommandNote copyNote(uint64_t bytes, CopyWay way) {
  CommandNote note = commandNote(trace::CommandType::copy, bytes);
  note.from = way.from;
  note.to = way.to;
  return note;
}

/// Runs a copy that the host makes itself.
template <class Copy> void hostCopyInProfile(uint64_t stream, const CopyRegion &region, CopyWay way, Copy copy) {
  const ProfilerHooks *hooks = profilerOf(trace::kCommands);
  if (!hooks) [[likely]] {
    copy();
    return;
  }
  const uint64_t bytes = region.width * region.height * region.depth;
  const uint64_t command = LZCommandProfile::submittedToHost(*hooks, stream, copyNote(bytes, way));
  const uint64_t begin = hooks->now();
  copy();
  LZCommandProfile::executedByHost(*hooks, command, begin, hooks->now());
}

} // namespace

hipError_t LZQueue::copyRegion(const CopyRegion &region, const CopyMemory &memory, bool blocking) {
  if (region.empty())
    return blocking ? synchronize() : hipSuccess;
  if (CaptureSink *sink = captured()) [[unlikely]]
    return sink->copy(*this, region);
  if (const Serialization &serial = Serialization::ofCopies(); serial.any()) [[unlikely]]
    return serial.around(*this, [&] { return copyNow(region, memory, blocking); });
  return copyNow(region, memory, blocking);
}

hipError_t LZQueue::copyNow(const CopyRegion &region, const CopyMemory &memory, bool blocking) {
  const CopyPlace to = placeOf(device_, region.to.first(), memory.to),
                  from = placeOf(device_, region.from.first(), memory.from);
  CopyWay way;
  if (profiler()) [[unlikely]]
    way = {placeInProfile(memory.from), placeInProfile(memory.to)};
  if (to.foreign || from.foreign)
    return copyBetweenDrivers(region, to.foreign ? *to.foreign : device_, from.foreign ? *from.foreign : device_);
  if (to.reachable && from.reachable) {
    const hipError_t error = appendRegion(region, way);
    return blocking ? finishAfter(error) : error;
  }
  if (!to.reachable && !from.reachable) {
    hipError_t error = waitInPlace(*this);
    if (!error)
      hostCopyInProfile(id(), region, way, [&] { copyOnHost(region); });
    return error;
  }
  const bool direct = device_.reachesAllMemory();
  if (from.reachable && !direct)
    return copyToPageable(region, way);
  const size_t bytes = region.width * region.height * region.depth;
  if (to.reachable && (!direct || (!blocking && bytes <= LZStaging::kChunkBytes))) {
    // The source is read now. A host function of the stream may have to write it before.
    if (blocking)
      if (hipError_t error = waitInPlace(*this))
        return error;
    hipError_t error = copyFromPageable(region, way);
    return error || !blocking ? error : synchronize();
  }
  return finishAfter(appendRegion(region, way));
}

// The caller's memory is its own again, also where only some of the commands could be appended.
hipError_t LZQueue::finishAfter(hipError_t error) noexcept {
  const hipError_t finished = synchronize();
  return error ? error : finished;
}

// Between memory that the device reaches.
hipError_t LZQueue::appendRegion(const CopyRegion &given, CopyWay way) {
  const CopyRegion region = joinRows(given);
  std::byte *const to = region.to.base;
  const std::byte *const from = region.from.base;
  const size_t toSlice = region.depth > 1 ? region.to.slicePitch() : 0;
  const size_t fromSlice = region.depth > 1 ? region.from.slicePitch() : 0;
  // Level Zero counts the sizes of regions in 32 bits.
  const size_t largest =
      std::max({region.width, region.height, region.depth, region.to.pitch, region.from.pitch, toSlice, fromSlice});
  if (largest <= UINT32_MAX && (region.height > 1 || region.depth > 1)) {
    const ze_copy_region_t box{0,
                               0,
                               0,
                               static_cast<uint32_t>(region.width),
                               static_cast<uint32_t>(region.height),
                               static_cast<uint32_t>(region.depth)};
    return submit(
        [&](ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
          return zeCommandListAppendMemoryCopyRegion(appender_.listLocked(), to, &box, region.to.pitch, toSlice, from,
                                                     &box, region.from.pitch, fromSlice, signal, waitCount, waits);
        },
        [&] { return copyNote(region.width * region.height * region.depth, way); });
  }
  for (size_t z = 0; z < region.depth; ++z)
    for (size_t y = 0; y < region.height; ++y)
      if (hipError_t error = submit(
              [&](ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
                return zeCommandListAppendMemoryCopy(appender_.listLocked(), to + z * toSlice + y * region.to.pitch,
                                                     from + z * fromSlice + y * region.from.pitch, region.width, signal,
                                                     waitCount, waits);
              },
              [&] { return copyNote(region.width, way); }))
        return error;
  return hipSuccess;
}

// Behind the command that uses the chunk. Throws HipError.
void LZQueue::markChunk(LZStaging &staging, LZStaging::Chunk &chunk) {
  try {
    chunk.done = appender_.marker().event;
  } catch (...) {
    staging.abandon(chunk, submitted());
    throw;
  }
}

hipError_t LZQueue::copyFromPageable(const CopyRegion &region, CopyWay way) {
  const auto staging = staging_.lock();
  RegionParts parts(region, LZStaging::kChunkBytes);
  for (CopyRegion part; parts.next(part);) {
    LZStaging::Chunk &chunk = staging->next(device_, drained());
    if (chunk.done)
      if (ze_result_t result = chunk.done.wait())
        return appender_.failed(result, "zeEventHostSynchronize");
    CopyRegion gather = part, send = part;
    gather.to = send.from = packedEnd(chunk.memory.get(), part.width, part.height);
    copyOnHost(gather);
    const hipError_t error = appendRegion(send, way);
    markChunk(*staging, chunk);
    if (error)
      return error;
  }
  return hipSuccess;
}

// While the host empties one chunk the device fills the others.
hipError_t LZQueue::copyToPageable(const CopyRegion &region, CopyWay way) {
  struct Pending {
    LZStaging::Chunk *chunk;
    CopyRegion scatter;
  };
  auto staging = staging_.lock();
  std::array<Pending, LZStaging::kChunks> pending;
  size_t started = 0, finished = 0;
  auto finishOne = [&]() -> hipError_t {
    const Pending &oldest = pending[finished++ % LZStaging::kChunks];
    if (ze_result_t result = oldest.chunk->done.wait())
      return appender_.failed(result, "zeEventHostSynchronize");
    copyOnHost(oldest.scatter);
    return hipSuccess;
  };
  RegionParts parts(region, LZStaging::kChunkBytes);
  for (CopyRegion part; parts.next(part);) {
    if (started - finished == LZStaging::kChunks)
      if (hipError_t error = finishOne())
        return error;
    LZStaging::Chunk &chunk = staging->next(device_, drained());
    if (chunk.done)
      if (ze_result_t result = chunk.done.wait())
        return appender_.failed(result, "zeEventHostSynchronize");
    CopyRegion fetch = part, scatter = part;
    fetch.to = scatter.from = packedEnd(chunk.memory.get(), part.width, part.height);
    const hipError_t error = appendRegion(fetch, way);
    markChunk(*staging, chunk);
    if (error)
      return error;
    pending[started++ % LZStaging::kChunks] = {&chunk, scatter};
  }
  while (finished < started)
    if (hipError_t error = finishOne())
      return error;
  staging.unlock(); // who waits may have to print what kernels have written, under locks that come before this one
  return synchronize();
}

// In order with this stream.
hipError_t LZQueue::copyBetweenDrivers(const CopyRegion &region, LZDevice &toDevice, LZDevice &fromDevice) {
  if (hipError_t error = waitInPlace(*this))
    return error;
  hostCopyInProfile(id(), region, {trace::Place::device, trace::Place::device},
                    [&] { copyThroughHost(region, toDevice, fromDevice); });
  return hipSuccess;
}

} // namespace hiplz
