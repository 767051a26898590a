// SPDX-License-Identifier: MIT
// Races in shared memory between two barriers that all work-items come to. Racecheck looks at such accesses together, at the next barrier
// (planted.h). Indices come from memory or from loops, so that the compiler cannot leave anything out.
#include "planted.h"

constexpr int kWarp = 32, kTile = 16, kOdd = 100;

template <bool bad> __global__ void neighbourOfOtherWarp(int *out, int far) { // writes, then reads
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  s[t] = t;
  if (!bad)
    __syncthreads();
  out[t] = s[t ^ far]; // finds: racecheck error
}

template <bool bad> __global__ void neighbourOfSameWarp(int *out, int near) {
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  s[t] = t;
  if (!bad)
    __syncthreads();
  out[t] = s[t ^ near]; // finds: racecheck warning
}

template <bool bad> __global__ void readThenWritten(int *out, int last) {
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  const int value = s[last - t];
  if (!bad)
    __syncthreads();
  s[t] = value + 1; // finds: racecheck error
  out[t] = s[t];
}

template <bool bad> __global__ void writtenTwice(int *out, int size) {
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  s[bad ? t % size : t] = t; // finds: racecheck error
  __syncthreads();
  out[t] = s[t];
}

template <bool bad> __global__ void writtenTwiceByWarp(int *out, int size) {
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  s[bad ? t / size : t] = t; // finds: racecheck warning
  __syncthreads();
  out[t] = s[t];
}

template <bool bad> __global__ void sameValue(int *out, int at) { // is no race if it is a constant
  __shared__ int s[2];
  if (bad)
    s[at] = threadIdx.x; // finds: racecheck error
  else
    s[at] = 7;
  __syncthreads();
  out[threadIdx.x] = s[at];
}

template <bool bad> __global__ void behindLoop(int *out, int rounds, int last) {
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    s[t] = round;
    __syncthreads();
    sum += s[last - t];
    __syncthreads();
  }
  s[t] = sum; // finds: racecheck error
  if (!bad)
    __syncthreads();
  out[t] = s[last - t];
}

template <bool bad> __global__ void inLastRound(int *out, int rounds, int last) {
  __shared__ int s[2][kBlock];
  const int t = threadIdx.x;
  int p = 0;
  for (int round = 0; round < rounds; ++round) {
    s[p][t] = round;
    __syncthreads();
    const int to = bad && round == rounds - 1 ? p : 1 - p;
    s[to][t] = s[p][last - t]; // finds: racecheck error
    p = to;
    __syncthreads();
  }
  out[t] = s[p][t];
}

template <bool bad> __global__ void scanOfOneBuffer(int *out) {
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int d = 1; d < kBlock; d *= 2) {
    const int value = t >= d ? s[t - d] : 0;
    if (!bad)
      __syncthreads();
    s[t] += value; // finds: racecheck error
    __syncthreads();
  }
  out[t] = s[t];
}

extern __shared__ int dynamic[];
template <bool bad> __global__ void scanOfDynamicBuffers(int *out) {
  const int t = threadIdx.x;
  int p = 0;
  dynamic[t] = t;
  __syncthreads();
  for (int d = 1; d < kBlock; d *= 2) {
    const int to = bad ? p : 1 - p, from = p * kBlock + t;
    const int sum = dynamic[from] + (t >= d ? dynamic[from - d] : 0);
    dynamic[to * kBlock + t] = sum; // finds: racecheck error
    p = to;
    __syncthreads();
  }
  out[t] = dynamic[p * kBlock + t];
}

template <bool bad> __global__ void treeOfHalves(int *out) {
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  s[t] = t;
  if (!bad)
    __syncthreads();
  for (int w = kBlock / 2; w > 0; w /= 2) {
    if (t < w)
      s[t] += s[t + w]; // finds: racecheck error
    __syncthreads();
  }
  if (t == 0)
    out[0] = s[0];
}

template <bool bad> __global__ void treeOfNeighbours(int *out) { // of lanes that are not side by side
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int w = 1; w < kBlock; w *= 2) {
    if (t % (2 * w) == 0)
      s[t] += s[t + w]; // finds: racecheck error
    if (!bad || w != kBlock / 4)
      __syncthreads();
  }
  if (t == 0)
    out[0] = s[0];
}

template <bool bad> __global__ void scattered(int *out, const int *to) {
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  s[to[t]] = t; // finds: racecheck error
  __syncthreads();
  out[t] = s[t];
}

template <bool bad> __global__ void scatteredInWarp(int *out, const int *to) {
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  s[to[t]] = t; // finds: racecheck warning
  __syncthreads();
  out[t] = s[t];
}

template <bool bad> __global__ void bytesOfOneWord(int *out, int next) { // are not the same memory
  __shared__ char s[kBlock + 1];
  const int t = threadIdx.x;
  s[t + next] = static_cast<char>(t); // finds: racecheck error
  if (bad)
    s[t] = static_cast<char>(t);
  __syncthreads();
  out[t] = s[t];
}

template <bool bad> __global__ void wideElements(int *out, int next) {
  __shared__ float4 s[kBlock + 1];
  const float *const words = &s[0].x;
  const int t = threadIdx.x;
  s[t] = make_float4(t, t, t, t);
  if (!bad)
    __syncthreads();
  out[t] = static_cast<int>(words[4 * (t + next) + 3]); // finds: racecheck error
}

