// SPDX-License-Identifier: MIT
// Events that several processes see.
#include "child.h"
#include "support.h"

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <thread>

namespace {

uint64_t processorNanoseconds() {
  timespec time;
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

constexpr ze_event_pool_flags_t kFlags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_IPC;

/// A pool and the same pool opened; the two ends work alike whether they are in one process or in two.
class IpcEvents : public DriverTest {
protected:
  void SetUp() override {
    DriverTest::SetUp();
    ze_event_pool_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, kFlags | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP,
                              4};
    ZE_OK(zeEventPoolCreate(context, &desc, 1, &dev, &pool));
    ZE_OK(zeEventPoolGetIpcHandle(pool, &handle));
    ZE_OK(zeEventPoolOpenIpcHandle(context, handle, &opened));
  }
  void TearDown() override {
    for (ze_event_handle_t event : events)
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventDestroy(event));
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventPoolCloseIpcHandle(opened));
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventPoolDestroy(pool));
    DriverTest::TearDown();
  }
  ze_event_handle_t eventOf(ze_event_pool_handle_t from, uint32_t index) {
    ze_event_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, index, 0, ZE_EVENT_SCOPE_FLAG_HOST};
    ze_event_handle_t event = nullptr;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventCreate(from, &desc, &event));
    events.push_back(event);
    return event;
  }
  ze_event_pool_handle_t pool = nullptr, opened = nullptr;
  ze_ipc_event_pool_handle_t handle{};
  std::vector<ze_event_handle_t> events;
};

TEST_F(IpcEvents, BothEndsSeeTheSameState) {
  auto mine = eventOf(pool, 1);
  ZE_OK(zeEventHostSignal(mine));
  auto theirs = eventOf(opened, 1);
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventQueryStatus(theirs)) << "as it is, not reset by being opened";
  ZE_OK(zeEventHostReset(theirs));
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventQueryStatus(mine));
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventHostSynchronize(mine, 1000));
  auto list = immediate();
  ZE_OK(zeCommandListAppendSignalEvent(list, theirs));
  ZE_OK(zeEventHostSynchronize(mine, kForever));
  ze_kernel_timestamp_result_t first{}, second{};
  ZE_OK(zeEventQueryKernelTimestamp(mine, &first));
  ZE_OK(zeEventQueryKernelTimestamp(theirs, &second));
  EXPECT_NE(0u, first.global.kernelEnd);
  EXPECT_EQ(first.global.kernelEnd, second.global.kernelEnd);
  auto other = eventOf(opened, 2);
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventQueryStatus(other)) << "another event of the pool";
}

TEST_F(IpcEvents, StreamsWaitWithoutProcessorTime) {
  auto mine = eventOf(pool, 0), theirs = eventOf(opened, 0);
  std::vector<ze_command_list_handle_t> lists;
  int source = 5, targets[3] = {};
  ze_event_handle_t done[3] = {event(), event(), event()};
  for (int index = 0; index < 3; ++index) {
    lists.push_back(immediate());
    ZE_OK(zeCommandListAppendMemoryCopy(lists[index], &targets[index], &source, sizeof source, done[index], 1,
                                        index < 2 ? &theirs : &mine));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  uint64_t before = processorNanoseconds();
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventHostSynchronize(theirs, 150'000'000));
  EXPECT_LT(processorNanoseconds() - before, 75'000'000u) << "somebody polls";
  EXPECT_EQ(0, targets[0] + targets[1] + targets[2]);
  ZE_OK(zeEventHostSignal(mine));
  for (int index = 0; index < 3; ++index) {
    ZE_OK(zeEventHostSynchronize(done[index], kForever));
    EXPECT_EQ(5, targets[index]);
  }
}

