// SPDX-License-Identifier: MIT
// Commands that wait for values in memory and write them (the names are those of Intel's driver).
#include "support.h"

#include <atomic>
#include <chrono>
#include <sys/resource.h>
#include <thread>

namespace {

struct Desc {
  uint32_t action, scope;
};
enum Action : uint32_t { kEqual = 1, kNotEqual = 2, kGreater = 4, kGreaterEqual = 8, kLess = 16, kLessEqual = 32 };
constexpr uint64_t kMillisecond = 1'000'000;

class MemorySync : public KernelTest {
protected:
  void SetUp() override {
    if (handlesAreWrapped())
      GTEST_SKIP() << "extension functions take the driver's own handles";
    KernelTest::SetUp();
    wait32 = extension<decltype(wait32)>("zexCommandListAppendWaitOnMemory");
    wait64 = extension<decltype(wait64)>("zexCommandListAppendWaitOnMemory64");
    write = extension<decltype(write)>("zexCommandListAppendWriteToMemory");
    synchronize = extension<decltype(synchronize)>("zeCommandListHostSynchronize");
    words = device<uint64_t>(64);
    std::memset(words, 0, 64 * sizeof(uint64_t));
  }
  static void store(uint64_t *word, uint64_t value) { std::atomic_ref(*word).store(value); }

  ze_result_t (*wait32)(ze_command_list_handle_t, Desc *, void *, uint32_t, ze_event_handle_t) = nullptr;
  ze_result_t (*wait64)(ze_command_list_handle_t, Desc *, void *, uint64_t, ze_event_handle_t) = nullptr;
  ze_result_t (*write)(ze_command_list_handle_t, uint32_t *, void *, uint64_t) = nullptr;
  ze_result_t (*synchronize)(ze_command_list_handle_t, uint64_t) = nullptr;
  uint64_t *words = nullptr; // the driver's memory is the host's
  uint32_t scope = 0;
};

TEST_F(MemorySync, ComparisonsAreUnsignedAndOfTheirWidth) {
  struct Case {
    uint32_t action;
    uint64_t memory, value;
    bool goesOn32, goesOn64;
  };
  constexpr uint64_t kHigh = 1ull << 32, kTop = 1ull << 63;
  constexpr Case kCases[] = {
      {kEqual, 7, 7, true, true},          {kEqual, 7, 8, false, false},          {kEqual, kHigh + 7, 7, true, false},
      {kNotEqual, 7, 7, false, false},     {kNotEqual, 6, 7, true, true},         {kGreater, 7, 7, false, false},
      {kGreater, 8, 7, true, true},        {kGreater, kHigh, 7, false, true},     {kGreaterEqual, 7, 7, true, true},
      {kGreaterEqual, 6, 7, false, false}, {kGreaterEqual, kTop, 1, false, true}, {kLess, 6, 7, true, true},
      {kLess, 7, 7, false, false},         {kLess, kTop, 1, true, false},         {kLessEqual, 7, 7, true, true},
      {kLessEqual, 8, 7, false, false},
  };
  for (const Case &each : kCases)
    for (bool wide : {false, true}) {
      auto list = immediate();
      words[0] = each.memory;
      Desc desc{each.action, scope};
      ZE_OK(wide ? wait64(list, &desc, words, each.value, nullptr)
                 : wait32(list, &desc, words, static_cast<uint32_t>(each.value), nullptr));
      bool goesOn = wide ? each.goesOn64 : each.goesOn32;
      EXPECT_EQ(goesOn ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY, synchronize(list, goesOn ? kForever : kMillisecond))
          << "action " << each.action << ", memory " << each.memory << ", value " << each.value << ", wide " << wide;
      // Whatever it waits for, one of these lets it go on.
      for (uint64_t release : {each.value, each.value + 1, each.value - 1}) {
        store(words, release);
        if (synchronize(list, 50 * kMillisecond) == ZE_RESULT_SUCCESS)
          break;
      }
      ZE_OK(synchronize(list, 0));
    }
}

TEST_F(MemorySync, TheListIsInOrderAndTheEventFollows) {
  auto list = immediate();
  auto copied = event(), done = event();
  int before = 0, after = 0, one = 1;
  Desc desc{kGreaterEqual, scope};
  ZE_OK(zeCommandListAppendMemoryCopy(list, &before, &one, sizeof one, copied, 0, nullptr));
  ZE_OK(wait64(list, &desc, words, 3, done));
  ZE_OK(zeCommandListAppendMemoryCopy(list, &after, &one, sizeof one, nullptr, 0, nullptr));
  ZE_OK(zeEventHostSynchronize(copied, kForever));
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventHostSynchronize(done, 5 * kMillisecond));
  EXPECT_EQ(1, before);
  EXPECT_EQ(0, after);
  store(words, 2);
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventHostSynchronize(done, 5 * kMillisecond));
  store(words, 3);
  ZE_OK(zeEventHostSynchronize(done, kForever));
  ZE_OK(synchronize(list, kForever));
  EXPECT_EQ(1, after);
}

