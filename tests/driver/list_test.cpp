// SPDX-License-Identifier: MIT
// Command lists, queues and fences: life cycle, order, re-execution, concurrency.
#include "support.h"

#include <thread>

namespace {

class Lists : public DriverTest {
protected:
  using HostSynchronize = ze_result_t (*)(ze_command_list_handle_t, uint64_t);
};

TEST_F(Lists, RegularListsExecuteManyTimes) {
  auto list = regular();
  auto commands = queue();
  std::vector<int> values(1001, 0);
  values[0] = 7;
  // Each execution moves everything one place on, so order within the list and between executions shows.
  for (int index = 1000; index > 0; --index)
    ZE_OK(zeCommandListAppendMemoryCopy(list, &values[index], &values[index - 1], sizeof(int), nullptr, 0, nullptr));
  ZE_OK(zeCommandListClose(list));
  for (int round = 0; round < 500; ++round)
    ZE_OK(zeCommandQueueExecuteCommandLists(commands, 1, &list, nullptr));
  ZE_OK(zeCommandQueueSynchronize(commands, kForever));
  EXPECT_EQ(7, values[500]);
  EXPECT_EQ(0, values[501]);
}

TEST_F(Lists, SeveralListsAtOnceInTheirOrder) {
  auto commands = queue();
  int values[4] = {9};
  ze_command_list_handle_t lists[3];
  for (int index = 0; index < 3; ++index) {
    lists[index] = regular();
    ZE_OK(zeCommandListAppendMemoryCopy(lists[index], &values[index + 1], &values[index], sizeof(int), nullptr, 0,
                                        nullptr));
    ZE_OK(zeCommandListClose(lists[index]));
  }
  auto done = fence(commands);
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeFenceQueryStatus(done));
  ZE_OK(zeCommandQueueExecuteCommandLists(commands, 3, lists, done));
  ZE_OK(zeFenceHostSynchronize(done, kForever));
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeFenceQueryStatus(done));
  EXPECT_EQ(9, values[3]);
  ZE_OK(zeFenceReset(done));
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeFenceHostSynchronize(done, 1000));
  ZE_OK(zeCommandQueueExecuteCommandLists(commands, 3, lists, done));
  ZE_OK(zeFenceHostSynchronize(done, kForever));
}

TEST_F(Lists, EmptyListsSignalTheirFence) {
  auto commands = queue();
  auto list = regular();
  ZE_OK(zeCommandListClose(list));
  auto done = fence(commands);
  ZE_OK(zeCommandQueueExecuteCommandLists(commands, 1, &list, done));
  ZE_OK(zeFenceHostSynchronize(done, kForever));
  ze_fence_desc_t desc{ZE_STRUCTURE_TYPE_FENCE_DESC, nullptr, ZE_FENCE_FLAG_SIGNALED};
  ze_fence_handle_t signalled = nullptr;
  ZE_OK(zeFenceCreate(commands, &desc, &signalled));
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeFenceQueryStatus(signalled));
  ZE_OK(zeFenceDestroy(signalled));
}

// Programs know from an event that the work is done, and destroy the fence of the same submission, which is signalled a moment later.
TEST_F(Lists, AFenceMayBeDestroyedBeforeItIsSignalled) {
  auto commands = queue();
  auto list = regular();
  auto gate = event();
  ZE_OK(zeCommandListAppendWaitOnEvents(list, 1, &gate));
  ZE_OK(zeCommandListClose(list));
  ze_fence_desc_t desc{ZE_STRUCTURE_TYPE_FENCE_DESC, nullptr, 0};
  ze_fence_handle_t done = nullptr;
  ZE_OK(zeFenceCreate(commands, &desc, &done));
  ZE_OK(zeCommandQueueExecuteCommandLists(commands, 1, &list, done));
  ZE_OK(zeFenceDestroy(done));
  std::vector<ze_fence_handle_t> others; // where the first one was
  for (int index = 0; index < 64; ++index)
    others.push_back(fence(commands));
  ZE_OK(zeEventHostSignal(gate));
  ZE_OK(zeCommandQueueSynchronize(commands, kForever));
  for (ze_fence_handle_t other : others)
    EXPECT_EQ(ZE_RESULT_NOT_READY, zeFenceQueryStatus(other));
}

