// SPDX-License-Identifier: MIT
// Lists the devices and what they can do, and checks that the two ways to ask agree.
#include "common.h"

static int attribute(hipDeviceAttribute_t which, int device) {
  int value = 0;
  HIP_CHECK(hipDeviceGetAttribute(&value, which, device));
  return value;
}

int main() {
  int count = 0;
  HIP_CHECK(hipGetDeviceCount(&count));
  bool agree = count > 0;
  for (int device = 0; device < count; ++device) {
    HIP_CHECK(hipSetDevice(device));
    hipDeviceProp_t p;
    HIP_CHECK(hipGetDeviceProperties(&p, device));
    size_t freeBytes = 0, totalBytes = 0;
    HIP_CHECK(hipMemGetInfo(&freeBytes, &totalBytes));
    std::printf("device %d: %s\n", device, p.name);
    std::printf("  memory            %.1f GiB, %.1f GiB of it free\n", p.totalGlobalMem / 1073741824.0,
                freeBytes / 1073741824.0);
    std::printf("  multiprocessors   %d at %d MHz\n", p.multiProcessorCount, p.clockRate / 1000);
    std::printf("  warp              %d threads\n", p.warpSize);
    std::printf("  block             %d threads, %d x %d x %d at most\n", p.maxThreadsPerBlock, p.maxThreadsDim[0],
                p.maxThreadsDim[1], p.maxThreadsDim[2]);
    std::printf("  grid              %d x %d x %d blocks at most\n", p.maxGridSize[0], p.maxGridSize[1],
                p.maxGridSize[2]);
    std::printf("  shared memory     %zu KiB a block\n", p.sharedMemPerBlock / 1024);

    agree = agree && attribute(hipDeviceAttributeWarpSize, device) == p.warpSize &&
            attribute(hipDeviceAttributeMaxThreadsPerBlock, device) == p.maxThreadsPerBlock &&
            attribute(hipDeviceAttributeMultiprocessorCount, device) == p.multiProcessorCount &&
            attribute(hipDeviceAttributeMaxSharedMemoryPerBlock, device) == static_cast<int>(p.sharedMemPerBlock) &&
            p.warpSize == 32 && freeBytes <= totalBytes && p.name[0] != '\0';
  }
  HIP_CHECK(hipSetDevice(0));
  return sample::report("device_query", agree, count, "devices");
}
