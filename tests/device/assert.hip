// SPDX-License-Identifier: MIT
// assert, abort and __trap in kernels: which error the next call returns (hip_6_assert has HIP 6's), that it stays until hipDeviceReset, what is
// printed, how far the thread and the others get.
#include "tests/device/check.h"

#include <cassert>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace {

// Results in the host's memory, which can be read when the device takes no more copies.
int *results(int count) {
  int *memory;
  HIP_CHECK(hipHostMalloc(&memory, count * sizeof(int)));
  std::memset(memory, 0, count * sizeof(int));
  return memory;
}

// The text that `function` writes to the error stream.
template <class Function> std::string errorOutput(Function function) {
  std::fflush(stderr);
  char path[] = "/tmp/hiplz-assert-XXXXXX";
  int file = mkstemp(path), saved = dup(2);
  dup2(file, 2);
  function();
  std::fflush(stderr);
  dup2(saved, 2);
  close(saved);
  std::string text(lseek(file, 0, SEEK_END), '\0');
  CHECK_EQ(pread(file, text.data(), text.size(), 0), (ssize_t)text.size());
  close(file);
  unlink(path);
  return text;
}

// The device is of no use until it is reset, which ends all that the process has on it.
void checkSticky(hipError_t expected) {
  void *memory;
  CHECK_EQ(hipMalloc(&memory, 16), expected);
  CHECK_EQ(hipStreamSynchronize(nullptr), expected);
  CHECK_EQ(hipDeviceSynchronize(), expected);
  CHECK_EQ(hipDeviceReset(), hipSuccess);
  (void)hipGetLastError();
  HIP_CHECK(hipDeviceSynchronize());
}

__global__ void holds(int *out, int n) {
  assert(n > 0 && "is positive");
  out[threadIdx.x] = 1;
}

__global__ void fails(int *out, int thread) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i != thread);
  out[i] = 1;
}
const int kLineOfFails = __LINE__ - 3;

TEST(assert) {
  int *out = results(64);
  holds<<<1, 32>>>(out, 5);
  HIP_CHECK(hipDeviceSynchronize());
  for (int i = 0; i < 32; ++i)
    CHECK_EQ(out[i], 1);
  std::memset(out, 0, 64 * sizeof(int));
  std::string text = errorOutput([&] {
    fails<<<2, 32>>>(out, 37);
    CHECK_EQ(hipGetLastError(), hipSuccess);
    CHECK_EQ(hipDeviceSynchronize(), hipErrorLaunchFailure);
  });
  CHECK_EQ(hipGetLastError(), hipErrorLaunchFailure);
  CHECK_EQ(out[37], 0);
  const std::string message = "assert.hip:" + std::to_string(kLineOfFails) + ": ";
  const std::string rest = "Device-side assertion `i != thread' failed. Block: [1,0,0], thread: [5,0,0]\n";
  CHECK(text.find(message) != std::string::npos && text.find("fails(int") != std::string::npos);
  CHECK(text.size() > rest.size() && text.compare(text.size() - rest.size(), rest.size(), rest) == 0);
  fails<<<1, 32>>>(out, 40);
  CHECK_EQ(hipGetLastError(), hipErrorLaunchFailure);
  checkSticky(hipErrorLaunchFailure);
  // It works again.
  out = results(64);
  fails<<<2, 32>>>(out, -1);
  HIP_CHECK(hipDeviceSynchronize());
  for (int i = 0; i < 64; ++i)
    CHECK_EQ(out[i], 1);
}

// Every failing thread says so, in whole lines.
__global__ void allFail() { assert(threadIdx.x == 1000); }

TEST(manyMessages) {
  const int kThreads = 200;
  std::string text = errorOutput([&] {
    allFail<<<1, kThreads>>>();
    CHECK_EQ(hipDeviceSynchronize(), hipErrorLaunchFailure);
  });
  int lines = 0;
  for (size_t at = 0; at < text.size(); ++lines) {
    size_t end = text.find('\n', at);
    CHECK(end != std::string::npos && text.compare(end - 3, 3, ",0]") == 0);
    CHECK(text.compare(at, 1, "/") == 0 || text.compare(at, 5, "tests") == 0 || text.compare(at, 6, "assert") == 0);
    at = end + 1;
  }
  CHECK(lines >= 1 && lines <= kThreads); // threads that begin when the grid has ended say nothing
  checkSticky(hipErrorLaunchFailure);
}

// In functions that are not inlined, and in recursion: nothing behind the call is executed.
__device__ __attribute__((noinline)) int checked(int value, int *trace) {
  if (value == 7)
    abort();
  trace[0] = value;
  return value + 1;
}
__device__ __attribute__((noinline)) int outer(int value, int *trace) {
  int result = checked(value, trace);
  trace[1] = value;
  return result * 2;
}
__global__ void nested(int *out) {
  int value = outer(threadIdx.x, out + 4 * threadIdx.x);
  out[4 * threadIdx.x + 2] = value;
}
__device__ __attribute__((noinline)) int descend(int depth, int bottom, int *trace) {
  if (depth == bottom)
    __trap();
  int below = depth > 0 ? descend(depth - 1, bottom, trace) : 0;
  trace[depth] = 1;
  return below + depth;
}
__global__ void recursive(int *out, int bottom) { out[20] = descend(10, bottom, out); }

