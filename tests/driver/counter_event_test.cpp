// SPDX-License-Identifier: MIT
// Counter-based events: they stand for the last command that was appended with them, and are never reset.
#include "cpu/ddi/later_types.h"
#include "later.h"

#include <thread>

using namespace hiplz::cpu::ddi;

namespace {

class CounterEvents : public LaterTest {
protected:
  void SetUp() override {
    LaterTest::SetUp();
    if (IsSkipped())
      return;
    const CounterPoolDesc counters{CounterPoolDesc::kType, nullptr, 1};
    ze_event_pool_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, &counters,
                              ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, 4};
    ZE_OK(zeEventPoolCreate(context, &desc, 1, &dev, &pool_));
    gate_ = event();
  }
  void TearDown() override {
    for (ze_event_handle_t made : made_)
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventDestroy(made));
    if (pool_)
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventPoolDestroy(pool_));
    LaterTest::TearDown();
  }
  /// An event of the pool.
  ze_event_handle_t counter() {
    ze_event_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, static_cast<uint32_t>(made_.size()), 0, 0};
    ze_event_handle_t made = nullptr;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventCreate(pool_, &desc, &made));
    made_.push_back(made);
    return made;
  }
  /// A command that ends when the gate is opened.
  void appendGated(ze_command_list_handle_t list, ze_event_handle_t signal) {
    ZE_OK(zeCommandListAppendBarrier(list, signal, 1, &gate_));
  }
  ze_event_handle_t gate_ = nullptr;

private:
  ze_event_pool_handle_t pool_ = nullptr;
  std::vector<ze_event_handle_t> made_;
};

TEST_F(CounterEvents, AreReadyBeforeTheirFirstCommand) {
  ze_event_handle_t event = counter();
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventQueryStatus(event));
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventHostSynchronize(event, 0));
  auto list = immediate();
  ZE_OK(zeCommandListAppendWaitOnEvents(list, 1, &event));
  ZE_OK(call("zeCommandListHostSynchronize", list, kForever));
}

TEST_F(CounterEvents, StandForTheirLastCommandWithoutAReset) {
  ze_event_handle_t event = counter();
  auto list = immediate();
  ZE_OK(zeCommandListAppendBarrier(list, event, 0, nullptr));
  ZE_OK(zeEventHostSynchronize(event, kForever));
  for (int round = 0; round < 3; ++round) {
    ZE_OK(zeEventHostReset(gate_));
    appendGated(list, event);
    EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventQueryStatus(event));
    EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventHostSynchronize(event, 0));
    ze_kernel_timestamp_result_t times{};
    EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventQueryKernelTimestamp(event, &times));
    ZE_OK(zeEventHostSignal(gate_));
    ZE_OK(zeEventHostSynchronize(event, kForever));
    ZE_OK(zeEventQueryKernelTimestamp(event, &times));
    EXPECT_GE(times.global.kernelEnd, times.global.kernelStart);
  }
}

// Who waits for the command before is not disturbed by the next one, although it is the same event.
TEST_F(CounterEvents, AWaitIsForTheCommandThatWasAppendedBefore) {
  ze_event_handle_t event = counter();
  auto first = immediate(), second = immediate(), waiting = immediate();
  int *value = static_cast<int *>(allocate(sizeof(int)));
  const int one = 1, two = 2;
  ZE_OK(zeCommandListAppendMemoryCopy(first, value, &one, sizeof one, event, 0, nullptr));
  ZE_OK(zeCommandListAppendMemoryCopy(waiting, value, &two, sizeof two, nullptr, 1, &event));
  appendGated(second, event); // does not end
  ZE_OK(call("zeCommandListHostSynchronize", waiting, kForever));
  EXPECT_EQ(2, *value);
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventQueryStatus(event));
  ZE_OK(zeEventHostSignal(gate_));
  ZE_OK(zeEventHostSynchronize(event, kForever));
}

