// SPDX-License-Identifier: MIT
// printf in kernels: what the host prints at synchronisation, against what C's printf prints.
#include "tests/device/check.h"

#include "tests/device/captured_output.h"

#include <algorithm>
#include <sstream>
#include <string>

__global__ void conversions(int number, double real, const void *pointer) {
  printf("%d|%5d|%-5d|%05d|%+d\n", number, number, number, number, number);
  printf("%u %o %x %#X\n", 4000000000u, 8u, 255u, 255u);
  printf("%ld %lld %lu %zu\n", -1l, -(1ll << 40), ~0ul, sizeof(double));
  printf("%hhd %hd %c%c\n", static_cast<signed char>(-5), static_cast<short>(-300), 'o', 'k');
  printf("%f %.3f %e %g %10.2f|%a\n", real, real, real, real, real, real);
  printf("%f\n", 1.5f);
  printf("%s|%10s|%-10s|%.2s\n", "string", "right", "left", "cut off");
  printf("%p\n", pointer);
  printf("%*d %.*f\n", 8, number, 2, real);
  printf("100%%\n");
  printf("no newline,");
  printf(" and on\n");
}

static std::string expectedConversions(int number, double real, const void *pointer) {
  char text[4096];
  std::snprintf(text, sizeof text,
                "%d|%5d|%-5d|%05d|%+d\n"
                "%u %o %x %#X\n"
                "%ld %lld %lu %zu\n"
                "%hhd %hd %c%c\n"
                "%f %.3f %e %g %10.2f|%a\n"
                "%f\n"
                "%s|%10s|%-10s|%.2s\n"
                "%p\n"
                "%*d %.*f\n"
                "100%%\n"
                "no newline, and on\n",
                number, number, number, number, number, 4000000000u, 8u, 255u, 255u, -1l, -(1ll << 40), ~0ul,
                sizeof(double), static_cast<signed char>(-5), static_cast<short>(-300), 'o', 'k', real, real, real,
                real, real, real, 1.5f, "string", "right", "left", "cut off", pointer, 8, number, 2, real);
  return text;
}

TEST(conversions) {
  Capture capture;
  const void *pointer = reinterpret_cast<const void *>(uintptr_t(0x12345678));
  conversions<<<1, 1>>>(-42, 3.14159265, pointer);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK(capture.finish() == expectedConversions(-42, 3.14159265, pointer));
}

__global__ void fromManyThreads() { printf("thread %d of block %d\n", threadIdx.x, blockIdx.x); }

TEST(manyThreads) {
  Capture capture;
  fromManyThreads<<<10, 100>>>();
  HIP_CHECK(hipStreamSynchronize(nullptr));
  std::istringstream lines(capture.finish());
  std::vector<std::string> seen, expected;
  for (std::string line; std::getline(lines, line);)
    seen.push_back(line);
  for (int block = 0; block < 10; ++block)
    for (int thread = 0; thread < 100; ++thread)
      expected.push_back("thread " + std::to_string(thread) + " of block " + std::to_string(block));
  std::sort(seen.begin(), seen.end());
  std::sort(expected.begin(), expected.end());
  CHECK(seen == expected);
}

__global__ void results(int *out) {
  out[0] = printf("nothing\n");
  out[1] = printf("%d %d %s\n", 1, 2, "three");
}

TEST(returnValue) {
  Capture capture;
  DeviceArray<int> out(2);
  results<<<1, 1>>>(out);
  HIP_CHECK(hipDeviceSynchronize());
  capture.finish();
  CHECK_EQ(out.host()[0], 8);
  CHECK_EQ(out.host()[1], 10);
}

// printf with -mprintf-kind=buffered, and the other one in the same kernel.
extern "C" __device__ int __hiplz_print_buffered(const char *format, ...);
__global__ void bothKinds(int *out) {
  out[0] = __hiplz_print_buffered("%s %d\n", "buffered", 1);
  out[1] = printf("%d\n", 2);
}

TEST(bufferedReturnsZero) {
  Capture capture;
  DeviceArray<int> out(2);
  bothKinds<<<1, 1>>>(out);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK(capture.finish() == "buffered 1\n2\n");
  CHECK_EQ(out.host()[0], 0);
  CHECK_EQ(out.host()[1], 2);
}

__global__ void sumOfResults(unsigned *sum) {
  for (int i = 0; i < 10; ++i)
    atomicAdd(sum, printf("%*d\n", static_cast<int>(threadIdx.x), i));
}

// Many wait for their results at once, others print without waiting.
TEST(manyResults) {
  Capture capture;
  DeviceArray<unsigned> sum(1);
  sumOfResults<<<4, 64>>>(sum);
  fromManyThreads<<<10, 100>>>();
  HIP_CHECK(hipDeviceSynchronize());
  const std::string text = capture.finish();
  unsigned expected = 0;
  for (unsigned thread = 0; thread < 64; ++thread)
    expected += 4 * 10 * (std::max(thread, 1u) + 1);
  CHECK_EQ(sum.host()[0], expected);
  CHECK_EQ(std::count(text.begin(), text.end(), '\n'), 4 * 64 * 10 + 1000);
}

