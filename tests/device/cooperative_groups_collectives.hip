// SPDX-License-Identifier: MIT
// Reductions, scans and copies of cooperative groups.
#include "check.h"

#include <hip/cooperative_groups/memcpy_async.h>
#include <hip/cooperative_groups/reduce.h>
#include <hip/cooperative_groups/scan.h>

#include <algorithm>
#include <functional>

namespace cg = cooperative_groups;

namespace {

// Composition of functions x -> a * x + b, which is associative but not commutative.
struct Line {
  int a, b;
};
struct Compose {
  __host__ __device__ Line operator()(const Line &f, const Line &g) const { return {f.a * g.a, f.b * g.a + g.b}; }
};
__host__ __device__ Line lineOf(unsigned i) { return {int(i % 3) - 1, int(i % 7)}; }
__host__ __device__ int valueOf(unsigned i) { return int(i * 2654435761u >> 20) - 2000; }

struct Result {
  int sum, least, greatest, bits, ones, parity, inclusive, exclusive, least2;
  double doubleSum;
  long long product;
  Line line, lineBefore, lineUpTo;
};

template <class Group> __device__ Result collect(const Group &group, unsigned i) {
  const int value = valueOf(i);
  Result r;
  r.sum = cg::reduce(group, value, cg::plus<int>());
  r.least = cg::reduce(group, value, cg::less<int>());
  r.greatest = cg::reduce(group, value, cg::greater<int>());
  r.bits = cg::reduce(group, value, cg::bit_and<int>());
  r.ones = cg::reduce(group, value, cg::bit_or<int>());
  r.parity = cg::reduce(group, value, cg::bit_xor<int>());
  r.doubleSum = cg::reduce(group, value * 0.25, cg::plus<double>());
  r.product = cg::reduce(group, static_cast<long long>(value | 1), [](long long x, long long y) { return x * y; });
  r.line = cg::reduce(group, lineOf(i), Compose());
  r.inclusive = cg::inclusive_scan(group, value);
  r.exclusive = cg::exclusive_scan(group, value);
  r.least2 = cg::inclusive_scan(group, value, cg::less<int>());
  r.lineUpTo = cg::inclusive_scan(group, lineOf(i), Compose());
  r.lineBefore = cg::exclusive_scan(group, lineOf(i), Compose());
  return r;
}

template <unsigned size> __global__ void ofTiles(Result *out) {
  out[threadIdx.x] = collect(cg::tiled_partition<size>(cg::this_thread_block()), threadIdx.x);
}
__global__ void ofBranches(Result *out) {
  if (threadIdx.x % 3 == 1)
    out[threadIdx.x] = collect(cg::coalesced_threads(), threadIdx.x);
  else
    out[threadIdx.x] = collect(cg::coalesced_threads(), threadIdx.x);
}

template <class T, class Operator> T fold(const std::vector<T> &values, size_t count, Operator op) {
  T result = values[0];
  for (size_t i = 1; i < count; ++i)
    result = op(result, values[i]);
  return result;
}

void checkResult(const Result &r, const std::vector<unsigned> &members, unsigned rank) {
  std::vector<int> values;
  std::vector<long long> odd;
  std::vector<Line> lines;
  for (unsigned member : members) {
    values.push_back(valueOf(member));
    odd.push_back(valueOf(member) | 1);
    lines.push_back(lineOf(member));
  }
  const size_t all = values.size();
  const auto least = [](int x, int y) { return std::min(x, y); };
  CHECK_EQ(r.sum, fold(values, all, std::plus<>()));
  CHECK_EQ(r.least, fold(values, all, least));
  CHECK_EQ(r.greatest, fold(values, all, [](int x, int y) { return std::max(x, y); }));
  CHECK_EQ(r.bits, fold(values, all, std::bit_and<>()));
  CHECK_EQ(r.ones, fold(values, all, std::bit_or<>()));
  CHECK_EQ(r.parity, fold(values, all, std::bit_xor<>()));
  CHECK_EQ(r.doubleSum, fold(values, all, std::plus<>()) * 0.25);
  // Products wrap.
  CHECK_EQ(r.product, fold(odd, all, [](long long x, long long y) {
             return static_cast<long long>(static_cast<unsigned long long>(x) * static_cast<unsigned long long>(y));
           }));
  const Line line = fold(lines, all, Compose()), upTo = fold(lines, rank + 1, Compose());
  CHECK(r.line.a == line.a && r.line.b == line.b);
  CHECK_EQ(r.inclusive, fold(values, rank + 1, std::plus<>()));
  CHECK_EQ(r.exclusive, rank == 0 ? 0 : fold(values, rank, std::plus<>()));
  CHECK_EQ(r.least2, fold(values, rank + 1, least));
  CHECK(r.lineUpTo.a == upTo.a && r.lineUpTo.b == upTo.b);
  const Line before = rank == 0 ? Line() : fold(lines, rank, Compose());
  CHECK(r.lineBefore.a == before.a && r.lineBefore.b == before.b);
}

template <unsigned size> void tiles(unsigned threads) {
  DeviceArray<Result> out(threads);
  ofTiles<size><<<1, threads>>>(out);
  HIP_CHECK(hipGetLastError());
  std::vector<Result> results = out.host();
  for (unsigned i = 0; i < threads; ++i) {
    std::vector<unsigned> members;
    for (unsigned member = i / size * size; member < std::min(threads, i / size * size + size); ++member)
      members.push_back(member);
    checkResult(results[i], members, i % size);
  }
}

void branches(unsigned threads) {
  DeviceArray<Result> out(threads);
  ofBranches<<<1, threads>>>(out);
  HIP_CHECK(hipGetLastError());
  std::vector<Result> results = out.host();
  for (unsigned i = 0; i < threads; ++i) {
    std::vector<unsigned> members;
    unsigned rank = 0;
    for (unsigned member = i / 32 * 32; member < std::min(threads, i / 32 * 32 + 32); ++member)
      if ((member % 3 == 1) == (i % 3 == 1)) {
        rank = member == i ? static_cast<unsigned>(members.size()) : rank;
        members.push_back(member);
      }
    checkResult(results[i], members, rank);
  }
}

// Copies into shared memory by the block and by tiles, which write it back reversed.
__global__ void copies(const char *from, char *to, unsigned bytes, unsigned shift) {
  __shared__ __attribute__((aligned(16))) char buffer[4096];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, buffer + shift, from + shift, bytes);
  cg::wait(block);
  for (unsigned i = block.thread_rank(); i < bytes; i += block.size())
    to[bytes - 1 - i] = buffer[shift + i];
}
__global__ void tileCopies(const int *from, int *to) {
  __shared__ int buffer[128];
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const unsigned offset = tile.meta_group_rank() * 16;
  cg::memcpy_async(tile, buffer + offset, 16, from + offset, 20);
  cg::memcpy_async(tile, buffer + 64 + offset, from + 64 + offset, cg::aligned_size_t<4>(16 * sizeof(int)));
  cg::wait_prior<1>(tile);
  cg::wait(tile);
  to[threadIdx.x] = buffer[offset + 15 - tile.thread_rank()];
  to[64 + threadIdx.x] = buffer[64 + offset + 15 - tile.thread_rank()];
}

