// SPDX-License-Identifier: MIT
// Planted defects of single kernels: memory, races within a launch, barriers.
#include "planted.h"

#include <hip/hip_fp16.h>

// Global memory. `p` has room for kItems elements.

template <bool bad> __global__ void writeBehind(int *p) {
  const int i = globalId() + bad;
  p[i] = i; // finds: memcheck error
}

template <bool bad> __global__ void readBehind(int *p, int *out) {
  const int i = globalId();
  out[i] = p[i + bad]; // finds: memcheck error
}

template <bool bad> __global__ void byteBehind(char *p) {
  const int i = globalId();
  if (i < kItems - 1 + bad)
    p[i] = 1; // finds: memcheck error
}

template <bool bad> __global__ void pageBehind(int *p) {
  const int i = globalId();
  p[i + bad * 900] = i; // finds: memcheck error
}

template <bool bad> __global__ void halfOutside(int *p) {
  const int i = globalId();
  if (i < kItems / 4)
    reinterpret_cast<int4 *>(p)[i] = make_int4(i, i, i, i); // clean, and so is the other in the twin
  if (i == kItems / 4 - 1)
    *reinterpret_cast<long long *>(p + kItems - 2 + bad * 2) = 1; // finds: memcheck error
}

template <bool bad> __global__ void vectorBehind(float4 *p) {
  const int i = globalId();
  if (i < kItems / 4 + bad)
    p[i] = make_float4(1, 2, 3, 4); // finds: memcheck error
}

template <bool bad> __global__ void atomicBehind(int *p) {
  atomicAdd(p + (globalId() == 5 && bad ? kItems : 0), 1); // finds: memcheck error
}

template <bool bad> __global__ void exchangeBehind(int *p) {
  const int i = globalId();
  if (i == 0)
    atomicCAS(p + i + bad * kItems, 0, 1); // finds: memcheck error
}

template <bool bad> __global__ void loopBehind(int *p, int n) {
  int sum = 0;
  for (int k = 0; k < n + bad; ++k)
    sum += p[k]; // finds: memcheck error
  if (sum == 12345)
    p[0] = sum;
}

template <bool bad> __global__ void rowBehind(int *p, int columns) {
  const int x = threadIdx.x % 8, y = threadIdx.x / 8;
  p[(y + bad) * columns + x] = 1; // finds: memcheck error
}

struct Triple {
  int a, b, c;
};

template <bool bad> __global__ void structureBehind(Triple *p, int n) {
  const int i = globalId();
  if (i < n / 3 + bad)
    p[i].c = i; // finds: memcheck error
}

template <bool bad> __global__ void volatileBehind(volatile int *p, int *out) {
  const int i = globalId();
  out[i] = p[i + bad]; // finds: memcheck error
}

template <bool bad> __global__ void misalignedInt(char *p) {
  if (globalId() == 1)
    *reinterpret_cast<int *>(p + 4 + bad) = 1; // finds: memcheck error
}

template <bool bad> __global__ void misalignedDouble(char *p) {
  if (globalId() == 1)
    *reinterpret_cast<double *>(p + 8 + bad * 4) = 1; // finds: memcheck error
}

template <bool bad> __global__ void misalignedLong(int *p, long long *out) {
  if (globalId() == 1)
    out[0] = *reinterpret_cast<long long *>(p + 2 + bad); // finds: memcheck error
}

template <bool bad> __global__ void indirect(const int *index, int *p) {
  const int i = globalId();
  p[bad ? index[i] : i] = i; // finds: memcheck error
}

template <bool bad> __global__ void pageable(int *p, int *host) {
  const int i = globalId();
  (bad ? host : p)[i] = i; // finds: memcheck warning
}

// Shared memory.

template <bool bad> __global__ void sharedReadBehind(int *out) {
  __shared__ int s[kBlock];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (bad || threadIdx.x < kBlock - 1)
    out[threadIdx.x] = s[threadIdx.x + 1]; // finds: memcheck error
}

template <bool bad> __global__ void sharedWriteBehind(int *out) {
  __shared__ int s[kBlock];
  if (bad || threadIdx.x < kBlock - 1)
    s[threadIdx.x + 1] = 1; // finds: memcheck error
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}

template <bool bad> __global__ void sharedBefore(int *out) {
  __shared__ int s[kBlock];
  s[threadIdx.x] = 1;
  __syncthreads();
  if (bad || threadIdx.x)
    out[threadIdx.x] = s[static_cast<int>(threadIdx.x) - 1]; // finds: memcheck error
}

