// SPDX-License-Identifier: MIT
// Additions of HIP 7 for launches, streams, kernels of libraries and occupancy. That the program is compiled for HIP 7 makes the
// runtime follow its rules.
#include "check.h"

#include "captured_output.h"

#include <hip/hip_cooperative_groups.h>

#include <cstring>
#include <string>
#include <vector>

__global__ void scale(int *values, int factor, long long offset) {
  const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  values[at] = static_cast<int>(values[at] * factor + offset);
}

__global__ void meet(int *counts) {
  atomicAdd(&counts[0], 1);
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0)
    counts[1 + blockIdx.x] = counts[0];
}

__global__ void takesShared(int *out) {
  extern __shared__ int dynamic[];
  __shared__ int fixed[64];
  fixed[threadIdx.x % 64] = static_cast<int>(threadIdx.x);
  dynamic[threadIdx.x] = fixed[threadIdx.x % 64];
  __syncthreads();
  out[threadIdx.x] = dynamic[threadIdx.x];
}

TEST(versionIs7) {
  int version = 0;
  HIP_CHECK(hipRuntimeGetVersion(&version));
  CHECK(version == HIP_VERSION && HIP_VERSION == 70253211);
  hipDriverEntryPointQueryResult status;
  void *function = nullptr;
  HIP_CHECK(hipGetDriverEntryPoint("hipLaunchKernelExC", &function, hipEnableDefault, &status));
  CHECK(function && status == hipDriverEntryPointSuccess);
  void *legacy = nullptr, *perThread = nullptr;
  HIP_CHECK(hipGetDriverEntryPoint("hipStreamQuery", &legacy, hipEnableLegacyStream, nullptr));
  HIP_CHECK(hipGetDriverEntryPoint_spt("hipStreamQuery", &perThread, hipEnableDefault, nullptr));
  CHECK(legacy && perThread && legacy != perThread);
  CHECK(hipGetDriverEntryPoint("hipNothing", &function, 0, &status) == hipErrorInvalidValue);
  CHECK(status == hipDriverEntryPointSymbolNotFound && !function);
}

TEST(launchesByConfiguration) {
  constexpr int kCount = 256;
  std::vector<int> host(kCount, 3);
  int *values;
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipMalloc(&values, kCount * sizeof(int)));
  HIP_CHECK(hipMemcpy(values, host.data(), kCount * sizeof(int), hipMemcpyHostToDevice));
  hipLaunchAttribute attributes[2]{};
  attributes[0].id = hipLaunchAttributePriority;
  attributes[0].val.priority = 0;
  attributes[1].id = hipLaunchAttributeCooperative;
  hipLaunchConfig_t config{};
  config.gridDim = dim3(4);
  config.blockDim = dim3(64);
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = 2;
  int factor = 5;
  long long offset = 7;
  void *arguments[] = {&values, &factor, &offset};
  HIP_CHECK(hipLaunchKernelExC(&config, reinterpret_cast<const void *>(&scale), arguments));
  // Arguments are converted to the types of the parameters.
  HIP_CHECK(hipLaunchKernelEx(&config, scale, values, short{2}, 1));
  HIP_CHECK(hipStreamSynchronize(stream));
  HIP_CHECK(hipMemcpy(host.data(), values, kCount * sizeof(int), hipMemcpyDeviceToHost));
  for (int value : host)
    CHECK(value == (3 * 5 + 7) * 2 + 1);

  attributes[0].id = hipLaunchAttributeSynchronizationPolicy; // of streams alone
  CHECK(hipLaunchKernelExC(&config, reinterpret_cast<const void *>(&scale), arguments) == hipErrorInvalidValue);
  CHECK(hipLaunchKernelExC(nullptr, reinterpret_cast<const void *>(&scale), arguments) == hipErrorInvalidConfiguration);
  CHECK(hipLaunchKernelExC(nullptr, nullptr, arguments) == hipErrorInvalidDeviceFunction);

  hipFunction_t function;
  HIP_CHECK(hipGetFuncBySymbol(&function, reinterpret_cast<const void *>(&scale)));
  HIP_LAUNCH_CONFIG driver{4, 1, 1, 64, 1, 1, 0, stream, nullptr, 0};
  struct {
    int *values;
    int factor;
    long long offset;
  } packed{values, 1, 1};
  size_t bytes = sizeof packed;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   HIP_LAUNCH_PARAM_END};
  HIP_CHECK(hipDrvLaunchKernelEx(&driver, function, nullptr, extra));
  HIP_CHECK(hipStreamSynchronize(stream));
  HIP_CHECK(hipMemcpy(host.data(), values, kCount * sizeof(int), hipMemcpyDeviceToHost));
  for (int value : host)
    CHECK(value == (3 * 5 + 7) * 2 + 2);
  HIP_CHECK(hipFree(values));
  HIP_CHECK(hipStreamDestroy(stream));
}

