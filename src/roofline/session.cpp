// SPDX-License-Identifier: MIT
#include "roofline/session.h"

#include "hiplz/interop.h"
#include "roofline/device_facts.h"
#include "roofline/kernels/kernels.h"

#include <algorithm>
#include <chrono>

namespace hiplz::roofline {

Session::Session(int device, Mode mode, Result &result, Progress &progress)
    : mode_(mode), result_(result), progress_(progress) {
  check(hipSetDevice(device), "hipSetDevice");
  result_.device = readFacts(device);
  check(hipStreamCreate(&stream_), "hipStreamCreate");
  check(hipEventCreate(&start_), "hipEventCreate");
  check(hipEventCreate(&stop_), "hipEventCreate");
  switch (mode) {
  case Mode::Full: break;
  case Mode::Quick: effort_ = {0.002, 3, 12, 0.03, 0.05}; break;
  case Mode::Smoke: effort_ = {0.00002, 2, 2, 1, 0}; break;
  }
  ze_device_handle_t native = nullptr;
  check(hiplzGetNativeDevice(device, &native), "hiplzGetNativeDevice");
  hipDeviceProp_t properties;
  check(hipGetDeviceProperties(&properties, device), "hipGetDeviceProperties");
  energy_ = std::make_unique<EnergyMeter>(native, result_.device.kind == "CPU" || properties.integrated);
  result_.energySource = energy_->source();
}

Session::~Session() {
  for (hipEvent_t event : {start_, stop_})
    if (event)
      static_cast<void>(hipEventDestroy(event));
  if (stream_)
    static_cast<void>(hipStreamDestroy(stream_));
}

double Session::launch(const void *function, unsigned blocks, unsigned threads, void **arguments) {
  check(hipEventRecord(start_, stream_), "hipEventRecord");
  check(hipLaunchKernel(function, dim3(blocks), dim3(threads), arguments, 0, stream_), "hipLaunchKernel");
  check(hipEventRecord(stop_, stream_), "hipEventRecord");
  check(hipEventSynchronize(stop_), "hipEventSynchronize");
  float milliseconds = 0;
  check(hipEventElapsedTime(&milliseconds, start_, stop_), "hipEventElapsedTime");
  return std::max(0.0, milliseconds / 1e3);
}

bool Session::measure(Sample &sample, const std::function<double(unsigned)> &run, double operations, bool withEnergy,
                      unsigned most) {
  const std::string name = sample.section + " " + sample.kernel + (sample.type.empty() ? "" : " " + sample.type);
  try {
    const unsigned iterations = calibrate(run, effort_, most);
    sample.time = repeat([&] { return run(iterations); }, effort_);
    if (sample.time.median <= 0) {
      note(name + ": the device reports no time");
      return false;
    }
    const double all = operations * iterations;
    sample.value = all / sample.time.median / 1e9;
    if (withEnergy && energy_->readable()) {
      // Counters are updated every millisecond or so.
      using Clock = std::chrono::steady_clock;
      const double seconds = mode_ == Mode::Full ? 0.5 : mode_ == Mode::Quick ? 0.05 : 0.002;
      double elapsed = 0, done = 0;
      const Clock::time_point start = Clock::now();
      energy_->start();
      do {
        run(iterations);
        done += all;
        elapsed = std::chrono::duration<double>(Clock::now() - start).count();
      } while (elapsed < seconds);
      const std::optional<double> joules = energy_->stop();
      elapsed = std::chrono::duration<double>(Clock::now() - start).count();
      if (joules && *joules > 0) {
        sample.watts = *joules / elapsed;
        sample.perJoule = done / *joules / 1e9;
      }
    }
    return true;
  } catch (const DeviceError &error) {
    note(name + ": " + error.what());
    return false;
  }
}

void Session::probeClock() {
  if (clockFailed_)
    return;
  try {
    if (!clock_)
      clock_ = std::make_unique<ClockProbe>(stream_, mode_ == Mode::Smoke ? 3 : 31);
    clock_->look();
    result_.drift = clock_->drift();
  } catch (const DeviceError &error) {
    clockFailed_ = true;
    result_.drift.reset();
    note(std::string("drift of the clock: ") + error.what());
  }
}

} // namespace hiplz::roofline
