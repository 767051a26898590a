// SPDX-License-Identifier: MIT
// Kernels that need what the device lacks are left out by name; the others of the same program run. HIPLZ_TEST_LACKING names what the
// device must lack (lesser_opencl); by default it has everything.
#include "tests/device/check.h"

#include <hip/hip_fp16.h>

#include <algorithm>
#include <string>

static bool lacks(const char *what) {
  const char *words = std::getenv("HIPLZ_TEST_LACKING");
  return words && (" " + std::string(words) + " ").find(" " + std::string(what) + " ") != std::string::npos;
}

__device__ int total = 40;
__constant__ float factor = 2.5f;

__global__ void plain(float *out) { out[threadIdx.x] = factor * threadIdx.x; }
__global__ void counted(int *out) { out[threadIdx.x] = atomicAdd(&total, 2); }
__global__ void doubles(double *out) { out[threadIdx.x] = factor * threadIdx.x / 3.0; }
__global__ void halfs(__half *out) { out[threadIdx.x] = __float2half(1.5f) * __float2half(threadIdx.x); }
__global__ void shuffled(int *out) { out[threadIdx.x] = __shfl_xor(static_cast<int>(threadIdx.x), 1); }
__global__ void voted(int *out) {
  int any = -1, all = -1;
  if (threadIdx.x & 1) {
    any = __any(threadIdx.x == 37);
    all = __all(threadIdx.x != 37);
  }
  out[threadIdx.x] = 2 * any + all;
}

constexpr int kThreads = 64;

/// Launches the kernel, or sees that it is refused. True if there are results.
template <class T> static bool runs(void (*kernel)(T *), DeviceArray<T> &out, bool isMissing) {
  kernel<<<1, kThreads>>>(out);
  const hipError_t launched = hipGetLastError();
  CHECK_EQ(launched, isMissing ? hipErrorNoBinaryForGpu : hipSuccess);
  HIP_CHECK(hipDeviceSynchronize());
  return launched == hipSuccess && !isMissing;
}

TEST(kernelsThatNeedNothing) {
  DeviceArray<float> out(kThreads);
  CHECK(runs(plain, out, false));
  CHECK_EQ(out.host()[4], 10.0f);
}

TEST(variables) {
  DeviceArray<int> out(kThreads);
  CHECK(runs(counted, out, false));
  int now = 0;
  HIP_CHECK(hipMemcpyFromSymbol(&now, HIP_SYMBOL(total), sizeof now));
  CHECK_EQ(now, 40 + 2 * kThreads);
  const float other = 4;
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(factor), &other, sizeof other));
  DeviceArray<float> products(kThreads);
  CHECK(runs(plain, products, false));
  CHECK_EQ(products.host()[4], 16.0f);
  const float before = 2.5f;
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(factor), &before, sizeof before));
}

TEST(doublePrecision) {
  DeviceArray<double> out(kThreads);
  if (runs(doubles, out, lacks("doubles")))
    CHECK_EQ(out.host()[3], 2.5);
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  CHECK_EQ(properties.arch.hasDoubles, lacks("doubles") ? 0u : 1u);
}

TEST(halfPrecision) {
  DeviceArray<__half> out(kThreads);
  if (runs(halfs, out, lacks("halfs")))
    CHECK_EQ(__half2float(out.host()[6]), 9.0f);
}

TEST(warps) {
  DeviceArray<int> out(kThreads);
  if (runs(shuffled, out, lacks("subgroups")))
    for (int thread = 0; thread < kThreads; ++thread)
      CHECK_EQ(out.host()[thread], thread ^ 1);
  if (runs(voted, out, lacks("subgroups")))
    for (int thread = 0; thread < kThreads; ++thread)
      CHECK_EQ(out.host()[thread], thread % 2 == 0 ? -3 : thread < 32 ? 1 : 2);
}

__global__ void filled(int *out) { out[threadIdx.x] = 3 * threadIdx.x; }
__global__ void trapped(int *out) {
  if (threadIdx.x == 7)
    __trap();
  out[threadIdx.x] = 1;
}

// Devices whose kernels do not reach the host's memory say so and refuse it; copies take it all the same.
TEST(memoryOfTheHost) {
  const bool isMissing = lacks("fine");
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  CHECK_EQ(properties.canMapHostMemory, isMissing ? 0 : 1);
  int *pinned = nullptr;
  HIP_CHECK(hipHostMalloc(&pinned, kThreads * sizeof *pinned));
  std::fill_n(pinned, kThreads, -1);
  filled<<<1, kThreads>>>(pinned);
  CHECK_EQ(hipGetLastError(), isMissing ? hipErrorInvalidValue : hipSuccess);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(pinned[5], isMissing ? -1 : 15);
  DeviceArray<int> out(kThreads), again(kThreads);
  filled<<<1, kThreads>>>(out);
  HIP_CHECK(hipMemcpyAsync(again, out, kThreads * sizeof(int), hipMemcpyDeviceToDevice));
  HIP_CHECK(hipMemsetAsync(out, 0xff, kThreads * sizeof(int)));
  HIP_CHECK(hipMemcpyAsync(pinned, again, kThreads * sizeof(int), hipMemcpyDeviceToHost));
  HIP_CHECK(hipMemcpyAsync(pinned + 1, out, sizeof(int), hipMemcpyDeviceToHost));
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(pinned[1], -1);
  CHECK_EQ(pinned[9], 27);
  HIP_CHECK(hipMemcpy(pinned + 1, pinned + 9, sizeof(int), hipMemcpyHostToHost));
  CHECK_EQ(pinned[1], 27);
  HIP_CHECK(hipMemset(pinned, 1, 2 * sizeof(int)));
  CHECK_EQ(pinned[1], 0x01010101);
  HIP_CHECK(hipHostFree(pinned));
  int *managed = nullptr;
  CHECK_EQ(hipMallocManaged(&managed, sizeof *managed), isMissing ? hipErrorOutOfMemory : hipSuccess);
  HIP_CHECK(hipFree(managed));
}

// The reason reaches the host also where kernels cannot write it there; the last scenario, because it ends in a reset.
TEST(trapsEndTheGrid) {
  int *out;
  HIP_CHECK(hipMalloc(&out, kThreads * sizeof *out));
  trapped<<<1, kThreads>>>(out);
  CHECK_EQ(hipDeviceSynchronize(), hipErrorLaunchFailure);
  HIP_CHECK(hipDeviceReset());
  HIP_CHECK(hipMalloc(&out, kThreads * sizeof *out));
  filled<<<1, kThreads>>>(out);
  int value = 0;
  HIP_CHECK(hipMemcpy(&value, out + 11, sizeof value, hipMemcpyDeviceToHost));
  CHECK_EQ(value, 33);
  HIP_CHECK(hipFree(out));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
