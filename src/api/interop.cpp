// SPDX-License-Identifier: MIT
// Native Level Zero handles out of HIP objects, and HIP objects from native handles (include/hiplz/interop.h).
#include "api/api_scope.h"
#include "api/current.h"
#include "fatbin/bundle.h"
#include "lz/context/native.h"
#include "lz/device/preset_context.h"
#include "lz/module/registry.h"

#include <hiplz/interop.h>

#include <algorithm>
#include <memory>

using namespace hiplz;

namespace {

LZDevice &deviceOf(int ordinal) { return LZContext::instance().device(ordinal); }

bool isOwnership(hiplzOwnership ownership) {
  return ownership == hiplzOwnershipTransfer || ownership == hiplzOwnershipKeep;
}
bool isOwned(hiplzOwnership ownership) { return ownership == hiplzOwnershipTransfer; }

/// Stores one value. Throws HipError for a null pointer.
template <class Value> hipError_t store(Value *to, Value value) {
  if (!to)
    return refuse(hipErrorInvalidValue, "the destination for the result is null");
  *to = value;
  return hipSuccess;
}

LZKernel &kernelOf(const void *function) {
  try {
    return LZRegistry::instance().kernelOf(function);
  } catch (const HipError &) {
    return LZRegistry::instance().kernelFor(function); // a host function
  }
}

hipError_t createStream(hipStream_t *stream, int device, const LZQueue::NativeStream &native, unsigned flags,
                        hiplzOwnership ownership) {
  if (!stream || (!native.list && !native.queue) || !isOwnership(ownership) ||
      (flags != hipStreamDefault && flags != hipStreamNonBlocking))
    return refuse(hipErrorInvalidValue,
                  "stream, or the native list and queue, are null, or flags or ownership is not valid");
  *stream = toHandle(LZDeviceQueues::of(deviceOf(device)).createQueue(flags, native, isOwned(ownership)));
  return hipSuccess;
}

} // namespace

