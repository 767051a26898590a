// SPDX-License-Identifier: MIT
#include "roofline/clock_probe.h"

#include "roofline/kernels/kernels.h"
#include "roofline/statistics.h"

#include <algorithm>

namespace hiplz::roofline {

namespace {

// Far below the milliseconds for which an operating system gives a processor to somebody else, so that most chains are undisturbed.
constexpr double kShortChain = 1e-4; // seconds

} // namespace

ClockProbe::ClockProbe(hipStream_t stream, unsigned pairs) : stream_(stream), pairs_(pairs), out_(sizeof(int)) {
  const std::vector<ThroughputKernel> kernels = intKernels();
  chain_ = std::ranges::find_if(kernels, [](const ThroughputKernel &kernel) {
             return kernel.operation == Operation::Add && kernel.width == 1 && kernel.chains == 1;
           })->function;
  for (hipEvent_t &event : events_)
    check(hipEventCreate(&event), "hipEventCreate");
}

ClockProbe::~ClockProbe() {
  for (hipEvent_t event : events_)
    if (event)
      static_cast<void>(hipEventDestroy(event));
}

void ClockProbe::launch(unsigned iterations) {
  void *out = out_.get();
  int a = 3, b = 1;
  void *arguments[] = {&out, &a, &b, &iterations};
  check(hipLaunchKernel(chain_, dim3(1), dim3(1), arguments, 0, stream_), "hipLaunchKernel");
}

double ClockProbe::seconds(unsigned from, unsigned to) const {
  float milliseconds = 0;
  check(hipEventElapsedTime(&milliseconds, events_[from], events_[to]), "hipEventElapsedTime");
  return std::max(0.0, milliseconds / 1e3);
}

void ClockProbe::look() {
  const auto wait = [&] { check(hipEventSynchronize(events_[2]), "hipEventSynchronize"); };
  const auto record = [&](unsigned event) { check(hipEventRecord(events_[event], stream_), "hipEventRecord"); };
  if (!iterations_)
    iterations_ = calibrate(
        [&](unsigned iterations) {
          record(0);
          launch(iterations);
          record(2);
          wait();
          return seconds(0, 2);
        },
        {.target = kShortChain}, 1u << 24);
  std::vector<double> shorter, longer;
  for (unsigned pair = 0; pair < pairs_; ++pair) {
    // The first chain keeps the device busy until the host has submitted everything that is timed.
    launch(iterations_);
    record(0);
    launch(iterations_);
    record(1);
    launch(3 * iterations_);
    record(2);
    wait();
    shorter.push_back(seconds(0, 1));
    longer.push_back(seconds(1, 2));
  }
  looks_.push_back(undisturbedDifference(shorter, longer));
}

std::optional<double> ClockProbe::drift() const { return driftOf(looks_); }

} // namespace hiplz::roofline
