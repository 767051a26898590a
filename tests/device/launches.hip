// SPDX-License-Identifier: MIT
// Launches: every kind of argument, by pointers and in a packed buffer; and a warm launch, which must allocate nothing.
#include "check.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <new>
#include <thread>

namespace {
std::atomic<bool> counting{false};
std::atomic<size_t> allocations{0};
} // namespace

// A sanitizer has its own operators, of more forms than these, and both must not be mixed; there nothing is counted.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
void *operator new(size_t bytes) {
  if (counting)
    ++allocations;
  void *memory = std::malloc(bytes ? bytes : 1);
  if (!memory)
    throw std::bad_alloc();
  return memory;
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
#endif

namespace {

struct Small {
  char a;
  short b;
};
struct Large {
  double values[5];
  int count;
};

__global__ void mixed(char a, double b, short c, Small d, float e, Large f, long long g, bool h, double *out) {
  out[0] = a;
  out[1] = b;
  out[2] = c;
  out[3] = d.a;
  out[4] = d.b;
  out[5] = e;
  out[6] = f.values[4] + f.count;
  out[7] = static_cast<double>(g);
  out[8] = h;
}

__global__ void twoNumbers(int *out, int first, int second) {
  out[0] = first;
  out[1] = second;
}

__global__ void noArguments() {}

__global__ void geometry(unsigned *out) {
  if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0 && blockIdx.x == 0 && blockIdx.y == 0 &&
      blockIdx.z == 0) {
    out[0] = gridDim.x;
    out[1] = gridDim.y;
    out[2] = gridDim.z;
    out[3] = blockDim.x;
    out[4] = blockDim.y;
    out[5] = blockDim.z;
  }
}

void checkMixed(DeviceArray<double> &out) {
  const std::vector<double> result = out.host();
  const double expected[] = {-3, 2.5, -300, 7, 1234, 0.25, 44, 1LL << 40, 1};
  for (int i = 0; i < 9; ++i)
    CHECK_EQ(result[i], expected[i]);
  HIP_CHECK(hipMemset(out, 0, 9 * sizeof(double)));
}

TEST(everyKindOfArgument) {
  DeviceArray<double> out(9);
  double *pointer = out;
  const Small small{7, 1234};
  const Large large{{0, 1, 2, 3, 4}, 40};
  mixed<<<1, 1>>>(-3, 2.5, -300, small, 0.25f, large, 1LL << 40, true, pointer);
  HIP_CHECK(hipGetLastError());
  checkMixed(out);
  hipLaunchKernelGGL(mixed, dim3(1), dim3(1), 0, nullptr, -3, 2.5, -300, small, 0.25f, large, 1LL << 40, true, pointer);
  HIP_CHECK(hipGetLastError());
  checkMixed(out);

  // The driver API takes them in one buffer, each at its natural alignment.
  hipFunction_t function;
  HIP_CHECK(hipGetFuncBySymbol(&function, reinterpret_cast<const void *>(mixed)));
  struct Packed {
    char a;
    double b;
    short c;
    Small d;
    float e;
    Large f;
    long long g;
    bool h;
    double *out;
  } packed{-3, 2.5, -300, small, 0.25f, large, 1LL << 40, true, pointer};
  size_t bytes = sizeof packed;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   HIP_LAUNCH_PARAM_END};
  HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  checkMixed(out);
  void *pointers[] = {&packed.a, &packed.b, &packed.c, &packed.d,  &packed.e,
                      &packed.f, &packed.g, &packed.h, &packed.out};
  HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, pointers, nullptr));
  checkMixed(out);

  bytes = 16; // too short for the arguments
  CHECK_EQ(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra), hipErrorInvalidValue);
  CHECK_EQ(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, pointers, extra), hipErrorInvalidValue);
  CHECK_EQ(hipModuleLaunchKernel(function, 0, 1, 1, 1, 1, 1, 0, nullptr, pointers, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 0, 0, nullptr, pointers, nullptr), hipErrorInvalidValue);
  // A launch that failed must not leave half of its arguments behind.
  mixed<<<1, 1>>>(-3, 2.5, -300, small, 0.25f, large, 1LL << 40, true, pointer);
  checkMixed(out);
}