TEST_F(CounterEvents, ARefusedAppendChangesNothing) {
  ze_event_handle_t event = counter();
  auto list = immediate();
  EXPECT_NE(ZE_RESULT_SUCCESS, zeCommandListAppendMemoryCopy(list, nullptr, nullptr, 4, event, 0, nullptr));
  const int32_t value = 3;
  char target[8];
  EXPECT_NE(ZE_RESULT_SUCCESS, zeCommandListAppendMemoryFill(list, target, &value, 3, 3, event, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventQueryStatus(event));
}

TEST_F(CounterEvents, MayBeDestroyedWhileCommandsReferToThem) {
  auto first = immediate(), second = immediate();
  const CounterEventDesc desc{structureType(0x2003a), nullptr, 0, 0, 0};
  for (int round = 0; round < 8; ++round) {
    ze_event_handle_t event = nullptr;
    ZE_OK(call("zeEventCounterBasedCreate", context, dev, &desc, &event));
    appendGated(first, event);
    ZE_OK(zeCommandListAppendBarrier(second, nullptr, 1, &event));
    ZE_OK(zeEventDestroy(event));
  }
  ZE_OK(zeEventHostSignal(gate_));
  ZE_OK(call("zeCommandListHostSynchronize", first, kForever));
  ZE_OK(call("zeCommandListHostSynchronize", second, kForever));
}

// Each execution of a list that signals the event makes it wait again.
TEST_F(CounterEvents, OfRegularListsFollowEachExecution) {
  ze_event_handle_t event = counter(), after = counter();
  auto list = regular();
  auto commands = queue();
  appendGated(list, event);
  ZE_OK(zeCommandListAppendBarrier(list, after, 1, &event));
  ZE_OK(zeCommandListClose(list));
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventQueryStatus(event)) << "appended, not executed";
  for (int round = 0; round < 3; ++round) {
    ZE_OK(zeEventHostReset(gate_));
    ZE_OK(zeCommandQueueExecuteCommandLists(commands, 1, &list, nullptr));
    ZE_OK(zeCommandQueueExecuteCommandLists(commands, 1, &list, nullptr));
    EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventQueryStatus(event));
    ZE_OK(zeEventHostSignal(gate_));
    ZE_OK(zeEventHostSynchronize(after, kForever));
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventQueryStatus(event));
    ZE_OK(zeCommandQueueSynchronize(commands, kForever));
  }
  ZE_OK(zeCommandListReset(list)); // lets go of the states
}

TEST_F(CounterEvents, AreNeitherResetNorSignalledByHand) {
  ze_event_handle_t event = counter();
  auto list = immediate();
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeEventHostReset(event));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeEventHostSignal(event));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeCommandListAppendEventReset(list, event));
}

TEST_F(CounterEvents, AreCreatedWithoutAPool) {
  CounterEventDesc desc{structureType(0x2003a), nullptr, 0x4 | 0x20, ZE_EVENT_SCOPE_FLAG_HOST, 0};
  ze_event_handle_t event = nullptr;
  ZE_OK(call("zeEventCounterBasedCreate", context, dev, &desc, &event));
  auto list = immediate();
  ZE_OK(zeCommandListAppendSignalEvent(list, event));
  ZE_OK(zeEventHostSynchronize(event, kForever));
  ze_kernel_timestamp_result_t times{};
  ZE_OK(zeEventQueryKernelTimestamp(event, &times));
  EXPECT_GT(times.global.kernelEnd, 0u);
  EXPECT_EQ(0x24u, valueOf<uint32_t>("zeEventGetCounterBasedFlags", event));
  EXPECT_EQ(0u, valueOf<uint32_t>("zeEventGetCounterBasedFlags", gate_));
  ze_event_pool_handle_t pool = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, call("zeEventGetEventPool", event, &pool));
  ZE_OK(zeEventDestroy(event));
}

