// SPDX-License-Identifier: MIT
// Races in the state that work-items share: counters, flags, queues, bit-fields, results of neighbours, within a block and between blocks
// (planted.h).
#include "planted.h"
#include <hip/hip_cooperative_groups.h>

namespace cg = cooperative_groups;

// Within a block.

struct Options {
  unsigned isRead : 1, isWritten : 1, rest : 30;
};

__device__ __attribute__((noinline)) void noteRead(Options *options) { options->isRead = 1; }
__device__ __attribute__((noinline)) void noteWritten(Options *options) {
  options->isWritten = 1; // finds: racecheck error
}
template <bool bad> __global__ void bitFieldsOfOneWord(int *out) { // each writes its own field
  __shared__ Options options;
  if (threadIdx.x == 0)
    options = {};
  __syncthreads();
  if (threadIdx.x == 0)
    noteRead(&options);
  if (!bad)
    __syncthreads();
  if (threadIdx.x == 40)
    noteWritten(&options);
  __syncthreads();
  out[threadIdx.x] = options.isRead + options.isWritten;
}

template <bool bad>
__global__ void minimumByComparison(const int *in, int *out) { // compares and writes instead of atomicMin
  __shared__ int least;
  if (threadIdx.x == 0)
    least = 1000;
  __syncthreads();
  const int value = in[threadIdx.x] + static_cast<int>(threadIdx.x);
  if (!bad)
    atomicMin(&least, value);
  else if (value < least)
    least = value; // finds: racecheck error
  __syncthreads();
  out[threadIdx.x] = least;
}

template <bool bad> __global__ void readsCounterTooEarly(int *out) {
  __shared__ int count;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  if (!bad)
    __syncthreads();
  out[threadIdx.x] = count; // finds: racecheck error
}

template <bool bad> __global__ void lastThreadReadsSum(int *out) { // the atomic operation of its own warp is no order
  __shared__ int sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  atomicAdd(&sum, 1);
  if (!bad)
    __syncthreads();
  if (threadIdx.x == kBlock - 1)
    out[0] = sum; // finds: racecheck error
}

template <bool bad> __global__ void volatileIsNoBarrier(int *out) {
  __shared__ volatile int s[kBlock];
  s[threadIdx.x] = threadIdx.x;
  if (!bad)
    __syncthreads();
  out[threadIdx.x] = s[kBlock - 1 - threadIdx.x]; // finds: racecheck error
}

template <bool bad> __global__ void clearsBesideAtomics(int *out) {
  __shared__ int count;
  if (threadIdx.x == 0)
    count = 0;
  if (!bad)
    __syncthreads();
  atomicAdd(&count, 1); // finds: racecheck error
  __syncthreads();
  out[threadIdx.x] = count;
}

__device__ __attribute__((noinline)) void shiftLeft(int *s) {
  const int next = s[(threadIdx.x + 1) % kBlock];
  s[threadIdx.x] = next; // finds: racecheck error
}
__device__ __attribute__((noinline)) void shiftLeftInStep(int *s) {
  const int next = s[(threadIdx.x + 1) % kBlock];
  __syncthreads();
  s[threadIdx.x] = next;
}
template <bool bad> __global__ void shiftInFunction(int *out) {
  __shared__ int s[kBlock];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (bad)
    shiftLeft(s);
  else
    shiftLeftInStep(s);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}

template <bool bad> __global__ void warpBarrierForBlock(int *out) { // __syncwarp where __syncthreads belongs
  __shared__ int s[kBlock];
  s[threadIdx.x] = threadIdx.x;
  if (bad)
    __syncwarp();
  else
    __syncthreads();
  out[threadIdx.x] = s[kBlock - 1 - threadIdx.x]; // finds: racecheck error
}

template <bool bad> __global__ void tileBarrierForBlock(int *out) {
  __shared__ int s[kBlock];
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  s[block.thread_rank()] = tile.thread_rank();
  if (bad)
    tile.sync();
  else
    block.sync();
  out[threadIdx.x] = s[(threadIdx.x + 32) % kBlock]; // finds: racecheck error
}

