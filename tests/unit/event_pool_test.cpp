// SPDX-License-Identifier: MIT
// The pool of events by itself, with Level Zero events of the CPU device: what is recycled, and when.
#include "lz/sync/event_pool.h"

#include "lz/core/error.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

namespace hiplz {
namespace {

class EventPool : public testing::Test {
protected:
  void SetUp() override {
    uint32_t one = 1;
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    ASSERT_EQ(zeDriverGet(&one, &driver_), ZE_RESULT_SUCCESS);
    const ze_context_desc_t description{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
    ASSERT_EQ(zeContextCreate(driver_, &description, &context_), ZE_RESULT_SUCCESS);
  }
  void TearDown() override { EXPECT_EQ(zeContextDestroy(context_), ZE_RESULT_SUCCESS); }

  static void signal(const LZEventRef &event) { ASSERT_EQ(zeEventHostSignal(event.ze()), ZE_RESULT_SUCCESS); }

  ze_driver_handle_t driver_ = nullptr;
  ze_context_handle_t context_ = nullptr;
};

TEST_F(EventPool, aRecycledEventIsNotSignalled) {
  LZEventPool pool(context_, false);
  ze_event_handle_t first;
  {
    const LZEventRef event = pool.acquire();
    first = event.ze();
    EXPECT_EQ(event.query(), ZE_RESULT_NOT_READY);
    signal(event);
    EXPECT_EQ(event.query(), ZE_RESULT_SUCCESS);
    EXPECT_EQ(event.wait(), ZE_RESULT_SUCCESS);
  }
  const LZEventRef again = pool.acquire();
  EXPECT_EQ(again.ze(), first);
  EXPECT_EQ(again.query(), ZE_RESULT_NOT_READY);
}

TEST_F(EventPool, anEventIsKeptUntilItsLastReferenceIsDropped) {
  LZEventPool pool(context_, false);
  LZEventRef first = pool.acquire();
  LZEventRef copy = first;
  const ze_event_handle_t handle = first.ze();
  signal(first);
  first = {};
  const LZEventRef other = pool.acquire();
  EXPECT_NE(other.ze(), handle);
  EXPECT_EQ(copy.query(), ZE_RESULT_SUCCESS); // nobody has reset it
  LZEventRef moved = std::move(copy);
  EXPECT_FALSE(copy); // NOLINT(bugprone-use-after-move): that it is empty is what is tested
  EXPECT_EQ(moved.ze(), handle);
  moved = {};
  EXPECT_EQ(pool.acquire().ze(), handle);
}

TEST_F(EventPool, thePoolGrowsWhileAllEventsAreInUse) {
  LZEventPool pool(context_, true);
  std::vector<LZEventRef> events(200);
  std::set<ze_event_handle_t> handles;
  for (LZEventRef &event : events) {
    event = pool.acquire();
    EXPECT_TRUE(handles.insert(event.ze()).second);
    EXPECT_EQ(&event.pool(), &pool);
  }
  events.clear();
  for (int i = 0; i < 200; ++i) { // no other events than those
    events.push_back(pool.acquire());
    EXPECT_TRUE(handles.contains(events.back().ze()));
  }
}

TEST_F(EventPool, itIsUnusedWhenAllReferencesAreGone) {
  LZEventPool pool(context_, false);
  EXPECT_TRUE(pool.unused());
  LZEventRef event = pool.acquire();
  EXPECT_FALSE(pool.unused());
  event = {};
  EXPECT_TRUE(pool.unused());
}

TEST_F(EventPool, anAdoptedEventStaysTheApplicationsUnlessItIsOwned) {
  const ze_event_pool_desc_t description{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
                                         2};
  ze_event_pool_handle_t zePool;
  ze_event_handle_t borrowed, given;
  ASSERT_EQ(zeEventPoolCreate(context_, &description, 0, nullptr, &zePool), ZE_RESULT_SUCCESS);
  ze_event_desc_t event{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, 0, 0};
  ASSERT_EQ(zeEventCreate(zePool, &event, &borrowed), ZE_RESULT_SUCCESS);
  event.index = 1;
  ASSERT_EQ(zeEventCreate(zePool, &event, &given), ZE_RESULT_SUCCESS);
  LZEventPool pool(context_, false);
  {
    const LZEventRef reference = pool.adopt(borrowed);
    LZEventRef owned = pool.adopt(given);
    LZEventPool::own(owned);
    signal(reference);
    EXPECT_EQ(reference.query(), ZE_RESULT_SUCCESS);
  }
  EXPECT_EQ(zeEventQueryStatus(borrowed), ZE_RESULT_SUCCESS);
  EXPECT_NE(pool.acquire().ze(), borrowed); // it is none of the pool's
  EXPECT_EQ(zeEventDestroy(borrowed), ZE_RESULT_SUCCESS);
  EXPECT_EQ(zeEventPoolDestroy(zePool), ZE_RESULT_SUCCESS);
}

// An event that two threads had at the same time would be signalled for one when the other signals it.
TEST_F(EventPool, threadsGetDifferentEvents) {
  LZEventPool pool(context_, false);
  std::vector<std::thread> threads;
  std::atomic<int> shared{0};
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&] {
      for (int round = 0; round < 500; ++round) {
        const LZEventRef one = pool.acquire(), two = pool.acquire();
        shared += one.query() != ZE_RESULT_NOT_READY || two.query() != ZE_RESULT_NOT_READY;
        zeEventHostSignal(one.ze());
        shared += one.query() != ZE_RESULT_SUCCESS || two.query() != ZE_RESULT_NOT_READY;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(shared, 0);
  EXPECT_TRUE(pool.unused());
}

} // namespace
} // namespace hiplz