TEST_F(CounterEvents, CreationIsChecked) {
  auto create = [&](CounterEventDesc desc) {
    desc.stype = structureType(0x2003a);
    ze_event_handle_t event = nullptr;
    const ze_result_t result = call("zeEventCounterBasedCreate", context, dev, &desc, &event);
    EXPECT_EQ(result == ZE_RESULT_SUCCESS, event != nullptr);
    return result;
  };
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, create({{}, nullptr, 0x80, 0, 0}));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, create({{}, nullptr, 0, 8, 0}));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, create({{}, nullptr, 0, 0, 8}));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, create({{}, nullptr, 0x30, 0, 0})) << "both kinds of timestamps";
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, create({{}, nullptr, 0x8, 0, 0})) << "IPC";
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, create({{}, nullptr, 0x40, 0, 0})) << "graphs";
  for (ze_structure_type_t external : CounterEventDesc::kExternal) {
    const ze_event_desc_t memory{external, nullptr, 0, 0, 0};
    EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, create({{}, &memory, 0, 0, 0}));
  }
  CounterEventDesc desc{structureType(0x2003a), nullptr, 0, 0, 0};
  ze_event_handle_t event = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
            call("zeEventCounterBasedCreate", ze_context_handle_t{}, dev, &desc, &event));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
            call("zeEventCounterBasedCreate", context, ze_device_handle_t{}, &desc, &event));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER,
            call("zeEventCounterBasedCreate", context, dev, static_cast<CounterEventDesc *>(nullptr), &event));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER,
            call("zeEventCounterBasedCreate", context, dev, &desc, static_cast<ze_event_handle_t *>(nullptr)));
  EventProperties events{EventProperties::kType, nullptr, 77};
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  properties.pNext = &events;
  ZE_OK(zeDeviceGetProperties(dev, &properties));
  EXPECT_EQ(0u, events.flags) << "what is refused is said by the query";

  CounterPoolDesc counters{CounterPoolDesc::kType, nullptr, 4};
  ze_event_pool_desc_t poolDesc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, &counters, 0, 1};
  ze_event_pool_handle_t pool = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, zeEventPoolCreate(context, &poolDesc, 1, &dev, &pool));
  counters.flags = 0;
  poolDesc.flags = ZE_EVENT_POOL_FLAG_IPC;
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, zeEventPoolCreate(context, &poolDesc, 1, &dev, &pool));
}

// Each list waits for the one before by the event that it signals itself, so the last signal is behind all that was appended.
TEST_F(CounterEvents, AreHandedOnFromListToList) {
  constexpr int kLists = 4, kLaunches = 100;
  constexpr uint32_t kItems = 16;
  ze_event_handle_t event = counter();
  ze_command_list_handle_t lists[kLists];
  for (auto &list : lists)
    list = immediate();
  auto add = kernel("add_one", 1);
  const ze_group_count_t groups{kItems, 1, 1};
  auto *values = static_cast<int *>(allocate(kLists * kItems * sizeof(int)));
  for (int round = 1; round <= 20; ++round) {
    for (int n = 0; n < kLists; ++n) {
      int *own = values + n * kItems;
      setArguments(add, own, kItems);
      for (int i = 1; i < kLaunches; ++i)
        ZE_OK(zeCommandListAppendLaunchKernel(lists[n], add, &groups, nullptr, 0, nullptr));
      ZE_OK(zeCommandListAppendLaunchKernel(lists[n], add, &groups, event, n > 0, n > 0 ? &event : nullptr));
    }
    ZE_OK(zeEventHostSynchronize(event, kForever));
    for (int n = 0; n < kLists; ++n)
      for (uint32_t i = 0; i < kItems; ++i)
        ASSERT_EQ(round * kLaunches, values[n * kItems + i]) << n << " " << round;
  }
}

// One event, signalled and awaited by lists of several threads: every wait ends.
TEST_F(CounterEvents, AreUsedByManyThreads) {
  ze_event_handle_t event = counter();
  ze_command_list_handle_t lists[4];
  for (auto &list : lists)
    list = immediate();
  std::vector<std::thread> threads;
  for (ze_command_list_handle_t list : lists)
    threads.emplace_back([&, list] {
      for (int step = 0; step < 200; ++step) {
        EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandListAppendBarrier(list, event, 1, &event));
        if (step % 10 == 0)
          EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventHostSynchronize(event, kForever));
      }
      EXPECT_EQ(ZE_RESULT_SUCCESS, call("zeCommandListHostSynchronize", list, kForever));
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventHostSynchronize(event, kForever));
}

} // namespace
