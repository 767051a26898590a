// SPDX-License-Identifier: MIT
// Chains of empty kernels: launched one by one in a stream, as a graph, and as a closed command list of Level Zero
// itself. "host" is the time of the calls alone, the rest happens with the clock stopped; "whole" includes waiting.
// "changed" has the host's time for other parameters of one kernel as well. Then a graph that forks into two branches
// beside one in which the same kernels follow each other.
#include "raw_level_zero.h"

#include <benchmark/benchmark.h>
#include <hip/hip_runtime.h>

namespace {

__global__ void empty() {}

// Keeps one work-item busy for some 20 microseconds.
__global__ void busy(double *out) {
  double value = 1;
  for (int i = 0; i < 20000; ++i)
    value = value * 0.999999 + 1e-9;
  *out = value;
}

struct Chain {
  hipGraphExec_t exec;
  hipGraph_t graph;
  hipGraphNode_t middle = nullptr;
  explicit Chain(int length) {
    HIP(hipGraphCreate(&graph, 0));
    hipKernelNodeParams parameters{};
    parameters.func = reinterpret_cast<void *>(empty);
    parameters.gridDim = parameters.blockDim = dim3(1);
    hipGraphNode_t last = nullptr;
    for (int i = 0; i < length; ++i) {
      HIP(hipGraphAddKernelNode(&last, graph, &last, i != 0, &parameters));
      if (i == length / 2)
        middle = last;
    }
    HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  }
  ~Chain() {
    HIP(hipGraphExecDestroy(exec));
    HIP(hipGraphDestroy(graph));
  }
};

struct Stream {
  hipStream_t stream;
  Stream() { HIP(hipStreamCreate(&stream)); }
  ~Stream() { HIP(hipStreamDestroy(stream)); }
  void wait() { HIP(hipStreamSynchronize(stream)); }
};

/// submit() is measured, and drain() if `whole`.
template <class Submit, class Drain> void measure(benchmark::State &state, bool whole, Submit submit, Drain drain) {
  const auto nodes = static_cast<double>(state.range(0));
  submit();
  drain();
  for (auto _ : state) {
    submit();
    if (!whole)
      state.PauseTiming();
    drain();
    if (!whole)
      state.ResumeTiming();
  }
  state.counters["per_kernel"] =
      benchmark::Counter(nodes, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void inStream(benchmark::State &state, bool whole) {
  raw();
  Stream stream;
  measure(
      state, whole,
      [&] {
        for (int i = 0; i < state.range(0); ++i)
          empty<<<1, 1, 0, stream.stream>>>();
      },
      [&] { stream.wait(); });
}

void asGraph(benchmark::State &state, bool whole) {
  raw();
  Stream stream;
  Chain chain(static_cast<int>(state.range(0)));
  measure(
      state, whole, [&] { HIP(hipGraphLaunch(chain.exec, stream.stream)); }, [&] { stream.wait(); });
}

// One kernel in the middle gets another grid before each launch.
void changed(benchmark::State &state) {
  raw();
  Stream stream;
  Chain chain(static_cast<int>(state.range(0)));
  hipKernelNodeParams parameters{};
  parameters.func = reinterpret_cast<void *>(empty);
  parameters.gridDim = parameters.blockDim = dim3(1);
  measure(
      state, false,
      [&] {
        parameters.gridDim.x ^= 3;
        HIP(hipGraphExecKernelNodeSetParams(chain.exec, chain.middle, &parameters));
        HIP(hipGraphLaunch(chain.exec, stream.stream));
      },
      [&] { stream.wait(); });
}

void closedList(benchmark::State &state, bool whole) {
  Raw &ze = raw();
  ze_command_list_desc_t listDesc{};
  listDesc.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
  ze_command_list_handle_t list;
  ZE(zeCommandListCreate(ze.context, ze.device, &listDesc, &list));
  const ze_group_count_t groups{1, 1, 1};
  for (int i = 0; i < state.range(0); ++i)
    ZE(zeCommandListAppendLaunchKernel(list, ze.empty, &groups, nullptr, 0, nullptr));
  ZE(zeCommandListClose(list));
  ze_command_queue_desc_t queueDesc{
      ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 0, 0, 0, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
      ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
  ze_command_queue_handle_t queue;
  ZE(zeCommandQueueCreate(ze.context, ze.device, &queueDesc, &queue));
  measure(
      state, whole, [&] { ZE(zeCommandQueueExecuteCommandLists(queue, 1, &list, nullptr)); },
      [&] { ZE(zeCommandQueueSynchronize(queue, UINT64_MAX)); });
  ZE(zeCommandQueueDestroy(queue));
  ZE(zeCommandListDestroy(list));
}

void fork(benchmark::State &state, bool forked) {
  raw();
  Stream stream;
  double *out;
  HIP(hipMalloc(&out, 64 * sizeof(double)));
  hipGraph_t graph;
  HIP(hipGraphCreate(&graph, 0));
  auto add = [&](std::vector<hipGraphNode_t> after, double *to) {
    void *arguments[] = {&to};
    hipKernelNodeParams parameters{};
    parameters.func = reinterpret_cast<void *>(busy);
    parameters.gridDim = parameters.blockDim = dim3(1);
    parameters.kernelParams = arguments;
    hipGraphNode_t node;
    HIP(hipGraphAddKernelNode(&node, graph, after.data(), after.size(), &parameters));
    return node;
  };
  const hipGraphNode_t root = add({}, out);
  hipGraphNode_t ends[] = {root, root};
  for (int i = 0; i < 4; ++i)
    for (int branch = 0; branch < 2; ++branch) {
      const hipGraphNode_t node = add({ends[forked ? branch : 0]}, out + 8 * branch);
      ends[branch] = node;
      if (!forked)
        ends[0] = ends[1] = node;
    }
  add(forked ? std::vector<hipGraphNode_t>{ends[0], ends[1]} : std::vector<hipGraphNode_t>{ends[0]}, out);
  hipGraphExec_t exec;
  HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  HIP(hipGraphDestroy(graph));
  for (auto _ : state) {
    HIP(hipGraphLaunch(exec, stream.stream));
    stream.wait();
  }
  HIP(hipGraphExecDestroy(exec));
  HIP(hipFree(out));
}

void lengths(benchmark::internal::Benchmark *benchmark) {
  benchmark->Arg(1)->Arg(10)->Arg(100)->Arg(1000)->UseRealTime();
}

BENCHMARK_CAPTURE(inStream, host, false)->Apply(lengths);
BENCHMARK_CAPTURE(asGraph, host, false)->Apply(lengths);
BENCHMARK_CAPTURE(closedList, host, false)->Apply(lengths);
BENCHMARK(changed)->Apply(lengths);
BENCHMARK_CAPTURE(inStream, whole, true)->Apply(lengths);
BENCHMARK_CAPTURE(asGraph, whole, true)->Apply(lengths);
BENCHMARK_CAPTURE(closedList, whole, true)->Apply(lengths);
BENCHMARK_CAPTURE(fork, branches, true)->UseRealTime();
BENCHMARK_CAPTURE(fork, chain, false)->UseRealTime();

} // namespace

BENCHMARK_MAIN();
