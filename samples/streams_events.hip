// SPDX-License-Identifier: MIT
// Two streams and events: one stream produces chunks, the other consumes each as soon as it is there, while the next is
// being made. Events order the streams and measure the time on the device.
#include "common.h"

constexpr unsigned kBlock = 256;

__global__ void produce(unsigned *chunk, unsigned number, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n)
    chunk[i] = unsigned(i) * number;
}

__global__ void consume(const unsigned *chunk, unsigned *total, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n)
    total[i] += chunk[i];
}

int main() {
  const size_t n = 1 << 20;
  const unsigned chunks = 16, grid = unsigned((n + kBlock - 1) / kBlock);

  hipStream_t producer, consumer;
  HIP_CHECK(hipStreamCreateWithFlags(&producer, hipStreamNonBlocking));
  HIP_CHECK(hipStreamCreateWithFlags(&consumer, hipStreamNonBlocking));
  // Events that only order need no clock.
  hipEvent_t begin, end, full[2], empty[2];
  HIP_CHECK(hipEventCreate(&begin));
  HIP_CHECK(hipEventCreate(&end));
  for (int i = 0; i < 2; ++i) {
    HIP_CHECK(hipEventCreateWithFlags(&full[i], hipEventDisableTiming));
    HIP_CHECK(hipEventCreateWithFlags(&empty[i], hipEventDisableTiming));
  }

  // Two chunks in turn: one is filled while the other is read.
  sample::DeviceArray<unsigned> first(n), second(n), total(n);
  unsigned *const chunk[2] = {first.get(), second.get()};
  // Page-locked host memory lets the copy back run in the stream.
  unsigned *host = nullptr;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&host), n * sizeof(unsigned), hipHostMallocDefault));

  for (int run = 0; run < 2; ++run) { // the first run compiles the kernels
    HIP_CHECK(hipEventRecord(begin, consumer));
    HIP_CHECK(hipMemsetAsync(total.get(), 0, n * sizeof(unsigned), consumer));
    for (unsigned number = 0; number < chunks; ++number) {
      const unsigned slot = number % 2;
      if (number >= 2)
        HIP_CHECK(hipStreamWaitEvent(producer, empty[slot], 0));
      produce<<<grid, kBlock, 0, producer>>>(chunk[slot], number, n);
      HIP_CHECK(hipEventRecord(full[slot], producer));

      HIP_CHECK(hipStreamWaitEvent(consumer, full[slot], 0));
      consume<<<grid, kBlock, 0, consumer>>>(chunk[slot], total.get(), n);
      HIP_CHECK(hipEventRecord(empty[slot], consumer));
    }
    HIP_CHECK(hipMemcpyAsync(host, total.get(), n * sizeof(unsigned), hipMemcpyDeviceToHost, consumer));
    HIP_CHECK(hipEventRecord(end, consumer));
    HIP_CHECK(hipGetLastError());
    HIP_CHECK(hipStreamSynchronize(consumer));
  }

  bool passed = true;
  for (size_t i = 0; i < n; ++i)
    passed = passed && host[i] == unsigned(i) * (chunks * (chunks - 1) / 2);
  float milliseconds = 0;
  HIP_CHECK(hipEventElapsedTime(&milliseconds, begin, end));
  passed = passed && milliseconds > 0;

  HIP_CHECK(hipHostFree(host));
  for (const hipEvent_t event : {begin, end, full[0], full[1], empty[0], empty[1]})
    HIP_CHECK(hipEventDestroy(event));
  HIP_CHECK(hipStreamDestroy(producer));
  HIP_CHECK(hipStreamDestroy(consumer));
  return sample::report("streams_events", passed, milliseconds * 1000 / chunks, "us/chunk");
}
