// SPDX-License-Identifier: MIT
// Lanes of a warp that exchange values in memory without a barrier from step to step: reductions and scans as in Kokkos, words that are
// overwritten behind a read, counters, structures, shared and global memory. The lanes of a warp go together where warps do, on GPUs and on the CPU
// device. Assertions, printf and votes of the block beside them change nothing.
#include "check.h"

#include <cassert>
#include <numeric>
#include <vector>

namespace {

constexpr int kBlock = 256, kWarp = 32;

__device__ void reduceWarp(int *part, int thread) {
  const int lane = thread % kWarp;
  for (int step = 1; step < kWarp; step *= 2)
    if (lane + step < kWarp && lane % (2 * step) == 0)
      part[thread] += part[thread + step];
}

__global__ void reduce(const int *in, int *out) {
  __shared__ int part[kBlock];
  const int thread = threadIdx.x;
  part[thread] = in[blockIdx.x * kBlock + thread];
  reduceWarp(part, thread);
  if (__syncthreads_or(thread == 77) && thread % kWarp == 0)
    out[(blockIdx.x * kBlock + thread) / kWarp] = part[thread];
  if (__syncthreads_count(part[thread] == INT32_MIN) != 0)
    printf("thread %d of %s\n", thread, "a block that does not exist");
  assert(__syncthreads_and(part[thread] != INT32_MIN) != 0);
}

extern __shared__ int dynamic[];

__global__ void reduceDynamic(const int *in, int *out) {
  const int thread = threadIdx.x;
  dynamic[thread] = in[thread];
  reduceWarp(dynamic, thread);
  __syncthreads();
  if (thread % kWarp == 0)
    out[thread / kWarp] = dynamic[thread];
}

__global__ void scan(int *data) {
  __shared__ int part[kBlock];
  const int thread = threadIdx.x, lane = thread % kWarp;
  part[thread] = data[thread];
  for (int step = 1; step < kWarp; step *= 2)
    if (lane >= step)
      part[thread] += part[thread - step];
  assert(thread < kBlock);
  data[thread] = part[thread];
}

__global__ void print(int *result) {
  const int i = threadIdx.x;
  result[i] = printf("%d %s\n", i, i % 2 ? "odd" : "even");
}

TEST(reductions) {
  constexpr int kBlocks = 5, kCount = kBlocks * kBlock;
  std::vector<int> values(kCount);
  for (int i = 0; i < kCount; ++i)
    values[i] = i * i % 1009;
  DeviceArray<int> in(values), out(kCount / kWarp);
  reduce<<<kBlocks, kBlock>>>(in, out);
  const std::vector<int> sums = out.host();
  for (int i = 0; i < kCount; i += kWarp)
    CHECK_EQ(sums[i / kWarp], std::accumulate(&values[i], &values[i] + kWarp, 0));
  reduceDynamic<<<1, kBlock, kBlock * sizeof(int)>>>(in, out);
  const std::vector<int> dynamicSums = out.host();
  for (int i = 0; i < kBlock; i += kWarp)
    CHECK_EQ(dynamicSums[i / kWarp], std::accumulate(&values[i], &values[i] + kWarp, 0));
}

TEST(scans) {
  std::vector<int> values(kBlock);
  std::iota(values.begin(), values.end(), 1);
  DeviceArray<int> data(values);
  scan<<<1, kBlock>>>(data);
  const std::vector<int> sums = data.host();
  for (int i = 0, sum = 0; i < kBlock; ++i) {
    sum = (i % kWarp ? sum : 0) + i + 1;
    CHECK_EQ(sums[i], sum);
  }
}

TEST(linesThatAreCounted) {
  DeviceArray<int> result(kBlock);
  print<<<1, kBlock>>>(result);
  const std::vector<int> lengths = result.host();
  for (int i = 0; i < kBlock; ++i)
    CHECK_EQ(lengths[i], (i < 10 ? 1 : i < 100 ? 2 : 3) + (i % 2 ? 5 : 6));
}

// Each reads its word and then writes its neighbour's.
__global__ void overwrite(const int *in, int *out) {
  __shared__ int s[kBlock + 1];
  const int thread = threadIdx.x, lane = thread % kWarp;
  s[thread] = in[thread];
  __syncthreads();
  const int x = s[thread];
  if (lane < kWarp - 1)
    s[thread + 1] = x;
  __syncthreads();
  out[thread] = s[thread];
}

__global__ void overwriteGlobal(int *data) {
  const int thread = threadIdx.x, x = data[thread];
  if (thread % kWarp < kWarp - 1)
    data[thread + 1] = x;
}

TEST(wordsThatNeighboursOverwrite) {
  std::vector<int> values(kBlock);
  std::iota(values.begin(), values.end(), 1);
  DeviceArray<int> in(values), out(kBlock);
  overwrite<<<1, kBlock>>>(in, out);
  const std::vector<int> moved = out.host();
  for (int i = 0; i < kBlock; ++i)
    CHECK_EQ(moved[i], i % kWarp ? i : i + 1);
  DeviceArray<int> warp(std::vector<int>(values.begin(), values.begin() + kWarp));
  overwriteGlobal<<<1, kWarp>>>(warp);
  const std::vector<int> shifted = warp.host();
  for (int i = 0; i < kWarp; ++i)
    CHECK_EQ(shifted[i], i ? i : 1);
}

// Several lanes have one counter; all have counted when one of them looks.
__global__ void countShared(int *out, int counters) {
  __shared__ int c[kWarp];
  const int thread = threadIdx.x;
  c[thread] = 0;
  __syncthreads();
  atomicAdd(&c[thread & (counters - 1)], 1);
  out[thread] = c[thread & (counters - 1)];
}

__global__ void countGlobal(int *c, int *out, int counters) {
  const int thread = threadIdx.x;
  atomicAdd(&c[thread & (counters - 1)], 1);
  out[thread] = c[thread & (counters - 1)];
}

TEST(countersOfSeveralLanes) {
  for (int counters : {1, 4, 16}) {
    DeviceArray<int> c(kWarp), out(kWarp);
    countShared<<<1, kWarp>>>(out, counters);
    for (int count : out.host())
      CHECK_EQ(count, kWarp / counters);
    countGlobal<<<1, kWarp>>>(c, out, counters);
    for (int count : out.host())
      CHECK_EQ(count, kWarp / counters);
  }
}

// Global memory, with a fence between and with nothing.
template <bool fence> __global__ void reverse(int *data, int *out) {
  const int thread = threadIdx.x, start = thread / kWarp * kWarp;
  data[thread] = 3 * thread + 1;
  if (fence)
    __threadfence_block();
  out[thread] = data[start + kWarp - 1 - thread % kWarp];
}

TEST(exchangesInGlobalMemory) {
  DeviceArray<int> data(kBlock), out(kBlock);
  auto check = [&] {
    const std::vector<int> found = out.host();
    for (int i = 0; i < kBlock; ++i)
      CHECK_EQ(found[i], 3 * (i / kWarp * kWarp + kWarp - 1 - i % kWarp) + 1);
  };
  reverse<true><<<1, kBlock>>>(data, out);
  check();
  reverse<false><<<1, kBlock>>>(data, out);
  check();
}

// Lanes that are through with a round of a loop wait for the others: an operation of the warp has lanes of one round.
__global__ void rounds(const int *skips, int *out) {
  const int lane = threadIdx.x;
  int sum = 0;
  for (int i = 0; i < 6; ++i) {
    if (skips[lane] >> i & 1)
      continue;
    for (int k = 0; k < (lane & 3) + 1; ++k)
      sum = int(5u * unsigned(sum) + unsigned(__popcll(__activemask())));
  }
  out[lane] = sum;
}

TEST(roundsOfLoops) {
  std::vector<int> skips(kWarp), expected(kWarp);
  for (int i = 0; i < kWarp; ++i)
    skips[i] = i * 37 % 64;
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 4; ++k) {
      auto isActive = [&](int lane) { return !(skips[lane] >> i & 1) && k < (lane & 3) + 1; };
      int active = 0;
      for (int lane = 0; lane < kWarp; ++lane)
        active += isActive(lane);
      for (int lane = 0; lane < kWarp; ++lane)
        if (isActive(lane))
          expected[lane] = int(5u * unsigned(expected[lane]) + unsigned(active));
    }
  DeviceArray<int> in(skips), out(kWarp);
  rounds<<<1, kWarp>>>(in, out);
  const std::vector<int> found = out.host();
  for (int lane = 0; lane < kWarp; ++lane)
    CHECK_EQ(found[lane], expected[lane]);
}