// Functions answer differently to the same wrong shape.
TEST(shapesThatAreRefused) {
  constexpr hipError_t kValue = hipErrorInvalidValue, kConfiguration = hipErrorInvalidConfiguration;
  int *values = nullptr, factor = 1;
  long long offset = 0;
  void *arguments[] = {&values, &factor, &offset};
  const auto kernel = reinterpret_cast<const void *>(&scale);
  hipFunction_t function;
  HIP_CHECK(hipGetFuncBySymbol(&function, kernel));
  hipStream_t gone;
  HIP_CHECK(hipStreamCreate(&gone));
  HIP_CHECK(hipStreamDestroy(gone));
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  const unsigned large = properties.maxThreadsPerBlock + 1, shared = properties.sharedMemPerBlock + 1;

  struct Shape {
    unsigned grid, block, shared;
    hipStream_t stream;
  };
  const auto byName = [&](Shape at) {
    return hipLaunchKernel(kernel, dim3(at.grid), dim3(at.block), arguments, at.shared, at.stream);
  };
  const auto byConfiguration = [&](Shape at) {
    hipLaunchConfig_t config{};
    config.gridDim = dim3(at.grid);
    config.blockDim = dim3(at.block);
    config.dynamicSmemBytes = at.shared;
    config.stream = at.stream;
    return hipLaunchKernelExC(&config, kernel, arguments);
  };
  const auto withEvents = [&](Shape at) {
    return hipExtLaunchKernel(kernel, dim3(at.grid), dim3(at.block), arguments, at.shared, at.stream, nullptr, nullptr,
                              0);
  };
  const auto byHandle = [&](Shape at) {
    return hipModuleLaunchKernel(function, at.grid, 1, 1, at.block, 1, 1, at.shared, at.stream, arguments, nullptr);
  };
  const auto byDriver = [&](Shape at) {
    HIP_LAUNCH_CONFIG config{at.grid, 1, 1, at.block, 1, 1, at.shared, at.stream, nullptr, 0};
    return hipDrvLaunchKernelEx(&config, function, arguments, nullptr);
  };
  const auto together = [&](Shape at) {
    return hipLaunchCooperativeKernel(kernel, dim3(at.grid), dim3(at.block), arguments, at.shared, at.stream);
  };
  const auto handleTogether = [&](Shape at) {
    return hipModuleLaunchCooperativeKernel(function, at.grid, 1, 1, at.block, 1, 1, at.shared, at.stream, arguments);
  };
  const auto check = [&](const char *name, const auto &launch, hipError_t zero, hipError_t block, hipError_t memory,
                         hipError_t stream) {
    std::printf("%s\n", name);
    CHECK_EQ(launch(Shape{0, 1, 0, nullptr}), zero);
    CHECK_EQ(launch(Shape{1, 0, 0, nullptr}), zero);
    CHECK_EQ(launch(Shape{1, large, 0, nullptr}), block);
    CHECK_EQ(launch(Shape{1, 1, shared, nullptr}), memory);
    CHECK_EQ(launch(Shape{1, 1, 0, gone}), stream);
  };
  check("hipLaunchKernel", byName, kConfiguration, kConfiguration, kValue, kValue);
  check("hipLaunchKernelExC", byConfiguration, kConfiguration, kConfiguration, kValue, kValue);
  check("hipExtLaunchKernel", withEvents, kConfiguration, kConfiguration, kValue, kValue);
  check("hipModuleLaunchKernel", byHandle, kValue, kValue, kValue, hipErrorContextIsDestroyed);
  check("hipDrvLaunchKernelEx", byDriver, kConfiguration, kConfiguration, kValue, hipErrorContextIsDestroyed);
  const auto elseRefused = [&](hipError_t error) {
    return properties.cooperativeLaunch ? error : hipErrorNotSupported;
  };
  check("hipLaunchCooperativeKernel", together, elseRefused(kConfiguration), elseRefused(kConfiguration),
        elseRefused(hipErrorCooperativeLaunchTooLarge), hipErrorInvalidHandle);
  check("hipModuleLaunchCooperativeKernel", handleTogether, elseRefused(kValue), elseRefused(kValue),
        elseRefused(kValue), hipErrorContextIsDestroyed);
}

