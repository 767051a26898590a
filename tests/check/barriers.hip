// SPDX-License-Identifier: MIT
// Barriers in functions that are not inlined: each call is a barrier of its own (planted.h).
#include "planted.h"

__device__ __attribute__((noinline)) void meet() { __syncthreads(); }

__device__ __attribute__((noinline)) void meetTwice(int *out) {
  meet();
  out[threadIdx.x] += 1;
  meet();
}

__device__ __attribute__((noinline)) void reverse(int *s, int count) { // who returns here goes on in the kernel
  if (static_cast<int>(threadIdx.x) >= count)
    return;
  const int mine = s[count - 1 - threadIdx.x];
  __syncthreads(); // finds: synccheck error
  s[threadIdx.x] = mine;
}

__device__ __attribute__((noinline)) int countOf(bool condition) { return __syncthreads_count(condition); }

template <bool bad> __global__ void callsInArms(int *out) {
  if (bad && threadIdx.x < 32) {
    out[threadIdx.x] = 1;
    meet();
    out[threadIdx.x + kBlock] = 1;
  } else {
    out[threadIdx.x] = 2;
    meet(); // finds: synccheck error
  }
}

template <bool bad> __global__ void callsOfCalls(int *out) {
  if (bad && threadIdx.x < 32) {
    meetTwice(out);
  } else {
    meet(); // finds: synccheck error
    out[threadIdx.x] = 2;
    meet(); // finds: synccheck error
  }
}

template <bool bad> __global__ void callsInRounds(int *out) { // in step, but one is a call ahead
  for (int round = 0; round < 2; ++round) {
    if (!bad || round || threadIdx.x < 32)
      meet(); // finds: synccheck error
    out[threadIdx.x] += round;
  }
  if (bad && threadIdx.x >= 32)
    meet();
}

template <bool bad> __global__ void countsInArms(int *out) {
  if (bad && threadIdx.x < 32)
    out[threadIdx.x + kBlock] = countOf(threadIdx.x & 1);
  else
    out[threadIdx.x] = countOf(threadIdx.x & 2); // finds: synccheck error
}

template <bool bad> __global__ void returnsFromFunction(int *out) {
  __shared__ int s[kBlock];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  reverse(s, bad ? 32 : kBlock);
  out[threadIdx.x] = s[threadIdx.x];
}

// Barriers whose count differs, though it is made of what is the same for all.

template <bool bad> __global__ void countOfArms(int *out, int count) {
  int rounds = count;
  if (bad && threadIdx.x < 32)
    rounds = count + 1;
  for (int round = 0; round < rounds; ++round)
    __syncthreads(); // finds: synccheck error
  out[threadIdx.x] = rounds;
}

template <bool bad> __global__ void countOfRounds(int *out, int count) {
  int steps = 0;
  while (steps < (bad ? static_cast<int>(threadIdx.x / 32) : count))
    ++steps;
  if (steps > 0)
    __syncthreads(); // finds: synccheck error
  out[threadIdx.x] = steps;
}

struct Rounds {
  int first, second[4];
};

template <bool bad> __global__ void countOfParameter(int *out, Rounds rounds) {
  if (bad)
    rounds.second[1] += threadIdx.x / 32;
  for (int round = 0; round < rounds.second[1]; ++round)
    __syncthreads(); // finds: synccheck error
  out[threadIdx.x] = rounds.first;
}

template <bool bad> __global__ void countOfMemory(int *out, int *counts) { // which changes in between
  if (counts[blockIdx.x])
    __syncthreads(); // finds: synccheck error
  out[threadIdx.x] = 1;
  if (bad && threadIdx.x == 0)
    counts[blockIdx.x] = 1;
}

// Correct code that looks wrong at first sight.

__global__ void untilAllAre(int *out, Rounds rounds) {
  int mine = static_cast<int>(threadIdx.x % 5);
  while (__syncthreads_or(mine > 0)) {
    __syncthreads();
    mine -= rounds.first;
  }
  out[threadIdx.x] = mine;
}

__global__ void sameForAll(int *out, int choice) {
  for (int round = 0; round < 3; ++round) {
    if ((round + choice) & 1)
      meetTwice(out);
    else
      meet();
    out[threadIdx.x] += 1;
  }
  switch (choice) {
  case 0: meet(); break;
  case 1: meetTwice(out); break;
  default: out[threadIdx.x] = countOf(true); break;
  }
}

__device__ __attribute__((noinline)) void deeper(int *out, int depth) { // stays a function
  meet();
  out[threadIdx.x] += depth;
  if (depth > 0)
    deeper(out, depth - 1);
}

__global__ void recursive(int *out, int depth) { deeper(out, depth); }

template <bool bad> void run() {
  int *out = allocate<int>(kItems);
  LAUNCH(callsInArms, 1, out);
  LAUNCH(callsOfCalls, 1, out);
  LAUNCH(callsInRounds, 1, out);
  LAUNCH(countsInArms, 1, out);
  LAUNCH(returnsFromFunction, 1, out);
  const Rounds rounds{1, {1, 2, 3, 4}};
  int *counts = allocate<int>(kBlocks);
  LAUNCH(countOfArms, 1, out, 2);
  LAUNCH(countOfRounds, 1, out, 1);
  LAUNCH(countOfParameter, 1, out, rounds);
  LAUNCH(countOfMemory, 1, out, counts);
  HIP_CHECK(hipFree(counts));
  untilAllAre<<<1, kBlock>>>(out, rounds);
  sameForAll<<<1, kBlock>>>(out, 1);
  sameForAll<<<1, kBlock>>>(out, 2);
  recursive<<<1, kBlock>>>(out, 3);
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipFree(out));
}
