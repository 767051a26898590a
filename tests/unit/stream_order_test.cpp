// SPDX-License-Identifier: MIT
// The order of a stream without a driver: counters, links between commands, markers, events that are held, and the default
// stream's rules.
#include "lz/sync/stream_order.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

namespace hiplz {
namespace {

using Side = StreamPoint::Side;

// Events with made-up handles, which nobody passes to a driver: each is gone with its last reference.
class Events {
public:
  LZEventRef make() { return pool_.adopt(reinterpret_cast<ze_event_handle_t>(++last_)); }

private:
  LZEventPool pool_{nullptr, false};
  uintptr_t last_ = 0;
};

// A list of commands, as the order sees it: a marker takes a fresh event, and an event is signalled when the test has said so.
class List {
public:
  List(StreamOrder &order, Events &events) : order_(order), events_(events) {}

  bool isSignalled(const LZEventRef &event) {
    ++asked;
    return signalled.contains(event.ze());
  }
  const StreamMarker &markerLocked() {
    if (!order_.markerLocked())
      order_.advanceLocked(events_.make(), *this);
    return *order_.markerLocked();
  }
  /// Appends a command that refers to an event, as a wait does.
  void command() {
    order_.countLocked();
    order_.holdLocked(events_.make(), *this);
  }

  std::set<ze_event_handle_t> signalled;
  int asked = 0;

private:
  StreamOrder &order_;
  Events &events_;
};

class StreamOrderTest : public testing::Test {
protected:
  std::atomic<uint32_t> unjoined_{0};
  Events events_;
};

TEST_F(StreamOrderTest, idsAreUnique) {
  StreamOrder a(Side::blocking, false, unjoined_), b(Side::blocking, false, unjoined_);
  EXPECT_NE(a.id(), 0u);
  EXPECT_NE(a.id(), b.id());
}

TEST_F(StreamOrderTest, drainedOnlyGrows) {
  StreamOrder order(Side::independent, false, unjoined_);
  EXPECT_TRUE(order.idle());
  for (int i = 0; i < 3; ++i)
    order.countLocked();
  EXPECT_EQ(order.submitted(), 3u);
  EXPECT_FALSE(order.idle());
  order.raiseDrained(3);
  order.raiseDrained(1); // a thread that waited for less and comes later
  EXPECT_EQ(order.drained(), 3u);
  EXPECT_TRUE(order.idle());
}

TEST_F(StreamOrderTest, drainedIsTheHighestOfConcurrentWaits) {
  StreamOrder order(Side::independent, false, unjoined_);
  std::vector<std::thread> threads;
  for (uint64_t first = 1; first <= 4; ++first)
    threads.emplace_back([&order, first] {
      for (uint64_t count = first; count <= 4000; count += 4)
        order.raiseDrained(count);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(order.drained(), 4000u);
}

TEST_F(StreamOrderTest, markerCoversWhatWasSubmittedAndNoMore) {
  StreamOrder order(Side::independent, false, unjoined_);
  List list(order, events_);
  order.countLocked();
  EXPECT_EQ(order.markerLocked(), nullptr);
  const StreamMarker first = list.markerLocked();
  EXPECT_EQ(first.count, 1u);
  EXPECT_EQ(list.markerLocked().event.ze(), first.event.ze()) << "one marker serves everybody who waits";
  order.countLocked();
  EXPECT_EQ(order.markerLocked(), nullptr);
  EXPECT_EQ(list.markerLocked().count, 2u);
  EXPECT_NE(list.markerLocked().event.ze(), first.event.ze());
}

TEST_F(StreamOrderTest, chainedCommandsWaitForTheOneBefore) {
  StreamOrder order(Side::independent, true, unjoined_);
  List list(order, events_);
  EXPECT_FALSE(order.linkLocked());
  const LZEventRef first = events_.make(), second = events_.make();
  order.countLocked();
  order.advanceLocked(first, list);
  EXPECT_EQ(order.linkLocked().ze(), first.ze());
  order.countLocked();
  order.advanceLocked(second, list);
  EXPECT_EQ(order.linkLocked().ze(), second.ze());
  EXPECT_EQ(order.heldLocked(), 1u) << "the list still refers to the first event";
  order.raiseDrained(2);
  EXPECT_FALSE(order.linkLocked()) << "what is complete need not be waited for";
}

TEST_F(StreamOrderTest, listsInOrderNeedNoLinks) {
  StreamOrder order(Side::independent, false, unjoined_);
  List list(order, events_);
  order.countLocked();
  order.advanceLocked(events_.make(), list);
  EXPECT_FALSE(order.linkLocked());
  EXPECT_EQ(order.heldLocked(), 1u);
}

TEST_F(StreamOrderTest, eventsAreHeldUntilTheirCommandsAreComplete) {
  StreamOrder order(Side::independent, false, unjoined_);
  List list(order, events_);
  for (int i = 0; i < 10; ++i)
    list.command();
  order.releaseHeldLocked();
  EXPECT_EQ(order.heldLocked(), 10u);
  order.raiseDrained(4);
  order.releaseHeldLocked();
  EXPECT_EQ(order.heldLocked(), 6u);
  order.raiseDrained(10);
  order.releaseHeldLocked();
  EXPECT_EQ(order.heldLocked(), 0u);
}

TEST_F(StreamOrderTest, manyHeldEventsAreReleasedWithoutAnybodyWaiting) {
  StreamOrder order(Side::independent, false, unjoined_);
  List list(order, events_);
  for (size_t i = 0; i < StreamOrder::kHeldBeforeAsking; ++i)
    list.command();
  ASSERT_TRUE(order.markerLocked()) << "something to ask about";
  const StreamMarker asked = *order.markerLocked();
  for (size_t i = 0; i < 4 * StreamOrder::kAskEvery; ++i)
    list.command();
  EXPECT_GT(list.asked, 0);
  EXPECT_EQ(order.drained(), 0u);
  EXPECT_GT(order.heldLocked(), StreamOrder::kHeldBeforeAsking);
  list.signalled.insert(asked.event.ze());
  for (size_t i = 0; i < StreamOrder::kAskEvery; ++i)
    list.command();
  EXPECT_EQ(order.drained(), asked.count);
  EXPECT_LT(order.heldLocked(), 6 * StreamOrder::kAskEvery + 8);
}

TEST_F(StreamOrderTest, heldEventsStayBoundedIfTheDeviceKeepsUp) {
  StreamOrder order(Side::independent, false, unjoined_);
  class : public std::set<int> {
  public:
    bool isSignalled(const LZEventRef &) { return true; }
    const StreamMarker &markerLocked() {
      if (!order->markerLocked())
        order->advanceLocked(events->make(), *this);
      return *order->markerLocked();
    }
    StreamOrder *order;
    Events *events;
  } device;
  device.order = &order;
  device.events = &events_;
  for (int i = 0; i < 10000; ++i) {
    order.countLocked();
    order.holdLocked(events_.make(), device);
    ASSERT_LE(order.heldLocked(), 4 * StreamOrder::kHeldBeforeAsking);
  }
}

TEST_F(StreamOrderTest, blockingStreamsAreCountedUntilTheNullStreamWaitsForThem) {
  StreamOrder null(Side::null, false, unjoined_), blocking(Side::blocking, false, unjoined_),
      other(Side::blocking, false, unjoined_), independent(Side::independent, false, unjoined_);
  null.countLocked();
  independent.countLocked();
  EXPECT_EQ(unjoined_, 0u);
  blocking.countLocked();
  blocking.countLocked();
  other.countLocked();
  EXPECT_EQ(unjoined_, 2u);
  blocking.leaveUnjoinedLocked();
  EXPECT_EQ(unjoined_, 2u) << "the null stream does not wait for it yet";
  EXPECT_EQ(null.due(blocking), 2u);
  null.setJoinedLocked(blocking, 2);
  blocking.leaveUnjoinedLocked();
  EXPECT_EQ(unjoined_, 1u);
  other.raiseDrained(1);
  other.leaveUnjoinedLocked();
  EXPECT_EQ(unjoined_, 0u) << "what is complete need not be waited for";
  other.leaveUnjoinedLocked();
  EXPECT_EQ(unjoined_, 0u);
  blocking.countLocked();
  EXPECT_EQ(unjoined_, 1u);
}

TEST_F(StreamOrderTest, eachSideWaitsForTheOtherOnceForEachOfItsCommands) {
  StreamOrder null(Side::null, false, unjoined_), blocking(Side::blocking, false, unjoined_);
  EXPECT_EQ(blocking.due(null), 0u);
  null.countLocked();
  EXPECT_EQ(blocking.due(null), 1u);
  EXPECT_FALSE(blocking.hasJoinedLocked(null, 1));
  blocking.setJoinedLocked(null, 1);
  EXPECT_TRUE(blocking.hasJoinedLocked(null, 1));
  EXPECT_EQ(blocking.due(null), 0u);
  EXPECT_EQ(null.due(blocking), 0u) << "the two directions have counts of their own";
  blocking.countLocked();
  EXPECT_EQ(null.due(blocking), 1u);
  null.countLocked();
  EXPECT_EQ(blocking.due(null), 2u);
  null.raiseDrained(2);
  EXPECT_EQ(blocking.due(null), 0u) << "nothing of it is pending";
}

TEST_F(StreamOrderTest, followsThePointsThatItWasToldOf) {
  StreamOrder order(Side::independent, false, unjoined_);
  order.noteFollowsLocked(7, 5);
  order.noteFollowsLocked(7, 3); // an earlier event of the same stream
  EXPECT_TRUE(order.followsLocked({.queue = 7, .count = 5}));
  EXPECT_FALSE(order.followsLocked({.queue = 7, .count = 6}));
  EXPECT_FALSE(order.followsLocked({.queue = 8, .count = 1}));
  for (uint64_t stream = 100; stream < 100 + StreamOrder::kFollowed; ++stream)
    order.noteFollowsLocked(stream, 1);
  EXPECT_FALSE(order.followsLocked({.queue = 7, .count = 1})) << "of many streams the oldest is forgotten";
  EXPECT_TRUE(order.followsLocked({.queue = 100 + StreamOrder::kFollowed - 1, .count = 1}));
}

} // namespace
} // namespace hiplz