template <bool bad> __global__ void fenceIsNoBarrier(int *out) {
  __shared__ int s[kBlock];
  s[threadIdx.x] = threadIdx.x;
  __threadfence_block();
  if (!bad)
    __syncthreads();
  out[threadIdx.x] = s[kBlock - 1 - threadIdx.x]; // finds: racecheck error
}

template <bool bad> __global__ void copiesWhileOthersWrite(int *out) {
  __shared__ int s[kBlock];
  s[threadIdx.x] = threadIdx.x;
  if (!bad)
    __syncthreads();
  if (threadIdx.x == 0)
    memcpy(out, s, sizeof s); // finds: racecheck error
}

template <bool bad> __global__ void halvesOfWord(int *out) { // 16 bits of one, 32 of the other
  __shared__ unsigned s[kBlock];
  reinterpret_cast<unsigned short *>(s)[threadIdx.x] = threadIdx.x;
  reinterpret_cast<unsigned short *>(s)[threadIdx.x + kBlock] = threadIdx.x;
  if (!bad)
    __syncthreads();
  out[threadIdx.x] = s[kBlock - 1 - threadIdx.x]; // finds: racecheck error
}

template <bool bad> __global__ void queueWithoutAtomics(int *queue, int *size) { // of one block, in global memory
  if (bad) {
    const int place = *size;
    *size = place + 1; // finds: racecheck error
    queue[place & (kBlock - 1)] = 1;
  } else {
    queue[atomicAdd(size, 1) & (kBlock - 1)] = 1;
  }
}

template <bool bad> __global__ void partialSumsInGlobal(int *sums, int *out) {
  sums[threadIdx.x] = threadIdx.x;
  if (!bad)
    __syncthreads();
  if (threadIdx.x < kBlock / 2)
    out[threadIdx.x] = sums[threadIdx.x] + sums[threadIdx.x + kBlock / 2]; // finds: racecheck error
}

// Between blocks.

template <bool bad> __global__ void nextElementToo(int *p) {
  const int i = globalId();
  p[2 * i] = 1;
  if (bad ? i + 1 < kItems : i % kBlock + 1 < 0)
    p[2 * i + 2] = 2; // finds: racecheck error
}

template <bool bad> __global__ void inPlaceAcrossBlocks(int *p) {
  const int i = globalId(), before = bad ? (i + kItems - kBlock) % kItems : i;
  p[i] += p[before]; // finds: racecheck error
}

template <bool bad> __global__ void countsPlainly(int *count) {
  if (threadIdx.x == 0) {
    if (bad)
      *count += 1; // finds: racecheck error
    else
      atomicAdd(count, 1);
  }
}

template <bool bad> __global__ void readsTotalAtOnce(int *total, int *out) {
  if (threadIdx.x == 0) {
    atomicAdd(total, 1);
    out[blockIdx.x] = bad ? *total : 0; // finds: racecheck error
  }
}

template <bool bad> __global__ void lastBlockReadsTotal(int *total, int *out) {
  if (threadIdx.x == 0) {
    atomicAdd(total, 1);
    if (blockIdx.x == gridDim.x - 1)
      out[0] = bad ? *total : atomicAdd(total, 0); // finds: racecheck error
  }
}

template <bool bad> __global__ void volatileOfOtherBlock(volatile int *p, int *out) {
  const int i = globalId();
  p[i] = i;
  out[i] = p[bad ? kItems - 1 - i : i]; // finds: racecheck error
}

template <bool bad> __global__ void lastColumnOfOther(int *image, int width) { // tiles that overlap by a column
  const int x = blockIdx.x * (kBlock - bad) + threadIdx.x;
  if (x < width)
    image[x] = x; // finds: racecheck error
}

template <bool bad> __global__ void wordsOfBits(unsigned *bits) { // 24 bits for each item's neighbourhood
  const int i = globalId(), word = (i + 16) / 32;
  if (bad)
    bits[word] |= 1u << (i % 32); // finds: racecheck error
  else
    atomicOr(&bits[word], 1u << (i % 32));
}

