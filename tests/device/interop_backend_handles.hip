// SPDX-License-Identifier: MIT
// Native handles under chipStar's names (hip/hip_interop.h).
#include "tests/device/interop.h"

#include <hip/hip_interop.h>

#include <array>
#include <cstring>

static std::array<uintptr_t, 6> handlesOf(hipStream_t stream) {
  int count = 0;
  CHECK_EQ(hipGetBackendNativeHandles(uintptr_t(stream), nullptr, &count), int(hipSuccess));
  CHECK_EQ(count, 6);
  std::array<uintptr_t, 6> handles{};
  CHECK_EQ(hipGetBackendNativeHandles(uintptr_t(stream), handles.data(), &count), int(hipSuccess));
  return handles;
}

static void handlesAreThoseOfTheStream() {
  Native native;
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  for (hipStream_t each : {stream, hipStream_t(nullptr)}) {
    const std::array<uintptr_t, 6> handles = handlesOf(each);
    ze_command_list_handle_t list = nullptr;
    HIP_CHECK(hiplzGetNativeStream(each, &list, nullptr));
    CHECK(!std::strcmp(reinterpret_cast<const char *>(handles[0]), "level0"));
    CHECK(handles[1] == uintptr_t(native.driver) && handles[2] == uintptr_t(native.device));
    CHECK(handles[3] == uintptr_t(native.context) && handles[5] == uintptr_t(list) && list);
    CHECK(handles[4] != 0 && handles[4] == handlesOf(stream)[4]); // one for the device
  }
  HIP_CHECK(hipStreamDestroy(stream));
}

// Level Zero fills memory by the queue, and HIP waits for its event.
static void queueExecutesLists() {
  Native native;
  const std::array<uintptr_t, 6> handles = handlesOf(nullptr);
  const auto queue = reinterpret_cast<ze_command_queue_handle_t>(handles[4]);
  DeviceArray<int> data(64);
  NativeEvents events(native);
  const ze_event_handle_t filled = events.create();
  ze_command_list_handle_t list = native.regularList();
  const int pattern = 7;
  ZE_CHECK(zeCommandListAppendMemoryFill(list, data, &pattern, sizeof pattern, 64 * sizeof(int), filled, 0, nullptr));
  ZE_CHECK(zeCommandListClose(list));
  ZE_CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, nullptr));

  auto event = static_cast<hipEvent_t>(hipGetHipEventFromNativeEvent(filled));
  CHECK(event != nullptr);
  HIP_CHECK(hipStreamWaitEvent(nullptr, event, 0));
  std::vector<int> found(64);
  HIP_CHECK(hipMemcpyAsync(found.data(), data, 64 * sizeof(int), hipMemcpyDeviceToHost, nullptr));
  HIP_CHECK(hipStreamSynchronize(nullptr));
  CHECK(found == std::vector<int>(64, 7));
  HIP_CHECK(hipEventDestroy(event));
  ZE_CHECK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  ZE_CHECK(zeCommandListDestroy(list));
  ZE_CHECK(zeEventDestroy(filled));
}

static void nativeEventOfARecording() {
  hipEvent_t event;
  HIP_CHECK(hipEventCreate(&event));
  CHECK(hipGetNativeEventFromHipEvent(event) == nullptr); // not recorded
  HIP_CHECK(hipEventRecord(event, nullptr));
  auto native = static_cast<ze_event_handle_t>(hipGetNativeEventFromHipEvent(event));
  CHECK(native != nullptr);
  HIP_CHECK(hipEventSynchronize(event));
  ZE_CHECK(zeEventQueryStatus(native));
  HIP_CHECK(hipEventDestroy(event));
  CHECK(hipGetNativeEventFromHipEvent(nullptr) == nullptr);
  CHECK(hipGetHipEventFromNativeEvent(nullptr) == nullptr);
}

static void wrongArguments() {
  uintptr_t handles[6];
  int count = 5;
  CHECK_EQ(hipGetBackendNativeHandles(0, handles, &count), int(hipErrorInvalidValue));
  CHECK_EQ(hipGetBackendNativeHandles(0, handles, nullptr), int(hipErrorInvalidValue));
  CHECK_EQ(hipInitFromNativeHandles(nullptr, 4), int(hipErrorInvalidValue));
  CHECK_EQ(hipInitFromNativeHandles(handles, 2), int(hipErrorInvalidValue));
  (void)hipGetLastError();
}

int main() {
  // HIP uses this context from now on.
  Native native;
  uintptr_t handles[4] = {uintptr_t(native.driver), uintptr_t(native.device), uintptr_t(native.context), 0};
  CHECK_EQ(hipInitFromNativeHandles(handles, 4), int(hipSuccess));
  handlesAreThoseOfTheStream();
  queueExecutesLists();
  nativeEventOfARecording();
  wrongArguments();
  return testResult();
}
