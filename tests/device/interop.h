// SPDX-License-Identifier: MIT
// Shared by the interoperability tests: the Level Zero side of the program, which uses HIP's context through the public
// functions alone, and destroys everything that it makes unless HIP has got it.
#pragma once
#include "tests/device/check.h"

#include <hiplz/interop.h>

#define ZE_CHECK(call) CHECK_EQ(static_cast<int>(call), static_cast<int>(ZE_RESULT_SUCCESS))

#if __has_feature(address_sanitizer)
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif

/// The handle in the call has been destroyed: the validation layer or the driver refuses it. Without the layer the call
/// would be undefined, so it is not made; nor with the sanitizer, which sees the driver look at a handle that is freed.
#define CHECK_DESTROYED(call)                                                                                          \
  do {                                                                                                                 \
    if (!kAddressSanitizer && std::getenv("ZE_ENABLE_HANDLE_LIFETIME")) {                                              \
      const ze_result_t destroyed_ = (call);                                                                           \
      CHECK(destroyed_ != ZE_RESULT_SUCCESS && destroyed_ != ZE_RESULT_NOT_READY);                                     \
    }                                                                                                                  \
  } while (0)

/// Handles of device 0.
struct Native {
  ze_driver_handle_t driver = nullptr;
  ze_device_handle_t device = nullptr;
  ze_context_handle_t context = nullptr;

  Native() {
    HIP_CHECK(hiplzGetNativeDriver(0, &driver));
    HIP_CHECK(hiplzGetNativeDevice(0, &device));
    HIP_CHECK(hiplzGetNativeContext(0, &context));
  }

  ze_command_queue_desc_t queueDescription() const {
    ze_command_queue_desc_t description{};
    description.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
    description.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
    return description;
  }
  ze_command_list_handle_t immediateList() const {
    const ze_command_queue_desc_t description = queueDescription();
    ze_command_list_handle_t list = nullptr;
    ZE_CHECK(zeCommandListCreateImmediate(context, device, &description, &list));
    return list;
  }
  ze_command_list_handle_t regularList() const {
    ze_command_list_desc_t description{};
    description.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
    ze_command_list_handle_t list = nullptr;
    ZE_CHECK(zeCommandListCreate(context, device, &description, &list));
    return list;
  }
  ze_command_queue_handle_t commandQueue() const {
    const ze_command_queue_desc_t description = queueDescription();
    ze_command_queue_handle_t queue = nullptr;
    ZE_CHECK(zeCommandQueueCreate(context, device, &description, &queue));
    return queue;
  }
  void *allocate(size_t bytes) const {
    const ze_device_mem_alloc_desc_t description{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
    void *pointer = nullptr;
    ZE_CHECK(zeMemAllocDevice(context, &description, bytes, 64, device, &pointer));
    return pointer;
  }
  void *allocateHost(size_t bytes) const {
    const ze_host_mem_alloc_desc_t description{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
    void *pointer = nullptr;
    ZE_CHECK(zeMemAllocHost(context, &description, bytes, 64, &pointer));
    return pointer;
  }
};

/// A pool and its events. The pool ends with the object; events do as the test says.
class NativeEvents {
public:
  explicit NativeEvents(const Native &native) {
    const ze_event_pool_desc_t description{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
                                           ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, 64};
    ZE_CHECK(zeEventPoolCreate(native.context, &description, 0, nullptr, &pool_));
  }
  ~NativeEvents() { ZE_CHECK(zeEventPoolDestroy(pool_)); }
  ze_event_handle_t create() {
    const ze_event_desc_t description{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, next_++, ZE_EVENT_SCOPE_FLAG_HOST,
                                      ZE_EVENT_SCOPE_FLAG_HOST};
    ze_event_handle_t event = nullptr;
    ZE_CHECK(zeEventCreate(pool_, &description, &event));
    return event;
  }

private:
  ze_event_pool_handle_t pool_ = nullptr;
  uint32_t next_ = 0;
};
