// SPDX-License-Identifier: MIT
// Two Level Zero drivers in one process: Intel's in capture mode, which executes nothing, and the CPU device. Events of one
// order streams of the other, copies and fills reach memory of the other driver's device, and the process ends cleanly
// while a stream waits for an event of the other driver.
#include "tests/device/check.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

namespace {
__global__ void store(int *to, int value) { *to = value; }
std::atomic<int> order{0};
} // namespace

int main() {
  int count = 0;
  if (hipGetDeviceCount(&count) == hipErrorNoDevice || count < 2) {
    std::printf("SKIP: there are not two drivers\n");
    return 77;
  }
  hipStream_t streams[2];
  hipEvent_t events[2];
  int *memory[2];
  for (int device = 0; device < 2; ++device) {
    hipDeviceProp_t properties;
    HIP_CHECK(hipGetDeviceProperties(&properties, device));
    std::printf("device %d: %s\n", device, properties.name);
    HIP_CHECK(hipSetDevice(device));
    HIP_CHECK(hipStreamCreate(&streams[device]));
    HIP_CHECK(hipEventCreate(&events[device]));
    HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&memory[device]), 64 * sizeof(int)));
    store<<<1, 1, 0, streams[device]>>>(memory[device], device);
    HIP_CHECK(hipGetLastError());
  }
  const int gpu = 0, cpu = 1;

  // The GPU's stream waits for the CPU device's, which is held up by a host function.
  static std::atomic<bool> go{false};
  HIP_CHECK(hipLaunchHostFunc(
      streams[cpu],
      [](void *) {
        while (!go)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        order = 1;
      },
      nullptr));
  HIP_CHECK(hipEventRecord(events[cpu], streams[cpu]));
  HIP_CHECK(hipStreamWaitEvent(streams[gpu], events[cpu], 0));
  HIP_CHECK(hipLaunchHostFunc(
      streams[gpu], [](void *) { order = order == 1 ? 2 : -1; }, nullptr));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK_EQ(order.load(), 0);
  go = true;
  for (int waited = 0; waited < 10000 && order != 2; ++waited)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK_EQ(order.load(), 2);

  // The other way round, and copies between the two.
  HIP_CHECK(hipEventRecord(events[gpu], streams[gpu]));
  HIP_CHECK(hipStreamWaitEvent(streams[cpu], events[gpu], 0));
  HIP_CHECK(hipMemcpyAsync(memory[cpu] + 1, memory[gpu], sizeof(int), hipMemcpyDeviceToDevice, streams[cpu]));
  HIP_CHECK(hipMemcpyAsync(memory[gpu] + 1, memory[cpu], sizeof(int), hipMemcpyDeviceToDevice, streams[cpu]));
  HIP_CHECK(hipMemsetD32Async(memory[gpu], 7, 64, streams[cpu]));
  HIP_CHECK(hipMemsetD16Async(memory[cpu], 0x0303, 2, streams[gpu]));
  HIP_CHECK(hipStreamSynchronize(streams[gpu]));
  HIP_CHECK(hipStreamSynchronize(streams[cpu]));
  int value = 0;
  HIP_CHECK(hipMemcpy(&value, memory[cpu], sizeof value, hipMemcpyDeviceToHost));
  CHECK_EQ(value, 0x03030303);

  // At the end of the process the thread of one driver's stream waits for an event of the other.
  go = false;
  HIP_CHECK(hipLaunchHostFunc(
      streams[cpu],
      [](void *) {
        for (;;)
          std::this_thread::sleep_for(std::chrono::seconds(1));
      },
      nullptr));
  HIP_CHECK(hipEventRecord(events[cpu], streams[cpu]));
  HIP_CHECK(hipStreamWaitEvent(streams[gpu], events[cpu], 0));
  return testResult();
}
