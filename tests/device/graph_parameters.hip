// SPDX-License-Identifier: MIT
// Executable graphs whose kernels get other parameters between launches, again and again.
#include "graph.h"

#include <cstdio>
#include <cstring>
#include <string>
#include <unistd.h>

namespace {

__global__ void write(int *to, int value) { to[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void sum(int *to, const int *a, const int *b, int count) {
  int total = 0;
  for (int i = 0; i < count; ++i)
    total += a[i] + b[i];
  *to = total;
}

/// Two branches, which write, and what adds up; the parameters are different in each round, down to the pointers and the shape.
class ChangingGraph {
public:
  ChangingGraph() {
    build(graph_, 0, nodes_);
    graph_.instantiate();
    HIP_CHECK(hipStreamCreate(&stream_));
  }
  ~ChangingGraph() { HIP_CHECK(hipStreamDestroy(stream_)); }

  void setParameters(int round) {
    forEachNode(round, [&](int node, const hipKernelNodeParams &parameters) {
      HIP_CHECK(hipGraphExecKernelNodeSetParams(graph_.exec, nodes_[node], &parameters));
    });
  }
  void update(int round) {
    Graph other;
    hipGraphNode_t nodes[3];
    build(other, round, nodes);
    hipGraphNode_t culprit;
    hipGraphExecUpdateResult result;
    HIP_CHECK(hipGraphExecUpdate(graph_.exec, other.graph, &culprit, &result));
  }
  void enable(bool enabled) { HIP_CHECK(hipGraphNodeSetEnabled(graph_.exec, nodes_[0], enabled)); }
  void launch() { graph_.launch(stream_); }
  void wait() { HIP_CHECK(hipStreamSynchronize(stream_)); }
  int result(int round) { return results_.host()[round]; }
  static int expected(int round) { return shapeOf(round) * round + shapeOf(round) * 100 * round; }
  static constexpr int kRounds = 40;

private:
  static int shapeOf(int round) { return (round % 3 + 1) * (round % 2 ? 1 : 8); }

  template <class Use> void forEachNode(int round, Use use) {
    int *first = branches_ + 64 * (round % 2), *second = branches_ + 128 + 64 * (round % 2);
    int one = round, two = 100 * round, count = shapeOf(round);
    int *result = results_ + round;
    void *of[3][4] = {{&first, &one}, {&second, &two}, {&result, &first, &second, &count}};
    for (int node = 0; node < 3; ++node) {
      hipKernelNodeParams parameters{};
      parameters.func = node == 2 ? reinterpret_cast<void *>(sum) : reinterpret_cast<void *>(write);
      parameters.gridDim = dim3(node == 2 ? 1 : round % 3 + 1);
      parameters.blockDim = dim3(node == 2 || round % 2 ? 1 : 8);
      parameters.kernelParams = of[node];
      use(node, parameters);
    }
  }
  void build(Graph &graph, int round, hipGraphNode_t *nodes) {
    forEachNode(round, [&](int node, const hipKernelNodeParams &parameters) {
      HIP_CHECK(hipGraphAddKernelNode(&nodes[node], graph.graph, nodes, node == 2 ? 2 : 0, &parameters));
    });
  }

  DeviceArray<int> branches_{256}, results_{kRounds};
  Graph graph_;
  hipGraphNode_t nodes_[3];
  hipStream_t stream_ = nullptr;
};

TEST(otherParametersAfterEachLaunch) {
  ChangingGraph graph;
  for (int round = 1; round < ChangingGraph::kRounds; ++round) {
    graph.setParameters(round);
    graph.launch();
    graph.wait();
    CHECK_EQ(graph.result(round), ChangingGraph::expected(round));
  }
}

// The same without waiting, by another graph as well, and with a node that is switched off and on again.
TEST(otherParametersWhileLaunchesArePending) {
  ChangingGraph graph;
  for (int round = 1; round < ChangingGraph::kRounds; ++round) {
    round % 4 ? graph.setParameters(round) : graph.update(round);
    if (round == 20) {
      graph.enable(false);
      graph.launch();
      graph.enable(true);
    }
    graph.launch();
    if (round % 7 == 0)
      graph.wait();
  }
  graph.wait();
  for (int round = 1; round < ChangingGraph::kRounds; ++round)
    CHECK_EQ(graph.result(round), ChangingGraph::expected(round));
}

// Where the driver can change closed lists, it is not asked for new ones each time.
TEST(changesTheListsThemselves) {
  char self[4096] = {};
  CHECK(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
  FILE *child =
      popen((std::string("HIPLZ_LOG=ze=trace '") + self + "' --test=otherParametersAfterEachLaunch 2>&1").c_str(), "r");
  int lists = 0;
  for (char line[4096]; std::fgets(line, sizeof line, child);)
    lists += std::strstr(line, "zeCommandListCreate(") != nullptr;
  CHECK_EQ(pclose(child), 0);
  std::printf("%d lists for %d changes\n", lists, ChangingGraph::kRounds - 1);
  CHECK(lists > 0 && lists < ChangingGraph::kRounds / 2);
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