// A signal counts for those that wait at that time, whatever happens to the event afterwards.
TEST_F(IpcEvents, ASignalThatIsResetAtOnceIsNotMissed) {
  auto mine = eventOf(pool, 0), theirs = eventOf(opened, 0);
  auto list = immediate();
  for (int round = 0; round < 200; ++round) {
    auto done = round % 2 ? event() : nullptr;
    ZE_OK(zeCommandListAppendBarrier(list, done, 1, &theirs));
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    // The list may not have begun to wait yet: signals go on until it is through.
    do {
      ZE_OK(zeEventHostSignal(mine));
      ZE_OK(zeEventHostReset(mine));
    } while (done && zeEventHostSynchronize(done, 2'000'000) != ZE_RESULT_SUCCESS);
  }
  ZE_OK(zeEventHostSignal(mine)); // for barriers of even rounds, if the last has not been reached
  auto last = event();
  ZE_OK(zeCommandListAppendSignalEvent(list, last));
  ZE_OK(zeEventHostSynchronize(last, kForever));
}

TEST_F(IpcEvents, TwoProcessesTakeTurns) {
  constexpr int kRounds = 100;
  auto ping = eventOf(pool, 0), pong = eventOf(pool, 1), ready = eventOf(pool, 2);
  auto *counter = device<int>(1);
  *counter = 0;
  ze_ipc_mem_handle_t memory{};
  ZE_OK(zeMemGetIpcHandle(context, counter, &memory));
  ChildResult child;
  std::thread parent([&] {
    child =
        runChild("ipcEvents", {"HIPLZ_TEST_POOL=" + handleToText(handle), "HIPLZ_TEST_HANDLE=" + handleToText(memory),
                               "HIPLZ_TEST_ROUNDS=" + std::to_string(kRounds)});
  });
  auto list = immediate();
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventHostSynchronize(ready, 9'000'000'000));
  // The child's list counts between ping and pong, this one notes what it sees.
  int seen[kRounds] = {};
  for (int round = 0; round < kRounds; ++round) {
    ZE_OK(zeCommandListAppendSignalEvent(list, ping));
    ZE_OK(zeCommandListAppendWaitOnEvents(list, 1, &pong));
    ZE_OK(zeCommandListAppendEventReset(list, pong));
    ZE_OK(zeCommandListAppendMemoryCopy(list, &seen[round], counter, sizeof(int), nullptr, 0, nullptr));
  }
  auto done = event();
  ZE_OK(zeCommandListAppendSignalEvent(list, done));
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventHostSynchronize(done, 9'000'000'000));
  parent.join();
  EXPECT_EQ(0, child.exitCode) << child.output;
  for (int round = 0; round < kRounds; ++round)
    EXPECT_EQ(round + 1, seen[round]);
}

TEST_F(IpcEvents, BadRequestsGetTheirErrors) {
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeEventPoolDestroy(opened)) << "it is closed";
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeEventPoolCloseIpcHandle(pool)) << "it is destroyed";
  ze_ipc_event_pool_handle_t other{};
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeEventPoolGetIpcHandle(opened, &other));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeEventPoolGetIpcHandle(pool, nullptr));
  ze_event_pool_handle_t none = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeEventPoolOpenIpcHandle(context, other, &none));
  auto *memory = device<char>(64);
  ze_ipc_mem_handle_t memoryHandle{};
  ZE_OK(zeMemGetIpcHandle(context, memory, &memoryHandle));
  std::memcpy(other.data, memoryHandle.data, sizeof other.data);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeEventPoolOpenIpcHandle(context, other, &none)) << "of memory";
  ze_event_pool_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 4};
  ze_event_pool_handle_t ordinary = nullptr;
  ZE_OK(zeEventPoolCreate(context, &desc, 1, &dev, &ordinary));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeEventPoolGetIpcHandle(ordinary, &other));
  ZE_OK(zeEventPoolDestroy(ordinary));
  desc.flags = kFlags;
  ZE_OK(zeEventPoolCreate(context, &desc, 1, &dev, &ordinary));
  ZE_OK(zeEventPoolGetIpcHandle(ordinary, &other));
  ZE_OK(zeEventPoolDestroy(ordinary));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeEventPoolOpenIpcHandle(context, other, &none)) << "of a dead pool";
  ze_event_desc_t eventDesc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 4, 0, 0};
  ze_event_handle_t event = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeEventCreate(opened, &eventDesc, &event)) << "beyond the pool";
}

