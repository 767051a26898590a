// SPDX-License-Identifier: MIT
// Who executes what and when: worker threads and the processors that they may use, streams side by side, priorities, first
// touch of memory.
#include "child.h"
#include "support.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace std::chrono_literals;

/// The folders in /proc of the driver's worker threads.
std::vector<std::filesystem::path> workers() {
  std::vector<std::filesystem::path> found;
  for (auto &entry : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::getline(std::ifstream(entry.path() / "comm"), name);
    if (name.rfind("hiplz-cpu-", 0) == 0)
      found.push_back(entry.path());
  }
  return found;
}

cpu_set_t maskOf(pid_t thread) {
  cpu_set_t set;
  CPU_ZERO(&set);
  ::sched_getaffinity(thread, sizeof set, &set);
  return set;
}

cpu_set_t only(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  return set;
}

int firstOf(const cpu_set_t &set) {
  int processor = 0;
  while (!CPU_ISSET(processor, &set))
    ++processor;
  return processor;
}

class Execution : public KernelTest {
protected:
  unsigned threadCount() const {
    ze_device_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeDeviceGetProperties(dev, &properties));
    return properties.numSlices * properties.numSubslicesPerSlice * properties.numEUsPerSubslice;
  }
  ze_command_list_handle_t prioritised(ze_command_queue_priority_t priority) {
    ze_command_queue_desc_t desc{};
    desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
    desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
    desc.priority = priority;
    ze_command_list_handle_t list = nullptr;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandListCreateImmediate(context, dev, &desc, &list));
    lists_.push_back(list);
    return list;
  }
  /// Waits and helps.
  void finish(ze_command_list_handle_t list) {
    if (!finished_)
      finished_ = event();
    ZE_OK(zeCommandListAppendSignalEvent(list, finished_));
    ZE_OK(zeEventHostSynchronize(finished_, kForever));
    ZE_OK(zeEventHostReset(finished_));
  }
  void TearDown() override {
    for (ze_command_list_handle_t list : lists_)
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandListDestroy(list));
    KernelTest::TearDown();
  }
  /// Waits without executing anything, as a thread with a deadline does.
  static void watch(ze_event_handle_t done) {
    while (zeEventHostSynchronize(done, 100'000'000) == ZE_RESULT_NOT_READY)
      ;
  }

private:
  std::vector<ze_command_list_handle_t> lists_;
  ze_event_handle_t finished_ = nullptr;
};

// The long kernel would take many seconds if it did not learn from the short one that it may end. Workers are at it before
// the short one comes.
TEST_F(Execution, AShortKernelOvertakesALongOne) {
  constexpr uint32_t kGroups = 4'000'000; // seconds: this thread may have to wait for a processor
  for (ze_command_queue_priority_t priority :
       {ZE_COMMAND_QUEUE_PRIORITY_NORMAL, ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH}) {
    auto *state = device<int>(4); // told, untold, out, order
    std::fill_n(state, 4, 0);
    auto longKernel = kernel("until_told"), shortKernel = kernel("note_order");
    auto ended = event();
    setArguments(longKernel, state, state + 1, state + 2);
    setArguments(shortKernel, state + 3, state);
    ze_group_count_t groups{kGroups, 1, 1}, one{1, 1, 1};
    ZE_OK(zeCommandListAppendLaunchKernel(immediate(), longKernel, &groups, ended, 0, nullptr));
    while (__atomic_load_n(state + 1, __ATOMIC_RELAXED) == 0)
      std::this_thread::yield();
    ZE_OK(zeCommandListAppendLaunchKernel(prioritised(priority), shortKernel, &one, nullptr, 0, nullptr));
    watch(ended);
    EXPECT_GT(kGroups, static_cast<uint32_t>(state[1]));
    EXPECT_EQ(1, state[0]);
  }
}

// The first work-group of a kernel that has been seen to take long is not executed alone.
TEST_F(Execution, AKernelKnownToBeLongIsSharedFromItsBeginning) {
  if (threadCount() < 2)
    GTEST_SKIP() << "there is one worker";
  auto *state = device<int>(2); // others, came
  auto waits = kernel("wait_for_company");
  auto list = immediate();
  ze_group_count_t groups{2, 1, 1};
  for (int turns : {100'000, 1'000'000'000}) {
    std::fill_n(state, 2, 0);
    setArguments(waits, state, turns, state + 1);
    ZE_OK(zeCommandListAppendLaunchKernel(list, waits, &groups, nullptr, 0, nullptr));
    finish(list);
    EXPECT_EQ(1, state[0]);
  }
  EXPECT_EQ(1, state[1]);
}

