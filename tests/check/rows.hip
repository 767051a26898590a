// SPDX-License-Identifier: MIT
// Races in rows of memory: what the lanes of a warp access together is looked at as a whole (planted.h). Rows of different types, at other
// places than lines begin, with gaps and against each other, and lines of which single words are accessed in between.
#include "planted.h"

struct Point {
  float x, y, z, w;
};

/// The work-item in the launch, or in the block, which all blocks have in common.
template <bool bad> __device__ int own() { return bad ? static_cast<int>(threadIdx.x) : globalId(); }

template <bool bad> __global__ void words(float *p) {
  p[own<bad>()] = globalId(); // finds: racecheck error
}
template <bool bad> __global__ void doubles(double *p) {
  p[own<bad>()] = globalId(); // finds: racecheck error
}
template <bool bad> __global__ void bytes(char *p) {
  p[own<bad>()] = static_cast<char>(globalId()); // finds: racecheck error
}
template <bool bad> __global__ void points(Point *p) {
  p[own<bad>()] = {1, 2, 3, static_cast<float>(globalId())}; // finds: racecheck error
}
template <bool bad> __global__ void members(Point *p) {
  p[own<bad>()].z = globalId(); // finds: racecheck error
}
template <bool bad> __global__ void membersOfBlocks(Point *p) { // one point, another member
  (&p[threadIdx.x].x)[bad ? 0 : blockIdx.x] = globalId();       // finds: racecheck error
}
template <bool bad> __global__ void bytesOfBlocks(char *p) {                   // one word, another byte
  p[4 * threadIdx.x + (bad ? 0 : blockIdx.x)] = static_cast<char>(globalId()); // finds: racecheck error
}
template <bool bad> __global__ void lastWord(float *p) { // the rows of two blocks have one word in common
  p[threadIdx.x + blockIdx.x * (bad ? kBlock - 1 : kBlock) + 3] = globalId(); // finds: racecheck error
}
template <bool bad> __global__ void reversed(float *p) {
  p[kItems - own<bad>()] = globalId(); // finds: racecheck error
}
template <bool bad> __global__ void wideSteps(float *p) {
  p[33 * own<bad>()] = globalId(); // finds: racecheck error
}
template <bool bad> __global__ void counted(int *p) { atomicAdd(p + globalId(), 1); }
template <bool bad> __global__ void behindCounts(int *p) {
  p[own<bad>()] = globalId(); // finds: racecheck error
}

// A value that one lane writes and all read.
template <bool bad, int lane> __device__ void passOn(int *p, int *q) {
  if (threadIdx.x == lane)
    p[blockIdx.x] = globalId();
  if (!bad)
    __syncwarp();
  if (threadIdx.x < 32)
    q[globalId()] = p[blockIdx.x]; // finds: racecheck warning
}
template <bool bad> __global__ void fromFirstLane(int *p) { passOn<bad, 0>(p, p + kItems); }
template <bool bad> __global__ void fromLastLane(int *p) { passOn<bad, 31>(p, p + kItems); }

// Neighbours within a warp and beyond it. Many blocks read a line before one of them writes to it.
template <bool bad> __global__ void neighbours(const float *in, float *out) {
  const int i = static_cast<int>(threadIdx.x) + 1;
  const float sum = in[i - 1] + in[i] + in[i + 1];
  out[bad ? i : globalId()] = sum; // finds: racecheck error
}
template <bool bad> __global__ void inPlace(float *p) {
  const int i = globalId() + 1;
  const float sum = p[i - 1] + p[i] + p[i + 1];
  if (bad)
    __syncthreads();
  p[bad ? i : kItems + 8 + i] = sum; // finds: racecheck error
}

// Shared memory.
template <bool bad> __global__ void sharedDoubles(double *out) {
  __shared__ double s[kBlock];
  const int t = threadIdx.x;
  s[t] = t;
  if (!bad)
    __syncthreads();
  out[globalId()] = s[(t + 32) % kBlock]; // finds: racecheck error
}
template <bool bad> __global__ void sharedVectors(float4 *out) {
  __shared__ float4 s[kBlock];
  const int t = threadIdx.x;
  s[t] = make_float4(1, 2, 3, t);
  __syncthreads();
  const float4 other = s[t ^ 32];
  if (!bad)
    __syncthreads();
  s[t] = make_float4(other.x, other.y, other.z, t); // finds: racecheck error
  __syncthreads();
  out[globalId()] = s[t];
}
template <bool bad> __global__ void sharedFromAll(float *out) { // all read the words that are written next
  __shared__ float s[kBlock];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < kBlock; ++i)
    sum += s[i];
  if (!bad)
    __syncthreads();
  s[t] = sum; // finds: racecheck error
  __syncthreads();
  out[globalId()] = s[t];
}
template <bool bad> __global__ void sharedOddRows(float *out) { // a row of 61 words
  __shared__ float s[kBlock];
  const int t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  if (t < kBlock - 3)
    s[t + 3] = t;
  if (!bad)
    __syncthreads();
  out[globalId()] = s[(t + 33) % kBlock]; // finds: racecheck error
}

template <bool bad> void run() {
  void *memory = allocate<double>(64 * kItems);
  auto *floats = static_cast<float *>(memory);
  auto *ints = static_cast<int *>(memory);
  LAUNCH(words, kBlocks, floats);
  LAUNCH(doubles, kBlocks, static_cast<double *>(memory));
  LAUNCH(bytes, kBlocks, static_cast<char *>(memory));
  LAUNCH(points, kBlocks, static_cast<Point *>(memory));
  LAUNCH(members, kBlocks, static_cast<Point *>(memory));
  LAUNCH(membersOfBlocks, kBlocks, static_cast<Point *>(memory));
  LAUNCH(bytesOfBlocks, kBlocks, static_cast<char *>(memory));
  LAUNCH(lastWord, kBlocks, floats);
  LAUNCH(reversed, kBlocks, floats);
  LAUNCH(wideSteps, kBlocks, floats);
  LAUNCH(counted, kBlocks, ints);
  LAUNCH(behindCounts, kBlocks, ints);
  LAUNCH(fromFirstLane, kBlocks, ints);
  LAUNCH(fromLastLane, kBlocks, ints);
  LAUNCH(neighbours, kBlocks, floats, floats + 8 * kItems);
  LAUNCH(inPlace, kBlocks, floats);
  LAUNCH(sharedDoubles, kBlocks, static_cast<double *>(memory));
  LAUNCH(sharedVectors, kBlocks, static_cast<float4 *>(memory));
  LAUNCH(sharedFromAll, kBlocks, floats);
  LAUNCH(sharedOddRows, kBlocks, floats);
  HIP_CHECK(hipFree(memory));
}