void copied() {
  std::vector<char> bytes(4096);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<char>(i * 31 >> 2);
  DeviceArray<char> from(bytes), to(bytes.size());
  for (unsigned count : {0u, 1u, 15u, 16u, 64u, 1000u, 4064u})
    for (unsigned shift : {0u, 1u, 4u, 16u}) {
      HIP_CHECK(hipMemset(to, 99, 4096));
      copies<<<1, 96>>>(from, to, count, shift);
      std::vector<char> got = to.host();
      int wrong = 0;
      for (unsigned i = 0; i < count; ++i)
        wrong += got[count - 1 - i] != bytes[shift + i];
      CHECK_EQ(wrong, 0);
      CHECK_EQ(got[count], 99);
    }
  std::vector<int> numbers(160);
  for (int i = 0; i < 160; ++i)
    numbers[i] = i * i;
  DeviceArray<int> some(numbers), back(128);
  tileCopies<<<1, 64>>>(some, back);
  std::vector<int> got = back.host();
  for (int i = 0; i < 128; ++i)
    CHECK_EQ(got[i], numbers[i / 16 * 16 + 15 - i % 16]);
}

} // namespace

constexpr unsigned kBlockSizes[] = {1, 32, 59, 128};

TEST(tiles) {
  for (unsigned threads : kBlockSizes) {
    tiles<1>(threads);
    tiles<4>(threads);
    tiles<16>(threads);
    tiles<32>(threads);
  }
}
TEST(branches) {
  for (unsigned threads : kBlockSizes)
    branches(threads);
}
TEST(copied) { copied(); }

int main(int argc, char **argv) { return runTests(argc, argv); }