template <bool bad> __global__ void sharedNeighbour(int *out, int n) {
  __shared__ int s[kBlock], t[kBlock];
  t[threadIdx.x] = 2;
  s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x + bad * n] + t[threadIdx.x]; // finds: memcheck error
}

template <bool bad> __global__ void dynamicBehind(int *out) {
  extern __shared__ int d[];
  d[threadIdx.x] = 1;
  __syncthreads();
  if (bad || threadIdx.x < kBlock - 1)
    out[threadIdx.x] = d[threadIdx.x + 1]; // finds: memcheck error
}

template <bool bad> __global__ void sharedAtomicBehind(int *out) {
  __shared__ int s[8];
  if (threadIdx.x < 8)
    s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&s[threadIdx.x % (8 + bad)], 1); // finds: memcheck error
  __syncthreads();
  if (threadIdx.x < 8)
    out[threadIdx.x] = s[threadIdx.x];
}

// Private arrays and variables of the module.

template <bool bad> __global__ void privateBehind(int *out, int n) {
  int a[8];
  for (int k = 0; k < n + bad; ++k)
    a[k] = k * 3; // finds: memcheck error
  out[globalId()] = a[n & 7];
}

template <bool bad> __global__ void privateRead(int *out, int n) {
  int a[8];
  for (int k = 0; k < 8; ++k)
    a[k] = k * n;
  out[globalId()] = a[bad ? n + static_cast<int>(threadIdx.x) : n - 1]; // finds: memcheck error
}

template <bool bad> __global__ void privateBefore(int *out, int n) {
  int a[8];
  for (int k = 0; k < 8; ++k)
    a[k] = k * n;
  out[globalId()] = a[8 - n - bad]; // finds: memcheck error
}

__device__ int table[16];
__constant__ int constants[16];

template <bool bad> __global__ void variableBehind(int n) {
  if (globalId() < n + bad)
    table[globalId()] = 1; // finds: memcheck error
}

template <bool bad> __global__ void constantBehind(int *out, int n) {
  const int i = globalId();
  if (i < n + bad)
    out[i] = constants[i]; // finds: memcheck error
}

// Races in shared memory.

template <bool bad> __global__ void missingBarrier(int *out) {
  __shared__ int s[kBlock];
  s[threadIdx.x] = threadIdx.x;
  if (!bad)
    __syncthreads();
  out[threadIdx.x] = s[kBlock - 1 - threadIdx.x]; // finds: racecheck error
}

template <bool bad> __global__ void missingSecondBarrier(int *out) {
  __shared__ int s[kBlock];
  for (int k = 0; k < 3; ++k) {
    s[threadIdx.x] = k; // finds: racecheck error
    __syncthreads();
    out[threadIdx.x] += s[kBlock - 1 - threadIdx.x];
    if (!bad)
      __syncthreads();
  }
}

template <bool bad> __global__ void twoWrites(int *out) {
  __shared__ int s[kBlock];
  s[bad ? threadIdx.x % 32 : threadIdx.x] = threadIdx.x; // finds: racecheck error
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x % 32];
}

template <bool bad> __global__ void mixedWithAtomic(int *out) {
  __shared__ int s;
  if (threadIdx.x == 0)
    s = 0;
  if (!bad)
    __syncthreads();
  atomicAdd(&s, 1); // finds: racecheck error
  __syncthreads();
  if (threadIdx.x == 0)
    out[0] = s;
}

template <bool bad> __global__ void dynamicRace(int *out) {
  extern __shared__ int d[];
  d[threadIdx.x] = 1;
  if (!bad)
    __syncthreads();
  out[threadIdx.x] = d[(threadIdx.x + 32) % kBlock]; // finds: racecheck error
}

template <bool bad> __global__ void bytesRace(int *out) {
  __shared__ char s[kBlock];
  s[threadIdx.x] = 1;
  if (!bad)
    __syncthreads();
  out[threadIdx.x] = s[(threadIdx.x + 32) % kBlock]; // finds: racecheck error
}

template <bool bad> __global__ void reduction(int *out) {
  __shared__ int s[kBlock];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int width = kBlock / 2; width; width /= 2) {
    if (threadIdx.x < width)
      s[threadIdx.x] += s[threadIdx.x + width];
    __syncthreads();
  }
  if (bad)
    s[kBlock - 1 - threadIdx.x] = 1; // writes what another warp reads
  out[threadIdx.x] = s[0];           // finds: racecheck error
}

