// SPDX-License-Identifier: MIT
// Conditional nodes of graphs, which HIPLZ adds to HIP.
#include "api/graph_handles.h"
#include "lz/graph/condition.h"

#include <hiplz/graph_conditions.h>

using namespace hiplz;

namespace {

// Makes the bodies, and stores where they are in the parameters.
ConditionalNode makeConditionalNode(LZGraph &graph, hiplzConditionalNodeParams *parameters) {
  std::shared_ptr<LZCondition> condition = graph.condition(parameters->handle);
  if (!condition)
    throw HipError(hipErrorInvalidValue, "the handle of a conditional node was not made for its graph");
  ConditionalNode node{std::move(condition), {}, {}, std::make_shared<std::vector<hipGraph_t>>()};
  unsigned most = 0;
  switch (parameters->type) {
  case hiplzGraphConditionalIf: node.kind = ConditionalNode::Kind::once, most = 2; break;
  case hiplzGraphConditionalWhile: node.kind = ConditionalNode::Kind::repeated, most = 1; break;
  case hiplzGraphConditionalSwitch: node.kind = ConditionalNode::Kind::select, most = UINT32_MAX; break;
  default: throw HipError(hipErrorInvalidValue, "the type of a conditional node is none of hiplzGraphConditionalType");
  }
  if (parameters->size == 0 || parameters->size > most)
    throw HipError(hipErrorInvalidValue, "the number of bodies does not fit the type of the conditional node");
  for (unsigned i = 0; i < parameters->size; ++i) {
    node.bodies.push_back(LZGraph::makeBody());
    node.handles->push_back(toHandle(*node.bodies.back()));
  }
  parameters->phGraph_out = node.handles->data();
  return node;
}

} // namespace

extern "C" {

hipError_t hiplzGraphConditionalHandleCreate(hiplzGraphConditionalHandle *handle, hipGraph_t graph,
                                             unsigned int defaultValue, unsigned int flags) {
  return HIPLZ_API(hiplzGraphConditionalHandleCreate, handle, graph, defaultValue, flags)([&] {
    HIPLZ_NOT_NULL(handle);
    if (flags & ~hiplzGraphConditionalAssignDefault)
      return refuse(hipErrorInvalidValue, "flags has bits that do not exist");
    auto condition =
        std::make_shared<LZCondition>(currentDevice(), defaultValue, (flags & hiplzGraphConditionalAssignDefault) != 0);
    LZGraph &owner = graphFrom(graph);
    *handle = condition->handle();
    owner.add(std::move(condition));
    return hipSuccess;
  });
}

hipError_t hiplzGraphAddConditionalNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *dependencies,
                                        size_t numDependencies, hiplzConditionalNodeParams *nodeParams) {
  return HIPLZ_API(hiplzGraphAddConditionalNode, node, graph, dependencies, numDependencies, nodeParams)([&] {
    HIPLZ_NOT_NULL(nodeParams);
    NewNode added(node, graph, dependencies, numDependencies);
    return added.add(makeConditionalNode(graphFrom(graph), nodeParams));
  });
}

} // extern "C"
