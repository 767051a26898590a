// SPDX-License-Identifier: MIT
// Bad input as a user meets it: each case runs in a process of its own under HIPLZ_LOG=info. The call returns its error,
// the log has a sentence about it, the process goes on and launches a kernel where there is a device for it, and exits
// cleanly.
#include "check.h"

#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>
#include <list>
#include <string>
#include <thread>
#include <unistd.h>

extern "C" void **__hipRegisterFatBinary(const void *);
extern "C" void __hipRegisterFunction(void **, const void *, char *, const char *, unsigned, void *, void *, void *,
                                      void *, int *);

namespace {

__global__ void store(int *to, int value) { *to = value; }
__global__ void storeThrough(int *const *to) { **to = 1; }
__global__ void useShared(int *to) {
  extern __shared__ int dynamic[];
  __shared__ int fixed[1024];
  fixed[threadIdx.x] = dynamic[threadIdx.x] = 1;
  __syncthreads();
  *to = fixed[0] + dynamic[0];
}

const void *const kUseShared = reinterpret_cast<const void *>(useShared);

hipError_t launch(const void *kernel, dim3 grid, dim3 block, size_t shared = 0) {
  int *null = nullptr;
  void *arguments[] = {&null};
  return hipLaunchKernel(kernel, grid, block, arguments, shared, nullptr);
}

hipDeviceProp_t properties() {
  hipDeviceProp_t result;
  HIP_CHECK(hipGetDeviceProperties(&result, 0));
  return result;
}

// A fat binary with one entry; its magic must not stand in this program a second time.
std::string bundleOf(const std::string &target, const std::string &code) {
  const uint64_t numbers[] = {1, 32 + 24 + target.size(), code.size(), target.size()};
  return std::string("__CLANG_OFFLOAD_") + "BUNDLE__" +
         std::string(reinterpret_cast<const char *>(numbers), sizeof numbers) + target + code;
}

/// Launches a kernel of a fat binary that registers like those of the compiler.
hipError_t launchFrom(const std::string &image) {
  static std::string kept;
  static struct {
    uint32_t magic = 0x48495046, version = 1;
    const void *image, *reserved = nullptr;
  } wrapper;
  static const char host = 0;
  kept = image;
  wrapper.image = kept.data();
  __hipRegisterFunction(__hipRegisterFatBinary(&wrapper), &host, nullptr, "kernel", unsigned(-1), nullptr, nullptr,
                        nullptr, nullptr, nullptr);
  return launch(&host, dim3(1), dim3(1));
}

hipError_t noDevice() {
  int count = -1;
  const hipError_t error = hipGetDeviceCount(&count);
  CHECK_EQ(count, 0);
  CHECK_EQ(launch(kUseShared, dim3(1), dim3(1)), error);
  return error;
}
hipError_t ignoredVariable() {
  int count = 0;
  const hipError_t error = hipGetDeviceCount(&count);
  CHECK(count > 0);
  return error;
}
hipError_t otherTargets() { return launchFrom(bundleOf("hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+", "code")); }
hipError_t truncated() {
  return launchFrom(bundleOf("hip-spirv64----generic", std::string("\x03\x02\x23\x07\0\0\1\0", 8)));
}
hipError_t noise() { return launchFrom("noise that is no fat binary"); }
hipError_t noSuchKernel() {
  static const char host = 0;
  return launch(&host, dim3(1), dim3(1));
}
hipError_t nullKernel() { return launch(nullptr, dim3(1), dim3(1)); }
hipError_t nullFunction() { return hipModuleLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr); }
hipError_t noSuchFunction() {
  int something;
  return hipModuleLaunchKernel(reinterpret_cast<hipFunction_t>(&something), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr,
                               nullptr);
}
hipError_t zeroGrid() { return launch(kUseShared, dim3(1, 0), dim3(1)); }
hipError_t zeroBlock() { return launch(kUseShared, dim3(1), dim3(0)); }
hipError_t largeGrid() { return launch(kUseShared, dim3(1, 1u + properties().maxGridSize[1]), dim3(1)); }
hipError_t largeBlock() { return launch(kUseShared, dim3(1), dim3(properties().maxThreadsPerBlock + 1)); }
hipError_t largeShared() { return launch(kUseShared, dim3(1), dim3(1), properties().sharedMemPerBlock + 1); }
// Dynamic memory that is allowed, but not beside the kernel's own.
hipError_t largeSharedTogether() { return launch(kUseShared, dim3(1), dim3(1), properties().sharedMemPerBlock); }
hipError_t hostPointers() {
  int from = 1, to = 0;
  return hipMemcpy(&to, &from, sizeof to, hipMemcpyHostToDevice);
}
hipError_t hostPointerFilled() {
  int to = 0;
  return hipMemset(&to, 0, sizeof to);
}
hipError_t freedTwice() {
  void *memory;
  HIP_CHECK(hipMalloc(&memory, 16));
  HIP_CHECK(hipFree(memory));
  return hipFree(memory);
}
hipError_t hostFreedTwice() {
  void *memory;
  HIP_CHECK(hipHostMalloc(&memory, 16));
  HIP_CHECK(hipHostFree(memory));
  return hipHostFree(memory);
}
hipError_t exhausted() {
  void *memory;
  return hipMalloc(&memory, properties().totalGlobalMem + 1);
}
hipError_t exhaustedPitched() {
  void *memory;
  size_t pitch;
  return hipMallocPitch(&memory, &pitch, SIZE_MAX / 2, 4);
}
hipError_t garbageStream() {
  int something;
  return hipStreamSynchronize(reinterpret_cast<hipStream_t>(&something));
}
hipError_t destroyedEvent() {
  hipEvent_t event;
  HIP_CHECK(hipEventCreate(&event));
  HIP_CHECK(hipEventDestroy(event));
  return hipEventRecord(event, nullptr);
}
// Objects that survive the fault can be given back, no matter who notices it first.
hipError_t nullDereferenced() {
  int **pointer;
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&pointer), sizeof(int *)));
  HIP_CHECK(hipMemset(pointer, 0, sizeof(int *)));
  storeThrough<<<1, 1, 0, stream>>>(pointer);
  HIP_CHECK(hipFree(pointer));
  HIP_CHECK(hipStreamDestroy(stream));
  return hipDeviceSynchronize();
}
// The same behind a host function, with a callback that is to hear of it.
hipError_t nullDereferencedLater() {
  static std::atomic<bool> go{false};
  static hipError_t heard = hipSuccess;
  int **pointer;
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&pointer), sizeof(int *)));
  HIP_CHECK(hipMemset(pointer, 0, sizeof(int *)));
  HIP_CHECK(hipLaunchHostFunc(
      stream,
      [](void *) {
        while (!go)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
      },
      nullptr));
  storeThrough<<<1, 1, 0, stream>>>(pointer);
  HIP_CHECK(hipStreamAddCallback(
      stream, [](hipStream_t, hipError_t status, void *) { heard = status; }, nullptr, 0));
  go = true;
  const hipError_t error = hipStreamSynchronize(stream);
  HIP_CHECK(hipStreamDestroy(stream)); // waits for the callback
  CHECK_EQ(heard, hipErrorIllegalAddress);
  HIP_CHECK(hipFree(pointer));
  CHECK_EQ(error, hipErrorIllegalAddress);
  return hipDeviceSynchronize(); // it stays; in HIP 6 what has succeeded since would hide it
}

