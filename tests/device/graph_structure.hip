// SPDX-License-Identifier: MIT
// The structure of graphs: nodes, edges, clones, handles that are none, the text for Graphviz, and user objects.
#include "graph.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace {

__global__ void addTo(int *value, int amount) { *value += amount; }

template <class Function> __global__ void apply(Function function, int *value) { *value = function(*value); }
extern "C" __global__ void s(int *value) { *value = 1; } // a type's name in symbols of C++

hipGraphNode_t emptyNode(hipGraph_t graph, std::vector<hipGraphNode_t> after = {}) {
  hipGraphNode_t node;
  HIP_CHECK(hipGraphAddEmptyNode(&node, graph, after.data(), after.size()));
  return node;
}

std::vector<hipGraphNode_t> nodesOf(hipGraph_t graph) {
  size_t count = 99;
  HIP_CHECK(hipGraphGetNodes(graph, nullptr, &count));
  std::vector<hipGraphNode_t> nodes(count);
  HIP_CHECK(hipGraphGetNodes(graph, nodes.data(), &count));
  CHECK_EQ(count, nodes.size());
  return nodes;
}

bool isEdge(hipGraph_t graph, hipGraphNode_t from, hipGraphNode_t to) {
  size_t count = 0;
  HIP_CHECK(hipGraphGetEdges(graph, nullptr, nullptr, &count));
  std::vector<hipGraphNode_t> froms(count), tos(count);
  HIP_CHECK(hipGraphGetEdges(graph, froms.data(), tos.data(), &count));
  for (size_t i = 0; i < count; ++i)
    if (froms[i] == from && tos[i] == to)
      return true;
  return false;
}

TEST(nodesAndEdges) {
  Graph graph;
  const hipGraphNode_t a = emptyNode(graph.graph), b = emptyNode(graph.graph, {a}), c = emptyNode(graph.graph, {a});
  const hipGraphNode_t d = emptyNode(graph.graph, {b, c});
  CHECK(nodesOf(graph.graph) == (std::vector<hipGraphNode_t>{a, b, c, d}));

  size_t count = 0;
  HIP_CHECK(hipGraphGetRootNodes(graph.graph, nullptr, &count));
  CHECK_EQ(count, size_t{1});
  hipGraphNode_t few[6] = {};
  count = 6;
  HIP_CHECK(hipGraphGetRootNodes(graph.graph, few, &count));
  CHECK(count == 1 && few[0] == a && few[1] == nullptr);
  // Fewer places than nodes, then more: the rest becomes null.
  count = 2;
  HIP_CHECK(hipGraphGetNodes(graph.graph, few, &count));
  CHECK(count == 2 && few[0] == a && few[1] == b);
  std::fill(few, few + 6, a);
  count = 6;
  HIP_CHECK(hipGraphGetNodes(graph.graph, few, &count));
  CHECK(count == 4 && few[3] == d && few[4] == nullptr && few[5] == nullptr);

  count = 6;
  HIP_CHECK(hipGraphNodeGetDependencies(d, few, &count));
  CHECK(count == 2 && few[0] == b && few[1] == c);
  HIP_CHECK(hipGraphNodeGetDependencies(a, nullptr, &count));
  CHECK_EQ(count, size_t{0});
  count = 6;
  HIP_CHECK(hipGraphNodeGetDependentNodes(a, few, &count));
  CHECK(count == 2 && few[0] == b && few[1] == c);
  HIP_CHECK(hipGraphGetEdges(graph.graph, nullptr, nullptr, &count));
  CHECK_EQ(count, size_t{4});
  CHECK(isEdge(graph.graph, a, b) && isEdge(graph.graph, c, d) && !isEdge(graph.graph, a, d));
  CHECK_EQ(hipGraphGetEdges(graph.graph, few, nullptr, &count), hipErrorInvalidValue);
  CHECK_EQ(hipGraphGetEdges(graph.graph, nullptr, nullptr, nullptr), hipErrorInvalidValue);

  HIP_CHECK(hipGraphAddDependencies(graph.graph, &a, &d, 1));
  CHECK(isEdge(graph.graph, a, d));
  CHECK_EQ(hipGraphAddDependencies(graph.graph, &a, &d, 1), hipErrorInvalidValue); // exists
  CHECK_EQ(hipGraphAddDependencies(graph.graph, &a, &a, 1), hipErrorInvalidValue);
  // All or nothing.
  const hipGraphNode_t froms[] = {b, d}, tos[] = {c, d};
  CHECK_EQ(hipGraphAddDependencies(graph.graph, froms, tos, 2), hipErrorInvalidValue);
  CHECK(!isEdge(graph.graph, b, c));
  CHECK_EQ(hipGraphRemoveDependencies(graph.graph, froms, tos, 2), hipErrorInvalidValue);
  HIP_CHECK(hipGraphRemoveDependencies(graph.graph, &a, &d, 1));
  CHECK(!isEdge(graph.graph, a, d));
  CHECK_EQ(hipGraphRemoveDependencies(graph.graph, &a, &d, 1), hipErrorInvalidValue);
  HIP_CHECK(hipGraphAddDependencies(graph.graph, nullptr, nullptr, 0));

  // A removed node takes its edges along.
  HIP_CHECK(hipGraphDestroyNode(b));
  CHECK(nodesOf(graph.graph) == (std::vector<hipGraphNode_t>{a, c, d}));
  HIP_CHECK(hipGraphGetEdges(graph.graph, nullptr, nullptr, &count));
  CHECK_EQ(count, size_t{2});
  CHECK_EQ(hipGraphDestroyNode(b), hipErrorInvalidValue);
}