template <bool bad> __global__ void lanesExchange(int *out) {
  __shared__ int s[kBlock];
  s[threadIdx.x] = 3;
  s[threadIdx.x] += threadIdx.x;
  if (!bad)
    __syncwarp();
  out[threadIdx.x] = s[threadIdx.x ^ 1]; // finds: racecheck warning
}

template <bool bad> __global__ void flagOfAll(int *out) { // each writes the same
  __shared__ int s;
  if (bad)
    s = threadIdx.x; // finds: racecheck error
  else
    s = 5;
  __syncthreads();
  out[threadIdx.x] = s;
}

template <bool bad> __global__ void additionByExchange(int *out) { // the first read need not be atomic
  int old = out[0], seen;
  do {
    seen = old;
    old = atomicCAS(out, seen, seen + 1);
  } while (old != seen);
  if (bad)
    out[0] = 0; // finds: racecheck error
}

template <bool bad> __global__ void halfAdditions(int *out) { // which are exchanges of the word around
  __half *halves = reinterpret_cast<__half *>(out);
  unsafeAtomicAdd(halves + 1, __float2half(0.5f));
  if (bad)
    halves[1] = __float2half(0); // finds: racecheck error
}

// Races in global memory.

template <bool bad> __global__ void blocksWriteOneWord(int *out) {
  if (threadIdx.x == 0)
    out[bad ? 0 : blockIdx.x] = blockIdx.x; // finds: racecheck error
}

template <bool bad> __global__ void blockReadsNeighbour(int *out, int *in) {
  const int i = globalId();
  in[i] = i;
  out[i] = in[bad ? (i + kBlock) % kItems : i]; // finds: racecheck error
}

template <bool bad> __global__ void globalWithoutBarrier(int *out, int *in) {
  in[threadIdx.x] = 1;
  if (!bad)
    __syncthreads();
  out[threadIdx.x] = in[kBlock - 1 - threadIdx.x]; // finds: racecheck error
}

template <bool bad> __global__ void plainBesideAtomic(int *out) {
  if (threadIdx.x == 0) {
    if (bad)
      out[0] += 1; // finds: racecheck error
    else
      atomicAdd(out, 1);
  }
}

template <bool bad>
__global__ void lastBlock(int *data, int *out, int *counter) { // the threadfence reduction of many programs
  if (threadIdx.x)
    return;
  data[blockIdx.x] = 1;
  __threadfence();
  const int before = bad ? static_cast<int>(gridDim.x) - 1 : atomicAdd(counter, 1);
  if (before == static_cast<int>(gridDim.x) - 1)
    for (unsigned b = 0; b < gridDim.x; ++b)
      out[blockIdx.x] += data[b]; // finds: racecheck error
}

// Barriers.

template <bool bad> __global__ void barrierInArms(int *out) {
  if (bad && threadIdx.x < 32) {
    out[threadIdx.x] = 1;
    __syncthreads();
  } else {
    out[threadIdx.x] = 2;
    __syncthreads(); // finds: synccheck error
  }
}

template <bool bad> __global__ void barrierAfterReturn(int *out) {
  if (bad && threadIdx.x >= 32)
    return;
  __syncthreads(); // finds: synccheck warning
  out[threadIdx.x] = 1;
}

template <bool bad> __global__ void barrierInLoop(int *out) {
  for (unsigned k = 0; k < (bad ? 1 + threadIdx.x / 32 : 2); ++k) {
    out[threadIdx.x] = 1;
    __syncthreads(); // finds: synccheck warning
  }
}

template <bool bad> __global__ void barrierGoneAround(int *out) {
  if (!bad || threadIdx.x < 32)
    __syncthreads(); // finds: synccheck error
  out[threadIdx.x] = 1;
}

template <bool bad> __global__ void barrierInShorterLoop(int *out) {
  int sum = 0;
  for (unsigned k = 0; k < (bad ? 1 + threadIdx.x / 32 : 2); ++k) {
    sum += out[threadIdx.x] + k;
    __syncthreads(); // finds: synccheck error
  }
  out[threadIdx.x] = sum;
}

template <bool bad> __global__ void barrierOfSome(int *out) {
  __shared__ int s[kBlock];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (unsigned width = kBlock / 2; width > 0; width /= 2) {
    int sum = 0;
    if (threadIdx.x < width) {
      sum = s[threadIdx.x] + s[threadIdx.x + width];
      if (bad && width == 32)
        __syncthreads(); // finds: synccheck error
      else if (!bad)
        s[threadIdx.x] = sum;
    }
    if (!bad)
      __syncthreads();
  }
  out[threadIdx.x] = s[0];
}

