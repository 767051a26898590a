// SPDX-License-Identifier: MIT
// Graphs as text for Graphviz: one box a node, child graphs as clusters. Each box begins with the kind of its node, for
// programs that read the text.
#include "base/format.h"
#include "base/kernel_name.h"
#include "lz/graph/graph.h"
#include "lz/memory/graph_memory.h"
#include "lz/module/kernel.h"
#include "lz/stream/event.h"

namespace hiplz {
namespace {

// Without what says nothing about the kernel, for it to fit into a box.
std::string shortName(const std::string &mangled) {
  std::string text = readableKernel(mangled);
  constexpr char kAnonymous[] = "(anonymous namespace)::";
  for (size_t at; (at = text.find(kAnonymous)) != std::string::npos;)
    text.erase(at, sizeof kAnonymous - 1);
  return text;
}

std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\')
      out += '\\';
    out += c;
  }
  return out + '"';
}

// One letter for what an end of a copy is, as in "HtoD": host, device or array.
char placeOf(const CopyEnd &end, hipMemcpyKind kind, bool source) {
  if (end.array)
    return 'A';
  switch (kind) {
  case hipMemcpyHostToHost: return 'H';
  case hipMemcpyHostToDevice: return source ? 'H' : 'D';
  case hipMemcpyDeviceToHost: return source ? 'D' : 'H';
  case hipMemcpyDeviceToDevice:
  case hipMemcpyDeviceToDeviceNoCU: return 'D';
  case hipMemcpyDefault: break;
  }
  const std::optional<Allocation> memory = allocationTable().find(end.first());
  return memory && memory->kind != MemoryKind::host ? 'D' : 'H';
}

class Printer {
public:
  explicit Printer(unsigned flags) : flags_(flags) {}

  std::string print(const LZGraph &graph) {
    text_ = "digraph hip {\n  node [shape=box, fontname=\"sans-serif\"];\n"
            "  subgraph graph_0 {\n";
    contents(graph, "    ");
    return text_ + "  }\n}\n";
  }

private:
  bool wants(unsigned flag) const { return flags_ & (flag | hipGraphDebugDotFlagsVerbose); }

  // A child graph is a frame with the name of its node; only edges of HIP are edges here.
  void contents(const LZGraph &graph, const std::string &indent) {
    for (const auto &node : graph.nodes()) {
      text_ += indent + name(*node) + " [label=" + quoted(label(*node)) + style(*node) + "];\n";
      const auto *child = node->as<ChildNode>();
      if (!child)
        continue;
      const auto id = static_cast<unsigned long long>(node->id());
      text_ += indent + format("subgraph cluster_%llu {\n", id);
      text_ += indent + format("  style=dashed; label=\"graph %llu\";\n", id);
      contents(*child->graph, indent + "  ");
      text_ += indent + "}\n";
    }
    for (const LZGraph::Edge &edge : graph.edges())
      text_ += indent + name(*edge.from) + " -> " + name(*edge.to) + ";\n";
  }

  static std::string name(const LZGraphNode &node) {
    return format("node_%llu", static_cast<unsigned long long>(node.id()));
  }

  static std::string style(const LZGraphNode &node) {
    if (node.as<KernelNode>())
      return ", style=filled, fillcolor=\"#dbe9f6\"";
    if (node.as<CopyNode>() || node.as<FillNode>())
      return ", style=filled, fillcolor=\"#e3f1de\"";
    if (node.as<HostNode>())
      return ", style=filled, fillcolor=\"#fbe9d2\"";
    return ", style=rounded";
  }

  std::string label(const LZGraphNode &node) const {
    std::string text = std::visit([&](const auto &content) { return describe(content); }, node.content());
    if (wants(hipGraphDebugDotFlagsHandles))
      text += format("\nnode %p", static_cast<const void *>(&node));
    return text;
  }

  std::string describe(const EmptyNode &) const { return "EMPTY"; }

  std::string describe(const KernelNode &node) const {
    if (node.lost())
      return "KERNEL\nof a module that was unloaded";
    std::string text = "KERNEL\n" + shortName(node.kernel().name());
    if (wants(hipGraphDebugDotFlagsKernelNodeParams)) {
      text += "\nsymbol " + node.kernel().name(); // what programs look for, as AMD's text has it
      const LaunchShape &shape = node.shape();
      text += format("\ngrid %u %u %u, block %u %u %u", shape.grid[0], shape.grid[1], shape.grid[2], shape.block[0],
                     shape.block[1], shape.block[2]);
      if (shape.sharedBytes)
        text += format(", shared %zu", shape.sharedBytes);
    }
    if (wants(hipGraphDebugDotFlagsKernelNodeAttributes))
      text += format("\ncooperative %d, priority %d", node.attributes.cooperative, node.attributes.priority);
    return text;
  }

  std::string describe(const CopyNode &node) const {
    const CopyRegion &region = node.region;
    std::string text =
        format("MEMCPY (%cto%c)", placeOf(region.from, region.kind, true), placeOf(region.to, region.kind, false));
    if (wants(hipGraphDebugDotFlagsMemcpyNodeParams))
      text += format("\n%zu x %zu x %zu bytes\n%p to %p", region.width, region.height, region.depth,
                     static_cast<void *>(region.from.first()), static_cast<void *>(region.to.first()));
    return text;
  }

  std::string describe(const FillNode &node) const {
    const FillRegion &region = node.region;
    std::string text = "MEMSET";
    if (wants(hipGraphDebugDotFlagsMemsetNodeParams))
      text += format("\n%zu x %zu elements of %u bytes: 0x%x\n%p", region.width, region.height, region.elementBytes,
                     region.value, region.to);
    return text;
  }

  std::string describe(const HostNode &node) const {
    std::string text = "HOST";
    if (wants(hipGraphDebugDotFlagsHostNodeParams))
      text += format("\n%p(%p)", reinterpret_cast<void *>(node.function), node.userData);
    return text;
  }

  std::string describe(const EventRecordNode &node) const { return "EVENT_RECORD" + event(node.event); }
  std::string describe(const EventWaitNode &node) const { return "EVENT_WAIT" + event(node.event); }
  std::string event(const LZEvent *event) const {
    return wants(hipGraphDebugDotFlagsEventNodeParams) ? format("\n%p", static_cast<const void *>(event)) : "";
  }

  std::string describe(const AllocNode &node) const {
    return format("MEM_ALLOC\n%zu bytes\n%p", node.bytes, node.memory->address());
  }
  std::string describe(const FreeNode &node) const { return format("MEM_FREE\n%p", node.pointer); }
  std::string describe(const BatchNode &node) const {
    return format("BATCH_MEM_OP\n%zu operations", node.operations.size());
  }
  std::string describe(const ConditionalNode &node) const {
    return format("condition of %zu graphs", node.bodies.size());
  }
  std::string describe(const ChildNode &node) const { return format("graph of %zu nodes", node.graph->nodes().size()); }

  const unsigned flags_;
  std::string text_;
};

} // namespace

std::string LZGraph::dot(unsigned flags) const { return Printer(flags).print(*this); }

} // namespace hiplz
