// SPDX-License-Identifier: MIT
// Barriers that only a part of the block comes to, by every kind of control flow (planted.h).
#include "planted.h"
#include <hip/hip_cooperative_groups.h>

namespace cg = cooperative_groups;

template <bool bad> __global__ void casesOfSwitch(int *out) {
  switch (bad ? threadIdx.x / 32 : blockIdx.x) {
  case 0:
    out[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] += 1;
    break;
  default:
    out[threadIdx.x] = 2;
    __syncthreads(); // finds: synccheck error
    out[threadIdx.x] += 2;
  }
}

template <bool bad> __global__ void fallsThrough(int *out) {
  switch (bad ? threadIdx.x / 32 : 0) {
  case 0: __syncthreads(); // finds: synccheck error
  case 1: out[threadIdx.x] = 1;
  }
}

template <bool bad> __global__ void tripsByThread(int *out) {
  const int rounds = bad ? threadIdx.x / 32 + 1 : 2;
  for (int i = 0; i < rounds; ++i) {
    out[threadIdx.x] += i;
    __syncthreads(); // finds: synccheck error
  }
  out[threadIdx.x] += 1;
}

template <bool bad> __global__ void breaksOut(const int *in, int *out) {
  for (int i = 0; i < 4; ++i) {
    if (bad && in[threadIdx.x] + static_cast<int>(threadIdx.x) / 32 > i)
      break;
    __syncthreads(); // finds: synccheck error
  }
  out[threadIdx.x] = 1;
}

template <bool bad> __global__ void continuesEarly(int *out) {
  for (int i = 0; i < 4; ++i) {
    if (bad && threadIdx.x / 32 == 1 && i == 2)
      continue;
    out[threadIdx.x] += i;
    __syncthreads(); // finds: synccheck error
  }
  out[threadIdx.x] += 1;
}

template <bool bad> __global__ void doWhile(int *out) {
  int left = bad ? threadIdx.x / 32 : 1;
  do {
    __syncthreads(); // finds: synccheck error
    out[threadIdx.x] += left;
  } while (--left >= 0);
  out[threadIdx.x] += 2;
}

template <bool bad> __global__ void returnsEarly(int *out, int count) { // nothing but returning: a warning
  if (static_cast<int>(threadIdx.x) >= (bad ? count : kBlock))
    return;
  out[threadIdx.x] = 1;
  __syncthreads(); // finds: synccheck warning
  out[threadIdx.x] += out[0];
}

__device__ __attribute__((noinline)) int vote(int value) {
  return __syncthreads_or(value); // finds: synccheck error
}
template <bool bad> __global__ void functionOfSome(int *out) {
  int value = 1;
  if (!bad || threadIdx.x < 40)
    value = vote(threadIdx.x == 3);
  out[threadIdx.x] = value;
}

template <bool bad> __global__ void shortCircuit(int *out) {
  const bool mine = bad ? threadIdx.x >= 32 : true;
  if (mine && __syncthreads_and(threadIdx.x < 100)) // finds: synccheck error
    out[threadIdx.x] = 1;
  out[threadIdx.x] += 1;
}

template <bool bad> __global__ void conditionalExpression(int *out) {
  out[threadIdx.x] = !bad || threadIdx.x & 32 ? __syncthreads_count(1) : 0; // finds: synccheck error
  out[threadIdx.x] += 1;
}

template <bool bad> __global__ void lambdaOfSome(int *out) {
  auto meet = [&] {
    out[threadIdx.x] += 1;
    __syncthreads(); // finds: synccheck error
  };
  if (!bad || threadIdx.x < 7)
    meet();
  out[threadIdx.x] += 1;
}

template <bool bad> __global__ void jumpsOver(int *out) {
  if (bad && threadIdx.x == 11)
    goto end;
  out[threadIdx.x] = 1;
  __syncthreads(); // finds: synccheck error
end:
  out[threadIdx.x] += 1;
}

template <bool bad> __global__ void nestedBranches(const int *in, int *out) {
  if (in[0] == 0) {
    if (in[1] == 0) {
      if (!bad || threadIdx.x % 2)
        __syncthreads(); // finds: synccheck error
      out[threadIdx.x] = 1;
    }
    out[threadIdx.x] += 1;
  }
}