template <bool bad> __global__ void moreThanCanWait(int *out, int many) {
  __shared__ int s[2][kBlock];
  const int t = threadIdx.x;
  s[0][t] = t;
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < many; ++i)
    sum += s[0][(t + i) % kBlock];
  s[bad ? many % 2 : 1][t] = sum; // finds: racecheck error
  __syncthreads();
  out[t] = s[1][t];
}

template <bool bad>
__global__ void manyBarriers(int *out, int rounds, int last) { // more than epochs of global memory have numbers
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  for (int round = 0; round < rounds; ++round)
    __syncthreads();
  s[t] = t;
  if (!bad)
    __syncthreads();
  out[last - t] = s[last - t]; // finds: racecheck error
}

template <bool bad>
__global__ void inSecondBlock(int *out, int last) { // the first one has no barrier at its end either
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  const bool isBad = bad && blockIdx.x == 1;
  s[t] = t;
  out[globalId()] = s[isBad ? last - t : t]; // finds: racecheck error
}

template <bool bad> __global__ void tile(int *out, int pitch) {
  __shared__ int s[kTile * (kTile + 1)];
  const int x = threadIdx.x, y = threadIdx.y;
  s[y * pitch + x] = x;
  if (!bad)
    __syncthreads();
  out[y * kTile + x] = s[x * pitch + y]; // finds: racecheck error
}

template <bool bad> __global__ void tileThatIsTooNarrow(int *out, int pitch) {
  __shared__ int s[kTile * (kTile + 1)];
  const int x = threadIdx.x, y = threadIdx.y;
  s[y * (bad ? pitch - 2 : pitch) + x] = x; // finds: racecheck error
  __syncthreads();
  out[y * kTile + x] = s[x * pitch + y];
}

template <bool bad> __global__ void oddBlock(int *out, int last) { // its last warp has four work-items
  __shared__ int s[kOdd];
  const int t = threadIdx.x;
  s[t] = t;
  if (!bad)
    __syncthreads();
  out[t] = s[last - t]; // finds: racecheck error
}

template <bool bad> __global__ void lastWarpOfOddBlock(int *out, int last) {
  __shared__ int s[kOdd];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  if (t >= 3 * kWarp)
    s[bad ? last - t : t] += 1; // finds: racecheck error
  out[t] = s[t];
}

template <bool bad>
__global__ void pastReturn(int *out, int size, int last) { // work-items that have returned need not come
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  if (t >= size)
    return;
  s[t] = 1; // finds: racecheck error
  out[t] = s[bad ? last - t : t];
}

template <bool bad>
__global__ void addedInTheEnd(int *out) { // an atomic operation in global memory beside accesses that wait
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int w = kBlock / 2; w > 0; w /= 2) {
    if (t < w)
      s[t] += s[t + w];
    __syncthreads();
  }
  if (t == 0)
    s[kBlock - 1] = 1; // finds: racecheck error
  if (t == 0)
    atomicAdd(out, s[0]);
  if (t == (bad ? kBlock - 1 : 0))
    out[1] = s[kBlock - 1];
}

template <bool bad> void run() {
  int *out = allocate<int>(kTile * kTile), *to = allocate<int>(kBlock);
  const auto scatterTo = [&](auto place) {
    int places[kBlock];
    for (int t = 0; t < kBlock; ++t)
      places[t] = place(t);
    HIP_CHECK(hipMemcpy(to, places, sizeof places, hipMemcpyHostToDevice));
  };
  constexpr int kLast = kBlock - 1;
  LAUNCH(neighbourOfOtherWarp, 1, out, kWarp);
  LAUNCH(neighbourOfSameWarp, 1, out, 1);
  LAUNCH(readThenWritten, 1, out, kLast);
  LAUNCH(writtenTwice, 1, out, kWarp);
  LAUNCH(writtenTwiceByWarp, 1, out, 2);
  LAUNCH(sameValue, 1, out, 1);
  LAUNCH(behindLoop, 1, out, 20, kLast);
  LAUNCH(inLastRound, 1, out, 20, kLast);
  LAUNCH(scanOfOneBuffer, 1, out);
  scanOfDynamicBuffers<bad><<<1, kBlock, 2 * kBlock * sizeof(int)>>>(out);
  LAUNCH(treeOfHalves, 1, out);
  LAUNCH(treeOfNeighbours, 1, out);
  scatterTo([](int t) { return t * 7 % (bad ? kBlock - 4 : kBlock); });
  LAUNCH(scattered, 1, out, to);
  scatterTo([](int t) { return bad && t == 5 ? 9 : t; });
  LAUNCH(scatteredInWarp, 1, out, to);
  LAUNCH(bytesOfOneWord, 1, out, 1);
  LAUNCH(wideElements, 1, out, bad ? 1 : 0);
  LAUNCH(moreThanCanWait, 1, out, 3000);
  LAUNCH(manyBarriers, 1, out, 40000, kLast);
  LAUNCH(inSecondBlock, 2, out, kLast);
  tile<bad><<<1, dim3(kTile, kTile)>>>(out, kTile + 1);
  tileThatIsTooNarrow<bad><<<1, dim3(kTile, kTile)>>>(out, kTile + 1);
  oddBlock<bad><<<1, kOdd>>>(out, kOdd - 1);
  lastWarpOfOddBlock<bad><<<1, kOdd>>>(out, kOdd - 1);
  LAUNCH(pastReturn, 1, out, 40, 39);
  LAUNCH(addedInTheEnd, 1, out);
  HIP_CHECK(hipFree(out));
  HIP_CHECK(hipFree(to));
}
