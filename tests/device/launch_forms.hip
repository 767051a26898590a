// SPDX-License-Identifier: MIT
// Every way to launch a kernel beside <<<>>>: by host function and by handle, with arguments as pointers and packed, with
// events, with grids in work-items, and in steps.
#include "tests/device/check.h"

#include <hip/hip_ext.h>

#include <cstddef>
#include <string>
#include <thread>

// AMD's library exports these two under their C++ names as well.
extern "C" hipError_t extLaunchCxx(hipFunction_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, size_t,
                                   hipStream_t, void **, void **, hipEvent_t, hipEvent_t,
                                   uint32_t) __asm__("_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_"
                                                     "tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j");
extern "C" hipError_t hccLaunchCxx(hipFunction_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, size_t,
                                   hipStream_t, void **, void **, hipEvent_t,
                                   hipEvent_t) __asm__("_Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_"
                                                       "tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_");

struct Odd {
  char text[3];
  short number;
  char last;
};

__global__ void fill(int *out, int value) { out[blockIdx.x * blockDim.x + threadIdx.x] = value + blockDim.x; }

__global__ void shape(int *out) {
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == blockDim.x - 1 && threadIdx.y == 0 && threadIdx.z == 0 &&
      blockIdx.y == 0 && blockIdx.z == 0) {
    const int values[] = {static_cast<int>(gridDim.x),  static_cast<int>(gridDim.y),  static_cast<int>(gridDim.z),
                          static_cast<int>(blockDim.x), static_cast<int>(blockDim.y), static_cast<int>(blockDim.z)};
    for (int i = 0; i < 6; ++i)
      out[i] = values[i];
  }
}

__global__ void none() {}

// Sizes and alignments that leave gaps of every kind.
__global__ void odd(double *out, char c, double d, bool b, short s, float3 f3, char c2, long4 l4, Odd o,
                    unsigned char uc, int *p, char2 c22, float f) {
  out[0] = c;
  out[1] = d;
  out[2] = b;
  out[3] = s;
  out[4] = f3.x + 10 * f3.y + 100 * f3.z;
  out[5] = c2;
  out[6] = l4.x + 10.0 * l4.y + 100.0 * l4.z + 1000.0 * l4.w;
  out[7] = o.text[0] + 10 * o.text[1] + 100 * o.text[2] + 1000 * o.number + 10000 * o.last;
  out[8] = uc;
  out[9] = *p;
  out[10] = c22.x + 10 * c22.y;
  out[11] = f;
}
constexpr int kOddResults = 12;

// The host's own layout of those parameters: each at its natural alignment.
struct alignas(32) OddArguments {
  double *out;
  char c;
  double d;
  bool b;
  short s;
  float3 f3;
  char c2;
  long4 l4;
  Odd o;
  unsigned char uc;
  int *p;
  char2 c22;
  float f;
};

static OddArguments oddArguments(double *out, int *p) {
  OddArguments a{};
  a.out = out;
  a.c = 'x';
  a.d = 2.5;
  a.b = true;
  a.s = -7;
  a.f3 = make_float3(1, 2, 3);
  a.c2 = -3;
  a.l4 = make_long4(4, 5, 6, 7);
  a.o = {{1, 2, 3}, 4, 5};
  a.uc = 200;
  a.p = p;
  a.c22 = make_char2(8, 9);
  a.f = 0.25f;
  return a;
}

static void checkOdd(const std::vector<double> &out, int pointed) {
  const double expected[kOddResults] = {'x', 2.5, 1, -7, 321, -3, 7654, 54321, 200, static_cast<double>(pointed),
                                        98,  0.25};
  for (int i = 0; i < kOddResults; ++i)
    CHECK_EQ(out[i], expected[i]);
}

static hipFunction_t functionOf(const void *kernel) {
  hipFunction_t function = nullptr;
  HIP_CHECK(hipGetFuncBySymbol(&function, kernel));
  return function;
}

