// SPDX-License-Identifier: MIT
// Cooperative launches: all work-groups make progress, however few threads there are, and waiting kernels hinder nobody.
#include "support.h"

namespace {

class Cooperative : public KernelTest {
protected:
  uint32_t *zeroed(size_t count) {
    auto *words = device<uint32_t>(count);
    std::memset(words, 0, count * sizeof(uint32_t)); // the driver's memory is the host's
    return words;
  }
  static uint32_t limit(ze_kernel_handle_t kernel) {
    uint32_t count = 0;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelSuggestMaxCooperativeGroupCount(kernel, &count));
    return count;
  }
  ze_kernel_handle_t rounds(uint32_t size, uint32_t *words, uint32_t *values, uint32_t *wrong, uint32_t count) {
    auto result = kernel("grid_rounds", size);
    setArguments(result, words, values, wrong, count);
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelSetArgumentValue(result, 4, size * sizeof(uint32_t), nullptr));
    return result;
  }
};

TEST_F(Cooperative, ManyMoreGroupsThanThreads) {
  for (uint32_t size : {1u, 7u, 64u, 256u}) {
    auto *words = zeroed(2), *wrong = zeroed(1), *values = zeroed(4096);
    auto launched = rounds(size, words, values, wrong, 5);
    ze_group_count_t groups{limit(launched), 1, 1};
    ASSERT_GE(groups.groupCountX, 4u);
    ASSERT_LE(groups.groupCountX, 4096u);
    auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    for (int launch = 0; launch < 3; ++launch)
      ZE_OK(zeCommandListAppendLaunchCooperativeKernel(list, launched, &groups, nullptr, 0, nullptr));
    EXPECT_EQ(0u, *wrong) << "size " << size;
    EXPECT_EQ(3u * 5 * 2, words[1]) << "barriers passed";
    EXPECT_EQ(5 * groups.groupCountX, values[groups.groupCountX - 1]);
  }
}

TEST_F(Cooperative, OneGroup) {
  auto *words = zeroed(2), *wrong = zeroed(1), *values = zeroed(1);
  auto launched = rounds(32, words, values, wrong, 100);
  ze_group_count_t groups{1, 1, 1};
  auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  ZE_OK(zeCommandListAppendLaunchCooperativeKernel(list, launched, &groups, nullptr, 0, nullptr));
  EXPECT_EQ(200u, words[1]);
  EXPECT_EQ(0u, *wrong);
}

TEST_F(Cooperative, SeveralKernelsAtOnce) {
  constexpr int kLists = 6;
  uint32_t *words[kLists], *wrong[kLists];
  ze_command_list_handle_t lists[kLists];
  ze_event_handle_t done[kLists];
  for (int index = 0; index < kLists; ++index) {
    words[index] = zeroed(2);
    wrong[index] = zeroed(1);
    auto launched = rounds(64, words[index], zeroed(64), wrong[index], 20);
    lists[index] = immediate();
    done[index] = event();
    ze_group_count_t groups{4, 1, 1};
    for (int launch = 0; launch < 4; ++launch)
      ZE_OK(zeCommandListAppendLaunchCooperativeKernel(lists[index], launched, &groups,
                                                       launch == 3 ? done[index] : nullptr, 0, nullptr));
  }
  for (int index = kLists; index-- > 0;) {
    ZE_OK(zeEventHostSynchronize(done[index], kForever));
    EXPECT_EQ(4u * 20 * 2, words[index][1]);
    EXPECT_EQ(0u, *wrong[index]);
  }
}

