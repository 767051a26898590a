// SPDX-License-Identifier: MIT
// Streams that are made from native handles, and native events in streams.
#include "lz/stream/event.h"
#include "lz/stream/queue.h"

namespace hiplz {

// Each query would be one more command, so the first one is kept: later calls look at the same event until it is
// signalled.
hipError_t LZQueue::queryNative() {
  StreamMarker mark;
  {
    std::lock_guard lock(appender_.mutex());
    if (!asked_.event) {
      appender_.signalLocked(device_.driver().events().acquire(), LZAppender::Counts::no);
      asked_ = appender_.markerLocked();
    }
    mark = asked_;
    const ze_result_t result = mark.event.query();
    if (result == ZE_RESULT_NOT_READY)
      return hipErrorNotReady;
    asked_ = {};
    if (result != ZE_RESULT_SUCCESS)
      return appender_.failed(result, "zeEventQueryStatus");
  }
  return waitFor(mark);
}

LZEvent::LZEvent(LZDevice &device, LZEventRef native) : device_(device), flags_(hipEventDefault), native_(native) {
  state_.lock()->recording.event = std::move(native);
}

// There is one Level Zero event for all recordings, so one has to be over before the next begins.
hipError_t LZEvent::recordNative(LZQueue &queue) {
  LZEventRef over = state_.lock()->recorded;
  if (over)
    if (hipError_t error = outcome(over.wait(), "zeEventHostSynchronize"))
      return error;
  zeCheck(native_.reset(), "zeEventHostReset");
  if (hipError_t error = queue.signal(native_, &over))
    return error;
  // The application may signal its event, too, so a signalled event says nothing about the queue.
  setRecording({.event = native_, .hostTime = std::chrono::steady_clock::now()});
  std::swap(state_.lock()->recorded, over);
  return hipSuccess;
}

} // namespace hiplz
