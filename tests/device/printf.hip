// printf in kernels: what the host prints at synchronisation, against what C's printf prints.
#include "tests/device/check.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <unistd.h>

/// Everything that is written to standard output in its lifetime.
class Capture {
public:
  Capture() : file_(std::tmpfile()), saved_(::dup(1)) {
    std::fflush(stdout);
    ::dup2(::fileno(file_), 1);
  }
  std::string finish() {
    std::fflush(stdout);
    ::dup2(saved_, 1);
    ::close(saved_);
    std::fseek(file_, 0, SEEK_END);
    std::string text(static_cast<size_t>(std::ftell(file_)), '\0');
    std::rewind(file_);
    text.resize(std::fread(text.data(), 1, text.size(), file_));
    std::fclose(file_);
    return text;
  }

private:
  std::FILE *file_;
  int saved_;
};

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
                sizeof(double), static_cast<signed char>(-5), static_cast<short>(-300), 'o', 'k', real, real, real, real,
                real, real, 1.5f, "string", "right", "left", "cut off", pointer, 8, number, 2, real);
  return text;
}

static void testConversions() {
  Capture capture;
  const void *pointer = reinterpret_cast<const void *>(uintptr_t(0x12345678));
  conversions<<<1, 1>>>(-42, 3.14159265, pointer);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK(capture.finish() == expectedConversions(-42, 3.14159265, pointer));
}

__global__ void fromManyThreads() { printf("thread %d of block %d\n", threadIdx.x, blockIdx.x); }

static void testManyThreads() {
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

static void testReturnValue() {
  Capture capture;
  DeviceArray<int> out(2);
  results<<<1, 1>>>(out);
  HIP_CHECK(hipDeviceSynchronize());
  capture.finish();
  CHECK_EQ(out.host()[0], 0);
  CHECK_EQ(out.host()[1], 3);
}

__global__ void choose(bool first) { printf(first ? "first %d\n" : "second %d\n", 1); }
__device__ const char *const names[] = {"zero", "one", "two"};
__global__ void named(int index) { printf("%s %s\n", names[index], static_cast<const char *>(nullptr)); }

static void testStringsChosenAtRunTime() {
  Capture capture;
  choose<<<1, 1>>>(true);
  choose<<<1, 1>>>(false);
  named<<<1, 1>>>(2);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK(capture.finish() == "first 1\nsecond 1\ntwo (null)\n");
}

static void testInOrderAcrossSynchronisations() {
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

static void testManyRounds() {
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
    if (printf("%d %d\n", threadIdx.x, i) < 0)
      atomicAdd(failed, 1);
}

// More than the buffer holds: calls that find no room return -1, all others are printed whole, and the next launch prints
// again.
static void testOverflow() {
  Capture capture;
  DeviceArray<int> failed(1);
  flood<<<8, 128>>>(failed);
  HIP_CHECK(hipDeviceSynchronize());
  fromManyThreads<<<1, 1>>>();
  HIP_CHECK(hipDeviceSynchronize());
  const std::string text = capture.finish();
  const long lines = std::count(text.begin(), text.end(), '\n');
  CHECK_EQ(lines + failed.host()[0], 8 * 128 * 200 + 1);
  CHECK(failed.host()[0] > 0);
  CHECK(text.size() > 20 && text.substr(text.size() - 20) == "thread 0 of block 0\n");
}

int main() {
  testConversions();
  testManyThreads();
  testReturnValue();
  testStringsChosenAtRunTime();
  testInOrderAcrossSynchronisations();
  testManyRounds();
  testOverflow();
  return testResult();
}
