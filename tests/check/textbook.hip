// SPDX-License-Identifier: MIT
// Defects as tutorials, forums and papers describe them, in the form that beginners write them in, and the repaired kernels (planted.h).
#include "planted.h"

constexpr int kRadius = 2, kSide = 8, kInts = int{sizeof(int)};

// Shared memory.

template <bool bad> __global__ void blurWithHalo(const int *in, int *out) { // the first threads load the halo
  __shared__ int s[kBlock + 2 * kRadius];
  const int t = static_cast<int>(threadIdx.x), at = t + kRadius;
  s[at] = in[t];
  if (t < kRadius) {
    s[at - kRadius] = 0;
    s[at + kBlock] = in[t + kBlock];
  }
  if (!bad)
    __syncthreads();
  int sum = 0;
  for (int k = -kRadius; k <= kRadius; ++k)
    sum += s[at + k]; // finds: racecheck error
  out[t] = sum;
}

template <bool bad> __global__ void haloOfSquare(const int *in, int *out) { // 8 x 8 threads
  __shared__ int s[kSide + 2][kSide + 2];
  const int x = threadIdx.x % kSide, y = threadIdx.x / kSide;
  s[y + 1][x + 1] = in[y * kSide + x];
  if (x == 0)
    s[y + 1][0] = s[y + 1][kSide + 1] = 0;
  if (y == kSide - 1)
    s[0][x + 1] = s[kSide + 1][x + 1] = 0;
  if (!bad)
    __syncthreads();
  out[y * kSide + x] = s[y][x + 1] + s[y + 2][x + 1] + s[y + 1][x] + s[y + 1][x + 2]; // finds: racecheck error
}

template <bool bad> __global__ void lastWarpUnrolled(const int *in, int *out) { // without volatile or __syncwarp
  __shared__ int s[2 * kBlock];
  const unsigned t = threadIdx.x;
  s[t] = in[t], s[t + kBlock] = in[t + kBlock];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 64] + s[t + 32] + s[t + 96];
    for (int by = 16; by > 0; by /= 2) {
      if (!bad)
        __syncwarp();
      const int other = s[t + by]; // finds: racecheck warning
      if (!bad)
        __syncwarp();
      s[t] += other;
    }
  }
  if (t == 0)
    out[0] = s[0];
}

template <bool bad> __device__ int sumOfBlock(int value) { // its shared memory is used again by the next call
  __shared__ int parts[kBlock / 32];
  for (int by = 16; by > 0; by /= 2)
    value += __shfl_down(value, by);
  if (threadIdx.x % 32 == 0)
    parts[threadIdx.x / 32] = value; // finds: racecheck error
  __syncthreads();
  const int sum = parts[0] + parts[1];
  if (!bad)
    __syncthreads();
  return sum;
}
template <bool bad> __global__ void meanAndVariance(const int *in, int *out) {
  const int value = in[threadIdx.x], mean = sumOfBlock<bad>(value) / kBlock, difference = value - mean;
  const int variance = sumOfBlock<bad>(difference * difference);
  if (threadIdx.x == 0)
    out[0] = mean, out[1] = variance;
}

template <bool bad> __global__ void softmax(const int *in, int *out) { // maximum and sum in one array
  __shared__ int s[kBlock];
  const int t = threadIdx.x, value = in[t];
  s[t] = value;
  __syncthreads();
  for (int width = kBlock / 2; width > 0; width /= 2) {
    if (t < width)
      s[t] = max(s[t], s[t + width]);
    __syncthreads();
  }
  const int most = s[0];
  if (!bad)
    __syncthreads();
  s[t] = most - value; // finds: racecheck error
  __syncthreads();
  for (int width = kBlock / 2; width > 0; width /= 2) {
    if (t < width)
      s[t] += s[t + width];
    __syncthreads();
  }
  out[t] = value * s[0];
}

template <bool bad> __global__ void broadcastByOne(const int *in, int *out) {
  __shared__ int factor;
  if (threadIdx.x == 0)
    factor = in[blockIdx.x];
  if (!bad)
    __syncthreads();
  out[globalId()] = factor * in[globalId()]; // finds: racecheck error
}

template <bool bad> __global__ void compaction(const int *in, int *out) { // a counter of the block
  __shared__ int count;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  if (in[threadIdx.x] == 0) {
    int place;
    if (bad)
      place = count++; // finds: racecheck error
    else
      place = atomicAdd(&count, 1);
    out[threadIdx.x] = place;
  }
}

