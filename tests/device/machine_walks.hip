// SPDX-License-Identifier: MIT
// Rows of memory in machine code: lanes that walk along rows of their own, which the CPU device executes one lane after the other, and rows of
// neighbouring lanes that begin where there is no memory, or that stand behind others.
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

TEST(structuresOfWordsAreLoadedAndStored) {
  constexpr int kCount = 700, kAll = 768;
  const hipModule_t module = kernels();
  for (const dim3 block : {dim3(256), dim3(32), dim3(50), dim3(16, 16), dim3(8, 8), dim3(20, 5)})
    for (const int words : {2, 4, 7, 8, 16})
      for (const int shift : {0, 1}) { // from what an access of whole lines would want
        Buffer<unsigned> in(kAll * words + 1), out(kAll * words + 1, 77);
        for (size_t k = 0; k < in.host.size(); ++k)
          in.host[k] = unsigned(k) * 2654435761u;
        in.send();
        const bool mayShift = words == 2 || words == 7; // the others are aligned
        const unsigned *from = in.device + shift * mayShift;
        unsigned *to = out.device + shift * mayShift;
        int count = kCount;
        void *pointers[] = {&from, &to, &count};
        const unsigned size = block.x * block.y;
        HIP_CHECK(hipModuleLaunchKernel(function(module, ("turnsWords" + std::to_string(words)).c_str()),
                                        (kCount + size - 1) / size, 1, 1, block.x, block.y, 1, 0, nullptr, pointers,
                                        nullptr));
        out.fetch();
        std::vector<unsigned> wanted(out.host.size(), 77);
        for (int i = 0; i < kCount; ++i)
          for (int k = 0; k < words; ++k)
            wanted[i * words + k + shift * mayShift] =
                in.host[i * words + words - 1 - k + shift * mayShift] + unsigned(i);
        CHECK(out.host == wanted);
      }
  HIP_CHECK(hipModuleUnload(module));
}

TEST(partsOfStructuresAreNotJoined) {
  constexpr int kCount = 300;
  const hipModule_t module = kernels();
  for (const unsigned block : {256u, 100u})
    for (const bool same : {false, true}) {
      Buffer<unsigned> in(4 * kCount), out(4 * kCount, 5), first(4 * kCount), second(4 * kCount, 9);
      for (int k = 0; k < 4 * kCount; ++k)
        in.host[k] = 31 * k, first.host[k] = 1000000 + 7 * k;
      in.send(), first.send();
      unsigned *other = same ? first.device : second.device;
      int count = kCount;
      void *pointers[] = {&in.device, &out.device, &first.device, &other, &count};
      HIP_CHECK(hipModuleLaunchKernel(function(module, "takesSomeWords"), (kCount + block - 1) / block, 1, 1, block, 1,
                                      1, 0, nullptr, pointers, nullptr));
      out.fetch();
      Buffer<unsigned> &stored = same ? first : second;
      std::vector<unsigned> wantedOut(4 * kCount, 5), wantedFirst = first.host;
      std::vector<unsigned> wantedSecond(4 * kCount, 9);
      for (int i = 0; i < kCount; ++i) {
        for (const int k : {0, 1, 2})
          wantedOut[4 * i + k] = in.host[4 * i + (k + 1) % 3];
        unsigned *from = &wantedFirst[4 * i], *to = same ? from : &wantedSecond[4 * i];
        const unsigned a = from[0], b = from[1];
        to[2] = a + 1, to[3] = b + 2;
        const unsigned c = from[2], d = from[3];
        to[0] = c + 3;
        to[1] = d + from[0];
      }
      stored.fetch();
      CHECK(out.host == wantedOut);
      CHECK(stored.host == (same ? wantedFirst : wantedSecond));
    }
  HIP_CHECK(hipModuleUnload(module));
}

// Where lanes are left out at the surface, and where work-groups may go side by side.
TEST(stencilsOfBoxes) {
  const hipModule_t module = kernels();
  for (const dim3 block :
       {dim3(64, 4), dim3(32, 2, 2), dim3(16, 4, 2), dim3(8, 8, 4), dim3(128), dim3(50), dim3(10, 3, 2)})
    for (const int nx : {64, 130, 1100}) {
      int x = nx, y = 10, z = 6;
      const size_t all = size_t(x) * y * z;
      Buffer<int> in(all), factor(z), out(all, -1);
      for (size_t i = 0; i < all; ++i)
        in.host[i] = int(unsigned(i) * 2654435761u >> 8);
      for (int k = 0; k < z; ++k)
        factor.host[k] = 3 * k + 1;
      in.send(), factor.send();
      void *pointers[] = {&in.device, &factor.device, &out.device, &x, &y, &z};
      HIP_CHECK(hipModuleLaunchKernel(function(module, "stencilOfBox"), (x + block.x - 1) / block.x,
                                      (y + block.y - 1) / block.y, (z + block.z - 1) / block.z, block.x, block.y,
                                      block.z, 0, nullptr, pointers, nullptr));
      out.fetch();
      std::vector<int> wanted(all, -1);
      const int row = x, plane = x * y;
      for (int c = 1; c < z - 1; ++c)
        for (int b = 1; b < y - 1; ++b)
          for (int a = 1; a < x - 1; ++a) {
            const int *at = &in.host[a + row * b + plane * c];
            wanted[a + row * b + plane * c] = int(unsigned(factor.host[c]) * unsigned(at[0]) + unsigned(at[-1]) -
                                                  unsigned(at[1]) + 2u * unsigned(at[-row]) - 3u * unsigned(at[row]) +
                                                  5u * unsigned(at[-plane]) - 7u * unsigned(at[plane]));
          }
      CHECK(out.host == wanted);
    }
  HIP_CHECK(hipModuleUnload(module));
}

