// SPDX-License-Identifier: MIT
// How graphs are spread over lanes: what has to hold for every graph, and the shapes that matter.
#include "lz/device/device.h"
#include "lz/graph/graph_plan.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace hiplz {
namespace {

// A plan compares devices by their addresses and asks them nothing.
class NoDevice {
public:
  LZDevice &device() { return reinterpret_cast<LZDevice &>(bytes_); }

private:
  alignas(LZDevice) std::byte bytes_[sizeof(LZDevice)];
};

class GraphPlanTest : public testing::Test {
protected:
  GraphPlan plan(const LZGraph &graph, bool streamTakesLists = true) {
    GraphPlan made = GraphPlan::make(graph, {streamTakesLists, &first_.device(), 4});
    check(made, streamTakesLists);
    return made;
  }
  LZGraphNode *add(std::vector<LZGraphNode *> after, GraphNodeContent content = HostNode{}) {
    return &graph_.add(first_.device(), std::move(content), after);
  }

  static void check(const GraphPlan &plan, bool streamTakesLists) {
    std::vector<size_t> position(plan.items.size(), SIZE_MAX);
    size_t next = 0;
    for (const GraphPlan::Segment &segment : plan.segments)
      for (uint32_t item : segment.items) {
        EXPECT_EQ(plan.items[item].lane, segment.lane);
        EXPECT_EQ(&plan.segments[plan.items[item].segment], &segment);
        position[item] = next++;
      }
    EXPECT_EQ(next, plan.items.size());
    std::set<uint32_t> needed;
    for (uint32_t index = 0; index < plan.items.size(); ++index) {
      const GraphPlan::Item &item = plan.items[index];
      const bool event = item.node && (item.node->as<EventRecordNode>() || item.node->as<EventWaitNode>());
      if (event || !streamTakesLists)
        EXPECT_EQ(item.lane == GraphPlan::kStream, event);
      else if (item.node)
        EXPECT_EQ(plan.lanes[item.lane], &item.node->device());
      for (uint32_t before : item.before) {
        // Submitted in this order, nothing waits for what has not been submitted: not even whole segments.
        EXPECT_LT(position[before], position[index]);
        EXPECT_LE(plan.items[before].segment, item.segment);
        EXPECT_FALSE(plan.items[before].end);
        if (plan.mustWait(item, plan.items[before])) {
          EXPECT_TRUE(plan.items[before].awaited);
        }
      }
      if (item.end) {
        EXPECT_TRUE(item.awaited && item.lane != GraphPlan::kStream);
      }
    }
    for (LZDevice *device : plan.lanes)
      EXPECT_LE(std::count(plan.lanes.begin(), plan.lanes.end(), device), 5); // the stream beside four queues
  }

  NoDevice first_, second_;
  LZGraph graph_;
};

TEST_F(GraphPlanTest, AChainIsOneSegmentOfTheStream) {
  LZGraphNode *last = add({});
  for (int i = 0; i < 50; ++i)
    last = add({last});
  const GraphPlan made = plan(graph_);
  EXPECT_EQ(made.segments.size(), 1u);
  EXPECT_EQ(made.lanes.size(), 1u);
  for (const GraphPlan::Item &item : made.items)
    EXPECT_FALSE(item.awaited);
}

TEST_F(GraphPlanTest, WithoutListsInTheStreamAChainIsOneListOfAQueue) {
  LZGraphNode *last = add({});
  for (int i = 0; i < 50; ++i)
    last = add({last});
  const GraphPlan made = plan(graph_, false);
  EXPECT_EQ(made.segments.size(), 1u);
  EXPECT_EQ(made.segments[0].lane, 1u);
  EXPECT_TRUE(made.items.back().end);
}

TEST_F(GraphPlanTest, BranchesGetLanes) {
  LZGraphNode *root = add({});
  std::vector<LZGraphNode *> ends(3, root);
  for (int i = 0; i < 5; ++i)
    for (LZGraphNode *&end : ends)
      end = add({end});
  add(ends);
  const GraphPlan made = plan(graph_);
  EXPECT_EQ(made.lanes.size(), 3u);
  // The first branch goes on in the lane of the root.
  EXPECT_EQ(made.items[1].lane, made.items[0].lane);
  EXPECT_NE(made.items[1].lane, made.items[2].lane);
  EXPECT_NE(made.items[2].lane, made.items[3].lane);
  EXPECT_EQ(made.segments.size(), 4u);
}

TEST_F(GraphPlanTest, NoMoreLanesThanAllowed) {
  LZGraphNode *root = add({});
  std::vector<LZGraphNode *> ends;
  for (int i = 0; i < 40; ++i)
    ends.push_back(add({root}));
  add(ends);
  EXPECT_EQ(plan(graph_).lanes.size(), 4u);
}

TEST_F(GraphPlanTest, ChildrenAreDissolved) {
  auto child = std::make_shared<LZGraph>();
  LZGraphNode &a = child->add(first_.device(), HostNode{}, {});
  LZGraphNode &b = child->add(first_.device(), HostNode{}, {});
  LZGraphNode *before = add({}), *nested = add({before}, ChildNode{child});
  LZGraphNode *empty = add({nested}, ChildNode{std::make_shared<LZGraph>()});
  LZGraphNode *after = add({empty});
  const GraphPlan made = plan(graph_);
  auto indexOf = [&](const LZGraphNode *node) {
    for (uint32_t i = 0; i < made.items.size(); ++i)
      if (made.items[i].node == node)
        return i;
    return UINT32_MAX;
  };
  EXPECT_EQ(made.items.size(), 5u); // with one that joins the two ends of the child
  EXPECT_EQ(made.items[indexOf(&a)].before, std::vector<uint32_t>{indexOf(before)});
  EXPECT_EQ(made.items[indexOf(&b)].before, std::vector<uint32_t>{indexOf(before)});
  const std::vector<uint32_t> &joined = made.items[indexOf(after)].before;
  ASSERT_EQ(joined.size(), 1u);
  EXPECT_EQ(made.items[joined[0]].before, (std::vector<uint32_t>{indexOf(&a), indexOf(&b)}));
}

TEST_F(GraphPlanTest, EventsStayInTheStream) {
  LZGraphNode *first = add({}), *record = add({first}, EventRecordNode{});
  LZGraphNode *wait = add({}, EventWaitNode{});
  add({record, wait});
  plan(graph_);
  plan(graph_, false);
}

TEST_F(GraphPlanTest, AnyGraph) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    LZGraph graph;
    std::vector<LZGraphNode *> nodes;
    const int count = 1 + static_cast<int>(random() % 60);
    for (int i = 0; i < count; ++i) {
      std::vector<LZGraphNode *> after;
      for (unsigned k = random() % 4; k > 0 && i > 0; --k)
        after.push_back(nodes[random() % nodes.size()]);
      GraphNodeContent content = HostNode{};
      if (random() % 10 == 0)
        content = EventRecordNode{};
      else if (random() % 10 == 0)
        content = EmptyNode{};
      LZDevice &device = random() % 4 == 0 ? second_.device() : first_.device();
      nodes.push_back(&graph.add(device, std::move(content), after));
    }
    for (bool streamTakesLists : {true, false})
      check(GraphPlan::make(graph, {streamTakesLists, &first_.device(), 4}), streamTakesLists);
  }
}

} // namespace
} // namespace hiplz
