// SPDX-License-Identifier: MIT
// Dissolving child graphs, choosing lanes, ordering segments.
#include "lz/graph/graph_plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace hiplz {
namespace {

using Item = GraphPlan::Item;

class Flattening {
public:
  explicit Flattening(std::vector<Item> &items) : items_(items) {}

  // Appends the items of a graph whose roots come after `before`. Returns the items after which the graph has ended.
  std::vector<uint32_t> add(const LZGraph &graph, const std::vector<uint32_t> &before) {
    std::unordered_map<const LZGraphNode *, std::vector<uint32_t>> ends;
    std::vector<uint32_t> last;
    for (const LZGraphNode *node : graph.topologicalOrder()) {
      std::vector<uint32_t> dependencies;
      for (const LZGraphNode *dependency : node->dependencies()) {
        const std::vector<uint32_t> &done = ends[dependency];
        dependencies.insert(dependencies.end(), done.begin(), done.end());
      }
      if (node->dependencies().empty())
        dependencies = before;
      std::vector<uint32_t> &end = ends[node];
      if (const auto *child = node->as<ChildNode>())
        end = joined(add(*child->graph, joined(std::move(dependencies))));
      else
        end = {item(node, std::move(dependencies))};
      if (node->dependents().empty())
        last.insert(last.end(), end.begin(), end.end());
    }
    return graph.nodes().empty() ? before : last;
  }

private:
  uint32_t item(const LZGraphNode *node, std::vector<uint32_t> before) {
    items_.push_back({node, std::move(before)});
    return static_cast<uint32_t>(items_.size() - 1);
  }
  // One item for many, so that the edges between two graphs in a row are not multiplied.
  std::vector<uint32_t> joined(std::vector<uint32_t> ends) {
    if (ends.size() <= 1)
      return ends;
    return {item(nullptr, std::move(ends))};
  }

  std::vector<Item> &items_;
};

bool belongsToStream(const Item &item) {
  return item.node && (item.node->as<EventRecordNode>() || item.node->as<EventWaitNode>());
}

class LaneChoice {
public:
  LaneChoice(GraphPlan &plan, const GraphPlan::Rules &rules) : plan_(plan), rules_(rules) { addLane(rules.main); }

  void assign(uint32_t index) {
    Item &item = plan_.items[index];
    item.lane = laneFor(item);
    Lane &lane = lanes_[item.lane];
    const bool extends = lane.segment != kNone && item.before.size() == 1 && lane.last == item.before[0];
    if (!extends) {
      lane.segment = static_cast<uint32_t>(plan_.segments.size());
      plan_.segments.push_back({item.lane, {}});
    }
    item.segment = lane.segment;
    plan_.segments[item.segment].items.push_back(index);
    lane.last = index;
    ++lane.items;
  }

private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Lane {
    uint32_t last = kNone;    // its last item
    uint32_t segment = kNone; // the segment of that
    size_t items = 0;
  };

  uint32_t addLane(LZDevice *device) {
    plan_.lanes.push_back(device);
    lanes_.emplace_back();
    return static_cast<uint32_t>(lanes_.size() - 1);
  }

  bool allowed(const Item &item, uint32_t lane) const {
    if (belongsToStream(item))
      return lane == GraphPlan::kStream;
    if (lane == GraphPlan::kStream && !rules_.streamTakesLists)
      return false;
    return !item.node || &item.node->device() == plan_.lanes[lane];
  }

  // The lane that ends with something that the item waits for anyway; else a free one; else the lane of something that
  // it waits for; else the one with the fewest items.
  uint32_t laneFor(const Item &item) {
    for (uint32_t before : item.before)
      if (const uint32_t lane = plan_.items[before].lane; lanes_[lane].last == before && allowed(item, lane))
        return lane;
    LZDevice *device = item.node ? &item.node->device() : rules_.main;
    uint32_t least = kNone;
    size_t count = 0;
    for (uint32_t lane = 0; lane < lanes_.size(); ++lane) {
      if (!allowed(item, lane))
        continue;
      ++count;
      if (lanes_[lane].items == 0)
        return lane;
      if (least == kNone || lanes_[lane].items < lanes_[least].items)
        least = lane;
    }
    if (belongsToStream(item))
      return GraphPlan::kStream;
    if (count < rules_.mostLanesOfDevice)
      return addLane(device);
    for (uint32_t before : item.before)
      if (const uint32_t lane = plan_.items[before].lane; allowed(item, lane))
        return lane;
    return least;
  }

