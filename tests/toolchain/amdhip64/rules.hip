// SPDX-License-Identifier: MIT
// Answers of HIP 7 that differ from HIP 6. Compiled with -DRULES=6 or -DRULES=7 and linked to the library of that version: the
// source is the same, and neither says to the runtime which version it is for, so the library has to.
#include <hip/hip_ext.h>
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

static int failures = 0;

static void check(int line, const char *call, hipError_t got, hipError_t six, hipError_t seven) {
  const hipError_t expected = RULES == 7 ? seven : six;
  if (got == expected)
    return;
  std::printf("line %d: %s is %s, expected %s\n", line, call, hipGetErrorName(got), hipGetErrorName(expected));
  ++failures;
}
#define CHECK(call, six, seven) check(__LINE__, #call, call, six, seven)
#define OK(call) CHECK(call, hipSuccess, hipSuccess)

static void require(int line, const char *what, bool holds) {
  if (holds)
    return;
  std::printf("line %d: not true: %s\n", line, what);
  ++failures;
}
#define REQUIRE(what) require(__LINE__, #what, what)

__global__ void store(int *to, int value) { to[threadIdx.x] = value; }

// The address of a stream that is gone.
static hipStream_t destroyedStream() {
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  OK(hipStreamDestroy(stream));
  return stream;
}

static void versions() {
  int version = 0;
  OK(hipRuntimeGetVersion(&version));
  REQUIRE(version / 10000000 == RULES);
  OK(hipDriverGetVersion(&version));
  REQUIRE(version == (RULES == 7 ? 70253211 : 60443484));
}

static void lastErrors() {
  CHECK(hipSetDevice(-1), hipErrorInvalidDevice, hipErrorInvalidDevice);
  OK(hipSetDevice(0));
  CHECK(hipPeekAtLastError(), hipSuccess, hipErrorInvalidDevice);
  CHECK(hipGetLastError(), hipSuccess, hipErrorInvalidDevice);
  OK(hipGetLastError());
  CHECK(hipSetDevice(-1), hipErrorInvalidDevice, hipErrorInvalidDevice);
  CHECK(hipPeekAtLastError(), hipErrorInvalidDevice, hipErrorInvalidDevice);
  CHECK(hipGetLastError(), hipErrorInvalidDevice, hipErrorInvalidDevice);
}

static void pointers() {
  hipPointerAttribute_t attributes;
  int here = 0;
  CHECK(hipPointerGetAttributes(nullptr, &here), hipErrorInvalidValue, hipSuccess);
  CHECK(hipPointerGetAttributes(&attributes, nullptr), hipErrorInvalidValue, hipSuccess);
  CHECK(hipFreeAsync(nullptr, nullptr), hipErrorInvalidValue, hipSuccess);
  void *uncached = nullptr;
  CHECK(hipHostMalloc(&uncached, 64, 0x10000000), hipErrorInvalidValue, hipSuccess); // hipHostMallocUncached
  OK(hipHostFree(uncached));
  size_t limit = 0;
  CHECK(hipDeviceGetLimit(&limit, static_cast<hipLimit_t>(0x1001)), hipErrorInvalidValue, hipErrorUnsupportedLimit);
}

static void launches(int *memory) {
  int value = 1;
  void *arguments[] = {&memory, &value};
  const auto kernel = reinterpret_cast<const void *>(&store);
  hipFunction_t function;
  OK(hipGetFuncBySymbol(&function, kernel));
  const hipStream_t gone = destroyedStream();
  CHECK(hipLaunchKernel(kernel, 1, 1, arguments, 0, gone), hipErrorInvalidValue, hipErrorInvalidValue);
  CHECK(hipLaunchKernel(kernel, 0, 1, arguments, 0, nullptr), hipErrorInvalidConfiguration,
        hipErrorInvalidConfiguration);
  CHECK(hipLaunchKernel(kernel, 1, 65536, arguments, 0, nullptr), hipErrorInvalidConfiguration,
        hipErrorInvalidConfiguration);
  CHECK(hipLaunchKernel(kernel, 1, 1, arguments, size_t{1} << 30, nullptr), hipErrorInvalidValue, hipErrorInvalidValue);
  const auto launchModule = [&](unsigned grid, unsigned block, hipStream_t stream) {
    return hipModuleLaunchKernel(function, grid, 1, 1, block, 1, 1, 0, stream, arguments, nullptr);
  };
  CHECK(launchModule(1, 1, gone), hipErrorInvalidValue, hipErrorContextIsDestroyed);
  CHECK(launchModule(0, 1, nullptr), hipErrorInvalidValue, hipErrorInvalidValue);
  CHECK(launchModule(1, 65536, nullptr), hipErrorInvalidValue, hipErrorInvalidValue);
  CHECK(
      hipExtModuleLaunchKernel(function, 65536, 1, 1, 65536, 1, 1, 0, nullptr, arguments, nullptr, nullptr, nullptr, 0),
      hipErrorInvalidValue, hipErrorInvalidConfiguration);
  CHECK(hipLaunchCooperativeKernel(kernel, 1, 1, arguments, 0, gone), hipErrorContextIsDestroyed,
        hipErrorInvalidHandle);
  const auto cooperate = [&](unsigned grid, unsigned block, unsigned shared, hipStream_t stream) {
    return hipModuleLaunchCooperativeKernel(function, grid, 1, 1, block, 1, 1, shared, stream, arguments);
  };
  CHECK(cooperate(1, 1, 0, gone), hipErrorInvalidValue, hipErrorContextIsDestroyed);
  CHECK(cooperate(0, 1, 0, nullptr), hipErrorInvalidValue, hipErrorInvalidValue);
  CHECK(cooperate(1, 65536, 0, nullptr), hipErrorInvalidValue, hipErrorInvalidValue);
  CHECK(cooperate(1, 1, 1u << 30, nullptr), hipErrorInvalidValue, hipErrorInvalidValue);
}

