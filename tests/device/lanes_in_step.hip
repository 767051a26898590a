// SPDX-License-Identifier: MIT
// Reductions and scans in shared memory without a barrier from step to step, as in Kokkos: the lanes of a warp go together where warps
// do, on GPUs and in kernels that the CPU device vectorises. Assertions, printf and votes of the block beside them change nothing.
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

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
