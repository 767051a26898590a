// Recording, waiting and elapsed time.
#include "lz/lz_event.h"
#include "lz/lz_device.h"
#include "lz/lz_queue.h"

namespace hiplz {

LZEvent::Recording LZEvent::last() {
  std::lock_guard lock(mutex_);
  return recording_;
}

hipError_t LZEvent::outcome(ze_result_t result, const char *call) {
  if (result == ZE_RESULT_ERROR_DEVICE_LOST)
    device_.setFault(toHipError(result));
  return zeOutcome(result, call);
}

hipError_t LZEvent::record(LZQueue &queue) {
  if (&queue.device() != &device_)
    return hipErrorInvalidHandle;
  Recording recording{queue.record(timed()), &queue, std::chrono::steady_clock::now()};
  std::lock_guard lock(mutex_);
  std::swap(recording_, recording);
  return hipSuccess;
}

hipError_t LZEvent::query() {
  Recording recording = last();
  if (!recording.event)
    return hipSuccess;
  return outcome(recording.event.query(), "zeEventQueryStatus");
}

hipError_t LZEvent::synchronize() {
  Recording recording = last();
  if (!recording.event)
    return hipSuccess;
  hipError_t error = outcome(recording.event.wait(), "zeEventHostSynchronize");
  device_.printOutput();
  return error;
}

hipError_t LZEvent::waitIn(LZQueue &queue) {
  Recording recording = last();
  if (!recording.event || recording.queue == &queue)
    return hipSuccess;
  return queue.wait(recording.event);
}

hipError_t LZEvent::elapsed(float &milliseconds, LZEvent &start, LZEvent &stop) {
  if (!start.timed() || !stop.timed() || &start.device_ != &stop.device_)
    return hipErrorInvalidHandle;
  Recording first = start.last(), second = stop.last();
  if (!first.event || !second.event)
    return hipErrorInvalidHandle;
  for (const Recording *recording : {&first, &second})
    if (hipError_t error = start.outcome(recording->event.query(), "zeEventQueryStatus"))
      return error;
  ze_kernel_timestamp_result_t from{}, to{};
  if (hipError_t error = LZ_TRY(zeEventQueryKernelTimestamp, (first.event.ze(), &from)))
    return error;
  if (hipError_t error = LZ_TRY(zeEventQueryKernelTimestamp, (second.event.ze(), &to)))
    return error;
  const double hostNanoseconds = std::chrono::duration<double, std::nano>(second.hostTime - first.hostTime).count();
  milliseconds = static_cast<float>(
      start.device_.elapsedNanoseconds(from.global.kernelEnd, to.global.kernelEnd, hostNanoseconds) * 1e-6);
  return hipSuccess;
}

} // namespace hiplz
