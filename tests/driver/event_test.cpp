// SPDX-License-Identifier: MIT
// Events, fences, and the order that they establish between lists.
#include "support.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace {

class Events : public DriverTest {
protected:
  ze_kernel_timestamp_result_t times(ze_event_handle_t event) {
    ze_kernel_timestamp_result_t result{};
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventQueryKernelTimestamp(event, &result));
    return result;
  }
};

TEST_F(Events, HostSignalAndReset) {
  auto one = event();
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventQueryStatus(one));
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventHostSynchronize(one, 0));
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventHostSynchronize(one, 2'000'000));
  ZE_OK(zeEventHostSignal(one));
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventQueryStatus(one));
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventHostSynchronize(one, kForever));
  ZE_OK(zeEventHostReset(one));
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventQueryStatus(one));
}

TEST_F(Events, TimeoutIsHonoured) {
  auto one = event();
  auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventHostSynchronize(one, 20'000'000));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(20));
}

TEST_F(Events, AListWaitsForTheHost) {
  auto list = immediate();
  auto gate = event(), done = event();
  int source = 42, target = 0;
  ZE_OK(zeCommandListAppendMemoryCopy(list, &target, &source, sizeof source, done, 1, &gate));
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventHostSynchronize(done, 5'000'000));
  EXPECT_EQ(0, target);
  ZE_OK(zeEventHostSignal(gate));
  ZE_OK(zeEventHostSynchronize(done, kForever));
  EXPECT_EQ(42, target);
}

TEST_F(Events, ListsWaitForEachOther) {
  constexpr int kLists = 8;
  int values[kLists + 1] = {1};
  ze_event_handle_t gate = event(), previous = gate;
  for (int index = 0; index < kLists; ++index) {
    auto list = immediate();
    auto done = event();
    ZE_OK(zeCommandListAppendMemoryCopy(list, &values[index + 1], &values[index], sizeof(int), done, 1, &previous));
    previous = done;
  }
  ZE_OK(zeEventHostSignal(gate));
  ZE_OK(zeEventHostSynchronize(previous, kForever));
  EXPECT_EQ(1, values[kLists]);
}

TEST_F(Events, AllWaitsOfACommandCount) {
  auto list = immediate();
  std::vector<ze_event_handle_t> gates;
  for (int index = 0; index < 100; ++index)
    gates.push_back(event());
  auto done = event();
  ZE_OK(zeCommandListAppendBarrier(list, done, 100, gates.data()));
  for (int index = 99; index >= 0; --index) {
    EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventQueryStatus(done));
    ZE_OK(zeEventHostSignal(gates[index]));
  }
  ZE_OK(zeEventHostSynchronize(done, kForever));
}

TEST_F(Events, ManyListsWaitForOneEvent) {
  auto gate = event();
  std::vector<ze_event_handle_t> done;
  std::vector<int> values(32, 0);
  int one = 1;
  for (int &value : values) {
    auto list = immediate();
    done.push_back(event());
    ZE_OK(zeCommandListAppendMemoryCopy(list, &value, &one, sizeof one, done.back(), 1, &gate));
  }
  ZE_OK(zeEventHostSignal(gate));
  for (auto event : done)
    ZE_OK(zeEventHostSynchronize(event, kForever));
  EXPECT_EQ(std::vector<int>(32, 1), values);
}

TEST_F(Events, ResetByTheDevice) {
  auto list = immediate();
  auto one = event(), done = event();
  ZE_OK(zeCommandListAppendSignalEvent(list, one));
  ZE_OK(zeCommandListAppendEventReset(list, one));
  ZE_OK(zeCommandListAppendBarrier(list, done, 0, nullptr));
  ZE_OK(zeEventHostSynchronize(done, kForever));
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventQueryStatus(one));
}

TEST_F(Events, AStreamThatWasReleasedStaysReleased) {
  // The event is reset as soon as it has been signalled; those that waited for it have seen it nevertheless.
  for (int round = 0; round < 200; ++round) {
    auto waiting = immediate();
    auto gate = event(), done = event();
    ZE_OK(zeCommandListAppendBarrier(waiting, done, 1, &gate));
    ZE_OK(zeEventHostSignal(gate));
    ZE_OK(zeEventHostReset(gate));
    // Either the list had begun to wait, and goes on; or it had not, and waits for the next signal.
    if (zeEventHostSynchronize(done, 1'000'000) == ZE_RESULT_NOT_READY)
      ZE_OK(zeEventHostSignal(gate));
    ZE_OK(zeEventHostSynchronize(done, kForever));
  }
}

