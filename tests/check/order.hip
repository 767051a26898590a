// SPDX-License-Identifier: MIT
// Planted races of what no order connects: kernels and copies of different streams, and blocks that communicate the wrong way.
#include "planted.h"
#include <thread>

// Kernels and copies of different streams. `p` has kItems elements.

template <bool bad> __global__ void firstWrites(int *p) { p[globalId()] = 1; }
template <bool bad> __global__ void secondWrites(int *p) {
  p[globalId()] = globalId(); // finds: racecheck error
}
template <bool bad> __global__ void secondReads(const int *p, int *out) {
  out[globalId()] = p[globalId()]; // finds: racecheck error
}
template <bool bad> __global__ void firstReads(const int *p, int *out) { out[globalId()] = p[globalId()]; }
template <bool bad> __global__ void writesWhatWasRead(int *p) {
  p[globalId()] = 3; // finds: racecheck error
}
template <bool bad> __global__ void afterEarlyEvent(int *p) {
  p[globalId()] += 1; // finds: racecheck error
}
template <bool bad> __global__ void besideNullStream(int *p) {
  p[globalId()] += 1; // finds: racecheck error
}
template <bool bad> __global__ void copiedTooEarly(int *p) {
  p[globalId()] = 5; // finds: racecheck error
}
template <bool bad> __global__ void usesUpload(const int *p, int *out) {
  out[globalId()] = p[globalId()]; // finds: racecheck error
}
template <bool bad> __global__ void besideFill(int *p) {
  p[globalId()] = 7; // finds: racecheck error
}
template <bool bad> __global__ void pinnedResult(int *p) {
  p[globalId()] = 8; // finds: racecheck error
}
template <bool bad> __global__ void afterPartOfStream(int *p) {
  p[globalId()] = 9; // finds: racecheck error
}
template <bool bad> __global__ void executedLast(long long *p) { p[threadIdx.x] = 10; }
template <bool bad> __global__ void executedFirst(int *p, volatile int *done) { // submitted behind it
  p[threadIdx.x] = 11;                                                          // finds: racecheck error
  if (threadIdx.x == kBlock - 1)
    *done = 1;
}
void waitUntilDone(void *done) { // of which the checks know nothing
  while (!*static_cast<volatile int *>(done))
    std::this_thread::yield();
}

// Blocks of a launch. Block 1 waits until block 0 has written `flag`.

__device__ void waitFor(int *flag) {
  while (atomicAdd(flag, 0) == 0)
    ;
}

template <bool bad> __global__ void flagWithoutFence(int *data, int *flag, int *out) {
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0) {
    data[0] = 1;
    if (!bad)
      __threadfence();
    atomicExch(flag, 1);
  } else {
    waitFor(flag);
    out[0] = data[0]; // finds: racecheck warning
  }
}

template <bool bad> __global__ void volatileWithoutFence(volatile int *data, volatile int *flag, int *out) {
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0) {
    data[0] = 1;
    if (!bad)
      __threadfence();
    flag[0] = 1;
  } else {
    while (flag[0] == 0)
      ;
    out[0] = data[0]; // finds: racecheck warning
  }
}

template <bool bad> __global__ void handsLockOn(unsigned *tickets, volatile unsigned *serving, int *data) {
  if (threadIdx.x)
    return;
  const unsigned ticket = atomicAdd(tickets, 1u);
  while (*serving != ticket)
    ;
  __threadfence();
  data[0] += 1; // finds: racecheck warning
  if (!bad)
    __threadfence();
  *serving = ticket + 1;
}

template <bool bad> __global__ void fencesOfAllThreads(int *data, int *flag, int *out) { // each warp after its writes
  if (blockIdx.x == 0) {
    data[threadIdx.x] = 1;
    if (!bad)
      __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
      atomicExch(flag, 1);
  } else {
    if (threadIdx.x == 0)
      waitFor(flag);
    __syncthreads();
    out[threadIdx.x] = data[threadIdx.x]; // finds: racecheck warning
  }
}

template <bool bad> __global__ void fenceOfBlock(int *data, int *flag, int *out) {
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0) {
    data[0] = 1;
    if (bad)
      __threadfence_block();
    else
      __threadfence();
    atomicExch(flag, 1);
  } else {
    waitFor(flag);
    out[0] = data[0]; // finds: racecheck warning
  }
}

template <bool bad> __global__ void fenceTooEarly(int *data, int *flag, int *out) {
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0) {
    if (bad)
      __threadfence();
    data[0] = 1;
    if (!bad)
      __threadfence();
    atomicExch(flag, 1);
  } else {
    waitFor(flag);
    out[0] = data[0]; // finds: racecheck warning
  }
}