TEST(placesThatAreCutToARange) {
  constexpr int kCount = 600;
  const hipModule_t module = kernels();
  Buffer<int> in(kCount);
  for (int k = 0; k < kCount; ++k)
    in.host[k] = 100000 + 7 * k;
  in.send();
  for (const dim3 block : {dim3(64), dim3(50), dim3(16, 4), dim3(8, 8)})
    for (int shift : {0, 1, -3, 40, -40, 0x7ffffff0}) {
      Buffer<int> out(2 * kCount, -1);
      int low = 5, high = kCount - 70, count = kCount;
      void *pointers[] = {&in.device, &out.device, &shift, &low, &high, &count};
      const unsigned size = block.x * block.y;
      HIP_CHECK(hipModuleLaunchKernel(function(module, "readsInRange"), (kCount + size - 1) / size, 1, 1, block.x,
                                      block.y, 1, 0, nullptr, pointers, nullptr));
      out.fetch();
      for (int i = 0; i < kCount; ++i) {
        const int at = int(unsigned(i) + unsigned(shift));
        CHECK_EQ(out.host[2 * i], in.host[std::clamp(at, low, high)]);
        CHECK_EQ(out.host[2 * i + 1], in.host[std::clamp(unsigned(at), unsigned(low), unsigned(high))]);
      }
    }
  HIP_CHECK(hipModuleUnload(module));
}

TEST(localMemoryAroundItsEnds) {
  const hipModule_t module = kernels();
  for (const dim3 block : {dim3(64), dim3(32, 2), dim3(16, 4), dim3(8, 8), dim3(10, 3)})
    for (int begin : {0, 5, -3, -20, -5000, 8192 - 720, 16384 - 720, 16384 - 30, 16384, 1 << 29}) {
      int step = 40;
      Buffer<unsigned> out(5 * block.x * block.y, 99);
      void *pointers[] = {&out.device, &begin, &step};
      HIP_CHECK(hipModuleLaunchKernel(function(module, "wordsAroundPlaces"), 1, 1, 1, block.x, block.y, 1, 0, nullptr,
                                      pointers, nullptr));
      out.fetch();
      auto check = [](unsigned found, int at) { // behind the kernel's words may be anything
        if (at < 8192 || at >= 16384)
          CHECK_EQ(found, at >= 0 && at < 8192 ? unsigned(at) + 1 : 0);
      };
      for (unsigned t = 0; t < block.x * block.y; ++t) {
        const int row = begin + int(t / block.x) * step, at = row + int(t % block.x);
        check(out.host[5 * t], at);
        check(out.host[5 * t + 1], at + 7);
        check(out.host[5 * t + 2], at + 700);
        check(out.host[5 * t + 3], at + 701);
        check(out.host[5 * t + 4], row + 3);
      }
    }
  HIP_CHECK(hipModuleUnload(module));
}

TEST(someLanesBehindManyLoads) {
  const hipModule_t module = kernels();
  Buffer<float> in(64 * 12), more(64), out(64);
  for (int i = 0; i < 64 * 12; ++i)
    in.host[i] = static_cast<float>(i % 7);
  for (int i = 0; i < 64; ++i)
    more.host[i] = static_cast<float>(1000 + i);
  in.send();
  more.send();
  void *arguments[] = {&in.device, &more.device, &out.device};
  HIP_CHECK(hipModuleLaunchKernel(function(module, "someLanesBehindManyLoads"), 1, 1, 1, 64, 1, 1, 0, nullptr,
                                  arguments, nullptr));
  out.fetch();
  for (int i = 0; i < 64; ++i) {
    float expected = in.host[i] > 1 ? more.host[i] : 0;
    for (int word = 0; word < 12; ++word)
      expected += in.host[i + 64 * word];
    CHECK_EQ(out.host[i], expected);
  }
  HIP_CHECK(hipModuleUnload(module));
}

TEST(allLocalMemory) {
  const hipModule_t module = kernels();
  Buffer<uint32_t> out(16384);
  void *arguments[] = {&out.device};
  HIP_CHECK(
      hipModuleLaunchKernel(function(module, "allLocalMemory"), 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  out.fetch();
  for (uint32_t i = 0; i < 16384; ++i)
    CHECK_EQ(out.host[i], 16383 - i);
  HIP_CHECK(hipModuleUnload(module));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