template <bool bad> __global__ void groupOfBlock(int *out) {
  const auto block = cg::this_thread_block();
  if (!bad || block.thread_rank() < 16)
    block.sync(); // finds: synccheck error
  out[threadIdx.x] = 1;
}

template <bool bad> __global__ void dataDecides(const int *in, int *out) { // the values happen to differ
  if (in[threadIdx.x] == 0) {
    out[threadIdx.x] = 1;
    __syncthreads(); // finds: synccheck error
    out[threadIdx.x] += out[0];
  } else {
    out[threadIdx.x] = 2;
  }
  out[threadIdx.x] += 1;
}

template <bool bad> __global__ void boundsOfLoop(int *out, int n) { // grid stride with a tail
  for (int i = globalId(); i < n; i += kItems) {
    out[i] += 1;
    __syncthreads(); // finds: synccheck error
  }
  out[globalId()] += 1;
}

template <bool bad> __global__ void warpInBranch(int *out) {
  __shared__ volatile int s[kBlock];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x % 4 == 0) {
    __syncwarp(bad ? 0xffffffffu : 0x11111111u); // finds: synccheck error
    s[threadIdx.x] += 1;
  }
  out[threadIdx.x] = s[threadIdx.x];
}

template <bool bad> __global__ void maskOfLoop(const int *in, int *out) { // the mask of the first round in all rounds
  unsigned mask = __ballot_sync(0xffffffff, 1);
  int value = in[threadIdx.x];
  for (unsigned i = 0; i < threadIdx.x % 32 / 8 + 1; ++i) {
    if (!bad)
      mask = __activemask();
    value += __any_sync(mask, value); // finds: synccheck error
  }
  out[threadIdx.x] = value;
}

// Correct code that looks wrong at first sight.

__global__ void sameForBlock(const int *in, int *out) {
  if (in[blockIdx.x] == 0)
    __syncthreads();
  for (int i = 0; i < 3 + in[0]; ++i) {
    if (i == 2 + in[0])
      break;
    __syncthreads();
  }
  switch (in[blockIdx.x]) {
  case 0: __syncthreads(); break;
  default: __syncthreads(); __syncthreads();
  }
  out[globalId()] = 1;
}
__global__ void wholeBlockReturns(const int *in, int *out) {
  if (in[blockIdx.x] || blockIdx.x == 1)
    return;
  __syncthreads();
  out[globalId()] = 1;
}
__global__ void sameByVote(const int *in, int *out) {
  int rounds = 0;
  while (__syncthreads_or(in[threadIdx.x] == 0 && rounds < static_cast<int>(threadIdx.x)))
    ++rounds;
  out[globalId()] = rounds;
}

template <bool bad> void run() {
  int *in = allocate<int>(2 * kItems), *out = allocate<int>(2 * kItems), *mixed = allocate<int>(kItems);
  LAUNCH(casesOfSwitch, 1, out);
  LAUNCH(fallsThrough, 1, out);
  LAUNCH(tripsByThread, 1, out);
  LAUNCH(breaksOut, 1, in, out);
  LAUNCH(continuesEarly, 1, out);
  LAUNCH(doWhile, 1, out);
  LAUNCH(returnsEarly, 1, out, 50);
  LAUNCH(functionOfSome, 1, out);
  LAUNCH(shortCircuit, 1, out);
  LAUNCH(conditionalExpression, 1, out);
  LAUNCH(lambdaOfSome, 1, out);
  LAUNCH(jumpsOver, 1, out);
  LAUNCH(nestedBranches, 1, in, out);
  LAUNCH(groupOfBlock, 1, out);
  if (bad)
    HIP_CHECK(hipMemset(mixed, 1, sizeof(int) * 10));
  LAUNCH(dataDecides, 1, mixed, out);
  LAUNCH(boundsOfLoop, kBlocks, out, bad ? kItems + 20 : 2 * kItems);
  LAUNCH(warpInBranch, 1, out);
  LAUNCH(maskOfLoop, 1, in, out);
  sameForBlock<<<kBlocks, kBlock>>>(in, out);
  wholeBlockReturns<<<kBlocks, kBlock>>>(in, out);
  sameByVote<<<1, kBlock>>>(in, out);
  HIP_CHECK(hipDeviceSynchronize());
}
