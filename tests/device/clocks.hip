// SPDX-License-Identifier: MIT
// The clocks of kernels: they never go back, wall_clock64 passes as fast as its rate says, and a thread can wait by them.
#include "tests/device/check.h"

#include <chrono>

namespace {

enum { kReads = 1000 };

__global__ void read(long long *steps, long long *out) {
  long long last = clock64(), backward = 0;
  for (int i = 0; i < kReads; ++i) {
    long long now = clock64();
    backward += now < last;
    last = now;
  }
  steps[threadIdx.x] = backward;
  if (threadIdx.x == 0) {
    out[0] = clock();
    out[1] = __clock();
    out[2] = __clock64();
    out[3] = wall_clock64();
    out[4] = clock64();
  }
}

// The count of clock64() while wall_clock64() goes on.
__global__ void compare(long long ticks, long long *cycles) {
  const long long wall = wall_clock64(), begin = clock64();
  while (wall_clock64() - wall < ticks)
    ;
  *cycles = clock64() - begin;
}

__global__ void waitFor(long long ticks, long long *passed) {
  long long begin = wall_clock64(), now;
  do
    now = wall_clock64();
  while (now - begin < ticks);
  *passed = now - begin;
}

int attribute(hipDeviceAttribute_t which) {
  int value = 0;
  HIP_CHECK(hipDeviceGetAttribute(&value, which, 0));
  return value;
}

TEST(neverGoBack) {
  DeviceArray<long long> steps(32), out(5);
  read<<<1, 32>>>(steps, out);
  HIP_CHECK(hipGetLastError());
  for (long long backward : steps.host())
    CHECK_EQ(backward, 0ll);
  std::vector<long long> r = out.host();
  for (int i = 0; i < 4; ++i)
    CHECK(r[i] > 0 && r[i] <= r[i + 1]);
}

TEST(attributes) {
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  CHECK(attribute(hipDeviceAttributeWallClockRate) > 0);
  CHECK_EQ(properties.clockInstructionRate, attribute(hipDeviceAttributeWallClockRate));
  CHECK_EQ(properties.clockRate, attribute(hipDeviceAttributeClockRate));
  CHECK(properties.memoryClockRate > 0); // programs divide by it
}

// A kernel that waits for 20 ms takes about that long: with another unit it would take 20 s, or next to nothing.
TEST(wallClock) {
  const int kiloHertz = attribute(hipDeviceAttributeWallClockRate);
  DeviceArray<long long> passed(1);
  waitFor<<<1, 1>>>(1, passed);
  HIP_CHECK(hipDeviceSynchronize());
  auto begin = std::chrono::steady_clock::now();
  waitFor<<<1, 1>>>(20ll * kiloHertz, passed);
  HIP_CHECK(hipDeviceSynchronize());
  double milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  CHECK(passed.host()[0] >= 20ll * kiloHertz);
  CHECK(milliseconds >= 19.9 && milliseconds < 5000);
  if (checkFailures)
    std::printf("20 ms of the kernel's clock took %g ms\n", milliseconds);
}

// So does one that waits by the other clock: each passes at the rate that its attribute tells.
TEST(bothClocks) {
  const int clockRate = attribute(hipDeviceAttributeClockRate);
  DeviceArray<long long> passed(1);
  compare<<<1, 1>>>(20ll * attribute(hipDeviceAttributeWallClockRate), passed);
  HIP_CHECK(hipGetLastError());
  const double cycles = static_cast<double>(passed.host()[0]);
  CHECK(cycles >= 0.99 * 20 * clockRate && cycles < 25.0 * 20 * clockRate);
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