// Each of the kernels waits for the one submitted after it, so none ends unless the last one gets a thread.
TEST_F(Cooperative, WaitingKernelsLeaveTheirThreads) {
  constexpr int kKernels = 24;
  auto *flags = zeroed(kKernels + 1);
  std::vector<ze_event_handle_t> done;
  for (int index = 0; index < kKernels; ++index) {
    auto waiting = kernel("wait_then_set", 32);
    setArguments(waiting, flags + index + 1, flags + index);
    ze_group_count_t groups{1, 1, 1};
    done.push_back(event());
    ZE_OK(zeCommandListAppendLaunchCooperativeKernel(immediate(), waiting, &groups, done.back(), 0, nullptr));
  }
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventHostSynchronize(done.front(), 2'000'000));
  // An ordinary command goes through although all threads have something to wait for.
  uint32_t one = 1;
  auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  ZE_OK(zeCommandListAppendMemoryCopy(list, flags + kKernels, &one, sizeof one, nullptr, 0, nullptr));
  for (auto event : done)
    ZE_OK(zeEventHostSynchronize(event, kForever));
  EXPECT_EQ(1u, flags[0]);
}

TEST_F(Cooperative, WorkItemsOfAGroupWaitForEachOther) {
  constexpr uint32_t kSize = 100;
  auto *token = zeroed(1), *order = zeroed(kSize);
  auto ring = kernel("token_ring", kSize);
  setArguments(ring, token, order);
  ze_group_count_t groups{1, 1, 1};
  auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  ZE_OK(zeCommandListAppendLaunchKernel(list, ring, &groups, nullptr, 0, nullptr)); // not cooperative
  *token = 0;
  ZE_OK(zeCommandListAppendLaunchCooperativeKernel(list, ring, &groups, nullptr, 0, nullptr));
  for (uint32_t index = 0; index < kSize; ++index)
    EXPECT_EQ(kSize - 1 - index, order[index]);
}

TEST_F(Cooperative, InAClosedListAndRepeatedly) {
  auto *words = zeroed(2), *wrong = zeroed(1);
  auto launched = rounds(32, words, zeroed(64), wrong, 3);
  auto list = regular();
  auto commands = queue();
  ze_group_count_t groups{9, 1, 1};
  for (int launch = 0; launch < 5; ++launch)
    ZE_OK(zeCommandListAppendLaunchCooperativeKernel(list, launched, &groups, nullptr, 0, nullptr));
  ZE_OK(zeCommandListClose(list));
  for (int round = 0; round < 10; ++round)
    ZE_OK(zeCommandQueueExecuteCommandLists(commands, 1, &list, nullptr));
  ZE_OK(zeCommandQueueSynchronize(commands, kForever));
  EXPECT_EQ(5u * 10 * 3 * 2, words[1]);
  EXPECT_EQ(0u, *wrong);
}

TEST_F(Cooperative, TooManyGroupsAreRefused) {
  auto launched = kernel("grid_rounds", 64);
  auto list = immediate();
  ze_group_count_t groups{limit(launched) + 1, 1, 1};
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT,
            zeCommandListAppendLaunchCooperativeKernel(list, launched, &groups, nullptr, 0, nullptr));
  groups = {65536, 65536, 65536};
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT,
            zeCommandListAppendLaunchCooperativeKernel(list, launched, &groups, nullptr, 0, nullptr));
  uint32_t count = 0;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeKernelSuggestMaxCooperativeGroupCount(nullptr, &count));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeKernelSuggestMaxCooperativeGroupCount(launched, nullptr));
}

// The other groups wait for one that will not come.
TEST_F(Cooperative, AFaultEndsTheWaitingGroups) {
  auto *words = zeroed(2);
  auto launched = kernel("grid_fault", 32);
  auto *nowhere = reinterpret_cast<uint32_t *>(8);
  setArguments(launched, words);
  ZE_OK(zeKernelSetArgumentValue(launched, 1, sizeof nowhere, &nowhere));
  ze_group_count_t groups{8, 1, 1};
  auto list = immediate();
  auto done = event();
  ZE_OK(zeCommandListAppendLaunchCooperativeKernel(list, launched, &groups, done, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, zeEventHostSynchronize(done, kForever));
}

} // namespace
