// SPDX-License-Identifier: MIT
// Cooperative groups: a block, tiles of it, their collectives, and the threads that took a branch.
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

template <class Group> __device__ int sumByShuffles(Group group, int value) {
  for (int offset = group.size() / 2; offset > 0; offset /= 2)
    value += group.shfl_down(value, offset);
  return group.shfl(value, 0);
}

__global__ void sums(const int *in, int *ofBlock, int *ofTiles, int *scans, int *positive) {
  cg::thread_block block = cg::this_thread_block();
  __shared__ int partial[32];
  const int rank = block.thread_rank(), value = in[blockIdx.x * block.size() + rank];
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  const int sum = cg::reduce(warp, value, cg::plus<int>());
  if (warp.thread_rank() == 0)
    partial[warp.meta_group_rank()] = sum;
  cg::sync(block);
  if (rank == 0) {
    int total = 0;
    for (unsigned i = 0; i < warp.meta_group_size(); ++i)
      total += partial[i];
    ofBlock[blockIdx.x] = total;
  }
  const int i = blockIdx.x * block.size() + rank;
  ofTiles[i] = sumByShuffles(tile, value);
  scans[i] = cg::inclusive_scan(tile, value);
  if (value > 0) { // one atomic a warp
    cg::coalesced_group active = cg::coalesced_threads();
    if (active.thread_rank() == 0)
      atomicAdd(positive, (int)active.size());
  }
}

int main() {
  const int blocks = 3, block = 128, count = blocks * block;
  std::vector<int> in(count);
  for (int i = 0; i < count; ++i)
    in[i] = (i * 7) % 23 - 11;
  int *dIn = onDevice(in), *dBlock = nullptr, *dTiles = nullptr, *dScans = nullptr, *dPositive = nullptr;
  CALL(cudaMalloc(&dBlock, blocks * sizeof(int)));
  CALL(cudaMalloc(&dTiles, count * sizeof(int)));
  CALL(cudaMalloc(&dScans, count * sizeof(int)));
  CALL(cudaMalloc(&dPositive, sizeof(int)));
  CALL(cudaMemset(dPositive, 0, sizeof(int)));
  sums<<<blocks, block>>>(dIn, dBlock, dTiles, dScans, dPositive);
  const std::vector<int> ofBlock = onHost(dBlock, blocks), ofTiles = onHost(dTiles, count),
                         scans = onHost(dScans, count);
  int positive = 0;
  for (int b = 0; b < blocks; ++b) {
    int total = 0;
    for (int i = 0; i < block; ++i)
      total += in[b * block + i];
    EXPECT(ofBlock[b] == total);
  }
  for (int i = 0; i < count; ++i) {
    int tile = 0, scan = 0;
    for (int k = i / 8 * 8; k < i / 8 * 8 + 8; ++k) {
      tile += in[k];
      scan += k <= i ? in[k] : 0;
    }
    positive += in[i] > 0;
    EXPECT(ofTiles[i] == tile && scans[i] == scan);
  }
  EXPECT(onHost(dPositive, 1)[0] == positive);
}
