// SPDX-License-Identifier: MIT
// Allocation, what the driver knows about pointers, and copies and fills of all shapes.
#include "../../src/base/sanitizer.h"
#include "support.h"

#include <bit>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <numeric>
#include <string>
#include <utility>

namespace {

class Memory : public DriverTest {
protected:
  void *host(size_t bytes) {
    ze_host_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
    void *pointer = nullptr;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeMemAllocHost(context, &desc, bytes, 0, &pointer));
    return pointer;
  }
  ze_memory_allocation_properties_t properties(const void *pointer, ze_device_handle_t *device = nullptr) {
    ze_memory_allocation_properties_t out{};
    out.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeMemGetAllocProperties(context, pointer, &out, device));
    return out;
  }
};

TEST_F(Memory, KindsAreKnownByAnyPointerIntoThem) {
  auto *onDevice = device<char>(100);
  auto *onHost = static_cast<char *>(host(1 << 20));
  ze_device_mem_alloc_desc_t deviceDesc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  ze_host_mem_alloc_desc_t hostDesc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  void *shared = nullptr;
  ZE_OK(zeMemAllocShared(context, &deviceDesc, &hostDesc, 5 << 20, 0, nullptr, &shared));
  ze_device_handle_t owner = nullptr;
  EXPECT_EQ(ZE_MEMORY_TYPE_DEVICE, properties(onDevice + 99, &owner).type);
  EXPECT_EQ(dev, owner);
  EXPECT_EQ(ZE_MEMORY_TYPE_HOST, properties(onHost + 12345, &owner).type);
  EXPECT_EQ(nullptr, owner);
  EXPECT_EQ(ZE_MEMORY_TYPE_SHARED, properties(shared).type);
  int local = 0;
  EXPECT_EQ(ZE_MEMORY_TYPE_UNKNOWN, properties(&local, &owner).type);
  EXPECT_EQ(nullptr, owner);
  EXPECT_NE(properties(onDevice).id, properties(onHost).id);
  void *base = nullptr;
  size_t size = 0;
  ZE_OK(zeMemGetAddressRange(context, onHost + 77, &base, &size));
  EXPECT_EQ(onHost, base);
  EXPECT_EQ(size_t{1} << 20, size);
  EXPECT_NE(ZE_RESULT_SUCCESS, zeMemGetAddressRange(context, &local, &base, &size));
  ZE_OK(zeMemFree(context, onHost));
  EXPECT_EQ(ZE_MEMORY_TYPE_UNKNOWN, properties(onHost).type);
  ZE_OK(zeMemFree(context, shared));
}

TEST_F(Memory, AlignmentIsKept) {
  for (size_t size : {size_t{1}, size_t{100}, size_t{300} << 10, size_t{3} << 20})
    for (size_t alignment = 1; alignment <= (4 << 20); alignment *= 4) {
      ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
      void *pointer = nullptr;
      ZE_OK(zeMemAllocDevice(context, &desc, size, alignment, dev, &pointer));
      EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(pointer) % alignment);
      std::memset(pointer, 1, size);
      ZE_OK(zeMemFree(context, pointer));
    }
}

TEST_F(Memory, BadRequestsGetTheirErrors) {
  ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  void *pointer = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, zeMemAllocDevice(context, &desc, 0, 0, dev, &pointer));
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, zeMemAllocDevice(context, &desc, 64, 3, dev, &pointer));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeMemAllocDevice(context, &desc, 64, 0, nullptr, &pointer));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeMemAllocDevice(nullptr, &desc, 64, 0, dev, &pointer));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeMemAllocDevice(context, nullptr, 64, 0, dev, &pointer));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeMemAllocDevice(context, &desc, 64, 0, dev, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, zeMemAllocDevice(context, &desc, SIZE_MAX / 2, 0, dev, &pointer));
  ze_host_mem_alloc_desc_t hostDesc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  EXPECT_EQ(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, zeMemAllocHost(context, &hostDesc, SIZE_MAX / 2, 0, &pointer));
  hostDesc.flags = 1u << 20;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, zeMemAllocHost(context, &hostDesc, 64, 0, &pointer));
  int local;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemFree(context, &local));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeMemFree(context, nullptr));
  auto *memory = static_cast<char *>(host(64));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemFree(context, memory + 1));
  ZE_OK(zeMemFree(context, memory));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemFree(context, memory)) << "freed twice";
}

