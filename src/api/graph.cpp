// SPDX-License-Identifier: MIT
// The structure of graphs.
#include "api/graph_handles.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace hiplz {

std::vector<LZGraphNode *> nodesFrom(const hipGraphNode_t *handles, size_t count) {
  if (count != 0 && !handles)
    throw HipError(hipErrorInvalidValue, "the array of nodes is null");
  std::vector<LZGraphNode *> nodes;
  for (size_t i = 0; i < count; ++i)
    nodes.push_back(&nodeFrom(handles[i]));
  return nodes;
}

NewNode::NewNode(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *dependencies, size_t count)
    : out_(out), graph_(graphFrom(graph)), dependencies_(nodesFrom(dependencies, count)) {
  if (!out)
    throw HipError(hipErrorInvalidValue, "the destination for the new node is null");
  std::vector<LZGraphNode *> sorted = dependencies_;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    throw HipError(hipErrorInvalidValue, "a new node names the same dependency twice");
  for (const LZGraphNode *dependency : dependencies_)
    if (&dependency->graph() != &graph_)
      throw HipError(hipErrorInvalidValue, "a new node depends on a node of another graph");
}

hipError_t NewNode::add(GraphNodeContent content, LZDevice &device) {
  *out_ = toHandle(graph_.add(device, std::move(content), dependencies_));
  return hipSuccess;
}

ChildNode makeChildNode(hipGraph_t graph) { return {graphFrom(graph).copy(LZGraph::Purpose::child)}; }

} // namespace hiplz

using namespace hiplz;

namespace {

// Stores as many as there is room for and reports how many; entries that are left over get null.
template <class Values> hipError_t storeNodes(const Values &values, hipGraphNode_t *nodes, size_t *count) {
  if (!count)
    return refuse(hipErrorInvalidValue, "count is null");
  if (!nodes) {
    *count = values.size();
    return hipSuccess;
  }
  const size_t places = *count;
  *count = std::min(places, values.size());
  for (size_t i = 0; i < places; ++i)
    nodes[i] = i < values.size() ? toHandle(*values[i]) : nullptr;
  return hipSuccess;
}

hipError_t writeFile(const char *path, const std::string &text) {
  std::FILE *file = std::fopen(path, "w");
  if (!file)
    throw HipError(hipErrorOperatingSystem, std::string(path) + " cannot be written: " + std::strerror(errno));
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && written ? hipSuccess : refuse(hipErrorOperatingSystem, "the file cannot be written");
}

} // namespace

extern "C" {

hipError_t hipGraphCreate(hipGraph_t *pGraph, unsigned int flags) {
  return HIPLZ_API(hipGraphCreate, pGraph, flags)([&] {
    HIPLZ_NOT_NULL(pGraph);
    if (flags != 0)
      return refuse(hipErrorInvalidValue, "flags is not 0");
    *pGraph = toHandle(*new LZGraph);
    OwnedObjects::made("a graph", *pGraph);
    return hipSuccess;
  });
}

hipError_t hipGraphDestroy(hipGraph_t graph) {
  return HIPLZ_API(hipGraphDestroy, graph)([&] {
    if (graph && !LZGraph::find(graph))
      throw HipError(hipErrorIllegalState, "the graph does not exist, or it has been destroyed before");
    LZGraph &destroyed = graphFrom(graph);
    if (destroyed.isPart())
      throw HipError(hipErrorInvalidValue, "the graph belongs to a node, which destroys it");
    delete &destroyed;
    return hipSuccess;
  });
}

hipError_t hipGraphClone(hipGraph_t *pGraphClone, hipGraph_t originalGraph) {
  return HIPLZ_API(hipGraphClone, pGraphClone, originalGraph)([&] {
    if (!pGraphClone)
      return refuse(hipErrorInvalidValue, "pGraphClone is null");
    *pGraphClone = toHandle(*graphFrom(originalGraph).copy(LZGraph::Purpose::clone).release());
    OwnedObjects::made("a graph", *pGraphClone);
    return hipSuccess;
  });
}

hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t *from, const hipGraphNode_t *to,
                                   size_t numDependencies) {
  return HIPLZ_API(hipGraphAddDependencies, graph, from, to, numDependencies)(
      [&] { return graphFrom(graph).addEdges(nodesFrom(from, numDependencies), nodesFrom(to, numDependencies)); });
}

hipError_t hipGraphRemoveDependencies(hipGraph_t graph, const hipGraphNode_t *from, const hipGraphNode_t *to,
                                      size_t numDependencies) {
  return HIPLZ_API(hipGraphRemoveDependencies, graph, from, to, numDependencies)(
      [&] { return graphFrom(graph).removeEdges(nodesFrom(from, numDependencies), nodesFrom(to, numDependencies)); });
}