TEST_F(Lists, ResetMakesAListNewEvenWhileItsExecutionIsPending) {
  auto commands = queue();
  auto list = regular();
  auto gate = event();
  int one = 1, two = 2, target = 0, other = 0;
  ZE_OK(zeCommandListAppendMemoryCopy(list, &target, &one, sizeof(int), nullptr, 1, &gate));
  ZE_OK(zeCommandListClose(list));
  ZE_OK(zeCommandQueueExecuteCommandLists(commands, 1, &list, nullptr));
  ZE_OK(zeCommandListReset(list));
  ZE_OK(zeCommandListAppendMemoryCopy(list, &other, &two, sizeof(int), nullptr, 0, nullptr));
  ZE_OK(zeCommandListClose(list));
  ZE_OK(zeCommandQueueExecuteCommandLists(commands, 1, &list, nullptr));
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeCommandQueueSynchronize(commands, 1'000'000));
  ZE_OK(zeEventHostSignal(gate));
  ZE_OK(zeCommandQueueSynchronize(commands, kForever));
  EXPECT_EQ(1, target);
  EXPECT_EQ(2, other);
}

TEST_F(Lists, SynchronousModesReturnWhenDone) {
  int source = 1, target = 0;
  ZE_OK(zeCommandListAppendMemoryCopy(immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS), &target, &source, sizeof(int),
                                      nullptr, 0, nullptr));
  EXPECT_EQ(1, target);
  auto list = regular();
  source = 2;
  ZE_OK(zeCommandListAppendMemoryCopy(list, &target, &source, sizeof(int), nullptr, 0, nullptr));
  ZE_OK(zeCommandListClose(list));
  EXPECT_EQ(1, target);
  ZE_OK(zeCommandQueueExecuteCommandLists(queue(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS), 1, &list, nullptr));
  EXPECT_EQ(2, target);
}

TEST_F(Lists, TheSameEventsInEveryExecution) {
  // The list resets the event that it signals, so that each execution can be waited for.
  auto commands = queue();
  auto list = regular();
  auto done = event();
  int zero = 0, value = 0;
  std::vector<char> from(100000, 3), to(100000);
  ZE_OK(zeCommandListAppendMemoryCopy(list, &value, &zero, sizeof value, nullptr, 0, nullptr));
  ZE_OK(zeCommandListAppendMemoryCopy(list, to.data(), from.data(), to.size(), done, 0, nullptr));
  ZE_OK(zeCommandListClose(list));
  for (int round = 0; round < 100; ++round) {
    std::fill(to.begin(), to.end(), 0);
    ZE_OK(zeCommandQueueExecuteCommandLists(commands, 1, &list, nullptr));
    ZE_OK(zeEventHostSynchronize(done, kForever));
    EXPECT_EQ(from, to);
    ZE_OK(zeEventHostReset(done));
  }
}

TEST_F(Lists, RangesBarrierAndBarrierOrder) {
  auto list = immediate();
  int values[3] = {5};
  size_t size = sizeof(int);
  const void *range = &values[1];
  auto copied = event(), done = event();
  ZE_OK(zeCommandListAppendMemoryCopy(list, &values[1], &values[0], sizeof(int), copied, 0, nullptr));
  ZE_OK(zeCommandListAppendMemoryRangesBarrier(list, 1, &size, &range, nullptr, 1, &copied));
  ZE_OK(zeCommandListAppendMemoryCopy(list, &values[2], &values[1], sizeof(int), nullptr, 0, nullptr));
  ZE_OK(zeCommandListAppendBarrier(list, done, 0, nullptr));
  ZE_OK(zeEventHostSynchronize(done, kForever));
  EXPECT_EQ(5, values[2]);
}

TEST_F(Lists, LongListsAndManyWaits) {
  // More records than a chunk of memory holds, and one record that is larger than a chunk.
  auto list = immediate();
  auto gate = event(), done = event();
  std::vector<ze_event_handle_t> waits(9000, gate);
  int value = 0;
  std::vector<int> sources(5000);
  ZE_OK(zeCommandListAppendBarrier(list, nullptr, 1, &gate));
  for (int index = 0; index < 5000; ++index) {
    sources[index] = index;
    ZE_OK(zeCommandListAppendMemoryCopy(list, &value, &sources[index], sizeof(int), nullptr, 0, nullptr));
  }
  ZE_OK(zeCommandListAppendBarrier(list, done, 9000, waits.data()));
  EXPECT_EQ(0, value);
  ZE_OK(zeEventHostSignal(gate));
  ZE_OK(zeEventHostSynchronize(done, kForever));
  EXPECT_EQ(4999, value);
}