TEST_F(Memory, BlockingFreeWaitsForTheDevice) {
  auto list = immediate();
  auto gate = event();
  void *pointer = host(1 << 20);
  std::vector<char> result(1 << 20);
  ZE_OK(zeCommandListAppendWaitOnEvents(list, 1, &gate));
  char pattern = 7;
  ZE_OK(zeCommandListAppendMemoryFill(list, pointer, &pattern, 1, 1 << 20, nullptr, 0, nullptr));
  ZE_OK(zeCommandListAppendMemoryCopy(list, result.data(), pointer, 1 << 20, nullptr, 0, nullptr));
  ZE_OK(zeEventHostSignal(gate));
  ze_memory_free_ext_desc_t desc{ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC, nullptr,
                                 ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE};
  ZE_OK(zeMemFreeExt(context, &desc, pointer));
  EXPECT_EQ(1 << 20, std::count(result.begin(), result.end(), 7));
  int local;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemFreeExt(context, &desc, &local));
}

TEST_F(Memory, DeferredFreeWaitsForWhatIsSubmitted) {
  ze_driver_memory_free_ext_properties_t policies{ZE_STRUCTURE_TYPE_DRIVER_MEMORY_FREE_EXT_PROPERTIES, nullptr, 0};
  ze_driver_properties_t driverProperties{};
  driverProperties.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES;
  driverProperties.pNext = &policies;
  ZE_OK(zeDriverGetProperties(driver, &driverProperties));
  EXPECT_EQ(
      uint32_t{ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE | ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE},
      policies.freePolicies);
  ze_device_memory_properties_t memory{};
  memory.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES;
  uint32_t count = 1;
  ZE_OK(zeDeviceGetMemoryProperties(dev, &count, &memory));
  ze_device_mem_alloc_desc_t deviceDesc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  ze_memory_free_ext_desc_t desc{ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC, nullptr,
                                 ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE};
  size_t most = memory.totalSize / 8 * 5; // not twice
  auto list = immediate();
  auto gate = event(), done = event();
  void *pointer = nullptr, *more = nullptr;
  ZE_OK(zeMemAllocDevice(context, &deviceDesc, most, 0, dev, &pointer));
  char pattern = 7, result = 0;
  ZE_OK(zeCommandListAppendWaitOnEvents(list, 1, &gate));
  ZE_OK(zeCommandListAppendMemoryFill(list, pointer, &pattern, 1, 1 << 16, nullptr, 0, nullptr));
  ZE_OK(zeCommandListAppendMemoryCopy(list, &result, pointer, 1, nullptr, 0, nullptr));
  ZE_OK(zeMemFreeExt(context, &desc, pointer));
  EXPECT_EQ(ZE_MEMORY_TYPE_UNKNOWN, properties(pointer).type) << "for the application it is freed";
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemFree(context, pointer));
  EXPECT_EQ(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, zeMemAllocDevice(context, &deviceDesc, most, 0, dev, &more))
      << "the stream still has it";
  // `done` is signalled by a command behind those that the memory waits for, when these are counted.
  ZE_OK(zeCommandListAppendSignalEvent(list, done));
  ZE_OK(zeEventHostSignal(gate));
  ZE_OK(zeEventHostSynchronize(done, kForever));
  EXPECT_EQ(7, result);
  ZE_OK(zeMemAllocDevice(context, &deviceDesc, most, 0, dev, &more));
  ZE_OK(zeMemFree(context, more));
  ZE_OK(zeMemAllocDevice(context, &deviceDesc, most, 0, dev, &more));
  ZE_OK(zeMemFree(context, more));
}