template <bool bad> __global__ void countsAreMergedEarly(const int *in, int *out) {
  __shared__ int bins[kSide];
  if (threadIdx.x < kSide)
    bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[(in[threadIdx.x] + threadIdx.x) % kSide], 1);
  if (!bad)
    __syncthreads();
  if (threadIdx.x < kSide)
    atomicAdd(&out[threadIdx.x], bins[threadIdx.x]); // finds: racecheck error
}

template <bool bad> __global__ void twoArraysOfOne(const int *in, int *out) { // the second begins inside of the first
  extern __shared__ int dynamic[];
  int *first = dynamic;
  auto *second = reinterpret_cast<short *>(dynamic + kBlock / 2 - (bad ? kBlock / 4 : 0));
  if (threadIdx.x < kBlock / 2)
    first[threadIdx.x] = in[threadIdx.x];
  else
    second[threadIdx.x - kBlock / 2] = 1; // finds: racecheck error
  __syncthreads();
  out[threadIdx.x] = first[threadIdx.x / 2] + second[threadIdx.x / 2];
}

template <bool bad> __global__ void tilesOfVector(const int *matrix, const int *vector, int *out) { // kBlock x kItems
  __shared__ int tile[kBlock];
  int sum = 0;
  for (int first = 0; first < kItems; first += kBlock) {
    tile[threadIdx.x] = vector[first + threadIdx.x]; // finds: racecheck error
    __syncthreads();
    for (int k = 0; k < kBlock; ++k)
      sum += matrix[k] * tile[k];
    if (!bad)
      __syncthreads();
  }
  out[threadIdx.x] = sum;
}

template <bool bad> __global__ void doubleBuffer(const int *in, int *out) { // bad: the buffers never change
  __shared__ int s[2][kBlock];
  const int t = threadIdx.x;
  s[0][t] = in[t];
  __syncthreads();
  for (int round = 0; round < 4; ++round) {
    const int now = round & 1, next = bad ? now : 1 - now;
    s[next][t] = s[now][(t + 33) % kBlock]; // finds: racecheck error
    __syncthreads();
    if (bad)
      break;
  }
  out[t] = s[0][t];
}

template <bool bad> __global__ void exclusiveScan(const int *in, int *out) { // the shift at the end
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int by = 1; by < kBlock; by *= 2) {
    const int below = t >= by ? s[t - by] : 0;
    __syncthreads();
    s[t] += below;
    if (!bad || by < kBlock / 2)
      __syncthreads();
  }
  out[t] = t ? s[t - 1] : 0; // finds: racecheck error
}

template <bool bad> __global__ void everyWarpCounts(int *data, int *out) { // which is no order of what they count
  __shared__ int s[kBlock], count;
  const int t = static_cast<int>(threadIdx.x), other = (t + 32) % kBlock;
  if (t == 0)
    count = 0;
  __syncthreads();
  s[t] = data[t] = t;
  if (bad && t % 32 == 0) {
    atomicAdd(&count, 1);
    atomicAdd(out, 1);
  } else if (!bad) {
    __syncthreads();
  }
  out[kBlock + t] = s[other];        // finds: racecheck error
  out[2 * kBlock + t] = data[other]; // finds: racecheck error
}

__global__ void warpsHandOver(int *data, int *flag, int *out) { // is clean: from the first warp to the second
  __shared__ int s[32], ready;
  const int t = static_cast<int>(threadIdx.x);
  if (t == 0)
    ready = 0;
  __syncthreads();
  if (t < 32) {
    s[t] = data[t] = t;
    __threadfence_block();
    __syncwarp();
    if (t == 0) {
      atomicExch(&ready, 1);
      atomicExch(flag, 1);
    }
  } else {
    if (t == 32)
      while (atomicAdd(&ready, 0) == 0 || atomicAdd(flag, 0) == 0)
        ;
    __syncwarp();
    out[t] = s[t - 32] + data[t - 32];
  }
}

// Global memory.

template <bool bad> __global__ void jacobiInPlace(const int *from, int *to) {
  const int i = globalId();
  if (i > 0 && i < kItems - 1)
    to[i] = ((bad ? to : from)[i - 1] + (bad ? to : from)[i + 1]) / 2; // finds: racecheck error
}

template <bool bad> __global__ void histogramOfAll(const int *in, int *bins) {
  if (bad)
    bins[in[globalId()]]++; // finds: racecheck error
  else
    atomicAdd(&bins[in[globalId()]], 1);
}

template <bool bad> __global__ void pushesToList(int *next, int *head) {
  const int i = globalId();
  if (bad) {
    next[i] = *head;
    *head = i; // finds: racecheck error
  } else {
    next[i] = atomicExch(head, i);
  }
}