TEST(cooperativeAttribute) {
  int *counts;
  HIP_CHECK(hipMallocManaged(&counts, 5 * sizeof(int)));
  std::memset(counts, 0, 5 * sizeof(int));
  hipLaunchAttribute attribute{};
  attribute.id = hipLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  hipLaunchConfig_t config{};
  config.gridDim = dim3(4);
  config.blockDim = dim3(32);
  config.attrs = &attribute;
  config.numAttrs = 1;
  HIP_CHECK(hipLaunchKernelEx(&config, meet, counts));
  HIP_CHECK(hipDeviceSynchronize());
  for (int block = 0; block < 4; ++block)
    CHECK(counts[1 + block] == 4 * 32);
  config.gridDim = dim3(1 << 24);
  CHECK(hipLaunchKernelEx(&config, meet, counts) == hipErrorCooperativeLaunchTooLarge);
  HIP_CHECK(hipFree(counts));
}

TEST(streamAttributes) {
  hipStream_t first, second;
  HIP_CHECK(hipStreamCreate(&first));
  HIP_CHECK(hipStreamCreate(&second));
  unsigned long long firstId = 0, secondId = 0, again = 0;
  HIP_CHECK(hipStreamGetId(first, &firstId));
  HIP_CHECK(hipStreamGetId(second, &secondId));
  HIP_CHECK(hipStreamGetId(first, &again));
  CHECK(firstId != secondId && firstId == again);

  hipStreamAttrValue value{};
  HIP_CHECK(hipStreamGetAttribute(first, hipStreamAttributeSynchronizationPolicy, &value));
  CHECK(value.syncPolicy == hipSyncPolicyAuto);
  value.syncPolicy = hipSyncPolicySpin;
  HIP_CHECK(hipStreamSetAttribute(first, hipStreamAttributeSynchronizationPolicy, &value));
  value = {};
  value.memSyncDomain = hipLaunchMemSyncDomainRemote;
  HIP_CHECK(hipStreamSetAttribute(first, hipStreamAttributeMemSyncDomain, &value));
  value = {};
  value.memSyncDomainMap = {0, 1};
  HIP_CHECK(hipStreamSetAttribute(first, hipStreamAttributeMemSyncDomainMap, &value));
  HIP_CHECK(hipStreamCopyAttributes(second, first));
  HIP_CHECK(hipStreamGetAttribute(second, hipStreamAttributeSynchronizationPolicy, &value));
  CHECK(value.syncPolicy == hipSyncPolicySpin);
  HIP_CHECK(hipStreamGetAttribute(second, hipStreamAttributeMemSyncDomain, &value));
  CHECK(value.memSyncDomain == hipLaunchMemSyncDomainRemote);
  HIP_CHECK(hipStreamGetAttribute(second, hipStreamAttributeMemSyncDomainMap, &value));
  CHECK(value.memSyncDomainMap.default_ == 0 && value.memSyncDomainMap.remote == 1);

  int priority = 0;
  HIP_CHECK(hipStreamGetPriority(first, &priority));
  HIP_CHECK(hipStreamGetAttribute(first, hipStreamAttributePriority, &value));
  CHECK(value.priority == priority);
  HIP_CHECK(hipStreamSetAttribute(first, hipStreamAttributePriority, &value));
  value.priority = priority + 100;
  CHECK(hipStreamSetAttribute(first, hipStreamAttributePriority, &value) == hipErrorNotSupported);
  value.syncPolicy = static_cast<hipSynchronizationPolicy>(9);
  CHECK(hipStreamSetAttribute(first, hipStreamAttributeSynchronizationPolicy, &value) == hipErrorInvalidValue);
  CHECK(hipStreamSetAttribute(first, hipLaunchAttributeCooperative, &value) == hipErrorInvalidValue);
  CHECK(hipStreamGetAttribute(first, hipStreamAttributePriority, nullptr) == hipErrorInvalidValue);
  // A pointer that is no stream, and a stream that is captured.
  const auto none = reinterpret_cast<hipStream_t>(-1);
  value.syncPolicy = hipSyncPolicyAuto;
  CHECK(hipStreamGetAttribute(none, hipStreamAttributeSynchronizationPolicy, &value) == hipErrorInvalidHandle);
  CHECK(hipStreamSetAttribute(none, hipStreamAttributeSynchronizationPolicy, &value) == hipErrorInvalidHandle);
  CHECK(hipStreamCopyAttributes(none, first) == hipErrorInvalidHandle);
  CHECK(hipStreamCopyAttributes(first, none) == hipErrorInvalidHandle);
  hipGraph_t graph;
  HIP_CHECK(hipStreamBeginCapture(first, hipStreamCaptureModeGlobal));
  CHECK(hipStreamSetAttribute(first, hipStreamAttributeSynchronizationPolicy, &value) ==
        hipErrorStreamCaptureUnsupported);
  HIP_CHECK(hipStreamEndCapture(first, &graph));
  HIP_CHECK(hipGraphDestroy(graph));
  HIP_CHECK(hipStreamDestroy(first));
  HIP_CHECK(hipStreamDestroy(second));
}