TEST_F(Memory, CopiesOfEverySize) {
  auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  constexpr size_t kMost = 9 << 20;
  std::vector<uint8_t> source(kMost), result(kMost);
  for (size_t index = 0; index < kMost; ++index)
    source[index] = static_cast<uint8_t>(index * 2654435761u >> 13);
  auto *buffer = device<uint8_t>(kMost);
  for (size_t size : {size_t{0}, size_t{1}, size_t{63}, size_t{4097}, (size_t{256} << 10) - 1, (size_t{256} << 10) + 1,
                      size_t{3} << 20, kMost}) {
    std::fill(result.begin(), result.end(), 0);
    ZE_OK(zeCommandListAppendMemoryCopy(list, buffer, source.data(), size, nullptr, 0, nullptr));
    ZE_OK(zeCommandListAppendMemoryCopy(list, result.data(), buffer, size, nullptr, 0, nullptr));
    EXPECT_EQ(0, std::memcmp(result.data(), source.data(), size)) << size;
    EXPECT_TRUE(size == kMost || result[size] == 0) << size;
  }
}

TEST_F(Memory, FillsWithEveryPattern) {
  auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  constexpr size_t kMost = (1 << 20) + 256;
  auto *buffer = device<uint8_t>(kMost);
  uint8_t pattern[128];
  std::iota(pattern, pattern + 128, 1);
  for (size_t patternSize = 1; patternSize <= 128; patternSize *= 2)
    for (size_t size : {size_t{0}, patternSize, size_t{384}, size_t{512} << 10, size_t{1} << 20}) {
      if (size % patternSize)
        continue;
      std::memset(buffer, 0xee, kMost);
      ZE_OK(zeCommandListAppendMemoryFill(list, buffer, pattern, patternSize, size, nullptr, 0, nullptr));
      for (size_t index = 0; index < size; ++index)
        ASSERT_EQ(pattern[index % patternSize], buffer[index]) << patternSize << " " << size << " " << index;
      ASSERT_EQ(0xee, buffer[size]);
    }
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_SIZE,
            zeCommandListAppendMemoryFill(list, buffer, pattern, 3, 9, nullptr, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_SIZE,
            zeCommandListAppendMemoryFill(list, buffer, pattern, size_t{1} << 31, 256, nullptr, 0, nullptr));
}

TEST_F(Memory, RegionsOfTwoAndThreeDimensions) {
  auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  constexpr uint32_t kPitch = 700, kRows = 300, kSlices = 7;
  std::vector<uint8_t> source(kPitch * kRows * kSlices), target(source.size(), 0);
  for (size_t index = 0; index < source.size(); ++index)
    source[index] = static_cast<uint8_t>(index % 251);
  ze_copy_region_t from{13, 5, 1, 600, 200, 5}, to{50, 90, 2, 600, 200, 5};
  ZE_OK(zeCommandListAppendMemoryCopyRegion(list, target.data(), &to, kPitch, kPitch * kRows, source.data(), &from,
                                            kPitch, kPitch * kRows, nullptr, 0, nullptr));
  auto at = [](uint32_t x, uint32_t y, uint32_t z) { return (size_t{z} * kRows + y) * kPitch + x; };
  for (uint32_t z = 0; z < kSlices; ++z)
    for (uint32_t y = 0; y < kRows; ++y)
      for (uint32_t x = 0; x < kPitch; ++x) {
        bool inside = x >= 50 && x < 650 && y >= 90 && y < 290 && z >= 2;
        uint8_t expected = inside ? source[at(x - 37, y - 85, z - 1)] : 0;
        ASSERT_EQ(expected, target[at(x, y, z)]) << x << " " << y << " " << z;
      }
  // A plain rectangle: depth zero, pitches of the row itself.
  ze_copy_region_t flat{0, 0, 0, 20, 10, 0};
  std::fill(target.begin(), target.end(), 0);
  ZE_OK(zeCommandListAppendMemoryCopyRegion(list, target.data(), &flat, 0, 0, source.data(), &flat, kPitch, 0, nullptr,
                                            0, nullptr));
  for (uint32_t y = 0; y < 10; ++y)
    for (uint32_t x = 0; x < 20; ++x)
      ASSERT_EQ(source[at(x, y, 0)], target[y * 20 + x]);
  ze_copy_region_t other{0, 0, 0, 21, 10, 0};
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_SIZE,
            zeCommandListAppendMemoryCopyRegion(list, target.data(), &flat, 0, 0, source.data(), &other, 0, 0, nullptr,
                                                0, nullptr));
}