template <bool bad> __global__ void maximumOfAll(const int *in, int *most) { // asks first, then writes
  const int value = in[globalId()] + globalId();
  if (bad) {
    if (value > *most)
      *most = value; // finds: racecheck error
  } else {
    atomicMax(most, value);
  }
}

template <bool bad> __global__ void spinLock(int *sum, int *lock) { // the lock is opened without a fence
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0)
      ;
    *sum += 1; // finds: racecheck warning
    if (!bad)
      __threadfence();
    atomicExch(lock, 0);
  }
}

template <bool bad> __global__ void opensLockPlainly(int *sum, int *lock) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0)
      ;
    *sum += 1; // finds: racecheck error
    __threadfence();
    if (bad)
      *lock = 0; // finds: racecheck error
    else
      atomicExch(lock, 0);
  }
}

template <bool bad> __global__ void bothHalves(int *out) { // the second half has one block too few
  const int half = kItems / 2, i = globalId() % half;
  out[globalId() < half || bad ? i : half + i] = globalId(); // finds: racecheck error
}

// Outside of memory.

template <bool bad> __global__ void gridStride(int *out, int count) {
  const int step = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = globalId(); bad ? i <= count : i < count; i += step)
    out[i] = i; // finds: memcheck error
}

template <bool bad> __global__ void elementsForBytes(int *out, int count) { // of an allocation with count bytes
  const int i = globalId();
  if (i < (bad ? count : count / kInts))
    out[i] = i; // finds: memcheck error
}

template <bool bad> __global__ void rowsForColumns(int *out, int width, int height) {
  const int x = globalId() % width, y = globalId() / width;
  if (y < height)
    out[bad ? x * width + y : y * width + x] = 1; // finds: memcheck error
}

template <bool bad> __global__ void fourAtOnce(const float *in, float4 *out) { // from an odd element on
  if (globalId() < 4)
    out[globalId()] = *reinterpret_cast<const float4 *>(in + 4 * globalId() + bad); // finds: memcheck error
}

template <bool bad> __global__ void wordOfText(const char *text, int *out) {
  if (globalId() < 4)
    out[globalId()] = *reinterpret_cast<const int *>(text + 4 * globalId() + (bad ? 2 : 0)); // finds: memcheck error
}

struct Person {
  int age;
  char name[12];
};

template <bool bad> __global__ void namesTooLong(Person *people, int count) { // the last one leaves the allocation
  const int i = globalId();
  if (i < count)
    for (int k = 0; k < 12 + bad; ++k)
      people[i].name[k] = 'x'; // finds: memcheck error
}

template <bool bad> __global__ void localMatrix(int *out, int rows) {
  int m[4][4];
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < 4; ++x)
      m[y][x] = x * y + rows; // finds: memcheck error
  out[globalId()] = m[rows & 3][1];
}

template <bool bad> __global__ void haloIsForgotten(const int *in, int *out) { // neighbours of the first and the last
  const int i = globalId();
  if (bad || i < kItems - 1)
    out[i] = in[i] + in[i + 1]; // finds: memcheck error
}

template <bool bad> __global__ void dynamicIsTooSmall(int *out) { // for two arrays, and the launch gives one
  extern __shared__ int dynamic[];
  dynamic[threadIdx.x] = 1;
  int *second = dynamic + (bad ? kBlock : 0);
  __syncthreads();
  second[threadIdx.x] += 2; // finds: memcheck error
  __syncthreads();
  out[threadIdx.x] = dynamic[threadIdx.x];
}

// Barriers and masks.

template <bool bad> __global__ void reductionOfThinnedThreads(const int *in, int *out) { // the barrier is in the branch
  __shared__ int s[kBlock];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (unsigned by = 1; by < kBlock; by *= 2) {
    if (t < kBlock / 2 / by) {
      if (bad && by == 1)
        __syncthreads(); // finds: synccheck error
      if (!bad)
        s[2 * by * t] += s[2 * by * t + by];
    }
    if (!bad)
      __syncthreads();
  }
  out[t] = s[t] + s[0];
}

template <bool bad> __global__ void guardReturns(const int *in, int *out, int count) { // at the top of a tiled kernel
  __shared__ int s[kBlock];
  const int i = globalId();
  if (bad && i >= count)
    return;
  s[threadIdx.x] = i < count ? in[i] : 0;
  __syncthreads(); // finds: synccheck warning
  if (i < count)
    out[i] = s[threadIdx.x ^ 1];
}

