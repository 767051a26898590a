// SPDX-License-Identifier: MIT
// Warp functions with masks, tiles and coalesced groups that not all come to whom they are for (planted.h).
#include "planted.h"
#include <hip/hip_cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr unsigned kAll = 0xffffffff, kHalf = 0xffff;

__device__ inline unsigned lane() { return threadIdx.x % warpSize; }
__device__ inline bool isHere(bool bad) { return !bad || lane() < 16; }

template <bool bad> __global__ void shuffleInBranch(int *out) {
  int value = threadIdx.x;
  if (isHere(bad))
    value = __shfl_sync(kAll, value, 0); // finds: synccheck error
  out[threadIdx.x] = value;
}

template <bool bad> __global__ void sumInBranch(int *out) {
  int value = threadIdx.x;
  if (isHere(bad))
    for (int by = 16; by > 0; by /= 2)
      value += __shfl_down_sync(kAll, value, by); // finds: synccheck error
  out[threadIdx.x] = value;
}

template <bool bad> __global__ void ballotInBranch(int *out) {
  unsigned value = 0;
  if (isHere(bad))
    value = __ballot_sync(kAll, threadIdx.x & 1); // finds: synccheck error
  out[threadIdx.x] = value;
}

template <bool bad> __global__ void votesInBranch(int *out) {
  int value = 0;
  if (isHere(bad))
    value = __any_sync(~0ull, threadIdx.x == 1); // finds: synccheck error
  if (isHere(bad))
    value += __all_sync(~0ull, threadIdx.x < 1000); // finds: synccheck error
  out[threadIdx.x] = value;
}

template <bool bad> __global__ void matchInBranch(int *out) {
  unsigned value = 0;
  if (isHere(bad))
    value = __match_any_sync(kAll, threadIdx.x & 3); // finds: synccheck error
  out[threadIdx.x] = value;
}

template <bool bad> __global__ void reductionInBranch(int *out) {
  int value = threadIdx.x;
  if (isHere(bad))
    value = __reduce_add_sync(kAll, value); // finds: synccheck error
  out[threadIdx.x] = value;
}

template <bool bad> __global__ void syncInBranch(int *out) {
  __shared__ volatile int s[kBlock];
  s[threadIdx.x] = threadIdx.x;
  if (isHere(bad))
    __syncwarp(); // finds: synccheck error
  out[threadIdx.x] = s[threadIdx.x];
}

__device__ __attribute__((noinline)) int sumOfWarp(int value) {
  for (int by = 16; by > 0; by /= 2)
    value += __shfl_xor_sync(kAll, value, by); // finds: synccheck error
  return value;
}

template <bool bad> __global__ void functionInBranch(int *out) {
  int value = threadIdx.x;
  if (isHere(bad))
    value = sumOfWarp(value);
  out[threadIdx.x] = value;
}

template <bool bad> __global__ void lanesLeaveLoop(int *out) { // each at another time
  int value = 0;
  for (unsigned i = 0; i < (bad ? lane() + 1 : 8); ++i)
    value += __shfl_sync(kAll, value, 3); // finds: synccheck error
  out[threadIdx.x] = value;
}

template <bool bad> __global__ void callerIsNotNamed(int *out) {
  out[threadIdx.x] = __shfl_sync(bad ? kAll - 2 : kAll, threadIdx.x, 2); // finds: synccheck error
}

template <bool bad> __global__ void lanesWithoutThreads(int *out) { // 40 threads
  int value = threadIdx.x;
  if (threadIdx.x >= 32)
    value = __shfl_sync(bad ? 0xfffu : 0xffu, value, 0); // finds: synccheck warning
  out[threadIdx.x] = value;
}

template <bool bad> __global__ void laneBeyondWarp(int *out) {
  out[threadIdx.x] = __shfl_sync(bad ? 1ull << 40 | kAll : kAll, threadIdx.x, 0); // finds: synccheck warning
}

