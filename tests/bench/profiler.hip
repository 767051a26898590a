// SPDX-License-Identifier: MIT
// The program that tests/bench/profiler.py runs with and without hiplz-prof: prints the nanoseconds of a launch for the host, and the
// microseconds of a launch and its kernel of about 20 us when the device is never idle.
#include <hip/hip_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

void check(hipError_t error) {
  if (error != hipSuccess) {
    std::fprintf(stderr, "%s\n", hipGetErrorName(error));
    std::exit(1);
  }
}

__global__ void empty() {}

__global__ void iterate(float *values, int rounds) {
  float value = values[threadIdx.x];
  for (int round = 0; round < rounds; ++round)
    value = value * 0.999f + 0.5f;
  values[threadIdx.x] = value;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// Nanoseconds of one of `count` launches, with or without the wait for them.
template <class Launch> double timed(int count, bool withWait, hipStream_t stream, Launch launch) {
  std::vector<double> times;
  for (int repetition = 0; repetition < 21; ++repetition) {
    const Clock::time_point begin = Clock::now();
    for (int index = 0; index < count; ++index)
      launch();
    Clock::time_point end = Clock::now();
    check(hipStreamSynchronize(stream));
    if (withWait)
      end = Clock::now();
    times.push_back(std::chrono::duration<double, std::nano>(end - begin).count() / count);
  }
  return median(times);
}

} // namespace

int main() {
  hipStream_t stream;
  check(hipStreamCreate(&stream));
  float *values = nullptr;
  check(hipMalloc(&values, 256 * sizeof(float)));
  check(hipMemset(values, 0, 256 * sizeof(float)));
  // One block, so that the time does not depend on how many processors are free.
  int rounds = 1000;
  auto kernel = [&] { iterate<<<1, 256, 0, stream>>>(values, rounds); };
  for (int attempt = 0; attempt < 5; ++attempt)
    rounds = std::max(1, static_cast<int>(rounds * 20'000.0 / timed(50, true, stream, kernel)));
  const double launch = timed(512, false, stream, [&] { empty<<<1, 1, 0, stream>>>(); });
  const double busy = timed(500, true, stream, kernel);
  std::printf("%.1f %.4f\n", launch, busy / 1000);
  return 0;
}
