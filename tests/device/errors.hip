// SPDX-License-Identifier: MIT
// Bad input to the host API: each gives its error, and the process and the device go on.
#include "check.h"

namespace {

__global__ void store(int *to, int value) { *to = value; }

extern __shared__ int dynamicShared[];
__global__ void useShared(int *to) {
  dynamicShared[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0)
    *to = dynamicShared[blockDim.x - 1];
}

void expectLaunch(dim3 grid, dim3 block, size_t shared, hipError_t expected) {
  int *null = nullptr;
  void *arguments[] = {&null};
  CHECK_EQ(hipLaunchKernel(reinterpret_cast<const void *>(useShared), grid, block, arguments, shared, nullptr),
           expected);
  CHECK_EQ(hipGetLastError(), expected);
  CHECK_EQ(hipGetLastError(), hipSuccess);
}

TEST(launchShapes) {
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  const unsigned most = properties.maxThreadsPerBlock;
  const hipError_t none = hipErrorInvalidConfiguration;
  expectLaunch(dim3(0), dim3(1), 0, none);
  expectLaunch(dim3(1, 0), dim3(1), 0, none);
  expectLaunch(dim3(1), dim3(0), 0, none);
  expectLaunch(dim3(1), dim3(1, 1, 0), 0, none);
  expectLaunch(dim3(1), dim3(most + 1), 0, hipErrorInvalidConfiguration);
  expectLaunch(dim3(1), dim3(most, 2), 0, hipErrorInvalidConfiguration);
  expectLaunch(dim3(1), dim3(1, 1, properties.maxThreadsDim[2] + 1), 0, hipErrorInvalidConfiguration);
  expectLaunch(dim3(1), dim3(1), properties.sharedMemPerBlock + 1, hipErrorInvalidValue);
  // The largest that is allowed.
  DeviceArray<int> result(1);
  useShared<<<1, most, most * sizeof(int)>>>(result);
  HIP_CHECK(hipGetLastError());
  CHECK_EQ(result.host()[0], static_cast<int>(most) - 1);
}

TEST(kernelsThatAreNone) {
  int value = 0;
  void *arguments[] = {&value};
  CHECK_EQ(hipLaunchKernel(nullptr, dim3(1), dim3(1), arguments, 0, nullptr), hipErrorInvalidDeviceFunction);
  CHECK_EQ(hipLaunchKernel(&value, dim3(1), dim3(1), arguments, 0, nullptr), hipErrorInvalidDeviceFunction);
  CHECK_EQ(hipModuleLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr), hipErrorInvalidHandle);
  hipFuncAttributes attributes;
  CHECK_EQ(hipFuncGetAttributes(&attributes, &value), hipErrorInvalidDeviceFunction);
  CHECK_EQ(hipFuncGetAttributes(nullptr, reinterpret_cast<const void *>(store)), hipErrorInvalidValue);
  HIP_CHECK(hipFuncGetAttributes(&attributes, reinterpret_cast<const void *>(store)));
  CHECK(attributes.maxThreadsPerBlock > 0);
  CHECK_EQ(hipLaunchKernel(reinterpret_cast<const void *>(store), dim3(1), dim3(1), nullptr, 0, nullptr),
           hipErrorInvalidValue);
  // Popping what was not pushed.
  dim3 grid, block;
  size_t shared;
  hipStream_t stream;
  CHECK_EQ(__hipPopCallConfiguration(&grid, &block, &shared, &stream), hipErrorMissingConfiguration);
  (void)hipGetLastError();
}

