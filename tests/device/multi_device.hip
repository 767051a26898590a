// SPDX-License-Identifier: MIT
// Two devices: each thread's current device, streams and memory of each, events between them, copies from one to the
// other. The CPU driver shows two devices for this test; a machine with one GPU skips it.
#include "check.h"

#include <algorithm>
#include <cstdlib>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

__global__ void store(int *to, int value) { *to = value; }
__global__ void add(int *to, const int *from) { *to += *from; }

TEST(currentDeviceIsOfTheThread) {
  HIP_CHECK(hipSetDevice(1));
  std::thread([] {
    int device = -1;
    HIP_CHECK(hipGetDevice(&device));
    CHECK_EQ(device, 0);
    HIP_CHECK(hipSetDevice(1));
  }).join();
  HIP_CHECK(hipSetDevice(0));
}

TEST(workOnBoth) {
  int *memory[2], *result;
  hipStream_t streams[2];
  hipEvent_t done[2];
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&result), sizeof(int), hipHostMallocPortable));
  for (int device = 0; device < 2; ++device) {
    HIP_CHECK(hipSetDevice(device));
    HIP_CHECK(hipMalloc(&memory[device], sizeof(int)));
    HIP_CHECK(hipStreamCreate(&streams[device]));
    HIP_CHECK(hipEventCreate(&done[device]));
    hipPointerAttribute_t attributes;
    HIP_CHECK(hipPointerGetAttributes(&attributes, memory[device]));
    CHECK_EQ(attributes.device, device);
    hipDevice_t of;
    HIP_CHECK(hipStreamGetDevice(streams[device], &of));
    CHECK_EQ(of, device);
  }
  for (int round = 0; round < 50; ++round) {
    HIP_CHECK(hipSetDevice(0));
    store<<<1, 1, 0, streams[0]>>>(memory[0], 40 + round);
    HIP_CHECK(hipEventRecord(done[0], streams[0]));
    HIP_CHECK(hipSetDevice(1));
    store<<<1, 1, 0, streams[1]>>>(memory[1], 2);
    HIP_CHECK(hipStreamWaitEvent(streams[1], done[0], 0));
    add<<<1, 1, 0, streams[1]>>>(memory[1], memory[0]);
    HIP_CHECK(hipMemcpyPeerAsync(memory[0], 0, memory[1], 1, sizeof(int), streams[1]));
    HIP_CHECK(hipEventRecord(done[1], streams[1]));
    HIP_CHECK(hipStreamWaitEvent(streams[0], done[1], 0));
    HIP_CHECK(hipMemcpyAsync(result, memory[0], sizeof(int), hipMemcpyDeviceToHost, streams[0]));
    HIP_CHECK(hipStreamSynchronize(streams[0]));
    CHECK_EQ(*result, 42 + round);
  }
  // An event is recorded in streams of its own device only, and times of two devices do not compare.
  float milliseconds;
  CHECK_EQ(hipEventRecord(done[0], streams[1]), hipErrorInvalidHandle);
  CHECK_EQ(hipEventElapsedTime(&milliseconds, done[0], done[1]), hipErrorInvalidHandle);
  for (int device = 0; device < 2; ++device) {
    HIP_CHECK(hipStreamDestroy(streams[device]));
    HIP_CHECK(hipEventDestroy(done[device]));
    HIP_CHECK(hipFree(memory[device]));
  }
  HIP_CHECK(hipHostFree(result));
}

TEST(peers) {
  int can = -1;
  HIP_CHECK(hipSetDevice(0));
  HIP_CHECK(hipDeviceCanAccessPeer(&can, 0, 1));
  if (can) {
    HIP_CHECK(hipDeviceEnablePeerAccess(1, 0));
    CHECK_EQ(hipDeviceEnablePeerAccess(1, 0), hipErrorPeerAccessAlreadyEnabled);
    HIP_CHECK(hipDeviceDisablePeerAccess(1));
    CHECK_EQ(hipDeviceDisablePeerAccess(1), hipErrorPeerAccessNotEnabled);
  }
  CHECK_EQ(hipDeviceEnablePeerAccess(0, 0), hipErrorInvalidDevice);
  CHECK_EQ(hipDeviceEnablePeerAccess(7, 0), hipErrorInvalidDevice);
  CHECK_EQ(hipMemcpyPeer(&can, 7, &can, 0, 4), hipErrorInvalidDevice);
}

__global__ void doubleEach(int *values) { values[threadIdx.z] *= 2; }

/// One handle of a kernel serves all devices; the threads all ask for it first at the same time.
void launchInThreads() {
  int devices = 0;
  HIP_CHECK(hipGetDeviceCount(&devices));
  std::vector<std::thread> threads;
  for (int first = 0; first < 6; ++first)
    threads.emplace_back([=] {
      for (int i = 0; i < 2 * devices; ++i) {
        HIP_CHECK(hipSetDevice((first + i) % devices));
        hipFunction_t function;
        HIP_CHECK(hipGetFuncBySymbol(&function, reinterpret_cast<const void *>(doubleEach)));
        hipStream_t stream;
        HIP_CHECK(hipStreamCreate(&stream));
        int values[64], *memory;
        std::fill_n(values, 64, first + i);
        HIP_CHECK(hipMalloc(&memory, sizeof values));
        HIP_CHECK(hipMemcpyAsync(memory, values, sizeof values, hipMemcpyHostToDevice, stream));
        size_t size = sizeof memory;
        void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &memory, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                         HIP_LAUNCH_PARAM_END};
        HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 64, 0, stream, nullptr, extra));
        HIP_CHECK(hipMemcpyAsync(values, memory, sizeof values, hipMemcpyDeviceToHost, stream));
        HIP_CHECK(hipStreamSynchronize(stream));
        CHECK_EQ(values[0], 2 * (first + i));
        CHECK_EQ(values[63], 2 * (first + i));
        HIP_CHECK(hipFree(memory));
        HIP_CHECK(hipStreamDestroy(stream));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  HIP_CHECK(hipSetDevice(0));
}

/// In a program that a program with devices in use starts, and in a child that is forked before the first call.
int handlesInChild() {
  launchInThreads();
  return testResult();
}

bool succeeds(pid_t child) {
  int status = -1;
  return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace

TEST(handlesInThreads) { launchInThreads(); }

static bool childSucceeded = false;
TEST(handlesInForkedChild) { CHECK(childSucceeded); }

TEST(handlesInNewProcess) {
  pid_t program = -1;
  char *const arguments[] = {const_cast<char *>("multi_device"), const_cast<char *>("child"), nullptr};
  CHECK_EQ(::posix_spawn(&program, "/proc/self/exe", nullptr, nullptr, arguments, environ), 0);
  CHECK(succeeds(program));
}

int main(int argc, char **argv) {
  setenv("HIPLZ_CPU_DEVICES", "2", 1);
  if (argc > 1 && argv[1][0] != '-')
    return handlesInChild();
  const pid_t early = ::fork(); // before this process uses HIP
  if (early == 0)
    return handlesInChild();
  childSucceeded = succeeds(early);
  int count = 0;
  HIP_CHECK(hipGetDeviceCount(&count));
  if (count < 2) {
    std::printf("skipped: there is one device\n");
    return 77;
  }
  return runTests(argc, argv);
}