#if !HIPLZ_ADDRESS_SANITIZER // which would find the overruns
// An application that writes beyond its memory, in both directions, damages nothing of the driver.
TEST_F(Memory, OverrunsOfSmallBlocksStayAwayFromTheDriver) {
  ze_host_mem_alloc_desc_t hostDesc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  ze_device_mem_alloc_desc_t deviceDesc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  std::vector<std::pair<void *, size_t>> blocks;
  for (size_t size : {1, 100, 256, 257, 1000, 5000, 40'000, 131'072})
    for (int i = 0; i < 4; ++i) { // no more of a size than what is mapped together
      void *memory = nullptr;
      if (i % 2)
        ZE_OK(zeMemAllocShared(context, &deviceDesc, &hostDesc, size, 0, dev, &memory));
      else
        ZE_OK(zeMemAllocHost(context, &hostDesc, size, 0, &memory));
      blocks.emplace_back(memory, size);
      // The driver's own allocations meanwhile.
      auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
      ZE_OK(zeCommandListAppendMemoryFill(list, memory, "x", 1, size, nullptr, 0, nullptr));
    }
  // Memory before the first block and behind the last one of those that are mapped together is inaccessible, which is the
  // application's fault to find out.
  auto isBlock = [&](const char *address) {
    return std::any_of(blocks.begin(), blocks.end(), [&](const auto &block) { return block.first == address; });
  };
  for (const auto &[memory, size] : blocks) {
    auto *bytes = static_cast<char *>(memory);
    const size_t distance = std::bit_ceil(std::max<size_t>(size, 256));
    if (size + 64 <= distance || isBlock(bytes + distance))
      std::memset(bytes + size, 0x5a, 64);
    if (isBlock(bytes - distance))
      std::memset(bytes - 64, 0x5a, 64);
  }
  for (const auto &[memory, size] : blocks)
    ZE_OK(zeMemFree(context, memory));
  void *again = host(1000);
  EXPECT_EQ(ZE_MEMORY_TYPE_HOST, properties(again).type);
  ZE_OK(zeMemFree(context, again));
}
#endif

