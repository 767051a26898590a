// SPDX-License-Identifier: MIT
// The structure of graphs: nodes, edges, copies.
#include "lz/graph/graph.h"
#include "lz/core/handle_table.h"
#include "lz/graph/condition.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <queue>
#include <unordered_map>
#include <unordered_set>

namespace hiplz {
namespace {

// Used until the very end of the process.
HandleTable<LZGraph> &liveGraphs() { return HandleTable<LZGraph>::ofProcess(); }
HandleTable<LZGraphNode> &liveNodes() { return HandleTable<LZGraphNode>::ofProcess(); }

bool ofMemory(const LZGraphNode &node) { return node.as<AllocNode>() || node.as<FreeNode>(); }

void refuseMemory(const char *what) {
  throw HipError(hipErrorNotSupported, std::string(what) + " is not possible for nodes that allocate or free memory");
}

bool contains(const std::vector<LZGraphNode *> &nodes, const LZGraphNode *node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

} // namespace

LZGraph::LZGraph() : instances_(std::make_shared<std::atomic<int>>(0)) { liveGraphs().add(*this); }

LZGraph::~LZGraph() {
  liveGraphs().remove(*this);
  for (const auto &node : nodes_)
    liveNodes().remove(*node);
}

LZGraph *LZGraph::find(const void *handle) { return liveGraphs().find(handle); }
LZGraphNode *LZGraph::findNode(const void *handle) { return liveNodes().find(handle); }

LZGraphNode &LZGraph::addNode(LZDevice &device, GraphNodeContent content, uint64_t clonedFrom) {
  nodes_.push_back(std::unique_ptr<LZGraphNode>(new LZGraphNode(*this, device, std::move(content), clonedFrom)));
  liveNodes().add(*nodes_.back());
  return *nodes_.back();
}

LZGraphNode &LZGraph::add(LZDevice &device, GraphNodeContent content, std::span<LZGraphNode *const> dependencies) {
  for (const LZGraphNode *dependency : dependencies)
    if (&dependency->graph() != this)
      throw HipError(hipErrorInvalidValue, "a node cannot depend on a node of another graph");
  LZGraphNode &node = addNode(device, std::move(content), 0);
  for (LZGraphNode *dependency : dependencies)
    if (!contains(node.dependencies_, dependency))
      connect(*dependency, node);
  return node;
}

void LZGraph::connect(LZGraphNode &from, LZGraphNode &to) {
  to.dependencies_.push_back(&from);
  from.dependents_.push_back(&to);
}

void LZGraph::disconnect(LZGraphNode &from, LZGraphNode &to) {
  std::erase(to.dependencies_, &from);
  std::erase(from.dependents_, &to);
}

void LZGraph::remove(LZGraphNode &node) {
  if (ofMemory(node))
    refuseMemory("removal");
  while (!node.dependencies_.empty())
    disconnect(*node.dependencies_.back(), node);
  while (!node.dependents_.empty())
    disconnect(node, *node.dependents_.back());
  liveNodes().remove(node);
  std::erase_if(nodes_, [&](const auto &entry) { return entry.get() == &node; });
}

hipError_t LZGraph::addEdges(std::span<LZGraphNode *const> from, std::span<LZGraphNode *const> to) {
  size_t added = 0;
  bool good = true;
  for (; good && added < from.size(); ++added) {
    good = &from[added]->graph() == this && &to[added]->graph() == this && from[added] != to[added] &&
           !contains(to[added]->dependencies_, from[added]);
    if (!good)
      break;
    connect(*from[added], *to[added]);
  }
  if (good)
    return hipSuccess;
  while (added-- > 0)
    disconnect(*from[added], *to[added]);
  return refuse(hipErrorInvalidValue,
                "an edge exists already, occurs twice, leaves the graph, or begins and ends at one node");
}

hipError_t LZGraph::removeEdges(std::span<LZGraphNode *const> from, std::span<LZGraphNode *const> to) {
  for (size_t i = 0; i < from.size(); ++i) {
    if (&from[i]->graph() != this || !contains(to[i]->dependencies_, from[i]))
      return refuse(hipErrorInvalidValue, "an edge does not exist");
    if (ofMemory(*from[i]) || ofMemory(*to[i]))
      return refuse(hipErrorNotSupported, "edges of nodes that allocate or free memory cannot be removed");
  }
  for (size_t i = 0; i < from.size(); ++i)
    disconnect(*from[i], *to[i]);
  return hipSuccess;
}

std::vector<LZGraphNode *> LZGraph::roots() const {
  std::vector<LZGraphNode *> found;
  for (const auto &node : nodes_)
    if (node->dependencies_.empty())
      found.push_back(node.get());
  return found;
}

std::vector<LZGraphNode *> LZGraph::topologicalOrder() const {
  std::unordered_map<const LZGraphNode *, size_t> indices;
  std::vector<size_t> missing(nodes_.size());
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    indices[nodes_[i].get()] = i;
    missing[i] = nodes_[i]->dependencies_.size();
    if (missing[i] == 0)
      ready.push(i);
  }
  std::vector<LZGraphNode *> order;
  order.reserve(nodes_.size());
  while (!ready.empty()) {
    order.push_back(nodes_[ready.top()].get());
    ready.pop();
    for (const LZGraphNode *next : order.back()->dependents_)
      if (const size_t index = indices[next]; --missing[index] == 0)
        ready.push(index);
  }
  return order;
}

bool LZGraph::hasCycle() const {
  return topologicalOrder().size() != nodes_.size() || std::any_of(nodes_.begin(), nodes_.end(), [](const auto &node) {
           const auto *child = node->template as<ChildNode>();
           return child && child->graph->hasCycle();
         });
}

std::vector<LZGraph::Edge> LZGraph::edges() const {
  std::vector<Edge> found;
  for (const auto &node : nodes_)
    for (LZGraphNode *to : node->dependents_)
      found.push_back({node.get(), to});
  return found;
}

std::unique_ptr<LZGraph> LZGraph::copy(Purpose purpose) const {
  if (purpose != Purpose::execution && usesMemory())
    refuseMemory("copying");
  if (purpose != Purpose::execution && isConditional())
    throw HipError(hipErrorNotSupported, "graphs with conditional nodes cannot be copied");
  return copyChecked(purpose);
}

std::unique_ptr<LZGraph> LZGraph::copyChecked(Purpose purpose) const {
  auto target = std::make_unique<LZGraph>();
  target->part_ = purpose != Purpose::clone;
  std::unordered_map<const LZGraphNode *, LZGraphNode *> copies;
  for (const auto &node : nodes_) {
    GraphNodeContent content = node->content();
    if (auto *child = std::get_if<ChildNode>(&content))
      child->graph = child->graph->copyChecked(purpose == Purpose::execution ? purpose : Purpose::child);
    copies[node.get()] = &target->addNode(node->device(), std::move(content), node->id());
  }
  for (const auto &node : nodes_) {
    LZGraphNode &copied = *copies[node.get()];
    for (const LZGraphNode *dependency : node->dependencies_)
      copied.dependencies_.push_back(copies[dependency]);
    for (const LZGraphNode *dependent : node->dependents_)
      copied.dependents_.push_back(copies[dependent]);
  }
  target->userObjects_.copyFrom(userObjects_);
  target->conditions_ = conditions_;
  return target;
}

LZGraphNode *LZGraph::cloneOf(const LZGraphNode &original) const {
  for (const auto &node : nodes_)
    if (node->clonedFrom() == original.id())
      return node.get();
  for (const auto &node : nodes_)
    if (const auto *child = node->as<ChildNode>())
      if (LZGraphNode *found = child->graph->cloneOf(original))
        return found;
  return nullptr;
}

const LZGraphNode *LZGraph::nodeWithId(uint64_t id) const {
  for (const auto &node : nodes_) {
    if (node->id() == id)
      return node.get();
    if (const auto *child = node->as<ChildNode>())
      if (const LZGraphNode *found = child->graph->nodeWithId(id))
        return found;
  }
  return nullptr;
}

bool LZGraph::usesMemory() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](const auto &node) {
    const auto *child = node->template as<ChildNode>();
    return ofMemory(*node) || (child && child->graph->usesMemory());
  });
}

