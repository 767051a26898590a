// SPDX-License-Identifier: MIT
// Cooperative groups, of 32 lanes as AMD's headers understand them with __AMDGCN_WAVEFRONT_SIZE = 32.
#define __AMDGCN_WAVEFRONT_SIZE 32
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

namespace cg = cooperative_groups;

extern "C" __global__ void tiles(int *result) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  int sum = block.thread_rank();
  for (int step = tile.size() / 2; step > 0; step /= 2)
    sum += tile.shfl_down(sum, step);
  sum = tile.shfl(sum, 0);
  result[block.thread_rank()] = sum * 10 + tile.thread_rank();
  block.sync();
}

extern "C" __global__ void coalesced(int *result) {
  if (threadIdx.x % 3 == 0) {
    const cg::coalesced_group active = cg::coalesced_threads();
    result[threadIdx.x] = active.size() * 100 + active.thread_rank();
  }
}

extern "C" __global__ void reduction(const int *values, int *result) {
  __shared__ int sums[4];
  int sum = values[threadIdx.x];
  for (int step = warpSize / 2; step > 0; step /= 2)
    sum += __shfl_xor(sum, step);
  if (threadIdx.x % warpSize == 0)
    sums[threadIdx.x / warpSize] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    result[0] = sums[0] + sums[1] + sums[2] + sums[3];
  result[1 + threadIdx.x] = __syncthreads_count(values[threadIdx.x] > 5);
}