TEST_F(Memory, SmallBlocksAreApartAndUsedAgain) {
  ze_host_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  std::vector<std::pair<char *, size_t>> blocks;
  for (int round = 0; round < 3; ++round) {
    for (size_t size = 1; size < 300'000; size = size * 3 / 2 + 1)
      for (size_t alignment : {size_t{0}, size_t{64}, size_t{4096}, size_t{131'072}, size_t{1} << 20}) {
        void *memory = nullptr;
        ZE_OK(zeMemAllocHost(context, &desc, size, alignment, &memory));
        EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(memory) % std::max<size_t>(alignment, 256)) << size;
        std::memset(memory, static_cast<int>(blocks.size()), size);
        blocks.emplace_back(static_cast<char *>(memory), size);
      }
    for (size_t i = 0; i < blocks.size(); ++i)
      for (size_t at : {size_t{0}, blocks[i].second - 1})
        EXPECT_EQ(static_cast<char>(i), blocks[i].first[at]);
    for (const auto &[memory, size] : blocks)
      ZE_OK(zeMemFree(context, memory));
    blocks.clear();
  }
}

TEST_F(Memory, WhatCannotBeHadIsRefused) {
  void *function = nullptr;
  ZE_OK(zeDriverGetExtensionFunctionAddress(driver, "hiplzDeviceGetUsableMemory", &function));
  auto usable = [&] {
    uint64_t bytes = 0;
    EXPECT_EQ(ZE_RESULT_SUCCESS,
              reinterpret_cast<ze_result_t (*)(ze_device_handle_t, uint64_t *)>(function)(dev, &bytes));
    return bytes;
  };
  uint64_t total = 0;
  std::ifstream info("/proc/meminfo");
  for (std::string word; info >> word && word != "MemTotal:";)
    ;
  info >> total;
  total *= 1024;
  const uint64_t before = usable();
  EXPECT_GT(before, 0u);
  EXPECT_LE(before, total) << "the driver has no more than the machine";
  // Others may take and give back memory while this runs, though not an eighth of the machine.
  const uint64_t slack = total / 8;
  ze_host_mem_alloc_desc_t hostDesc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  ze_device_mem_alloc_desc_t deviceDesc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  ze_physical_mem_desc_t physicalDesc{ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, nullptr, 0, (before + slack) / 4096 * 4096};
  ze_physical_mem_handle_t physical = nullptr;
  void *memory = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, zeMemAllocHost(context, &hostDesc, before + slack, 0, &memory));
  EXPECT_EQ(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY,
            zeMemAllocDevice(context, &deviceDesc, before + slack, 0, dev, &memory));
  EXPECT_EQ(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY,
            zeMemAllocShared(context, &deviceDesc, &hostDesc, before + slack, 0, dev, &memory));
  EXPECT_EQ(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, zePhysicalMemCreate(context, dev, &physicalDesc, &physical));
  // Memory that has no pages yet counts, whatever it is called, and counts once when it has.
  ASSERT_GT(before, 4 * slack);
  physicalDesc.size = before / 4 / 4096 * 4096;
  ZE_OK(zeMemAllocHost(context, &hostDesc, before / 2, 0, &memory));
  ZE_OK(zePhysicalMemCreate(context, dev, &physicalDesc, &physical));
  void *more = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY,
            zeMemAllocDevice(context, &deviceDesc, before / 4 + slack, 0, dev, &more));
  const uint64_t untouched = usable();
  std::memset(memory, 1, 256 << 20);
  const uint64_t touched = usable();
  EXPECT_LT(std::max(touched, untouched) - std::min(touched, untouched), slack);
  ZE_OK(zeMemFree(context, memory));
  ZE_OK(zePhysicalMemDestroy(context, physical));
  ZE_OK(zeMemAllocDevice(context, &deviceDesc, before / 2, 0, dev, &memory));
  ZE_OK(zeMemFree(context, memory));
}

TEST_F(Memory, HintsAndResidencyAreAccepted) {
  auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  auto *buffer = device<char>(4096);
  ZE_OK(zeCommandListAppendMemoryPrefetch(list, buffer, 4096));
  // The last two are of specification 1.9, and older validation layers do not know them.
  const int last = handlesAreWrapped() ? ZE_MEMORY_ADVICE_BIAS_UNCACHED : 9;
  for (int advice = 0; advice <= last; ++advice)
    EXPECT_EQ(ZE_RESULT_SUCCESS,
              zeCommandListAppendMemAdvise(list, dev, buffer, 4096, static_cast<ze_memory_advice_t>(advice)))
        << advice;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION,
            zeCommandListAppendMemAdvise(list, dev, buffer, 4096, static_cast<ze_memory_advice_t>(10)));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER,
            zeCommandListAppendMemAdvise(list, dev, nullptr, 4096, ZE_MEMORY_ADVICE_BIAS_CACHED));
  ZE_OK(zeContextMakeMemoryResident(context, dev, buffer, 4096));
  ZE_OK(zeContextEvictMemory(context, dev, buffer, 4096));
  ZE_OK(zeContextSystemBarrier(context, dev));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_SIZE, zeContextMakeMemoryResident(context, dev, buffer, 0));
}

} // namespace
