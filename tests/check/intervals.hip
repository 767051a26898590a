// SPDX-License-Identifier: MIT
// Races in shared memory beside accesses that need no check because barriers alone order them (planted.h): variables that are only read
// between two barriers, and those of which each work-item has elements of its own. A block is 64 x 1, or 8 x 8.
#include "planted.h"

constexpr int kWide = 8;

__device__ inline int item() { return static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x); }

template <bool bad> __global__ void nextRoundWrites(int *out) { // what the last round still reads
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    s[t] = t + round;
    __syncthreads();
    sum += s[kBlock - 1 - t] + s[(t + 40) % kBlock]; // finds: racecheck error
    if (!bad)
      __syncthreads();
  }
  out[t] = sum;
}

template <bool bad>
__global__ void writesBehindBranch(int *out, int wanted) { // a write on one of two ways to the reads
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  if (wanted == 1) {
    s[t] = 2 * t; // finds: racecheck error
    if (!bad)
      __syncthreads();
  }
  out[t] = s[kBlock - 1 - t];
}

template <bool bad> __global__ void rowForAllRows(int *out) { // as many elements as a row of the block has work-items
  __shared__ int s[kBlock];
  const int at = bad ? threadIdx.x : item();
  s[at] = item(); // finds: racecheck error
  out[item()] = s[at];
}

template <bool bad> __global__ void columnForAllColumns(int *out) {
  __shared__ int s[kBlock];
  const int at = bad ? threadIdx.y : item();
  s[at] = item(); // finds: racecheck warning
  out[item()] = s[at];
}

template <bool bad> __global__ void rowsTooShort(int *out) {
  __shared__ int s[kBlock * 2];
  int *own = &s[threadIdx.y * (bad ? kWide - 1 : kWide + 1) + threadIdx.x];
  *own = item(); // finds: racecheck error
  out[item()] = *own;
}

template <bool bad> __global__ void columnsTooShort(int *out) {
  __shared__ int s[kBlock * 2];
  int *own = &s[threadIdx.x * (bad ? kWide / 2 : kWide) + threadIdx.y];
  *own = item(); // finds: racecheck error
  out[item()] = *own;
}

template <bool bad> __global__ void twoElementsEach(int *out) {
  __shared__ int s[2 * kBlock + 2];
  int *own = &s[threadIdx.x * (bad ? 1 : 2)];
  for (int i = 0; i < 2; ++i)
    own[i] = threadIdx.x; // finds: racecheck error
  out[threadIdx.x] = own[0] + own[1];
}

template <bool bad> __global__ void otherElementInNextRound(int *out) {
  __shared__ int s[2 * kBlock];
  const int t = threadIdx.x;
  for (int round = 0; round < 40; ++round)
    s[t + (bad ? round : 0)] = t; // finds: racecheck error
  out[t] = s[t];
}

template <bool bad> __global__ void bytesOfOwnWord(int *out) { // of which the neighbour has a part
  __shared__ int s[kBlock + 1];
  char *bytes = reinterpret_cast<char *>(s) + threadIdx.x * (bad ? 2 : 4);
  for (int i = 0; i < 4; ++i)
    bytes[i] = static_cast<char>(i); // finds: racecheck error
  out[threadIdx.x] = bytes[0];
}

__device__ __attribute__((noinline)) void writeAt(int *to, int value) {
  *to = value; // finds: racecheck error
}
template <bool bad> __global__ void functionWrites(int *out) { // where the kernel itself only reads
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  writeAt(&s[t], t);
  if (!bad)
    __syncthreads();
  out[t] = s[kBlock - 1 - t];
}

__shared__ int ofAllFunctions[kBlock];
__device__ __attribute__((noinline)) void writeOwn() {
  ofAllFunctions[threadIdx.x] = threadIdx.x; // finds: racecheck error
}
template <bool bad> __global__ void functionWritesItsVariable(int *out) {
  const int t = threadIdx.x;
  writeOwn();
  if (!bad)
    __syncthreads();
  out[t] = ofAllFunctions[kBlock - 1 - t];
}

