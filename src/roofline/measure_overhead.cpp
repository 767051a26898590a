// SPDX-License-Identifier: MIT
// The cost to the host of launches, synchronisation, events and graphs, in microseconds of its own time.
#include "roofline/kernels/kernels.h"
#include "roofline/session.h"

#include <chrono>

namespace hiplz::roofline {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// A linear graph of that many empty kernels.
class EmptyGraph {
public:
  explicit EmptyGraph(unsigned nodes) {
    check(hipGraphCreate(&graph_, 0), "hipGraphCreate");
    hipKernelNodeParams parameters{};
    parameters.func = const_cast<void *>(emptyKernel()); // NOLINT(cppcoreguidelines-pro-type-const-cast)
    parameters.gridDim = parameters.blockDim = dim3(1);
    hipGraphNode_t before = nullptr;
    for (unsigned i = 0; i < nodes; ++i) {
      hipGraphNode_t node = nullptr;
      check(hipGraphAddKernelNode(&node, graph_, before ? &before : nullptr, before ? 1 : 0, &parameters),
            "hipGraphAddKernelNode");
      before = node;
    }
    check(hipGraphInstantiate(&executable_, graph_, nullptr, nullptr, 0), "hipGraphInstantiate");
  }
  ~EmptyGraph() {
    if (executable_)
      static_cast<void>(hipGraphExecDestroy(executable_));
    static_cast<void>(hipGraphDestroy(graph_));
  }
  EmptyGraph(const EmptyGraph &) = delete;
  EmptyGraph &operator=(const EmptyGraph &) = delete;
  hipGraphExec_t get() const { return executable_; }

private:
  hipGraph_t graph_ = nullptr;
  hipGraphExec_t executable_ = nullptr;
};

} // namespace

void measureOverhead(Session &session) {
  const hipStream_t stream = session.stream();
  const auto launch = [&] {
    check(hipLaunchKernel(emptyKernel(), dim3(1), dim3(1), nullptr, 0, stream), "hipLaunchKernel");
  };
  const auto wait = [&] { check(hipStreamSynchronize(stream), "hipStreamSynchronize"); };
  hipEvent_t event = nullptr;
  check(hipEventCreate(&event), "hipEventCreate");
  const std::shared_ptr<void> destroyEvent(nullptr, [&](void *) { static_cast<void>(hipEventDestroy(event)); });

  // Seconds of so many of them. What is submitted is waited for outside of the time.
  const auto add = [&](const char *name, const std::function<void()> &once, bool waits, unsigned each = 1) {
    session.progress().step(name);
    Sample sample;
    sample.section = "overhead";
    sample.kernel = name;
    sample.unit = "us";
    const auto run = [&](unsigned count) {
      const Clock::time_point start = Clock::now();
      for (unsigned i = 0; i < count; ++i)
        once();
      const double seconds = secondsSince(start);
      if (!waits)
        wait();
      return seconds;
    };
    // Few enough that the queues do not fill up.
    if (session.measure(sample, run, each, false, 1000)) {
      sample.value = 1 / sample.value / 1e3;
      session.result().samples.push_back(sample);
    }
  };
  session.progress().steps(9);
  launch();
  wait();
  add("launch", launch, false);
  add(
      "launch and wait",
      [&] {
        launch();
        wait();
      },
      true);
  add("wait for nothing", wait, true);
  add(
      "record an event", [&] { check(hipEventRecord(event, stream), "hipEventRecord"); }, false);
  add(
      "record and wait for an event",
      [&] {
        check(hipEventRecord(event, stream), "hipEventRecord");
        check(hipEventSynchronize(event), "hipEventSynchronize");
      },
      true);
  add(
      "query an event", [&] { static_cast<void>(hipEventQuery(event)); }, true);
  for (const unsigned nodes : {1u, 10u, 100u}) {
    const EmptyGraph graph(nodes);
    add(("graph of " + std::to_string(nodes) + ": launch and wait").c_str(),
        [&] {
          check(hipGraphLaunch(graph.get(), stream), "hipGraphLaunch");
          wait();
        },
        true);
  }
}

} // namespace hiplz::roofline
