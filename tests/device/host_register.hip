// SPDX-License-Identifier: MIT
// Memory of malloc that is registered: kernels reach it under its own address, copies treat it as pinned, and what may go
// wrong with registrations does so with the documented error.
#include "check.h"

#include <atomic>
#include <thread>

#include <sys/mman.h>

namespace {

__global__ void increment(int *data, int count) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count)
    ++data[index];
}

constexpr int kCount = 1024;
constexpr size_t kBytes = kCount * sizeof(int);

TEST(kernelsAndCopies) {
  for (unsigned flags :
       {hipHostRegisterDefault, hipHostRegisterPortable, hipHostRegisterMapped, hipHostRegisterIoMemory,
        hipHostRegisterReadOnly, hipHostRegisterPortable | hipHostRegisterMapped}) {
    std::vector<int> host(kCount);
    for (int i = 0; i < kCount; ++i)
      host[i] = i;
    HIP_CHECK(hipHostRegister(host.data(), kBytes, flags));
    unsigned readFlags = 99;
    HIP_CHECK(hipHostGetFlags(&readFlags, host.data()));
    CHECK_EQ(readFlags, flags);
    int *device = nullptr, *inner = nullptr;
    HIP_CHECK(hipHostGetDevicePointer(reinterpret_cast<void **>(&device), host.data(), 0));
    HIP_CHECK(hipHostGetDevicePointer(reinterpret_cast<void **>(&inner), host.data() + 100, 0));
    CHECK_EQ(inner - device, 100);
    increment<<<kCount / 32, 32>>>(device, kCount);
    HIP_CHECK(hipDeviceSynchronize());
    bool right = true;
    for (int i = 0; i < kCount; ++i)
      right &= host[i] == i + 1;
    CHECK(right);
    HIP_CHECK(hipMemset(device, 0, kBytes / 2));
    HIP_CHECK(hipDeviceSynchronize());
    CHECK_EQ(host[kCount / 2 - 1], 0);
    CHECK_EQ(host[kCount / 2], kCount / 2 + 1);
    DeviceArray<int> copy(kCount);
    HIP_CHECK(hipMemcpy(copy, host.data(), kBytes, hipMemcpyHostToDevice));
    CHECK(copy.host() == host);

    hipPointerAttribute_t attributes{};
    HIP_CHECK(hipPointerGetAttributes(&attributes, host.data() + 5));
    CHECK_EQ(attributes.type, hipMemoryTypeHost);
    CHECK_EQ(attributes.hostPointer, static_cast<void *>(host.data() + 5));
    CHECK_EQ(attributes.devicePointer, static_cast<void *>(device + 5));
    CHECK_EQ(attributes.isManaged, 0);
    CHECK_EQ(attributes.allocationFlags, flags);
    HIP_CHECK(hipHostUnregister(host.data()));
    CHECK(isUnregistered(host.data()));
    void *none = host.data();
    CHECK_EQ(hipHostGetDevicePointer(&none, host.data(), 0), hipErrorInvalidValue);
  }
}

// A copy behind a stream that is held up returns before it.
TEST(copiesAreAsynchronous) {
  std::vector<int> host(kCount, 0);
  DeviceArray<int> device(std::vector<int>(kCount, 3));
  HIP_CHECK(hipHostRegister(host.data(), kBytes, hipHostRegisterDefault));
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  std::atomic<bool> open{false};
  HIP_CHECK(hipLaunchHostFunc(
      stream,
      [](void *gate) {
        while (!*static_cast<std::atomic<bool> *>(gate))
          ;
      },
      &open));
  HIP_CHECK(hipMemcpyAsync(host.data(), device, kBytes, hipMemcpyDeviceToHost, stream));
  CHECK_EQ(hipStreamQuery(stream), hipErrorNotReady);
  CHECK_EQ(host[0], 0);
  open = true;
  // Unregistering waits for the copy.
  HIP_CHECK(hipHostUnregister(host.data()));
  CHECK_EQ(host[0], 3);
  CHECK_EQ(host[kCount - 1], 3);
  HIP_CHECK(hipStreamDestroy(stream));
}