TEST_F(Events, TimestampsAreOrdered) {
  auto list = immediate();
  std::vector<char> from(1 << 20), to(1 << 20);
  ze_event_handle_t first = event(), second = event();
  uint64_t host = 0, before = 0, written = 0, after = 0;
  ZE_OK(zeDeviceGetGlobalTimestamps(dev, &host, &before));
  ZE_OK(zeCommandListAppendMemoryCopy(list, to.data(), from.data(), to.size(), first, 0, nullptr));
  ZE_OK(zeCommandListAppendWriteGlobalTimestamp(list, &written, nullptr, 0, nullptr));
  ZE_OK(zeCommandListAppendMemoryCopy(list, to.data(), from.data(), to.size(), second, 0, nullptr));
  ZE_OK(zeEventHostSynchronize(second, kForever));
  ZE_OK(zeDeviceGetGlobalTimestamps(dev, &host, &after));
  ze_kernel_timestamp_result_t one = times(first), two = times(second);
  EXPECT_LE(before, one.global.kernelStart);
  EXPECT_LT(one.global.kernelStart, one.global.kernelEnd);
  EXPECT_LE(one.global.kernelEnd, written);
  EXPECT_LE(written, two.global.kernelStart);
  EXPECT_LT(two.global.kernelStart, two.global.kernelEnd);
  EXPECT_LE(two.global.kernelEnd, after);
  EXPECT_EQ(one.global.kernelStart, one.context.kernelStart);
  // The same numbers, fetched by the device.
  ze_kernel_timestamp_result_t fetched[3] = {};
  ze_event_handle_t both[2] = {first, second};
  size_t offsets[2] = {2 * sizeof fetched[0], 0};
  auto done = event();
  ZE_OK(zeCommandListAppendQueryKernelTimestamps(list, 2, both, fetched, offsets, done, 0, nullptr));
  ZE_OK(zeEventHostSynchronize(done, kForever));
  EXPECT_EQ(two.global.kernelStart, fetched[0].global.kernelStart);
  EXPECT_EQ(one.global.kernelEnd, fetched[2].global.kernelEnd);
}

TEST_F(Events, DeviceTimeRunsLikeTheProperties) {
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
  ZE_OK(zeDeviceGetProperties(dev, &properties));
  uint64_t host[2], device[2];
  ZE_OK(zeDeviceGetGlobalTimestamps(dev, &host[0], &device[0]));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ZE_OK(zeDeviceGetGlobalTimestamps(dev, &host[1], &device[1]));
  double seconds = double(device[1] - device[0]) / double(properties.timerResolution);
  EXPECT_GE(seconds, 0.005);
  EXPECT_NEAR(seconds, double(host[1] - host[0]) * 1e-9, 1e-6);
}

TEST_F(Events, BadInput) {
  ze_event_pool_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, 0, 2};
  ze_event_pool_handle_t pool = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeEventPoolCreate(context, nullptr, 0, nullptr, &pool));
  desc.count = 0;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_SIZE, zeEventPoolCreate(context, &desc, 0, nullptr, &pool));
  desc.count = 2;
  ZE_OK(zeEventPoolCreate(context, &desc, 0, nullptr, &pool));
  ze_event_desc_t eventDesc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 2, 0, 0};
  ze_event_handle_t one = nullptr, other = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeEventCreate(pool, &eventDesc, &one));
  eventDesc.index = 1;
  ZE_OK(zeEventCreate(pool, &eventDesc, &one));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeEventCreate(pool, &eventDesc, &other)) << "the slot is taken";
  ze_kernel_timestamp_result_t result;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeEventQueryKernelTimestamp(one, &result)) << "a pool without times";
  auto list = immediate();
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_SIZE, zeCommandListAppendBarrier(list, nullptr, 1, nullptr));
  ZE_OK(zeEventDestroy(one));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeEventQueryStatus(one)) << "destroyed";
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeEventQueryStatus(nullptr));
  ZE_OK(zeEventPoolDestroy(pool));
}

// Commands keep what they need of events, so a worker may look at them after the application has destroyed everything.
TEST_F(Events, PoolsMayGoBeforeTheCommandsThatWaitForTheirEvents) {
  for (int round = 0; round < 2000; ++round) {
    ze_event_pool_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 2};
    ze_event_pool_handle_t pool = nullptr;
    ZE_OK(zeEventPoolCreate(context, &desc, 1, &dev, &pool));
    ze_event_handle_t gates[2] = {};
    for (uint32_t index = 0; index < 2; ++index) {
      ze_event_desc_t eventDesc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, index, 0, 0};
      ZE_OK(zeEventCreate(pool, &eventDesc, &gates[index]));
    }
    ze_command_queue_desc_t queueDesc{};
    queueDesc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
    ze_command_list_handle_t list = nullptr;
    ZE_OK(zeCommandListCreateImmediate(context, dev, &queueDesc, &list));
    ZE_OK(zeCommandListAppendBarrier(list, nullptr, 2, gates));
    ZE_OK(zeCommandListAppendEventReset(list, gates[0]));
    ZE_OK(zeCommandListAppendSignalEvent(list, gates[1]));
    for (ze_event_handle_t gate : gates)
      ZE_OK(zeEventHostSignal(gate));
    for (ze_event_handle_t gate : gates)
      ZE_OK(zeEventDestroy(gate));
    ZE_OK(zeCommandListDestroy(list));
    ZE_OK(zeEventPoolDestroy(pool));
  }
}

