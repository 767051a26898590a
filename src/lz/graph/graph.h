// SPDX-License-Identifier: MIT
// The object behind hipGraph_t: nodes and the order between them. LZGraphExec executes it and keeps a copy for that, so a
// graph can be changed or destroyed while it is executed.
#pragma once
#include "lz/graph/graph_node.h"
#include "lz/graph/user_object.h"

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hiplz {

/// Used by one thread at a time, as HIP demands; different graphs are independent. Graphs and nodes enter the table of
/// live handles when they are made and leave it when they are destroyed.
class LZGraph {
public:
  LZGraph();
  LZGraph(const LZGraph &) = delete;
  LZGraph &operator=(const LZGraph &) = delete;
  ~LZGraph();

  /// The graph or node behind a handle of the application; null for one that was destroyed or never existed. Lock-free.
  static LZGraph *find(const void *handle);
  static LZGraphNode *findNode(const void *handle);

  /// Adds a node that runs on `device` after its dependencies, which are nodes of this graph; one that is named twice
  /// counts once. The reference is valid until the node is removed. Throws HipError (hipErrorInvalidValue for a node of
  /// another graph).
  LZGraphNode &add(LZDevice &device, GraphNodeContent content, std::span<LZGraphNode *const> dependencies);

  /// Removes a node with its edges. Throws HipError{hipErrorNotSupported} for nodes of memory.
  void remove(LZGraphNode &node);

  /// Adds the edges from[i] -> to[i], or none of them: hipErrorInvalidValue if one exists, occurs twice, leaves the graph
  /// or leads back to its own node. Longer cycles are found when the graph is instantiated.
  hipError_t addEdges(std::span<LZGraphNode *const> from, std::span<LZGraphNode *const> to);
  /// Removes them, or none: hipErrorInvalidValue if one does not exist, hipErrorNotSupported for nodes of memory.
  hipError_t removeEdges(std::span<LZGraphNode *const> from, std::span<LZGraphNode *const> to);

  /// In the order of creation.
  std::span<const std::unique_ptr<LZGraphNode>> nodes() const { return nodes_; }
  std::vector<LZGraphNode *> roots() const;
  /// Each node after all that it depends on, otherwise in the order of creation; without those behind a cycle.
  std::vector<LZGraphNode *> topologicalOrder() const;
  /// True if nodes of this graph or of a child depend on themselves.
  bool hasCycle() const;
  struct Edge {
    LZGraphNode *from, *to;
  };
  std::vector<Edge> edges() const;

  enum class Purpose { clone, child, execution };
  /// A copy with copies of its child graphs and references to its user objects. Throws HipError{hipErrorNotSupported} if
  /// the graph allocates or frees memory or is conditional, unless it is for execution.
  std::unique_ptr<LZGraph> copy(Purpose purpose) const;
  /// True for graphs of nodes and of executables, which the application may look at but not destroy.
  bool isPart() const { return part_; }
  /// The node of this graph that was cloned from the given one; null: none.
  LZGraphNode *cloneOf(const LZGraphNode &original) const;

  /// The node with this id, of this graph or of a child; null: none.
  const LZGraphNode *nodeWithId(uint64_t id) const;

  /// True if a node of this graph or of a child allocates or frees memory.
  bool usesMemory() const;

  /// Adds the value of conditional nodes, which lives as long as the graph and its executables.
  void add(std::shared_ptr<LZCondition> condition) { conditions_.push_back(std::move(condition)); }
  /// The value of this graph that has the handle; null: none.
  std::shared_ptr<LZCondition> condition(uint64_t handle) const;
  /// True if this graph has conditional nodes or values for them. Then it has one executable at a time and no copies.
  bool isConditional() const;
  /// Lets all other nodes begin after those that set values of this graph and of its bodies to their defaults.
  void assignDefaultsFirst();

  /// A graph that belongs to a node: the application fills it and does not destroy it.
  static std::shared_ptr<LZGraph> makeBody();

  /// The user objects that live as long as the graph.
  LZUserObjects &userObjects() { return userObjects_; }

  /// How many executable graphs that were made from this one exist. Graphs that allocate may have only one.
  const std::shared_ptr<std::atomic<int>> &instances() const { return instances_; }

  /// The text of the graph in the language of Graphviz; flags are hipGraphDebugDotFlags.
  std::string dot(unsigned flags) const;

private:
  std::unique_ptr<LZGraph> copyChecked(Purpose purpose) const;
  LZGraphNode &addNode(LZDevice &device, GraphNodeContent content, uint64_t clonedFrom);
  void collectConditions(std::vector<std::shared_ptr<LZCondition>> &found) const;
  static void connect(LZGraphNode &from, LZGraphNode &to);
  static void disconnect(LZGraphNode &from, LZGraphNode &to);

  bool part_ = false;
  std::vector<std::unique_ptr<LZGraphNode>> nodes_;
  LZUserObjects userObjects_;
  std::vector<std::shared_ptr<LZCondition>> conditions_;
  std::shared_ptr<std::atomic<int>> instances_;
};

} // namespace hiplz
