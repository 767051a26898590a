// SPDX-License-Identifier: MIT
// Prefetches and advice for managed memory: hints that a driver may follow.
#include "base/log.h"
#include "lz/stream/capture_sink.h"
#include "lz/stream/device_queues.h"
#include "lz/stream/queue.h"

namespace hiplz {

hipError_t LZQueue::prefetch(const void *memory, size_t bytes, LZDevice &to) {
  if (CaptureSink *sink = captured()) [[unlikely]]
    return sink->refuse(*this); // graphs have no such node
  if (&to != &device_) {
    // Only a list of the other device can move memory there; this stream waits for it.
    LZQueue &other = LZDeviceQueues::of(to).internalQueue();
    if (hipError_t error = other.wait(record(false)))
      return error;
    if (hipError_t error = other.prefetch(memory, bytes, to))
      return error;
    return wait(other.record(false));
  }
  return submit([&](ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
    // The command takes no events.
    ze_result_t result = ZE_RESULT_SUCCESS;
    if (waitCount != 0)
      result = zeCommandListAppendWaitOnEvents(appender_.listLocked(), waitCount, waits);
    if (result == ZE_RESULT_SUCCESS)
      result = zeCommandListAppendMemoryPrefetch(appender_.listLocked(), memory, bytes);
    if (result == ZE_RESULT_SUCCESS && signal)
      result = zeCommandListAppendBarrier(appender_.listLocked(), signal, 0, nullptr);
    return result;
  });
}

hipError_t LZQueue::advise(const void *memory, size_t bytes, ze_memory_advice_t advice) {
  if (hipError_t fault = device_.fault())
    return fault;
  std::lock_guard lock(appender_.mutex());
  const ze_result_t result = zeCommandListAppendMemAdvise(appender_.listLocked(), device_.ze(), memory, bytes, advice);
  if (result != ZE_RESULT_SUCCESS)
    HIPLZ_LOG_INFO("the driver rejects memory advice %d (%s)", static_cast<int>(advice), zeResultName(result));
  return hipSuccess;
}

} // namespace hiplz
