// SPDX-License-Identifier: MIT
// Recording, waiting and elapsed time.
#include "lz/stream/event.h"
#include "lz/device/device.h"
#include "lz/memory/memory_pools.h"
#include "lz/module/abort.h"
#include "lz/module/printf.h"
#include "lz/stream/device_queues.h"
#include "lz/stream/queue.h"

namespace hiplz {

LZEvent::Recording LZEvent::last() {
  if (shared_)
    return {.event = shared_->last(), .hostTime = {}};
  return state_.lock()->recording;
}

CaptureMark LZEvent::mark() {
  if (!marked_.load(std::memory_order_relaxed))
    return {};
  return state_.lock()->mark;
}

hipError_t LZEvent::recordExternal(LZQueue &queue) {
  CaptureSink *sink = queue.captured();
  return sink ? sink->recordExternal(queue, *this) : record(queue);
}

hipError_t LZEvent::waitExternalIn(LZQueue &queue) {
  CaptureSink *sink = queue.captured();
  return sink ? sink->waitExternal(queue, *this) : waitIn(queue);
}

hipError_t LZEvent::outcome(ze_result_t result, const char *call) {
  const hipError_t error = zeOutcome(result, call);
  return result == ZE_RESULT_ERROR_DEVICE_LOST ? device_.setLost() : error;
}

hipError_t LZEvent::record(LZQueue &queue) {
  if (&queue.device() != &device_)
    return refuse(hipErrorInvalidHandle, "the event and the stream belong to different devices");
  if (CaptureSink *sink = queue.captured()) [[unlikely]] {
    CaptureMark mark;
    if (hipError_t error = sink->record(queue, mark))
      return error;
    const auto state = state_.lock();
    std::swap(state->mark, mark);
    marked_.store(true, std::memory_order_relaxed);
    return hipSuccess;
  }
  if (native_) [[unlikely]]
    return recordNative(queue);
  const uint64_t count = queue.submitted(); // before the recording: what others submit meanwhile may come after it
  setRecording(shared_ ? shared_->record(queue) : queue.record(timed()), queue, count);
  return hipSuccess;
}

void LZEvent::setRecording(LZEventRef event, const LZQueue &queue, uint64_t count) {
  setRecording({std::move(event), queue.id(), count, std::chrono::steady_clock::now()},
               timed() ? &queue.pauses() : nullptr);
}

void LZEvent::setRecording(Recording recording, const std::shared_ptr<LZPauses> *pauses) {
  CaptureMark none;
  const auto state = state_.lock();
  std::swap(state->recording, recording);
  if (pauses && state->pauses != *pauses)
    state->pauses = *pauses;
  std::swap(state->mark, none);
  marked_.store(false, std::memory_order_relaxed);
}

bool LZEvent::recordedInOwnStream() {
  if (mark())
    return false;
  const Recording recording = last();
  const LZQueue *null = LZDeviceQueues::of(device_).nullQueueIfUsed();
  return recording.event && (!null || recording.queue != null->id());
}

hipError_t LZEvent::query() {
  if (CaptureMark mark = this->mark())
    return mark.sink->refuseHost(mark);
  Recording recording = last();
  if (!recording.event)
    return hipSuccess;
  const hipError_t error = outcome(recording.event.query(), "zeEventQueryStatus");
  return error ? error : device_.gaveUp();
}

hipError_t LZEvent::synchronize() {
  if (CaptureMark mark = this->mark())
    return mark.sink->refuseHost(mark);
  Recording recording = last();
  if (!recording.event)
    return hipSuccess;
  hipError_t error = outcome(recording.event.wait(), "zeEventHostSynchronize");
  LZPrintf::drainAfter(device_);
  LZAbort::lookAfter(device_);
  if (const ProfilerHooks *hooks = profiler()) [[unlikely]]
    LZCommandProfile::collect(*hooks, recording.queue);
  LZMemoryPools::of(device_).synchronised(recording.queue, error ? 0 : recording.count);
  return error ? error : device_.gaveUp();
}

hipError_t LZEvent::refuseCaptured() {
  const CaptureMark mark = this->mark();
  return mark ? mark.sink->refuseHost(mark) : hipSuccess;
}

hipError_t LZEvent::waitIn(LZQueue &queue) {
  if (CaptureMark mark = this->mark())
    return mark.sink->wait(queue, mark);
  Recording recording = last();
  if (CaptureSink *sink = queue.captured()) [[unlikely]]
    return recording.event ? sink->refuseOutside(queue) : hipSuccess;
  if (!recording.event || recording.queue == queue.id())
    return hipSuccess;
  hipError_t error = queue.wait(recording.event);
  if (!error)
    queue.noteFollows(recording.queue, recording.count);
  return error;
}

// Nanoseconds for which the stream of both recordings waited for compilations; 0 if they are of two streams, because what
// happened in between is not known.
double LZEvent::pausesBetween(const Recording &first, const Recording &second, LZEvent &later) {
  if (first.queue == 0 || first.queue != second.queue)
    return 0;
  const std::shared_ptr<LZPauses> pauses = later.state_.lock()->pauses;
  if (!pauses)
    return 0;
  const LZDevice &device = later.device_;
  return first.count <= second.count ? pauses->nanoseconds(device, first.count, second.count)
                                     : -pauses->nanoseconds(device, second.count, first.count);
}

hipError_t LZEvent::elapsed(float &milliseconds, LZEvent &start, LZEvent &stop) {
  if (!start.timed() || !stop.timed() || &start.device_ != &stop.device_)
    return refuse(hipErrorInvalidHandle,
                  "an event was created without timing, or the events belong to different devices");
  for (LZEvent *event : {&start, &stop})
    if (CaptureMark mark = event->mark())
      return mark.sink->refuseHost(mark);
  Recording first = start.last(), second = stop.last();
  if (!first.event || !second.event)
    return refuse(hipErrorInvalidHandle, "an event was never recorded");
  for (const Recording *recording : {&first, &second})
    if (hipError_t error = start.outcome(recording->event.query(), "zeEventQueryStatus"))
      return error;
  ze_kernel_timestamp_result_t from{}, to{};
  if (hipError_t error = LZ_TRY(zeEventQueryKernelTimestamp, (first.event.ze(), &from)))
    return error;
  if (hipError_t error = LZ_TRY(zeEventQueryKernelTimestamp, (second.event.ze(), &to)))
    return error;
  const double pauses = pausesBetween(first, second, stop);
  const double hostNanoseconds = std::chrono::duration<double, std::nano>(second.hostTime - first.hostTime).count();
  milliseconds = static_cast<float>(
      (start.device_.elapsedNanoseconds(from.global.kernelEnd, to.global.kernelEnd, hostNanoseconds) - pauses) * 1e-6);
  return hipSuccess;
}

} // namespace hiplz