__global__ void choose(bool first) { printf(first ? "first %d\n" : "second %d\n", 1); }
__device__ const char *const names[] = {"zero", "one", "two"};
__global__ void named(int index) { printf("%s %s\n", names[index], static_cast<const char *>(nullptr)); }

TEST(stringsChosenAtRunTime) {
  Capture capture;
  choose<<<1, 1>>>(true);
  choose<<<1, 1>>>(false);
  named<<<1, 1>>>(2);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK(capture.finish() == "first 1\nsecond 1\ntwo \n");
}

TEST(inOrderAcrossSynchronisations) {
  Capture capture;
  std::string expected;
  for (int i = 0; i < 20; ++i) {
    conversions<<<1, 1>>>(i, i * 0.5, nullptr);
    HIP_CHECK(hipDeviceSynchronize());
    expected += expectedConversions(i, i * 0.5, nullptr);
  }
  CHECK(capture.finish() == expected);
}

// A record that is printed wraps round the buffer's end many times; none may be lost or mixed.
__global__ void longLines(int round, const char *) {
  printf("round %d: %s\n", round, "a line of some length that makes the records of the buffer unequal in size");
  printf("%d\n", round);
}

TEST(manyRounds) {
  Capture capture;
  std::string expected;
  const std::string line = "a line of some length that makes the records of the buffer unequal in size";
  const int rounds = 300;
  for (int round = 0; round < rounds; ++round) {
    longLines<<<1, 1>>>(round, nullptr);
    if (round % 7 == 0)
      HIP_CHECK(hipDeviceSynchronize());
    expected += "round " + std::to_string(round) + ": " + line + "\n" + std::to_string(round) + "\n";
  }
  HIP_CHECK(hipDeviceSynchronize());
  CHECK(capture.finish() == expected);
}

__global__ void flood(int *failed) {
  for (int i = 0; i < 200; ++i)
    printf("%d %d\n", threadIdx.x, i);
  if (printf("") < 0)
    atomicAdd(failed, 1);
}

// Much more than the buffer holds: nothing is lost, in launches and in graphs.
TEST(moreThanTheBuffer) {
  Capture capture;
  DeviceArray<int> failed(1);
  int *const to = failed;
  flood<<<8, 128>>>(to);
  HIP_CHECK(hipDeviceSynchronize());
  hipStream_t stream;
  hipGraph_t graph;
  hipGraphExec_t exec;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  flood<<<8, 128, 0, stream>>>(to);
  HIP_CHECK(hipStreamEndCapture(stream, &graph));
  HIP_CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  HIP_CHECK(hipGraphLaunch(exec, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  HIP_CHECK(hipGraphExecDestroy(exec));
  HIP_CHECK(hipGraphDestroy(graph));
  HIP_CHECK(hipStreamDestroy(stream));
  fromManyThreads<<<1, 1>>>();
  HIP_CHECK(hipDeviceSynchronize());
  const std::string text = capture.finish();
  CHECK_EQ(std::count(text.begin(), text.end(), '\n'), 2 * 8 * 128 * 200 + 1);
  CHECK_EQ(failed.host()[0], 0);
  CHECK(text.size() > 20 && text.substr(text.size() - 20) == "thread 0 of block 0\n");
}

__global__ void printText(const char *text, int *result) { *result = printf("%s\n", text); }

// A call that the buffer cannot hold fails, and the next one does not.
TEST(longerThanTheBuffer) {
  Capture capture;
  std::vector<char> text(200'000, 'x');
  text.push_back(0);
  DeviceArray<char> onDevice(text);
  DeviceArray<int> result(2);
  printText<<<1, 1>>>(onDevice, result);
  printText<<<1, 1>>>(onDevice + (200'000 - 5), result + 1);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK(capture.finish() == "xxxxx\n");
  CHECK_EQ(result.host()[0], -1);
  CHECK_EQ(result.host()[1], 6);
}

// Before the first kernel that prints the buffer can have any size.
static void limitBeforeUse() {
  size_t bytes = 0;
  for (size_t wanted : {size_t{64} << 20, size_t{100'000}}) {
    HIP_CHECK(hipDeviceSetLimit(hipLimitPrintfFifoSize, wanted));
    HIP_CHECK(hipDeviceGetLimit(&bytes, hipLimitPrintfFifoSize));
    CHECK_EQ(bytes, wanted);
  }
}

TEST(limitAfterUse) {
  {
    Capture capture;
    DeviceArray<char> text(std::vector<char>{'x', 0});
    DeviceArray<int> result(1);
    printText<<<1, 1>>>(text, result);
    HIP_CHECK(hipDeviceSynchronize());
    CHECK(capture.finish() == "x\n");
  }
  size_t bytes = 0;
  CHECK_EQ(hipDeviceSetLimit(hipLimitPrintfFifoSize, 1 << 20), hipErrorInvalidValue);
  HIP_CHECK(hipDeviceSetLimit(hipLimitPrintfFifoSize, 100'000));
  HIP_CHECK(hipDeviceGetLimit(&bytes, hipLimitPrintfFifoSize));
  CHECK_EQ(bytes, 100'000u);
}

int main(int argc, char **argv) {
  limitBeforeUse();
  return runTests(argc, argv);
}