// The same where a lane exchanges by comparison, which is no reason to wait for nobody.
__global__ void claims(unsigned *slots, int *out) {
  const unsigned lane = threadIdx.x;
  int first = 0, later = -1;
  for (int i = 0; i < 6; ++i) {
    if (lane)
      first = __ffs(int(__ballot(1)));
    else if (atomicCAS(&slots[0], 0u, 1u) == 0)
      atomicAdd(&slots[1], 1u);
    if (lane >= 13)
      later = __popcll(__ballot(1));
  }
  out[2 * lane] = first;
  out[2 * lane + 1] = later;
}

TEST(roundsWithAnExchangeByComparison) {
  DeviceArray<unsigned> slots(std::vector<unsigned>(2));
  DeviceArray<int> out(2 * kWarp);
  claims<<<1, kWarp>>>(slots, out);
  const std::vector<int> found = out.host();
  for (int lane = 0; lane < kWarp; ++lane) {
    CHECK_EQ(found[2 * lane], lane ? 2 : 0);
    CHECK_EQ(found[2 * lane + 1], lane >= 13 ? kWarp - 13 : -1);
  }
  CHECK_EQ(slots.host()[1], 1u);
}

// Structures that lanes pass to one another with one assignment.
template <int kBytes, class Word> struct Record {
  Word words[kBytes / sizeof(Word)];
};

