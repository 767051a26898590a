// SPDX-License-Identifier: MIT
// Events.
#include "api/api_scope.h"
#include "api/current.h"
#include "base/hip_version.h"
#include "lz/graph/capture.h"

#include <memory>

using namespace hiplz;

namespace {

constexpr unsigned kKnownFlags = hipEventBlockingSync | hipEventDisableTiming | hipEventDisableSystemFence |
                                 hipEventReleaseToDevice | hipEventReleaseToSystem | hipEventInterprocess;

hipError_t createEvent(hipEvent_t *event, unsigned flags) {
  HIPLZ_NOT_NULL(event);
  if (flags & hipEventReleaseToDevice && flags & hipEventReleaseToSystem)
    return refuse(hipErrorInvalidValue, "flags releases both to the device and to the system");
  // An event for other processes must not be timed.
  const bool shared = flags & hipEventInterprocess;
  if ((flags & ~kKnownFlags) || (shared && !(flags & hipEventDisableTiming)))
    return refuse(hipErrorInvalidValue,
                  "flags has bits that HIP does not know, or hipEventInterprocess without hipEventDisableTiming");
  LZDevice &device = currentDevice();
  auto created = std::make_unique<LZEvent>(device, flags, shared ? std::make_unique<LZSharedEvent>(device) : nullptr);
  LZContext::instance().addHandle(*created);
  *event = toHandle(*created.release());
  return hipSuccess;
}

// As with AMD's library, waiting for what was recorded in the null stream is allowed while a stream is captured.
hipError_t synchronize(LZEvent &event) {
  if (LZCapture::active() && event.recordedInOwnStream())
    LZCapture::forbidUnsafe();
  return event.synchronize();
}

hipError_t recordEvent(hipEvent_t event, LZQueue &queue) { return eventFrom(event).record(queue); }

} // namespace

extern "C" {

hipError_t hipEventCreate(hipEvent_t *event) {
  return HIPLZ_API(hipEventCreate, event)([&] { return createEvent(event, hipEventDefault); });
}

hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned int flags) {
  return HIPLZ_API(hipEventCreateWithFlags, event, flags)([&] { return createEvent(event, flags); });
}

hipError_t hipEventDestroy(hipEvent_t event) {
  return HIPLZ_API(hipEventDestroy, event)([&] {
    LZEvent &destroyed = eventFrom(event, hipErrorContextIsDestroyed);
    if (!LZContext::instance().removeHandle(&destroyed))
      throw HipError(hipErrorContextIsDestroyed, "another thread has destroyed the event meanwhile");
    // Pending work keeps the Level Zero event alive, not this object.
    delete &destroyed;
    return hipSuccess;
  });
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return HIPLZ_API(hipEventRecord, event, stream)([&] { return recordEvent(event, queueFrom(stream)); });
}

hipError_t hipEventRecord_spt(hipEvent_t event, hipStream_t stream) {
  return HIPLZ_API(hipEventRecord_spt, event,
                   stream)([&] { return recordEvent(event, queueFrom(stream, NullStream::perThread)); });
}

hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned int flags) {
  return HIPLZ_API(hipEventRecordWithFlags, event, stream, flags)([&] {
    // hipEventRecordExternal makes a difference in captured streams only.
    if (flags != hipEventRecordDefault && flags != hipEventRecordExternal)
      return refuse(hipErrorInvalidValue, "flags is neither hipEventRecordDefault nor hipEventRecordExternal");
    LZQueue &queue = queueFrom(stream);
    return flags == hipEventRecordExternal ? eventFrom(event).recordExternal(queue) : recordEvent(event, queue);
  });
}

hipError_t hipEventSynchronize(hipEvent_t event) {
  return HIPLZ_API(hipEventSynchronize, event)([&] { return synchronize(eventFrom(event)); });
}

hipError_t hipEventQuery(hipEvent_t event) {
  return HIPLZ_API(hipEventQuery, event)([&] {
    LZEvent &queried = eventFrom(event);
    if (followsHip7() && LZCapture::active() && queried.recordedInOwnStream())
      LZCapture::forbidUnsafe();
    return queried.query();
  });
}

hipError_t hipEventElapsedTime(float *ms, hipEvent_t start, hipEvent_t stop) {
  return HIPLZ_API(hipEventElapsedTime, ms, start, stop)([&] {
    if (!ms)
      return refuse(hipErrorInvalidValue, "ms is null");
    return LZEvent::elapsed(*ms, eventFrom(start), eventFrom(stop));
  });
}

} // extern "C"