template <bool bad> __global__ void masksDiffer(int *out) {
  const unsigned mask = lane() < 16 ? (bad ? kAll : kHalf) : ~kHalf;
  out[threadIdx.x] = __shfl_sync(mask, threadIdx.x, lane() & 16); // finds: synccheck error
}

template <bool bad> __global__ void oldActiveMask(int *out) {
  int value = threadIdx.x;
  const unsigned all = __activemask();
  if (lane() % 4 == 0)
    value = __shfl_sync(bad ? all : __activemask(), value, 0); // finds: synccheck error
  out[threadIdx.x] = value;
}

template <bool bad> __global__ void otherOperation(int *out) { // in the other branch
  int value = threadIdx.x;
  if (lane() < 16)
    value = __shfl_sync(bad ? kAll : kHalf, value, 0); // finds: synccheck error
  else
    value = __shfl_up_sync(~kHalf, value, 1);
  out[threadIdx.x] = value;
}

template <bool bad> __global__ void barrierInstead(int *out) {
  __shared__ int s[kBlock];
  if (bad ? lane() != 7 : true)
    s[threadIdx.x] = __any_sync(kAll, threadIdx.x == 3); // finds: synccheck error
  __syncthreads();
  out[threadIdx.x] = bad ? 0 : s[kBlock - 1 - threadIdx.x];
}

template <bool bad> __global__ void halfSync(int *out) {
  __shared__ volatile int s[kBlock];
  s[threadIdx.x] = threadIdx.x;
  if (lane() < (bad ? 15 : 16))
    __syncwarp(kHalf); // finds: synccheck error
  out[threadIdx.x] = s[threadIdx.x];
}

template <bool bad> __global__ void partOfTileSyncs(int *out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  if (!bad || tile.thread_rank() < 5)
    tile.sync(); // finds: synccheck error
  out[threadIdx.x] = tile.thread_rank();
}

template <bool bad> __global__ void partOfTileShuffles(int *out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int value = threadIdx.x;
  if (!bad || tile.thread_rank() > 1)
    value = tile.shfl(value, 3); // finds: synccheck error
  out[threadIdx.x] = value;
}

template <bool bad> __global__ void partOfTileVotes(int *out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int value = threadIdx.x;
  if (!bad || tile.thread_rank() != 9)
    value = tile.any(value == 4); // finds: synccheck error
  out[threadIdx.x] = value;
}

template <bool bad> __global__ void partOfCoalescedGroup(int *out) {
  __shared__ volatile int s[kBlock];
  s[threadIdx.x] = threadIdx.x;
  if (lane() % 2 == 0) {
    const auto group = cg::coalesced_threads();
    if (!bad || group.thread_rank() < 4)
      group.sync(); // finds: synccheck error
    s[threadIdx.x] += 1;
  }
  out[threadIdx.x] = s[threadIdx.x];
}

template <bool bad> __global__ void partOfCoalescedShuffle(int *out) {
  int value = threadIdx.x;
  if (lane() % 2 == 0) {
    const auto group = cg::coalesced_threads();
    if (!bad || group.thread_rank() < 4)
      value = group.shfl(value, 0); // finds: synccheck error
    value += 1;
  }
  out[threadIdx.x] = value;
}

template <bool bad> __global__ void partOfDynamicTile(int *out) {
  const cg::thread_group tile = cg::tiled_partition(cg::this_thread_block(), 4);
  if (!bad || tile.thread_rank() != 2)
    tile.sync(); // finds: synccheck error
  out[threadIdx.x] = tile.thread_rank();
}

template <bool bad> __global__ void partOfBlock(int *out) { // each side's line
  if (bad && threadIdx.x < 32)
    cg::this_thread_block().sync();
  else
    cg::sync(cg::this_thread_block()); // finds: synccheck error
  out[threadIdx.x] = 1;
}

// Correct code that looks wrong at first sight.

__global__ void someHaveReturned(int *out, int count) {
  const int i = threadIdx.x;
  if (i >= count)
    return;
  int value = i;
  for (int by = 16; by > 0; by /= 2)
    value += __shfl_down_sync(kAll, value, by);
  __syncwarp();
  out[i] = value;
}

