// SPDX-License-Identifier: MIT
// See stream/async_memory.h.
#include "lz/stream/async_memory.h"
#include "lz/memory/graph_memory.h"
#include "lz/memory/memory.h"
#include "lz/stream/capture_sink.h"
#include "lz/stream/queue.h"

namespace hiplz {

void *allocateAsync(LZQueue &queue, LZMemoryPool &pool, size_t bytes) {
  if (CaptureSink *sink = queue.captured()) [[unlikely]]
    return sink->allocate(queue, pool, bytes);
  return allocateFromPool(pool, bytes, queue);
}

void freeAsync(LZQueue &queue, void *pointer) {
  if (CaptureSink *sink = queue.captured()) [[unlikely]]
    return sink->free(queue, pointer);
  if (LZGraphMemory::find(pointer)) {
    // It may be used for something else when the stream has come here.
    const hipError_t error = queue.callback([piece = LZGraphMemory::free(pointer)](hipError_t) {});
    if (error)
      throw HipError(error);
    return;
  }
  const std::optional<Allocation> allocation = takeForFreeing(pointer);
  if (!allocation)
    return;
  StreamPoint point;
  if (!allocation->block) {
    queue.synchronize();
  } else {
    try {
      point = queue.point();
    } catch (...) {
      releaseMemory(*allocation); // the device is lost, and nothing uses the memory any more
      throw;
    }
  }
  releaseMemory(*allocation, std::move(point));
}

} // namespace hiplz
