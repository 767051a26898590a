// SPDX-License-Identifier: MIT
// The native handles of include/hip/hip_interop.h.
#include "api/api_scope.h"
#include "api/current.h"
#include "lz/context/native.h"
#include "lz/stream/device_queues.h"

#include <hip/hip_interop.h>
#include <hiplz/interop.h>

#include <algorithm>
#include <array>

using namespace hiplz;

namespace {

constexpr int kHandles = 6, kHandlesOfInit = 3;

template <class Handle> uintptr_t number(Handle handle) { return reinterpret_cast<uintptr_t>(handle); }

} // namespace

extern "C" {

int hipGetBackendNativeHandles(uintptr_t Stream, uintptr_t *NativeHandles, int *NumHandles) {
  return HIPLZ_API(hipGetBackendNativeHandles, Stream, NativeHandles, NumHandles)([&] {
    HIPLZ_NOT_NULL(NumHandles);
    if (!NativeHandles) {
      *NumHandles = kHandles;
      return hipSuccess;
    }
    if (*NumHandles < kHandles)
      return refuse(hipErrorInvalidValue, "there are six handles, and room for fewer");
    const LZQueue &queue = queueFrom(reinterpret_cast<hipStream_t>(Stream));
    LZDevice &device = queue.device();
    const ze_command_queue_handle_t native = queue.nativeQueue();
    const std::array<uintptr_t, kHandles> handles{
        number("level0"),
        number(device.driver().ze()),
        number(device.ze()),
        number(device.zeContext()),
        number(native ? native : LZDeviceQueues::of(device).spareNativeQueue()),
        number(queue.nativeList()),
    };
    std::copy(handles.begin(), handles.end(), NativeHandles);
    *NumHandles = kHandles;
    return hipSuccess;
  });
}

int hipInitFromNativeHandles(const uintptr_t *NativeHandles, int NumHandles) {
  return HIPLZ_API(hipInitFromNativeHandles, NativeHandles, NumHandles)([&] {
    HIPLZ_NOT_NULL(NativeHandles);
    if (NumHandles < kHandlesOfInit)
      return refuse(hipErrorInvalidValue, "a driver, a device and a context are needed");
    const auto driver = reinterpret_cast<ze_driver_handle_t>(NativeHandles[0]);
    const auto native = reinterpret_cast<ze_device_handle_t>(NativeHandles[1]);
    const auto context = reinterpret_cast<ze_context_handle_t>(NativeHandles[2]);
    if (const hipError_t error = hiplzCreateContextFromNative(driver, context, hiplzOwnershipKeep); error != hipSuccess)
      return error;
    int device = 0;
    if (const hipError_t error = hiplzGetDeviceFromNative(native, &device); error != hipSuccess)
      return error;
    return hipSetDevice(device);
  });
}

void *hipGetNativeEventFromHipEvent(void *HipEvent) {
  ze_event_handle_t native = nullptr;
  return hiplzGetNativeEvent(static_cast<hipEvent_t>(HipEvent), &native) == hipSuccess ? native : nullptr;
}

void *hipGetHipEventFromNativeEvent(void *NativeEvent) {
  int device = 0;
  hipEvent_t event = nullptr;
  const bool made = hipGetDevice(&device) == hipSuccess &&
                    hiplzCreateEventFromNative(&event, device, static_cast<ze_event_handle_t>(NativeEvent),
                                               hiplzOwnershipKeep) == hipSuccess;
  return made ? event : nullptr;
}

} // extern "C"
