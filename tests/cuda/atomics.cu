// SPDX-License-Identifier: MIT
// Atomic functions of all kinds, with the scopes of a block and of the system.
#include "check.h"

struct Counters {
  int sum, minimum, maximum, xored, blockSum, systemSum;
  unsigned bits, wrapped, common;
  unsigned long long longSum, longMaximum;
  float floatSum;
  double doubleSum;
  int lockedSum, lock;
};

__global__ void count(Counters *c, int *last) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&c->sum, i);
  atomicSub(&c->sum, 1);
  atomicMin(&c->minimum, -i);
  atomicMax(&c->maximum, i);
  atomicXor(&c->xored, i);
  atomicOr(&c->bits, 1u << (i % 32));
  atomicAnd(&c->common, ~(1u << (i % 16)));
  atomicInc(&c->wrapped, 99);
  atomicAdd(&c->longSum, 1ull << 33);
  atomicMax(&c->longMaximum, (unsigned long long)i << 32);
  atomicAdd(&c->floatSum, 0.5f);
  atomicAdd(&c->doubleSum, 0.25);
  atomicAdd_system(&c->systemSum, 2);
  __shared__ int ofBlock;
  if (threadIdx.x == 0)
    ofBlock = 0;
  __syncthreads();
  atomicAdd_block(&ofBlock, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&c->blockSum, ofBlock);
    while (atomicCAS(&c->lock, 0, 1) != 0)
      __nanosleep(20);
    __threadfence();
    c->lockedSum += 3;
    __threadfence();
    atomicExch(&c->lock, 0);
  }
  last[i] = atomicExch(last + i, i) + 1;
}

int main() {
  const int blocks = 8, block = 64, threads = blocks * block;
  Counters *device = nullptr, start = {};
  start.common = 0xffffffff;
  CALL(cudaMalloc(&device, sizeof(Counters)));
  CALL(cudaMemcpy(device, &start, sizeof(start), cudaMemcpyHostToDevice));
  int *last = onDevice(std::vector<int>(threads, 41));
  count<<<blocks, block>>>(device, last);
  const Counters c = onHost(device, 1)[0];
  EXPECT(c.sum == threads * (threads - 1) / 2 - threads);
  EXPECT(c.minimum == 1 - threads && c.maximum == threads - 1 && c.xored == 0);
  EXPECT(c.bits == 0xffffffff && c.common == 0xffff0000 && c.wrapped == threads % 100);
  EXPECT(c.longSum == (unsigned long long)threads << 33 && c.longMaximum == (threads - 1ull) << 32);
  EXPECT(c.floatSum == threads * 0.5f && c.doubleSum == threads * 0.25);
  EXPECT(c.systemSum == 2 * threads && c.blockSum == threads && c.lockedSum == 3 * blocks);
  for (int value : onHost(last, threads))
    EXPECT(value == 42);
}
