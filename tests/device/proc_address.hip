// SPDX-License-Identifier: MIT
// hipGetProcAddress: every function that the table lists, by the version it came with; the names that headers turn into
// others; per-thread default streams; and what is no function.
#include "tests/device/check.h"

#include <dlfcn.h>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

static void *addressOf(const char *name, int version = HIP_VERSION, uint64_t flags = 0) {
  void *address = nullptr;
  auto status = HIP_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
  const hipError_t error = hipGetProcAddress(name, &address, version, flags, &status);
  CHECK_EQ(error == hipSuccess, address != nullptr);
  CHECK_EQ(error == hipSuccess, status == HIP_GET_PROC_ADDRESS_SUCCESS);
  return address;
}

static hipDriverProcAddressQueryResult statusOf(const char *name, int version) {
  void *address = reinterpret_cast<void *>(1);
  auto status = HIP_GET_PROC_ADDRESS_SUCCESS;
  const hipError_t error = hipGetProcAddress(name, &address, version, 0, &status);
  CHECK_EQ(error, status == HIP_GET_PROC_ADDRESS_SUCCESS ? hipSuccess : hipErrorInvalidValue);
  CHECK_EQ(address != nullptr, status == HIP_GET_PROC_ADDRESS_SUCCESS);
  return status;
}

__global__ void set(int *out) { *out = 6; }

TEST(whatIsFoundIsTheFunction) {
  CHECK_EQ(addressOf("hipMalloc"), dlsym(RTLD_DEFAULT, "hipMalloc"));
  auto malloc = reinterpret_cast<hipError_t (*)(void **, size_t)>(addressOf("hipMalloc"));
  auto free = reinterpret_cast<hipError_t (*)(void *)>(addressOf("hipFree"));
  void *memory = nullptr;
  HIP_CHECK(malloc(&memory, 100));
  HIP_CHECK(free(memory));
}

TEST(everyWayToWriteAVersion) {
  for (int version : {HIP_VERSION, 604, 6040, 60400000, 99999999})
    CHECK(addressOf("hipEventRecordWithFlags", version) != nullptr);
  CHECK_EQ(statusOf("hipEventRecordWithFlags", 602), HIP_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  CHECK_EQ(statusOf("hipEventRecordWithFlags", 60200000), HIP_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  CHECK_EQ(statusOf("hipMalloc", 402), HIP_GET_PROC_ADDRESS_SUCCESS);
  CHECK_EQ(statusOf("hipMalloc", 401), HIP_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  CHECK_EQ(statusOf("hipNoSuchFunction", HIP_VERSION), HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  CHECK_EQ(statusOf("malloc", HIP_VERSION), HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  CHECK_EQ(statusOf("zeInit", HIP_VERSION), HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
}

// The structure of properties has grown with 6.0.
TEST(functionsThatHaveChanged) {
  CHECK_EQ(addressOf("hipGetDeviceProperties", 600), addressOf("hipGetDevicePropertiesR0600"));
  CHECK_EQ(addressOf("hipGetDeviceProperties", 507), dlsym(RTLD_DEFAULT, "hipGetDeviceProperties"));
  CHECK(addressOf("hipGetDeviceProperties", 507) != addressOf("hipGetDeviceProperties", 600));
  CHECK_EQ(addressOf("hipChooseDevice", 604), addressOf("hipChooseDeviceR0600"));
  auto old = reinterpret_cast<hipError_t (*)(hipDeviceProp_tR0000 *, int)>(addressOf("hipGetDeviceProperties", 502));
  struct {
    hipDeviceProp_tR0000 properties;
    unsigned char guard[800];
  } space;
  std::memset(&space, 0x5a, sizeof space);
  HIP_CHECK(old(&space.properties, 0));
  for (unsigned char byte : space.guard)
    CHECK_EQ(byte, 0x5a);
  hipDeviceProp_t now;
  HIP_CHECK(hipGetDeviceProperties(&now, 0));
  CHECK(std::strcmp(now.name, space.properties.name) == 0);
  CHECK_EQ(space.properties.warpSize, 32);
  CHECK_EQ(space.properties.maxThreadsPerBlock, now.maxThreadsPerBlock);
  CHECK_EQ(space.properties.multiProcessorCount, now.multiProcessorCount);
  auto chooseOld =
      reinterpret_cast<hipError_t (*)(int *, const hipDeviceProp_tR0000 *)>(addressOf("hipChooseDevice", 502));
  int chosen = -1;
  HIP_CHECK(chooseOld(&chosen, &space.properties));
  CHECK_EQ(chosen, 0);
}

// Where a function has such a form.
TEST(perThreadDefaultStreams) {
  CHECK_EQ(addressOf("hipLaunchKernel", HIP_VERSION, 2), dlsym(RTLD_DEFAULT, "hipLaunchKernel_spt"));
  CHECK_EQ(addressOf("hipMemcpyAsync", HIP_VERSION, 2), dlsym(RTLD_DEFAULT, "hipMemcpyAsync_spt"));
  CHECK_EQ(addressOf("hipMemcpyAsync", HIP_VERSION, 1), dlsym(RTLD_DEFAULT, "hipMemcpyAsync"));
  CHECK_EQ(addressOf("hipMalloc", HIP_VERSION, 2), dlsym(RTLD_DEFAULT, "hipMalloc"));
  auto launch = reinterpret_cast<decltype(&hipLaunchKernel_spt)>(addressOf("hipLaunchKernel", HIP_VERSION, 2));
  DeviceArray<int> out(1);
  std::thread([&] {
    int *data = out;
    void *arguments[] = {&data};
    HIP_CHECK(launch(reinterpret_cast<const void *>(set), dim3(1), dim3(1), arguments, 0, nullptr));
    HIP_CHECK(hipStreamSynchronize(hipStreamPerThread));
  }).join();
  CHECK_EQ(out.host()[0], 6);
}

TEST(refusals) {
  void *address = nullptr;
  HIP_CHECK(hipGetProcAddress("hipFree", &address, HIP_VERSION, 0, nullptr));
  CHECK_EQ(hipGetProcAddress("hipNoSuchFunction", &address, HIP_VERSION, 0, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipGetProcAddress(nullptr, &address, HIP_VERSION, 0, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipGetProcAddress("", &address, HIP_VERSION, 0, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipGetProcAddress("hipFree", nullptr, HIP_VERSION, 0, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipGetProcAddress("hipFree", &address, -1, 0, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipGetProcAddress("hipFree", &address, HIP_VERSION, 77, nullptr), hipErrorInvalidValue);
}

// Every symbol of the library with its node, as nm lists them.
TEST(everyFunctionOfTheTable) {
  const char *table = std::getenv("HIPLZ_TEST_FUNCTIONS");
  CHECK(table != nullptr);
  std::ifstream file(table ? table : "");
  std::string line;
  std::getline(file, line);
  int found = 0;
  while (std::getline(file, line)) {
    const size_t comma = line.find(',');
    const std::string name = line.substr(0, comma),
                      node = line.substr(comma + 1, line.find(',', comma + 1) - comma - 1);
    if (node.rfind("hip_", 0) != 0 || !dlsym(RTLD_DEFAULT, name.c_str()))
      continue;
    const int version = (node[4] - '0') * 100 + (node[6] - '0');
    ++found;
    CHECK_EQ(statusOf(name.c_str(), version), HIP_GET_PROC_ADDRESS_SUCCESS);
    CHECK_EQ(statusOf(name.c_str(), version - 1), HIP_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  }
  CHECK(found > 300);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
