// SPDX-License-Identifier: MIT
// Many threads, many lists, many events: whatever the timing, every command is executed once and in its order.
#include "support.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <random>
#include <thread>
#include <unistd.h>

// In programs with a sanitizer only.
extern "C" __attribute__((weak)) size_t __sanitizer_get_current_allocated_bytes();

namespace {

class Stress : public KernelTest {
protected:
  /// Runs `body(index)` on as many threads.
  template <class Body> void onThreads(int count, Body body) {
    std::vector<std::thread> threads;
    for (int index = 0; index < count; ++index)
      threads.emplace_back(body, index);
    for (std::thread &thread : threads)
      thread.join();
  }
};

TEST_F(Stress, LaunchAndWaitOnManyThreads) {
  constexpr int kThreads = 8, kRounds = 400;
  std::vector<ze_command_list_handle_t> lists;
  std::vector<ze_event_handle_t> done;
  std::vector<ze_kernel_handle_t> kernels;
  std::vector<int> counters(kThreads * 64, 0); // apart from each other
  for (int index = 0; index < kThreads; ++index) {
    lists.push_back(immediate());
    done.push_back(event());
    kernels.push_back(kernel("count", 4));
    int *counter = &counters[index * 64];
    setArguments(kernels.back(), counter);
  }
  onThreads(kThreads, [&](int index) {
    for (int round = 1; round <= kRounds; ++round) {
      // Sometimes one work-group, sometimes enough for all threads.
      ze_group_count_t groups{round % 50 == 0 ? 20000u : 1u, 1, 1};
      EXPECT_EQ(ZE_RESULT_SUCCESS,
                zeCommandListAppendLaunchKernel(lists[index], kernels[index], &groups, done[index], 0, nullptr));
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventHostSynchronize(done[index], kForever));
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventHostReset(done[index]));
    }
  });
  for (int index = 0; index < kThreads; ++index)
    EXPECT_EQ(4 * (kRounds - kRounds / 50) + 4 * 20000 * (kRounds / 50), counters[index * 64]);
}

TEST_F(Stress, LongAsynchronousChains) {
  constexpr int kThreads = 4, kLaunches = 3000;
  constexpr uint32_t kCount = 500;
  std::vector<std::vector<int>> data(kThreads, std::vector<int>(kCount, 0));
  std::vector<ze_command_list_handle_t> lists;
  std::vector<ze_event_handle_t> done;
  std::vector<ze_kernel_handle_t> kernels;
  for (int index = 0; index < kThreads; ++index) {
    lists.push_back(immediate());
    done.push_back(event());
    kernels.push_back(kernel("add_one", 64));
    int *pointer = data[index].data();
    uint32_t count = kCount;
    setArguments(kernels.back(), pointer, count);
  }
  onThreads(kThreads, [&](int index) {
    ze_group_count_t groups{(kCount + 63) / 64, 1, 1};
    for (int launch = 1; launch <= kLaunches; ++launch)
      EXPECT_EQ(ZE_RESULT_SUCCESS,
                zeCommandListAppendLaunchKernel(lists[index], kernels[index], &groups,
                                                launch == kLaunches ? done[index] : nullptr, 0, nullptr));
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventHostSynchronize(done[index], kForever));
  });
  for (auto &values : data)
    EXPECT_EQ(static_cast<long>(kCount), std::count(values.begin(), values.end(), kLaunches));
}

