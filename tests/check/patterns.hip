// SPDX-License-Identifier: MIT
// The patterns that kernels are made of, with a barrier or an index forgotten, and right: sums, scans, stencils, transpositions, sorting networks,
// products of matrices, buffers that change roles, histograms, lists, lanes of a warp that write one word, and warps that meet.
#include "planted.h"

constexpr int kWide = 8; // of a tile; a block is 8 x 8

// Shared memory.

template <bool bad> __global__ void scanInPlace(int *out) {
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int offset = 1; offset < kBlock; offset *= 2) {
    const int below = t >= offset ? s[t - offset] : 0; // finds: racecheck error
    if (!bad)
      __syncthreads();
    s[t] += below;
    __syncthreads();
  }
  out[t] = s[t];
}

template <bool bad> __global__ void scanOfTwoBuffers(int *out) {
  __shared__ int s[2][kBlock];
  const int t = threadIdx.x;
  int from = 0;
  s[0][t] = t;
  __syncthreads();
  for (int offset = 1; offset < kBlock; offset *= 2) {
    s[bad ? from : 1 - from][t] = s[from][t] + (t >= offset ? s[from][t - offset] : 0); // finds: racecheck error
    from = bad ? from : 1 - from;
    __syncthreads();
  }
  out[t] = s[from][t];
}

template <bool bad> __global__ void stencil(const int *in, int *out) {
  __shared__ int s[kBlock + 2];
  const int t = threadIdx.x;
  s[t + 1] = in[t];
  if (t == 0)
    s[0] = s[kBlock + 1] = 0;
  if (!bad)
    __syncthreads();
  out[t] = s[t] + s[t + 1] + s[t + 2]; // finds: racecheck error
}

template <bool bad> __global__ void roundsOfStencil(int *out, int rounds) {
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    const int sum = s[(t + 32) % kBlock] + s[t]; // finds: racecheck error
    if (!bad)
      __syncthreads();
    s[t] = sum;
    __syncthreads();
  }
  out[t] = s[t];
}

template <bool bad> __global__ void transposition(const int *in, int *out) {
  __shared__ int tile[kWide][kWide + 1];
  const int x = threadIdx.x % kWide, y = threadIdx.x / kWide;
  tile[y][x] = in[threadIdx.x];
  if (!bad)
    __syncthreads();
  out[threadIdx.x] = tile[x][y]; // finds: racecheck error
}