  GraphPlan &plan_;
  const GraphPlan::Rules &rules_;
  std::vector<Lane> lanes_;
};

// Segments were made in an order in which they can be submitted. This one keeps those of a lane together, because
// segments in a row go into one list. The dependencies of a segment are those of its first item.
void orderSegments(GraphPlan &plan) {
  const size_t count = plan.segments.size();
  std::vector<std::vector<uint32_t>> dependents(count);
  std::vector<uint32_t> missing(count);
  std::vector<uint32_t> previousOfLane(plan.lanes.size(), UINT32_MAX);
  for (uint32_t segment = 0; segment < count; ++segment) {
    std::vector<uint32_t> before;
    for (uint32_t item : plan.items[plan.segments[segment].items.front()].before)
      before.push_back(plan.items[item].segment);
    uint32_t &previous = previousOfLane[plan.segments[segment].lane];
    if (previous != UINT32_MAX)
      before.push_back(previous);
    previous = segment;
    std::sort(before.begin(), before.end());
    before.erase(std::unique(before.begin(), before.end()), before.end());
    missing[segment] = static_cast<uint32_t>(before.size());
    for (uint32_t dependency : before)
      dependents[dependency].push_back(segment);
  }
  std::vector<std::set<uint32_t>> readyOfLane(plan.lanes.size());
  for (uint32_t segment = 0; segment < count; ++segment)
    if (missing[segment] == 0)
      readyOfLane[plan.segments[segment].lane].insert(segment);
  std::vector<GraphPlan::Segment> ordered;
  ordered.reserve(count);
  std::vector<uint32_t> newIndex(count);
  for (uint32_t lane = 0; ordered.size() < count;) {
    if (readyOfLane[lane].empty()) {
      // The lane whose next segment is the oldest.
      uint32_t oldest = UINT32_MAX;
      for (uint32_t other = 0; other < readyOfLane.size(); ++other)
        if (!readyOfLane[other].empty() && *readyOfLane[other].begin() < oldest) {
          oldest = *readyOfLane[other].begin();
          lane = other;
        }
    }
    const uint32_t segment = *readyOfLane[lane].begin();
    readyOfLane[lane].erase(readyOfLane[lane].begin());
    newIndex[segment] = static_cast<uint32_t>(ordered.size());
    ordered.push_back(std::move(plan.segments[segment]));
    for (uint32_t next : dependents[segment])
      if (--missing[next] == 0)
        readyOfLane[plan.segments[next].lane].insert(next);
  }
  for (Item &item : plan.items)
    item.segment = newIndex[item.segment];
  plan.segments = std::move(ordered);
}

} // namespace

GraphPlan GraphPlan::make(const LZGraph &graph, const Rules &rules) {
  GraphPlan plan;
  Flattening(plan.items).add(graph, {});
  LaneChoice choice(plan, rules);
  for (uint32_t index = 0; index < plan.items.size(); ++index)
    choice.assign(index);
  orderSegments(plan);
  uint32_t list = 0;
  for (size_t index = 0; index < plan.segments.size(); ++index) {
    if (index != 0 && plan.segments[index].lane != plan.segments[index - 1].lane)
      ++list;
    plan.segments[index].list = list;
  }
  std::vector<bool> hasDependents(plan.items.size());
  for (Item &item : plan.items)
    for (uint32_t before : item.before) {
      hasDependents[before] = true;
      if (plan.mustWait(item, plan.items[before]))
        plan.items[before].awaited = true;
    }
  for (size_t index = 0; index < plan.items.size(); ++index)
    if (!hasDependents[index] && plan.items[index].lane != kStream)
      plan.items[index].awaited = plan.items[index].end = true;
  return plan;
}

bool GraphPlan::mustWait(const Item &item, const Item &before) const {
  if (item.lane != before.lane)
    return true;
  return item.lane != kStream && segments[item.segment].list != segments[before.segment].list;
}

LZDevice *mainDeviceOf(const LZGraph &graph) {
  std::map<LZDevice *, size_t> counts;
  for (const auto &node : graph.nodes())
    ++counts[&node->device()];
  LZDevice *main = nullptr;
  for (const auto &[device, count] : counts)
    if (!main || count > counts[main])
      main = device;
  return main;
}

} // namespace hiplz