TEST_F(Lists, DestroyingAListLeavesItsCommandsAlone) {
  auto gate = event(), done = event();
  ze_command_queue_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  ze_command_list_handle_t list = nullptr;
  int source = 8, target = 0;
  ZE_OK(zeCommandListCreateImmediate(context, dev, &desc, &list));
  ZE_OK(zeCommandListAppendMemoryCopy(list, &target, &source, sizeof(int), done, 1, &gate));
  ZE_OK(zeCommandListDestroy(list));
  ZE_OK(zeEventHostSignal(gate));
  ZE_OK(zeEventHostSynchronize(done, kForever));
  EXPECT_EQ(8, target);
}

TEST_F(Lists, ListsMayBeDestroyedRightAfterTheAppend) {
  // The second command is appended at the moment at which the thread that executed the first one finds nothing more to
  // do, and the list is destroyed at once: the command must be executed all the same.
  auto first = event(), second = event();
  for (int round = 0; round < 20000; ++round) {
    ze_command_queue_desc_t desc{};
    desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
    desc.mode = round % 8 ? ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS : ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
    ze_command_list_handle_t list = nullptr;
    ZE_OK(zeCommandListCreateImmediate(context, dev, &desc, &list));
    ZE_OK(zeCommandListAppendBarrier(list, first, 0, nullptr));
    while (zeEventQueryStatus(first) == ZE_RESULT_NOT_READY)
      ;
    ZE_OK(zeCommandListAppendBarrier(list, second, 0, nullptr));
    ZE_OK(zeCommandListDestroy(list));
    ASSERT_EQ(ZE_RESULT_SUCCESS, zeEventHostSynchronize(second, 5'000'000'000)) << "lost in round " << round;
    ZE_OK(zeEventHostReset(first));
    ZE_OK(zeEventHostReset(second));
  }
}

TEST_F(Lists, QueuesTakeListsFromSeveralThreads) {
  auto commands = queue();
  constexpr int kThreads = 4, kRounds = 300;
  std::vector<int> values(kThreads * 2, 0);
  std::vector<ze_command_list_handle_t> lists;
  for (int index = 0; index < kThreads; ++index) {
    values[index * 2] = index + 1;
    lists.push_back(regular());
    ZE_OK(zeCommandListAppendMemoryCopy(lists[index], &values[index * 2 + 1], &values[index * 2], sizeof(int), nullptr,
                                        0, nullptr));
    ZE_OK(zeCommandListClose(lists[index]));
  }
  std::vector<std::thread> threads;
  for (int index = 0; index < kThreads; ++index)
    threads.emplace_back([&, index] {
      for (int round = 0; round < kRounds; ++round) {
        EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandQueueExecuteCommandLists(commands, 1, &lists[index], nullptr));
        if (round % 16 == 0)
          EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandQueueSynchronize(commands, kForever));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  ZE_OK(zeCommandQueueSynchronize(commands, kForever));
  for (int index = 0; index < kThreads; ++index)
    EXPECT_EQ(index + 1, values[index * 2 + 1]);
}

TEST_F(Lists, FunctionsOfLaterVersions) {
  if (handlesAreWrapped())
    GTEST_SKIP() << "the validation layer wraps handles";
  auto synchronize = extension<HostSynchronize>("zeCommandListHostSynchronize");
  auto appendLists =
      extension<ze_result_t (*)(ze_command_list_handle_t, uint32_t, ze_command_list_handle_t *, ze_event_handle_t,
                                uint32_t, ze_event_handle_t *)>("zeCommandListImmediateAppendCommandListsExp");
  auto list = immediate();
  auto recorded = regular();
  auto gate = event(), done = event();
  int source = 3, target = 0;
  ZE_OK(zeCommandListAppendMemoryCopy(recorded, &target, &source, sizeof(int), nullptr, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, appendLists(list, 1, &recorded, nullptr, 0, nullptr)) << "not closed";
  ZE_OK(zeCommandListClose(recorded));
  ZE_OK(appendLists(list, 1, &recorded, done, 1, &gate));
  EXPECT_EQ(ZE_RESULT_NOT_READY, synchronize(list, 1'000'000));
  ZE_OK(zeEventHostSignal(gate));
  ZE_OK(synchronize(list, kForever));
  EXPECT_EQ(3, target);
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventQueryStatus(done));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, synchronize(recorded, 0)) << "only immediate lists";
}

// A graph as a runtime builds it: one closed list for each branch on an immediate list of its own, joined by events that the
// joining list resets, so that the same lists can be submitted again.
TEST_F(Lists, ClosedListsOnSeveralImmediateListsMakeAGraph) {
  if (handlesAreWrapped())
    GTEST_SKIP() << "extension functions take the driver's own handles";
  using Append = ze_result_t (*)(ze_command_list_handle_t, uint32_t, ze_command_list_handle_t *, ze_event_handle_t,
                                 uint32_t, ze_event_handle_t *);
  auto appendLists = extension<Append>("zeCommandListImmediateAppendCommandListsExp");
  auto synchronize = extension<HostSynchronize>("zeCommandListHostSynchronize");
  constexpr int kBranches = 3;
  auto main = immediate();
  auto fork = event();
  auto first = regular(), last = regular();
  ze_command_list_handle_t lists[kBranches], branches[kBranches];
  ze_event_handle_t ends[kBranches];
  int input = 0, copies[kBranches] = {}, results[kBranches] = {};
  ZE_OK(zeCommandListAppendBarrier(first, fork, 0, nullptr));
  ZE_OK(zeCommandListClose(first));
  for (int index = 0; index < kBranches; ++index) {
    lists[index] = immediate();
    branches[index] = regular();
    ends[index] = event();
    ZE_OK(zeCommandListAppendMemoryCopy(branches[index], &copies[index], &input, sizeof(int), nullptr, 1, &fork));
    ZE_OK(zeCommandListAppendBarrier(branches[index], ends[index], 0, nullptr));
    ZE_OK(zeCommandListClose(branches[index]));
  }
  ZE_OK(zeCommandListAppendWaitOnEvents(last, kBranches, ends));
  ZE_OK(zeCommandListAppendMemoryCopy(last, results, copies, sizeof copies, nullptr, 0, nullptr));
  ZE_OK(zeCommandListAppendEventReset(last, fork));
  for (auto end : ends)
    ZE_OK(zeCommandListAppendEventReset(last, end));
  ZE_OK(zeCommandListClose(last));
  auto done = event();
  for (int round = 1; round <= 300; ++round) {
    // The branches first: they must wait for what is submitted after them.
    for (int index = 0; index < kBranches; ++index)
      ZE_OK(appendLists(lists[index], 1, &branches[index], nullptr, 0, nullptr));
    input = round;
    ze_command_list_handle_t both[] = {first, last};
    ZE_OK(appendLists(main, 2, both, done, 0, nullptr));
    ZE_OK(zeEventHostSynchronize(done, kForever));
    for (int result : results)
      ASSERT_EQ(round, result);
    EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventQueryStatus(fork)) << "reset by the last list";
    ZE_OK(zeEventHostReset(done));
  }
  for (auto list : lists)
    ZE_OK(synchronize(list, kForever));
}

TEST_F(Lists, AClosedListIsAppendedAgainWhileItExecutes) {
  if (handlesAreWrapped())
    GTEST_SKIP() << "extension functions take the driver's own handles";
  using Append = ze_result_t (*)(ze_command_list_handle_t, uint32_t, ze_command_list_handle_t *, ze_event_handle_t,
                                 uint32_t, ze_event_handle_t *);
  auto appendLists = extension<Append>("zeCommandListImmediateAppendCommandListsExp");
  auto synchronize = extension<HostSynchronize>("zeCommandListHostSynchronize");
  ze_command_list_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, 0, 0};
  ze_command_list_handle_t shift = nullptr;
  ZE_OK(zeCommandListCreate(context, dev, &desc, &shift));
  auto gate = event();
  std::vector<int> values(600, 0);
  values[0] = 5;
  for (size_t index = values.size() - 1; index > 0; --index)
    ZE_OK(zeCommandListAppendMemoryCopy(shift, &values[index], &values[index - 1], sizeof(int), nullptr, 0, nullptr));
  ZE_OK(zeCommandListClose(shift));
  auto list = immediate();
  // 500 executions of one list in flight, some of them two in one call; then the application forgets the list.
  ze_command_list_handle_t twice[] = {shift, shift};
  ZE_OK(appendLists(list, 2, twice, nullptr, 1, &gate));
  for (int round = 2; round < 500; ++round)
    ZE_OK(appendLists(list, 1, &shift, nullptr, 0, nullptr));
  ZE_OK(zeCommandListDestroy(shift));
  ZE_OK(zeEventHostSignal(gate));
  ZE_OK(synchronize(list, kForever));
  EXPECT_EQ(5, values[500]);
  EXPECT_EQ(0, values[501]);
}