TEST(packedArguments) {
  DeviceArray<double> out(kOddResults);
  DeviceArray<int> p(std::vector<int>{41});
  OddArguments a = oddArguments(out, p);
  const hipFunction_t function = functionOf(reinterpret_cast<const void *>(odd));

  // In a buffer that begins at an odd address, and that is written over at once.
  for (size_t shift : {0, 1, 3}) {
    HIP_CHECK(hipMemset(out, 0, kOddResults * sizeof(double)));
    std::vector<char> buffer(sizeof a + 8);
    std::memcpy(buffer.data() + shift, &a, sizeof a);
    size_t size = offsetof(OddArguments, f) + sizeof(float);
    void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, buffer.data() + shift, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     HIP_LAUNCH_PARAM_END};
    HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
    std::memset(buffer.data(), 0xee, buffer.size());
    checkOdd(out.host(), 41);
    // The size may come first, and may be larger.
    std::memcpy(buffer.data(), &a, sizeof a);
    size = sizeof a;
    HIP_CHECK(hipMemset(out, 0, kOddResults * sizeof(double)));
    void *turned[] = {HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_BUFFER_POINTER, buffer.data(),
                      HIP_LAUNCH_PARAM_END};
    HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, turned));
    checkOdd(out.host(), 41);
    size = offsetof(OddArguments, f) + sizeof(float) - 1;
    CHECK_EQ(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, turned), hipErrorInvalidValue);
  }

  void *pointers[] = {&a.out, &a.c, &a.d, &a.b, &a.s, &a.f3, &a.c2, &a.l4, &a.o, &a.uc, &a.p, &a.c22, &a.f};
  HIP_CHECK(hipMemset(out, 0, kOddResults * sizeof(double)));
  HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, pointers, nullptr));
  checkOdd(out.host(), 41);

  size_t size = sizeof a;
  void *good[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &a, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_END};
  CHECK_EQ(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, pointers, good), hipErrorInvalidValue);
  void *noSize[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &a, HIP_LAUNCH_PARAM_END};
  CHECK_EQ(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, noSize), hipErrorInvalidValue);
  void *unknown[] = {reinterpret_cast<void *>(0x77), &a, HIP_LAUNCH_PARAM_END};
  CHECK_EQ(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, unknown), hipErrorInvalidValue);
}

__global__ void nothing() {}

TEST(noArgumentsInNoBuffer) {
  size_t size = 0;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, nullptr, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_END};
  const hipFunction_t function = functionOf(reinterpret_cast<const void *>(nothing));
  HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  const hipFunction_t withArguments = functionOf(reinterpret_cast<const void *>(odd));
  CHECK_EQ(hipModuleLaunchKernel(withArguments, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra), hipErrorInvalidValue);
  size = sizeof(int);
  CHECK_EQ(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra), hipErrorInvalidValue);
}

