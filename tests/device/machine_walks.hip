// SPDX-License-Identifier: MIT
// Machine code whose lanes walk along rows of their own, which the CPU device executes one lane after the other.
#include "check.h"
#include "code_objects.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <string>

/// Rows of words, and what walksRows makes of them: six numbers for each row.
struct Rows {
  std::vector<int> ends, column, x;
  const int *value;
  int length;

  void check(const std::vector<int> &out, int rows, int block) const {
    for (int row = 0; row < rows; ++row) {
      const int *own = &out[6 * row], begin = ends[row], end = ends[row + 1];
      int sum = 0, last = -row, above = 0, most = value[row * length], found = begin;
      for (int k = begin; k < end; ++k)
        sum += value[k] * x[column[k]], last = value[k], above |= value[k] > 900;
      for (int k = 1; k < length; ++k)
        most = std::max(most, value[row * length + k]);
      while (found < end && value[found] != row)
        ++found;
      unsigned mixed = row;
      for (int k = 0; k < end - begin; ++k) {
        int first = row / block * block + row % block / 32 * 32; // the lowest lane that is there
        while (ends[first + 1] - ends[first] <= k)
          ++first;
        mixed = mixed * 3 + value[ends[first] + k];
      }
      const int expected[] = {sum, last, above, most, found, int(mixed)};
      for (int n = 0; n < 6; ++n)
        CHECK_EQ(own[n], expected[n]);
    }
    CHECK_EQ(out[6 * rows], -7); // the row that is left out
  }
};

TEST(lanesWalkAlongRows) {
  constexpr int kRows = 200, kWords = 4096, kLength = 20;
  constexpr size_t kPage = 4096, kBytes = kWords * sizeof(int);
  const std::string bytes = codeObject("kernels.co");
  hipModule_t module = nullptr;
  HIP_CHECK(hipModuleLoadData(&module, bytes.data()));
  const hipFunction_t walksRows = function(module, "walksRows");
  // Words in the middle of which the lower half of the address begins again at 0.
  char *memory = nullptr;
  for (uintptr_t high = 0x2000; !memory && high < 0x3000; ++high) {
    void *wanted = (void *)((high << 32) - kPage);
    void *got = mmap(wanted, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (got == wanted)
      memory = (char *)got;
    else if (got != MAP_FAILED)
      munmap(got, kBytes);
  }
  CHECK(memory != nullptr);
  HIP_CHECK(hipHostRegister(memory, kBytes, hipHostRegisterDefault));
  int *value = (int *)memory;
  for (int k = 0; k < kWords; ++k)
    value[k] = k * 7919 % 1009;
  // Rows of many lengths, of none, of one word (neighbours), all the same one, one lane in each wave, and one long row among short ones.
  for (int kind = 0; kind < 6; ++kind) {
    Rows r{.ends = std::vector<int>(kRows + 2),
           .column = std::vector<int>(kWords),
           .x = std::vector<int>(kWords),
           .value = value,
           .length = kLength};
    for (int row = 0; row <= kRows; ++row) {
      const int lengths[] = {row * 37 % 40, 0, 1, 0, row % 32 == 5 ? 30 : 0, row == 40 ? 900 : 3};
      r.ends[row + 1] = r.ends[row] + lengths[kind];
    }
    if (kind == 3)
      for (int row = 0; row < kRows + 2; ++row)
        r.ends[row] = row % 2 ? 33 : 3; // every second row is the same, the others end before they begin
    for (int k = 0; k < kWords; ++k)
      r.column[k] = k * 31 % kWords, r.x[k] = 3 * k - 5000;
    Buffer<int> ends(r.ends.size()), column(kWords), x(kWords);
    ends.host = r.ends, column.host = r.column, x.host = r.x;
    ends.send(), column.send(), x.send();
    for (const unsigned block : {32u, 50u, 256u}) {
      Buffer<int> out(6 * (kRows + 1), -7);
      int rows = kRows, length = kLength;
      const void *words = value;
      void *pointers[] = {&ends.device, &column.device, &words, &x.device, &out.device, &rows, &length};
      HIP_CHECK(
          hipModuleLaunchKernel(walksRows, (kRows + block) / block, 1, 1, block, 1, 1, 0, nullptr, pointers, nullptr));
      out.fetch();
      r.check(out.host, kRows, block);
    }
  }
  HIP_CHECK(hipHostUnregister(memory));
  munmap(memory, kBytes);
  HIP_CHECK(hipModuleUnload(module));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