// The stream with many commands does not keep a worker to itself either.
TEST_F(Execution, AShortKernelOvertakesAStreamOfKernels) {
  constexpr uint32_t kLaunches = 100'000;
  auto *state = device<int>(4);
  std::fill_n(state, 4, 0);
  auto longKernel = kernel("until_told"), shortKernel = kernel("note_order");
  auto ended = event();
  setArguments(longKernel, state, state + 1, state + 2);
  setArguments(shortKernel, state + 3, state);
  ze_group_count_t one{1, 1, 1};
  auto list = regular();
  for (uint32_t launch = 0; launch < kLaunches; ++launch)
    ZE_OK(
        zeCommandListAppendLaunchKernel(list, longKernel, &one, launch + 1 == kLaunches ? ended : nullptr, 0, nullptr));
  ZE_OK(zeCommandListClose(list));
  auto other = immediate();
  ZE_OK(zeCommandQueueExecuteCommandLists(queue(), 1, &list, nullptr));
  while (__atomic_load_n(state + 1, __ATOMIC_RELAXED) == 0)
    std::this_thread::yield();
  ZE_OK(zeCommandListAppendLaunchKernel(other, shortKernel, &one, nullptr, 0, nullptr));
  watch(ended);
  EXPECT_GT(kLaunches, static_cast<uint32_t>(state[1]));
}

// Whatever leaves a job and comes back, each work-group is executed once.
TEST_F(Execution, JobsThatWorkersLeaveAreExecutedOnce) {
  constexpr int kLong = 3, kRounds = 300;
  constexpr uint32_t kGroups = 150'000;
  auto *counters = device<int>(64 * (kLong + 1));
  std::fill_n(counters, 64 * (kLong + 1), 0);
  std::vector<ze_event_handle_t> ended;
  const ze_command_queue_priority_t priorities[kLong] = {
      ZE_COMMAND_QUEUE_PRIORITY_NORMAL, ZE_COMMAND_QUEUE_PRIORITY_NORMAL, ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW};
  for (int index = 0; index < kLong; ++index) {
    auto count = kernel("count", 16);
    int *counter = counters + 64 * index;
    setArguments(count, counter);
    ze_group_count_t groups{kGroups, 1, 1};
    ended.push_back(event());
    ZE_OK(zeCommandListAppendLaunchKernel(prioritised(priorities[index]), count, &groups, ended.back(), 0, nullptr));
  }
  auto count = kernel("count", 16), alone = kernel("count");
  int *counter = counters + 64 * kLong;
  setArguments(count, counter);
  setArguments(alone, counter);
  std::vector<ze_command_list_handle_t> lists{immediate(), prioritised(ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH)};
  ze_group_count_t some{40, 1, 1}, one{1, 1, 1};
  for (int round = 0; round < kRounds; ++round) {
    ZE_OK(zeCommandListAppendLaunchKernel(lists[round % 2], round % 3 ? alone : count, round % 3 ? &one : &some,
                                          nullptr, 0, nullptr));
    if (round % 16 == 0)
      finish(lists[round / 16 % 2]);
  }
  for (ze_command_list_handle_t list : lists)
    finish(list);
  EXPECT_EQ(kRounds / 3 * 40 * 16 + kRounds / 3 * 2, counters[64 * kLong]);
  ZE_OK(zeEventHostSynchronize(ended[0], kForever));
  watch(ended[1]);
  watch(ended[2]);
  for (int index = 0; index < kLong; ++index)
    EXPECT_EQ(static_cast<int>(kGroups * 16), counters[64 * index]) << index;
}