template <bool bad> __global__ void oneOfTwoVariables(int *out, int wanted) {
  __shared__ int first[kBlock], second[kBlock];
  const int t = threadIdx.x;
  first[t] = second[t] = t;
  __syncthreads();
  int *to = wanted ? first : second;
  to[kBlock - 1 - t] = t; // finds: racecheck error
  if (!bad)
    __syncthreads();
  out[t] = first[t] + second[t];
}

template <bool bad> __global__ void atomicsBesideReads(int *out) {
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  atomicAdd(&s[t % 4], 1);
  if (!bad)
    __syncthreads();
  out[t] = s[(t + 32) % kBlock]; // finds: racecheck error
}

template <bool bad>
__global__ void onlyTheWriterNeedsIt(int *out, int wanted) { // as of an argument by value, which all read
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  const int last = s[kBlock - 1]; // finds: racecheck error
  if (t == 0) {
    if (wanted)
      out[kBlock] = last;
    s[kBlock - 1] = last + wanted;
  } else if (bad) {
    out[t] = last;
  }
  __syncthreads();
  out[t] += s[kBlock - 1];
}

template <bool bad> __global__ void onlyTheWriterNeedsThem(int2 *out, int wanted) {
  __shared__ int2 s[kBlock];
  const int t = threadIdx.x;
  s[t] = {t, -t};
  __syncthreads();
  const int2 last = s[kBlock - 1]; // finds: racecheck error
  if (t == 0) {
    if (wanted)
      out[kBlock] = last;
    s[kBlock - 1] = {last.x + wanted, last.y - wanted};
  } else if (bad) {
    out[t] = last;
  }
  __syncthreads();
  out[t].x += s[kBlock - 1].y;
}

template <bool bad> __global__ void neededBehindBarrier(int *out) {
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  const int last = s[kBlock - 1]; // finds: racecheck error
  if (!bad)
    __syncthreads();
  if (t == 0)
    s[kBlock - 1] = 1;
  __syncthreads();
  if (t % 2)
    out[t] = last;
}

extern __shared__ int dynamic[];
template <bool bad> __global__ void rowOfDynamicMemory(int *out) {
  const int at = bad ? threadIdx.x : item();
  dynamic[at] = item(); // finds: racecheck error
  out[item()] = dynamic[at];
}

template <bool bad> __global__ void dynamicMemoryTooEarly(int *out) {
  dynamic[threadIdx.x] = threadIdx.x; // finds: racecheck error
  if (!bad)
    __syncthreads();
  out[threadIdx.x] = dynamic[kBlock - 1 - threadIdx.x];
}

#define LAUNCH_SQUARE(kernel, ...)                                                                                     \
  kernel<bad><<<1, dim3(kWide, kWide), kBlock * sizeof(int)>>>(__VA_ARGS__);                                           \
  HIP_CHECK(hipDeviceSynchronize())

template <bool bad> void run() {
  int *out = allocate<int>(kBlock + 1);
  int2 *pairs = allocate<int2>(kBlock + 1);
  LAUNCH(nextRoundWrites, 1, out);
  LAUNCH(writesBehindBranch, 1, out, 1);
  LAUNCH_SQUARE(rowForAllRows, out);
  LAUNCH_SQUARE(columnForAllColumns, out);
  LAUNCH_SQUARE(rowsTooShort, out);
  LAUNCH_SQUARE(columnsTooShort, out);
  LAUNCH(twoElementsEach, 1, out);
  LAUNCH(otherElementInNextRound, 1, out);
  LAUNCH(bytesOfOwnWord, 1, out);
  LAUNCH(functionWrites, 1, out);
  LAUNCH(functionWritesItsVariable, 1, out);
  LAUNCH(oneOfTwoVariables, 1, out, 1);
  LAUNCH(atomicsBesideReads, 1, out);
  LAUNCH(onlyTheWriterNeedsIt, 1, out, 1);
  LAUNCH(onlyTheWriterNeedsThem, 1, pairs, 1);
  LAUNCH(neededBehindBarrier, 1, out);
  LAUNCH_SQUARE(rowOfDynamicMemory, out);
  LAUNCH(dynamicMemoryTooEarly, 1, out);
  HIP_CHECK(hipFree(out));
  HIP_CHECK(hipFree(pairs));
}