// Programs that treat all lists alike close and reset them, too.
TEST_F(Lists, ClosingAndResettingAnImmediateListDoesNothing) {
  auto list = immediate();
  auto gate = event(), done = event();
  int source = 5, target = 0;
  ZE_OK(zeCommandListAppendMemoryCopy(list, &target, &source, sizeof(int), nullptr, 1, &gate));
  ZE_OK(zeCommandListClose(list));
  ZE_OK(zeCommandListReset(list));
  ZE_OK(zeCommandListAppendSignalEvent(list, done)) << "it can still be appended to";
  ZE_OK(zeEventHostSignal(gate));
  ZE_OK(zeEventHostSynchronize(done, kForever));
  EXPECT_EQ(5, target) << "and executes what it has been given before";
}

TEST_F(Lists, BadInput) {
  auto list = immediate();
  auto recorded = regular();
  auto commands = queue();
  int value = 0;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE, zeCommandQueueExecuteCommandLists(commands, 1, &list, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeCommandQueueExecuteCommandLists(commands, 1, &recorded, nullptr))
      << "not closed";
  ZE_OK(zeCommandListClose(recorded));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeCommandListAppendBarrier(recorded, nullptr, 0, nullptr)) << "closed";
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_SIZE, zeCommandQueueExecuteCommandLists(commands, 0, &recorded, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeCommandQueueExecuteCommandLists(commands, 1, nullptr, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER,
            zeCommandListAppendMemoryCopy(list, nullptr, &value, 4, nullptr, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
            zeCommandListAppendMemoryCopy(nullptr, &value, &value, 4, nullptr, 0, nullptr));
  ze_command_queue_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.ordinal = 2;
  ze_command_list_handle_t none = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeCommandListCreateImmediate(context, dev, &desc, &none));
  desc.ordinal = 0;
  desc.mode = static_cast<ze_command_queue_mode_t>(9);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, zeCommandListCreateImmediate(context, dev, &desc, &none));
  EXPECT_EQ(nullptr, none);
}

