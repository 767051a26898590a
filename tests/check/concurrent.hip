// SPDX-License-Identifier: MIT
// Kernels of two streams that use atomic operations: these order the kernels only where one reads what the other has written, as between
// blocks (planted.h). The first kernel never waits for the second one.
#include "planted.h"

__device__ void waitFor(int *flag) {
  while (atomicAdd(flag, 0) == 0)
    ;
}

// Pairs of kernels that one function launches. `p` has kItems elements, `flags` are zero.

template <bool bad> __global__ void countsHere(int *p, int *flags) {
  atomicAdd(flags, 1);
  p[globalId()] = 1;
}
template <bool bad> __global__ void countsThere(int *p, int *flags) {
  atomicAdd(flags + 1, 1);
  p[globalId()] = globalId(); // finds: racecheck error
}

template <bool bad> __global__ void countsAfterwards(int *p, int *flags) {
  p[globalId()] = 1;
  __threadfence();
  atomicAdd(flags, 1);
}
template <bool bad> __global__ void countsAfterwardsToo(int *p, int *flags) {
  p[globalId()] = globalId(); // finds: racecheck error
  __threadfence();
  atomicAdd(flags, 1);
}

template <bool bad> __global__ void sumsUp(int *p, int *flags) {
  atomicAdd(flags, 1);
  atomicMax(flags + 1, p[globalId()]);
}
template <bool bad> __global__ void writesMeanwhile(int *p, int *flags) {
  if (atomicAdd(flags + 2, 1) >= 0)
    p[globalId()] = 5; // finds: racecheck error
}

template <bool bad> __global__ void signals(int *p, int *flags) {
  p[globalId()] = 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(flags, 1);
}
template <bool bad> __global__ void waitsForAll(int *p, int *flags) {
  if (threadIdx.x == 0)
    while (atomicAdd(flags + bad, 0) < (bad ? 0 : kBlocks))
      ;
  __syncthreads();
  p[globalId()] += 1; // finds: racecheck error
}

template <bool bad> __global__ void signalsWithoutFence(int *p, int *flags) {
  if (globalId() == 0) {
    p[0] = 1;
    if (!bad)
      __threadfence();
    atomicExch(flags, 1);
  }
}
template <bool bad> __global__ void waits(int *p, int *flags) {
  if (globalId() == 0) {
    waitFor(flags);
    p[1] = p[0]; // finds: racecheck warning
  }
}

template <bool bad> __global__ void signalsByVolatile(int *p, int *flags) {
  if (globalId() == 0) {
    p[0] = 1;
    __threadfence();
    *const_cast<volatile int *>(flags) = 1;
  }
}
template <bool bad> __global__ void waitsByVolatile(int *p, int *flags) {
  if (globalId() == 0) {
    const int early = bad ? p[0] : 0; // finds: racecheck error
    while (*const_cast<volatile int *>(flags) == 0)
      ;
    p[1] = p[0] + early;
  }
}

__device__ void addLocked(int *sum, int *lock) {
  while (atomicCAS(lock, 0, 1))
    ;
  *sum += 1; // finds: racecheck error
  __threadfence();
  atomicExch(lock, 0);
}
template <bool bad> __global__ void locksHere(int *p, int *flags) {
  if (threadIdx.x == 0)
    addLocked(p, flags);
}
template <bool bad> __global__ void locksThere(int *p, int *flags) {
  if (threadIdx.x == 0)
    addLocked(p, flags + bad);
}

// However often a thread asks, what it does behind that is looked at.
template <bool bad> __global__ void asksOften(int *p, int *flags) {
  if (globalId() == 0) {
    for (int round = 0; round < 5000; ++round)
      atomicCAS(flags + 2, 1, 2);
    p[0] = 1;
  }
}
template <bool bad> __global__ void asksOftenToo(int *p, int *flags) {
  if (globalId() == 0) {
    for (int round = 0; round < 5000; ++round)
      atomicCAS(flags + 3, 1, 2);
    p[1] = p[0]; // finds: racecheck error
  }
}

template <bool bad> __global__ void atomicsOfBlock(int *p, int *) {
  if (bad)
    atomicAdd_block(p, 1);
  else
    atomicAdd(p, 1);
}
template <bool bad> __global__ void atomicsOfBlockToo(int *p, int *) {
  if (bad)
    atomicAdd_block(p, 1); // finds: racecheck error
  else
    atomicAdd(p, 1);
}

// A kernel before the first one, without atomic operations.
template <bool bad> __global__ void prepares(int *p, int *) { p[globalId()] = 3; }
template <bool bad> __global__ void readsPrepared(int *p, int *flags) {
  if (globalId() == 0) {
    waitFor(flags);
    flags[7] = p[kItems - 1]; // finds: racecheck error
  }
}

template <bool bad> void run() {
  hipStream_t a, b, c;
  for (hipStream_t *stream : {&a, &b, &c})
    HIP_CHECK(hipStreamCreateWithFlags(stream, hipStreamNonBlocking));
  hipEvent_t event;
  HIP_CHECK(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  int *p = allocate<int>(2 * kItems), *flags = allocate<int>(8);
  using Kernel = void (*)(int *, int *);
  auto clear = [&] {
    HIP_CHECK(hipDeviceSynchronize());
    HIP_CHECK(hipMemset(flags, 0, 8 * sizeof(int)));
    HIP_CHECK(hipMemset(p, 0, kItems * sizeof(int)));
    HIP_CHECK(hipDeviceSynchronize());
  };
  auto together = [&](Kernel first, Kernel second, bool inOrder, int blocks = 1) {
    clear();
    first<<<blocks, kBlock, 0, a>>>(p, flags);
    HIP_CHECK(hipEventRecord(event, a));
    if (inOrder)
      HIP_CHECK(hipStreamWaitEvent(b, event, 0));
    second<<<blocks, kBlock, 0, b>>>(p, flags);
    HIP_CHECK(hipDeviceSynchronize());
  };
  together(countsHere<bad>, countsThere<bad>, !bad, kBlocks);
  together(countsAfterwards<bad>, countsAfterwardsToo<bad>, !bad, kBlocks);
  together(sumsUp<bad>, writesMeanwhile<bad>, !bad, kBlocks);
  together(signalsWithoutFence<bad>, waits<bad>, false);
  together(signalsByVolatile<bad>, waitsByVolatile<bad>, false);
  together(locksHere<bad>, locksThere<bad>, false, kBlocks);
  together(asksOften<bad>, asksOftenToo<bad>, !bad);
  together(atomicsOfBlock<bad>, atomicsOfBlockToo<bad>, false);
  together(signals<bad>, waitsForAll<bad>, false, kBlocks);

  clear();
  prepares<bad><<<kBlocks, kBlock, 0, bad ? c : a>>>(p, flags);
  signalsWithoutFence<false><<<1, kBlock, 0, a>>>(p + kItems, flags);
  readsPrepared<bad><<<1, kBlock, 0, b>>>(p, flags);
  HIP_CHECK(hipDeviceSynchronize());
  for (hipStream_t stream : {a, b, c})
    HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipEventDestroy(event));
  for (int *memory : {p, flags})
    HIP_CHECK(hipFree(memory));
}