struct Case {
  const char *name;
  hipError_t (*run)();
  hipError_t expected;
  const char *sentence;         // a part of what the log must say
  const char *environment = ""; // of the process
  bool deviceWorks = true;      // afterwards
} const cases[] = {
    {"no-driver", noDevice, hipErrorNoDevice, "Level Zero cannot be initialised", "ZE_ENABLE_ALT_DRIVERS=/no/driver.so",
     false},
    {"devices-none", noDevice, hipErrorNoDevice, "no device: HIPLZ_DEVICES=none", "HIPLZ_DEVICES=none", false},
    {"devices-garbage", ignoredVariable, hipSuccess, "HIPLZ_DEVICES=?\\%s,, is ignored", "HIPLZ_DEVICES='?\\%s,,'",
     false},
    {"other-targets", otherTargets, hipErrorNoBinaryForGpu, "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+"},
    {"truncated", truncated, hipErrorInvalidImage, "SPIR-V"},
    {"noise", noise, hipErrorInvalidImage, "neither like a fat binary nor like SPIR-V"},
    {"no-such-kernel", noSuchKernel, hipErrorInvalidDeviceFunction, "not a kernel's"},
    {"null-kernel", nullKernel, hipErrorInvalidDeviceFunction, "the function pointer is null"},
    {"null-function", nullFunction, hipErrorInvalidHandle, "the function handle is null"},
    {"no-such-function", noSuchFunction, hipErrorInvalidHandle, "the function does not exist"},
    {"zero-grid", zeroGrid, hipErrorInvalidConfiguration, "a grid or block dimension is 0"},
    {"zero-block", zeroBlock, hipErrorInvalidConfiguration, "a grid or block dimension is 0"},
    {"large-grid", largeGrid, hipErrorInvalidConfiguration, "the device allows"},
    {"large-block", largeBlock, hipErrorInvalidConfiguration, "the device allows"},
    {"large-shared", largeShared, hipErrorInvalidValue, "bytes of shared memory"},
    {"large-shared-together", largeSharedTogether, hipErrorInvalidValue, "static shared memory"},
    {"host-pointers", hostPointers, hipErrorInvalidValue, "wants a device pointer"},
    {"host-pointer-filled", hostPointerFilled, hipErrorInvalidValue, "not inside memory that HIP allocated"},
    {"freed-twice", freedTwice, hipErrorInvalidValue, "already been freed"},
    {"host-freed-twice", hostFreedTwice, hipErrorInvalidValue, "already been freed"},
    {"exhausted", exhausted, hipErrorOutOfMemory, "cannot be allocated"},
    {"exhausted-pitched", exhaustedPitched, hipErrorOutOfMemory, "larger than the address space"},
    {"garbage-stream", garbageStream, hipErrorContextIsDestroyed, "the stream does not exist"},
    {"destroyed-event", destroyedEvent, hipErrorInvalidHandle, "the event does not exist"},
    {"null-dereferenced-later", nullDereferencedLater, hipErrorIllegalAddress, "can no longer use the device", "",
     false},
    {"null-dereferenced", nullDereferenced, hipErrorIllegalAddress, "can no longer use the device", "", false},
};

