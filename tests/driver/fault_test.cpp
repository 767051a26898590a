// SPDX-License-Identifier: MIT
// Kernels that fault: the process lives on, those that wait hear of it, and the rest of the driver goes on working.
#include "support.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <pthread.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace {

class Faults : public KernelTest {
protected:
  // Both are out of reach of any allocation.
  static constexpr int64_t kWild = int64_t{1} << 44;

  ze_kernel_handle_t wildStore(uint32_t groupSize = 32) {
    auto store = kernel("store_at", groupSize);
    int *base = nullptr;
    int64_t index = kWild;
    int value = 1;
    setArguments(store, base, index, value);
    return store;
  }
  static ze_result_t launch(ze_command_list_handle_t list, ze_kernel_handle_t kernel, ze_event_handle_t done,
                            uint32_t groups = 1) {
    ze_group_count_t count{groups, 1, 1};
    return zeCommandListAppendLaunchKernel(list, kernel, &count, done, 0, nullptr);
  }
  /// A context on the same device that the test may lose without losing its own, with an immediate list.
  struct OtherContext {
    OtherContext(ze_driver_handle_t driver, ze_device_handle_t dev,
                 ze_command_queue_mode_t mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS) {
      ze_context_desc_t desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeContextCreate(driver, &desc, &context));
      ze_command_queue_desc_t queueDesc{};
      queueDesc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
      queueDesc.mode = mode;
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandListCreateImmediate(context, dev, &queueDesc, &list));
    }
    OtherContext(const OtherContext &) = delete;
    ~OtherContext() {
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandListDestroy(list));
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeContextDestroy(context));
    }
    ze_context_handle_t context = nullptr;
    ze_command_list_handle_t list = nullptr;
  };
  /// The text when a work-item faults: number 37 of work-group (3, 2, 0) if there are 64 in each.
  std::string messageOfFault(const char *name, uint32_t items = 64) {
    constexpr uint32_t kX = 64 * 3 + 37, kY = 2;
    OtherContext other(driver, dev);
    auto *data = device<int>(64 * 8 + 1);
    std::fill_n(data, 64 * 8, 1);
    data[kX] = 0;
    auto faulty = kernel(name, items);
    setArguments(faulty, data, kX, kY, name == std::string("divide_by_data") ? int64_t{64 * 8} : kWild);
    ze_group_count_t count{64 * 8 / items, 4, 1};
    testing::internal::CaptureStderr();
    EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST,
              zeCommandListAppendLaunchKernel(other.list, faulty, &count, nullptr, 0, nullptr));
    std::string message = testing::internal::GetCapturedStderr();
    EXPECT_NE(message.find("hiplz: kernel " + std::string(name) + ": "), std::string::npos) << message;
    return message;
  }
  /// A new context on the same device executes kernels and copies as if nothing had happened.
  void expectDeviceUsable() {
    OtherContext fresh(driver, dev);
    int counter = 0;
    int *pointer = &counter;
    auto count = kernel("count", 8);
    setArguments(count, pointer);
    ZE_OK(launch(fresh.list, count, nullptr, 1000));
    EXPECT_EQ(8000, counter);
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeContextGetStatus(fresh.context));
  }
};

class ScalarFaults : public Faults {
  const char *buildFlags() const override { return "-hiplz-scalar"; }
};

TEST_F(Faults, AWildStoreLosesTheDevice) {
  auto list = immediate();
  auto done = event();
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeContextGetStatus(context));
  ZE_OK(launch(list, wildStore(), done));
  EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, zeEventHostSynchronize(done, kForever));
  EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, zeEventQueryStatus(done));
  EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, zeContextGetStatus(context));
  EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, zeDeviceGetStatus(dev));
  expectDeviceUsable();
}

