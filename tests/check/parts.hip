// SPDX-License-Identifier: MIT
// Planted races where racecheck does not look at single accesses to whole words: bytes that share a word, members of structures that are accessed
// side by side, all rounds of a loop, and rows of lanes of which some are missing.
#include "planted.h"

#include <chrono>
#include <thread>

/// Most of the pairs below have one word in common, which both commands would miss if they came to it in the same nanoseconds (docs/checking.md).
inline void letTheFirstEnd() { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }

// On two streams, the first one before the second one.

template <bool bad> __global__ void writesBytes(char *p, int from) {
  p[from + globalId()] = static_cast<char>(globalId()); // finds: racecheck error
}
template <bool bad> __global__ void writesHalves(short *p, int from) {
  p[from + globalId()] = static_cast<short>(globalId()); // finds: racecheck error
}
template <bool bad> __global__ void readsBytes(const unsigned char *p, int from, int *out) {
  out[globalId()] = p[from + globalId()];
}
template <bool bad> __global__ void writesOneByte(unsigned char *p, int at) {
  if (globalId() == 0)
    p[at] = 1; // finds: racecheck error
}
template <bool bad> __global__ void writesMember(char4 *p) { p[globalId()].y = 1; }
template <bool bad> __global__ void writesNextMember(char4 *p) {
  (bad ? p[globalId()].y : p[globalId()].z) = 2; // finds: racecheck error
}
template <bool bad> __global__ void writesBesideCopy(char *p) {
  p[1 + globalId()] = 3; // finds: racecheck error
}
template <bool bad> __global__ void readsAWord(const int *p, int *out) { out[globalId()] = p[globalId()]; }
template <bool bad> __global__ void writesLastByte(unsigned char *p) {
  if (globalId() == 0)
    p[4 * kItems - (bad ? 1 : 0)] = 1; // finds: racecheck error
}

template <bool bad> __global__ void readsRows(const int *p, int length, int *out) {
  int sum = 0;
  for (int k = 0; k < length; ++k)
    sum += p[globalId() * size_t(length) + k];
  out[globalId()] = sum;
}
template <bool bad> __global__ void writesBehindRows(int *p, int at) {
  if (globalId() == 0)
    p[at] = 1; // finds: racecheck error
}
template <bool bad> __global__ void readsTriangle(const int *p, int *out) {
  int sum = 0;
  for (int k = 0; k <= static_cast<int>(threadIdx.x); ++k)
    sum += p[threadIdx.x * size_t(kBlock) + k];
  out[globalId()] = sum;
}
template <bool bad> __global__ void writesDiagonal(int *p, int at) {
  if (globalId() == 0)
    p[at] = 1; // finds: racecheck error
}
template <bool bad> __global__ void readsNothing(const int *p, int rounds, int *out) {
  int sum = 0;
  for (int k = 0; k < rounds; ++k)
    sum += p[k];
  out[globalId()] = sum;
}
template <bool bad> __global__ void writesFirst(int *p) {
  if (globalId() == 0)
    p[0] = 1; // finds: racecheck error
}
template <bool bad> __global__ void writesRows(int *p, int length) {
  for (int k = 0; k < length; ++k)
    p[globalId() * size_t(length) + k] = k;
}
template <bool bad> __global__ void readsOneOfRows(const int *p, int at, int *out) {
  out[globalId()] = p[at]; // finds: racecheck error
}

struct Three {
  float x, y, z;
};
template <bool bad> __global__ void writesThree(Three *p) { p[globalId()] = {1, 2, static_cast<float>(globalId())}; }
template <bool bad> __global__ void readsLastOfThree(const float *p, float *out) {
  out[globalId()] = p[3 * globalId() + (bad ? 2 : 3 * kItems)]; // finds: racecheck error
}
template <bool bad> __global__ void writesOneOfTwo(int *p, int *q, int which) {
  const int i = globalId();
  if (i == which)
    p[i] = i;
  else
    q[i] = i + 1;
}
template <bool bad> __global__ void readsOther(const int *p, int at, int *out) {
  out[globalId()] = p[at]; // finds: racecheck error
}

// Within a launch.