__global__ void smallerAndSmaller(int *out) { // the mask says who is left
  int value = threadIdx.x, mask = __ballot_sync(kAll, lane() < 20);
  if (lane() < 20) {
    value += __shfl_down_sync(mask, value, 1);
    mask = __ballot_sync(mask, lane() % 3 == 0);
    if (lane() % 3 == 0)
      value += __shfl_up_sync(mask, value, 3);
  }
  out[threadIdx.x] = value;
}

__global__ void syncInTwoPlaces(int *out) { // of one meeting
  __shared__ volatile int s[kBlock];
  for (int i = 0; i < 3; ++i)
    if (lane() & 1) {
      s[threadIdx.x] = 1;
      __syncwarp();
    } else {
      s[threadIdx.x] = 2;
      __syncwarp();
    }
  out[threadIdx.x] = s[threadIdx.x];
}

__global__ void groupsByValue(int *out) { // lanes with different masks come together
  const unsigned mask = __match_any_sync(kAll, lane() % 5);
  out[threadIdx.x] = __reduce_max_sync(mask, lane());
}

__global__ void oneByOne(int *out) { // a loop in which each lane has its turn
  for (unsigned turn = 0; turn < 32; ++turn)
    if (lane() == turn)
      out[threadIdx.x] = __shfl_sync(1u << turn, threadIdx.x, turn);
}

__global__ void onlyFirstWarp(int *out) {
  int value = threadIdx.x;
  if (threadIdx.x < 32) {
    value = __reduce_add_sync(kAll, value);
    __syncwarp();
  }
  __syncthreads();
  out[threadIdx.x] = value;
}

__global__ void groupsOfOddBlock(int *out) { // 40 threads
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const auto part = cg::binary_partition(tile, threadIdx.x % 3 == 0);
  out[threadIdx.x] = tile.any(threadIdx.x == 35) + part.shfl(threadIdx.x, 0);
  part.sync();
  tile.sync();
}

template <bool bad> void run() {
  int *out = allocate<int>(kItems);
  LAUNCH(shuffleInBranch, 1, out);
  LAUNCH(sumInBranch, 1, out);
  LAUNCH(ballotInBranch, 1, out);
  LAUNCH(votesInBranch, 1, out);
  LAUNCH(matchInBranch, 1, out);
  LAUNCH(reductionInBranch, 1, out);
  LAUNCH(syncInBranch, 1, out);
  LAUNCH(functionInBranch, 1, out);
  LAUNCH(lanesLeaveLoop, 1, out);
  LAUNCH(callerIsNotNamed, 1, out);
  lanesWithoutThreads<bad><<<1, 40>>>(out);
  HIP_CHECK(hipDeviceSynchronize());
  LAUNCH(laneBeyondWarp, 1, out);
  LAUNCH(masksDiffer, 1, out);
  LAUNCH(oldActiveMask, 1, out);
  LAUNCH(otherOperation, 1, out);
  LAUNCH(barrierInstead, 1, out);
  LAUNCH(halfSync, 1, out);
  LAUNCH(partOfTileSyncs, 1, out);
  LAUNCH(partOfTileShuffles, 1, out);
  LAUNCH(partOfTileVotes, 1, out);
  LAUNCH(partOfCoalescedGroup, 1, out);
  LAUNCH(partOfCoalescedShuffle, 1, out);
  LAUNCH(partOfDynamicTile, 1, out);
  LAUNCH(partOfBlock, 1, out);
  someHaveReturned<<<1, kBlock>>>(out, 45);
  someHaveReturned<<<1, 40>>>(out, 37);
  smallerAndSmaller<<<1, kBlock>>>(out);
  syncInTwoPlaces<<<1, kBlock>>>(out);
  groupsByValue<<<1, kBlock>>>(out);
  oneByOne<<<1, kBlock>>>(out);
  onlyFirstWarp<<<1, kBlock>>>(out);
  groupsOfOddBlock<<<1, 40>>>(out);
  HIP_CHECK(hipDeviceSynchronize());
}