// The event may be heard of before the stream has ended.
TEST_F(Faults, ALossEndsWithItsContext) {
  auto store = wildStore();
  for (int round = 0; round < 50; ++round) {
    {
      OtherContext own(driver, dev, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
      auto done = event();
      ZE_OK(launch(own.list, store, done));
      EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, zeEventHostSynchronize(done, kForever));
      EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, zeDeviceGetStatus(dev));
    }
    ASSERT_EQ(ZE_RESULT_SUCCESS, zeDeviceGetStatus(dev)) << "in round " << round;
  }
}

TEST_F(Faults, DivisionByZero) {
  auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  auto divide = kernel("divide", 16);
  auto *out = device<int>(16 * 4);
  int divisor = 5;
  setArguments(divide, out, divisor);
  ZE_OK(launch(list, divide, nullptr, 4));
  EXPECT_EQ(20, out[63]);
  divisor = 0;
  setArguments(divide, out, divisor);
  EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, launch(list, divide, nullptr, 4));
  expectDeviceUsable();
}

// With work-items executed together and one by one, and without HIPLZ_LOG.
TEST_F(ScalarFaults, TheWorkItemIsNamed) {
  for (const char *name :
       {"fault_in_vectors", "fault_in_place", "fault_in_loop", "fault_after_barrier", "divide_by_data"}) {
    const std::string message = messageOfFault(name);
    EXPECT_NE(message.find("in work-group (3, 2, 0), work-item (37, 0, 0); the device is lost"), std::string::npos)
        << message;
  }
}

// Of a kernel without loops and barriers the vector path names the work-item, too; of others the warp, and how to learn
// more. It divides without a fault.
TEST_F(Faults, TheWorkItemOrItsWarpIsNamed) {
  for (const char *name : {"fault_in_vectors", "fault_in_place"}) {
    const std::string message = messageOfFault(name);
    EXPECT_NE(message.find("in work-group (3, 2, 0), work-item (37, 0, 0); the device is lost"), std::string::npos)
        << message;
  }
  for (const char *name : {"fault_in_loop", "fault_after_barrier"}) {
    const std::string message = messageOfFault(name);
    unsigned count = 0, first = 0;
    const size_t at = message.find("one of the ");
    ASSERT_NE(at, std::string::npos) << message;
    ASSERT_EQ(2, std::sscanf(message.c_str() + at,
                             "one of the %u work-items from (%u, 0, 0) on (HIPLZ_CPU_VECTORIZE=0 tells which)", &count,
                             &first))
        << message;
    EXPECT_TRUE(first <= 37 && 37 < first + count && count <= 32) << message;
  }
}

// Where one warp has several work-groups, those are named.
TEST_F(Faults, TheTinyWorkGroupIsNamed) {
  for (uint32_t items : {1u, 4u}) {
    constexpr uint32_t kX = 64 * 3 + 37;
    char place[64];
    std::snprintf(place, sizeof place, "in work-group (%u, 2, 0), work-item (%u, 0, 0); the device is lost", kX / items,
                  kX % items);
    const std::string exact = messageOfFault("fault_in_vectors", items);
    EXPECT_NE(exact.find(place), std::string::npos) << exact;
    const std::string message = messageOfFault("fault_in_loop", items);
    const size_t at = message.find("in work-group (");
    unsigned first = 0, behind = 0;
    ASSERT_NE(at, std::string::npos) << message;
    ASSERT_EQ(2, std::sscanf(message.c_str() + at,
                             "in work-group (%u, 2, 0), or one of the %u behind it in x; the device", &first, &behind))
        << message;
    EXPECT_TRUE(first <= kX / items && kX / items <= first + behind && behind < 32) << message;
  }
}