hipError_t hipGraphGetEdges(hipGraph_t graph, hipGraphNode_t *from, hipGraphNode_t *to, size_t *numEdges) {
  return HIPLZ_API(hipGraphGetEdges, graph, from, to, numEdges)([&] {
    const std::vector<LZGraph::Edge> edges = graphFrom(graph).edges();
    HIPLZ_NOT_NULL(numEdges);
    if (!from != !to)
      return refuse(hipErrorInvalidValue, "only one of from and to is null");
    if (!from) {
      *numEdges = edges.size();
      return hipSuccess;
    }
    const size_t places = *numEdges;
    *numEdges = std::min(places, edges.size());
    for (size_t i = 0; i < places; ++i) {
      from[i] = i < edges.size() ? toHandle(*edges[i].from) : nullptr;
      to[i] = i < edges.size() ? toHandle(*edges[i].to) : nullptr;
    }
    return hipSuccess;
  });
}

hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *numNodes) {
  return HIPLZ_API(hipGraphGetNodes, graph, nodes,
                   numNodes)([&] { return storeNodes(graphFrom(graph).nodes(), nodes, numNodes); });
}

hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t *pRootNodes, size_t *pNumRootNodes) {
  return HIPLZ_API(hipGraphGetRootNodes, graph, pRootNodes,
                   pNumRootNodes)([&] { return storeNodes(graphFrom(graph).roots(), pRootNodes, pNumRootNodes); });
}

hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t *pDependencies, size_t *pNumDependencies) {
  return HIPLZ_API(hipGraphNodeGetDependencies, node, pDependencies, pNumDependencies)(
      [&] { return storeNodes(nodeFrom(node).dependencies(), pDependencies, pNumDependencies); });
}

hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node, hipGraphNode_t *pDependentNodes,
                                         size_t *pNumDependentNodes) {
  return HIPLZ_API(hipGraphNodeGetDependentNodes, node, pDependentNodes, pNumDependentNodes)(
      [&] { return storeNodes(nodeFrom(node).dependents(), pDependentNodes, pNumDependentNodes); });
}

hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType *pType) {
  return HIPLZ_API(hipGraphNodeGetType, node, pType)([&] {
    const LZGraphNode &known = nodeFrom(node);
    if (!pType)
      return refuse(hipErrorInvalidValue, "pType is null");
    *pType = known.type();
    return hipSuccess;
  });
}

hipError_t hipGraphDestroyNode(hipGraphNode_t node) {
  return HIPLZ_API(hipGraphDestroyNode, node)([&] {
    LZGraphNode &destroyed = nodeFrom(node);
    destroyed.graph().remove(destroyed);
    return hipSuccess;
  });
}

hipError_t hipGraphNodeFindInClone(hipGraphNode_t *pNode, hipGraphNode_t originalNode, hipGraph_t clonedGraph) {
  return HIPLZ_API(hipGraphNodeFindInClone, pNode, originalNode, clonedGraph)([&] {
    const LZGraphNode &original = nodeFrom(originalNode);
    const LZGraph &clone = graphFrom(clonedGraph);
    if (!pNode)
      return refuse(hipErrorInvalidValue, "pNode is null");
    const LZGraphNode *found = clone.cloneOf(original);
    *pNode = found ? toHandle(*found) : nullptr;
    return found ? hipSuccess
                 : refuse(hipErrorInvalidValue,
                          "the graph is not a clone of the node's graph, or no longer has the node");
  });
}

hipError_t hipGraphDebugDotPrint(hipGraph_t graph, const char *path, unsigned int flags) {
  return HIPLZ_API(hipGraphDebugDotPrint, graph, path, flags)([&] {
    const LZGraph &printed = graphFrom(graph);
    return path ? writeFile(path, printed.dot(flags)) : refuse(hipErrorInvalidValue, "path is null");
  });
}

hipError_t hipGraphAddEmptyNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                                size_t numDependencies) {
  return HIPLZ_API(hipGraphAddEmptyNode, pGraphNode, graph, pDependencies, numDependencies)(
      [&] { return NewNode(pGraphNode, graph, pDependencies, numDependencies).add(EmptyNode{}); });
}

hipError_t hipGraphAddChildGraphNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                                     size_t numDependencies, hipGraph_t childGraph) {
  return HIPLZ_API(hipGraphAddChildGraphNode, pGraphNode, graph, pDependencies, numDependencies, childGraph)([&] {
    NewNode node(pGraphNode, graph, pDependencies, numDependencies);
    return node.add(makeChildNode(childGraph));
  });
}

hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t *pGraph) {
  return HIPLZ_API(hipGraphChildGraphNodeGetGraph, node, pGraph)([&] {
    const ChildNode &child = contentOf<ChildNode>(node);
    if (!pGraph)
      return refuse(hipErrorInvalidValue, "pGraph is null");
    *pGraph = toHandle(*child.graph);
    return hipSuccess;
  });
}

hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node, hipGraph_t childGraph) {
  return HIPLZ_API(hipGraphExecChildGraphNodeSetParams, hGraphExec, node, childGraph)([&] {
    return setInExec<ChildNode>(hGraphExec, node, [&](const LZGraphNode &) { return makeChildNode(childGraph); });
  });
}

} // extern "C"
