// SPDX-License-Identifier: MIT
// sequence_devices [COUNT]: several devices, or one of several tiles, on Intel's driver in capture mode. Streams, events and
// kernels on each, access to each other's memory, and copies between them: every call must be taken. Devices are told apart, and a
// kernel is compiled for equal ones once. COUNT is how many devices there must be at least.
#include "sequence.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

__device__ int counter;
__global__ void add(int *to, const int *from) { to[threadIdx.x] += from[threadIdx.x] + counter; }

struct Device {
  hipStream_t stream;
  hipEvent_t event;
  int *memory;
};

constexpr size_t kBytes = 1 << 20;

int prepare(int index, Device &device) {
  MUST(hipSetDevice(index));
  MUST(hipStreamCreateWithFlags(&device.stream, hipStreamNonBlocking));
  MUST(hipEventCreate(&device.event));
  MUST(hipMalloc(&device.memory, kBytes));
  const int one = 1;
  MUST(hipMemcpyToSymbol(HIP_SYMBOL(counter), &one, sizeof one));
  add<<<1, 64, 0, device.stream>>>(device.memory, device.memory);
  MUST(hipGetLastError());
  MUST(hipEventRecord(device.event, device.stream));
  return 0;
}

int between(int one, const Device &from, int other, const Device &to) {
  MUST(hipSetDevice(other));
  int accessible = 0;
  MUST(hipDeviceCanAccessPeer(&accessible, other, one));
  std::printf("device %d reaches the memory of %d: %s\n", other, one, accessible ? "yes" : "no");
  MUST(hipStreamWaitEvent(to.stream, from.event, 0));
  if (accessible) {
    MUST(hipDeviceEnablePeerAccess(one, 0));
    add<<<1, 64, 0, to.stream>>>(to.memory, from.memory);
    MUST(hipGetLastError());
  }
  MUST(hipMemcpyPeerAsync(to.memory, other, from.memory, one, kBytes, to.stream));
  MUST(hipMemcpyPeer(to.memory, other, from.memory, one, kBytes));
  MUST(hipMemcpyAsync(to.memory, from.memory, kBytes, hipMemcpyDefault, from.stream));
  MUST(hipMemcpy2DAsync(to.memory, 256, from.memory, 512, 200, 100, hipMemcpyDeviceToDevice, to.stream));
  hipMemcpy3DParms box{};
  box.kind = hipMemcpyDefault;
  box.srcPtr = make_hipPitchedPtr(from.memory, 64, 60, 20);
  box.dstPtr = make_hipPitchedPtr(to.memory, 64, 60, 20);
  box.extent = make_hipExtent(60, 20, 3);
  MUST(hipMemcpy3DAsync(&box, to.stream));
  MUST(hipStreamSynchronize(to.stream));
  if (accessible)
    MUST(hipDeviceDisablePeerAccess(one));
  return 0;
}

int checkNames(int device) {
  char address[32];
  int found = -1;
  MUST(hipDeviceGetPCIBusId(address, sizeof address, device));
  MUST(hipDeviceGetByPCIBusId(&found, address));
  hipUUID uuid;
  MUST(hipDeviceGetUuid(&uuid, device));
  std::printf("device %d is at %s, UUID ends with %02x\n", device, address, uuid.bytes[15] & 0xff);
  return found != device;
}

int entries(const std::string &folder) {
  int count = 0;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(folder))
    count += entry.is_regular_file();
  return count;
}

} // namespace

int main(int argc, char **argv) {
  char cache[] = "/tmp/hiplz-neo-devices-XXXXXX";
  if (!::mkdtemp(cache))
    return 1;
  ::setenv("HIPLZ_CACHE_DIR", cache, 1);
  if (int code = requireIntel())
    return code;
  int count = 0;
  MUST(hipGetDeviceCount(&count));
  std::printf("%d devices\n", count);
  if (argc > 1 && count < std::atoi(argv[1]))
    return 1;
  for (int i = 0; i < count; ++i)
    if (int code = checkNames(i))
      return code;
  std::vector<Device> devices(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i)
    if (int code = prepare(i, devices[i]))
      return code;
  for (int one = 0; one < count; ++one)
    for (int other = 0; other < count; ++other)
      if (one != other)
        if (int code = between(one, devices[one], other, devices[other]))
          return code;
  int *managed;
  MUST(hipMallocManaged(&managed, kBytes));
  for (int i = 0; i < count; ++i) {
    const Device &device = devices[i];
    MUST(hipSetDevice(i));
    MUST(hipMemPrefetchAsync(managed, kBytes, i, device.stream));
    add<<<1, 64, 0, device.stream>>>(device.memory, managed);
    MUST(hipGetLastError());
    MUST(hipDeviceSynchronize());
    MUST(hipFree(device.memory));
    MUST(hipEventDestroy(device.event));
    MUST(hipStreamDestroy(device.stream));
  }
  MUST(hipFree(managed));
  const int compiled = entries(cache);
  std::filesystem::remove_all(cache);
  std::printf("%d entries in the cache\n", compiled);
  if (compiled != 1)
    return 1;
  std::printf("passed\n");
  return 0;
}
