// SPDX-License-Identifier: MIT
// Shuffles that read a lane which does not take part: it is in another branch, has returned, or has no thread. What they give is undefined,
// which is a defect where it has an effect (planted.h).
#include "planted.h"
#include <hip/hip_cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int kOdd = 40; // threads of blocks whose second warp has 8

__device__ inline int lane() { return static_cast<int>(threadIdx.x % warpSize); }

template <bool bad> __global__ void downInBranch(const int *in, int *out) {
  int value = in[threadIdx.x];
  if (lane() < 16 || !bad)
    value += __shfl_down(value, 8);
  if (lane() < 16 && value > 5) // finds: initcheck error
    out[threadIdx.x] = value;
}

template <bool bad> __global__ void upInBranch(const int *in, int *out) {
  int value = in[threadIdx.x];
  if (lane() >= 4) {
    const int below = __shfl_up(value, 4);
    if (bad || lane() >= 8)
      value = below;
  }
  if (value > 5) // finds: initcheck error
    out[threadIdx.x] = value;
}

template <bool bad> __global__ void xorInBranch(const int *in, int *out) {
  int value = in[threadIdx.x];
  if (lane() < (bad ? 24 : 16))
    value = __shfl_xor(value, 8);
  if (value > 5) // finds: initcheck error
    out[threadIdx.x] = value;
}

template <bool bad> __global__ void leaderInOtherBranch(const int *in, int *out) {
  int value = in[threadIdx.x];
  if (lane() > 0)
    value = __shfl(value, bad ? 0 : 1);
  if (value > 5) // finds: initcheck error
    out[threadIdx.x] = value;
}

template <bool bad> __global__ void tailReturns(const int *in, int *out, int count) { // instead of adding zeros
  const int i = static_cast<int>(threadIdx.x);
  if (bad && i >= count)
    return;
  int value = i < count ? in[i] : 0;
  for (int by = 16; by > 0; by /= 2)
    value += __shfl_down(value, by);
  if (lane() == 0 && value > 5) // finds: initcheck error
    out[i] = value;
}

template <bool bad> __global__ void lastWarpIsPartial(const int *in, int *out) { // kOdd threads
  int value = in[threadIdx.x];
  const int count = threadIdx.x < 32 ? 32 : kOdd - 32;
  for (int by = 16; by > 0; by /= 2) {
    const int other = __shfl_down(value, by);
    if (bad || lane() + by < count)
      value += other;
  }
  if (lane() == 0 && value > 5) // finds: initcheck error
    out[threadIdx.x] = value;
}

template <bool bad> __global__ void lastLane(const int *in, int *out) { // kOdd threads
  const int value = in[threadIdx.x];
  out[__shfl(value, bad ? 31 : 7) & (kBlock - 1)] = 1; // finds: initcheck error
}

template <bool bad> __global__ void neighbourOfLast(const int *in, int *out) { // kOdd threads
  const int value = in[threadIdx.x], other = __shfl(value, lane() + 1);
  out[threadIdx.x] = bad || threadIdx.x < kOdd - 1 ? other : value; // finds: initcheck error
}

template <bool bad> __global__ void loopsOfTheirOwn(const int *in, int *out) {
  int sum = 0;
  for (int round = 0; round < (bad ? 1 + lane() : 8); ++round)
    sum += __shfl(in[threadIdx.x], 5);
  if (sum > 5) // finds: initcheck error
    out[threadIdx.x] = sum;
}

template <bool bad> __global__ void activeMaskInBranch(const int *in, int *out) { // names only who is there
  int value = in[threadIdx.x];
  if (lane() < 20)
    for (int by = bad ? 16 : 2; by > 0; by /= 2)
      value += __shfl_down_sync(__activemask(), value, by, bad ? 32 : 4);
  if (lane() < 20 && value > 5) // finds: initcheck error
    out[threadIdx.x] = value;
}

template <bool bad> __global__ void doubles(const double *in, double *out) {
  double value = in[threadIdx.x];
  if (!bad || lane() % 2 == 0)
    value = fmax(value, __shfl_xor(value, 1));
  if (value > 5) // finds: initcheck error
    out[threadIdx.x] = value;
}

template <bool bad> __global__ void constants(int *out) {
  int value = 0;
  if (lane() < (bad ? 31 : 32))
    value = __shfl_down(7, 1);
  out[threadIdx.x & (7 + value)] = 1; // finds: initcheck error
}

template <bool bad> __global__ void tileOfPart(const int *in, int *out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int value = in[threadIdx.x];
  if (!bad || tile.thread_rank() < 5)
    value = tile.shfl(value, 6);
  if (value > 5) // finds: initcheck error
    out[threadIdx.x] = value;
}

template <bool bad> __global__ void votesAfterwards(const int *in, int *out) {
  int value = in[threadIdx.x];
  if (!bad || lane() != 9)
    value = __shfl(value, 9);
  if (__any(value > 5)) // finds: initcheck error
    out[threadIdx.x] = value;
}

// Lanes that take part, but that the mask does not name.

template <bool bad> __global__ void otherGroup(const int *in, int *out) { // each half has a mask of its own
  const unsigned mask = lane() < 16 ? 0xffffu : 0xffff0000u;
  const int value = __shfl_sync(mask, in[threadIdx.x], bad ? 3 : lane() & 16);
  if (value > 5) // finds: initcheck error
    out[threadIdx.x] = value;
}

template <bool bad> __global__ void neighbourInOtherGroup(const double *in, double *out) {
  const double value = in[threadIdx.x], other = __shfl_xor_sync(0xffu << (lane() & 24), value, bad ? 8 : 4);
  if (value + other > 5) // finds: initcheck error
    out[threadIdx.x] = value;
}