TEST(workItems) {
  DeviceArray<int> out(6);
  int *data = out;
  void *arguments[] = {&data};
  const hipFunction_t function = functionOf(reinterpret_cast<const void *>(shape));
  hipEvent_t start, stop;
  HIP_CHECK(hipEventCreate(&start));
  HIP_CHECK(hipEventCreate(&stop));

  auto check = [&](std::vector<int> expected) {
    const std::vector<int> got = out.host();
    for (int i = 0; i < 6; ++i)
      CHECK_EQ(got[i], expected[i]);
    HIP_CHECK(hipMemset(out, 0, 6 * sizeof(int)));
  };
  HIP_CHECK(hipExtModuleLaunchKernel(function, 64, 6, 2, 16, 3, 2, 0, nullptr, arguments, nullptr, start, stop, 0));
  HIP_CHECK(hipEventSynchronize(stop));
  float milliseconds = -1;
  HIP_CHECK(hipEventElapsedTime(&milliseconds, start, stop));
  CHECK(milliseconds >= 0);
  check({4, 2, 1, 16, 3, 2});
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  HIP_CHECK(hipHccModuleLaunchKernel(function, 8, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr, nullptr, stop));
#pragma clang diagnostic pop
  HIP_CHECK(hipEventSynchronize(stop));
  check({2, 1, 1, 4, 1, 1});
  HIP_CHECK(
      extLaunchCxx(function, 9, 1, 1, 3, 1, 1, 0, nullptr, arguments, nullptr, nullptr, nullptr, hipExtAnyOrderLaunch));
  check({3, 1, 1, 3, 1, 1});
  HIP_CHECK(hccLaunchCxx(function, 10, 1, 1, 2, 1, 1, 0, nullptr, arguments, nullptr, nullptr, nullptr));
  check({5, 1, 1, 2, 1, 1});

  auto launch = [&](dim3 items, dim3 block, size_t sharedBytes = 0) {
    return hipExtModuleLaunchKernel(function, items.x, items.y, items.z, block.x, block.y, block.z, sharedBytes,
                                    nullptr, arguments, nullptr, nullptr, nullptr, 0);
  };
  // A block is no larger than the grid; otherwise the last one must be as large as the others.
  HIP_CHECK(launch(dim3(9, 6, 1), dim3(16, 3, 4)));
  check({1, 2, 1, 9, 3, 1});
  for (dim3 items : {dim3(9, 1, 1), dim3(4, 9, 1), dim3(4, 4, 9), dim3(3, 9, 1)})
    CHECK_EQ(launch(items, dim3(4, 4, 4)), hipErrorInvalidValue);
  const dim3 one(1, 1, 1);
  for (dim3 nothing : {dim3(0, 1, 1), dim3(1, 0, 1), dim3(1, 1, 0)}) {
    CHECK_EQ(launch(nothing, one), hipErrorInvalidValue);
    CHECK_EQ(launch(one, nothing), hipErrorInvalidConfiguration);
  }
  hipDeviceProp_t prop;
  HIP_CHECK(hipGetDeviceProperties(&prop, 0));
  const hipError_t large = since7(hipErrorInvalidConfiguration, hipErrorInvalidValue);
  for (int axis = 0; axis < 3; ++axis) {
    uint32_t block[3] = {1, 1, 1};
    block[axis] = prop.maxThreadsDim[axis] + 1;
    CHECK_EQ(launch(one, dim3(block[0], block[1], block[2])), large);
    CHECK_EQ(
        hccLaunchCxx(function, 1, 1, 1, block[0], block[1], block[2], 0, nullptr, arguments, nullptr, nullptr, nullptr),
        large);
  }
  CHECK_EQ(launch(one, dim3(prop.maxThreadsPerBlock, 2, 1)), large);
  // The largest grid is one of blocks, so more work-items than that are a launch; captured, for it would take long to run.
  hipStream_t captured;
  hipGraph_t graph;
  HIP_CHECK(hipStreamCreate(&captured));
  HIP_CHECK(hipStreamBeginCapture(captured, hipStreamCaptureModeThreadLocal));
  for (int axis = 0; axis < 3; ++axis) {
    uint32_t items[3] = {1, 1, 1};
    items[axis] = uint32_t(prop.maxGridSize[axis]) + 1;
    HIP_CHECK(hipExtModuleLaunchKernel(function, items[0], items[1], items[2], 1, 1, 1, 0, captured, arguments, nullptr,
                                       nullptr, nullptr, 0));
    CHECK_EQ(hipModuleLaunchKernel(function, items[0], items[1], items[2], 1, 1, 1, 0, captured, arguments, nullptr),
             hipErrorInvalidValue);
  }
  HIP_CHECK(hipStreamEndCapture(captured, &graph));
  size_t nodes = 0;
  HIP_CHECK(hipGraphGetNodes(graph, nullptr, &nodes));
  CHECK_EQ(nodes, size_t(3));
  HIP_CHECK(hipGraphDestroy(graph));
  HIP_CHECK(hipStreamDestroy(captured));
  CHECK_EQ(launch(one, one, prop.sharedMemPerBlock + 1), hipErrorInvalidValue);
  CHECK_EQ(hipExtModuleLaunchKernel(function, 4, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr, nullptr, nullptr, 8),
           hipErrorInvalidValue);
  CHECK_EQ(hipExtModuleLaunchKernel(function, 4, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr,
                                    reinterpret_cast<hipEvent_t>(data), nullptr, 0),
           hipErrorInvalidValue);
  // A stream that does not exist.
  CHECK_EQ(hipExtModuleLaunchKernel(function, 4, 1, 1, 4, 1, 1, 0, reinterpret_cast<hipStream_t>(data), arguments,
                                    nullptr, nullptr, nullptr, 0),
           since7(hipErrorContextIsDestroyed, hipErrorInvalidValue));
  CHECK_EQ(hipExtModuleLaunchKernel(nullptr, 4, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr, nullptr, nullptr, 0),
           hipErrorInvalidHandle);

  (void)hipGetLastError();

  // By host function, in blocks.
  dim3 grid(7), block(5);
  HIP_CHECK(
      hipExtLaunchKernel(reinterpret_cast<const void *>(shape), grid, block, arguments, 0, nullptr, start, stop, 0));
  HIP_CHECK(hipEventSynchronize(stop));
  check({7, 1, 1, 5, 1, 1});
  const auto launchBlocks = [&](dim3 blocks, dim3 threads) {
    return hipExtLaunchKernel(reinterpret_cast<const void *>(shape), blocks, threads, arguments, 0, nullptr, nullptr,
                              nullptr, 0);
  };
  for (dim3 nothing : {dim3(0, 1, 1), dim3(1, 0, 1), dim3(1, 1, 0)}) {
    CHECK_EQ(launchBlocks(nothing, one), since7(hipErrorInvalidConfiguration, hipErrorInvalidValue));
    CHECK_EQ(launchBlocks(one, nothing), since7(hipErrorInvalidConfiguration, hipErrorInvalidValue));
  }
  CHECK_EQ(launchBlocks(one, dim3(prop.maxThreadsPerBlock + 1)), hipErrorInvalidConfiguration);
  (void)hipGetLastError();
  hipExtLaunchKernelGGL(shape, grid, block, 0, nullptr, nullptr, stop, 0, data);
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipEventSynchronize(stop));
  check({7, 1, 1, 5, 1, 1});
  HIP_CHECK(hipEventDestroy(start));
  HIP_CHECK(hipEventDestroy(stop));
}