// Arguments are remembered by kernel and stream; only what changed is set again.
TEST(argumentsThatChange) {
  hipStream_t streams[2];
  DeviceArray<int> first(2), second(2);
  for (hipStream_t &stream : streams)
    HIP_CHECK(hipStreamCreate(&stream));
  for (int i = 0; i < 20; ++i) {
    DeviceArray<int> &out = i % 3 ? first : second;
    twoNumbers<<<1, 1, 0, streams[i % 2]>>>(out, i / 2, i / 5);
    const std::vector<int> result = out.host();
    CHECK_EQ(result[0], i / 2);
    CHECK_EQ(result[1], i / 5);
  }
  for (hipStream_t stream : streams)
    HIP_CHECK(hipStreamDestroy(stream));
}

TEST(shapesThatChange) {
  DeviceArray<unsigned> out(6);
  const dim3 shapes[][2] = {
      {dim3(1), dim3(1)}, {dim3(2, 3, 4), dim3(8, 2, 2)}, {dim3(1), dim3(1)}, {dim3(7), dim3(64)}};
  for (const auto &shape : shapes) {
    geometry<<<shape[0], shape[1]>>>(out);
    const std::vector<unsigned> result = out.host();
    CHECK(result[0] == shape[0].x && result[1] == shape[0].y && result[2] == shape[0].z);
    CHECK(result[3] == shape[1].x && result[4] == shape[1].y && result[5] == shape[1].z);
  }
}

TEST(warmLaunchesAllocateNothing) {
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  DeviceArray<int> out(2);
  HIP_CHECK(hipDeviceSynchronize());
  auto round = [&](int launches) {
    for (int i = 0; i < launches; ++i) {
      twoNumbers<<<1, 1, 0, stream>>>(out, i, -i);
      noArguments<<<2, 32, 0, stream>>>();
      if (i % 16 == 15)
        HIP_CHECK(hipStreamSynchronize(stream));
    }
  };
  round(256);
  allocations = 0;
  counting = true;
  round(256);
  counting = false;
  CHECK_EQ(allocations.load(), size_t{0});
  HIP_CHECK(hipStreamDestroy(stream));
}

TEST(launchesWithEvents) {
  DeviceArray<int> out(2);
  int *pointer = out;
  int first = 5, second = 6;
  void *arguments[] = {&pointer, &first, &second};
  hipEvent_t start, stop;
  HIP_CHECK(hipEventCreate(&start));
  HIP_CHECK(hipEventCreate(&stop));
  HIP_CHECK(hipExtLaunchKernel(reinterpret_cast<const void *>(twoNumbers), dim3(1), dim3(1), arguments, 0, nullptr,
                               start, stop, 0));
  HIP_CHECK(hipEventSynchronize(stop));
  float milliseconds = -1;
  HIP_CHECK(hipEventElapsedTime(&milliseconds, start, stop));
  CHECK(milliseconds >= 0);
  CHECK_EQ(out.host()[1], 6);
  HIP_CHECK(hipEventDestroy(start));
  HIP_CHECK(hipEventDestroy(stop));
}

__global__ void count(unsigned *sum) { ++*reinterpret_cast<volatile unsigned *>(sum); }

// Nobody calls HIP while they are executed.
TEST(launchesBeginByThemselves) {
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  if (!properties.canMapHostMemory)
    return;
  unsigned *sum;
  HIP_CHECK(hipHostMalloc(&sum, sizeof *sum));
  *sum = 0;
  hipStream_t stream, other;
  HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  HIP_CHECK(hipStreamCreateWithFlags(&other, hipStreamNonBlocking));
  hipEvent_t event;
  HIP_CHECK(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  unsigned expected = 0;
  const auto launch = [&](unsigned launches, hipStream_t where) {
    for (unsigned i = 0; i < launches; ++i)
      count<<<1, 1, 0, where>>>(sum);
    expected += launches;
  };
  const auto waitWithoutHip = [&] {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (*static_cast<volatile unsigned *>(sum) != expected && std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
    CHECK_EQ(*static_cast<volatile unsigned *>(sum), expected);
  };
  for (const unsigned launches : {1u, 1u, 2u, 300u, 3u, 3u}) {
    launch(launches, stream);
    waitWithoutHip();
    // Behind a command of another stream, that the host does not wait for either.
    launch(1, other);
    HIP_CHECK(hipEventRecord(event, other));
    HIP_CHECK(hipStreamWaitEvent(stream, event, 0));
    launch(launches, stream);
    waitWithoutHip();
    HIP_CHECK(hipStreamSynchronize(stream));
  }
  HIP_CHECK(hipEventDestroy(event));
  HIP_CHECK(hipStreamDestroy(other));
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipHostFree(sum));
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
