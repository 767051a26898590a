// SPDX-License-Identifier: MIT
// The memory pool by itself, on the CPU device: how segments are cut and joined, and what a stream point holds back. The
// points are events that the test signals, so nothing depends on the speed of a stream.
#include "lz/memory/memory_pool.h"

#include "lz/context/context.h"
#include "lz/device/device.h"
#include "lz/stream/device_queues.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>
#include <thread>

namespace hiplz {
namespace {

constexpr size_t kKiB = 1 << 10, kMiB = 1 << 20;
constexpr size_t kSegment = 2 * kMiB; // of small requests, as docs say

class MemoryPool : public testing::Test {
protected:
  LZDevice &device_ = LZContext::instance().device(0);
  LZEventPool events_{device_.zeContext(), false};

  static uint64_t attribute(const LZMemoryPool &pool, hipMemPoolAttr which) {
    uint64_t value = 0;
    EXPECT_EQ(pool.attribute(which, &value), hipSuccess);
    return value;
  }
  static uint64_t reserved(const LZMemoryPool &pool) { return attribute(pool, hipMemPoolAttrReservedMemCurrent); }
  static uint64_t used(const LZMemoryPool &pool) { return attribute(pool, hipMemPoolAttrUsedMemCurrent); }

  /// A point in the order of a stream that no class knows, which comes when its event is signalled.
  StreamPoint point(uint64_t queue, uint64_t count = 1) {
    return {.queue = queue, .count = count, .event = events_.acquire()};
  }
  static void reach(const LZEventRef &event) { ASSERT_EQ(zeEventHostSignal(event.ze()), ZE_RESULT_SUCCESS); }
};

TEST_F(MemoryPool, smallRequestsShareASegment) {
  LZMemoryPool pool(device_, {});
  PoolBlock &one = pool.allocate(1000, nullptr), &two = pool.allocate(3000, nullptr),
            &large = pool.allocate(2 * kMiB, nullptr);
  EXPECT_EQ(one.segmentBase(), two.segmentBase());
  EXPECT_NE(one.base(), two.base());
  EXPECT_NE(one.segmentBase(), large.segmentBase());
  EXPECT_EQ(&one.pool(), &pool);
  EXPECT_EQ(reserved(pool), kSegment + 2 * kMiB);
  EXPECT_EQ(used(pool), 1000 + 3000 + 2 * kMiB);
  for (PoolBlock *block : {&one, &two, &large})
    pool.free(*block, {});
  EXPECT_TRUE(pool.empty());
  EXPECT_EQ(used(pool), 0u);
  EXPECT_EQ(attribute(pool, hipMemPoolAttrUsedMemHigh), 1000 + 3000 + 2 * kMiB);
}

TEST_F(MemoryPool, freedNeighboursAreJoinedInAnyOrder) {
  std::mt19937 random(1);
  LZMemoryPool pool(device_, {});
  for (int round = 0; round < 20; ++round) {
    std::vector<PoolBlock *> blocks;
    for (size_t i = 0; i < kSegment / (64 * kKiB); ++i)
      blocks.push_back(&pool.allocate(64 * kKiB, nullptr));
    std::shuffle(blocks.begin(), blocks.end(), random);
    for (PoolBlock *block : blocks)
      pool.free(*block, {});
    PoolBlock &one = pool.allocate(kMiB, nullptr), &two = pool.allocate(kMiB, nullptr);
    EXPECT_EQ(reserved(pool), kSegment);
    pool.free(one, {});
    pool.free(two, {});
  }
}

TEST_F(MemoryPool, theSmallestHoleThatFitsIsTaken) {
  LZMemoryPool pool(device_, {});
  PoolBlock &wide = pool.allocate(64 * kKiB, nullptr), &wall = pool.allocate(256, nullptr),
            &narrow = pool.allocate(16 * kKiB, nullptr), &end = pool.allocate(256, nullptr);
  void *const hole = narrow.base();
  pool.free(wide, {});
  pool.free(narrow, {});
  PoolBlock &fits = pool.allocate(15 * kKiB, nullptr);
  EXPECT_EQ(fits.base(), hole);
  for (PoolBlock *block : {&wall, &end, &fits})
    pool.free(*block, {});
}

TEST_F(MemoryPool, aHugeBlockIsNotCutForAMuchSmallerOne) {
  LZMemoryPool pool(device_, {});
  pool.free(pool.allocate(64 * kMiB, nullptr), {});
  PoolBlock &part = pool.allocate(2 * kMiB, nullptr);
  EXPECT_EQ(reserved(pool), 66 * kMiB);
  PoolBlock &eighth = pool.allocate(16 * kMiB, nullptr);
  EXPECT_EQ(reserved(pool), 66 * kMiB);
  pool.free(part, {});
  pool.free(eighth, {});
}

TEST_F(MemoryPool, aBlockThatIsPendingIsFreeWhenItsPointHasCome) {
  LZMemoryPool pool(device_, {});
  PoolBlock &block = pool.allocate(kMiB, nullptr), &rest = pool.allocate(kMiB, nullptr);
  void *const base = block.base();
  const StreamPoint later = point(UINT64_MAX);
  pool.free(block, later);
  EXPECT_FALSE(pool.empty());
  PoolBlock &other = pool.allocate(kMiB, nullptr);
  EXPECT_NE(other.base(), base);
  EXPECT_EQ(reserved(pool), 2 * kSegment);
  PoolBlock &otherHalf = pool.allocate(kMiB, nullptr);
  reach(later.event);
  pool.reclaim();
  PoolBlock &half = pool.allocate(kMiB, nullptr);
  EXPECT_EQ(half.base(), base);
  for (PoolBlock *used : {&rest, &other, &otherHalf, &half})
    pool.free(*used, {});
  EXPECT_TRUE(pool.empty());
}

TEST_F(MemoryPool, itsOwnStreamTakesAPendingBlockAtOnce) {
  LZQueue &queue = LZDeviceQueues::of(device_).createQueue(hipStreamNonBlocking, 0);
  LZMemoryPool pool(device_, {});
  PoolBlock &block = pool.allocate(kMiB, &queue), &rest = pool.allocate(kMiB, &queue);
  void *const base = block.base();
  const StreamPoint later = point(queue.id());
  pool.free(block, later);
  PoolBlock &again = pool.allocate(kMiB, &queue);
  EXPECT_EQ(again.base(), base);
  EXPECT_EQ(later.event.query(), ZE_RESULT_NOT_READY);
  pool.free(again, {});
  pool.free(rest, {});
}

TEST_F(MemoryPool, blocksOfDifferentStreamsAreNotJoinedWhileTheyArePending) {
  LZMemoryPool pool(device_, {});
  PoolBlock &one = pool.allocate(kMiB, nullptr), &two = pool.allocate(kMiB, nullptr);
  const StreamPoint first = point(UINT64_MAX - 1), second = point(UINT64_MAX);
  pool.free(one, first);
  pool.free(two, second);
  reach(second.event);
  pool.reclaim();
  EXPECT_FALSE(pool.empty());
  pool.trimTo(0);
  EXPECT_EQ(reserved(pool), kSegment); // a part of it is pending
  reach(first.event);
  pool.reclaim();
  pool.trimTo(0);
  EXPECT_EQ(reserved(pool), 0u);
}

TEST_F(MemoryPool, synchronisingTrimsToTheReleaseThreshold) {
  LZMemoryPool pool(device_, {.threshold = 4 * kMiB});
  std::vector<PoolBlock *> blocks;
  for (int i = 0; i < 4; ++i)
    blocks.push_back(&pool.allocate(2 * kMiB, nullptr));
  for (PoolBlock *block : blocks)
    pool.free(*block, {});
  EXPECT_EQ(reserved(pool), 8 * kMiB);
  EXPECT_FALSE(pool.synchronised(1, 1));
  EXPECT_EQ(reserved(pool), 4 * kMiB);
}

TEST_F(MemoryPool, theStreamsCountMakesItsPendingBlocksFree) {
  LZMemoryPool pool(device_, {.threshold = UINT64_MAX});
  PoolBlock &early = pool.allocate(kMiB, nullptr), &late = pool.allocate(kMiB, nullptr);
  pool.free(early, point(UINT64_MAX, 5));
  pool.free(late, point(UINT64_MAX, 6));
  EXPECT_TRUE(pool.synchronised(UINT64_MAX, 4));
  EXPECT_FALSE(pool.synchronised(UINT64_MAX, 6));
  EXPECT_TRUE(pool.empty());
}

TEST_F(MemoryPool, itKeepsToItsLimit) {
  LZMemoryPool pool(device_, {.maxBytes = 3 * kMiB});
  PoolBlock &block = pool.allocate(2 * kMiB, nullptr);
  try {
    pool.allocate(2 * kMiB, nullptr);
    FAIL() << "more than the pool may have";
  } catch (const HipError &error) {
    EXPECT_EQ(error.code(), hipErrorOutOfMemory);
  }
  PoolBlock &small = pool.allocate(kMiB, nullptr); // not a whole segment
  EXPECT_EQ(reserved(pool), 3 * kMiB);
  pool.free(block, {});
  pool.free(small, {});
}

TEST_F(MemoryPool, withoutKeepingEachBlockGoesBackAtOnce) {
  LZMemoryPool pool(device_, {.keepsFree = false, .freeBytes = 0});
  PoolBlock &one = pool.allocate(1000, nullptr), &two = pool.allocate(1000, nullptr);
  EXPECT_NE(one.segmentBase(), two.segmentBase());
  pool.free(one, {});
  EXPECT_EQ(reserved(pool), 1000u);
  pool.free(two, {});
  EXPECT_EQ(reserved(pool), 0u);
}

// Each thread fills its blocks with its own byte; a block that two had would show the other's.
TEST_F(MemoryPool, threadsGetDifferentBlocks) {
  LZMemoryPool pool(device_, {});
  std::atomic<int> damaged{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      std::mt19937 random(thread);
      std::vector<std::pair<PoolBlock *, size_t>> held;
      const auto drop = [&] {
        const auto [block, bytes] = held.back();
        held.pop_back();
        const auto *data = static_cast<const unsigned char *>(block->base());
        damaged += std::any_of(data, data + bytes, [&](unsigned char byte) { return byte != thread + 1; });
        pool.free(*block, {});
      };
      for (int round = 0; round < 1000; ++round) {
        if (held.size() > 8 || (!held.empty() && random() % 2))
          drop();
        const size_t bytes = 1 + random() % 5000;
        PoolBlock &block = pool.allocate(bytes, nullptr);
        std::memset(block.base(), thread + 1, bytes); // the device shares the host's memory
        held.emplace_back(&block, bytes);
        std::swap(held.front(), held.back());
      }
      while (!held.empty())
        drop();
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(damaged, 0);
  EXPECT_TRUE(pool.empty());
  EXPECT_EQ(used(pool), 0u);
}

} // namespace
} // namespace hiplz
