// SPDX-License-Identifier: MIT
// Rows of memory in machine code: lanes that walk along rows of their own, which the CPU device executes one lane after the other, and rows of
// neighbouring lanes that begin where there is no memory.
#include "check.h"
#include "code_objects.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <string>

static hipModule_t kernels() {
  static const std::string bytes = codeObject("kernels.co");
  hipModule_t module = nullptr;
  HIP_CHECK(hipModuleLoadData(&module, bytes.data()));
  return module;
}

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
  const hipModule_t module = kernels();
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

template <class T> static T &element(std::vector<unsigned long long> &words, int at) {
  return reinterpret_cast<T *>(words.data())[at];
}

TEST(rowsThatBeginBeforeLocalMemory) {
  const hipModule_t module = kernels();
  for (int below : {1, 5, 20, 31})
    for (unsigned lanes : {0xffffffffu, 0xaaaaaaaau, 0x80000000u, 0xc0000000u, 0x80100020u}) {
      Buffer<int> which(32);
      Buffer<unsigned long long> out(128 + 4 * 64);
      for (int t = below; t < 32; ++t)
        which.host[t] = lanes >> t & 1;
      which.send();
      void *pointers[] = {&which.device, &out.device, &below};
      HIP_CHECK(hipModuleLaunchKernel(function(module, "rowsBeforeLocalMemory"), 1, 1, 1, 32, 1, 1, 0, nullptr,
                                      pointers, nullptr));
      out.fetch();
      std::vector<unsigned long long> words(64);
      for (int i = 0; i < 64; ++i)
        words[i] = 0x0123456789abcdefull * (i + 1);
      for (int t = 0; t < 32; ++t) {
        const int at = t - below;
        const int takesPart = which.host[t];
        CHECK_EQ(out.host[4 * t], takesPart ? element<uint64_t>(words, at) : 7);
        CHECK_EQ(out.host[4 * t + 1], takesPart ? element<uint32_t>(words, at) : 7);
        CHECK_EQ(out.host[4 * t + 2], takesPart ? element<uint16_t>(words, at) : 7);
        CHECK_EQ(out.host[4 * t + 3], takesPart ? element<uint8_t>(words, at) : 7);
      }
      for (int size = 0; size < 4; ++size) {
        for (int t = 0; t < 32; ++t)
          if (which.host[t]) {
            const int at = t - below;
            if (size == 0)
              element<uint64_t>(words, at) = 0xfedcba9876543210ull + t;
            else if (size == 1)
              element<uint32_t>(words, at) = 0xa5b6c7d8 + t;
            else if (size == 2)
              element<uint16_t>(words, at) = 0x1234 + t;
            else
              element<uint8_t>(words, at) = 0x56 + t;
          }
        for (int i = 0; i < 64; ++i)
          CHECK_EQ(out.host[128 + 64 * size + i], words[i]);
      }
    }
  HIP_CHECK(hipModuleUnload(module));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
