// SPDX-License-Identifier: MIT
// Parameters of kernel nodes, and kinds.
#include "lz/graph/graph_node.h"
#include "base/log.h"
#include "lz/core/numbering.h"
#include "lz/graph/graph.h"
#include "lz/memory/graph_memory.h"
#include "lz/module/kernel.h"
#include "lz/module/module.h"

#include <hiplz/graph_conditions.h>

#include <cstring>
#include <type_traits>

namespace hiplz {
namespace {

size_t aligned(size_t at, size_t alignment) { return (at + alignment - 1) / alignment * alignment; }

} // namespace

KernelNode::KernelNode(const LZKernel &kernel, const void *function, const LaunchShape &shape,
                       const LaunchArguments &arguments)
    : kernel_(&kernel), module_(kernel.module().life()), function_(function), shape_(shape) {
  attributes.cooperative = shape.cooperative;
  size_t bytes = 0;
  for (const spirv::Arg &argument : kernel.args())
    bytes = aligned(bytes, argument.align) + argument.size;
  values_ = std::make_shared<std::byte[]>(bytes ? bytes : 1);
  pointers_ = std::make_shared<std::vector<void *>>();
  pointers_->reserve(kernel.args().size());
  size_t at = 0;
  for (const spirv::Arg &argument : kernel.args()) {
    at = aligned(at, argument.align);
    const void *given = nullptr;
    if (!arguments.packed)
      given = arguments.pointers ? arguments.pointers[pointers_->size()] : nullptr;
    else if (at + argument.size <= arguments.packedBytes)
      given = arguments.packed + at;
    if (!given)
      throw HipError(hipErrorInvalidValue, "the parameters of a kernel node do not provide argument " +
                                               std::to_string(pointers_->size()) + " of " + kernel.name());
    std::memcpy(values_.get() + at, given, argument.size);
    pointers_->push_back(values_.get() + at);
    at += argument.size;
  }
}

bool KernelNode::sameArguments(const KernelNode &other) const {
  if (values_ == other.values_)
    return true;
  size_t index = 0;
  for (const spirv::Arg &argument : kernel_->args()) {
    if (std::memcmp((*pointers_)[index], (*other.pointers_)[index], argument.size) != 0)
      return false;
    ++index;
  }
  return true;
}

bool differInLaunchAtMost(const GraphNodeContent &a, const GraphNodeContent &b) {
  return std::visit(
      [&]<class Node>(const Node &content) {
        const Node &other = std::get<Node>(b);
        if constexpr (std::is_same_v<Node, KernelNode> || std::is_empty_v<Node>)
          return true;
        else if constexpr (std::is_same_v<Node, CopyNode> || std::is_same_v<Node, FillNode>)
          return content.region == other.region;
        else if constexpr (std::is_same_v<Node, HostNode>)
          return content.function == other.function && content.userData == other.userData;
        else if constexpr (std::is_same_v<Node, EventRecordNode> || std::is_same_v<Node, EventWaitNode>)
          return content.event == other.event;
        else if constexpr (std::is_same_v<Node, AllocNode>)
          return content.memory == other.memory;
        else if constexpr (std::is_same_v<Node, FreeNode>)
          return content.pointer == other.pointer;
        else
          return false;
      },
      a);
}

LZDevice &AllocNode::device() const { return memory->device(); }

LZGraphNode::LZGraphNode(LZGraph &graph, LZDevice &device, GraphNodeContent content, uint64_t clonedFrom)
    : graph_(graph), device_(device), id_(newNumber<LZGraphNode>()), clonedFrom_(clonedFrom),
      content_(std::move(content)) {}

LZGraphNode::~LZGraphNode() = default;

hipGraphNodeType LZGraphNode::type() const {
  struct {
    hipGraphNodeType operator()(const EmptyNode &) { return hipGraphNodeTypeEmpty; }
    hipGraphNodeType operator()(const KernelNode &) { return hipGraphNodeTypeKernel; }
    hipGraphNodeType operator()(const CopyNode &) { return hipGraphNodeTypeMemcpy; }
    hipGraphNodeType operator()(const FillNode &) { return hipGraphNodeTypeMemset; }
    hipGraphNodeType operator()(const HostNode &) { return hipGraphNodeTypeHost; }
    hipGraphNodeType operator()(const EventRecordNode &) { return hipGraphNodeTypeEventRecord; }
    hipGraphNodeType operator()(const EventWaitNode &) { return hipGraphNodeTypeWaitEvent; }
    hipGraphNodeType operator()(const AllocNode &) { return hipGraphNodeTypeMemAlloc; }
    hipGraphNodeType operator()(const FreeNode &) { return hipGraphNodeTypeMemFree; }
    hipGraphNodeType operator()(const BatchNode &) { return hipGraphNodeTypeBatchMemOp; }
    hipGraphNodeType operator()(const ChildNode &) { return hipGraphNodeTypeGraph; }
    hipGraphNodeType operator()(const ConditionalNode &) { return hiplzGraphNodeTypeConditional; }
  } typeOf;
  return std::visit(typeOf, content_);
}

} // namespace hiplz