extern "C" {

hipError_t hiplzGetNativeDriver(int device, ze_driver_handle_t *driver) {
  return HIPLZ_API(hiplzGetNativeDriver, device, driver)([&] { return store(driver, deviceOf(device).driver().ze()); });
}

hipError_t hiplzGetNativeDevice(int device, ze_device_handle_t *native) {
  return HIPLZ_API(hiplzGetNativeDevice, device, native)([&] { return store(native, deviceOf(device).ze()); });
}

hipError_t hiplzGetNativeContext(int device, ze_context_handle_t *context) {
  return HIPLZ_API(hiplzGetNativeContext, device,
                   context)([&] { return store(context, deviceOf(device).zeContext()); });
}

hipError_t hiplzGetNativeStream(hipStream_t stream, ze_command_list_handle_t *list, ze_command_queue_handle_t *queue) {
  return HIPLZ_API(hiplzGetNativeStream, stream, list, queue)([&] {
    if (!list && !queue)
      return refuse(hipErrorInvalidValue, "list and queue are null");
    const LZQueue &found = queueFrom(stream);
    if (list)
      *list = found.nativeList();
    if (queue)
      *queue = found.nativeQueue();
    return hipSuccess;
  });
}

hipError_t hiplzGetNativeEvent(hipEvent_t event, ze_event_handle_t *native) {
  return HIPLZ_API(hiplzGetNativeEvent, event, native)([&] {
    const LZEventRef last = eventFrom(event).lastEvent();
    if (!last)
      throw HipError(hipErrorInvalidHandle, "an event has no native event until it has been recorded");
    return store(native, last.ze());
  });
}

hipError_t hiplzGetNativeModule(hipModule_t module, int device, ze_module_handle_t *native) {
  return HIPLZ_API(hiplzGetNativeModule, module, device, native)([&] {
    if (!native)
      return refuse(hipErrorInvalidValue, "native is null");
    return store(native, LZRegistry::instance().loaded(module).whole(deviceOf(device)));
  });
}

hipError_t hiplzGetNativeKernel(const void *function, int device, ze_kernel_handle_t *native) {
  return HIPLZ_API(hiplzGetNativeKernel, function, device, native)([&] {
    if (!native)
      return refuse(hipErrorInvalidValue, "native is null");
    LZKernel &kernel = kernelOf(function);
    return store(native, kernel.module().nativeKernel(deviceOf(device), kernel));
  });
}

hipError_t hiplzGetNativeMemory(const void *pointer, ze_context_handle_t *context, void **base, size_t *bytes) {
  return HIPLZ_API(hiplzGetNativeMemory, pointer, context, base, bytes)([&] {
    const NativeMemory memory = nativeMemoryOf(pointer);
    if (base)
      *base = memory.base;
    if (bytes)
      *bytes = memory.bytes;
    return store(context, memory.context);
  });
}

hipError_t hiplzGetDeviceFromNative(ze_device_handle_t native, int *device) {
  return HIPLZ_API(hiplzGetDeviceFromNative, native, device)([&] {
    const LZDevice *found = findDevice(native);
    return found ? store(device, found->ordinal()) : refuse(hipErrorInvalidDevice, "native is not one of the devices");
  });
}

hipError_t hiplzGetDevicesFromNativeDriver(ze_driver_handle_t driver, unsigned int *count, int *devices) {
  return HIPLZ_API(hiplzGetDevicesFromNativeDriver, driver, count, devices)([&] {
    if (!count)
      return refuse(hipErrorInvalidValue, "count is null");
    unsigned found = 0;
    for (LZDevice *device : LZContext::instance().devices()) {
      if (device->driver().ze() != driver)
        continue;
      if (devices && found < *count)
        devices[found] = device->ordinal();
      ++found;
    }
    *count = found;
    return found ? hipSuccess : refuse(hipErrorInvalidValue, "no device belongs to the driver");
  });
}

hipError_t hiplzCreateContextFromNative(ze_driver_handle_t driver, ze_context_handle_t context,
                                        hiplzOwnership ownership) {
  return HIPLZ_API(hiplzCreateContextFromNative, driver, context, ownership)([&] {
    HIPLZ_NOT_NULL(driver, context);
    if (!isOwnership(ownership))
      return refuse(hipErrorInvalidValue, "ownership is not one of hiplzOwnership");
    return presetContext(driver, context, isOwned(ownership))
               ? hipSuccess
               : refuse(hipErrorSetOnActiveProcess, "HIP has been initialised already");
  });
}

hipError_t hiplzCreateStreamFromNative(hipStream_t *stream, int device, ze_command_list_handle_t list,
                                       unsigned int flags, hiplzOwnership ownership) {
  return HIPLZ_API(hiplzCreateStreamFromNative, stream, device, list, flags, ownership)([&] {
    return createStream(stream, device, {list, nullptr, 0}, flags, ownership);
  });
}

hipError_t hiplzCreateStreamFromNativeQueue(hipStream_t *stream, int device, ze_command_queue_handle_t queue,
                                            uint32_t ordinal, unsigned int flags, hiplzOwnership ownership) {
  return HIPLZ_API(hiplzCreateStreamFromNativeQueue, stream, device, queue, ordinal, flags, ownership)([&] {
    return createStream(stream, device, {nullptr, queue, ordinal}, flags, ownership);
  });
}

hipError_t hiplzCreateEventFromNative(hipEvent_t *event, int device, ze_event_handle_t native,
                                      hiplzOwnership ownership) {
  return HIPLZ_API(hiplzCreateEventFromNative, event, device, native, ownership)([&] {
    HIPLZ_NOT_NULL(event, native);
    if (!isOwnership(ownership))
      return refuse(hipErrorInvalidValue, "ownership is not one of hiplzOwnership");
    LZDevice &found = deviceOf(device);
    LZEventRef adopted = found.driver().events().adopt(native);
    auto created = std::make_unique<LZEvent>(found, adopted);
    LZContext::instance().addHandle(*created);
    if (isOwned(ownership))
      LZEventPool::own(adopted);
    *event = toHandle(*created.release());
    return hipSuccess;
  });
}

hipError_t hiplzCreateModuleFromNative(hipModule_t *module, int device, ze_module_handle_t native, const void *spirv,
                                       size_t spirvBytes, hiplzOwnership ownership) {
  return HIPLZ_API(hiplzCreateModuleFromNative, module, device, native, spirv, spirvBytes, ownership)([&] {
    HIPLZ_NOT_NULL(module, native, spirv);
    if (spirvBytes == 0)
      return refuse(hipErrorInvalidValue, "spirvBytes is 0");
    if (!isOwnership(ownership))
      return refuse(hipErrorInvalidValue, "ownership is not one of hiplzOwnership");
    LZDevice &found = deviceOf(device);
    DeviceImage image;
    image.spirv = {static_cast<const std::byte *>(spirv), spirvBytes};
    image.own();
    auto created = std::make_unique<LZModule>(std::move(image), "a native module");
    created->adopt(found, native);
    LZModule &loaded = LZRegistry::instance().load(std::move(created));
    if (isOwned(ownership))
      loaded.ownNative(found);
    *module = reinterpret_cast<hipModule_t>(&loaded);
    return hipSuccess;
  });
}

hipError_t hiplzCreateFunctionFromNative(hipFunction_t *function, hipModule_t module, int device,
                                         ze_kernel_handle_t native, hiplzOwnership ownership) {
  return HIPLZ_API(hiplzCreateFunctionFromNative, function, module, device, native, ownership)([&] {
    HIPLZ_NOT_NULL(function, native);
    if (!isOwnership(ownership))
      return refuse(hipErrorInvalidValue, "ownership is not one of hiplzOwnership");
    LZKernel &kernel = LZRegistry::instance().loaded(module).adopt(deviceOf(device), native, isOwned(ownership));
    LZRegistry::instance().addHandle(kernel);
    *function = reinterpret_cast<hipFunction_t>(&kernel);
    return hipSuccess;
  });
}

hipError_t hiplzCreateMemoryFromNative(void *pointer, hiplzOwnership ownership) {
  return HIPLZ_API(hiplzCreateMemoryFromNative, pointer, ownership)([&] {
    HIPLZ_NOT_NULL(pointer);
    if (!isOwnership(ownership))
      return refuse(hipErrorInvalidValue, "ownership is not one of hiplzOwnership");
    enterNativeMemory(pointer, isOwned(ownership));
    return hipSuccess;
  });
}

hipError_t hiplzReleaseNativeMemory(void *pointer) {
  return HIPLZ_API(hiplzReleaseNativeMemory, pointer)([&] {
    releaseNativeMemory(pointer);
    return hipSuccess;
  });
}

} // extern "C"