template <bool bad> __global__ void groupsByMatch(const int *in, int *out) { // sums of lanes with the same key
  const unsigned mask = __match_any_sync(0xffffffffu, lane() & 3);
  int sum = in[threadIdx.x];
  for (int by = 16; by >= (bad ? 2 : 4); by /= 2)
    sum += __shfl_xor_sync(mask, sum, by);
  if (sum > 5) // finds: initcheck error
    out[threadIdx.x] = sum;
}

// Correct code that looks wrong at first sight.

__global__ void sumOfNamed(const int *in, int *out, int count) { // lane 0 uses nothing of the lanes that are not named
  const unsigned mask = __ballot_sync(0xffffffffu, static_cast<int>(lane()) < count);
  int sum = in[threadIdx.x];
  if (static_cast<int>(lane()) < count) { // a power of two
    for (int by = count / 2; by > 0; by /= 2)
      sum += __shfl_down_sync(mask, sum, by);
    if (lane() == 0 && sum > 5)
      out[0] = sum;
  }
}

__global__ void sumOfWarp(const int *in, int *out, int count) { // the tail adds zeros
  const int i = globalId();
  int value = i < count ? in[i] : 0;
  for (int by = 16; by > 0; by /= 2)
    value += __shfl_down(value, by);
  if (lane() == 0 && value >= 0)
    out[i] = value;
}

__global__ void sumOfHalf(const int *in, int *out) { // lane 0 sees no sum of the other half
  int value = in[threadIdx.x];
  if (lane() < 16)
    for (int by = 8; by > 0; by /= 2)
      value += __shfl_down(value, by);
  if (lane() == 0 && value >= 0)
    out[threadIdx.x] = value;
}

__global__ void scanOfPart(const int *in, int *out) { // kOdd threads
  int value = in[threadIdx.x];
  for (int by = 1; by < 32; by *= 2) {
    const int below = __shfl_up(value, by);
    value += lane() >= by ? below : 0;
  }
  if (value >= 0)
    out[threadIdx.x] = value;
}

__global__ void sections(const int *in, int *out) { // kOdd threads: sections of 8
  int value = in[threadIdx.x];
  for (int by = 4; by > 0; by /= 2)
    value += __shfl_xor(value, by, 8);
  value += __shfl_down(value, 7, 8);
  if (value >= 0)
    out[threadIdx.x] = value;
}

__global__ void leaderAllocates(int *count, int *out) { // aggregated atomics
  if (threadIdx.x % 3 == 0) {
    const auto here = __activemask();
    const int leader = __ffsll(here) - 1;
    int base = 0;
    if (lane() == leader)
      base = atomicAdd(count, __popcll(here));
    base = __shfl(base, leader);
    out[base % kBlock] = 1;
  }
}

__global__ void groupsOfAll(const int *in, int *out) { // kOdd threads
  const int value = in[threadIdx.x];
  const auto same = __match_any(value & 1);
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int sum = __popcll(same) + tile.shfl_xor(value, 3) + __reduce_add_sync(__activemask(), value);
  if (lane() % 2) {
    const auto group = cg::coalesced_threads();
    sum += group.shfl(value, group.size() - 1) + group.shfl_down(value, 1) * (group.thread_rank() + 1 < group.size());
  }
  if (sum >= 0)
    out[threadIdx.x] = sum;
}

__global__ void sharesDouble(const double *in, double *out) {
  double value = in[threadIdx.x];
  if (lane() < 8)
    value += __shfl(value, 7, 8);
  if (value >= 0)
    out[threadIdx.x] = value;
}

template <bool bad> void run() {
  int *in = allocate<int>(2 * kItems), *out = allocate<int>(2 * kItems), *count = allocate<int>(1);
  auto *numbers = reinterpret_cast<double *>(in), *results = reinterpret_cast<double *>(out);
  LAUNCH(downInBranch, 1, in, out);
  LAUNCH(upInBranch, 1, in, out);
  LAUNCH(xorInBranch, 1, in, out);
  LAUNCH(leaderInOtherBranch, 1, in, out);
  LAUNCH(tailReturns, 1, in, out, 37);
  lastWarpIsPartial<bad><<<1, kOdd>>>(in, out);
  lastLane<bad><<<1, kOdd>>>(in, out);
  LAUNCH(loopsOfTheirOwn, 1, in, out);
  LAUNCH(activeMaskInBranch, 1, in, out);
  LAUNCH(doubles, 1, numbers, results);
  LAUNCH(constants, 1, out);
  LAUNCH(tileOfPart, 1, in, out);
  LAUNCH(votesAfterwards, 1, in, out);
  LAUNCH(otherGroup, 1, in, out);
  LAUNCH(neighbourInOtherGroup, 1, numbers, results);
  LAUNCH(groupsByMatch, 1, in, out);
  sumOfNamed<<<1, kBlock>>>(in, out, 16);
  sumOfWarp<<<2, kBlock>>>(in, out, 77);
  sumOfHalf<<<1, kBlock>>>(in, out);
  scanOfPart<<<1, kOdd>>>(in, out);
  sections<<<1, kOdd>>>(in, out);
  leaderAllocates<<<1, kOdd>>>(count, out);
  groupsOfAll<<<1, kOdd>>>(in, out);
  sharesDouble<<<1, kBlock>>>(numbers, results);
  neighbourOfLast<bad><<<1, kOdd>>>(in, out);
  int host[kOdd];
  HIP_CHECK(hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost));
  for (int *memory : {in, out, count})
    HIP_CHECK(hipFree(memory));
}