std::shared_ptr<LZCondition> LZGraph::condition(uint64_t handle) const {
  const auto found = std::find_if(conditions_.begin(), conditions_.end(),
                                  [&](const auto &condition) { return condition->handle() == handle; });
  return found == conditions_.end() ? nullptr : *found;
}

bool LZGraph::isConditional() const {
  return !conditions_.empty() || std::any_of(nodes_.begin(), nodes_.end(), [](const auto &node) {
    return node->template as<ConditionalNode>() != nullptr;
  });
}

void LZGraph::collectConditions(std::vector<std::shared_ptr<LZCondition>> &found) const {
  found.insert(found.end(), conditions_.begin(), conditions_.end());
  for (const auto &node : nodes_)
    if (const auto *conditional = node->as<ConditionalNode>())
      for (const auto &body : conditional->bodies)
        body->collectConditions(found);
}

void LZGraph::assignDefaultsFirst() {
  std::vector<std::shared_ptr<LZCondition>> found;
  collectConditions(found);
  const std::vector<LZGraphNode *> first = roots();
  for (const auto &condition : found) {
    if (!condition->assignsDefault())
      continue;
    LZGraphNode &fill = addNode(condition->device(), FillNode{condition->assignment()}, 0);
    for (LZGraphNode *node : first)
      connect(fill, *node);
  }
}

std::shared_ptr<LZGraph> LZGraph::makeBody() {
  auto body = std::make_shared<LZGraph>();
  body->part_ = true;
  return body;
}

} // namespace hiplz