TEST(errors) {
  std::vector<int> host(4 * kCount);
  int *const first = host.data();
  CHECK_EQ(hipHostRegister(nullptr, 16, 0), hipErrorInvalidValue);
  CHECK_EQ(hipHostRegister(first, 0, 0), hipErrorInvalidValue);
  for (unsigned flags : {0xf0u, 0xfff2u, 0xffffffffu})
    CHECK_EQ(hipHostRegister(first, 16, flags), hipErrorInvalidValue);
  CHECK_EQ(hipHostRegister(first, SIZE_MAX, 0), hipErrorInvalidValue);
  CHECK_EQ(hipHostUnregister(nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipHostUnregister(first), hipErrorHostMemoryNotRegistered);

  // More than the process has: two pages with a hole behind them.
  void *pages = mmap(nullptr, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pages != MAP_FAILED);
  munmap(static_cast<char *>(pages) + 2 * 4096, 4096);
  CHECK_EQ(hipHostRegister(pages, 3 * 4096, 0), hipErrorInvalidValue);
  CHECK_EQ(hipHostRegister(pages, 2 * 4096, 0), hipSuccess);
  HIP_CHECK(hipHostUnregister(pages));
  munmap(pages, 2 * 4096);

  // Every overlap with [kCount, 2 kCount).
  HIP_CHECK(hipHostRegister(first + kCount, kBytes, 0));
  struct Range {
    int begin, count;
  };
  for (Range range : {Range{kCount, kCount},
                      {kCount, 1},
                      {0, kCount + 1},
                      {2 * kCount - 1, kCount},
                      {0, 4 * kCount},
                      {kCount + 10, 10}})
    CHECK_EQ(hipHostRegister(first + range.begin, range.count * 4, 0), hipErrorHostMemoryAlreadyRegistered);
  // Neighbours do not overlap, though they share pages.
  HIP_CHECK(hipHostRegister(first, kBytes, 0));
  HIP_CHECK(hipHostRegister(first + 2 * kCount, kBytes, 0));
  CHECK_EQ(hipHostUnregister(first + 1), hipErrorHostMemoryNotRegistered);
  CHECK_EQ(hipHostFree(first), hipErrorInvalidValue);
  CHECK_EQ(hipFree(first), hipErrorInvalidValue);
  for (int part = 0; part < 3; ++part) {
    HIP_CHECK(hipHostUnregister(first + part * kCount));
    CHECK_EQ(hipHostUnregister(first + part * kCount), hipErrorHostMemoryNotRegistered);
  }

  // A copy must lie in the registered range if it begins in one.
  HIP_CHECK(hipHostRegister(first, kBytes, 0));
  DeviceArray<int> device(4 * kCount);
  CHECK_EQ(hipMemcpy(device, first, 2 * kBytes, hipMemcpyHostToDevice), hipErrorInvalidValue);
  HIP_CHECK(hipHostUnregister(first));
  CHECK_EQ(hipMemcpy(device, first, 2 * kBytes, hipMemcpyHostToDevice), hipSuccess);

  // Memory that HIP has allocated itself.
  void *pinned, *managed;
  HIP_CHECK(hipHostMalloc(&pinned, kBytes, hipHostMallocDefault));
  HIP_CHECK(hipMallocManaged(&managed, kBytes, hipMemAttachGlobal));
  CHECK_EQ(hipHostRegister(pinned, kBytes, 0), hipErrorHostMemoryAlreadyRegistered);
  CHECK_EQ(hipHostRegister(managed, kBytes, 0), hipErrorInvalidValue);
  CHECK_EQ(hipHostUnregister(pinned), hipErrorHostMemoryNotRegistered);
  HIP_CHECK(hipHostFree(pinned));
  HIP_CHECK(hipFree(managed));
}

// Of several threads that register the same memory one succeeds each time.
TEST(races) {
  std::vector<int> host(kCount);
  std::atomic<int> registered{0}, taken{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        const hipError_t error = hipHostRegister(host.data(), kBytes, 0);
        CHECK(error == hipSuccess || error == hipErrorHostMemoryAlreadyRegistered);
        if (error == hipSuccess) {
          CHECK_EQ(registered.fetch_add(1), 0);
          ++taken;
          registered.fetch_sub(1);
          CHECK_EQ(hipHostUnregister(host.data()), hipSuccess);
        }
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(taken > 0);
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
