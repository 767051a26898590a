// SPDX-License-Identifier: MIT
// Executable graphs: order, concurrency, data, relaunching, launching in streams of all kinds, and lifetimes.
#include "graph.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {
std::atomic<bool> counting{false};
std::atomic<size_t> allocations{0};
} // namespace

// A sanitizer has its own operators, of more forms than these, and both must not be mixed; there nothing is counted.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
void *operator new(size_t bytes) {
  if (counting)
    ++allocations;
  void *memory = std::malloc(bytes ? bytes : 1);
  if (!memory)
    throw std::bad_alloc();
  return memory;
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
#endif

namespace {

__global__ void addTo(int *value, int amount) { *value += amount; }
__global__ void multiply(int *value, int factor) { *value *= factor; }
__global__ void sum(int *out, const int *values, int count) {
  int total = 0;
  for (int i = 0; i < count; ++i)
    total += values[i];
  *out += total;
}
__global__ void stamp(int *clock, int *out) { *out = atomicAdd(clock, 1); }
// Ends when the flag is raised, so that it can only end if something else executes meanwhile.
__global__ void spinUntil(volatile int *flag) {
  while (*flag == 0)
    ;
}
__global__ void raise(volatile int *flag) { *flag = 1; }

TEST(chains) {
  DeviceArray<int> value(1);
  Graph graph;
  std::vector<hipGraphNode_t> last;
  for (int i = 0; i < 20; ++i) {
    last = {graph.kernel(last, addTo, value, i)};
    last = {graph.kernel(last, multiply, value, i % 3 + 1)};
  }
  graph.instantiate();
  int expected = 0;
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  for (int launch = 0; launch < 5; ++launch) {
    graph.launch(stream);
    for (int i = 0; i < 20; ++i)
      expected = static_cast<int>((static_cast<unsigned>(expected) + i) * (i % 3 + 1));
  }
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(value.host()[0], expected);
  HIP_CHECK(hipStreamDestroy(stream));
}

// fill -> 8 branches of 3 -> sum: every launch adds the same amount.
void forksAndJoins(hipStream_t stream, int launches) {
  constexpr int kBranches = 8;
  DeviceArray<int> values(kBranches), total(1);
  Graph graph;
  hipGraphNode_t root = graph.fill({}, values, 0, kBranches);
  std::vector<hipGraphNode_t> ends;
  for (int branch = 0; branch < kBranches; ++branch) {
    std::vector<hipGraphNode_t> last{root};
    for (int i = 0; i < 3; ++i)
      last = {graph.kernel(last, addTo, values + branch, branch + i)};
    ends.push_back(last[0]);
  }
  graph.kernel(ends, sum, total, values, kBranches);
  graph.instantiate();
  for (int launch = 0; launch < launches; ++launch)
    graph.launch(stream);
  HIP_CHECK(hipStreamSynchronize(stream));
  int once = 0;
  for (int branch = 0; branch < kBranches; ++branch)
    once += 3 * branch + 3;
  CHECK_EQ(total.host()[0], once * launches);
}

// Each node takes a number when it executes: it must be higher than those of all it depends on.
TEST(everyEdgeIsKept) {
  constexpr int kNodes = 60;
  unsigned random = 12345;
  auto next = [&] { return random = random * 1664525 + 1013904223, random >> 8; };
  for (int round = 0; round < 6; ++round) {
    DeviceArray<int> clock(1), stamps(kNodes);
    Graph graph;
    std::vector<hipGraphNode_t> nodes;
    std::vector<std::vector<int>> before(kNodes);
    for (int i = 0; i < kNodes; ++i) {
      std::vector<hipGraphNode_t> after;
      for (int k = 0; i != 0 && k < static_cast<int>(next() % 4); ++k) {
        const int other = next() % i;
        if (std::find(before[i].begin(), before[i].end(), other) == before[i].end()) {
          before[i].push_back(other);
          after.push_back(nodes[other]);
        }
      }
      nodes.push_back(graph.kernel(after, stamp, clock, stamps + i));
    }
    graph.instantiate();
    for (int launch = 1; launch <= 3; ++launch) {
      graph.launch(nullptr);
      const std::vector<int> result = stamps.host();
      for (int i = 0; i < kNodes; ++i) {
        CHECK(result[i] >= (launch - 1) * kNodes && result[i] < launch * kNodes);
        for (int other : before[i])
          CHECK(result[other] < result[i]);
      }
    }
  }
}

TEST(branchesOverlap) {
  volatile int *flag;
  HIP_CHECK(hipHostMalloc(const_cast<int **>(&flag), sizeof(int), 0));
  Graph graph;
  hipGraphNode_t root;
  HIP_CHECK(hipGraphAddEmptyNode(&root, graph.graph, nullptr, 0));
  hipGraphNode_t waits = graph.kernel({root}, spinUntil, flag);
  hipGraphNode_t raises = graph.kernel({root}, raise, flag);
  graph.kernel({waits, raises}, raise, flag);
  graph.instantiate();
  for (int launch = 0; launch < 3; ++launch) {
    *flag = 0;
    graph.launch(nullptr);
    HIP_CHECK(hipDeviceSynchronize());
  }
  HIP_CHECK(hipHostFree(const_cast<int *>(flag)));
}

struct HostState {
  std::atomic<int> calls{0};
  int seen[64] = {};
  const int *from = nullptr;
  int *to = nullptr;
};

// A host function that reads what a kernel wrote and writes what the next one reads.
void passOn(void *data) {
  auto &state = *static_cast<HostState *>(data);
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  state.seen[state.calls.load() % 64] = *state.from;
  *state.to = *state.from + 1000;
  ++state.calls;
}

TEST(hostFunctions) {
  int *shared;
  HIP_CHECK(hipHostMalloc(&shared, 3 * sizeof(int), 0));
  std::fill(shared, shared + 3, 0);
  HostState state;
  state.from = shared;
  state.to = shared + 1;
  Graph graph;
  hipGraphNode_t before = graph.kernel({}, addTo, shared, 1);
  hipGraphNode_t call = graph.host({before}, passOn, &state);
  hipGraphNode_t moved = graph.copy({call}, shared + 2, shared + 1, sizeof(int));
  graph.kernel({moved}, addTo, shared + 2, 5);
  graph.instantiate();
  const auto begin = std::chrono::steady_clock::now();
  for (int launch = 0; launch < 10; ++launch)
    graph.launch(nullptr);
  const auto submitted = std::chrono::steady_clock::now() - begin;
  HIP_CHECK(hipDeviceSynchronize());
  CHECK(submitted < std::chrono::steady_clock::now() - begin);
  CHECK_EQ(state.calls.load(), 10);
  for (int i = 0; i < 10; ++i)
    CHECK_EQ(state.seen[i], i + 1);
  CHECK_EQ(shared[2], 1015);
  HIP_CHECK(hipHostFree(shared));
}

// Two host functions in branches that need each other.
struct Meeting {
  std::atomic<int> arrived{0};
};
void meet(void *data) {
  auto &meeting = *static_cast<Meeting *>(data);
  ++meeting.arrived;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (meeting.arrived.load() % 2 != 0 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::yield();
}

TEST(hostFunctionsOfBranchesOverlap) {
  Meeting meeting;
  Graph graph;
  hipGraphNode_t root;
  HIP_CHECK(hipGraphAddEmptyNode(&root, graph.graph, nullptr, 0));
  hipGraphNode_t first = graph.host({root}, meet, &meeting);
  hipGraphNode_t second = graph.host({root}, meet, &meeting);
  hipGraphNode_t join;
  hipGraphNode_t both[] = {first, second};
  HIP_CHECK(hipGraphAddEmptyNode(&join, graph.graph, both, 2));
  graph.instantiate();
  const auto begin = std::chrono::steady_clock::now();
  graph.launch(nullptr);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));
  CHECK_EQ(meeting.arrived.load(), 2);
}

// The source is read when the graph executes, not when the node is made.
TEST(copies) {
  std::vector<int> source(1000), result(1000);
  DeviceArray<int> device(1000), other(1000);
  Graph graph;
  hipGraphNode_t up = graph.copy({}, device, source.data(), 4000);
  hipGraphNode_t across = graph.copy({up}, other, device, 4000);
  hipGraphNode_t change = graph.kernel({across}, addTo, other, 7);
  graph.copy({change}, result.data(), other, 4000);
  graph.instantiate();
  for (int launch = 0; launch < 3; ++launch) {
    for (int i = 0; i < 1000; ++i)
      source[i] = launch * 1000 + i;
    graph.launch(nullptr);
    HIP_CHECK(hipDeviceSynchronize());
    for (int i = 0; i < 1000; ++i)
      CHECK_EQ(result[i], source[i] + (i == 0 ? 7 : 0));
  }
}

// One executable graph launched in several streams: never concurrently with itself.
// As after a copy in a stream.
TEST(pageableMemoryIsWrittenWhenTheLaunchReturns) {
  constexpr int kCount = 1 << 16;
  DeviceArray<int> device(kCount);
  std::vector<int> result(kCount);
  Graph graph, child;
  const hipGraphNode_t sleeping = child.host(
      {}, [](void *) { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }, nullptr);
  child.copy({child.fill({sleeping}, device, 7, kCount)}, result.data(), device, kCount * sizeof(int));
  hipGraphNode_t node;
  HIP_CHECK(hipGraphAddChildGraphNode(&node, graph.graph, nullptr, 0, child.graph));
  graph.instantiate();
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  for (hipStream_t in : {hipStream_t(nullptr), stream, hipStreamPerThread}) {
    result.assign(kCount, 0);
    graph.launch(in);
    CHECK_EQ(std::count(result.begin(), result.end(), 7), kCount);
  }
  HIP_CHECK(hipStreamDestroy(stream));
}

TEST(relaunchInOtherStreams) {
  DeviceArray<int> value(1);
  Graph graph;
  hipGraphNode_t first = graph.kernel({}, addTo, value, 1);
  graph.kernel({first}, multiply, value, 2);
  graph.instantiate();
  hipStream_t streams[4];
  for (int i = 0; i < 4; ++i)
    HIP_CHECK(hipStreamCreateWithFlags(&streams[i], i % 2 ? hipStreamNonBlocking : hipStreamDefault));
  for (int launch = 0; launch < 16; ++launch)
    graph.launch(streams[launch % 4]);
  graph.launch(nullptr);
  HIP_CHECK(hipGraphLaunch_spt(graph.exec, nullptr));
  graph.launch(hipStreamPerThread);
  HIP_CHECK(hipDeviceSynchronize());
  int expected = 0;
  for (int launch = 0; launch < 19; ++launch)
    expected = (expected + 1) * 2;
  CHECK_EQ(value.host()[0], expected);
  for (hipStream_t stream : streams)
    HIP_CHECK(hipStreamDestroy(stream));
}

// In its stream a graph is one command among others.
TEST(orderInStream) {
  DeviceArray<int> value(1);
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  Graph graph;
  graph.kernel({}, multiply, value, 3);
  graph.instantiate();
  int expected = 0;
  for (int i = 0; i < 20; ++i) {
    addTo<<<1, 1, 0, stream>>>(value, i);
    graph.launch(stream);
    expected = (expected + i) * 3;
    if (i % 4 == 0) { // keeps it small
      HIP_CHECK(hipMemsetAsync(value, 0, sizeof(int), stream));
      expected = 0;
    }
  }
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(value.host()[0], expected);
  // The null stream waits for it as for any work of a blocking stream.
  graph.launch(stream);
  addTo<<<1, 1>>>(value, 1);
  CHECK_EQ(value.host()[0], expected * 3 + 1);
  HIP_CHECK(hipStreamDestroy(stream));
}

TEST(childGraphs) {
  DeviceArray<int> values(2);
  Graph inner;
  hipGraphNode_t a = inner.kernel({}, addTo, values, 1);
  hipGraphNode_t b = inner.kernel({}, addTo, values + 1, 10);
  inner.kernel({a, b}, multiply, values, 2);
  Graph outer;
  hipGraphNode_t before = outer.kernel({}, addTo, values, 5);
  hipGraphNode_t child, grandchild, empty;
  HIP_CHECK(hipGraphAddChildGraphNode(&child, outer.graph, &before, 1, inner.graph));
  Graph nothing;
  HIP_CHECK(hipGraphAddChildGraphNode(&empty, outer.graph, &child, 1, nothing.graph));
  Graph middle;
  HIP_CHECK(hipGraphAddChildGraphNode(&grandchild, middle.graph, nullptr, 0, inner.graph));
  HIP_CHECK(hipGraphAddChildGraphNode(&grandchild, outer.graph, &empty, 1, middle.graph));
  outer.kernel({grandchild}, sum, values, values, 2);
  outer.instantiate();
  // The graph that was added was copied.
  inner.kernel({}, multiply, values, 100);
  int first = 0, second = 0;
  for (int launch = 0; launch < 3; ++launch) {
    outer.launch(nullptr);
    first += 5;
    for (int i = 0; i < 2; ++i) {
      first = (first + 1) * 2;
      second += 10;
    }
    first += first + second;
  }
  const std::vector<int> result = values.host();
  CHECK_EQ(result[0], first);
  CHECK_EQ(result[1], second);
}

TEST(emptyGraph) {
  Graph graph;
  graph.instantiate();
  graph.launch(nullptr);
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipGraphUpload(graph.exec, nullptr));
}

