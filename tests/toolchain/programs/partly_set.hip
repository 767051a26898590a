// SPDX-License-Identifier: MIT
// A variable that only the first threads set is handed on by all of them: what the others pass does not matter, and they must not
// take the branches of the first (rocPRIM's block_load_direct_blocked with a count, and a scan of what it has loaded).
#include "check.h"

#include <hip/hip_runtime.h>

constexpr unsigned kThreads = 256, kValid = 128;

__device__ void loadValid(unsigned thread, const unsigned *in, unsigned (&items)[1]) {
  if (thread < kValid)
    items[0] = in[thread];
}
__device__ __attribute__((noinline)) unsigned rotated(unsigned value) { return value << 7 | value >> 25; }

__global__ void rotateValid(unsigned *data) {
  unsigned items[1];
  loadValid(threadIdx.x, data, items);
  const unsigned result = rotated(items[0]);
  if (threadIdx.x < kValid)
    data[threadIdx.x] = result;
}

int main() {
  unsigned host[kThreads], *device;
  for (unsigned i = 0; i < kThreads; ++i)
    host[i] = i + 1;
  REQUIRE(hipMalloc(&device, sizeof host) == hipSuccess);
  REQUIRE(hipMemcpy(device, host, sizeof host, hipMemcpyHostToDevice) == hipSuccess);
  rotateValid<<<1, kThreads>>>(device);
  REQUIRE(hipMemcpy(host, device, sizeof host, hipMemcpyDeviceToHost) == hipSuccess);
  for (unsigned i = 0; i < kThreads; ++i)
    REQUIRE(host[i] == (i < kValid ? (i + 1) << 7 : i + 1));
  REQUIRE(hipFree(device) == hipSuccess);
}
