// SPDX-License-Identifier: MIT
// Variables whose initial values are more different numbers than Intel's compiler takes constants in a module (65,535): from
// kernels and from the host, whatever the type of their elements.
#include "check.h"

#include <cstring>

namespace {

struct Entry {
  char tag;
  double number;
  short three[3];
};

constexpr unsigned kNumbers = 70000, kEntries = 3000;

constexpr unsigned number(unsigned i) { return i * 2654435761u; }
constexpr Entry entry(unsigned i) {
  return {static_cast<char>(i), i * 0.25, {static_cast<short>(i), static_cast<short>(-i), 3}};
}

struct Numbers {
  unsigned values[kNumbers] = {};
  constexpr Numbers() {
    for (unsigned i = 0; i < kNumbers; ++i)
      values[i] = number(i);
  }
};
struct Entries {
  Entry values[kEntries] = {};
  constexpr Entries() {
    for (unsigned i = 0; i < kEntries; ++i)
      values[i] = entry(i);
  }
};

__device__ Numbers numbers = {};
__constant__ Entries entries = {};

__global__ void read(unsigned *outNumbers, Entry *outEntries) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kNumbers)
    outNumbers[i] = numbers.values[i];
  if (i < kEntries)
    outEntries[i] = entries.values[i];
}
__global__ void readFixed(unsigned *out) {
  out[0] = numbers.values[12345];
  out[1] = static_cast<unsigned>(entries.values[77].number * 4);
}

bool same(const Entry &a, const Entry &b) {
  return a.tag == b.tag && a.number == b.number && std::memcmp(a.three, b.three, sizeof a.three) == 0;
}

} // namespace

TEST(kernelsReadTheirTables) {
  DeviceArray<unsigned> outNumbers(kNumbers);
  DeviceArray<Entry> outEntries(kEntries);
  read<<<(kNumbers + 255) / 256, 256>>>(outNumbers, outEntries);
  const std::vector<unsigned> foundNumbers = outNumbers.host();
  const std::vector<Entry> foundEntries = outEntries.host();
  for (unsigned i = 0; i < kNumbers; ++i)
    CHECK_EQ(foundNumbers[i], number(i));
  for (unsigned i = 0; i < kEntries; ++i)
    CHECK(same(foundEntries[i], entry(i)));
}

TEST(elementsThatTheCompilerKnows) {
  DeviceArray<unsigned> out(2);
  readFixed<<<1, 1>>>(out);
  CHECK_EQ(out.host()[0], number(12345));
  CHECK_EQ(out.host()[1], 77u);
}

TEST(theHostReadsAndWritesThem) {
  size_t bytes = 0;
  HIP_CHECK(hipGetSymbolSize(&bytes, HIP_SYMBOL(entries)));
  CHECK_EQ(bytes, sizeof(Entries));
  Entry one;
  HIP_CHECK(hipMemcpyFromSymbol(&one, HIP_SYMBOL(entries), sizeof one, 2999 * sizeof one));
  CHECK(same(one, entry(2999)));
  const unsigned before = number(69999), after = 5;
  unsigned found = 0;
  HIP_CHECK(hipMemcpyFromSymbol(&found, HIP_SYMBOL(numbers), sizeof found, 69999 * sizeof found));
  CHECK_EQ(found, before);
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(numbers), &after, sizeof after, 69999 * sizeof after));
  DeviceArray<unsigned> outNumbers(kNumbers);
  DeviceArray<Entry> outEntries(kEntries);
  read<<<(kNumbers + 255) / 256, 256>>>(outNumbers, outEntries);
  CHECK_EQ(outNumbers.host()[69999], after);
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(numbers), &before, sizeof before, 69999 * sizeof before));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