template <bool bad> __global__ void flagWithoutOrder(int *data, int *ready, int *out) { // a plain flag
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *data = 5;
    __threadfence();
    if (bad)
      *ready = 1;
    else
      atomicExch(ready, 1);
  } else if (threadIdx.x == 0) {
    const int isReady = bad ? *ready : atomicAdd(ready, 0); // finds: racecheck error
    if (isReady) {
      __threadfence();
      out[blockIdx.x] = 1;
    }
  }
}

template <bool bad> __global__ void clearsForNextLaunch(int *count, int *out) { // while others count
  if (blockIdx.x == 0 && threadIdx.x == 0 && bad)
    *count = 0;
  if (threadIdx.x == 0)
    out[blockIdx.x] = atomicAdd(count, 1); // finds: racecheck error
}

// Correct code that looks wrong at first sight.

__global__ void oneByteEach(char *p) { p[globalId()] = 1; }
__global__ void barrierInBothArms(int *out) {
  __shared__ int s[kBlock];
  s[threadIdx.x] = 1;
  if (blockIdx.x & 1)
    __syncthreads();
  else
    __syncthreads();
  out[globalId()] = s[kBlock - 1 - threadIdx.x];
}
__global__ void atomicsOfAllKinds(int *p) {
  atomicAdd(p, 1);
  atomicMax(p, 3);
  atomicCAS(p, 5, 6);
  atomicExch(p + 1, globalId());
}
__global__ void barrierByVote(int *out) {
  __shared__ int s[kBlock];
  s[threadIdx.x] = threadIdx.x;
  if (__syncthreads_or(threadIdx.x == 3))
    out[globalId()] = s[kBlock - 1 - threadIdx.x];
}
__global__ void stopsWhenFound(volatile int *found, const int *in) { // who sees the flag late does too much
  if (*found)
    return;
  if (in[globalId()] == 0)
    *found = 1;
}
__global__ void lastWarpInStep(int *out) { // of times when warps went in step
  __shared__ volatile int s[kBlock];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x < 32) {
    s[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 32];
    for (unsigned width = 16; width; width /= 2)
      if (threadIdx.x < width)
        s[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + width];
  }
  __syncthreads();
  out[globalId()] = s[0];
}
__global__ void waitsForGrid(int *p, int *out) {
  p[globalId()] = globalId();
  cg::this_grid().sync();
  out[globalId()] = p[kItems - 1 - globalId()];
}

// Tiles order their own lanes only.

template <bool bad> __global__ void readsOtherTile(const int *in, int *out) {
  __shared__ int s[kBlock];
  const unsigned t = threadIdx.x;
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  s[t] = in[t];
  tile.sync();
  out[t] = s[t ^ (bad ? 16 : 8)]; // finds: racecheck warning
}

template <bool bad> __global__ void sumOfTilesTooEarly(const int *in, int *out) { // the first lane adds four sums
  __shared__ int s[kBlock];
  const unsigned t = threadIdx.x;
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  s[t] = in[t];
  tile.sync();
  for (unsigned width = 4; width > 0; width /= 2) {
    const int other = s[t / 8 * 8 + (t + width) % 8];
    tile.sync();
    s[t] += other;
    tile.sync();
  }
  if (!bad)
    __syncthreads();
  if (t == 0)
    out[0] = s[0] + s[8] + s[16] + s[24]; // finds: racecheck warning
}

template <bool bad> __global__ void otherHalfOfWarp(const int *in, int *out) {
  __shared__ int s[kBlock];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncwarp(bad ? (t & 16 ? 0xffff0000u : 0xffffu) : 0xffffffffu);
  out[t] = s[t ^ 16]; // finds: racecheck warning
}

template <bool bad> __global__ void otherTileInGlobal(int *data, int *out) {
  const unsigned t = threadIdx.x;
  const auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  data[t] = t;
  tile.sync();
  out[t] = data[t ^ (bad ? 4 : 2)]; // finds: racecheck warning
}

