// SPDX-License-Identifier: MIT
// Streams on the application's own command lists and command queues.
#include "tests/device/interop.h"

#include <thread>

__global__ void step(int *data, int factor, int add) { data[threadIdx.x] = data[threadIdx.x] * factor + add; }

constexpr int kCount = 64;

static std::vector<int> read(const int *data, hipStream_t stream) {
  std::vector<int> host(kCount);
  HIP_CHECK(hipMemcpyAsync(host.data(), data, kCount * sizeof(int), hipMemcpyDeviceToHost, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  return host;
}

static void launch(int *data, int factor, int add, hipStream_t stream) {
  (void)hipGetLastError(); // what was refused on purpose
  step<<<1, kCount, 0, stream>>>(data, factor, add);
  HIP_CHECK(hipGetLastError());
}

/// The order of commands shows in the result: x = 2x + 1, again and again.
static void commandsInOrder(hipStream_t stream, int launches) {
  DeviceArray<int> array(kCount);
  int *data = array;
  HIP_CHECK(hipMemsetAsync(data, 0, kCount * sizeof(int), stream));
  unsigned expected = 0;
  for (int index = 0; index < launches; ++index) {
    launch(data, 2, index, stream);
    expected = 2 * expected + index;
  }
  CHECK_EQ(read(data, stream)[kCount - 1], static_cast<int>(expected));
  const hipError_t status = hipStreamQuery(stream);
  CHECK(status == hipSuccess || status == hipErrorNotReady);
  int called = 0;
  HIP_CHECK(hipLaunchHostFunc(
      stream, [](void *flag) { *static_cast<int *>(flag) = 1; }, &called));
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(called, 1);
}

static void eventsAndOtherStreams(hipStream_t stream) {
  hipStream_t other;
  hipEvent_t event, back;
  HIP_CHECK(hipStreamCreateWithFlags(&other, hipStreamNonBlocking));
  HIP_CHECK(hipEventCreate(&event));
  HIP_CHECK(hipEventCreate(&back));
  DeviceArray<int> array(kCount);
  int *data = array;
  HIP_CHECK(hipMemset(data, 0, kCount * sizeof(int)));
  HIP_CHECK(hipDeviceSynchronize());
  for (int round = 0; round < 20; ++round) {
    launch(data, 1, 1, stream);
    HIP_CHECK(hipEventRecord(event, stream));
    HIP_CHECK(hipStreamWaitEvent(other, event, 0));
    launch(data, 2, 0, other);
    HIP_CHECK(hipEventRecord(back, other));
    HIP_CHECK(hipStreamWaitEvent(stream, back, 0));
  }
  CHECK_EQ(read(data, stream)[0], (1 << 21) - 2);
  HIP_CHECK(hipEventDestroy(event));
  HIP_CHECK(hipEventDestroy(back));
  HIP_CHECK(hipStreamDestroy(other));
}

static void graphs(hipStream_t stream) {
  DeviceArray<int> array(kCount);
  int *data = array;
  hipGraph_t graph;
  hipGraphExec_t exec;
  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
  launch(data, 2, 1, stream);
  launch(data, 3, 0, stream);
  HIP_CHECK(hipStreamEndCapture(stream, &graph));
  HIP_CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  HIP_CHECK(hipMemsetAsync(data, 0, kCount * sizeof(int), stream));
  launch(data, 1, 1, stream);              // 1
  HIP_CHECK(hipGraphLaunch(exec, stream)); // 9
  HIP_CHECK(hipGraphLaunch(exec, stream)); // 57
  launch(data, 1, 1, stream);
  CHECK_EQ(read(data, stream)[7], 58);
  HIP_CHECK(hipGraphExecDestroy(exec));
  HIP_CHECK(hipGraphDestroy(graph));
}

/// A blocking stream and the null stream wait for each other on account of HIP's commands.
static void defaultStream(hipStream_t stream) {
  DeviceArray<int> array(kCount);
  int *data = array;
  HIP_CHECK(hipMemset(data, 0, kCount * sizeof(int)));
  for (int round = 0; round < 10; ++round) {
    launch(data, 1, 1, stream);
    launch(data, 2, 0, nullptr);
  }
  CHECK_EQ(read(data, stream)[0], (1 << 11) - 2);
}

TEST(lists) {
  const Native native;
  ze_command_list_handle_t list = native.immediateList();
  hipStream_t stream = nullptr;
  CHECK_EQ(hiplzCreateStreamFromNative(nullptr, 0, list, hipStreamDefault, hiplzOwnershipKeep), hipErrorInvalidValue);
  CHECK_EQ(hiplzCreateStreamFromNative(&stream, 0, nullptr, hipStreamDefault, hiplzOwnershipKeep),
           hipErrorInvalidValue);
  CHECK_EQ(hiplzCreateStreamFromNative(&stream, 0, list, 1234, hiplzOwnershipKeep), hipErrorInvalidValue);
  CHECK_EQ(hiplzCreateStreamFromNative(&stream, 99, list, hipStreamDefault, hiplzOwnershipKeep), hipErrorInvalidDevice);
  CHECK_EQ(hiplzCreateStreamFromNative(&stream, 0, list, hipStreamDefault, static_cast<hiplzOwnership>(2)),
           hipErrorInvalidValue);
  HIP_CHECK(hiplzCreateStreamFromNative(&stream, 0, list, hipStreamDefault, hiplzOwnershipKeep));
  ze_command_list_handle_t same = nullptr;
  ze_command_queue_handle_t queue = reinterpret_cast<ze_command_queue_handle_t>(1);
  HIP_CHECK(hiplzGetNativeStream(stream, &same, &queue));
  CHECK(same == list && !queue);
  CHECK_EQ(hiplzGetNativeStream(stream, nullptr, nullptr), hipErrorInvalidValue);
  unsigned flags = 77;
  HIP_CHECK(hipStreamGetFlags(stream, &flags));
  CHECK_EQ(flags, unsigned{hipStreamDefault});
  commandsInOrder(stream, 500);
  eventsAndOtherStreams(stream);
  graphs(stream);
  defaultStream(stream);

  NativeEvents events(native);
  ze_event_handle_t gate = events.create();
  int source = 41, target = 0;
  HIP_CHECK(hipStreamDestroy(stream));
  ZE_CHECK(zeCommandListAppendMemoryCopy(list, &target, &source, sizeof target, gate, 0, nullptr));
  ZE_CHECK(zeEventHostSynchronize(gate, UINT64_MAX)); // the list is the application's still
  CHECK_EQ(target, 41);
  ZE_CHECK(zeEventDestroy(gate));
  ZE_CHECK(zeCommandListDestroy(list));
}

TEST(transferredList) {
  const Native native;
  hipStream_t stream = nullptr;
  ze_command_list_handle_t list = native.immediateList();
  HIP_CHECK(hiplzCreateStreamFromNative(&stream, 0, list, hipStreamNonBlocking, hiplzOwnershipTransfer));
  commandsInOrder(stream, 10);
  HIP_CHECK(hipStreamDestroy(stream));
  CHECK_DESTROYED(zeCommandListAppendBarrier(list, nullptr, 0, nullptr));
}

TEST(commandsOfTheApplication) {
  const Native native;
  NativeEvents events(native);
  ze_event_handle_t gate = events.create();
  ze_command_list_handle_t list = native.immediateList();
  hipStream_t stream = nullptr;
  HIP_CHECK(hiplzCreateStreamFromNative(&stream, 0, list, hipStreamNonBlocking, hiplzOwnershipTransfer));
  HIP_CHECK(hipStreamSynchronize(stream));
  int source = 8, target = 0;
  ZE_CHECK(zeCommandListAppendWaitOnEvents(list, 1, &gate));
  ZE_CHECK(zeCommandListAppendMemoryCopy(list, &target, &source, sizeof target, nullptr, 0, nullptr));
  CHECK_EQ(hipStreamQuery(stream), hipErrorNotReady);
  CHECK_EQ(hipStreamQuery(stream), hipErrorNotReady);
  std::thread opener([&] { ZE_CHECK(zeEventHostSignal(gate)); });
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(target, 8);
  opener.join();
  hipError_t status;
  while ((status = hipStreamQuery(stream)) == hipErrorNotReady)
    ;
  CHECK_EQ(status, hipSuccess);
  HIP_CHECK(hipStreamDestroy(stream));
  ZE_CHECK(zeEventDestroy(gate));
}

TEST(queues) {
  const Native native;
  ze_command_queue_handle_t queue = native.commandQueue();
  hipStream_t stream = nullptr;
  CHECK_EQ(hiplzCreateStreamFromNativeQueue(&stream, 0, nullptr, 0, hipStreamDefault, hiplzOwnershipKeep),
           hipErrorInvalidValue);
  HIP_CHECK(hiplzCreateStreamFromNativeQueue(&stream, 0, queue, 0, hipStreamDefault, hiplzOwnershipKeep));
  ze_command_list_handle_t list = reinterpret_cast<ze_command_list_handle_t>(1);
  ze_command_queue_handle_t same = nullptr;
  HIP_CHECK(hiplzGetNativeStream(stream, &list, &same));
  CHECK(same == queue && !list);
  commandsInOrder(stream, 1000);
  eventsAndOtherStreams(stream);
  graphs(stream);
  defaultStream(stream);

  // A list that the application executes between HIP's commands.
  DeviceArray<int> array(kCount);
  int *data = array;
  HIP_CHECK(hipMemsetAsync(data, 0, kCount * sizeof(int), stream));
  int value = 100;
  ze_command_list_handle_t own = native.regularList();
  ZE_CHECK(zeCommandListAppendMemoryFill(own, data, &value, sizeof value, kCount * sizeof(int), nullptr, 0, nullptr));
  ZE_CHECK(zeCommandListClose(own));
  ZE_CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &own, nullptr));
  launch(data, 1, 1, stream);
  CHECK_EQ(read(data, stream)[3], 101);
  HIP_CHECK(hipStreamDestroy(stream));
  ZE_CHECK(zeCommandListDestroy(own));
  ZE_CHECK(zeCommandQueueDestroy(queue));

  queue = native.commandQueue();
  HIP_CHECK(hiplzCreateStreamFromNativeQueue(&stream, 0, queue, 0, hipStreamNonBlocking, hiplzOwnershipTransfer));
  commandsInOrder(stream, 5);
  HIP_CHECK(hipStreamDestroy(stream));
  CHECK_DESTROYED(zeCommandQueueSynchronize(queue, 0));
}

/// Streams of HIP's own show their lists, and Level Zero appends to them.
TEST(hipsOwnList) {
  const Native native;
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  ze_command_list_handle_t list = nullptr, null = nullptr;
  HIP_CHECK(hiplzGetNativeStream(stream, &list, nullptr));
  HIP_CHECK(hiplzGetNativeStream(nullptr, &null, nullptr));
  CHECK(list && null && list != null);
  NativeEvents events(native);
  ze_event_handle_t done = events.create();
  int source = 6, target = 0;
  ZE_CHECK(zeCommandListAppendMemoryCopy(list, &target, &source, sizeof target, done, 0, nullptr));
  ZE_CHECK(zeEventHostSynchronize(done, UINT64_MAX));
  CHECK_EQ(target, 6);
  HIP_CHECK(hipStreamDestroy(stream));
  CHECK_EQ(hiplzGetNativeStream(stream, &list, nullptr), hipErrorContextIsDestroyed);
  ZE_CHECK(zeEventDestroy(done));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
