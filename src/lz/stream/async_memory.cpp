// SPDX-License-Identifier: MIT
// See stream/async_memory.h.
#include "lz/stream/async_memory.h"
#include "lz/device/check_marks.h"
#include "lz/device/device_list.h"
#include "lz/memory/graph_memory.h"
#include "lz/memory/memory.h"
#include "lz/stream/capture_sink.h"
#include "lz/stream/device_queues.h"
#include "lz/stream/queue.h"

namespace hiplz {

namespace {

// Tells the checks of the driver about memory, in the order of the stream.
void mark(LZQueue &queue, ZeCheckMark::Kind kind, const void *memory, size_t bytes) {
  const LZDriver &driver = queue.device().driver();
  if (!checksMemory(driver))
    return;
  hipError_t error = queue.joinDefault();
  if (!error) {
    LZAppender &appender = queue.appender();
    std::lock_guard lock(appender.mutex());
    error = appender.appendLocked([&](ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
      ze_command_list_handle_t list = appender.listLocked();
      ze_result_t result = waitCount ? zeCommandListAppendBarrier(list, nullptr, waitCount, waits) : ZE_RESULT_SUCCESS;
      if (result == ZE_RESULT_SUCCESS)
        result = markMemory(driver, list, {.kind = kind, .begin = memory, .bytes = bytes});
      return result || !signal ? result : zeCommandListAppendBarrier(list, signal, 0, nullptr);
    });
  }
  if (error)
    throw HipError(error);
}

} // namespace

void *allocateAsync(LZQueue &queue, LZMemoryPool &pool, size_t bytes) {
  if (CaptureSink *sink = queue.captured()) [[unlikely]]
    return sink->allocate(queue, pool, bytes);
  void *memory = allocateFromPool(pool, bytes, queue);
  try {
    mark(queue, ZeCheckMark::Kind::obtained, memory, bytes);
  } catch (...) {
    if (const std::optional<Allocation> allocation = takeForFreeing(memory))
      releaseMemory(*allocation);
    throw;
  }
  return memory;
}

void freeAsync(LZQueue &queue, void *pointer) {
  if (CaptureSink *sink = queue.captured()) [[unlikely]]
    return sink->free(queue, pointer);
  if (const auto memory = LZGraphMemory::find(pointer)) {
    if (memory->used())
      mark(queue, ZeCheckMark::Kind::freed, pointer, memory->bytes());
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
      // Commands behind this one may not use the memory, though it goes back to its pool later.
      mark(queue, ZeCheckMark::Kind::returned, pointer, allocation->bytes);
      point = queue.point();
    } catch (...) {
      releaseMemory(*allocation); // the device is lost, and nothing uses the memory any more
      throw;
    }
  }
  releaseMemory(*allocation, std::move(point));
}

bool freeInNullStream(void *pointer) {
  const std::optional<Allocation> allocation = AllocationTable::ofProcess().find(pointer);
  if (!allocation || allocation->base != pointer || allocation->owner != MemoryOwner::pool || !allocation->block)
    return false;
  for (const LZDevice *device : existingDevices())
    for (const std::shared_ptr<LZQueue> &queue : LZDeviceQueues::of(*device).all()) {
      const bool isOrdered = queue->kind() == LZQueue::Kind::null || queue->kind() == LZQueue::Kind::blocking;
      if (!(isOrdered && device == allocation->device) && !queue->idle())
        return false;
    }
  LZQueue &queue = LZDeviceQueues::of(*allocation->device).nullQueue();
  if (queue.captured())
    return false;
  freeAsync(queue, pointer);
  return true;
}

} // namespace hiplz