TEST(nested) {
  int *out = results(64);
  nested<<<1, 8>>>(out);
  CHECK_EQ(hipDeviceSynchronize(), hipErrorLaunchFailure);
  CHECK(out[28] == 0 && out[29] == 0 && out[30] == 0);
  checkSticky(hipErrorLaunchFailure);

  out = results(64);
  recursive<<<1, 1>>>(out, 50);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(out[20], 55);
  std::memset(out, 0, 64 * sizeof(int));
  recursive<<<1, 1>>>(out, 4);
  CHECK_EQ(hipDeviceSynchronize(), hipErrorLaunchFailure);
  for (int i = 0; i <= 20; ++i)
    CHECK_EQ(out[i], 0);
  checkSticky(hipErrorLaunchFailure);
}

// The others do not wait for ever for a thread that has ended.
__global__ void atBarrier(int *out, int failing) {
  __shared__ int values[64];
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  assert(threadIdx.x != failing);
  __syncthreads();
  out[threadIdx.x] = values[63 - threadIdx.x];
}

TEST(barrier) {
  int *out = results(64);
  errorOutput([&] {
    atBarrier<<<1, 64>>>(out, 9);
    CHECK_EQ(hipStreamSynchronize(nullptr), hipErrorLaunchFailure);
  });
  CHECK_EQ(out[9], 0);
  CHECK_EQ(out[10], 53);
  checkSticky(hipErrorLaunchFailure);
}

// Blocks that have not begun do nothing.
__global__ void endless(unsigned *count) {
  atomicAdd(count, 1u);
  if (blockIdx.x == 0)
    abort();
}

TEST(endsGrid) {
  const unsigned kBlocks = 4000000;
  unsigned *count = reinterpret_cast<unsigned *>(results(1));
  endless<<<kBlocks, 1>>>(count);
  CHECK_EQ(hipDeviceSynchronize(), hipErrorLaunchFailure);
  CHECK(*count >= 1 && *count < kBlocks);
  checkSticky(hipErrorLaunchFailure);
}

// Each way of waiting tells.
__global__ void trap(int *out) {
  out[0] = 1;
  if (out[0])
    __builtin_trap();
  out[1] = 1;
}

TEST(waits) {
  for (int way = 0; way < 5; ++way) {
    int *out = results(2);
    hipStream_t stream;
    hipEvent_t event;
    int *device;
    HIP_CHECK(hipStreamCreate(&stream));
    HIP_CHECK(hipEventCreate(&event));
    HIP_CHECK(hipMalloc(&device, sizeof(int)));
    hipGraph_t graph;
    hipGraphExec_t executable;
    HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    trap<<<1, 1, 0, stream>>>(out);
    HIP_CHECK(hipStreamEndCapture(stream, &graph));
    HIP_CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
    if (way == 4)
      HIP_CHECK(hipGraphLaunch(executable, stream));
    else
      trap<<<1, 1, 0, stream>>>(out);
    hipError_t recorded = hipEventRecord(event, stream); // the kernel may have ended already
    CHECK(recorded == hipSuccess || recorded == hipErrorLaunchFailure);
    hipError_t error = hipErrorNotReady;
    int value;
    if (way == 0)
      error = recorded ? recorded : hipEventSynchronize(event);
    else if (way == 1)
      while ((error = hipStreamQuery(stream)) == hipErrorNotReady)
        ;
    else if (way == 2)
      while ((error = recorded ? recorded : hipEventQuery(event)) == hipErrorNotReady)
        ;
    else if (way == 3)
      error = hipMemcpy(&value, device, sizeof value, hipMemcpyDeviceToHost); // the null stream waits for the other
    else
      error = hipStreamSynchronize(stream);
    CHECK_EQ(error, hipErrorLaunchFailure);
    CHECK_EQ(out[0], 1);
    CHECK_EQ(out[1], 0);
    // Everything can be given back.
    HIP_CHECK(hipGraphExecDestroy(executable));
    HIP_CHECK(hipGraphDestroy(graph));
    HIP_CHECK(hipEventDestroy(event));
    HIP_CHECK(hipStreamDestroy(stream));
    HIP_CHECK(hipFree(device));
    HIP_CHECK(hipHostFree(out));
    checkSticky(hipErrorLaunchFailure);
  }
}

// The functions that compilers and other headers call.
__global__ void byName(int which) {
  if (which == 0)
    __assert_fail("text", "file", 3, "function");
  if (which == 1)
    __assertfail();
  if (which == 2)
    __cxa_pure_virtual();
  if (which == 3)
    __cxa_deleted_virtual();
  if (which == 4)
    std::abort();
}

TEST(names) {
  const char *printed[] = {"file:3: function: Device-side assertion `text' failed.", "", "a pure virtual function",
                           "a deleted virtual function", ""};
  for (int which = 0; which < 5; ++which) {
    std::string text = errorOutput([&] {
      byName<<<1, 1>>>(which);
      CHECK_EQ(hipDeviceSynchronize(), hipErrorLaunchFailure);
    });
    CHECK(text.compare(0, std::strlen(printed[which]), printed[which]) == 0);
    checkSticky(hipErrorLaunchFailure);
  }
}

#undef assert
#define NDEBUG
#include <cassert>
__global__ void withoutAsserts(int *out) {
  assert(out == nullptr);
  out[0] = 1;
}

TEST(switchedOff) {
  int *out = results(1);
  withoutAsserts<<<1, 1>>>(out);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(out[0], 1);
  HIP_CHECK(hipHostFree(out));
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
