// SPDX-License-Identifier: MIT
// Host functions in streams.
#include "api/api_scope.h"
#include "api/current.h"
#include "base/hip_version.h"
#include "lz/graph/capture.h"

using namespace hiplz;

namespace {

hipError_t addCallback(LZQueue &queue, hipStream_t stream, hipStreamCallback_t callback, void *userData,
                       unsigned flags) {
  HIPLZ_NOT_NULL(callback);
  if (flags != 0)
    return refuse(hipErrorInvalidValue, "flags is not 0");
  // In HIP 7 a callback meets no capture of a blocking stream, of whatever device.
  if (followsHip7() && LZCapture::active())
    for (LZDevice *device : LZContext::instance().devices())
      if (LZDeviceQueues::of(*device).nullQueue().captured())
        LZCapture::forbidAlways();
  // Graphs have host functions, but no callbacks, which are told of errors.
  LZDevice &device = queue.device(); // never destroyed
  return queue.callback([=, &device](hipError_t status) {
    callback(stream, status == hipErrorLaunchFailure ? device.setLost() : status, userData);
  });
}

hipError_t launchHostFunction(LZQueue &queue, hipHostFn_t function, void *userData) {
  if (!function)
    return refuse(hipErrorInvalidValue, "function is null");
  if (queue.captured())
    return LZCapture::add(queue, HostNode{function, userData});
  // Unlike a callback, a host function is not told of faults and is not run after one.
  return queue.callback([=](hipError_t status) {
    if (status == hipSuccess)
      function(userData);
  });
}

} // namespace

extern "C" {

hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void *userData, unsigned int flags) {
  return HIPLZ_API(hipStreamAddCallback, stream, callback, userData,
                   flags)([&] { return addCallback(queueFrom(stream), stream, callback, userData, flags); });
}

hipError_t hipStreamAddCallback_spt(hipStream_t stream, hipStreamCallback_t callback, void *userData,
                                    unsigned int flags) {
  return HIPLZ_API(hipStreamAddCallback_spt, stream, callback, userData, flags)(
      [&] { return addCallback(queueFrom(stream, NullStream::perThread), stream, callback, userData, flags); });
}

hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void *userData) {
  return HIPLZ_API(hipLaunchHostFunc, stream, function,
                   userData)([&] { return launchHostFunction(queueFrom(stream), function, userData); });
}

hipError_t hipLaunchHostFunc_spt(hipStream_t stream, hipHostFn_t function, void *userData) {
  return HIPLZ_API(hipLaunchHostFunc_spt, stream, function, userData)(
      [&] { return launchHostFunction(queueFrom(stream, NullStream::perThread), function, userData); });
}

} // extern "C"
