// SPDX-License-Identifier: MIT
// Captures of several streams: forks and joins through events, dependency sets, a library that brings its own streams,
// captures into an existing graph, dependencies that the application sets, per-thread streams, many threads.
#include "check.h"

#include <algorithm>
#include <set>
#include <thread>

namespace {

__global__ void add(int *data, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += value;
}

__global__ void multiply(int *data, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= value;
}

__global__ void sum(int *to, const int *a, const int *b, const int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = a[i] + 10 * b[i] + 100 * c[i];
}

constexpr int kCount = 512, kBlock = 64, kGrid = kCount / kBlock;

struct Stream {
  hipStream_t stream;
  explicit Stream(unsigned flags = hipStreamDefault) { HIP_CHECK(hipStreamCreateWithFlags(&stream, flags)); }
  ~Stream() { HIP_CHECK(hipStreamDestroy(stream)); }
  operator hipStream_t() const { return stream; }
};
struct Event {
  hipEvent_t event;
  Event() { HIP_CHECK(hipEventCreateWithFlags(&event, hipEventDisableTiming)); }
  ~Event() { HIP_CHECK(hipEventDestroy(event)); }
  operator hipEvent_t() const { return event; }
};

using Edges = std::set<std::pair<int, int>>;

// The edges of a graph, its nodes numbered in the order of creation.
Edges edgesOf(hipGraph_t graph, size_t expectedNodes) {
  size_t nodeCount = 0, edgeCount = 0;
  HIP_CHECK(hipGraphGetNodes(graph, nullptr, &nodeCount));
  CHECK_EQ(nodeCount, expectedNodes);
  std::vector<hipGraphNode_t> nodes(nodeCount);
  HIP_CHECK(hipGraphGetNodes(graph, nodes.data(), &nodeCount));
  HIP_CHECK(hipGraphGetEdges(graph, nullptr, nullptr, &edgeCount));
  std::vector<hipGraphNode_t> from(edgeCount), to(edgeCount);
  if (edgeCount)
    HIP_CHECK(hipGraphGetEdges(graph, from.data(), to.data(), &edgeCount));
  auto number = [&](hipGraphNode_t node) {
    return static_cast<int>(std::find(nodes.begin(), nodes.end(), node) - nodes.begin());
  };
  Edges edges;
  for (size_t i = 0; i < edgeCount; ++i)
    edges.insert({number(from[i]), number(to[i])});
  CHECK_EQ(edges.size(), edgeCount);
  return edges;
}

void launchAndDestroy(hipGraph_t graph, hipStream_t stream, int times) {
  hipGraphExec_t exec;
  HIP_CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (int i = 0; i < times; ++i)
    HIP_CHECK(hipGraphLaunch(exec, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  HIP_CHECK(hipGraphExecDestroy(exec));
  HIP_CHECK(hipGraphDestroy(graph));
}

// A diamond with three branches.
TEST(diamond) {
  Stream origin, left, right(hipStreamNonBlocking);
  Event forked, leftDone, rightDone;
  DeviceArray<int> a(kCount), b(kCount), c(kCount), result(kCount);
  HIP_CHECK(hipStreamBeginCapture(origin, hipStreamCaptureModeGlobal));
  add<<<kGrid, kBlock, 0, origin>>>(a, kCount, 1); // 0
  HIP_CHECK(hipEventRecord(forked, origin));
  HIP_CHECK(hipStreamWaitEvent(left, forked, 0));
  HIP_CHECK(hipStreamWaitEvent(right, forked, 0));
  add<<<kGrid, kBlock, 0, left>>>(b, kCount, 2);        // 1
  multiply<<<kGrid, kBlock, 0, left>>>(b, kCount, 2);   // 2
  add<<<kGrid, kBlock, 0, right>>>(c, kCount, 3);       // 3
  multiply<<<kGrid, kBlock, 0, origin>>>(a, kCount, 3); // 4
  HIP_CHECK(hipEventRecord(leftDone, left));
  HIP_CHECK(hipEventRecord(rightDone, right));
  for (hipStream_t stream : {origin.stream, left.stream, right.stream}) {
    hipStreamCaptureStatus status;
    HIP_CHECK(hipStreamIsCapturing(stream, &status));
    CHECK_EQ(status, hipStreamCaptureStatusActive);
  }
  HIP_CHECK(hipStreamWaitEvent(origin, leftDone, 0));
  HIP_CHECK(hipStreamWaitEvent(origin, rightDone, 0));
  HIP_CHECK(hipStreamWaitEvent(origin, forked, 0));           // its own past adds nothing
  sum<<<kGrid, kBlock, 0, origin>>>(result, a, b, c, kCount); // 5
  hipGraph_t graph;
  HIP_CHECK(hipStreamEndCapture(origin, &graph));
  for (hipStream_t stream : {origin.stream, left.stream, right.stream}) {
    hipStreamCaptureStatus status;
    HIP_CHECK(hipStreamIsCapturing(stream, &status));
    CHECK_EQ(status, hipStreamCaptureStatusNone);
    HIP_CHECK(hipStreamSynchronize(stream)); // ordinary streams again
  }
  CHECK(edgesOf(graph, 6) == (Edges{{0, 1}, {1, 2}, {0, 3}, {0, 4}, {2, 5}, {3, 5}, {4, 5}}));
  launchAndDestroy(graph, left, 2);
  const std::vector<int> values = result.host();
  // After two rounds: a = (1 * 3 + 1) * 3, b = ((2 * 2) + 2) * 2, c = 6.
  CHECK_EQ(values[0], 12 + 10 * 12 + 100 * 6);
  CHECK_EQ(values[kCount - 1], 12 + 10 * 12 + 100 * 6);
}

// A function as libraries have them: it orders streams of its own behind the caller's, and does not know of the capture.
class Library {
public:
  explicit Library(unsigned flags = hipStreamDefault)
      : streams_{Stream(flags), Stream(hipStreamNonBlocking), Stream(flags)} {}
  void run(hipStream_t caller, int *a, int *b, int *c, int *result) {
    HIP_CHECK(hipEventRecord(begin_, caller));
    int *parts[] = {a, b, c};
    for (int i = 0; i < 3; ++i) {
      HIP_CHECK(hipStreamWaitEvent(streams_[i], begin_, 0));
      HIP_CHECK(hipMemsetAsync(parts[i], 0, kCount * sizeof(int), streams_[i]));
      add<<<kGrid, kBlock, 0, streams_[i]>>>(parts[i], kCount, i + 1);
      HIP_CHECK(hipEventRecord(ends_[i], streams_[i]));
      HIP_CHECK(hipStreamWaitEvent(caller, ends_[i], 0));
    }
    sum<<<kGrid, kBlock, 0, caller>>>(result, a, b, c, kCount);
  }

private:
  Stream streams_[3];
  Event begin_, ends_[3];
};

TEST(library) {
  Library functions;
  Stream stream;
  DeviceArray<int> a(kCount), b(kCount), c(kCount), result(kCount);
  functions.run(stream, a, b, c, result); // as it is, before
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(result.host()[0], 321);
  HIP_CHECK(hipMemset(result, 0, kCount * sizeof(int)));
  HIP_CHECK(hipDeviceSynchronize());

  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
  functions.run(stream, a, b, c, result);
  add<<<kGrid, kBlock, 0, stream>>>(result, kCount, 1000);
  functions.run(stream, a, b, c, a);
  hipGraph_t graph;
  HIP_CHECK(hipStreamEndCapture(stream, &graph));
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(result.host()[0], 0);
  launchAndDestroy(graph, stream, 3);
  CHECK_EQ(result.host()[7], 1321);
  CHECK_EQ(a.host()[kCount - 1], 321);

  functions.run(stream, a, b, c, result); // and after
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(result.host()[1], 321);
}

// A stream that only passes the order on.
TEST(emptyBranches) {
  Stream origin, passing;
  Event first, second;
  DeviceArray<int> a(kCount);
  HIP_CHECK(hipStreamBeginCapture(origin, hipStreamCaptureModeGlobal));
  add<<<kGrid, kBlock, 0, origin>>>(a, kCount, 1);
  HIP_CHECK(hipEventRecord(first, origin));
  HIP_CHECK(hipStreamWaitEvent(passing, first, 0));
  HIP_CHECK(hipEventRecord(second, passing));
  add<<<kGrid, kBlock, 0, origin>>>(a, kCount, 2);
  // A stream that has not been joined has done nothing that the origin does not know.
  hipGraph_t graph;
  HIP_CHECK(hipStreamEndCapture(origin, &graph));
  CHECK(edgesOf(graph, 2) == (Edges{{0, 1}}));
  launchAndDestroy(graph, passing, 2);
  CHECK_EQ(a.host()[3], 6);
}

// The event is recorded before the first node: both streams begin with roots.
TEST(forkAtTheBeginning) {
  Stream origin, other;
  Event start, end;
  DeviceArray<int> a(kCount), b(kCount), c(kCount), result(kCount);
  HIP_CHECK(hipStreamBeginCapture(origin, hipStreamCaptureModeGlobal));
  HIP_CHECK(hipEventRecord(start, origin));
  HIP_CHECK(hipStreamWaitEvent(other, start, 0));
  add<<<kGrid, kBlock, 0, origin>>>(a, kCount, 1); // 0
  add<<<kGrid, kBlock, 0, other>>>(b, kCount, 2);  // 1
  HIP_CHECK(hipEventRecord(end, other));
  HIP_CHECK(hipStreamWaitEvent(origin, end, 0));
  sum<<<kGrid, kBlock, 0, origin>>>(result, a, b, c, kCount); // 2
  hipGraph_t graph;
  HIP_CHECK(hipStreamEndCapture(origin, &graph));
  CHECK(edgesOf(graph, 3) == (Edges{{0, 2}, {1, 2}}));
  launchAndDestroy(graph, origin, 1);
  CHECK_EQ(result.host()[0], 21);
}

// Where a capture stands can be asked for and changed.
TEST(infoAndDependencies) {
  Stream stream;
  DeviceArray<int> a(kCount), b(kCount), c(kCount);
  hipStreamCaptureStatus status;
  unsigned long long id = 0, again = 0;
  HIP_CHECK(hipStreamGetCaptureInfo(stream, &status, &id));
  CHECK_EQ(status, hipStreamCaptureStatusNone);
  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  HIP_CHECK(hipStreamGetCaptureInfo(stream, &status, &id));
  CHECK_EQ(status, hipStreamCaptureStatusActive);
  CHECK(id != 0);
  hipGraph_t graph = nullptr;
  const hipGraphNode_t *dependencies;
  size_t count = 99;
  HIP_CHECK(hipStreamGetCaptureInfo_v2(stream, &status, &again, &graph, &dependencies, &count));
  CHECK_EQ(again, id);
  CHECK_EQ(count, 0u);
  CHECK(graph != nullptr);
  add<<<kGrid, kBlock, 0, stream>>>(a, kCount, 1); // 0
  HIP_CHECK(hipStreamGetCaptureInfo_v2(stream, &status, nullptr, nullptr, &dependencies, &count));
  CHECK_EQ(count, 1u);
  hipGraphNode_t first = dependencies[0];
  // A node that the application adds itself, beside the captured ones.
  hipGraphNode_t empty;
  HIP_CHECK(hipGraphAddEmptyNode(&empty, graph, &first, 1)); // 1
  HIP_CHECK(hipStreamUpdateCaptureDependencies(stream, &empty, 1, hipStreamAddCaptureDependencies));
  add<<<kGrid, kBlock, 0, stream>>>(a, kCount, 2); // 2, after 0 and 1
  hipGraphNode_t none;
  HIP_CHECK(hipStreamUpdateCaptureDependencies(stream, &none, 0, hipStreamSetCaptureDependencies));
  add<<<kGrid, kBlock, 0, stream>>>(b, kCount, 5); // 3, a root
  HIP_CHECK(hipStreamUpdateCaptureDependencies(stream, &first, 1, hipStreamSetCaptureDependencies));
  CHECK_EQ(hipStreamUpdateCaptureDependencies(stream, nullptr, 1, hipStreamSetCaptureDependencies),
           hipErrorInvalidValue);
  CHECK_EQ(hipStreamUpdateCaptureDependencies(stream, &first, 1, 2), hipErrorInvalidValue);
  hipGraph_t foreign;
  hipGraphNode_t foreignNode;
  HIP_CHECK(hipGraphCreate(&foreign, 0));
  HIP_CHECK(hipGraphAddEmptyNode(&foreignNode, foreign, nullptr, 0));
  CHECK_EQ(hipStreamUpdateCaptureDependencies(stream, &foreignNode, 1, hipStreamAddCaptureDependencies),
           hipErrorInvalidValue);
  HIP_CHECK(hipGraphDestroy(foreign));
  multiply<<<kGrid, kBlock, 0, stream>>>(c, kCount, 1); // 4, after 0
  hipGraph_t captured;
  HIP_CHECK(hipStreamEndCapture(stream, &captured));
  CHECK(captured == graph);
  CHECK(edgesOf(graph, 5) == (Edges{{0, 1}, {0, 2}, {1, 2}, {0, 4}}));
  CHECK_EQ(hipStreamUpdateCaptureDependencies(stream, &first, 1, hipStreamAddCaptureDependencies),
           hipErrorIllegalState);
  launchAndDestroy(graph, stream, 1);
  CHECK_EQ(a.host()[0], 3);
  CHECK_EQ(b.host()[0], 5);

  // Each capture has a number of its own.
  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  HIP_CHECK(hipStreamGetCaptureInfo(stream, &status, &again));
  CHECK(again != id);
  HIP_CHECK(hipStreamEndCapture(stream, &captured));
  HIP_CHECK(hipGraphDestroy(captured));
}

TEST(intoExistingGraph) {
  Stream stream;
  DeviceArray<int> a(kCount), b(kCount);
  hipGraph_t graph, captured;
  HIP_CHECK(hipGraphCreate(&graph, 0));
  hipMemsetParams memset{};
  memset.dst = static_cast<int *>(a);
  memset.elementSize = 4;
  memset.value = 7;
  memset.width = kCount;
  memset.height = 1;
  hipGraphNode_t fill, empty;
  HIP_CHECK(hipGraphAddMemsetNode(&fill, graph, nullptr, 0, &memset)); // 0
  HIP_CHECK(hipGraphAddEmptyNode(&empty, graph, nullptr, 0));          // 1
  HIP_CHECK(hipStreamBeginCaptureToGraph(stream, graph, &fill, nullptr, 1, hipStreamCaptureModeGlobal));
  add<<<kGrid, kBlock, 0, stream>>>(a, kCount, 1); // 2
  HIP_CHECK(hipStreamEndCapture(stream, &captured));
  CHECK(captured == graph);
  hipGraphNode_t both[] = {fill, empty};
  HIP_CHECK(hipStreamBeginCaptureToGraph(stream, graph, both, nullptr, 2, hipStreamCaptureModeGlobal));
  HIP_CHECK(hipMemcpyAsync(b, b + 1, 4, hipMemcpyDeviceToDevice, stream)); // 3
  HIP_CHECK(hipStreamEndCapture(stream, &captured));
  CHECK(edgesOf(graph, 4) == (Edges{{0, 2}, {0, 3}, {1, 3}}));
  CHECK_EQ(hipStreamBeginCaptureToGraph(stream, nullptr, nullptr, nullptr, 0, hipStreamCaptureModeGlobal),
           hipErrorInvalidValue);
  CHECK_EQ(hipStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 1, hipStreamCaptureModeGlobal),
           hipErrorInvalidValue);
  launchAndDestroy(graph, stream, 1);
  CHECK_EQ(a.host()[9], 8);
}

TEST(perThreadStream) {
  DeviceArray<int> a(kCount);
  hipGraph_t graph;
  HIP_CHECK(hipStreamBeginCapture(hipStreamPerThread, hipStreamCaptureModeGlobal));
  add<<<kGrid, kBlock, 0, hipStreamPerThread>>>(a, kCount, 4);
  HIP_CHECK(hipStreamEndCapture(hipStreamPerThread, &graph));
  launchAndDestroy(graph, hipStreamPerThread, 2);
  CHECK_EQ(a.host()[0], 8);
  HIP_CHECK(hipStreamBeginCapture_spt(nullptr, hipStreamCaptureModeGlobal));
  HIP_CHECK(hipMemsetAsync_spt(a, 0, 4, nullptr));
  hipStreamCaptureStatus status;
  HIP_CHECK(hipStreamIsCapturing_spt(nullptr, &status));
  CHECK_EQ(status, hipStreamCaptureStatusActive);
  HIP_CHECK(hipStreamEndCapture_spt(nullptr, &graph));
  launchAndDestroy(graph, hipStreamPerThread, 1);
  CHECK_EQ(a.host()[0], 0);

  // A thread that ends while its stream is captured ends the capture; the stream serves the next thread.
  for (int i = 0; i < 2; ++i)
    std::thread([&] {
      DeviceArray<int> own(kCount);
      HIP_CHECK(hipMemsetAsync(own, 1, 4, hipStreamPerThread));
      HIP_CHECK(hipStreamSynchronize(hipStreamPerThread));
      HIP_CHECK(hipStreamBeginCapture(hipStreamPerThread, hipStreamCaptureModeRelaxed));
      add<<<kGrid, kBlock, 0, hipStreamPerThread>>>(own, kCount, 4);
    }).join();
}

// Eight captures at once, each forked, while other threads execute.
TEST(manyThreads) {
  std::vector<std::thread> threads;
  for (int number = 0; number < 8; ++number)
    threads.emplace_back([number] {
      // No blocking streams: the other threads use the null stream.
      Library functions(hipStreamNonBlocking);
      Stream stream(hipStreamNonBlocking);
      DeviceArray<int> a(kCount), b(kCount), c(kCount), result(kCount);
      for (int round = 0; round < 3; ++round) {
        HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
        functions.run(stream, a, b, c, result);
        add<<<kGrid, kBlock, 0, stream>>>(result, kCount, number);
        hipGraph_t graph;
        HIP_CHECK(hipStreamEndCapture(stream, &graph));
        launchAndDestroy(graph, stream, 2);
        CHECK_EQ(result.host()[round], 321 + number);
        HIP_CHECK(hipMemsetAsync(result, 0, kCount * sizeof(int), stream));
      }
      HIP_CHECK(hipStreamSynchronize(stream));
    });
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