class CopyGroup : public KernelTest {};

TEST_F(CopyGroup, CopiesFillsAndWaitsButExecutesNoKernels) {
  ze_command_queue_group_properties_t groups[4];
  for (auto &group : groups)
    group = {ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES, nullptr, 0, 0, 0};
  uint32_t count = 4, copies = 4;
  ZE_OK(zeDeviceGetCommandQueueGroupProperties(dev, &count, groups));
  EXPECT_TRUE(groups[0].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE) << "programs take the first one";
  for (uint32_t index = 0; index < count; ++index)
    if (groups[index].flags == ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY)
      copies = index;
  ASSERT_LT(copies, count);
  ze_command_queue_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.ordinal = copies;
  desc.index = groups[copies].numQueues;
  ze_command_list_handle_t immediateList = nullptr, copying = nullptr;
  ze_command_queue_handle_t copyQueue = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeCommandQueueCreate(context, dev, &desc, &copyQueue)) << "no such queue";
  desc.index = 0;
  ZE_OK(zeCommandListCreateImmediate(context, dev, &desc, &immediateList));
  ZE_OK(zeCommandQueueCreate(context, dev, &desc, &copyQueue));
  ze_command_list_desc_t listDesc{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, copies, 0};
  ZE_OK(zeCommandListCreate(context, dev, &listDesc, &copying));

  auto add = kernel("add_one", 4);
  auto *data = device<int>(4);
  setArguments(add, data, 4u);
  ze_group_count_t one{1, 1, 1};
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE,
            zeCommandListAppendLaunchKernel(immediateList, add, &one, nullptr, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE,
            zeCommandListAppendLaunchCooperativeKernel(copying, add, &one, nullptr, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE,
            zeCommandListAppendLaunchKernelIndirect(copying, add, &one, nullptr, 0, nullptr));

  const int five = 5;
  int results[4] = {};
  auto filled = event(), done = event();
  ZE_OK(zeCommandListAppendMemoryFill(immediateList, data, &five, sizeof five, 4 * sizeof five, filled, 0, nullptr));
  ZE_OK(zeCommandListAppendMemoryCopy(copying, results, data, sizeof results, done, 1, &filled));
  ZE_OK(zeCommandListClose(copying));
  ZE_OK(zeCommandQueueExecuteCommandLists(copyQueue, 1, &copying, nullptr));
  ZE_OK(zeEventHostSynchronize(done, kForever));
  EXPECT_EQ(5, results[3]);

  auto launching = regular();
  ZE_OK(zeCommandListAppendLaunchKernel(launching, add, &one, nullptr, 0, nullptr));
  ZE_OK(zeCommandListClose(launching));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE,
            zeCommandQueueExecuteCommandLists(copyQueue, 1, &launching, nullptr));
  ZE_OK(zeCommandListDestroy(immediateList));
  ZE_OK(zeCommandListDestroy(copying));
  ZE_OK(zeCommandQueueDestroy(copyQueue));
}

} // namespace