int runOne(const Case &one) {
  CHECK_EQ(one.run(), one.expected);
  CHECK_EQ(hipGetLastError(), one.expected);
  CHECK_EQ(hipGetLastError(), hipSuccess);
  if (one.deviceWorks) {
    DeviceArray<int> result(1);
    store<<<1, 1>>>(result, 42);
    HIP_CHECK(hipGetLastError());
    CHECK_EQ(result.host()[0], 42);
  }
  return testResult();
}

void runAlone(const Case &one) {
  char program[PATH_MAX] = {};
  CHECK(::readlink("/proc/self/exe", program, sizeof program - 1) > 0);
  const std::string command = std::string(one.environment) + " HIPLZ_LOG=info '" + program + "' " + one.name + " 2>&1";
  std::FILE *output = ::popen(command.c_str(), "r");
  std::string text(100000, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), output));
  const int status = ::pclose(output);
  if (status == 0 && text.find(one.sentence) != text.npos)
    return;
  ++checkFailures;
  std::fprintf(stderr, "%s: status %d, and it said:\n%s\n", one.name, status, text.c_str());
}

} // namespace

// The body of each scenario.
void runCurrent() {
  for (const Case &one : cases)
    if (std::strcmp(one.name, currentTest) == 0)
      runAlone(one);
}

int main(int argc, char **argv) {
  if (argc == 2 && argv[1][0] != '-') { // the process of a case
    for (const Case &one : cases)
      if (std::strcmp(one.name, argv[1]) == 0)
        return runOne(one);
    return 2;
  }
  const bool sharesMemory = properties().pageableMemoryAccess;
  std::list<TestCase> scenarios;
  for (const Case &one : cases)
    if (std::strncmp(one.name, "null-dereferenced", 17) != 0 ||
        sharesMemory) // such a kernel may hang a GPU and with it the display
      scenarios.emplace_back(one.name, runCurrent);
  return runTests(argc, argv);
}
