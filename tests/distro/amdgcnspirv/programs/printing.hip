// SPDX-License-Identifier: MIT
// printf in kernels: strings, numbers, widths, parts of a condition; the lines come out as on the host.
#include "tests/device/check.h"

#include <string>
#include <unistd.h>

__global__ void print(const char *word, int n) {
  const int i = threadIdx.x;
  printf("thread %d of %s: %5.2f %lld %x %c|%-6s|\n", i, word, i * 0.25, (long long)i << 40, i * 255, 'a' + i, "end");
  if (i == 1)
    printf("%d", n);
  if (i == 1)
    printf(" and %s\n", i == n ? "never" : "once");
}

TEST(linesAreThoseOfTheHost) {
  char *word;
  HIP_CHECK(hipMallocManaged(&word, 16));
  std::strcpy(word, "kernel");
  char name[] = "/tmp/amd-printing-XXXXXX";
  const int file = mkstemp(name), before = dup(1);
  CHECK(file >= 0);
  std::fflush(stdout);
  dup2(file, 1);
  print<<<1, 2>>>(word, 42);
  const hipError_t error = hipDeviceSynchronize();
  std::fflush(stdout);
  dup2(before, 1);
  HIP_CHECK(error);
  std::string text(4096, 0);
  text.resize(size_t(pread(file, &text[0], text.size(), 0)));
  unlink(name);
  for (int i = 0; i < 2; ++i) {
    char line[256];
    std::snprintf(line, sizeof line, "thread %d of %s: %5.2f %lld %x %c|%-6s|\n", i, word, i * 0.25, (long long)i << 40,
                  i * 255, 'a' + i, "end");
    CHECK(text.find(line) != text.npos);
  }
  CHECK(text.find("42 and once\n") != text.npos);
  HIP_CHECK(hipFree(word));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