template <bool bad> __global__ void otherFlag(int *data, int *flag, int *out) {
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0) {
    data[0] = 1;
    __threadfence();
    atomicExch(flag, 1);
    atomicExch(flag + 1, 1);
  } else {
    waitFor(flag);
    const int seen = atomicAdd(flag + 2, 1);
    out[0] = data[bad ? 1 + seen : 0]; // clean
  }
  if (bad && blockIdx.x == 0)
    data[1] = 2; // finds: racecheck error
}

template <bool bad> __global__ void countersOfTheirOwn(int *data, int *counters) { // each block has another
  if (threadIdx.x)
    return;
  __threadfence();
  atomicAdd(counters + (bad ? blockIdx.x : 0), 1);
  data[bad ? 0 : blockIdx.x] = 1 + blockIdx.x; // finds: racecheck error
  __threadfence();
  atomicAdd(counters + (bad ? blockIdx.x : 0), 1);
}

template <bool bad> __global__ void readBeforeFlag(int *data, int *flag, int *out) {
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0) {
    data[0] = 1; // finds: racecheck error
    __threadfence();
    atomicExch(flag, 1);
  } else {
    int seen = 0;
    if (bad)
      seen = *const_cast<volatile int *>(data) * 0 + data[0];
    waitFor(flag);
    out[0] = seen + data[0];
  }
}

template <bool bad> __global__ void writesAfterRelease(int *data, int *flag, int *out) {
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0) {
    data[0] = 1;
    __threadfence();
    atomicExch(flag, 1);
    if (bad)
      data[0] = 2; // finds: racecheck error
  } else {
    waitFor(flag);
    out[0] = data[0];
  }
}

template <bool bad> __global__ void lastBlockWithoutFence(int *data, int *counter, int *out) {
  __shared__ bool isLast;
  if (threadIdx.x == 0) {
    data[blockIdx.x] = 1;
    if (!bad)
      __threadfence();
    isLast = atomicAdd(counter, 1) == static_cast<int>(gridDim.x) - 1;
  }
  __syncthreads();
  if (isLast && threadIdx.x == 0)
    out[0] = data[0] + data[1]; // finds: racecheck warning
}

template <bool bad> __global__ void relaxedFlag(int *data, int *flag, int *out) {
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0) {
    data[0] = 1;
    __hip_atomic_store(flag, 1, bad ? __ATOMIC_RELAXED : __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  } else {
    while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0)
      ;
    out[0] = data[0]; // finds: racecheck warning
  }
}

template <bool bad> __global__ void atomicsOfBlock(int *sum) {
  if (bad)
    atomicAdd_block(sum, 1); // finds: racecheck error
  else
    atomicAdd(sum, 1);
}

template <bool bad> __global__ void readsBesideAtomics(int *sum, int *out) {
  atomicAdd(sum, 1);
  out[globalId()] = bad ? *sum : atomicAdd(sum, 0); // finds: racecheck error
}

template <bool bad> __global__ void chainOfBlocks(int *data, int *flags, int *out) { // 0 -> 1 -> 2
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0) {
    data[0] = 1;
    __threadfence();
    atomicExch(flags, 1);
  } else if (blockIdx.x == 1) {
    if (!bad)
      waitFor(flags);
    __threadfence();
    atomicExch(flags + 1, 1);
  } else {
    waitFor(flags + 1);
    out[0] = data[0]; // finds: racecheck error
  }
}

template <bool bad> __global__ void warpReadsThenOtherWrites(int *data, int *out) { // warps of one block
  const int i = threadIdx.x;
  out[i] = data[i % 32];
  if (!bad)
    __syncthreads();
  if (i < 32)
    data[i] = 1; // finds: racecheck error
}