// More streams wait than there are workers; the values come from the host, a write, a copy and a kernel.
TEST_F(MemorySync, WaitingStreamsHoldNoWorker) {
  constexpr int kStreams = 40;
  std::vector<ze_command_list_handle_t> waiting;
  Desc desc{kEqual, scope};
  for (int index = 0; index < kStreams; ++index) {
    waiting.push_back(immediate());
    ZE_OK(wait64(waiting.back(), &desc, words + index, 1, nullptr));
    ZE_OK(write(waiting.back(), &scope, words + index, 2));
  }
  auto working = immediate();
  auto count = kernel("count");
  uint64_t one = 1;
  for (int index = 0; index < kStreams; ++index)
    switch (index % 4) {
    case 0: store(words + index, 1); break;
    case 1: ZE_OK(write(working, &scope, words + index, 1)); break;
    case 2: ZE_OK(zeCommandListAppendMemoryCopy(working, words + index, &one, sizeof one, nullptr, 0, nullptr)); break;
    case 3: {
      uint64_t *word = words + index;
      setArguments(count, word);
      ze_group_count_t groups{1, 1, 1};
      ZE_OK(zeCommandListAppendLaunchKernel(working, count, &groups, nullptr, 0, nullptr));
      break;
    }
    }
  ZE_OK(synchronize(working, kForever));
  for (int index = 0; index < kStreams; ++index) {
    ZE_OK(synchronize(waiting[index], kForever));
    EXPECT_EQ(2u, words[index]) << index;
  }
}

TEST_F(MemorySync, TwoStreamsPlayPingPong) {
  auto left = immediate(), right = immediate();
  constexpr int kRounds = 200;
  for (uint64_t round = 0; round < kRounds; ++round) {
    Desc desc{kEqual, scope};
    ZE_OK(wait64(left, &desc, words, 2 * round, nullptr));
    ZE_OK(write(left, &scope, words, 2 * round + 1));
    ZE_OK(wait64(right, &desc, words, 2 * round + 1, nullptr));
    ZE_OK(write(right, &scope, words, 2 * round + 2));
  }
  ZE_OK(synchronize(left, kForever));
  ZE_OK(synchronize(right, kForever));
  EXPECT_EQ(2u * kRounds, words[0]);
}

TEST_F(MemorySync, InAClosedListEachExecutionWaits) {
  auto list = regular();
  auto commands = queue();
  Desc desc{kNotEqual, scope};
  ZE_OK(wait32(list, &desc, words, 0, nullptr));
  ZE_OK(write(list, &scope, words, 0));
  ZE_OK(zeCommandListClose(list));
  for (int round = 0; round < 5; ++round) {
    ZE_OK(zeCommandQueueExecuteCommandLists(commands, 1, &list, nullptr));
    EXPECT_EQ(ZE_RESULT_NOT_READY, zeCommandQueueSynchronize(commands, kMillisecond));
    store(words, 5);
    ZE_OK(zeCommandQueueSynchronize(commands, kForever));
    EXPECT_EQ(0u, words[0]);
  }
}

TEST_F(MemorySync, WaitingCostsLittle) {
  auto list = immediate();
  Desc desc{kEqual, scope};
  ZE_OK(wait64(list, &desc, words, 1, nullptr));
  auto processorTime = [] {
    rusage usage;
    ::getrusage(RUSAGE_SELF, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
           (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
  };
  double before = processorTime();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_LT(processorTime() - before, 60.0) << "milliseconds of 200";
  store(words, 1);
  ZE_OK(synchronize(list, kForever));
}

TEST_F(MemorySync, ABadAddressLosesTheDevice) {
  for (bool later : {false, true}) {
    ze_context_desc_t contextDesc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
    ze_context_handle_t own = nullptr;
    ZE_OK(zeContextCreate(driver, &contextDesc, &own));
    ze_host_mem_alloc_desc_t hostDesc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
    void *memory = nullptr;
    ZE_OK(zeMemAllocHost(own, &hostDesc, 1 << 20, 64, &memory));
    std::memset(memory, 0, 64);
    ze_command_queue_desc_t desc{
        ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 0, 0, 0, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
        ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
    ze_command_list_handle_t list = nullptr;
    ZE_OK(zeCommandListCreateImmediate(own, dev, &desc, &list));
    Desc equal{kEqual, scope};
    if (later) { // the memory goes away while the stream waits
      ZE_OK(wait64(list, &equal, memory, 1, nullptr));
      EXPECT_EQ(ZE_RESULT_NOT_READY, synchronize(list, 2 * kMillisecond));
    } else {
      ZE_OK(wait64(list, &equal, reinterpret_cast<void *>(16), 1, nullptr));
    }
    ZE_OK(zeMemFree(own, memory));
    EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, synchronize(list, kForever));
    ZE_OK(zeCommandListDestroy(list));
    ZE_OK(zeContextDestroy(own));
  }
}

TEST_F(MemorySync, BadInput) {
  auto list = immediate();
  Desc desc{kEqual, scope}, none{0, scope}, two{kEqual | kLess, scope}, unknown{64, scope};
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, wait32(nullptr, &desc, words, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, wait32(list, nullptr, words, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, wait64(list, &desc, nullptr, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, wait32(list, &none, words, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, wait32(list, &two, words, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, wait64(list, &unknown, words, 0, nullptr));
  auto *odd = reinterpret_cast<char *>(words) + 4;
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, wait64(list, &desc, odd, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, wait32(list, &desc, odd + 2, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, write(list, &scope, odd, 0));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, write(list, nullptr, words, 0));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, write(list, &scope, nullptr, 0));
  ZE_OK(wait32(list, &desc, odd, 0, nullptr));
  ZE_OK(synchronize(list, kForever)) << "a word of 32 bits at an address that is not a multiple of 8";
}

} // namespace