// A cycle may be closed and opened again; only executing it is impossible.
TEST(cycles) {
  Graph graph, outer;
  const hipGraphNode_t a = emptyNode(graph.graph), b = emptyNode(graph.graph, {a}), c = emptyNode(graph.graph, {b});
  HIP_CHECK(hipGraphAddDependencies(graph.graph, &c, &a, 1));
  hipGraphExec_t exec;
  CHECK_EQ(hipGraphInstantiate(&exec, graph.graph, nullptr, nullptr, 0), hipErrorInvalidValue);
  CHECK_EQ(hipGraphInstantiateWithFlags(&exec, graph.graph, 0), hipErrorInvalidValue);
  hipGraphNode_t child;
  HIP_CHECK(hipGraphAddChildGraphNode(&child, outer.graph, nullptr, 0, graph.graph));
  CHECK_EQ(hipGraphInstantiate(&exec, outer.graph, nullptr, nullptr, 0), hipErrorInvalidValue);
  HIP_CHECK(hipGraphRemoveDependencies(graph.graph, &b, &c, 1));
  graph.instantiate();
  graph.launch(nullptr);
  HIP_CHECK(hipDeviceSynchronize());
}

TEST(wrongHandles) {
  Graph graph, other;
  const hipGraphNode_t node = emptyNode(graph.graph), foreign = emptyNode(other.graph);
  hipGraphNode_t out;
  hipGraph_t created;
  const hipGraphNode_t twice[] = {node, node};
  CHECK_EQ(hipGraphCreate(nullptr, 0), hipErrorInvalidValue);
  CHECK_EQ(hipGraphCreate(&created, 1), hipErrorInvalidValue);
  CHECK_EQ(hipGraphDestroy(nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipGraphAddEmptyNode(nullptr, graph.graph, nullptr, 0), hipErrorInvalidValue);
  CHECK_EQ(hipGraphAddEmptyNode(&out, nullptr, nullptr, 0), hipErrorInvalidValue);
  CHECK_EQ(hipGraphAddEmptyNode(&out, graph.graph, nullptr, 1), hipErrorInvalidValue);
  CHECK_EQ(hipGraphAddEmptyNode(&out, graph.graph, &foreign, 1), hipErrorInvalidValue);
  CHECK_EQ(hipGraphAddEmptyNode(&out, graph.graph, twice, 2), hipErrorInvalidValue);
  CHECK_EQ(hipGraphAddDependencies(graph.graph, &node, &foreign, 1), hipErrorInvalidValue);
  CHECK_EQ(nodesOf(graph.graph).size(), size_t{1});

  hipGraphNodeType type;
  CHECK_EQ(hipGraphNodeGetType(node, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipGraphNodeGetType(reinterpret_cast<hipGraphNode_t>(&out), &type), hipErrorInvalidValue);
  CHECK_EQ(hipGraphNodeGetType(nullptr, &type), hipErrorInvalidValue);
  hipKernelNodeParams kernel;
  CHECK_EQ(hipGraphKernelNodeGetParams(node, &kernel), hipErrorInvalidValue); // another kind

  HIP_CHECK(hipGraphCreate(&created, 0));
  const hipGraphNode_t dead = emptyNode(created);
  HIP_CHECK(hipGraphDestroy(created));
  CHECK_EQ(hipGraphDestroy(created), hipErrorIllegalState);
  CHECK_EQ(hipGraphNodeGetType(dead, &type), hipErrorInvalidValue);
  size_t count;
  CHECK_EQ(hipGraphGetNodes(created, nullptr, &count), hipErrorInvalidValue);
  hipGraphExec_t exec;
  CHECK_EQ(hipGraphInstantiate(&exec, created, nullptr, nullptr, 0), hipErrorInvalidValue);
  CHECK_EQ(hipGraphInstantiate(nullptr, graph.graph, nullptr, nullptr, 0), hipErrorInvalidValue);
  CHECK_EQ(hipGraphInstantiateWithFlags(&exec, graph.graph, 1 << 10), hipErrorInvalidValue);
  // Flags that the function does not know, and two at a time.
  for (unsigned long long flags :
       {hipGraphInstantiateFlagDeviceLaunch + 0ull, hipGraphInstantiateFlagUpload + 0ull, 9ull, 10ull})
    CHECK_EQ(hipGraphInstantiateWithFlags(&exec, graph.graph, flags), hipErrorInvalidValue);
  CHECK_EQ(hipGraphLaunch(graph.exec, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipGraphLaunch(nullptr, nullptr), hipErrorInvalidValue);
  graph.instantiate();
  HIP_CHECK(hipGraphExecDestroy(graph.exec));
  CHECK_EQ(hipGraphExecDestroy(graph.exec), hipErrorInvalidValue);
  CHECK_EQ(hipGraphLaunch(graph.exec, nullptr), hipErrorInvalidValue);
  graph.exec = nullptr;
}

TEST(clones) {
  DeviceArray<int> value(1);
  Graph inner, graph;
  const hipGraphNode_t leaf = inner.kernel({}, addTo, value, 100);
  hipGraphNode_t add = graph.kernel({}, addTo, value, 1), child;
  HIP_CHECK(hipGraphAddChildGraphNode(&child, graph.graph, &add, 1, inner.graph));
  Graph clone;
  HIP_CHECK(hipGraphDestroy(clone.graph));
  HIP_CHECK(hipGraphClone(&clone.graph, graph.graph));
  hipGraphNode_t added, cloned;
  HIP_CHECK(hipGraphNodeFindInClone(&added, add, clone.graph));
  HIP_CHECK(hipGraphNodeFindInClone(&cloned, child, clone.graph));
  CHECK(nodesOf(clone.graph) == (std::vector<hipGraphNode_t>{added, cloned}));
  CHECK(isEdge(clone.graph, added, cloned));
  CHECK_EQ(hipGraphNodeFindInClone(&added, leaf, clone.graph), hipErrorInvalidValue); // the child is a copy already
  CHECK_EQ(hipGraphNodeFindInClone(&added, add, graph.graph), hipErrorInvalidValue);
  hipGraph_t copied;
  HIP_CHECK(hipGraphChildGraphNodeGetGraph(cloned, &copied));
  CHECK_EQ(nodesOf(copied).size(), size_t{1});
  CHECK_EQ(hipGraphDestroy(copied), hipErrorInvalidValue); // belongs to its node
  // They are independent of each other.
  HIP_CHECK(hipGraphDestroy(graph.graph));
  graph.graph = nullptr;
  clone.instantiate();
  clone.launch(nullptr);
  CHECK_EQ(value.host()[0], 101);
  CHECK_EQ(hipGraphClone(nullptr, clone.graph), hipErrorInvalidValue);
}

TEST(instantiation) {
  Graph graph;
  emptyNode(graph.graph);
  char log[16] = "something";
  hipGraphNode_t culprit = reinterpret_cast<hipGraphNode_t>(log);
  HIP_CHECK(hipGraphInstantiate(&graph.exec, graph.graph, &culprit, log, sizeof log));
  CHECK(culprit == nullptr && log[0] == 0);
  HIP_CHECK(hipGraphExecDestroy(graph.exec));
  hipGraphInstantiateParams parameters{};
  parameters.flags = hipGraphInstantiateFlagUpload;
  parameters.result_out = hipGraphInstantiateError;
  HIP_CHECK(hipGraphInstantiateWithParams(&graph.exec, graph.graph, &parameters));
  CHECK(parameters.result_out == hipGraphInstantiateSuccess && parameters.errNode_out == nullptr);
  unsigned long long flags = 0;
  HIP_CHECK(hipGraphExecGetFlags(graph.exec, &flags));
  CHECK_EQ(flags, parameters.flags);
  CHECK_EQ(hipGraphExecGetFlags(graph.exec, nullptr), hipErrorInvalidValue);
  hipGraphExec_t exec;
  CHECK_EQ(hipGraphInstantiateWithParams(&exec, graph.graph, nullptr), hipErrorInvalidValue);
  parameters.flags = hipGraphInstantiateFlagDeviceLaunch;
  CHECK_EQ(hipGraphInstantiateWithParams(&exec, graph.graph, &parameters), hipErrorNotSupported);
  CHECK_EQ(parameters.result_out, hipGraphInstantiateNodeOperationNotSupported);
  for (unsigned long long unknown : {16ull, 10ull}) {
    parameters.flags = unknown;
    CHECK_EQ(hipGraphInstantiateWithParams(&exec, graph.graph, &parameters), hipErrorInvalidValue);
    CHECK_EQ(parameters.result_out, hipGraphInstantiateError);
  }
}

TEST(text) {
  DeviceArray<int> value(1);
  Graph inner, graph;
  inner.fill({}, value, 3, 1);
  const hipGraphNode_t add = graph.kernel({}, addTo, value, 1);
  hipGraphNode_t child;
  HIP_CHECK(hipGraphAddChildGraphNode(&child, graph.graph, &add, 1, inner.graph));
  const std::string path = "graph_structure.dot";
  auto printed = [&](unsigned flags) {
    HIP_CHECK(hipGraphDebugDotPrint(graph.graph, path.c_str(), flags));
    std::ifstream file(path);
    std::string all((std::istreambuf_iterator<char>(file)), {});
    std::remove(path.c_str());
    return all;
  };
  const std::string brief = printed(0), verbose = printed(hipGraphDebugDotFlagsVerbose);
  CHECK(brief.find("digraph") == 0);
  CHECK(brief.find("\"KERNEL\\naddTo\"") != std::string::npos);
  CHECK(brief.find("subgraph cluster_") != std::string::npos);
  CHECK(brief.find("grid") == std::string::npos);
  CHECK(verbose.find("grid 1 1 1, block 1 1 1") != std::string::npos);
  CHECK(verbose.find("1 x 1 elements of 4 bytes: 0x3") != std::string::npos);
  CHECK(printed(hipGraphDebugDotFlagsKernelNodeParams).find("elements") == std::string::npos);
  CHECK_EQ(hipGraphDebugDotPrint(graph.graph, nullptr, 0), hipErrorInvalidValue);
  CHECK_EQ(hipGraphDebugDotPrint(graph.graph, "/nowhere/graph.dot", 0), hipErrorOperatingSystem);
}

// Parts of the kernel's name have brackets; the symbol is there for programs that look for it, as with AMD's library.
TEST(kernelNames) {
  DeviceArray<int> value(1);
  Graph graph;
  auto twice = [] __device__(int v) { return 2 * v; };
  graph.kernel({}, apply<decltype(twice)>, twice, (int *)value);
  graph.kernel({}, s, (int *)value);
  auto printed = [&](unsigned flags) {
    HIP_CHECK(hipGraphDebugDotPrint(graph.graph, "graph_names.dot", flags));
    std::ifstream file("graph_names.dot");
    std::string all((std::istreambuf_iterator<char>(file)), {});
    std::remove("graph_names.dot");
    return all;
  };
  const std::string brief = printed(0), full = printed(hipGraphDebugDotFlagsVerbose);
  CHECK(brief.find("\"KERNEL\\napply<") != std::string::npos);
  CHECK(brief.find("{lambda(int)#1}>\"") != std::string::npos);
  CHECK(brief.find("\"KERNEL\\ns\"") != std::string::npos);
  CHECK(brief.find("symbol") == std::string::npos);
  CHECK(full.find("\\nsymbol _Z") != std::string::npos);
  CHECK(full.find("\\nsymbol s\\n") != std::string::npos);
}

// Programs count the words by which HIP calls the nodes, and the edges.
TEST(words) {
  DeviceArray<int> memory(100);
  int host[100];
  hipArray_t array;
  const hipChannelFormatDesc format = hipCreateChannelDesc<int>();
  HIP_CHECK(hipMallocArray(&array, &format, 10, 10));
  hipEvent_t event;
  HIP_CHECK(hipEventCreate(&event));
  Graph inner, graph;
  hipMemcpy3DParms toArray{};
  toArray.srcPtr = make_hipPitchedPtr(host, 10 * sizeof(int), 10, 10);
  toArray.dstArray = array;
  toArray.extent = make_hipExtent(10, 10, 1);
  toArray.kind = hipMemcpyHostToDevice;
  hipGraphNode_t node, first, second;
  HIP_CHECK(hipGraphAddMemcpyNode(&node, inner.graph, nullptr, 0, &toArray));
  inner.fill({}, memory, 3, 1);
  HIP_CHECK(hipGraphAddMemcpyNode1D(&first, graph.graph, nullptr, 0, memory, host, 4, hipMemcpyHostToDevice));
  second = graph.kernel({first}, addTo, memory, 1);
  HIP_CHECK(hipGraphAddMemcpyNode1D(&node, graph.graph, &second, 1, host, memory, 4, hipMemcpyDeviceToHost));
  graph.copy({}, memory + 1, memory, 4); // hipMemcpyDefault
  graph.host(
      {}, [](void *) {}, nullptr);
  emptyNode(graph.graph);
  HIP_CHECK(hipGraphAddEventRecordNode(&node, graph.graph, nullptr, 0, event));
  HIP_CHECK(hipGraphAddEventWaitNode(&node, graph.graph, nullptr, 0, event));
  HIP_CHECK(hipGraphAddChildGraphNode(&node, graph.graph, nullptr, 0, inner.graph));
  for (unsigned flags : {0u, hipGraphDebugDotFlagsVerbose + 0u, hipGraphDebugDotFlagsMemcpyNodeParams + 0u, ~0u}) {
    HIP_CHECK(hipGraphDebugDotPrint(graph.graph, "graph_words.dot", flags));
    std::ifstream file("graph_words.dot");
    const std::string all((std::istreambuf_iterator<char>(file)), {});
    std::remove("graph_words.dot");
    struct {
      const char *word;
      int times;
    } const expected[] = {{"->", 2},     {"MEMCPY", 4}, {"HtoA", 1},    {"HtoD", 1},         {"DtoH", 1},
                          {"DtoD", 1},   {"MEMSET", 1}, {"EMPTY", 1},   {"EVENT_RECORD", 1}, {"EVENT_WAIT", 1},
                          {"KERNEL", 1}, {"HOST", 1},   {"subgraph", 2}};
    for (const auto &[word, times] : expected) {
      int found = 0;
      for (size_t at = 0; (at = all.find(word, at)) != std::string::npos; at += std::strlen(word))
        ++found;
      CHECK_EQ(found, times);
    }
  }
  HIP_CHECK(hipEventDestroy(event));
  HIP_CHECK(hipFreeArray(array));
}

void destroyed(void *counter) { ++*static_cast<int *>(counter); }

TEST(userObjects) {
  int count = 0;
  hipUserObject_t object;
  CHECK_EQ(hipUserObjectCreate(nullptr, &count, destroyed, 1, hipUserObjectNoDestructorSync), hipErrorInvalidValue);
  CHECK_EQ(hipUserObjectCreate(&object, &count, nullptr, 1, hipUserObjectNoDestructorSync), hipErrorInvalidValue);
  CHECK_EQ(hipUserObjectCreate(&object, &count, destroyed, 0, hipUserObjectNoDestructorSync), hipErrorInvalidValue);
  CHECK_EQ(hipUserObjectCreate(&object, &count, destroyed, 1, 0), hipErrorInvalidValue);
  HIP_CHECK(hipUserObjectCreate(&object, &count, destroyed, 2, hipUserObjectNoDestructorSync));
  HIP_CHECK(hipUserObjectRetain(object, 3));
  HIP_CHECK(hipUserObjectRelease(object, 6)); // there are fewer: nothing happens
  CHECK_EQ(hipUserObjectRelease(object, 0), hipErrorInvalidValue);
  HIP_CHECK(hipUserObjectRelease(object, 4));
  CHECK_EQ(count, 0);
  HIP_CHECK(hipUserObjectRelease(object, 1));
  CHECK_EQ(count, 1);
  HIP_CHECK(hipUserObjectRelease(object, 1)); // it is gone: nothing happens
  HIP_CHECK(hipUserObjectRetain(object, 1));
  CHECK_EQ(hipUserObjectRelease(object, 0), hipErrorInvalidValue);
  CHECK_EQ(hipUserObjectRelease(nullptr, 1), hipErrorInvalidValue);
  CHECK_EQ(hipUserObjectRetain(nullptr, 1), hipErrorInvalidValue);
  CHECK_EQ(count, 1);

  count = 0;
  HIP_CHECK(hipUserObjectCreate(&object, &count, destroyed, 1, hipUserObjectNoDestructorSync));
  {
    Graph graph;
    emptyNode(graph.graph);
    CHECK_EQ(hipGraphRetainUserObject(graph.graph, object, 0, 0), hipErrorInvalidValue);
    CHECK_EQ(hipGraphRetainUserObject(graph.graph, object, 1, 8), hipErrorInvalidValue);
    HIP_CHECK(hipGraphRetainUserObject(graph.graph, object, 2, 0));
    HIP_CHECK(hipGraphReleaseUserObject(graph.graph, object, 3)); // it holds fewer
    HIP_CHECK(hipGraphReleaseUserObject(graph.graph, object, 1));
    HIP_CHECK(hipGraphRetainUserObject(graph.graph, object, 1, hipGraphUserObjectMove));
    // Now the graph alone holds it, twice. Clones and executables hold it, too.
    Graph clone;
    HIP_CHECK(hipGraphDestroy(clone.graph));
    HIP_CHECK(hipGraphClone(&clone.graph, graph.graph));
    graph.instantiate();
    HIP_CHECK(hipGraphDestroy(graph.graph));
    graph.graph = nullptr;
    graph.launch(nullptr);
    HIP_CHECK(hipDeviceSynchronize());
    CHECK_EQ(count, 0);
    HIP_CHECK(hipGraphExecDestroy(graph.exec));
    graph.exec = nullptr;
    CHECK_EQ(count, 0);
  }
  CHECK_EQ(count, 1);
}

// References that an application has given to a graph and drops nevertheless: the object ends, once, and the graph, its copies
// and its executables do not touch it any more.
TEST(userObjectsReleasedTooOften) {
  int count = 0;
  hipUserObject_t object;
  Graph clone;
  HIP_CHECK(hipGraphDestroy(clone.graph));
  clone.graph = nullptr;
  {
    Graph graph, outer;
    HIP_CHECK(hipUserObjectCreate(&object, &count, destroyed, 2, hipUserObjectNoDestructorSync));
    HIP_CHECK(hipGraphRetainUserObject(graph.graph, object, 2, hipGraphUserObjectMove));
    HIP_CHECK(hipUserObjectRelease(object, 2));
    CHECK_EQ(count, 1);
    HIP_CHECK(hipGraphReleaseUserObject(graph.graph, object, 2));
    hipGraphNode_t child;
    HIP_CHECK(hipGraphAddChildGraphNode(&child, outer.graph, nullptr, 0, graph.graph));
    HIP_CHECK(hipGraphClone(&clone.graph, outer.graph));
    clone.instantiate();
    clone.launch(nullptr);
    HIP_CHECK(hipDeviceSynchronize());
    HIP_CHECK(hipGraphRetainUserObject(graph.graph, object, 1, 0)); // no such object
  }
  CHECK_EQ(count, 1);

  // While copies hold it, the application drops theirs as well.
  count = 0;
  {
    Graph graph, outer;
    HIP_CHECK(hipUserObjectCreate(&object, &count, destroyed, 1, hipUserObjectNoDestructorSync));
    HIP_CHECK(hipGraphRetainUserObject(graph.graph, object, 1, hipGraphUserObjectMove));
    hipGraphNode_t child;
    HIP_CHECK(hipGraphAddChildGraphNode(&child, outer.graph, nullptr, 0, graph.graph));
    outer.instantiate();
    for (int i = 0; i < 10; ++i)
      HIP_CHECK(hipUserObjectRelease(object, 1));
    CHECK_EQ(count, 1);
  }
  CHECK_EQ(count, 1);
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