// Nothing of the application's or the driver's lies near an allocation, whatever its size.
TEST_F(Faults, WritesNearAnAllocationFault) {
  auto store = kernel("store_at", 4);
  const int64_t page = ::sysconf(_SC_PAGESIZE), last = 64 << 10;
  for (const size_t bytes : {size_t{1}, size_t{3960}, size_t{4096}, size_t{300'000}, size_t{5} << 20}) {
    auto *base = reinterpret_cast<int *>(device<char>(bytes));
    const int64_t end = (static_cast<int64_t>(bytes) + page - 1) / page * page;
    for (const int64_t distance : {end, end + 10'240, end + last - 4, -int64_t{4}, -last}) {
      OtherContext own(driver, dev);
      int64_t index = distance / 4;
      int value = 1;
      setArguments(store, base, index, value);
      testing::internal::CaptureStderr();
      EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, launch(own.list, store, nullptr)) << bytes << " bytes, at " << distance;
      const std::string message = testing::internal::GetCapturedStderr();
      if (distance == end) // others may be nearer to the other places
        EXPECT_NE(message.find("behind the end of an allocation of " + std::to_string(bytes) + " bytes at "),
                  std::string::npos)
            << message;
    }
  }
}

// Its addresses are not used again soon.
TEST_F(Faults, FreedMemoryIsNamed) {
  OtherContext own(driver, dev);
  auto store = kernel("store_at", 4);
  ze_device_mem_alloc_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  void *freed = nullptr;
  ZE_OK(zeMemAllocDevice(context, &desc, 12'345, 0, dev, &freed));
  ZE_OK(zeMemFree(context, freed));
  for (int round = 0; round < 100; ++round)
    device<char>(12'345);
  int64_t index = 7;
  int value = 1;
  int *base = static_cast<int *>(freed);
  setArguments(store, base, index, value);
  testing::internal::CaptureStderr();
  EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, launch(own.list, store, nullptr));
  const std::string message = testing::internal::GetCapturedStderr();
  EXPECT_NE(message.find("in an allocation of 12345 bytes at "), std::string::npos) << message;
  EXPECT_NE(message.find(" that has been freed, in work-group (0, 0, 0), work-item (3, 0, 0)"), std::string::npos)
      << message;
}

// The stack of a thread that waits may be smaller than what a kernel needs.
TEST_F(Faults, LargePrivateArraysLeaveTheApplicationsMemoryAlone) {
  constexpr size_t kData = 16 << 20, kGuard = 4096, kStack = 512 << 10;
  auto *memory = static_cast<unsigned char *>(
      ::mmap(nullptr, kData + kGuard + kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  std::memset(memory, 0x5a, kData);
  ASSERT_EQ(0, ::mprotect(memory + kData, kGuard, PROT_NONE));
  struct Work {
    ze_driver_handle_t driver;
    ze_device_handle_t device;
    long *out;
    ze_kernel_handle_t kernel;
  } work{driver, dev, device<long>(2), kernel("large_private")};
  const int number = 1;
  setArguments(work.kernel, work.out, number);
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ASSERT_EQ(0, ::pthread_attr_setstack(&attributes, memory + kData + kGuard, kStack));
  pthread_t thread;
  ASSERT_EQ(0, ::pthread_create(
                   &thread, &attributes,
                   [](void *argument) -> void * {
                     auto &work = *static_cast<Work *>(argument);
                     OtherContext own(work.driver, work.device);
                     for (int round = 0; round < 50; ++round) {
                       work.out[0] = 0;
                       EXPECT_EQ(ZE_RESULT_SUCCESS, launch(own.list, work.kernel, nullptr));
                       EXPECT_EQ(64 * 63 / 2 + 64, work.out[0]);
                     }
                     return nullptr;
                   },
                   &work));
  ::pthread_join(thread, nullptr);
  size_t changed = 0;
  for (size_t i = 0; i < kData; ++i)
    changed += memory[i] != 0x5a;
  EXPECT_EQ(0u, changed);
  ::munmap(memory, kData + kGuard + kStack);
}

TEST_F(Faults, LocalMemoryIsGuarded) {
  auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  auto overrun = kernel("overrun_local");
  auto *out = device<int>(1);
  int64_t index = (64 << 10) / 4 - 1;
  ZE_OK(zeKernelSetArgumentValue(overrun, 0, 64 << 10, nullptr));
  ZE_OK(zeKernelSetArgumentValue(overrun, 1, sizeof index, &index));
  ZE_OK(zeKernelSetArgumentValue(overrun, 2, sizeof out, &out));
  ZE_OK(launch(list, overrun, nullptr));
  ++index;
  ZE_OK(zeKernelSetArgumentValue(overrun, 1, sizeof index, &index));
  EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, launch(list, overrun, nullptr));
}

TEST_F(Faults, InTheMiddleOfBarriers) {
  auto *out = device<int>(64);
  auto between = kernel("store_between_barriers", 64);
  for (int round = 0; round < 3; ++round) {
    OtherContext other(driver, dev);
    int64_t index = 3;
    setArguments(between, out, index);
    ZE_OK(launch(other.list, between, nullptr));
    EXPECT_EQ(7, out[3]);
    index = kWild;
    setArguments(between, out, index);
    EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, launch(other.list, between, nullptr));
  }
}

TEST_F(Faults, InALaunchOnAllThreads) {
  auto list = immediate();
  auto done = event();
  ZE_OK(launch(list, wildStore(256), done, 100000));
  EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, zeEventHostSynchronize(done, kForever));
  expectDeviceUsable();
}

// The waiting thread executes work-groups itself.
TEST_F(Faults, OnAThreadThatBlocksSignals) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  std::thread([&] {
    auto list = immediate();
    auto done = event();
    ZE_OK(launch(list, wildStore(256), done, 1000));
    EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, zeEventHostSynchronize(done, kForever));
  }).join();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  expectDeviceUsable();
}

TEST_F(Faults, CopiesFaultToo) {
  auto list = immediate();
  auto done = event();
  int local = 0;
  ZE_OK(zeCommandListAppendMemoryCopy(list, reinterpret_cast<void *>(kWild), &local, sizeof local, done, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, zeEventHostSynchronize(done, kForever));
  expectDeviceUsable();
}

TEST_F(Faults, IndirectCountsFaultToo) {
  auto list = immediate();
  auto done = event();
  auto *counts = reinterpret_cast<ze_group_count_t *>(kWild);
  ZE_OK(zeCommandListAppendLaunchKernelIndirect(list, wildStore(), counts, done, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, zeEventHostSynchronize(done, kForever));
}

TEST_F(Faults, WhatFollowsIsNotExecutedButSignals) {
  auto list = immediate();
  auto gate = event(), after = event(), other = event();
  int source = 1, target = 0;
  ZE_OK(zeCommandListAppendBarrier(list, nullptr, 1, &gate));
  ZE_OK(launch(list, wildStore(), nullptr));
  ZE_OK(zeCommandListAppendMemoryCopy(list, &target, &source, sizeof source, after, 0, nullptr));
  // Another list of the same context waits for this one.
  auto waiting = immediate();
  ZE_OK(zeCommandListAppendMemoryCopy(waiting, &target, &source, sizeof source, other, 1, &after));
  ZE_OK(zeEventHostSignal(gate));
  EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, zeEventHostSynchronize(after, kForever));
  EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, zeEventHostSynchronize(other, kForever));
  EXPECT_EQ(0, target);
  EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST,
            zeCommandListAppendMemoryCopy(list, &target, &source, sizeof source, nullptr, 0, nullptr));
  ZE_OK(zeEventHostReset(after));
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventQueryStatus(after)) << "a reset event forgets the fault";
}

TEST_F(Faults, QueuesAndFencesReportIt) {
  auto commands = queue();
  auto list = regular();
  ZE_OK(launch(list, wildStore(), nullptr));
  ZE_OK(zeCommandListClose(list));
  auto done = fence(commands);
  ZE_OK(zeCommandQueueExecuteCommandLists(commands, 1, &list, done));
  EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, zeFenceHostSynchronize(done, kForever));
  EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, zeFenceQueryStatus(done));
  EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, zeCommandQueueSynchronize(commands, kForever));
  EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, zeCommandQueueExecuteCommandLists(commands, 1, &list, nullptr));
}

} // namespace
