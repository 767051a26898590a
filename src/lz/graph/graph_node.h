// SPDX-License-Identifier: MIT
// A node of a graph and what it does. All parameters are copied into the node when it is made; what it refers to (memory,
// events, modules) belongs to the application and must live as long as the node is used.
#pragma once
#include "lz/core/error.h"
#include "lz/memory/copy_region.h"
#include "lz/module/launch_parameters.h"
#include "lz/stream/memory_operation.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace hiplz {

class LZCondition;
class LZDevice;
class LZEvent;
class LZGraph;
class LZGraphExec;
class LZGraphMemory;
class LZKernel;

/// Does nothing, collects dependencies.
struct EmptyNode {};

/// The attributes of a kernel node that HIP names.
struct KernelNodeAttributes {
  hipAccessPolicyWindow accessPolicyWindow{};
  int cooperative = 0;
  int priority = 0;
};

/// A launch. The arguments are copied, their sizes come from the reflection of the kernel.
class KernelNode {
public:
  /// `function` is what the application called the kernel by: the address of its host function, or a hipFunction_t.
  /// Throws HipError (hipErrorInvalidValue if an argument is missing).
  KernelNode(const LZKernel &kernel, const void *function, const LaunchShape &shape, const LaunchArguments &arguments);

  /// True once the module has been unloaded; then there is no kernel().
  bool lost() const { return module_.expired(); }
  const LZKernel &kernel() const { return *kernel_; }
  const void *function() const { return function_; }
  const LaunchShape &shape() const { return shape_; }
  /// Pointers to the copied arguments, in order; valid as long as the node is not given other parameters.
  LaunchArguments arguments() const { return {pointers_->data()}; }
  void **argumentPointers() const { return pointers_->data(); }
  /// The same values, for a node that launches the same kernel.
  bool sameArguments(const KernelNode &other) const;

  KernelNodeAttributes attributes;

private:
  const LZKernel *kernel_;           // non-owning
  std::weak_ptr<const void> module_; // expires with the kernel, so that an unloading module need not look for its nodes
  const void *function_;
  LaunchShape shape_;
  // Shared by the copies of a node, because they never change.
  std::shared_ptr<std::byte[]> values_;
  std::shared_ptr<std::vector<void *>> pointers_;
};

/// A copy. A copy to or from a device variable is one between addresses; the application reads it back as such.
struct CopyNode {
  CopyRegion region;
};

struct FillNode {
  FillRegion region;
};

/// A call of a function on the host.
struct HostNode {
  hipHostFn_t function = nullptr;
  void *userData = nullptr;
};

/// The record of an event, or a wait for its last recording when the graph is launched.
struct EventRecordNode {
  LZEvent *event = nullptr; // non-owning; must be alive when the graph is launched
};
struct EventWaitNode {
  LZEvent *event = nullptr; // non-owning; likewise
};

/// An allocation. Its memory is there, with its address, from the creation of the node on.
struct AllocNode {
  std::shared_ptr<LZGraphMemory> memory;
  hipMemPoolProps properties{};
  const hipMemAccessDesc *access = nullptr; // the application's array, which hipGraphMemAllocNodeGetParams gives back
  size_t accessCount = 0;
  size_t bytes = 0; // as the application asked for

  LZDevice &device() const;
};

/// The release of memory that an AllocNode of this or of another graph allocated.
struct FreeNode {
  void *pointer = nullptr;
};

/// Waits for and writes of words in memory, in order.
struct BatchNode {
  std::vector<MemoryOperation> operations;             // checked
  std::vector<hipStreamBatchMemOpParams> parameters{}; // as the application gave them; empty in captured nodes
  hipCtx_t context = nullptr;
  unsigned flags = 0;
};

/// A graph, of which the node has its own copy.
struct ChildNode {
  std::shared_ptr<LZGraph> graph;
};

/// Graphs of which a value chooses when the execution gets there. The bodies belong to the node, and the application fills them.
struct ConditionalNode {
  enum class Kind { once, repeated, select }; ///< CUDA's if, while and switch

  std::shared_ptr<LZCondition> condition;
  Kind kind;
  std::vector<std::shared_ptr<LZGraph>> bodies;
  std::shared_ptr<std::vector<hipGraph_t>> handles; // of the bodies; the application has a pointer to them
  // In the copy that is executed, instead of the bodies:
  std::vector<std::shared_ptr<LZGraphExec>> executables{};
  std::vector<LZDevice *> printing{}; // devices on which kernels of the bodies may print
};

using GraphNodeContent = std::variant<EmptyNode, KernelNode, CopyNode, FillNode, HostNode, EventRecordNode,
                                      EventWaitNode, AllocNode, FreeNode, BatchNode, ChildNode, ConditionalNode>;

/// True if two contents of one kind differ in no more than the parameters of a launch. May be false for others that do the same.
bool differInLaunchAtMost(const GraphNodeContent &a, const GraphNodeContent &b);

/// A node: its operation, and the device. A pointer to it is what hipGraphNode_t is. Belongs to its graph; like the graph it
/// is used by one thread at a time.
class LZGraphNode {
public:
  LZGraphNode(const LZGraphNode &) = delete;
  LZGraphNode &operator=(const LZGraphNode &) = delete;
  ~LZGraphNode();

  LZGraph &graph() const { return graph_; }
  LZDevice &device() const { return device_; }
  hipGraphNodeType type() const;

  /// Unique in the process, never used again: executable graphs and clones know nodes by it.
  uint64_t id() const { return id_; }
  /// The id of the node that this one was cloned from; 0: none.
  uint64_t clonedFrom() const { return clonedFrom_; }

  const GraphNodeContent &content() const { return content_; }
  GraphNodeContent &content() { return content_; }
  /// The content if it is of that kind, else null.
  template <class Kind> Kind *as() { return std::get_if<Kind>(&content_); }
  template <class Kind> const Kind *as() const { return std::get_if<Kind>(&content_); }

  /// In the order in which they were added; no node occurs twice.
  std::span<LZGraphNode *const> dependencies() const { return dependencies_; }
  std::span<LZGraphNode *const> dependents() const { return dependents_; }

private:
  friend class LZGraph;
  LZGraphNode(LZGraph &graph, LZDevice &device, GraphNodeContent content, uint64_t clonedFrom);

  LZGraph &graph_;   // non-owning
  LZDevice &device_; // non-owning
  const uint64_t id_;
  const uint64_t clonedFrom_;
  GraphNodeContent content_;
  std::vector<LZGraphNode *> dependencies_, dependents_;
};

} // namespace hiplz
