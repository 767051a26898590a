// SPDX-License-Identifier: MIT
// The attributes of kernels: what the driver tells of the compiled code, and what hipFuncSetAttribute asks for.
#include "tests/device/check.h"

__constant__ char table[120];
__constant__ double factor = 2;
__device__ int noConstant[3];

__global__ void small(int *out) { out[threadIdx.x] = threadIdx.x; }
__global__ void withShared(int *out) {
  __shared__ int memory[300];
  extern __shared__ int dynamic[];
  memory[threadIdx.x] = threadIdx.x;
  dynamic[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = memory[(threadIdx.x + 1) % blockDim.x] + dynamic[0];
}
template <class T> __global__ void templated(T *out) { *out = T(1); }

__global__ __launch_bounds__(64) void bounded(int *out) { atomicAdd(out, 1); }
template <class T, int n> __launch_bounds__(2 * n, 3) __global__ void boundedTemplate(T *out) { atomicAdd(out, T(1)); }
struct Bounds {
  unsigned short threads, blocks;
};
template <class T> constexpr Bounds bounds() { return {32 * sizeof(T), 2}; }
template <class T> __launch_bounds__(bounds<T>().threads, bounds<T>().blocks) __global__ void boundedByMember(T *out) {
  atomicAdd(out, 1);
}
__global__ void __launch_bounds__(96) boundedDeclaration(int *out);
__global__ void boundedDeclaration(int *out) {
  extern __shared__ int memory[];
  memory[threadIdx.x] = 1;
  atomicAdd(out, memory[threadIdx.x]);
}

/// A block that is larger than the source promised is refused by every kind of launch; the attributes tell the promise.
template <class T> static void checkLaunchBounds(void (*kernel)(T *), unsigned bound) {
  DeviceArray<T> out(1);
  T *pointer = out;
  void *arguments[] = {&pointer};
  const void *host = reinterpret_cast<const void *>(kernel);
  hipFunction_t function;
  HIP_CHECK(hipGetFuncBySymbol(&function, host));
  auto launchAll = [&](dim3 block, hipError_t expected) {
    const unsigned shared = 512;
    (void)hipGetLastError();
    kernel<<<1, block, shared>>>(pointer);
    CHECK_EQ(hipGetLastError(), expected);
    CHECK_EQ(hipLaunchKernel(host, dim3(1), block, arguments, shared, nullptr), expected);
    CHECK_EQ(hipModuleLaunchKernel(function, 1, 1, 1, block.x, block.y, block.z, shared, nullptr, arguments, nullptr),
             expected);
    CHECK_EQ(hipLaunchCooperativeKernel(host, dim3(1), block, arguments, shared, nullptr), expected);
    hipGraph_t graph;
    HIP_CHECK(hipGraphCreate(&graph, 0));
    hipGraphNode_t node;
    hipKernelNodeParams parameters{};
    parameters.func = const_cast<void *>(host);
    parameters.gridDim = dim3(1);
    parameters.blockDim = block;
    parameters.sharedMemBytes = shared;
    parameters.kernelParams = arguments;
    CHECK_EQ(hipGraphAddKernelNode(&node, graph, nullptr, 0, &parameters), expected);
    HIP_CHECK(hipGraphDestroy(graph));
  };
  launchAll(dim3(bound), hipSuccess);
  launchAll(dim3(bound / 4, 2, 2), hipSuccess); // it counts the threads, not the length of a side
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(out.host()[0], static_cast<T>(8 * bound));
  launchAll(dim3(bound + 1), hipErrorLaunchFailure);
  launchAll(dim3(bound / 4, 2, 3), hipErrorLaunchFailure);
  HIP_CHECK(hipDeviceSynchronize()); // the device is not lost
  CHECK_EQ(out.host()[0], static_cast<T>(8 * bound));
  hipFuncAttributes attributes;
  HIP_CHECK(hipFuncGetAttributes(&attributes, host));
  CHECK_EQ(attributes.maxThreadsPerBlock, static_cast<int>(bound));
  int grid, block;
  HIP_CHECK(hipOccupancyMaxPotentialBlockSize(&grid, &block, host, 0, 0));
  CHECK(block > 0 && block <= static_cast<int>(bound));
}

static int get(hipFunction_attribute which, hipFunction_t function) {
  int value = -2;
  HIP_CHECK(hipFuncGetAttribute(&value, which, function));
  return value;
}

static hipFunction_t functionOf(void (*kernel)(int *)) {
  hipFunction_t function;
  HIP_CHECK(hipGetFuncBySymbol(&function, reinterpret_cast<const void *>(kernel)));
  return function;
}

TEST(attributes) {
  hipDeviceProp_t prop;
  HIP_CHECK(hipGetDeviceProperties(&prop, 0));
  hipFuncAttributes attributes;
  std::memset(&attributes, 0xee, sizeof attributes);
  HIP_CHECK(hipFuncGetAttributes(&attributes, reinterpret_cast<const void *>(small)));
  CHECK(attributes.maxThreadsPerBlock >= 1 && attributes.maxThreadsPerBlock <= prop.maxThreadsPerBlock);
  CHECK_EQ(attributes.sharedSizeBytes, 0u);
  CHECK_EQ(attributes.maxDynamicSharedSizeBytes, static_cast<int>(prop.sharedMemPerBlock));
  CHECK_EQ(attributes.binaryVersion, 10 * prop.major + prop.minor);
  CHECK_EQ(attributes.ptxVersion, attributes.binaryVersion);
  CHECK_EQ(attributes.constSizeBytes, sizeof table + sizeof factor); // those of the program, used or not
  CHECK_EQ(attributes.cacheModeCA, 0);
  CHECK(attributes.numRegs >= 0);
  CHECK_EQ(attributes.preferredShmemCarveout, -1);

  HIP_CHECK(hipFuncGetAttributes(&attributes, withShared)); // the overload
  CHECK(attributes.sharedSizeBytes >= 300 * sizeof(int));
  CHECK(attributes.sharedSizeBytes < 400 * sizeof(int));
  // The rest, but for the alignment.
  const int rest = static_cast<int>(prop.sharedMemPerBlock - attributes.sharedSizeBytes);
  CHECK(attributes.maxDynamicSharedSizeBytes <= rest && attributes.maxDynamicSharedSizeBytes > rest - 256);
  HIP_CHECK(hipFuncGetAttributes(&attributes, templated<double>));
}

// The same numbers one by one.
TEST(byHandle) {
  const hipFunction_t function = functionOf(withShared);
  hipFuncAttributes attributes;
  HIP_CHECK(hipFuncGetAttributes(&attributes, withShared));
  CHECK_EQ(get(HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function), attributes.maxThreadsPerBlock);
  CHECK_EQ(get(HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function), static_cast<int>(attributes.sharedSizeBytes));
  CHECK_EQ(get(HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, function), static_cast<int>(attributes.constSizeBytes));
  CHECK_EQ(get(HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, function), static_cast<int>(attributes.localSizeBytes));
  CHECK_EQ(get(HIP_FUNC_ATTRIBUTE_NUM_REGS, function), attributes.numRegs);
  CHECK_EQ(get(HIP_FUNC_ATTRIBUTE_PTX_VERSION, function), attributes.ptxVersion);
  CHECK_EQ(get(HIP_FUNC_ATTRIBUTE_BINARY_VERSION, function), attributes.binaryVersion);
  CHECK_EQ(get(HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA, function), attributes.cacheModeCA);
  CHECK_EQ(get(HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function), attributes.maxDynamicSharedSizeBytes);
  CHECK_EQ(get(HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, function), -1);
}

// They are kept, and refused beyond what there is.
TEST(requests) {
  const hipFunction_t function = functionOf(withShared);
  hipFuncAttributes attributes;
  HIP_CHECK(hipFuncGetAttributes(&attributes, withShared));
  const int most = attributes.maxDynamicSharedSizeBytes;
  HIP_CHECK(hipFuncSetAttribute(withShared, hipFuncAttributeMaxDynamicSharedMemorySize, 1024));
  CHECK_EQ(get(HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function), 1024);
  HIP_CHECK(hipFuncSetAttribute(withShared, hipFuncAttributeMaxDynamicSharedMemorySize, most));
  CHECK_EQ(get(HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function), most);
  CHECK_EQ(hipFuncSetAttribute(withShared, hipFuncAttributeMaxDynamicSharedMemorySize, most + 1), hipErrorInvalidValue);
  CHECK_EQ(hipFuncSetAttribute(withShared, hipFuncAttributeMaxDynamicSharedMemorySize, -1), hipErrorInvalidValue);
  HIP_CHECK(hipFuncSetAttribute(withShared, hipFuncAttributePreferredSharedMemoryCarveout, 50));
  CHECK_EQ(get(HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, function), 50);
  HIP_CHECK(hipFuncGetAttributes(&attributes, small));
  CHECK_EQ(attributes.preferredShmemCarveout, -1); // only that kernel's
  CHECK_EQ(hipFuncSetAttribute(withShared, hipFuncAttributePreferredSharedMemoryCarveout, 101), hipErrorInvalidValue);
  CHECK_EQ(hipFuncSetAttribute(withShared, hipFuncAttributeMax, 0), hipErrorInvalidValue);
  (void)hipGetLastError();
  DeviceArray<int> out(64);
  withShared<<<1, 64, most>>>(out);
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(out.host()[63], 1);

  // A handle names the function as well.
  HIP_CHECK(
      hipFuncSetAttribute(reinterpret_cast<const void *>(function), hipFuncAttributeMaxDynamicSharedMemorySize, 512));
  CHECK_EQ(get(HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function), 512);
  HIP_CHECK(hipFuncGetAttributes(&attributes, reinterpret_cast<const void *>(function)));
  CHECK_EQ(attributes.maxDynamicSharedSizeBytes, 512);
}

TEST(preferences) {
  for (hipFuncCache_t config :
       {hipFuncCachePreferNone, hipFuncCachePreferShared, hipFuncCachePreferL1, hipFuncCachePreferEqual})
    HIP_CHECK(hipFuncSetCacheConfig(small, config));
  CHECK_EQ(hipFuncSetCacheConfig(small, static_cast<hipFuncCache_t>(4)), hipErrorInvalidValue);
  for (hipSharedMemConfig config :
       {hipSharedMemBankSizeDefault, hipSharedMemBankSizeFourByte, hipSharedMemBankSizeEightByte})
    HIP_CHECK(hipFuncSetSharedMemConfig(small, config));
  CHECK_EQ(hipFuncSetSharedMemConfig(small, static_cast<hipSharedMemConfig>(3)), hipErrorInvalidValue);
}

TEST(refusals) {
  const hipFunction_t function = functionOf(small);
  hipFuncAttributes attributes;
  int value = 0;
  const void *noKernel = &value;
  CHECK_EQ(hipFuncGetAttributes(nullptr, small), hipErrorInvalidValue);
  CHECK_EQ(hipFuncGetAttributes(&attributes, noKernel), hipErrorInvalidDeviceFunction);
  CHECK_EQ(hipFuncGetAttributes(&attributes, static_cast<const void *>(nullptr)), hipErrorInvalidDeviceFunction);
  CHECK_EQ(hipFuncSetAttribute(noKernel, hipFuncAttributeMaxDynamicSharedMemorySize, 0), hipErrorInvalidDeviceFunction);
  CHECK_EQ(hipFuncSetCacheConfig(noKernel, hipFuncCachePreferNone), hipErrorInvalidDeviceFunction);
  CHECK_EQ(hipFuncSetSharedMemConfig(noKernel, hipSharedMemBankSizeDefault), hipErrorInvalidDeviceFunction);
  CHECK_EQ(hipFuncGetAttribute(nullptr, HIP_FUNC_ATTRIBUTE_NUM_REGS, function), hipErrorInvalidValue);
  CHECK_EQ(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_MAX, function), hipErrorInvalidValue);
  CHECK_EQ(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_NUM_REGS, nullptr), hipErrorInvalidHandle);
  CHECK_EQ(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_NUM_REGS, reinterpret_cast<hipFunction_t>(&value)),
           hipErrorInvalidHandle);
}

TEST(launchBounds) {
  checkLaunchBounds(bounded, 64);
  checkLaunchBounds(boundedTemplate<unsigned, 16>, 32);
  checkLaunchBounds(boundedByMember<int>, 128);
  checkLaunchBounds(boundedDeclaration, 96);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