template <class T> __global__ void moveShared(const T *in, const int *to, T *out) {
  __shared__ T records[kBlock];
  const int thread = threadIdx.x, first = thread / kWarp * kWarp;
  records[thread] = in[thread];
  __syncthreads();
  records[first + to[thread % kWarp]] = records[thread];
  __syncthreads();
  out[thread] = records[thread];
}

template <class T> __global__ void moveGlobal(T *records, const int *to) {
  const int thread = threadIdx.x, first = thread / kWarp * kWarp;
  records[first + to[thread % kWarp]] = records[thread];
}

template <class T> __device__ void moveWithin(T *records, int to, int from) {
  const T record = records[from];
  if (to % 5 != 0)
    records[to] = record;
}

template <class T> __global__ void moveSome(T *records, const int *to) {
  const int thread = threadIdx.x, first = thread / kWarp * kWarp;
  moveWithin(records, first + to[thread % kWarp], thread);
}

template <int kBytes, class Word> void checkRecords() {
  using T = Record<kBytes, Word>;
  constexpr int kWords = kBytes / sizeof(Word);
  std::vector<T> records(kBlock);
  for (int i = 0; i < kBlock; ++i)
    for (int k = 0; k < kWords; ++k)
      records[i].words[k] = Word(i * 37 + k);
  std::vector<int> places(kWarp);
  for (int i = 0; i < kWarp; ++i)
    places[i] = (i * 11 + 5) % kWarp;
  DeviceArray<int> to(places);
  DeviceArray<T> in(records), out(kBlock), moved(records), some(records);
  moveShared<T><<<1, kBlock>>>(in, to, out);
  moveGlobal<T><<<1, kBlock>>>(moved, to);
  moveSome<T><<<1, kBlock>>>(some, to);
  const std::vector<T> a = out.host(), b = moved.host(), c = some.host();
  for (int i = 0; i < kBlock; ++i) {
    const int place = i / kWarp * kWarp + places[i % kWarp];
    for (int k = 0; k < kWords; ++k) {
      CHECK_EQ(a[place].words[k], records[i].words[k]);
      CHECK_EQ(b[place].words[k], records[i].words[k]);
      CHECK_EQ(c[place].words[k], records[place % 5 != 0 ? i : place].words[k]);
    }
  }
}

TEST(structuresOfLanes) {
  checkRecords<8, int>();
  checkRecords<12, float>();
  checkRecords<24, double>();
  checkRecords<64, int>();
  checkRecords<13, char>();
  checkRecords<30, short>();
  checkRecords<256, int>();
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