// Who returns need not come, whatever the others may do besides.
template <bool bad> __global__ void returnBeforeOneOfTwo(int *out, int count) {
  if (bad && threadIdx.x >= 32)
    return;
  if (count > 0)
    __syncthreads(); // finds: synccheck warning
  out[threadIdx.x] = count;
}

template <bool bad> void run() {
  int *p = allocate<int>(kItems), *out = allocate<int>(kItems);
  constexpr int blocks = kBlocks;
  LAUNCH(writeBehind, blocks, p);
  LAUNCH(readBehind, blocks, p, out);
  char *bytes = allocate<char>(kItems - 1);
  LAUNCH(byteBehind, blocks, bytes);
  LAUNCH(pageBehind, blocks, p);
  LAUNCH(halfOutside, blocks, p);
  LAUNCH(vectorBehind, blocks, reinterpret_cast<float4 *>(p));
  LAUNCH(atomicBehind, blocks, p);
  LAUNCH(exchangeBehind, blocks, p);
  LAUNCH(loopBehind, 1, p, kItems);
  LAUNCH(rowBehind, 1, p, kItems / 8);
  LAUNCH(structureBehind, 1, reinterpret_cast<Triple *>(p), kItems);
  LAUNCH(volatileBehind, blocks, p, out);
  LAUNCH(misalignedInt, 1, reinterpret_cast<char *>(p));
  LAUNCH(misalignedDouble, 1, reinterpret_cast<char *>(p));
  LAUNCH(misalignedLong, 1, p, reinterpret_cast<long long *>(out));
  int indices[kItems];
  for (int i = 0; i < kItems; ++i)
    indices[i] = i + 1;
  int *index = allocate<int>(kItems);
  HIP_CHECK(hipMemcpy(index, indices, sizeof indices, hipMemcpyHostToDevice));
  LAUNCH(indirect, blocks, index, p);
  LAUNCH(pageable, blocks, p, indices);
  HIP_CHECK(hipMemset(out, 0, kItems * sizeof(int)));
  LAUNCH(sharedReadBehind, 1, out);
  LAUNCH(sharedWriteBehind, 1, out);
  LAUNCH(sharedBefore, 1, out);
  LAUNCH(sharedNeighbour, 1, out, kBlock);
  LAUNCH(dynamicBehind, 1, out);
  LAUNCH(sharedAtomicBehind, 1, out);
  LAUNCH(privateBehind, blocks, out, 8);
  LAUNCH(privateRead, blocks, out, 8);
  LAUNCH(privateBefore, blocks, out, 8);
  LAUNCH(variableBehind, 1, 16);
  LAUNCH(constantBehind, 1, out, 16);
  LAUNCH(missingBarrier, 1, out);
  LAUNCH(missingSecondBarrier, 1, out);
  LAUNCH(twoWrites, 1, out);
  LAUNCH(mixedWithAtomic, 1, out);
  LAUNCH(dynamicRace, 1, out);
  LAUNCH(bytesRace, 1, out);
  LAUNCH(reduction, 1, out);
  LAUNCH(lanesExchange, 1, out);
  LAUNCH(flagOfAll, 1, out);
  LAUNCH(additionByExchange, blocks, out);
  LAUNCH(halfAdditions, blocks, out);
  LAUNCH(blocksWriteOneWord, blocks, out);
  LAUNCH(blockReadsNeighbour, blocks, out, p);
  LAUNCH(globalWithoutBarrier, 1, out, p);
  LAUNCH(plainBesideAtomic, blocks, out);
  HIP_CHECK(hipMemset(index, 0, sizeof indices));
  LAUNCH(lastBlock, blocks, p, out, index);
  LAUNCH(barrierInArms, 1, out);
  LAUNCH(barrierAfterReturn, 1, out);
  LAUNCH(barrierInLoop, 1, out);
  LAUNCH(barrierGoneAround, 1, out);
  LAUNCH(barrierInShorterLoop, 1, out);
  LAUNCH(barrierOfSome, 1, out);
  LAUNCH(returnBeforeOneOfTwo, 1, out, 1);
  for (void *memory :
       {static_cast<void *>(p), static_cast<void *>(out), static_cast<void *>(bytes), static_cast<void *>(index)})
    HIP_CHECK(hipFree(memory));
}