template <bool bad> __global__ void rowIsOneLonger(int *out) {
  __shared__ int tile[kWide * kWide + 1];
  const int x = threadIdx.x % kWide, y = threadIdx.x / kWide;
  tile[y * kWide + x] = 1;
  if (x == 0)
    tile[y * kWide + (bad ? kWide : 0)] = 2; // finds: racecheck error
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

template <bool bad> __global__ void product(const int *a, const int *b, int *out) {
  __shared__ int left[kWide][kWide], right[kWide][kWide];
  const int x = threadIdx.x % kWide, y = threadIdx.x / kWide;
  int sum = 0;
  left[y][x] = a[y * kWide + x];
  for (int tile = 0; tile < 2; ++tile) {
    right[y][x] = b[tile * kBlock + y * kWide + x]; // finds: racecheck error
    __syncthreads();
    for (int k = 0; k < kWide; ++k)
      sum += left[y][k] * right[k][x];
    if (!bad)
      __syncthreads();
  }
  out[threadIdx.x] = sum;
}

template <bool bad> __global__ void bitonicSort(int *out) {
  __shared__ int keys[kBlock];
  const int t = threadIdx.x;
  keys[t] = (t * 37) % kBlock;
  __syncthreads();
  for (int size = 2; size <= kBlock; size *= 2)
    for (int distance = size / 2; distance > 0; distance /= 2) {
      const int other = t ^ distance;
      if (other > t) {
        const int a = keys[t], b = keys[other];
        if ((a > b) == ((t & size) == 0)) {
          keys[t] = b, keys[other] = a; // finds: racecheck error
        }
      }
      if (!bad || distance != 32)
        __syncthreads();
    }
  out[t] = keys[t];
}

template <bool bad> __global__ void histogram(const int *in, int *out) {
  __shared__ int bins[kWide];
  const int t = threadIdx.x;
  if (t < kWide)
    bins[t] = 0;
  __syncthreads();
  if (bad)
    bins[in[t] % kWide] += 1; // finds: racecheck error
  else
    atomicAdd(&bins[in[t] % kWide], 1);
  __syncthreads();
  if (t < kWide)
    out[t] = bins[t];
}

template <bool bad> __global__ void binsAreClearedLate(const int *in, int *out) {
  __shared__ int bins[kWide];
  const int t = threadIdx.x;
  if (t >= kBlock - kWide)
    bins[t - (kBlock - kWide)] = 0; // finds: racecheck error
  if (!bad)
    __syncthreads();
  if (t < kBlock / 2)
    atomicAdd(&bins[in[t] % kWide], 1);
  __syncthreads();
  if (t < kWide)
    out[t] = bins[t];
}

__device__ void put(int *to, int value) { *to = value; }

template <bool bad> __global__ void twoPointers(int *out) {
  __shared__ int s[2 * kBlock];
  const int t = threadIdx.x;
  int *mine = s + t, *theirs = s + (bad ? kBlock - 1 - t : kBlock + t);
  put(mine, 1);
  *theirs = 2; // finds: racecheck error
  __syncthreads();
  out[t] = s[t];
}

struct Record {
  int key;
  short parts[2];
};

template <bool bad> __global__ void partsOfStructures(int *out) {
  __shared__ Record records[kBlock / 2];
  const int t = threadIdx.x, i = t % (kBlock / 2);
  if (t < kBlock / 2)
    records[i].parts[0] = short(t);
  if (t >= kBlock / 2)                         // as an else, hipcc may make one store of both
    records[i].parts[bad ? 0 : 1] = short(-t); // finds: racecheck error
  if (t == 0)
    records[0].key = 1;
  __syncthreads();
  out[t] = records[i].parts[0] + records[i].parts[1];
}

// Global memory.

template <bool bad> __global__ void doubleWork(int *out) { // each block has one item too many
  const int first = blockIdx.x * kBlock / 2;
  if (threadIdx.x < kBlock / 2 + bad)
    out[first + threadIdx.x] = blockIdx.x; // finds: racecheck error
}

template <bool bad> __global__ void reversal(int *data) {
  const int i = globalId(), other = kItems - 1 - i;
  if (bad || i < other) {
    const int mine = data[i], theirs = data[other];
    data[i] = theirs, data[other] = mine; // finds: racecheck error
  }
}

template <bool bad> __global__ void listOfAll(int *out, int *count) {
  int place;
  if (bad)
    place = (*count)++; // finds: racecheck error
  else
    place = atomicAdd(count, 1);
  out[place % kItems] = 1;
}

template <bool bad> __global__ void sumOfAll(const int *in, int *sum) {
  if (bad)
    sum[0] = sum[0] + in[globalId()]; // finds: racecheck error
  else
    atomicAdd(sum, in[globalId()]);
}

template <bool bad> __global__ void vectorOfNeighbour(int4 *out) {
  const int i = globalId();
  reinterpret_cast<int *>(out)[bad && i == 32 ? 4 : 4 * i] = i; // finds: racecheck error
  if (i == 1)
    out[i] = make_int4(1, 2, 3, 4);
}

// Lanes of a warp: who is last is not said, and __syncwarp() may not be forgotten.

template <bool bad> __global__ void twoLanesOneWord(int *out) {
  const int i = globalId();
  out[bad ? i / 2 : i] = i; // finds: racecheck warning
}

template <bool bad> __global__ void lanesPassOn(int *out) {
  const int i = globalId();
  out[i] = i;
  if (!bad)
    __syncwarp();
  if ((i & 1) == 0)
    out[kItems + i] = out[i + 1]; // finds: racecheck warning
}

template <bool bad> __global__ void lanesCount(int *out) {
  const int warp = globalId() / 32;
  if (bad)
    out[warp]++; // finds: racecheck warning
  else
    atomicAdd(&out[warp], 1);
}

// Warps meet by a counter to which an object points: the pointer is read again in each round.
struct Meeting {
  unsigned *arrived;
  __device__ void wait(unsigned warps) const {
    __syncwarp();
    if (threadIdx.x % 32 == 0) {
      const unsigned before = atomicAdd(arrived, 1u), all = (before / warps + 1) * warps;
      while ((int)(atomicAdd(arrived, 0u) - all) < 0)
        ;
    }
    __syncwarp();
    __threadfence_block();
  }
};
template <bool bad> __global__ void warpsMeet(int *out) {
  __shared__ unsigned arrived;
  __shared__ int row[kBlock];
  if (threadIdx.x == 0)
    arrived = 0;
  row[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const Meeting meeting{&arrived};
  for (int round = 0; round < 3; ++round) {
    meeting.wait(kBlock / 32);
    meeting.wait(kBlock / 32);
  }
  out[globalId()] = row[threadIdx.x + (bad && threadIdx.x == kBlock - 1)]; // finds: memcheck error
}

template <bool bad> void run() {
  int *in = allocate<int>(2 * kItems), *out = allocate<int>(4 * kItems), *count = allocate<int>(1);
  constexpr int blocks = kBlocks;
  LAUNCH(scanInPlace, 1, out);
  LAUNCH(scanOfTwoBuffers, 1, out);
  LAUNCH(stencil, 1, in, out);
  LAUNCH(roundsOfStencil, 1, out, 3);
  LAUNCH(transposition, 1, in, out);
  LAUNCH(rowIsOneLonger, 1, out);
  LAUNCH(product, 1, in, in, out);
  LAUNCH(bitonicSort, 1, out);
  LAUNCH(histogram, 1, in, out);
  LAUNCH(binsAreClearedLate, 1, in, out);
  LAUNCH(twoPointers, 1, out);
  LAUNCH(partsOfStructures, 1, out);
  LAUNCH(doubleWork, blocks, out);
  LAUNCH(reversal, blocks, out);
  LAUNCH(listOfAll, blocks, out, count);
  LAUNCH(sumOfAll, blocks, in, count);
  LAUNCH(vectorOfNeighbour, blocks, reinterpret_cast<int4 *>(out));
  LAUNCH(twoLanesOneWord, blocks, out);
  LAUNCH(lanesPassOn, blocks, out);
  LAUNCH(lanesCount, blocks, out);
  LAUNCH(warpsMeet, blocks, out);
  for (int *memory : {in, out, count})
    HIP_CHECK(hipFree(memory));
}