TEST(sharedMemoryThatIsLeft) {
  size_t one = 0, two = 0;
  HIP_CHECK(hipOccupancyAvailableDynamicSMemPerBlock(&one, takesShared, 1, 64));
  HIP_CHECK(hipOccupancyAvailableDynamicSMemPerBlock(&two, takesShared, 2, 64));
  CHECK(two < one);
  // As much as the function says fits, and no more.
  for (const auto &[blocks, bytes] : {std::pair<int, size_t>{1, one}, {2, two}}) {
    int active = 0;
    HIP_CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&active, takesShared, 64, bytes));
    CHECK(active >= blocks);
    HIP_CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&active, takesShared, 64, bytes + 64));
    CHECK(active < blocks);
  }
  CHECK(hipOccupancyAvailableDynamicSMemPerBlock(&one, takesShared, 0, 64) == hipErrorInvalidValue);
  CHECK(hipOccupancyAvailableDynamicSMemPerBlock(&one, takesShared, 1 << 20, 64) == hipErrorInvalidValue);
}

TEST(limitOfLinearTextures) {
  int expected = 0;
  HIP_CHECK(hipDeviceGetAttribute(&expected, hipDeviceAttributeMaxTexture1DLinear, 0));
  const hipChannelFormatDesc floats{32, 0, 0, 0, hipChannelFormatKindFloat};
  size_t most = 0;
  HIP_CHECK(hipDeviceGetTexture1DLinearMaxWidth(&most, &floats, 0));
  CHECK(most == static_cast<size_t>(expected));
  CHECK(hipDeviceGetTexture1DLinearMaxWidth(&most, nullptr, 0) == hipErrorInvalidValue);
  CHECK(hipDeviceGetTexture1DLinearMaxWidth(&most, &floats, 99) == hipErrorInvalidDevice);
}

