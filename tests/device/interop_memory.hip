// SPDX-License-Identifier: MIT
// A program with a Level Zero part and a HIP part that share memory and events in one process.
#include "tests/device/interop.h"

#include <thread>

__global__ void add(int *data, int value, int count) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count)
    data[index] += value;
}

constexpr int kCount = 1000;

static void launchAdd(int *data, int value, hipStream_t stream) {
  (void)hipGetLastError(); // what was refused on purpose
  add<<<(kCount + 127) / 128, 128, 0, stream>>>(data, value, kCount);
  HIP_CHECK(hipGetLastError());
}

static void checkAll(const int *data, int expected, hipStream_t stream) {
  std::vector<int> host(kCount);
  HIP_CHECK(hipMemcpyAsync(host.data(), data, kCount * sizeof(int), hipMemcpyDeviceToHost, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  for (int value : host)
    if (value != expected) {
      CHECK_EQ(value, expected);
      return;
    }
}

TEST(handles) {
  const Native native;
  int ordinal = -1, devices[64];
  HIP_CHECK(hiplzGetDeviceFromNative(native.device, &ordinal));
  CHECK_EQ(ordinal, 0);
  unsigned count = 64;
  HIP_CHECK(hiplzGetDevicesFromNativeDriver(native.driver, &count, devices));
  CHECK(count >= 1 && devices[0] == 0);
  unsigned none = 0;
  HIP_CHECK(hiplzGetDevicesFromNativeDriver(native.driver, &none, devices));
  CHECK_EQ(none, count);
  ze_device_handle_t device = nullptr;
  CHECK_EQ(hiplzGetNativeDevice(1000, &device), hipErrorInvalidDevice);
  CHECK_EQ(hiplzGetNativeDevice(-1, &device), hipErrorInvalidDevice);
  CHECK_EQ(hiplzGetNativeDevice(0, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hiplzGetNativeDriver(0, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hiplzGetNativeContext(0, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hiplzGetDeviceFromNative(nullptr, &ordinal), hipErrorInvalidDevice);
  CHECK_EQ(hiplzGetDevicesFromNativeDriver(nullptr, &count, nullptr), hipErrorInvalidValue);
  // The runtime has its context already.
  CHECK_EQ(hiplzCreateContextFromNative(native.driver, native.context, hiplzOwnershipKeep), hipSuccess);
  ze_context_desc_t description{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  ze_context_handle_t other = nullptr;
  ZE_CHECK(zeContextCreate(native.driver, &description, &other));
  CHECK_EQ(hiplzCreateContextFromNative(native.driver, other, hiplzOwnershipTransfer), hipErrorSetOnActiveProcess);
  ZE_CHECK(zeContextDestroy(other));
}

TEST(memoryThatStaysTheApplications) {
  const Native native;
  void *pointer = native.allocate(kCount * sizeof(int));
  HIP_CHECK(hiplzCreateMemoryFromNative(pointer, hiplzOwnershipKeep));
  auto *data = static_cast<int *>(pointer);
  HIP_CHECK(hipMemset(data, 0, kCount * sizeof(int)));
  launchAdd(data, 3, nullptr);
  checkAll(data, 3, nullptr);
  hipPointerAttribute_t attributes{};
  HIP_CHECK(hipPointerGetAttributes(&attributes, data + 10));
  CHECK_EQ(attributes.type, hipMemoryTypeDevice);
  CHECK_EQ(attributes.device, 0);
  CHECK_EQ(hipFree(data), hipErrorInvalidValue); // not HIP's to free
  CHECK_EQ(hiplzCreateMemoryFromNative(data, hiplzOwnershipKeep), hipErrorInvalidValue);
  HIP_CHECK(hiplzReleaseNativeMemory(data));
  CHECK_EQ(hiplzReleaseNativeMemory(data), hipErrorInvalidValue);
  CHECK_EQ(hipPointerGetAttributes(&attributes, data) == hipSuccess && attributes.type == hipMemoryTypeDevice, false);
  ZE_CHECK(zeMemFree(native.context, pointer));
}

TEST(memoryThatBecomesHips) {
  const Native native;
  size_t before = 0, after = 0, total = 0;
  HIP_CHECK(hipMemGetInfo(&before, &total));
  void *device = native.allocate(1 << 20), *host = native.allocateHost(4096);
  CHECK_EQ(hiplzCreateMemoryFromNative(static_cast<char *>(device) + 64, hiplzOwnershipTransfer), hipErrorInvalidValue);
  CHECK_EQ(hiplzCreateMemoryFromNative(nullptr, hiplzOwnershipTransfer), hipErrorInvalidValue);
  CHECK_EQ(hiplzCreateMemoryFromNative(device, static_cast<hiplzOwnership>(7)), hipErrorInvalidValue);
  int local = 0;
  CHECK_EQ(hiplzCreateMemoryFromNative(&local, hiplzOwnershipTransfer), hipErrorInvalidValue);
  HIP_CHECK(hiplzCreateMemoryFromNative(device, hiplzOwnershipTransfer));
  HIP_CHECK(hiplzCreateMemoryFromNative(host, hiplzOwnershipTransfer));
  CHECK_EQ(hiplzReleaseNativeMemory(device), hipErrorInvalidValue);
  HIP_CHECK(hipMemset(device, 0x11, 1 << 20));
  HIP_CHECK(hipMemcpy(host, device, 4096, hipMemcpyDeviceToHost));
  CHECK_EQ(static_cast<char *>(host)[4095], 0x11);
  CHECK_EQ(hipHostFree(device), hipErrorInvalidValue);
  HIP_CHECK(hipHostFree(host));
  HIP_CHECK(hipFree(device));
  CHECK_EQ(hipFree(device), hipErrorInvalidValue);
  ze_memory_allocation_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  for (void *freed : {device, host}) {
    ZE_CHECK(zeMemGetAllocProperties(native.context, freed, &properties, nullptr));
    CHECK_EQ(properties.type, ZE_MEMORY_TYPE_UNKNOWN);
  }
  HIP_CHECK(hipMemGetInfo(&after, &total));
  CHECK_EQ(after, before);
}

/// HIP's memory in Level Zero's commands, ordered by HIP's event.
TEST(hipsMemoryAndEvent) {
  const Native native;
  DeviceArray<int> array(kCount);
  int *data = array;
  ze_context_handle_t context = nullptr;
  void *base = nullptr;
  size_t bytes = 0;
  HIP_CHECK(hiplzGetNativeMemory(data + 5, &context, &base, &bytes));
  CHECK(context == native.context);
  CHECK(base <= data && static_cast<char *>(base) + bytes >= reinterpret_cast<char *>(data + kCount));
  int local = 0;
  CHECK_EQ(hiplzGetNativeMemory(&local, &context, nullptr, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hiplzGetNativeMemory(data, nullptr, nullptr, nullptr), hipErrorInvalidValue);

  hipStream_t stream;
  hipEvent_t ready;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipEventCreateWithFlags(&ready, hipEventDisableTiming));
  ze_event_handle_t wait = nullptr;
  CHECK_EQ(hiplzGetNativeEvent(ready, &wait), hipErrorInvalidHandle); // never recorded
  CHECK_EQ(hiplzGetNativeEvent(nullptr, &wait), hipErrorInvalidHandle);
  HIP_CHECK(hipMemsetAsync(data, 0, kCount * sizeof(int), stream));
  for (int launch = 0; launch < 50; ++launch)
    launchAdd(data, 1, stream);
  HIP_CHECK(hipEventRecord(ready, stream));
  HIP_CHECK(hiplzGetNativeEvent(ready, &wait));

  NativeEvents events(native);
  ze_event_handle_t done = events.create();
  ze_command_list_handle_t list = native.immediateList();
  std::vector<int> copy(kCount);
  ZE_CHECK(zeCommandListAppendMemoryCopy(list, copy.data(), data, kCount * sizeof(int), done, 1, &wait));
  ZE_CHECK(zeEventHostSynchronize(done, UINT64_MAX));
  for (int value : copy)
    CHECK_EQ(value, 50);
  HIP_CHECK(hipEventDestroy(ready));
  HIP_CHECK(hipStreamDestroy(stream));
  ZE_CHECK(zeCommandListDestroy(list));
  ZE_CHECK(zeEventDestroy(done));
}

/// A native event that HIP's streams wait for and record.
TEST(nativeEvents) {
  const Native native;
  NativeEvents events(native);
  ze_event_handle_t gate = events.create(), kept = events.create();
  hipEvent_t gateEvent, keptEvent;
  CHECK_EQ(hiplzCreateEventFromNative(nullptr, 0, gate, hiplzOwnershipKeep), hipErrorInvalidValue);
  CHECK_EQ(hiplzCreateEventFromNative(&gateEvent, 0, nullptr, hiplzOwnershipKeep), hipErrorInvalidValue);
  CHECK_EQ(hiplzCreateEventFromNative(&gateEvent, 1000, gate, hiplzOwnershipKeep), hipErrorInvalidDevice);
  HIP_CHECK(hiplzCreateEventFromNative(&gateEvent, 0, gate, hiplzOwnershipTransfer));
  HIP_CHECK(hiplzCreateEventFromNative(&keptEvent, 0, kept, hiplzOwnershipKeep));
  ze_event_handle_t same = nullptr;
  HIP_CHECK(hiplzGetNativeEvent(gateEvent, &same));
  CHECK(same == gate);

  hipStream_t stream;
  HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  DeviceArray<int> array(kCount);
  int *data = array;
  HIP_CHECK(hipMemset(data, 0, kCount * sizeof(int)));
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(hipEventQuery(gateEvent), hipErrorNotReady);
  HIP_CHECK(hipStreamWaitEvent(stream, gateEvent, 0));
  launchAdd(data, 7, stream);
  HIP_CHECK(hipEventRecord(keptEvent, stream));
  CHECK_EQ(hipStreamQuery(stream), hipErrorNotReady);
  CHECK_EQ(static_cast<int>(zeEventQueryStatus(kept)), static_cast<int>(ZE_RESULT_NOT_READY));
  ZE_CHECK(zeEventHostSignal(gate));
  ZE_CHECK(zeEventHostSynchronize(kept, UINT64_MAX)); // Level Zero waits for HIP's work
  HIP_CHECK(hipEventQuery(keptEvent));
  checkAll(data, 7, stream);

  // Recording again: each time the native event is reset and signalled anew. A second one waits for the first.
  for (int round = 0; round < 20; ++round) {
    launchAdd(data, 1, stream);
    HIP_CHECK(hipEventRecord(keptEvent, stream));
    if (round % 2)
      ZE_CHECK(zeEventHostSynchronize(kept, UINT64_MAX));
  }
  HIP_CHECK(hipEventSynchronize(keptEvent));
  // The application may reset its event as soon as it is signalled; the stream does not mind.
  ZE_CHECK(zeEventHostReset(kept));
  launchAdd(data, 1, stream);
  checkAll(data, 28, stream);

  // With timestamps: HIP's own events and native ones on one axis.
  hipEvent_t begin;
  HIP_CHECK(hipEventCreate(&begin));
  HIP_CHECK(hipEventRecord(begin, stream));
  launchAdd(data, 1, stream);
  HIP_CHECK(hipEventRecord(keptEvent, stream));
  HIP_CHECK(hipEventSynchronize(keptEvent));
  float milliseconds = -1;
  HIP_CHECK(hipEventElapsedTime(&milliseconds, begin, keptEvent));
  CHECK(milliseconds >= 0 && milliseconds < 10000);
  HIP_CHECK(hipEventDestroy(begin));

  // A graph has no event of its own that it could record instead.
  hipGraph_t graph;
  hipGraphNode_t node;
  hipGraphExec_t exec;
  HIP_CHECK(hipGraphCreate(&graph, 0));
  HIP_CHECK(hipGraphAddEventRecordNode(&node, graph, nullptr, 0, keptEvent));
  CHECK_EQ(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0), hipErrorNotSupported);
  HIP_CHECK(hipGraphDestroy(graph));

  // Transferred memory lives until the last stream has let go of it.
  HIP_CHECK(hipStreamWaitEvent(stream, gateEvent, 0));
  HIP_CHECK(hipEventDestroy(gateEvent));
  HIP_CHECK(hipStreamSynchronize(stream));
  HIP_CHECK(hipEventDestroy(keptEvent));
  HIP_CHECK(hipStreamDestroy(stream));
  CHECK_DESTROYED(zeEventQueryStatus(gate));
  ZE_CHECK(zeEventDestroy(kept));
}

/// Both sides in turn, from two threads.
TEST(pingPong) {
  const Native native;
  constexpr int kRounds = 30;
  NativeEvents events(native);
  std::vector<ze_event_handle_t> toHip, toNative;
  for (int round = 0; round < kRounds; ++round) {
    toHip.push_back(events.create());
    toNative.push_back(events.create());
  }
  void *memory = native.allocate(kCount * sizeof(int));
  HIP_CHECK(hiplzCreateMemoryFromNative(memory, hiplzOwnershipKeep));
  auto *data = static_cast<int *>(memory);
  HIP_CHECK(hipMemset(data, 0, kCount * sizeof(int)));
  HIP_CHECK(hipDeviceSynchronize());
  std::thread other([&] { // sees what HIP has added, and sets the first element back
    ze_command_list_handle_t list = native.immediateList();
    NativeEvents own(native);
    ze_event_handle_t seen = own.create();
    for (int round = 0; round < kRounds; ++round) {
      int value = 0, zero = 0;
      ZE_CHECK(zeCommandListAppendMemoryCopy(list, &value, data, sizeof value, seen, 1, &toNative[round]));
      ZE_CHECK(zeEventHostSynchronize(seen, UINT64_MAX));
      ZE_CHECK(zeEventHostReset(seen));
      CHECK_EQ(value, round + 1);
      ZE_CHECK(zeCommandListAppendMemoryCopy(list, data, &zero, sizeof zero, toHip[round], 0, nullptr));
      ZE_CHECK(zeEventHostSynchronize(toHip[round], UINT64_MAX));
    }
    ZE_CHECK(zeEventDestroy(seen));
    ZE_CHECK(zeCommandListDestroy(list));
  });
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  std::vector<hipEvent_t> hipEvents;
  for (int round = 0; round < kRounds; ++round) {
    hipEvent_t added, reset;
    HIP_CHECK(hiplzCreateEventFromNative(&added, 0, toNative[round], hiplzOwnershipTransfer));
    HIP_CHECK(hiplzCreateEventFromNative(&reset, 0, toHip[round], hiplzOwnershipTransfer));
    launchAdd(data, round + 1, stream);
    HIP_CHECK(hipEventRecord(added, stream));
    HIP_CHECK(hipStreamWaitEvent(stream, reset, 0));
    hipEvents.push_back(added);
    hipEvents.push_back(reset);
  }
  other.join();
  HIP_CHECK(hipStreamSynchronize(stream));
  int first = -1, second = -1;
  HIP_CHECK(hipMemcpy(&first, data, sizeof first, hipMemcpyDeviceToHost));
  HIP_CHECK(hipMemcpy(&second, data + 1, sizeof second, hipMemcpyDeviceToHost));
  CHECK_EQ(first, 0);
  CHECK_EQ(second, kRounds * (kRounds + 1) / 2);
  HIP_CHECK(hipStreamDestroy(stream)); // it lets go of the events before their pool ends
  for (hipEvent_t event : hipEvents)
    HIP_CHECK(hipEventDestroy(event));
  HIP_CHECK(hiplzReleaseNativeMemory(data));
  ZE_CHECK(zeMemFree(native.context, memory));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