TEST_F(Events, EventsOutliveTheirPool) {
  for (ze_event_pool_flags_t flags : {0u, uint32_t{ZE_EVENT_POOL_FLAG_IPC}}) {
    ze_event_pool_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, flags | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP,
                              2};
    ze_event_pool_handle_t pool = nullptr;
    ZE_OK(zeEventPoolCreate(context, &desc, 0, nullptr, &pool));
    ze_event_desc_t eventDesc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 1, 0, ZE_EVENT_SCOPE_FLAG_HOST};
    ze_event_handle_t one = nullptr;
    ZE_OK(zeEventCreate(pool, &eventDesc, &one));
    auto list = immediate(), other = immediate();
    auto done = event();
    int source = 7, target = 0;
    ZE_OK(zeCommandListAppendMemoryCopy(list, &target, &source, sizeof source, done, 1, &one));
    ZE_OK(zeEventPoolDestroy(pool));
    EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventQueryStatus(one));
    ZE_OK(zeCommandListAppendSignalEvent(other, one));
    ZE_OK(zeEventHostSynchronize(one, kForever));
    ze_kernel_timestamp_result_t result{};
    ZE_OK(zeEventQueryKernelTimestamp(one, &result));
    EXPECT_NE(0u, result.global.kernelEnd);
    ZE_OK(zeEventDestroy(one));
    ZE_OK(zeEventHostSynchronize(done, kForever));
    EXPECT_EQ(7, target);
  }
}

// A command that still refers to the event before does not take the next one for it.
TEST_F(Events, AnIndexIsFreeWhileCommandsReferToItsLastEvent) {
  ze_event_pool_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1};
  ze_event_pool_handle_t pool = nullptr;
  ZE_OK(zeEventPoolCreate(context, &desc, 0, nullptr, &pool));
  ze_event_desc_t eventDesc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, 0, ZE_EVENT_SCOPE_FLAG_HOST};
  ze_event_handle_t before = nullptr, after = nullptr, gate = event();
  ZE_OK(zeEventCreate(pool, &eventDesc, &before));
  auto list = immediate();
  ZE_OK(zeCommandListAppendBarrier(list, before, 1, &gate));
  auto closed = regular();
  ZE_OK(zeCommandListAppendSignalEvent(closed, before));
  ZE_OK(zeCommandListClose(closed));
  ZE_OK(zeEventDestroy(before));
  ZE_OK(zeEventCreate(pool, &eventDesc, &after));
  ZE_OK(zeEventHostSignal(gate));
  auto work = queue(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  ZE_OK(zeCommandQueueExecuteCommandLists(work, 1, &closed, nullptr));
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventHostSynchronize(after, 5'000'000)) << "nobody signals this one";
  ZE_OK(zeEventDestroy(after));
  ZE_OK(zeEventPoolDestroy(pool));
}

TEST_F(Events, HostThreadsAndListsHandOverToEachOther) {
  // A ring of events through four threads, each with its own list; every step is one command and one host wait.
  constexpr int kThreads = 4, kRounds = 500;
  std::vector<ze_command_list_handle_t> lists;
  std::vector<ze_event_handle_t> turn;
  for (int index = 0; index < kThreads; ++index) {
    lists.push_back(immediate());
    turn.push_back(event());
  }
  int counter = 0;
  std::vector<std::thread> threads;
  for (int index = 0; index < kThreads; ++index)
    threads.emplace_back([&, index] {
      for (int round = 0; round < kRounds; ++round) {
        EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventHostSynchronize(turn[index], kForever));
        EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventHostReset(turn[index]));
        ++counter;
        EXPECT_EQ(ZE_RESULT_SUCCESS,
                  zeCommandListAppendBarrier(lists[index], turn[(index + 1) % kThreads], 0, nullptr));
      }
    });
  ZE_OK(zeEventHostSignal(turn[0]));
  for (std::thread &thread : threads)
    thread.join();
  // The last step has passed the turn on once more; the event must not go before it.
  ZE_OK(zeEventHostSynchronize(turn[0], kForever));
  EXPECT_EQ(kThreads * kRounds, counter);
}

} // namespace