// All workers but one are held by kernels, so that what comes next is executed one after the other.
TEST_F(Execution, PrioritiesDecideWhoIsFirst) {
  const auto held = static_cast<int>(threadCount()) - 1;
  auto *state = device<int>(16);
  std::fill_n(state, 16, 0);
  int *heldArrived = state, *lastArrived = state + 1, *counter = state + 2, *out = state + 3, *order = state + 4;
  auto arrived = [](int *count) { return __atomic_load_n(count, __ATOMIC_ACQUIRE); };
  auto meet = kernel("meet"), note = kernel("note_order");
  ze_group_count_t one{1, 1, 1};
  std::vector<ze_event_handle_t> ended{event()}, released;
  int wanted = held + 1;
  setArguments(meet, heldArrived, wanted, out);
  for (int index = 0; index < held; ++index) {
    released.push_back(event());
    ZE_OK(zeCommandListAppendLaunchKernel(immediate(), meet, &one, released.back(), 0, nullptr));
  }
  wanted = 2;
  setArguments(meet, lastArrived, wanted, out);
  ZE_OK(zeCommandListAppendLaunchKernel(immediate(), meet, &one, ended[0], 0, nullptr));
  while (arrived(heldArrived) != held || arrived(lastArrived) != 1)
    std::this_thread::yield();
  for (ze_command_queue_priority_t priority :
       {ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW, ZE_COMMAND_QUEUE_PRIORITY_NORMAL,
        ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH, ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH}) {
    setArguments(note, counter, order);
    ++order;
    ended.push_back(event());
    ZE_OK(zeCommandListAppendLaunchKernel(prioritised(priority), note, &one, ended.back(), 0, nullptr));
  }
  __atomic_fetch_add(lastArrived, 1, __ATOMIC_RELEASE);
  for (ze_event_handle_t event : ended)
    watch(event);
  __atomic_fetch_add(heldArrived, 1, __ATOMIC_RELEASE);
  for (ze_event_handle_t event : released)
    watch(event);
  EXPECT_EQ((std::vector<int>{4, 3, 1, 2}), std::vector<int>(state + 4, state + 8));
}

/// Calls `work` where the first thread has used about `bytes` of its stack.
__attribute__((noinline)) void callDeep(const std::byte *top, size_t bytes, const std::function<void()> &work) {
  std::byte block[16 << 10];
  asm volatile("" : : "r"(block) : "memory"); // must exist
  if (static_cast<size_t>(top - block) < bytes)
    callDeep(top, bytes, work);
  else
    work();
  asm volatile("" : : "r"(block) : "memory");
}

// A thread that waits executes what it waits for. At the end of its stack it leaves that to the workers.
TEST_F(Execution, FirstThreadWaitsAtTheEndOfItsStack) {
  rlimit limit{};
  ASSERT_EQ(0, ::getrlimit(RLIMIT_STACK, &limit));
  if (limit.rlim_cur > (64 << 20) || limit.rlim_cur < (1 << 20) || ::gettid() != ::getpid())
    GTEST_SKIP() << "needs a first thread with a stack of the usual size";
  std::byte here;
  auto note = kernel("busy", 256);
  auto *out = device<uint32_t>(256 * 10);
  uint32_t rounds = 10;
  setArguments(note, out, rounds);
  ze_group_count_t groups{10, 1, 1};
  auto list = immediate();
  for (const size_t left : {size_t{512} << 10, size_t{192} << 10})
    callDeep(&here, limit.rlim_cur - left, [&] {
      ZE_OK(zeCommandListAppendLaunchKernel(list, note, &groups, nullptr, 0, nullptr));
      finish(list);
    });
}