template <class T> __global__ void accumulate(const T *from, T *to) { *to += *from; }

/// A template can be launched by its bare name, and an argument is converted to what a named kernel takes.
TEST(bareTemplate) {
  DeviceArray<int> memory(2);
  const int one = 1;
  HIP_CHECK(hipMemcpy(memory, &one, sizeof one, hipMemcpyHostToDevice));
  int *data = memory;
  const int *from = data;
  const dim3 single(1);
  hipExtLaunchKernelGGL(accumulate, single, single, 0, nullptr, nullptr, nullptr, 0, from, data + 1);
  hipExtLaunchKernelGGL(accumulate<int>, single, single, 0, nullptr, nullptr, nullptr, 0, data, data + 1);
  hipExtLaunchKernelGGL((accumulate<int>), single, single, 0, nullptr, nullptr, nullptr, 0, from, data + 1);
  HIP_CHECK(hipGetLastError());
  CHECK_EQ(memory.host()[1], 3);
  hipExtLaunchKernelGGL(fill, single, single, 0, nullptr, nullptr, nullptr, 0, data, 7.9);
  CHECK_EQ(memory.host()[0], 8);
}

template <class T> static void setArgument(const T &value, size_t &offset) {
  offset = (offset + alignof(T) - 1) / alignof(T) * alignof(T);
  HIP_CHECK(hipSetupArgument(&value, sizeof value, offset));
  offset += sizeof value;
}

static void launchFill(int *data, int value, unsigned block) {
  size_t offset = 0;
  setArgument(data, offset);
  setArgument(value, offset);
  (void)block;
  HIP_CHECK(hipLaunchByPtr(reinterpret_cast<const void *>(fill)));
}