// Runs the body while a stream is captured in the global mode, which the body may break.
template <class Body> static void whileCapturing(Body body) {
  hipStream_t stream;
  hipGraph_t graph = nullptr;
  OK(hipStreamCreate(&stream));
  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  body(stream);
  static_cast<void>(hipStreamEndCapture(stream, &graph));
  if (graph)
    OK(hipGraphDestroy(graph));
  OK(hipStreamDestroy(stream));
}

static void captures(int *memory) {
  constexpr hipError_t kForbidden = hipErrorStreamCaptureUnsupported;
  int here = 0;
  whileCapturing([&](hipStream_t stream) {
    CHECK(hipMemcpyWithStream(memory, &here, sizeof here, hipMemcpyHostToDevice, stream), hipSuccess, kForbidden);
  });
  hipMemPoolProps properties{};
  properties.allocType = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, 0};
  hipMemPool_t pool = nullptr;
  whileCapturing([&](hipStream_t) { CHECK(hipMemPoolCreate(&pool, &properties), hipSuccess, kForbidden); });
  if (!pool)
    OK(hipMemPoolCreate(&pool, &properties));
  hipMemPool_t standard;
  OK(hipDeviceGetDefaultMemPool(&standard, 0));
  whileCapturing([&](hipStream_t) { CHECK(hipDeviceSetMemPool(0, standard), hipSuccess, kForbidden); });
  bool destroyed = false;
  whileCapturing([&](hipStream_t) {
    const hipError_t error = hipMemPoolDestroy(pool);
    destroyed = error == hipSuccess;
    check(__LINE__, "hipMemPoolDestroy", error, hipSuccess, kForbidden);
  });
  if (!destroyed)
    OK(hipMemPoolDestroy(pool));
  whileCapturing([&](hipStream_t) { CHECK(hipDeviceSetCacheConfig(hipFuncCachePreferNone), hipSuccess, kForbidden); });
  whileCapturing(
      [&](hipStream_t) { CHECK(hipDeviceSetSharedMemConfig(hipSharedMemBankSizeDefault), hipSuccess, kForbidden); });
  hipStream_t other;
  hipEvent_t event;
  OK(hipStreamCreateWithFlags(&other, hipStreamNonBlocking));
  OK(hipEventCreate(&event));
  OK(hipEventRecord(event, other));
  OK(hipEventSynchronize(event));
  whileCapturing([&](hipStream_t) { CHECK(hipEventQuery(event), hipSuccess, kForbidden); });
  const auto nothing = [](hipStream_t, hipError_t, void *) {};
  whileCapturing([&](hipStream_t) { CHECK(hipStreamAddCallback(other, nothing, nullptr, 0), hipSuccess, kForbidden); });
  OK(hipStreamSynchronize(other));
  OK(hipEventDestroy(event));
  OK(hipStreamDestroy(other));
  int *managed;
  OK(hipMallocManaged(&managed, 4096));
  whileCapturing(
      [&](hipStream_t) { CHECK(hipMemAdvise(managed, 4096, hipMemAdviseSetReadMostly, 0), hipSuccess, kForbidden); });
  OK(hipFree(managed));
}

// The driver API's fill: HIP 6 has a structure of its own for it.
static void fills(int *memory) {
  struct Parameters6 {
    void *to;
    size_t pitch;
    unsigned value, elementSize;
    size_t width, height;
  };
  const Parameters6 six{memory, 64 * sizeof(int), 17, 4, 10, 1};
  hipMemsetParams seven{};
  seven.dst = memory;
  seven.elementSize = 4;
  seven.height = 1;
  seven.pitch = 64 * sizeof(int);
  seven.value = 17;
  seven.width = 10;
  const void *description = RULES == 7 ? static_cast<const void *>(&seven) : &six;
  hipGraph_t graph;
  hipGraphNode_t node;
  hipGraphExec_t exec;
  hipCtx_t context;
  int host[64];
  OK(hipMemset(memory, 0xff, sizeof host));
  OK(hipGraphCreate(&graph, 0));
  OK(hipCtxGetCurrent(&context));
  // Neither version's headers declare both.
  using AddNode = hipError_t (*)(hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t, const void *, hipCtx_t);
  OK(reinterpret_cast<AddNode>(&hipDrvGraphAddMemsetNode)(&node, graph, nullptr, 0, description, context));
  OK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  OK(hipGraphLaunch(exec, nullptr));
  OK(hipMemcpy(host, memory, sizeof host, hipMemcpyDeviceToHost));
  for (int at = 0; at < 64; ++at)
    REQUIRE(host[at] == (at < 10 ? 17 : -1));
  // The runtime API's has the same order in both.
  seven.value = 5;
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphMemsetNodeSetParams(node, &seven));
  hipMemsetParams got{};
  OK(hipGraphMemsetNodeGetParams(node, &got));
  REQUIRE(got.dst == memory && got.value == 5 && got.width == 10 && got.elementSize == 4);
  OK(hipGraphDestroy(graph));
}

int main() {
  int *memory;
  OK(hipMalloc(&memory, 64 * sizeof(int)));
  versions();
  lastErrors();
  pointers();
  launches(memory);
  captures(memory);
  fills(memory);
#if RULES == 7
  unsigned long long id = 0;
  OK(hipStreamGetId(nullptr, &id));
#endif
  OK(hipFree(memory));
  std::printf("%d failures\n", failures);
  return failures ? 1 : 0;
}