template <bool bad> void run() {
  hipStream_t a, b;
  HIP_CHECK(hipStreamCreateWithFlags(&a, hipStreamNonBlocking));
  HIP_CHECK(hipStreamCreateWithFlags(&b, hipStreamNonBlocking));
  hipEvent_t event;
  HIP_CHECK(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  int *p = allocate<int>(kItems), *out = allocate<int>(kItems);
  int *host;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&host), kItems * sizeof(int), 0));
  std::memset(host, 0, kItems * sizeof(int));
  const size_t bytes = kItems * sizeof(int);
  auto order = [&](bool wanted) { // b behind a
    HIP_CHECK(hipEventRecord(event, a));
    if (wanted)
      HIP_CHECK(hipStreamWaitEvent(b, event, 0));
  };
  auto finish = [] { HIP_CHECK(hipDeviceSynchronize()); };

  firstWrites<bad><<<kBlocks, kBlock, 0, a>>>(p);
  order(!bad);
  secondWrites<bad><<<kBlocks, kBlock, 0, b>>>(p);
  finish();
  firstWrites<bad><<<kBlocks, kBlock, 0, a>>>(p);
  order(!bad);
  secondReads<bad><<<kBlocks, kBlock, 0, b>>>(p, out);
  finish();
  firstReads<bad><<<kBlocks, kBlock, 0, a>>>(p, out);
  order(!bad);
  writesWhatWasRead<bad><<<kBlocks, kBlock, 0, b>>>(p);
  finish();
  if (bad)
    HIP_CHECK(hipEventRecord(event, a));
  firstWrites<bad><<<kBlocks, kBlock, 0, a>>>(p);
  if (!bad)
    HIP_CHECK(hipEventRecord(event, a));
  HIP_CHECK(hipStreamWaitEvent(b, event, 0));
  afterEarlyEvent<bad><<<kBlocks, kBlock, 0, b>>>(p);
  finish();
  firstWrites<bad><<<kBlocks, kBlock>>>(p);
  if (!bad)
    HIP_CHECK(hipStreamSynchronize(nullptr));
  besideNullStream<bad><<<kBlocks, kBlock, 0, a>>>(p);
  finish();
  copiedTooEarly<bad><<<kBlocks, kBlock, 0, a>>>(p);
  order(!bad);
  HIP_CHECK(hipMemcpyAsync(host, p, bytes, hipMemcpyDeviceToHost, b));
  finish();
  HIP_CHECK(hipMemcpyAsync(p, host, bytes, hipMemcpyHostToDevice, a));
  order(!bad);
  usesUpload<bad><<<kBlocks, kBlock, 0, b>>>(p, out);
  finish();
  HIP_CHECK(hipMemsetAsync(p, 0, bytes, a));
  order(!bad);
  besideFill<bad><<<kBlocks, kBlock, 0, b>>>(p);
  finish();
  pinnedResult<bad><<<kBlocks, kBlock, 0, a>>>(host);
  if (!bad)
    HIP_CHECK(hipStreamSynchronize(a));
  HIP_CHECK(hipMemcpyAsync(p, host, bytes, hipMemcpyHostToDevice, b));
  finish();
  HIP_CHECK(hipEventRecord(event, a));
  HIP_CHECK(hipEventSynchronize(event));
  firstWrites<bad><<<kBlocks, kBlock, 0, a>>>(p);
  if (!bad)
    HIP_CHECK(hipEventRecord(event, a));
  HIP_CHECK(hipEventSynchronize(event)); // of what was recorded last
  afterPartOfStream<bad><<<kBlocks, kBlock, 0, b>>>(p);
  finish();

  auto *twice = allocate<long long>(kBlock);
  host[0] = 0;
  if (bad)
    HIP_CHECK(hipLaunchHostFunc(a, waitUntilDone, host));
  executedLast<bad><<<1, kBlock, 0, a>>>(twice);
  order(!bad);
  executedFirst<bad><<<1, kBlock, 0, b>>>(reinterpret_cast<int *>(twice), host);
  finish();
  HIP_CHECK(hipFree(twice));

  int *flags = allocate<int>(8);
#define BLOCKS(kernel, count, ...)                                                                                     \
  HIP_CHECK(hipMemset(flags, 0, 8 * sizeof(int)));                                                                     \
  HIP_CHECK(hipMemset(p, 0, bytes));                                                                                   \
  LAUNCH(kernel, count, __VA_ARGS__)
  BLOCKS(flagWithoutFence, 2, p, flags, out);
  BLOCKS(volatileWithoutFence, 2, p, flags, out);
  BLOCKS(handsLockOn, 3, reinterpret_cast<unsigned *>(flags), reinterpret_cast<unsigned *>(flags + 1), p);
  BLOCKS(fencesOfAllThreads, 2, p, flags, out);
  BLOCKS(fenceOfBlock, 2, p, flags, out);
  BLOCKS(fenceTooEarly, 2, p, flags, out);
  BLOCKS(otherFlag, 2, p, flags, out);
  BLOCKS(countersOfTheirOwn, 2, p, flags);
  BLOCKS(readBeforeFlag, 2, p, flags, out);
  BLOCKS(writesAfterRelease, 2, p, flags, out);
  BLOCKS(lastBlockWithoutFence, 2, p, flags, out);
  BLOCKS(relaxedFlag, 2, p, flags, out);
  BLOCKS(atomicsOfBlock, 2, p);
  BLOCKS(readsBesideAtomics, 2, p, out);
  BLOCKS(chainOfBlocks, 3, p, flags, out);
  BLOCKS(warpReadsThenOtherWrites, 1, p, out);
  for (void *memory : {static_cast<void *>(p), static_cast<void *>(out), static_cast<void *>(flags)})
    HIP_CHECK(hipFree(memory));
  HIP_CHECK(hipHostFree(host));
  HIP_CHECK(hipEventDestroy(event));
  HIP_CHECK(hipStreamDestroy(a));
  HIP_CHECK(hipStreamDestroy(b));
}