TEST(inSteps) {
  DeviceArray<int> out(32);
  int *data = out;
  HIP_CHECK(hipConfigureCall(dim3(2), dim3(16), 0, nullptr));
  launchFill(data, 100, 16);
  for (int value : out.host())
    CHECK_EQ(value, 116);

  // An argument that launches: configurations nest, also with those of <<<>>>.
  HIP_CHECK(hipConfigureCall(dim3(1), dim3(32), 0, hipStreamPerThread));
  size_t offset = 0;
  setArgument(data, offset);
  HIP_CHECK(hipConfigureCall(dim3(1), dim3(8), 0, nullptr));
  launchFill(data + 8, 1, 8);
  fill<<<1, 4>>>(data + 16, 2);
  HIP_CHECK(__hipPushCallConfiguration(dim3(1), dim3(2), 0, nullptr));
  launchFill(data + 24, 3, 2);
  HIP_CHECK(hipDeviceSynchronize());
  std::vector<int> got = out.host();
  CHECK_EQ(got[8], 9);
  CHECK_EQ(got[16], 6);
  CHECK_EQ(got[24], 5);
  CHECK_EQ(got[31], 116);
  setArgument(1000, offset);
  HIP_CHECK(hipLaunchByPtr(reinterpret_cast<const void *>(fill)));
  HIP_CHECK(hipStreamSynchronize(hipStreamPerThread));
  for (int value : out.host())
    CHECK_EQ(value, 1032);

  // The same with arguments that leave gaps.
  DeviceArray<double> results(kOddResults);
  DeviceArray<int> p(std::vector<int>{-5});
  const OddArguments a = oddArguments(results, p);
  HIP_CHECK(hipConfigureCall(dim3(1), dim3(1), 0, nullptr));
  offset = 0;
  setArgument(a.out, offset);
  setArgument(a.c, offset);
  setArgument(a.d, offset);
  setArgument(a.b, offset);
  setArgument(a.s, offset);
  setArgument(a.f3, offset);
  setArgument(a.c2, offset);
  setArgument(a.l4, offset);
  setArgument(a.o, offset);
  setArgument(a.uc, offset);
  setArgument(a.p, offset);
  setArgument(a.c22, offset);
  setArgument(a.f, offset);
  HIP_CHECK(hipLaunchByPtr(reinterpret_cast<const void *>(odd)));
  checkOdd(results.host(), -5);

  HIP_CHECK(hipConfigureCall(dim3(1), dim3(1), 0, nullptr));
  HIP_CHECK(hipLaunchByPtr(reinterpret_cast<const void *>(none)));
  HIP_CHECK(hipDeviceSynchronize());

  // Out of order, and errors, after which the stack is as before.
  int value = 1;
  CHECK_EQ(hipLaunchByPtr(reinterpret_cast<const void *>(fill)), hipErrorMissingConfiguration);
  CHECK_EQ(hipSetupArgument(&value, sizeof value, 0), hipErrorMissingConfiguration);
  HIP_CHECK(hipConfigureCall(dim3(1), dim3(1), 0, nullptr));
  CHECK_EQ(hipSetupArgument(nullptr, 4, 0), hipErrorInvalidValue);
  CHECK_EQ(hipSetupArgument(&value, SIZE_MAX, 4), hipErrorInvalidValue);
  CHECK_EQ(hipSetupArgument(&value, 4, SIZE_MAX), hipErrorInvalidValue);
  CHECK_EQ(hipLaunchByPtr(reinterpret_cast<const void *>(fill)), hipErrorInvalidValue); // without its arguments
  CHECK_EQ(hipLaunchByPtr(reinterpret_cast<const void *>(fill)), hipErrorMissingConfiguration);
  HIP_CHECK(hipConfigureCall(dim3(1), dim3(1), 0, nullptr));
  CHECK_EQ(hipLaunchByPtr(nullptr), hipErrorInvalidDeviceFunction);
  HIP_CHECK(hipConfigureCall(dim3(0), dim3(1), 0, nullptr));
  CHECK_EQ(hipLaunchByPtr(reinterpret_cast<const void *>(none)), hipErrorInvalidConfiguration);
  int depth = 0;
  while (hipConfigureCall(dim3(1), dim3(1), 0, nullptr) == hipSuccess && depth < 1000)
    ++depth;
  CHECK(depth >= 16 && depth < 1000);
  for (; depth > 0; --depth)
    HIP_CHECK(hipLaunchByPtr(reinterpret_cast<const void *>(none)));
  (void)hipGetLastError();

  // Each thread has a stack of its own.
  HIP_CHECK(hipConfigureCall(dim3(1), dim3(32), 0, nullptr));
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      int other = 0;
      CHECK_EQ(hipSetupArgument(&other, sizeof other, 0), hipErrorMissingConfiguration);
      DeviceArray<int> own(8);
      for (int round = 0; round < 20; ++round) {
        HIP_CHECK(hipConfigureCall(dim3(1), dim3(8), 0, nullptr));
        launchFill(own, 100 * thread + round, 8);
        for (int result : own.host())
          CHECK_EQ(result, 100 * thread + round + 8);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  launchFill(data, 7, 32);
  for (int result : out.host())
    CHECK_EQ(result, 39);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
