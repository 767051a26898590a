// SPDX-License-Identifier: MIT
// Streams: creation, attributes, waiting. Host functions in streams are in callback.cpp.
#include "api/api_scope.h"
#include "api/current.h"
#include "lz/graph/capture.h"

using namespace hiplz;

namespace {

hipError_t createStream(hipStream_t *stream, unsigned flags, int priority) {
  HIPLZ_NOT_NULL(stream);
  if (flags != hipStreamDefault && flags != hipStreamNonBlocking)
    return refuse(hipErrorInvalidValue, "flags is neither hipStreamDefault nor hipStreamNonBlocking");
  *stream = toHandle(LZDeviceQueues::of(currentDevice()).createQueue(flags, priority));
  return hipSuccess;
}

hipError_t streamFlags(LZQueue &queue, unsigned *flags) {
  if (!flags)
    return refuse(hipErrorInvalidValue, "flags is null");
  *flags = queue.flags();
  return hipSuccess;
}

hipError_t streamPriority(LZQueue &queue, int *priority) {
  if (!priority)
    return refuse(hipErrorInvalidValue, "priority is null");
  *priority = queue.priority();
  return hipSuccess;
}

hipError_t waitEvent(LZQueue &queue, hipEvent_t event, unsigned flags) {
  // hipEventWaitExternal makes a difference in captured streams only.
  if (flags != hipEventWaitDefault && flags != hipEventWaitExternal)
    return refuse(hipErrorInvalidValue, "flags is neither hipEventWaitDefault nor hipEventWaitExternal");
  LZEvent &waited = eventFrom(event);
  return flags == hipEventWaitExternal ? waited.waitExternalIn(queue) : waited.waitIn(queue);
}

/// The null stream's waits are refused where it would wait for a captured stream (LZQueue). Others are unsafe while somebody
/// captures, as with AMD's library.
void forbidWait(LZQueue &queue) {
  if (queue.kind() != LZQueue::Kind::null && !queue.captured())
    LZCapture::forbidUnsafe();
}

hipError_t synchronize(LZQueue &queue) {
  forbidWait(queue);
  return queue.synchronize();
}

hipError_t query(LZQueue &queue) {
  forbidWait(queue);
  return queue.query();
}

} // namespace

extern "C" {

hipError_t hipStreamCreate(hipStream_t *stream) {
  return HIPLZ_API(hipStreamCreate, stream)([&] { return createStream(stream, hipStreamDefault, 0); });
}

hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned int flags) {
  return HIPLZ_API(hipStreamCreateWithFlags, stream, flags)([&] { return createStream(stream, flags, 0); });
}

hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned int flags, int priority) {
  return HIPLZ_API(hipStreamCreateWithPriority, stream, flags,
                   priority)([&] { return createStream(stream, flags, priority); });
}

hipError_t hipStreamDestroy(hipStream_t stream) {
  return HIPLZ_API(hipStreamDestroy, stream)([&] {
    // Default streams cannot be destroyed.
    if (!stream || stream == hipStreamLegacy || stream == hipStreamPerThread)
      throw HipError(hipErrorInvalidHandle, "a default stream cannot be destroyed");
    LZQueue &queue = anyQueueFrom(stream);
    if (queue.captured())
      LZCapture::leave(queue);
    return LZDeviceQueues::of(queue.device()).destroyQueue(queue);
  });
}

hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int *flags) {
  return HIPLZ_API(hipStreamGetFlags, stream, flags)([&] {
    // Unlike hipStreamGetPriority and hipStreamGetDevice, AMD's library does not answer for the null stream here.
    if (!stream)
      return refuse(hipErrorInvalidValue, "stream is null");
    return streamFlags(anyQueueFrom(stream), flags);
  });
}

hipError_t hipStreamGetFlags_spt(hipStream_t stream, unsigned int *flags) {
  return HIPLZ_API(hipStreamGetFlags_spt, stream,
                   flags)([&] { return streamFlags(anyQueueFrom(stream, NullStream::perThread), flags); });
}

hipError_t hipStreamGetPriority(hipStream_t stream, int *priority) {
  return HIPLZ_API(hipStreamGetPriority, stream,
                   priority)([&] { return streamPriority(anyQueueFrom(stream), priority); });
}

hipError_t hipStreamGetPriority_spt(hipStream_t stream, int *priority) {
  return HIPLZ_API(hipStreamGetPriority_spt, stream,
                   priority)([&] { return streamPriority(anyQueueFrom(stream, NullStream::perThread), priority); });
}

hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t *device) {
  return HIPLZ_API(hipStreamGetDevice, stream, device)([&] {
    if (!device)
      return refuse(hipErrorInvalidValue, "device is null");
    *device = anyQueueFrom(stream).device().ordinal();
    return hipSuccess;
  });
}

hipError_t hipStreamSynchronize(hipStream_t stream) {
  return HIPLZ_API(hipStreamSynchronize, stream)([&] { return synchronize(queueFrom(stream)); });
}

hipError_t hipStreamSynchronize_spt(hipStream_t stream) {
  return HIPLZ_API(hipStreamSynchronize_spt,
                   stream)([&] { return synchronize(queueFrom(stream, NullStream::perThread)); });
}

hipError_t hipStreamQuery(hipStream_t stream) {
  return HIPLZ_API(hipStreamQuery, stream)([&] { return query(queueFrom(stream)); });
}

hipError_t hipStreamQuery_spt(hipStream_t stream) {
  return HIPLZ_API(hipStreamQuery_spt, stream)([&] { return query(queueFrom(stream, NullStream::perThread)); });
}

hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned int flags) {
  return HIPLZ_API(hipStreamWaitEvent, stream, event, flags)(
      [&] { return waitEvent(queueFrom(stream, NullStream::legacy, hipErrorInvalidHandle), event, flags); });
}

hipError_t hipStreamWaitEvent_spt(hipStream_t stream, hipEvent_t event, unsigned int flags) {
  return HIPLZ_API(hipStreamWaitEvent_spt, stream, event, flags)(
      [&] { return waitEvent(queueFrom(stream, NullStream::perThread, hipErrorInvalidHandle), event, flags); });
}

} // extern "C"