// The memory of a pool describes itself, and another process has written that.
TEST_F(IpcEvents, ForgedHandlesOpenNothing) {
  ze_event_pool_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, kFlags, 4};
  ze_event_pool_handle_t own = nullptr, none = nullptr;
  ZE_OK(zeEventPoolCreate(context, &desc, 1, &dev, &own));
  ze_ipc_event_pool_handle_t genuine{};
  ZE_OK(zeEventPoolGetIpcHandle(own, &genuine));
  uint64_t size = 0;
  constexpr size_t kSizeAt = 24;
  std::memcpy(&size, genuine.data + kSizeAt, sizeof size);
  for (uint64_t wrong : {uint64_t{0}, uint64_t{1}, size - 1, size + 1, size / 2, ~uint64_t{0}}) {
    ze_ipc_event_pool_handle_t forged = genuine;
    std::memcpy(forged.data + kSizeAt, &wrong, sizeof wrong);
    EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeEventPoolOpenIpcHandle(context, forged, &none)) << wrong;
  }
  ZE_OK(zeEventPoolOpenIpcHandle(context, genuine, &none));
  ZE_OK(zeEventPoolCloseIpcHandle(none));
  ZE_OK(zeEventPoolDestroy(own));
}

} // namespace

/// Takes turns with its parent: after each ping adds one to the shared counter by commands of a list, then signals pong.
int ipcEventsChild() {
  const auto [driver, device, context, ok] = ChildDevice();
  const char *pool = std::getenv("HIPLZ_TEST_POOL"), *memory = std::getenv("HIPLZ_TEST_HANDLE"),
             *rounds = std::getenv("HIPLZ_TEST_ROUNDS");
  if (!pool || !memory || !rounds || !ok)
    return 1;
  ze_event_pool_handle_t events = nullptr;
  void *opened = nullptr;
  if (zeEventPoolOpenIpcHandle(context, handleFromText<ze_ipc_event_pool_handle_t>(pool), &events) !=
          ZE_RESULT_SUCCESS ||
      zeMemOpenIpcHandle(context, device, handleFromText<ze_ipc_mem_handle_t>(memory), 0, &opened) != ZE_RESULT_SUCCESS)
    return 2;
  ze_event_handle_t event[3] = {};
  for (uint32_t index = 0; index < 3; ++index) {
    ze_event_desc_t eventDesc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, index, 0, 0};
    if (zeEventCreate(events, &eventDesc, &event[index]) != ZE_RESULT_SUCCESS)
      return 3;
  }
  ze_command_queue_desc_t queueDesc{};
  queueDesc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  queueDesc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  ze_command_list_handle_t list = nullptr;
  zeCommandListCreateImmediate(context, device, &queueDesc, &list);
  if (zeEventHostSignal(event[2]) != ZE_RESULT_SUCCESS)
    return 4;
  auto *counter = static_cast<int *>(opened);
  int count = std::atoi(rounds), values[100];
  for (int round = 0; round < count; ++round) {
    values[round] = round + 1;
    zeCommandListAppendWaitOnEvents(list, 1, &event[0]);
    zeCommandListAppendEventReset(list, event[0]);
    zeCommandListAppendMemoryCopy(list, counter, &values[round], sizeof(int), nullptr, 0, nullptr);
    if (round + 1 < count)
      zeCommandListAppendSignalEvent(list, event[1]);
    else
      zeCommandListAppendBarrier(list, event[1], 0, nullptr);
  }
  // The last pong ends the parent's list, so it is seen by the parent; this process waits for its own list.
  ze_event_pool_desc_t ownDesc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1};
  ze_event_pool_handle_t own = nullptr;
  ze_event_handle_t end = nullptr;
  ze_event_desc_t endDesc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, 0, 0};
  if (zeEventPoolCreate(context, &ownDesc, 0, nullptr, &own) != ZE_RESULT_SUCCESS ||
      zeEventCreate(own, &endDesc, &end) != ZE_RESULT_SUCCESS)
    return 5;
  zeCommandListAppendSignalEvent(list, end);
  if (zeEventHostSynchronize(end, kForever) != ZE_RESULT_SUCCESS)
    return 6;
  for (ze_event_handle_t each : event)
    zeEventDestroy(each);
  return zeEventPoolCloseIpcHandle(events) == ZE_RESULT_SUCCESS ? 0 : 7;
}
