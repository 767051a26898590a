// SPDX-License-Identifier: MIT
// Atomic additions: integers and floats, in global and shared memory, to one counter or to one for each work-item.
#include "roofline/kernels/kernels.h"
#include "roofline/session.h"

#include <algorithm>

namespace hiplz::roofline {

void measureAtomics(Session &session) {
  constexpr unsigned kCounters = 1 << 20;
  const unsigned threads = std::min(256u, session.facts().maxThreads);
  const unsigned blocks = session.facts().units * 8;
  DeviceMemory memory(size_t{kCounters} * 4);
  void *counters = memory.get();
  std::vector<AtomicKernel> kernels = atomicKernels();
  session.progress().steps(static_cast<unsigned>(kernels.size()) * 2);
  for (const AtomicKernel &kernel : kernels)
    for (const bool same : {true, false}) {
      session.progress().step(kernel.name);
      unsigned mask = same ? 0 : kernel.shared ? kTile - 1 : kCounters - 1;
      Sample sample;
      sample.section = "atomics";
      sample.kernel = std::string(kernel.shared ? "shared" : "global") + (same ? ", one counter" : ", own counters");
      sample.type = kernel.type == ElementType::Int ? "int" : "float";
      sample.width = 1;
      sample.blocks = blocks;
      sample.threads = threads;
      sample.unit = "Gop/s";
      const auto run = [&](unsigned iterations) {
        void *arguments[] = {&counters, &mask, &iterations};
        return session.launch(kernel.function, blocks, threads, arguments);
      };
      if (session.measure(sample, run, double{kUnrolled} * blocks * threads, session.mode() == Mode::Full))
        session.result().samples.push_back(sample);
    }
}

} // namespace hiplz::roofline
