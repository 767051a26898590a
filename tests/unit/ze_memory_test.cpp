// SPDX-License-Identifier: MIT
// The owner of device memory, on functions of Level Zero that only count: this program has no device, and its own
// definitions take the place of the loader's.
#include "lz/core/error.h"
#include "lz/core/ze_memory.h"

#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

using namespace hiplz;

namespace {

int contextObject, deviceObject;
const auto kContext = reinterpret_cast<ze_context_handle_t>(&contextObject);
const auto kDevice = reinterpret_cast<ze_device_handle_t>(&deviceObject);

std::byte memory[4]; // what is "allocated" next is the next byte
size_t allocated;
ze_result_t answer;
std::vector<void *> freed;
size_t lastBytes, lastAlignment;

ze_result_t allocate(size_t bytes, size_t alignment, void **pointer) {
  lastBytes = bytes;
  lastAlignment = alignment;
  if (answer == ZE_RESULT_SUCCESS)
    *pointer = &memory[allocated++];
  return answer;
}

class ZeMemoryTest : public testing::Test {
protected:
  ZeMemoryTest() {
    allocated = 0;
    answer = ZE_RESULT_SUCCESS;
    freed.clear();
  }
};

} // namespace

ze_result_t ZE_APICALL zeMemAllocDevice(ze_context_handle_t, const ze_device_mem_alloc_desc_t *, size_t bytes,
                                        size_t alignment, ze_device_handle_t device, void **pointer) {
  EXPECT_EQ(device, kDevice);
  return allocate(bytes, alignment, pointer);
}
ze_result_t ZE_APICALL zeMemAllocHost(ze_context_handle_t, const ze_host_mem_alloc_desc_t *, size_t bytes,
                                      size_t alignment, void **pointer) {
  return allocate(bytes, alignment, pointer);
}
ze_result_t ZE_APICALL zeMemFree(ze_context_handle_t context, void *pointer) {
  EXPECT_EQ(context, kContext);
  freed.push_back(pointer);
  return answer;
}

TEST_F(ZeMemoryTest, isFreedWithItsOwner) {
  {
    const ZeMemory device = ZeMemory::onDevice(kContext, kDevice, 100, 64);
    EXPECT_EQ(lastBytes, 100u);
    EXPECT_EQ(lastAlignment, 64u);
    EXPECT_EQ(device.get(), &memory[0]);
    EXPECT_EQ(device.address(), reinterpret_cast<uintptr_t>(&memory[0]));
    const ZeMemory host = ZeMemory::onHost(kContext, 7, 0);
    EXPECT_EQ(lastBytes, 7u);
    EXPECT_TRUE(freed.empty());
  }
  EXPECT_EQ(freed, (std::vector<void *>{&memory[1], &memory[0]}));
}

TEST_F(ZeMemoryTest, hasOneOwner) {
  static_assert(!std::is_copy_constructible_v<ZeMemory> && !std::is_copy_assignable_v<ZeMemory>);
  {
    ZeMemory first = ZeMemory::onHost(kContext, 1, 0), second = ZeMemory::onHost(kContext, 1, 0);
    ZeMemory third(std::move(first));
    EXPECT_FALSE(first);
    second = std::move(third); // frees what it had
    EXPECT_EQ(freed, (std::vector<void *>{&memory[1]}));
    EXPECT_EQ(second.get(), &memory[0]);
    EXPECT_FALSE(third);
  }
  EXPECT_EQ(freed, (std::vector<void *>{&memory[1], &memory[0]}));
}

TEST_F(ZeMemoryTest, canBeGivenAwayOrFreedAtOnce) {
  {
    ZeMemory given = ZeMemory::onHost(kContext, 1, 0), ended = ZeMemory::onHost(kContext, 1, 0), empty;
    EXPECT_EQ(given.release(), &memory[0]);
    answer = ZE_RESULT_ERROR_DEVICE_LOST;
    EXPECT_EQ(ended.reset(), ZE_RESULT_ERROR_DEVICE_LOST);
    EXPECT_EQ(ended.reset(), ZE_RESULT_SUCCESS);
    EXPECT_EQ(empty.reset(), ZE_RESULT_SUCCESS);
  }
  EXPECT_EQ(freed, (std::vector<void *>{&memory[1]}));
}

TEST_F(ZeMemoryTest, throwsIfThereIsNone) {
  answer = ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  EXPECT_THROW(ZeMemory::onDevice(kContext, kDevice, 1, 0), HipError);
  EXPECT_THROW(ZeMemory::onHost(kContext, 1, 0), HipError);
  EXPECT_TRUE(freed.empty());
}