TEST_F(Stress, ListsComeAndGo) {
  // A list is destroyed at the moment at which its last command has signalled, while the thread that executed it is still
  // on its way out, and its memory is used for the next list at once.
  constexpr int kThreads = 4, kRounds = 5000;
  std::vector<ze_event_handle_t> done;
  for (int index = 0; index < kThreads; ++index)
    done.push_back(event());
  std::vector<int> counts(kThreads * 16, 0);
  onThreads(kThreads, [&](int index) {
    ze_command_queue_desc_t desc{};
    desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
    desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
    int *count = &counts[index * 16];
    for (int round = 1; round <= kRounds; ++round) {
      ze_command_list_handle_t list = nullptr;
      ASSERT_EQ(ZE_RESULT_SUCCESS, zeCommandListCreateImmediate(context, dev, &desc, &list));
      ASSERT_EQ(ZE_RESULT_SUCCESS,
                zeCommandListAppendMemoryCopy(list, count, &round, sizeof round, done[index], 0, nullptr));
      // A wait with a timeout leaves the work to the worker threads; a status query only looks.
      if (round % 2)
        ASSERT_EQ(ZE_RESULT_SUCCESS, zeEventHostSynchronize(done[index], 10'000'000'000));
      else
        while (zeEventQueryStatus(done[index]) == ZE_RESULT_NOT_READY)
          std::this_thread::yield();
      ASSERT_EQ(ZE_RESULT_SUCCESS, zeCommandListDestroy(list));
      ASSERT_EQ(round, *count);
      ASSERT_EQ(ZE_RESULT_SUCCESS, zeEventHostReset(done[index]));
    }
  });
}

TEST_F(Stress, ARandomGraphOfEvents) {
  // Each command adds one to its list's cell and waits for random earlier events of other lists. What it copies proves
  // that those were done.
  constexpr int kLists = 6, kSteps = 300;
  std::mt19937 random(12345);
  std::vector<ze_command_list_handle_t> lists;
  for (int index = 0; index < kLists; ++index)
    lists.push_back(immediate());
  std::vector<int> done(kLists * kSteps, 0), seen(kLists * kSteps, -1), from(kLists * kSteps, -1);
  std::vector<ze_event_handle_t> events;
  int one = 1;
  for (int step = 0; step < kLists * kSteps; ++step) {
    auto list = lists[random() % kLists];
    std::vector<ze_event_handle_t> waits;
    if (step > 0) {
      from[step] = static_cast<int>(random() % step);
      waits.push_back(events[from[step]]);
    }
    events.push_back(event());
    if (step > 0)
      ZE_OK(zeCommandListAppendMemoryCopy(list, &seen[step], &done[from[step]], sizeof(int), nullptr, 1, waits.data()));
    ZE_OK(zeCommandListAppendMemoryCopy(list, &done[step], &one, sizeof(int), events.back(), 0, nullptr));
  }
  for (auto event : events)
    ZE_OK(zeEventHostSynchronize(event, kForever));
  for (int step = 1; step < kLists * kSteps; ++step)
    ASSERT_EQ(1, seen[step]) << step;
}

TEST_F(Stress, SeveralThreadsWaitForOneEvent) {
  for (int round = 0; round < 50; ++round) {
    auto list = immediate();
    auto gate = event(), done = event();
    ZE_OK(zeCommandListAppendBarrier(list, done, 1, &gate));
    std::atomic<int> woken{0};
    std::thread signaller([&] { EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventHostSignal(gate)); });
    onThreads(4, [&](int index) {
      // Two that help and two that only wait.
      uint64_t timeout = index % 2 ? kForever : 10'000'000'000;
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventHostSynchronize(done, timeout));
      ++woken;
    });
    signaller.join();
    EXPECT_EQ(4, woken);
  }
}

TEST_F(Stress, WorkGoesOnWhileNobodyWaits) {
  // The host only looks at memory: progress must not depend on a call.
  auto list = immediate();
  auto *counter = device<int>(1);
  *counter = 0;
  auto count = kernel("count", 1);
  setArguments(count, counter);
  ze_group_count_t groups{1, 1, 1};
  for (int round = 1; round <= 20; ++round) {
    ZE_OK(zeCommandListAppendLaunchKernel(list, count, &groups, nullptr, 0, nullptr));
    auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (*static_cast<volatile int *>(counter) != round && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    ASSERT_EQ(round, *counter);
  }
  auto done = event();
  ZE_OK(zeCommandListAppendBarrier(list, done, 0, nullptr));
  ZE_OK(zeEventHostSynchronize(done, kForever));
}

TEST_F(Stress, AKernelMayWaitForTheHost) {
  auto list = immediate();
  auto *flag = device<int>(1), *out = device<int>(1);
  *flag = *out = 0;
  auto wait = kernel("wait_for_flag");
  setArguments(wait, flag, out);
  ze_group_count_t one{1, 1, 1};
  auto done = event();
  ZE_OK(zeCommandListAppendLaunchKernel(list, wait, &one, done, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventHostSynchronize(done, 2'000'000)) << "a wait with a timeout does not help";
  __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
  ZE_OK(zeEventHostSynchronize(done, kForever));
  EXPECT_EQ(1, *out);
}

/// Processor time of this process in seconds.
double processorTime() {
  timespec time;
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

TEST_F(Stress, IdleThreadsSleep) {
  auto list = immediate();
  auto gate = event(), done = event();
  ZE_OK(zeCommandListAppendBarrier(list, done, 1, &gate)); // blocked, and nobody may poll
  std::thread waiter([&] { EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventHostSynchronize(done, kForever)); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  double before = processorTime();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_LT(processorTime() - before, 0.02);
  ZE_OK(zeEventHostSignal(gate));
  waiter.join();
}

// Bytes of memory that the process uses: what is resident, or, because sanitizers grow by themselves, what is allocated.
int64_t memoryInUse() {
  if (__sanitizer_get_current_allocated_bytes)
    return static_cast<int64_t>(__sanitizer_get_current_allocated_bytes());
  std::ifstream file("/proc/self/statm");
  long size = 0, resident = 0;
  file >> size >> resident;
  return int64_t{resident} * ::sysconf(_SC_PAGESIZE);
}

TEST_F(Stress, AWarmListAllocatesNothing) {
  // Growth would show: 200,000 launches of 200 bytes each are 40 MB.
  auto list = immediate();
  auto *counter = device<int>(1);
  auto done = event();
  auto count = kernel("count", 1);
  setArguments(count, counter);
  ze_group_count_t one{1, 1, 1};
  int64_t warm = 0;
  for (int round = 0; round < 220; ++round) {
    for (int launch = 0; launch < 1000; ++launch)
      ZE_OK(zeCommandListAppendLaunchKernel(list, count, &one, launch == 999 ? done : nullptr, 0, nullptr));
    ZE_OK(zeEventHostSynchronize(done, kForever));
    ZE_OK(zeEventHostReset(done));
    if (round == 20)
      warm = memoryInUse();
  }
  EXPECT_LT(memoryInUse() - warm, 4 << 20);
}

} // namespace