TEST(pointersOfTheWrongKind) {
  int host[4] = {1, 2, 3, 4}, other[4] = {};
  DeviceArray<int> device(4);
  int *const base = device;
  CHECK_EQ(hipMemcpy(other, host, sizeof host, hipMemcpyHostToDevice), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpy(other, host, sizeof host, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpy(other, host, sizeof host, hipMemcpyDeviceToDevice), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpy(nullptr, host, 4, hipMemcpyHostToDevice), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpy(base, nullptr, 4, hipMemcpyHostToDevice), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpy(base, host, sizeof host, static_cast<hipMemcpyKind>(77)), hipErrorInvalidMemcpyDirection);
  CHECK_EQ(hipMemcpy(base + 1, host, sizeof host, hipMemcpyHostToDevice), hipErrorInvalidValue); // beyond the end
  CHECK_EQ(hipMemcpy(other, base + 1, sizeof host, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  CHECK_EQ(hipMemset(host, 0, sizeof host), hipErrorInvalidValue);
  CHECK_EQ(hipMemset(base, 0, sizeof host + 1), hipErrorInvalidValue);
  CHECK_EQ(hipMemset(nullptr, 0, 1), hipErrorInvalidValue);
  CHECK_EQ(hipMemsetD32(base, 0, SIZE_MAX / 2), hipErrorInvalidValue);
  CHECK_EQ(host[0], 1);
}

// AMD's library looks at the pointers if one of them is HIP's, and Kokkos' tests give the wrong direction.
TEST(directionsThatContradictThePointers) {
  DeviceArray<int> device(4);
  int *const base = device;
  const int host[4] = {1, 2, 3, 4};
  for (hipMemcpyKind kind :
       {hipMemcpyHostToHost, hipMemcpyHostToDevice, hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice}) {
    int back[4] = {};
    HIP_CHECK(hipMemset(base, 0, sizeof host));
    HIP_CHECK(hipMemcpy(base, host, sizeof host, kind));
    HIP_CHECK(hipMemcpy(back, base, sizeof host, kind));
    CHECK(std::equal(host, host + 4, back));
    HIP_CHECK(hipMemset(base, 0, sizeof host));
    HIP_CHECK(hipMemcpyAsync(base, host, sizeof host, kind, nullptr));
    HIP_CHECK(hipMemcpyAsync(back, base, sizeof host, kind, nullptr));
    HIP_CHECK(hipStreamSynchronize(nullptr));
    CHECK(std::equal(host, host + 4, back));
  }
}

// Nothing is copied, so nothing is looked at; and what overlaps is copied somehow.
TEST(sizesAtTheEdge) {
  DeviceArray<int> device(4);
  int *const base = device;
  int host[4] = {1, 2, 3, 4};
  HIP_CHECK(hipMemcpy(nullptr, nullptr, 0, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpyAsync(nullptr, base, 0, hipMemcpyDefault, nullptr));
  HIP_CHECK(hipMemcpy2D(nullptr, 0, nullptr, 0, 0, 5, hipMemcpyDefault));
  HIP_CHECK(hipMemset(nullptr, 0, 0));
  HIP_CHECK(hipMemcpy(base + 4, host, 0, hipMemcpyHostToDevice));
  HIP_CHECK(hipFree(nullptr));
  HIP_CHECK(hipHostFree(nullptr));
  CHECK_EQ(hipMemcpy(base, host, SIZE_MAX, hipMemcpyHostToDevice), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpy(host, base, SIZE_MAX - 3, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  CHECK_EQ(hipMemset(base, 0, SIZE_MAX), hipErrorInvalidValue);
  HIP_CHECK(hipMemcpy(base, host, sizeof host, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(base, base, sizeof host, hipMemcpyDeviceToDevice));
  CHECK_EQ(device.host()[3], 4);
  const hipError_t overlapping = hipMemcpy(base + 1, base, 3 * sizeof(int), hipMemcpyDeviceToDevice);
  CHECK(overlapping == hipSuccess || overlapping == hipErrorInvalidValue);
  CHECK_EQ(device.host()[0], 1);
  (void)hipGetLastError();
}

TEST(freeing) {
  int host;
  void *device, *pinned;
  HIP_CHECK(hipMalloc(&device, 100));
  HIP_CHECK(hipHostMalloc(&pinned, 100, 0));
  CHECK_EQ(hipFree(&host), hipErrorInvalidValue);
  CHECK_EQ(hipFree(static_cast<char *>(device) + 4), hipErrorInvalidValue);
  CHECK_EQ(hipHostFree(device), hipErrorInvalidValue);
  CHECK_EQ(hipHostFree(&host), hipErrorInvalidValue);
  HIP_CHECK(hipFree(device));
  CHECK_EQ(hipFree(device), hipErrorInvalidValue);
  HIP_CHECK(hipHostFree(pinned));
  CHECK_EQ(hipHostFree(pinned), hipErrorInvalidValue);
}

TEST(exhaustedMemory) {
  size_t free, total;
  HIP_CHECK(hipMemGetInfo(&free, &total));
  void *memory = &memory;
  CHECK_EQ(hipMalloc(&memory, total + 1), hipErrorOutOfMemory);
  CHECK(memory == nullptr);
  CHECK_EQ(hipMalloc(&memory, SIZE_MAX), hipErrorOutOfMemory);
  CHECK_EQ(hipMallocManaged(&memory, size_t{1} << 60), hipErrorOutOfMemory);
  CHECK_EQ(hipHostMalloc(&memory, size_t{1} << 60, 0), hipErrorOutOfMemory);
  CHECK_EQ(hipMalloc(static_cast<void **>(nullptr), 16), hipErrorInvalidValue);
  CHECK_EQ(hipHostMalloc(&memory, 16, 0x1000), hipErrorInvalidValue);
  CHECK_EQ(hipMallocManaged(&memory, 16, 0x1000), hipErrorInvalidValue);
  HIP_CHECK(hipMalloc(&memory, 16));
  HIP_CHECK(hipFree(memory));
}

TEST(handles) {
  hipStream_t stream;
  unsigned flags;
  int priority;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipStreamDestroy(stream));
  CHECK_EQ(hipStreamDestroy(stream), hipErrorContextIsDestroyed);
  CHECK_EQ(hipStreamSynchronize(stream), hipErrorContextIsDestroyed);
  CHECK_EQ(hipStreamQuery(stream), hipErrorContextIsDestroyed);
  CHECK_EQ(hipStreamGetFlags(stream, &flags), hipErrorContextIsDestroyed);
  CHECK_EQ(hipStreamDestroy(nullptr), hipErrorInvalidHandle);
  CHECK_EQ(hipStreamDestroy(hipStreamPerThread), hipErrorInvalidHandle);
  CHECK_EQ(hipStreamDestroy(hipStreamLegacy), hipErrorInvalidHandle);
  for (hipStream_t built : {hipStreamLegacy, hipStreamPerThread, hipStream_t(nullptr)}) {
    HIP_CHECK(hipStreamSynchronize(built));
    if (!built) { // AMD's library does not answer for the null stream by its null handle
      CHECK_EQ(hipStreamGetFlags(built, &flags), hipErrorInvalidValue);
      continue;
    }
    HIP_CHECK(hipStreamGetFlags(built, &flags));
    CHECK_EQ(flags, hipStreamDefault);
  }
  CHECK_EQ(hipStreamQuery(reinterpret_cast<hipStream_t>(uintptr_t(3))), hipErrorContextIsDestroyed);
  CHECK_EQ(hipStreamSynchronize(reinterpret_cast<hipStream_t>(&flags)), hipErrorContextIsDestroyed);
  CHECK_EQ(hipStreamCreateWithFlags(&stream, 0x10), hipErrorInvalidValue);
  CHECK_EQ(hipStreamCreate(nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipStreamGetPriority(nullptr, nullptr), hipErrorInvalidValue);
  HIP_CHECK(hipStreamGetPriority(nullptr, &priority));
  CHECK_EQ(priority, 0);
}

TEST(devices) {
  int count, value;
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceCount(&count));
  CHECK_EQ(hipSetDevice(count), hipErrorInvalidDevice);
  CHECK_EQ(hipSetDevice(-1), hipErrorInvalidDevice);
  CHECK_EQ(hipGetDeviceProperties(&properties, count), hipErrorInvalidDevice);
  CHECK_EQ(hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, -1), hipErrorInvalidDevice);
  CHECK_EQ(hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(5000), 0), hipErrorInvalidValue);
  CHECK_EQ(hipDeviceGetByPCIBusId(&value, "no address"), hipErrorInvalidValue);
  CHECK_EQ(hipGetDevice(nullptr), hipErrorInvalidValue);
  HIP_CHECK(hipGetDevice(&value));
  CHECK_EQ(value, 0);
}

TEST(deviceWorksAfterwards) {
  (void)hipGetLastError();
  DeviceArray<int> result(1);
  store<<<1, 1>>>(result, 42);
  HIP_CHECK(hipGetLastError());
  CHECK_EQ(result.host()[0], 42);
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