template <bool bad> __global__ void threeOfNeighbour(float *out) {
  __shared__ Three s[kBlock];
  const int t = threadIdx.x;
  s[t] = {1, 2, static_cast<float>(t)};
  if (!bad)
    __syncthreads();
  out[t] = s[(t + 32) % kBlock].z; // finds: racecheck error
}
template <bool bad> __global__ void sameMembers(float *out) {
  __shared__ Three s;
  s = {0, 0, bad ? static_cast<float>(threadIdx.x) : 0}; // finds: racecheck error
  __syncthreads();
  out[threadIdx.x] = s.z;
}
template <bool bad> __global__ void everySecondLane(int *p) { // blocks write the same words, or every second one each
  if ((threadIdx.x & 1) == (bad ? 0 : blockIdx.x))
    p[threadIdx.x] = blockIdx.x; // finds: racecheck error
}
template <bool bad> __global__ void everySecondShared(int *out) {
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  if (t % 2 == 0)
    s[t] = t;
  if (!bad)
    __syncthreads();
  if (t % 2)
    out[t] = s[(t + 31) % kBlock]; // finds: racecheck error
}
template <bool bad> __global__ void countsBesideWrites(int *out) {
  __shared__ int s[4];
  const int t = threadIdx.x;
  if (t < 4)
    s[t] = 0; // finds: racecheck error
  if (!bad)
    __syncthreads();
  atomicAdd(&s[(t + 1) % 4], 1);
  __syncthreads();
  out[t] = s[t % 4];
}
__device__ __noinline__ void sumOfBlock(int *s, int *out) {
  for (int width = kBlock / 2; width > 0; width /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < width)
      s[threadIdx.x] += s[threadIdx.x + width];
  }
  if (threadIdx.x == 0)
    *out = s[0];
}
template <bool bad> __global__ void barriersOfFunction(int *out) {
  __shared__ int s[kBlock];
  s[threadIdx.x] = threadIdx.x;
  sumOfBlock(s, out);
  if (!bad)
    __syncthreads();
  out[threadIdx.x + 1] = s[threadIdx.x / 2]; // finds: racecheck warning
}

template <bool bad> void run() {
  constexpr size_t count = 1 << 14;
  int *const p = allocate<int>(count), *const q = allocate<int>(count), *const out = allocate<int>(count);
  auto *const bytes = reinterpret_cast<char *>(p);
  auto *const halves = reinterpret_cast<short *>(p);
  auto *const unsignedBytes = reinterpret_cast<unsigned char *>(p);
  auto *const floats = reinterpret_cast<float *>(p);
  hipStream_t a, b;
  HIP_CHECK(hipStreamCreateWithFlags(&a, hipStreamNonBlocking));
  HIP_CHECK(hipStreamCreateWithFlags(&b, hipStreamNonBlocking));
#define PAIR(first, second, ofFirst, ofSecond)                                                                         \
  first<bad><<<kBlocks, kBlock, 0, a>>> ofFirst;                                                                       \
  letTheFirstEnd();                                                                                                    \
  second<bad><<<kBlocks, kBlock, 0, b>>> ofSecond;                                                                     \
  HIP_CHECK(hipDeviceSynchronize())
  constexpr int end = 1 + kItems; // neither end is one of words
  PAIR(writesBytes, writesBytes, (bytes, 1), (bytes, bad ? end - 1 : end));
  PAIR(writesHalves, writesHalves, (halves, 1), (halves, bad ? end - 1 : end));
  PAIR(readsBytes, writesOneByte, (unsignedBytes, 1, out), (unsignedBytes, bad ? 2 : 0));
  PAIR(writesMember, writesNextMember, (reinterpret_cast<char4 *>(p)), (reinterpret_cast<char4 *>(p)));
  writesBesideCopy<bad><<<kBlocks, kBlock, 0, a>>>(bytes);
  letTheFirstEnd();
  HIP_CHECK(hipMemcpyAsync(bytes + (bad ? end - 1 : end), q, 7, hipMemcpyDeviceToDevice, b));
  HIP_CHECK(hipDeviceSynchronize());
  PAIR(readsAWord, writesLastByte, (p, out), (unsignedBytes));
  PAIR(readsRows, writesBehindRows, (p, 100, out), (p, 100 * kItems - (bad ? 1 : 0)));
  PAIR(readsTriangle, writesDiagonal, (p, out), (p, bad ? 63 * kBlock + 63 : 62 * kBlock + 63));
  PAIR(readsNothing, writesFirst, (p, bad ? 1 : 0, out), (p));
  PAIR(writesRows, readsOneOfRows, (p, 13), (p, 13 * kItems - (bad ? 1 : 0), out));
  PAIR(writesThree, readsLastOfThree, (reinterpret_cast<Three *>(p)), (floats, reinterpret_cast<float *>(out)));
  PAIR(writesOneOfTwo, readsOther, (p, q, 5), (p, bad ? 5 : 4, out));
  LAUNCH(threeOfNeighbour, 1, floats);
  LAUNCH(sameMembers, 1, floats);
  LAUNCH(everySecondLane, kBlocks, p);
  LAUNCH(everySecondShared, 1, p);
  LAUNCH(countsBesideWrites, 1, p);
  LAUNCH(barriersOfFunction, 1, p);
  for (int *memory : {p, q, out})
    HIP_CHECK(hipFree(memory));
  HIP_CHECK(hipStreamDestroy(a));
  HIP_CHECK(hipStreamDestroy(b));
}