#ifdef HIPLZ_HIP_VERSION // AMD's headers of HIP 7.2 do not have these
// A cluster is one block.
TEST(clusters) {
  int *values;
  HIP_CHECK(hipMalloc(&values, 64 * sizeof(int)));
  HIP_CHECK(hipMemset(values, 0, 64 * sizeof(int)));
  hipLaunchAttribute attribute{};
  attribute.id = hipLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {1, 1, 1};
  hipLaunchConfig_t config{};
  config.gridDim = dim3(2);
  config.blockDim = dim3(32);
  config.attrs = &attribute;
  config.numAttrs = 1;
  const auto kernel = reinterpret_cast<const void *>(scale);
  int clusters = 0, blocks = 0;
  HIP_CHECK(hipOccupancyMaxActiveClusters(&clusters, kernel, &config));
  HIP_CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 32, 0));
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  CHECK(clusters == blocks * properties.multiProcessorCount && clusters > 0);
  HIP_CHECK(hipLaunchKernelEx(&config, scale, values, 1, 8ll));
  int last = 0;
  HIP_CHECK(hipMemcpy(&last, values + 63, sizeof last, hipMemcpyDeviceToHost));
  CHECK_EQ(last, 8);
  CHECK_EQ(hipOccupancyMaxPotentialClusterSize(&clusters, kernel, &config), hipErrorInvalidClusterSize);
  attribute.val.clusterDim.x = 2;
  CHECK_EQ(hipLaunchKernelEx(&config, scale, values, 1, 8ll), hipErrorInvalidClusterSize);
  CHECK_EQ(hipOccupancyMaxActiveClusters(&clusters, kernel, &config), hipErrorInvalidClusterSize);
  config.numAttrs = 0;
  CHECK_EQ(hipOccupancyMaxActiveClusters(&clusters, kernel, &config), hipErrorInvalidClusterSize);
  CHECK_EQ(hipOccupancyMaxActiveClusters(nullptr, kernel, &config), hipErrorInvalidValue);
  HIP_CHECK(hipFree(values));
}

TEST(functionsForTheStreamOfTheThread) {
  void *plain = nullptr, *perThread = nullptr, *legacy = nullptr;
  hipDriverProcAddressQueryResult status;
  HIP_CHECK(hipGetProcAddress("hipStreamQuery", &plain, HIP_VERSION, 0, nullptr));
  HIP_CHECK(hipGetProcAddress_spt("hipStreamQuery", &perThread, HIP_VERSION, 0, &status));
  HIP_CHECK(hipGetProcAddress_spt("hipStreamQuery", &legacy, HIP_VERSION, hipEnableLegacyStream, nullptr));
  CHECK(plain == legacy && perThread && perThread != plain && status == HIP_GET_PROC_ADDRESS_SUCCESS);
  // Each function came with a version.
  HIP_CHECK(hipGetProcAddress("hipGreenCtxCreate", &plain, 714, 0, nullptr));
  CHECK_EQ(hipGetProcAddress("hipGreenCtxCreate", &plain, 713, 0, &status), hipErrorInvalidValue);
  CHECK_EQ(status, HIP_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  HIP_CHECK(hipGetProcAddress("hipMemGetDefaultMemPool", &plain, 71526333, 0, nullptr));
  HIP_CHECK(hipGetDriverEntryPoint("hipMemGetDefaultMemPool", &plain, hipEnableDefault, nullptr));
}

TEST(logOfTheProgram) {
  const auto logged = [] {
    Capture log(2);
    int count = 0;
    HIP_CHECK(hipGetDeviceCount(&count));
    return log.finish().find("hipGetDeviceCount") != std::string::npos;
  };
  const bool byEnvironment = logged();
  HIP_CHECK(hipExtSetLoggingParams(4, 0, SIZE_MAX)); // which is only noted
  CHECK_EQ(logged(), byEnvironment);
  HIP_CHECK(hipExtEnableLogging());
  CHECK(logged());
  HIP_CHECK(hipExtDisableLogging());
  CHECK(!logged());
  HIP_CHECK(hipExtSetLoggingParams(4, 0, 0));
  HIP_CHECK(hipExtEnableLogging());
  CHECK(!logged());
}
#endif

int main(int argc, char **argv) { return runTests(argc, argv); }
