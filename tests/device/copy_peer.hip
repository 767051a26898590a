// SPDX-License-Identifier: MIT
// Copies and prefetches between two devices. The CPU driver shows two devices for this test; a machine with one GPU skips
// it.
#include "check.h"

#include <cstdlib>
#include <numeric>

namespace {

__global__ void add(int *data, int count, int value) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count)
    data[index] += value;
}

constexpr int kCount = 6000;
constexpr size_t kBytes = kCount * sizeof(int);

std::vector<int> numbers(int first) {
  std::vector<int> values(kCount);
  std::iota(values.begin(), values.end(), first);
  return values;
}

struct Pair {
  int *memory[2];
  hipStream_t streams[2];
  Pair() {
    for (int device = 0; device < 2; ++device) {
      HIP_CHECK(hipSetDevice(device));
      HIP_CHECK(hipMalloc(&memory[device], kBytes));
      HIP_CHECK(hipStreamCreate(&streams[device]));
    }
    HIP_CHECK(hipSetDevice(0));
  }
  ~Pair() {
    for (int device = 0; device < 2; ++device) {
      HIP_CHECK(hipStreamDestroy(streams[device]));
      HIP_CHECK(hipFree(memory[device]));
    }
  }
};

TEST(linear) {
  Pair pair;
  const std::vector<int> values = numbers(3);
  HIP_CHECK(hipMemcpy(pair.memory[0], values.data(), kBytes, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpyPeer(pair.memory[1], 1, pair.memory[0], 0, kBytes));
  std::vector<int> back(kCount);
  HIP_CHECK(hipMemcpy(back.data(), pair.memory[1], kBytes, hipMemcpyDeviceToHost));
  CHECK(back == values);

  // In the order of the stream, whichever device it belongs to.
  for (int device = 0; device < 2; ++device) {
    HIP_CHECK(hipSetDevice(device));
    add<<<(kCount + 255) / 256, 256, 0, pair.streams[device]>>>(pair.memory[device], kCount, 10);
    HIP_CHECK(hipMemcpyPeerAsync(pair.memory[1 - device], 1 - device, pair.memory[device], device, kBytes,
                                 pair.streams[device]));
    HIP_CHECK(hipStreamSynchronize(pair.streams[device]));
    HIP_CHECK(hipMemcpy(back.data(), pair.memory[1 - device], kBytes, hipMemcpyDefault));
    CHECK(back == numbers(3 + 10 * (device + 1)));
  }
  HIP_CHECK(hipSetDevice(0));
  CHECK_EQ(hipMemcpyPeer(pair.memory[1], 2, pair.memory[0], 0, 4), hipErrorInvalidDevice);
  CHECK_EQ(hipMemcpyPeer(pair.memory[1], 1, pair.memory[0], -1, 4), hipErrorInvalidDevice);
  CHECK_EQ(hipMemcpyPeer(pair.memory[1], 1, pair.memory[0], 0, kBytes + 1), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpyPeer(pair.memory[1], 1, pair.memory[0], 0, 0), hipSuccess);
}

TEST(boxesAndFills) {
  Pair pair;
  const std::vector<int> values = numbers(50);
  HIP_CHECK(hipMemcpy(pair.memory[1], values.data(), kBytes, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemset(pair.memory[0], 0, kBytes));
  hipMemcpy3DParms box{};
  box.srcPtr = make_hipPitchedPtr(pair.memory[1], 80, 80, 15); // 20 elements x 15 rows x 20 slices
  box.dstPtr = make_hipPitchedPtr(pair.memory[0], 80, 80, 15);
  box.srcPos = make_hipPos(4, 1, 0);
  box.extent = make_hipExtent(40, 10, 20);
  box.kind = hipMemcpyDeviceToDevice;
  HIP_CHECK(hipMemcpy3DAsync(&box, pair.streams[0]));
  HIP_CHECK(hipMemset2DAsync(pair.memory[1], 80, 0, 4, 300, pair.streams[0])); // the other device's memory
  HIP_CHECK(hipStreamSynchronize(pair.streams[0]));
  std::vector<int> to(kCount), from(kCount);
  HIP_CHECK(hipMemcpy(to.data(), pair.memory[0], kBytes, hipMemcpyDefault));
  HIP_CHECK(hipMemcpy(from.data(), pair.memory[1], kBytes, hipMemcpyDefault));
  bool right = true;
  for (int i = 0; i < kCount; ++i) {
    const int x = i % 20, y = i / 20 % 15;
    right &= to[i] == (x < 10 && y < 10 ? 50 + i + 20 + 1 : 0);
    right &= from[i] == (x == 0 ? 0 : 50 + i);
  }
  CHECK(right);
}

TEST(managed) {
  Pair pair;
  int *memory;
  HIP_CHECK(hipMallocManaged(&memory, kBytes, hipMemAttachGlobal));
  std::fill_n(memory, kCount, 0);
  // To the device of the stream, to the other one, to the host.
  for (int device : {0, 1, hipCpuDeviceId, 1}) {
    HIP_CHECK(hipMemPrefetchAsync(memory, kBytes, device, pair.streams[0]));
    add<<<(kCount + 255) / 256, 256, 0, pair.streams[0]>>>(memory, kCount, 1);
    int location = 9;
    HIP_CHECK(hipMemRangeGetAttribute(&location, 4, hipMemRangeAttributeLastPrefetchLocation, memory, kBytes));
    CHECK_EQ(location, device);
  }
  HIP_CHECK(hipStreamSynchronize(pair.streams[0]));
  CHECK_EQ(memory[0], 4);
  CHECK_EQ(memory[kCount - 1], 4);
  for (int device : {0, 1})
    HIP_CHECK(hipMemAdvise(memory, kBytes, hipMemAdviseSetAccessedBy, device));
  int accessedBy[3] = {};
  HIP_CHECK(hipMemRangeGetAttribute(accessedBy, sizeof accessedBy, hipMemRangeAttributeAccessedBy, memory, kBytes));
  CHECK_EQ(accessedBy[0], 0);
  CHECK_EQ(accessedBy[1], 1);
  CHECK_EQ(accessedBy[2], hipInvalidDeviceId);
  for (int device : {0, 1}) {
    HIP_CHECK(hipMemAdvise(memory, kBytes, hipMemAdviseSetPreferredLocation, device));
    int preferred = 9;
    HIP_CHECK(hipMemRangeGetAttribute(&preferred, 4, hipMemRangeAttributePreferredLocation, memory, kBytes));
    CHECK_EQ(preferred, device);
  }
  HIP_CHECK(hipFree(memory));
}

// Memory that was registered with one device is reached by the other.
TEST(registered) {
  Pair pair;
  std::vector<int> host(kCount, 1);
  HIP_CHECK(hipSetDevice(1));
  HIP_CHECK(hipHostRegister(host.data(), kBytes, hipHostRegisterPortable));
  for (int device = 0; device < 2; ++device) {
    HIP_CHECK(hipSetDevice(device));
    int *reached;
    HIP_CHECK(hipHostGetDevicePointer(reinterpret_cast<void **>(&reached), host.data(), 0));
    add<<<(kCount + 255) / 256, 256, 0, pair.streams[device]>>>(reached, kCount, 1);
    HIP_CHECK(hipMemcpyAsync(pair.memory[device], host.data(), kBytes, hipMemcpyHostToDevice, pair.streams[device]));
    HIP_CHECK(hipStreamSynchronize(pair.streams[device]));
    std::vector<int> back(kCount);
    HIP_CHECK(hipMemcpy(back.data(), pair.memory[device], kBytes, hipMemcpyDeviceToHost));
    CHECK(back == std::vector<int>(kCount, 2 + device));
  }
  hipPointerAttribute_t attributes{};
  HIP_CHECK(hipPointerGetAttributes(&attributes, host.data()));
  CHECK_EQ(attributes.device, 1);
  HIP_CHECK(hipHostUnregister(host.data()));
  HIP_CHECK(hipSetDevice(0));
}

} // namespace

int main(int argc, char **argv) {
  setenv("HIPLZ_CPU_DEVICES", "2", 1);
  int count = 0;
  HIP_CHECK(hipGetDeviceCount(&count));
  if (count < 2) {
    std::printf("skipped: there is one device\n");
    return 77;
  }
  return runTests(argc, argv);
}