TEST(manyLaunches) {
  DeviceArray<int> values(4), total(1);
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  Graph graph;
  hipGraphNode_t root = graph.kernel({}, addTo, values, 1);
  hipGraphNode_t left = graph.kernel({root}, addTo, values + 1, 2);
  hipGraphNode_t right = graph.kernel({root}, addTo, values + 2, 3);
  hipGraphNode_t cleared = graph.fill({root}, values + 3, 4, 1);
  std::atomic<int> calls{0};
  const hipGraphNode_t call = graph.host(
      {left}, [](void *data) { ++*static_cast<std::atomic<int> *>(data); }, &calls);
  graph.kernel({call, right, cleared}, sum, total, values, 4);
  graph.instantiate();
  auto round = [&](int launches) {
    for (int i = 0; i < launches; ++i) {
      graph.launch(stream);
      if (i % 16 == 15)
        HIP_CHECK(hipStreamSynchronize(stream));
    }
  };
  for (int i = 0; i < 128; ++i) // the most that will be pending
    graph.launch(stream);
  round(360);
  allocations = 0;
  counting = true;
  round(512);
  counting = false;
  CHECK_EQ(allocations.load(), size_t{0});
  int expected = 0;
  for (int i = 1; i <= 1000; ++i)
    expected += i + 2 * i + 3 * i + 4;
  CHECK_EQ(total.host()[0], expected);
  CHECK_EQ(calls.load(), 1000);
  HIP_CHECK(hipStreamDestroy(stream));
}

