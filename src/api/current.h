// SPDX-License-Identifier: MIT
// From what the application passes to the objects it means: the current device, streams, events.
#pragma once
#include "lz/context/context.h"
#include "lz/core/thread_state.h"
#include "lz/device/device.h"
#include "lz/memory/array.h"
#include "lz/stream/device_queues.h"
#include "lz/stream/event.h"
#include "lz/texture/mipmapped_array.h"

#include <algorithm>

namespace hiplz {

/// The stream that the null stream stands for.
enum class NullStream { legacy, perThread };

/// The calling thread's device. Throws HipError (hipErrorNoDevice).
inline LZDevice &currentDevice() { return LZContext::instance().device(threadState.device); }

/// The queue behind a stream handle, also of a stream whose execution context has been destroyed. Throws HipError{otherwise} for what is none: most functions of AMD's library have
/// hipErrorContextIsDestroyed, those that launch kernels or use semaphores hipErrorInvalidValue, and those that allocate in
/// stream order or wait for events hipErrorInvalidHandle.
inline LZQueue &anyQueueFrom(hipStream_t stream, NullStream null = NullStream::legacy,
                             hipError_t otherwise = hipErrorContextIsDestroyed) {
  LZContext &context = LZContext::instance();
  if (!stream || stream == hipStreamLegacy || stream == hipStreamPerThread) {
    LZDeviceQueues &queues = LZDeviceQueues::of(context.device(threadState.device));
    const bool perThread = stream == hipStreamPerThread || (!stream && null == NullStream::perThread);
    return perThread ? queues.perThreadQueue() : queues.nullQueue();
  }
  LZQueue *queue = context.findQueue(stream);
  if (!queue)
    throw HipError(otherwise, "the stream does not exist, or it has been destroyed");
  return *queue;
}

/// The same for what needs more than the properties of the stream. Throws HipError{hipErrorStreamDetached} as well.
inline LZQueue &queueFrom(hipStream_t stream, NullStream null = NullStream::legacy,
                          hipError_t otherwise = hipErrorContextIsDestroyed) {
  LZQueue &queue = anyQueueFrom(stream, null, otherwise);
  if (queue.detached()) [[unlikely]]
    throw HipError(hipErrorStreamDetached, "the execution context of the stream has been destroyed");
  return queue;
}

/// The event behind a handle. Throws HipError: hipErrorInvalidHandle for null, `otherwise` for what is none.
inline LZEvent &eventFrom(hipEvent_t event, hipError_t otherwise = hipErrorInvalidHandle) {
  LZEvent *found = LZContext::instance().findEvent(event);
  if (!found)
    throw HipError(event ? otherwise : hipErrorInvalidHandle,
                   event ? "the event does not exist, or it has been destroyed" : "the event is null");
  return *found;
}

/// The array behind a handle. Throws HipError{hipErrorInvalidHandle} for anything else.
inline LZArray &arrayFrom(hipArray_const_t array) {
  LZArray *found = LZContext::instance().findArray(array);
  if (!found)
    throw HipError(hipErrorInvalidHandle, "the array does not exist, or it has been freed");
  return *found;
}

/// The mipmapped array behind a handle. Throws HipError{hipErrorInvalidHandle} for anything else.
inline LZMipmappedArray &mipmappedArrayFrom(hipMipmappedArray_const_t array) {
  LZMipmappedArray *found = LZContext::instance().findMipmappedArray(array);
  if (!found)
    throw HipError(hipErrorInvalidHandle, "the mipmapped array does not exist, or it has been freed");
  return *found;
}

/// The device that a context handle names. Throws HipError{otherwise} for what is no context.
inline LZDevice &contextFrom(hipCtx_t context, hipError_t otherwise = hipErrorInvalidContext) {
  const std::span<LZDevice *const> devices = LZContext::instance().devices();
  const auto found = std::find(devices.begin(), devices.end(), reinterpret_cast<LZDevice *>(context));
  if (found == devices.end())
    throw HipError(otherwise, "the context does not exist");
  return **found;
}

/// The file descriptor that the application names by a void *: HIP 6 takes a pointer to it, CUDA and later versions of HIP
/// the number itself. What is an open descriptor is taken for a number. Throws hipErrorInvalidValue if it is neither that nor
/// the address of memory that can be read.
int descriptorFrom(const void *shared);

inline hipStream_t toHandle(LZQueue &queue) { return reinterpret_cast<hipStream_t>(&queue); }
inline hipEvent_t toHandle(LZEvent &event) { return reinterpret_cast<hipEvent_t>(&event); }
inline hipArray_t toHandle(LZArray &array) { return reinterpret_cast<hipArray_t>(&array); }

} // namespace hiplz