template <bool bad> __global__ void whileNotDone(const int *in, int *out) { // each thread leaves when it is done
  int value = in[threadIdx.x] + static_cast<int>(threadIdx.x);
  while (bad ? value < kBlock : __syncthreads_or(value < kBlock)) {
    value += 32;
    out[threadIdx.x] = value;
    if (bad)
      __syncthreads(); // finds: synccheck error
  }
  out[threadIdx.x] = value + 1;
}

template <bool bad> __global__ void barrierInCase(int *out) {
  switch (bad ? threadIdx.x / 32 : 1) {
  case 0:
    out[threadIdx.x] = 0;
    __syncthreads();
    break;
  default:
    out[threadIdx.x] = 1;
    __syncthreads(); // finds: synccheck error
    break;
  }
}

template <bool bad> __global__ void maskOfOtherCondition(const int *in, int *out, int count) {
  const int i = static_cast<int>(threadIdx.x);
  const auto mask = __ballot_sync(0xffffffffffffffffull, i < count + bad);
  int value = in[i];
  if (i < count)
    value += __shfl_down_sync(mask, value, 1); // finds: synccheck error
  out[i] = value;
}

template <bool bad> __global__ void maskOfHalf(int *out) {                             // all come
  out[threadIdx.x] = __shfl_xor_sync(bad ? 0xffffull : 0xffffffffull, threadIdx.x, 1); // finds: synccheck error
}

template <bool bad> void run() {
  int *in = allocate<int>(4 * kItems), *out = allocate<int>(4 * kItems), *one = allocate<int>(1),
      *lock = allocate<int>(1);
  LAUNCH(blurWithHalo, 1, in, out);
  LAUNCH(haloOfSquare, 1, in, out);
  LAUNCH(lastWarpUnrolled, 1, in, out);
  LAUNCH(meanAndVariance, 1, in, out);
  LAUNCH(softmax, 1, in, out);
  LAUNCH(broadcastByOne, kBlocks, in, out);
  LAUNCH(compaction, 1, in, out);
  LAUNCH(countsAreMergedEarly, 1, in, out);
  LAUNCH(everyWarpCounts, 1, in + kItems, out);
  warpsHandOver<<<1, kBlock>>>(in + kItems, lock, out);
  HIP_CHECK(hipMemset(lock, 0, sizeof(int)));
  LAUNCH(twoArraysOfOne, 1, in, out);
  LAUNCH(tilesOfVector, 1, in, in, out);
  LAUNCH(doubleBuffer, 1, in, out);
  LAUNCH(exclusiveScan, 1, in, out);
  LAUNCH(jacobiInPlace, kBlocks, in, out);
  LAUNCH(histogramOfAll, kBlocks, in, out);
  LAUNCH(pushesToList, kBlocks, out, one);
  HIP_CHECK(hipMemset(one, 0, sizeof(int)));
  LAUNCH(maximumOfAll, kBlocks, in, one);
  LAUNCH(spinLock, kBlocks, one, lock);
  LAUNCH(opensLockPlainly, kBlocks, one, lock);
  LAUNCH(bothHalves, kBlocks, out);
  int *exact = allocate<int>(kItems);
  LAUNCH(gridStride, 1, exact, kItems);
  HIP_CHECK(hipFree(exact));
  exact = reinterpret_cast<int *>(allocate<char>(kBlock));
  LAUNCH(elementsForBytes, 1, exact, kBlock);
  HIP_CHECK(hipFree(exact));
  exact = allocate<int>(16 * 4);
  LAUNCH(rowsForColumns, 1, exact, 16, 4);
  LAUNCH(fourAtOnce, 1, reinterpret_cast<float *>(in), reinterpret_cast<float4 *>(out));
  LAUNCH(wordOfText, 1, reinterpret_cast<char *>(in), out);
  HIP_CHECK(hipFree(exact));
  auto *people = allocate<Person>(kItems);
  LAUNCH(namesTooLong, kBlocks, people, kItems);
  HIP_CHECK(hipFree(people));
  LAUNCH(localMatrix, 1, out, bad ? 5 : 4);
  exact = allocate<int>(kItems);
  LAUNCH(haloIsForgotten, kBlocks, exact, out);
  HIP_CHECK(hipFree(exact));
  LAUNCH(dynamicIsTooSmall, 1, out);
  LAUNCH(reductionOfThinnedThreads, 1, in, out);
  LAUNCH(guardReturns, kBlocks, in, out, kItems - 10);
  LAUNCH(whileNotDone, 1, in, out);
  LAUNCH(barrierInCase, 1, out);
  LAUNCH(maskOfOtherCondition, 1, in, out, 20);
  LAUNCH(maskOfHalf, 1, out);
  for (int *memory : {in, out, one, lock})
    HIP_CHECK(hipFree(memory));
}
