// SPDX-License-Identifier: MIT
// From the handles of the graph API to objects, and what all functions that add or change nodes have in common.
#pragma once
#include "api/api_scope.h"
#include "api/current.h"
#include "lz/graph/graph.h"
#include "lz/graph/graph_exec.h"

#include <span>
#include <vector>

namespace hiplz {

// They throw HipError{hipErrorInvalidValue} for what is not, or no longer, a handle.

inline LZGraph &graphFrom(hipGraph_t handle) {
  LZGraph *graph = LZGraph::find(handle);
  if (!graph)
    throw HipError(hipErrorInvalidValue, "the graph does not exist, or it has been destroyed");
  return *graph;
}

inline LZGraphNode &nodeFrom(hipGraphNode_t handle) {
  LZGraphNode *node = LZGraph::findNode(handle);
  if (!node)
    throw HipError(hipErrorInvalidValue, "the node does not exist, or it has been destroyed");
  return *node;
}

inline LZGraphExec &execFrom(hipGraphExec_t handle) {
  LZGraphExec *exec = LZGraphExec::find(handle);
  if (!exec)
    throw HipError(hipErrorInvalidValue, "the executable graph does not exist, or it has been destroyed");
  return *exec;
}

inline hipGraph_t toHandle(LZGraph &graph) { return reinterpret_cast<hipGraph_t>(&graph); }
inline hipGraphNode_t toHandle(const LZGraphNode &node) {
  return reinterpret_cast<hipGraphNode_t>(const_cast<LZGraphNode *>(&node));
}
inline hipGraphExec_t toHandle(LZGraphExec &exec) { return reinterpret_cast<hipGraphExec_t>(&exec); }

/// Nodes from an array of handles. Throws HipError{hipErrorInvalidValue} also for an array that is missing.
std::vector<LZGraphNode *> nodesFrom(const hipGraphNode_t *handles, size_t count);

/// Where a node is to be added. The constructor checks everything about it before anything is made.
class NewNode {
public:
  /// Throws HipError{hipErrorInvalidValue}: no graph, dependencies that are not of the graph or that occur twice.
  NewNode(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *dependencies, size_t count);

  /// Adds the node, which runs on the current device, and stores its handle.
  hipError_t add(GraphNodeContent content) { return add(std::move(content), currentDevice()); }
  hipError_t add(GraphNodeContent content, LZDevice &device);

private:
  hipGraphNode_t *out_;
  LZGraph &graph_;
  std::vector<LZGraphNode *> dependencies_;
};

/// The content of a node that must be of this kind. Throws HipError{hipErrorInvalidValue}.
template <class Kind> Kind &contentOf(hipGraphNode_t handle) {
  Kind *content = nodeFrom(handle).as<Kind>();
  if (!content)
    throw HipError(hipErrorInvalidValue, "the node is of another kind");
  return *content;
}

/// Gives a node of an executable graph the content that make(original node) returns, if that node is of this kind.
template <class Kind, class Make> hipError_t setInExec(hipGraphExec_t exec, hipGraphNode_t node, Make make) {
  LZGraphExec &target = execFrom(exec);
  contentOf<Kind>(node);
  const LZGraphNode &original = nodeFrom(node);
  return target.setContent(original, make(original));
}

/// The device of a node of the driver API. Throws HipError{hipErrorInvalidValue} without a context.
inline LZDevice &deviceOfNode(hipCtx_t context) {
  if (!context)
    throw HipError(hipErrorInvalidValue, "the context of the node is null");
  return contextFrom(context);
}

// The parameters that the kinds of nodes are made from. They check what HIP demands and throw HipError.
KernelNode makeKernelNode(const hipKernelNodeParams *parameters, LZDevice &device);
CopyNode makeCopyNode(const hipMemcpy3DParms *parameters);
FillNode makeFillNode(const hipMemsetParams *parameters);
HostNode makeHostNode(const hipHostNodeParams *parameters);
LZEvent *eventOfNode(hipEvent_t event);
/// Allocates, and stores the address in the parameters.
AllocNode makeAllocNode(hipMemAllocNodeParams *parameters);
FreeNode makeFreeNode(void *pointer);
ChildNode makeChildNode(hipGraph_t graph);

} // namespace hiplz
