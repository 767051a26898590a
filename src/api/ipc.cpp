// SPDX-License-Identifier: MIT
// Memory and events of other processes.
#include "lz/memory/ipc.h"
#include "api/api_scope.h"
#include "api/current.h"

#include <cstring>

using namespace hiplz;

namespace {

IpcBytes bytesOf(const hipIpcMemHandle_t &handle) {
  IpcBytes bytes;
  std::memcpy(bytes.data(), &handle, sizeof bytes);
  return bytes;
}

IpcBytes bytesOf(const hipIpcEventHandle_t &handle) {
  static_assert(sizeof handle == sizeof(IpcBytes));
  IpcBytes bytes;
  std::memcpy(bytes.data(), &handle, sizeof bytes);
  return bytes;
}

} // namespace

extern "C" {

hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t *handle, void *devPtr) {
  return HIPLZ_API(hipIpcGetMemHandle, handle, devPtr)([&] {
    HIPLZ_NOT_NULL(handle, devPtr);
    const std::optional<Allocation> memory = LZContext::instance().allocations().find(devPtr);
    if (!memory || memory->base != devPtr || memory->kind != MemoryKind::device ||
        (memory->owner != MemoryOwner::application && memory->owner != MemoryOwner::pool))
      throw HipError(hipErrorInvalidValue, "other processes can only open device memory that hipMalloc returned");
    const IpcBytes bytes = exportMemory(*memory, IpcUse::memory);
    std::memcpy(handle, bytes.data(), sizeof bytes);
    return hipSuccess;
  });
}

hipError_t hipIpcOpenMemHandle(void **devPtr, hipIpcMemHandle_t handle, unsigned int flags) {
  return HIPLZ_API(hipIpcOpenMemHandle, devPtr, handle, flags)([&] {
    HIPLZ_NOT_NULL(devPtr);
    if (flags & ~hipIpcMemLazyEnablePeerAccess)
      return refuse(hipErrorInvalidValue, "flags is neither 0 nor hipIpcMemLazyEnablePeerAccess");
    *devPtr = openMemory(currentDevice(), bytesOf(handle), IpcUse::memory, MemoryOwner::ipc);
    return hipSuccess;
  });
}

hipError_t hipIpcCloseMemHandle(void *devPtr) {
  return HIPLZ_API(hipIpcCloseMemHandle, devPtr)([&] {
    if (!devPtr)
      return refuse(hipErrorInvalidValue, "devPtr is null");
    return closeMemory(devPtr, MemoryOwner::ipc)
               ? hipSuccess
               : refuse(hipErrorInvalidValue,
                        "the memory was not opened from another process, or has been closed before");
  });
}

hipError_t hipIpcGetEventHandle(hipIpcEventHandle_t *handle, hipEvent_t event) {
  return HIPLZ_API(hipIpcGetEventHandle, handle, event)([&] {
    HIPLZ_NOT_NULL(handle, event);
    const LZSharedEvent *shared = eventFrom(event, hipErrorInvalidValue).shared();
    if (!shared)
      throw HipError(hipErrorInvalidConfiguration, "the event was created without hipEventInterprocess");
    const IpcBytes bytes = shared->handle();
    std::memcpy(handle, bytes.data(), sizeof bytes);
    return hipSuccess;
  });
}

hipError_t hipIpcOpenEventHandle(hipEvent_t *event, hipIpcEventHandle_t handle) {
  return HIPLZ_API(hipIpcOpenEventHandle, event, handle)([&] {
    if (!event)
      return refuse(hipErrorInvalidValue, "event is null");
    LZDevice &device = currentDevice();
    auto opened = std::make_unique<LZEvent>(device, hipEventInterprocess | hipEventDisableTiming,
                                            std::make_unique<LZSharedEvent>(device, bytesOf(handle)));
    LZContext::instance().addHandle(*opened);
    *event = toHandle(*opened.release());
    return hipSuccess;
  });
}

} // extern "C"
