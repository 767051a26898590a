// SPDX-License-Identifier: MIT
// Latency of loads: one work-item follows a circle through memory, over sizes and over strides.
#include "roofline/chase.h"
#include "roofline/kernels/kernels.h"
#include "roofline/session.h"
#include "roofline/sizes.h"

#include <algorithm>

namespace hiplz::roofline {

namespace {

constexpr uint32_t kLine = 64; // bytes: the caches' lines, of processors and of Intel's GPUs

void chase(Session &session, DeviceMemory &memory, uint64_t bytes, uint32_t stride, bool inOrder) {
  const auto count = static_cast<uint32_t>(bytes / stride);
  const std::vector<uint32_t> next = makeCircle(count, stride / 4, inOrder);
  Sample sample;
  sample.section = "latency";
  sample.kernel = inOrder ? "in order" : "random";
  sample.bytes = bytes;
  sample.stride = stride;
  sample.blocks = sample.threads = 1;
  sample.unit = "ns";
  try {
    check(hipMemcpy(memory.get(), next.data(), next.size() * sizeof next[0], hipMemcpyHostToDevice), "hipMemcpy");
    const uint32_t *circle = memory.as<uint32_t>();
    DeviceMemory out(64);
    void *result = out.get();
    const auto run = [&](unsigned iterations) {
      void *arguments[] = {&circle, &result, &iterations};
      return session.launch(latencyKernel(), 1, 1, arguments);
    };
    run(1); // compiles the kernel, the first time
    // Once around, so that a cache holds what it can hold.
    const unsigned around = (count + kSteps - 1) / kSteps;
    const double seconds = run(around);
    Effort effort = session.effort();
    if (seconds > effort.target * 10) // much memory: each repetition is long, and has many accesses
      effort.least = effort.most = 3;
    const unsigned iterations =
        seconds > effort.target * 50 ? std::max(1u, around / 8) : std::max(around, calibrate(run, effort, 1u << 24));
    sample.time = repeat([&] { return run(iterations); }, effort);
    const double steps = double{kSteps} * iterations;
    if (sample.time.median <= 0) {
      session.note("latency: the device reports no time");
      return;
    }
    sample.value = sample.time.median / steps * 1e9;
    session.result().samples.push_back(sample);
  } catch (const DeviceError &error) {
    session.note(std::string("latency: ") + error.what());
  }
}

} // namespace

void measureLatency(Session &session) {
  const std::vector<uint64_t> sizes = latencySizes(session.facts(), session.mode());
  std::vector<uint32_t> strides = {4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096};
  if (session.mode() != Mode::Full)
    strides = session.mode() == Mode::Quick ? std::vector<uint32_t>{4, 64, 256, 4096} : std::vector<uint32_t>{64, 128};
  session.progress().steps(static_cast<unsigned>(sizes.size() + strides.size()));
  DeviceMemory memory(sizes.back());
  for (const uint64_t bytes : sizes) {
    session.progress().step(std::to_string(bytes / 1024) + " KiB");
    chase(session, memory, bytes, kLine, false);
  }
  // Where the staircase rises, the sizes between tell where a cache ends.
  if (session.mode() != Mode::Smoke)
    for (const uint64_t bytes : edgeSizes(staircaseOf(session.result()), session.mode()))
      chase(session, memory, bytes, kLine, false);
  for (const uint32_t stride : strides) {
    session.progress().step("stride " + std::to_string(stride));
    chase(session, memory, sizes.back(), stride, true);
  }
}

} // namespace hiplz::roofline