// The graph, its executable and the stream may all be destroyed while it runs.
TEST(destructionInFlight) {
  volatile int *flag;
  HIP_CHECK(hipHostMalloc(const_cast<int **>(&flag), sizeof(int), 0));
  *flag = 0;
  DeviceArray<int> value(2);
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  {
    Graph graph;
    hipGraphNode_t waits = graph.kernel({}, spinUntil, flag);
    hipGraphNode_t left = graph.kernel({waits}, addTo, value, 1);
    hipGraphNode_t right = graph.kernel({waits}, addTo, value + 1, 1);
    graph.kernel({left, right}, multiply, value, 7);
    graph.instantiate();
    HIP_CHECK(hipGraphDestroy(graph.graph));
    graph.graph = nullptr;
    graph.launch(stream);
    graph.launch(stream);
  }
  CHECK_EQ(hipStreamQuery(stream), hipErrorNotReady);
  *flag = 1;
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(value.host()[0], 56);
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipHostFree(const_cast<int *>(flag)));
}

TEST(launchedByThreads) {
  constexpr int kThreads = 8, kLaunches = 40;
  DeviceArray<int> common(1), own(kThreads);
  Graph shared;
  hipGraphNode_t first = shared.kernel({}, addTo, common, 1);
  hipGraphNode_t second = shared.kernel({first}, addTo, common, 1);
  shared.kernel({first, second}, addTo, common, 1);
  shared.instantiate();
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      hipStream_t stream;
      HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
      Graph graph;
      hipGraphNode_t root = graph.kernel({}, addTo, own + t, 1);
      hipGraphNode_t a = graph.kernel({root}, addTo, own + t, 2);
      hipGraphNode_t b;
      HIP_CHECK(hipGraphAddEmptyNode(&b, graph.graph, &root, 1));
      graph.kernel({a, b}, addTo, own + t, 3);
      graph.instantiate();
      for (int i = 0; i < kLaunches; ++i) {
        graph.launch(stream);
        shared.launch(stream);
      }
      HIP_CHECK(hipStreamSynchronize(stream));
      HIP_CHECK(hipStreamDestroy(stream));
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK_EQ(common.host()[0], kThreads * kLaunches * 3);
  for (int value : own.host())
    CHECK_EQ(value, kLaunches * 6);
}

TEST(forksAndJoinsOfStreams) {
  forksAndJoins(nullptr, 1);
  forksAndJoins(nullptr, 50);
  forksAndJoins(hipStreamPerThread, 50);
}

template <int N> __global__ void addNumber(int *value) { *value += N * N; }

template <int... N> void chain(Graph &graph, int *value, std::integer_sequence<int, N...>) {
  std::vector<hipGraphNode_t> last;
  ((last = {graph.kernel(last, addNumber<N>, value)}), ...);
}

// All are compiled when the graph is made executable, side by side.
TEST(manyKernels) {
  DeviceArray<int> value(1);
  Graph graph;
  chain(graph, value, std::make_integer_sequence<int, 12>());
  graph.instantiate();
  graph.launch(nullptr);
  CHECK_EQ(value.host()[0], 506);
}

TEST(manyKernelsThatNobodyHasCompiled) {
  char self[4096] = {};
  CHECK(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
  CHECK_EQ(std::system((std::string("HIPLZ_CACHE=0 '") + self + "' --test=manyKernels > /dev/null").c_str()), 0);
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
