// SPDX-License-Identifier: MIT
// A pipeline that is submitted again and again, captured once into a graph: each step of a small simulation forks into two
// branches (statistics, smoothing) and joins again. The same code runs first as ordinary work in streams, then as a
// graph; one launch of the graph takes the place of all those calls. With a file name as argument the graph is written
// there for Graphviz.
#include "common.h"

#include <algorithm>
#include <cmath>

constexpr unsigned kBlock = 64;
constexpr int kCells = 256, kSteps = 5;

__global__ void advance(float *cells, const float *smooth, float rate) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kCells)
    cells[i] += rate * (smooth[i] - cells[i]);
}

__global__ void smoothen(float *smooth, const float *cells) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kCells)
    smooth[i] = 0.25f * cells[(i + kCells - 1) % kCells] + 0.5f * cells[i] + 0.25f * cells[(i + 1) % kCells];
}

__global__ void largest(float *out, const float *cells) {
  float value = 0;
  for (int i = 0; i < kCells; ++i)
    value = cells[i] > value ? cells[i] : value;
  *out = value;
}

struct Pipeline {
  sample::DeviceArray<float> cells{kCells}, smooth{kCells}, statistics{kSteps};
  float *start, *result; // page-locked
  hipStream_t main, side;
  hipEvent_t forked, joined;

  Pipeline() {
    HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&start), kCells * sizeof(float), hipHostMallocDefault));
    HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&result), kSteps * sizeof(float), hipHostMallocDefault));
    HIP_CHECK(hipStreamCreateWithFlags(&main, hipStreamNonBlocking));
    HIP_CHECK(hipStreamCreateWithFlags(&side, hipStreamNonBlocking));
    HIP_CHECK(hipEventCreateWithFlags(&forked, hipEventDisableTiming));
    HIP_CHECK(hipEventCreateWithFlags(&joined, hipEventDisableTiming));
    for (int i = 0; i < kCells; ++i)
      start[i] = float(i * 37 % 101);
  }
  ~Pipeline() {
    HIP_CHECK(hipEventDestroy(forked));
    HIP_CHECK(hipEventDestroy(joined));
    HIP_CHECK(hipStreamDestroy(main));
    HIP_CHECK(hipStreamDestroy(side));
    HIP_CHECK(hipHostFree(start));
    HIP_CHECK(hipHostFree(result));
  }

  // Ordinary code for streams: it does not know whether it is being captured.
  void submit() {
    HIP_CHECK(hipMemcpyAsync(cells.get(), start, kCells * sizeof(float), hipMemcpyHostToDevice, main));
    for (int step = 0; step < kSteps; ++step) {
      HIP_CHECK(hipEventRecord(forked, main));
      HIP_CHECK(hipStreamWaitEvent(side, forked, 0));
      largest<<<1, 1, 0, side>>>(statistics.get() + step, cells.get());
      HIP_CHECK(hipEventRecord(joined, side));
      smoothen<<<kCells / kBlock, kBlock, 0, main>>>(smooth.get(), cells.get());
      HIP_CHECK(hipStreamWaitEvent(main, joined, 0));
      advance<<<kCells / kBlock, kBlock, 0, main>>>(cells.get(), smooth.get(), 0.5f);
    }
    HIP_CHECK(hipMemcpyAsync(result, statistics.get(), kSteps * sizeof(float), hipMemcpyDeviceToHost, main));
  }

  // The host's result for the same start.
  bool isRight() const {
    std::vector<float> cell(start, start + kCells), next(kCells);
    for (int step = 0; step < kSteps; ++step) {
      float most = 0;
      for (float value : cell)
        most = value > most ? value : most;
      if (std::fabs(result[step] - most) > 1e-3f * most)
        return false;
      for (int i = 0; i < kCells; ++i)
        next[i] = 0.25f * cell[(i + kCells - 1) % kCells] + 0.5f * cell[i] + 0.25f * cell[(i + 1) % kCells];
      for (int i = 0; i < kCells; ++i)
        cell[i] += 0.5f * (next[i] - cell[i]);
    }
    return true;
  }
};

int main(int argc, char **argv) {
  Pipeline pipeline;
  hipGraph_t graph;
  HIP_CHECK(hipStreamBeginCapture(pipeline.main, hipStreamCaptureModeThreadLocal));
  pipeline.submit();
  HIP_CHECK(hipStreamEndCapture(pipeline.main, &graph));
  if (argc > 1)
    HIP_CHECK(hipGraphDebugDotPrint(graph, argv[1], 0));
  size_t nodes = 0;
  HIP_CHECK(hipGraphGetNodes(graph, nullptr, &nodes));
  hipGraphExec_t exec;
  HIP_CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  HIP_CHECK(hipGraphDestroy(graph));

  // The time until the call returns, and until everything is done; the best of some rounds.
  struct Times {
    double submit = 1e9, whole = 1e9;
  };
  auto measure = [&](auto submit) {
    using Clock = std::chrono::steady_clock;
    auto microseconds = [](Clock::duration time) { return std::chrono::duration<double, std::micro>(time).count(); };
    Times best;
    for (int round = 0; round < 200; ++round) {
      const auto begin = Clock::now();
      submit();
      best.submit = std::min(best.submit, microseconds(Clock::now() - begin));
      HIP_CHECK(hipStreamSynchronize(pipeline.main));
      best.whole = std::min(best.whole, microseconds(Clock::now() - begin));
    }
    return best;
  };
  const Times streams = measure([&] { pipeline.submit(); });
  bool good = pipeline.isRight();
  std::fill(pipeline.result, pipeline.result + kSteps, 0.0f);
  const Times graphs = measure([&] { HIP_CHECK(hipGraphLaunch(exec, pipeline.main)); });
  good = good && pipeline.isRight();
  HIP_CHECK(hipGraphExecDestroy(exec));
  std::printf(
      "%zu nodes. In streams: %.1f us to submit, %.1f us in all. As a graph: %.1f us to submit, %.1f us in all.\n",
      nodes, streams.submit, streams.whole, graphs.submit, graphs.whole);
  return sample::report("graph_pipeline", good, streams.submit / graphs.submit, "x");
}