// Nobody polls: a while after the last command no worker uses its processor.
TEST_F(Execution, IdleWorkersSleep) {
  auto busy = kernel("busy", 256);
  auto *out = device<uint32_t>(256 * 1000);
  uint32_t rounds = 1000;
  setArguments(busy, out, rounds);
  ze_group_count_t groups{1000, 1, 1};
  auto list = immediate();
  ZE_OK(zeCommandListAppendLaunchKernel(list, busy, &groups, nullptr, 0, nullptr));
  finish(list);
  for (int look = 0; look < 5000 && workers().empty(); ++look) // threads name themselves when they begin
    std::this_thread::sleep_for(1ms);
  EXPECT_FALSE(workers().empty());
  int asleep = 0;
  for (int look = 0; look < 20'000 && asleep < 20; ++look) {
    bool all = true;
    for (const std::filesystem::path &worker : workers()) {
      std::string text;
      std::getline(std::ifstream(worker / "stat"), text);
      all = all && text.find(") S ") != std::string::npos;
    }
    asleep = all ? asleep + 1 : 0;
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_EQ(20, asleep);
}

// Pages come from the node of the thread that touches them first, so nobody else must have touched them.
TEST_F(Execution, FreshMemoryHasNoPages) {
  constexpr size_t kBytes = 64 << 20;
  auto *memory = device<std::byte>(kBytes);
  std::vector<unsigned char> pages(kBytes / 4096);
  auto resident = [&] {
    EXPECT_EQ(0, ::mincore(memory, kBytes, pages.data()));
    return std::count_if(pages.begin(), pages.end(), [](unsigned char page) { return page & 1; });
  };
  EXPECT_EQ(0, resident());
  auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  const int pattern = 7;
  ZE_OK(zeCommandListAppendMemoryFill(list, memory, &pattern, sizeof pattern, kBytes, nullptr, 0, nullptr));
  EXPECT_EQ(static_cast<ptrdiff_t>(pages.size()), resident());
}

/// Makes the driver work and compares its workers with the mask.
int compareWorkers(const cpu_set_t &expected) {
  ze_driver_handle_t driver;
  ze_device_handle_t device;
  ze_context_handle_t context;
  ze_command_list_handle_t list;
  ze_event_pool_handle_t pool;
  ze_event_handle_t done;
  uint32_t one = 1;
  ze_context_desc_t contextDesc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  ze_event_pool_desc_t poolDesc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1};
  ze_event_desc_t eventDesc{};
  eventDesc.stype = ZE_STRUCTURE_TYPE_EVENT_DESC;
  ze_command_queue_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  if (zeInit(0) || zeDriverGet(&one, &driver) || zeDeviceGet(driver, &one, &device) ||
      zeDeviceGetProperties(device, &properties) || zeContextCreate(driver, &contextDesc, &context) ||
      zeCommandListCreateImmediate(context, device, &desc, &list) ||
      zeEventPoolCreate(context, &poolDesc, 0, nullptr, &pool) || zeEventCreate(pool, &eventDesc, &done))
    return 1;
  static int source = 5, target = 0;
  if (zeCommandListAppendMemoryCopy(list, &target, &source, sizeof source, done, 0, nullptr))
    return 2;
  while (zeEventQueryStatus(done) == ZE_RESULT_NOT_READY) // a waiting host would do the work itself
    std::this_thread::yield();
  const auto count = static_cast<size_t>(CPU_COUNT(&expected));
  // A quota may leave fewer than the mask.
  if (properties.numSlices * properties.numSubslicesPerSlice > count || workers().size() > count || workers().empty())
    return 3;
  for (const std::filesystem::path &worker : workers()) {
    for (int look = 0; look < 5000; ++look) { // it sets its mask itself, after it has begun
      const cpu_set_t mask = maskOf(std::stoi(worker.filename()));
      cpu_set_t both;
      CPU_AND(&both, &mask, &expected);
      if (CPU_EQUAL(&both, &mask) && (CPU_COUNT(&mask) > 1 || count == 1))
        break;
      if (look == 4999)
        return 4;
      std::this_thread::sleep_for(1ms);
    }
  }
  return 0;
}

TEST(Processors, WorkersKeepToTheMaskOfTheProcess) {
  const ChildResult result = runChild("oneProcessor", {"HIPLZ_CPU_THREADS="});
  EXPECT_EQ(0, result.exitCode) << result.output;
}

TEST(Processors, APinnedHostThreadDoesNotPinTheWorkers) {
  const ChildResult result = runChild("pinnedHostThread", {"HIPLZ_CPU_THREADS="});
  EXPECT_EQ(0, result.exitCode) << result.output;
}

} // namespace

int oneProcessorChild() {
  const cpu_set_t one = only(firstOf(maskOf(0)));
  ::sched_setaffinity(0, sizeof one, &one);
  return compareWorkers(one);
}

int pinnedHostThreadChild() {
  const cpu_set_t all = maskOf(0), one = only(firstOf(all));
  std::mutex mutex;
  std::condition_variable isOver;
  bool over = false;
  std::thread other([&] { // which keeps its mask, like a thread of OpenMP on another processor
    std::unique_lock lock(mutex);
    isOver.wait(lock, [&] { return over; });
  });
  ::sched_setaffinity(0, sizeof one, &one);
  const int result = compareWorkers(all);
  {
    std::lock_guard lock(mutex);
    over = true;
  }
  isOver.notify_one();
  other.join();
  return result;
}