__global__ void groupsOfAllKinds(const int *in, int *out) { // tiles of several sizes, and groups that are none
  __shared__ int s[kBlock];
  const unsigned t = threadIdx.x;
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto small = cg::tiled_partition<4>(warp);
  s[t] = in[t];
  for (int round = 0; round < 3; ++round) {
    small.sync();
    const int near = s[t ^ 3];
    warp.sync();
    const int far = s[t ^ 31];
    warp.sync();
    s[t] = near + far;
    small.sync();
    out[t] = s[t ^ 1];
  }
  block.sync();
  if (t % 2) {
    const auto odd = cg::coalesced_threads();
    s[t] = 1;
    odd.sync();
    out[t] = s[t ^ 2];
    odd.sync();
  }
  warp.sync();
  out[t] += s[t ^ 1];
}

template <bool bad> void run() {
  int *in = allocate<int>(4 * kItems), *out = allocate<int>(4 * kItems);
  LAUNCH(bitFieldsOfOneWord, 1, out);
  LAUNCH(minimumByComparison, 1, in, out);
  LAUNCH(readsCounterTooEarly, 1, out);
  LAUNCH(lastThreadReadsSum, 1, out);
  LAUNCH(volatileIsNoBarrier, 1, out);
  LAUNCH(clearsBesideAtomics, 1, out);
  LAUNCH(shiftInFunction, 1, out);
  LAUNCH(warpBarrierForBlock, 1, out);
  LAUNCH(tileBarrierForBlock, 1, out);
  LAUNCH(fenceIsNoBarrier, 1, out);
  LAUNCH(copiesWhileOthersWrite, 1, out);
  LAUNCH(halvesOfWord, 1, out);
  LAUNCH(queueWithoutAtomics, 1, in, allocate<int>(1));
  LAUNCH(partialSumsInGlobal, 1, in, out);
  LAUNCH(nextElementToo, kBlocks, out);
  LAUNCH(inPlaceAcrossBlocks, kBlocks, out);
  LAUNCH(countsPlainly, kBlocks, allocate<int>(1));
  LAUNCH(readsTotalAtOnce, kBlocks, allocate<int>(1), out);
  LAUNCH(lastBlockReadsTotal, kBlocks, allocate<int>(1), out);
  LAUNCH(volatileOfOtherBlock, kBlocks, in, out);
  LAUNCH(lastColumnOfOther, kBlocks, out, kItems);
  LAUNCH(wordsOfBits, kBlocks, allocate<unsigned>(kItems));
  LAUNCH(flagWithoutOrder, kBlocks, allocate<int>(1), allocate<int>(1), out);
  LAUNCH(clearsForNextLaunch, kBlocks, allocate<int>(1), out);
  LAUNCH(readsOtherTile, 1, in, out);
  LAUNCH(sumOfTilesTooEarly, 1, in, out);
  LAUNCH(otherHalfOfWarp, 1, in, out);
  LAUNCH(otherTileInGlobal, 1, allocate<int>(kBlock), out);
  groupsOfAllKinds<<<1, kBlock>>>(in, out);
  oneByteEach<<<kBlocks, kBlock>>>(reinterpret_cast<char *>(out));
  barrierInBothArms<<<kBlocks, kBlock>>>(out);
  atomicsOfAllKinds<<<kBlocks, kBlock>>>(allocate<int>(2));
  barrierByVote<<<kBlocks, kBlock>>>(out);
  stopsWhenFound<<<kBlocks, kBlock>>>(allocate<int>(1), in);
  lastWarpInStep<<<kBlocks, kBlock>>>(out);
  void *arguments[] = {&in, &out};
  HIP_CHECK(hipLaunchCooperativeKernel(reinterpret_cast<void *>(waitsForGrid), dim3(kBlocks), dim3(kBlock), arguments,
                                       0, nullptr));
  HIP_CHECK(hipDeviceSynchronize());
}
