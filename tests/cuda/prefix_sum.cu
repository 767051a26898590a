// SPDX-License-Identifier: MIT
// An exclusive scan of any length: blocks scan their parts in shared memory (up-sweep, down-sweep), then the sums are
// scanned.
#include "check.h"

const int kBlock = 128;

__global__ void scanParts(const unsigned *in, unsigned *out, unsigned *sums, int count) {
  __shared__ unsigned tree[2 * kBlock];
  const int first = blockIdx.x * 2 * kBlock, t = threadIdx.x;
  tree[2 * t] = first + 2 * t < count ? in[first + 2 * t] : 0;
  tree[2 * t + 1] = first + 2 * t + 1 < count ? in[first + 2 * t + 1] : 0;
  int offset = 1;
  for (int nodes = kBlock; nodes > 0; nodes >>= 1, offset *= 2) {
    __syncthreads();
    if (t < nodes)
      tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
  }
  if (t == 0) {
    sums[blockIdx.x] = tree[2 * kBlock - 1];
    tree[2 * kBlock - 1] = 0;
  }
  for (int nodes = 1; nodes <= kBlock; nodes *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < nodes) {
      const int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
      const unsigned old = tree[left];
      tree[left] = tree[right];
      tree[right] += old;
    }
  }
  __syncthreads();
  for (int i = 2 * t; i < 2 * t + 2; ++i)
    if (first + i < count)
      out[first + i] = tree[i];
}

__global__ void addSums(unsigned *out, const unsigned *sums, int count) {
  for (int i = threadIdx.x; i < 2 * kBlock; i += kBlock)
    if (blockIdx.x * 2 * kBlock + i < count)
      out[blockIdx.x * 2 * kBlock + i] += sums[blockIdx.x];
}

void scan(const unsigned *in, unsigned *out, int count) {
  const int blocks = (count + 2 * kBlock - 1) / (2 * kBlock);
  unsigned *sums = nullptr;
  CALL(cudaMalloc(&sums, blocks * sizeof(unsigned)));
  scanParts<<<blocks, kBlock>>>(in, out, sums, count);
  if (blocks > 1) {
    scan(sums, sums, blocks);
    addSums<<<blocks, kBlock>>>(out, sums, count);
  }
  CALL(cudaFree(sums));
}

int main() {
  for (int count : {1, 255, 256, 70001}) {
    std::vector<unsigned> in(count);
    for (int i = 0; i < count; ++i)
      in[i] = (i * 7919u) % 97;
    unsigned *dIn = onDevice(in), *dOut = onDevice(in);
    scan(dIn, dOut, count);
    const std::vector<unsigned> out = onHost(dOut, count);
    unsigned running = 0;
    for (int i = 0; i < count; ++i) {
      EXPECT(out[i] == running);
      running += in[i];
    }
    CALL(cudaFree(dIn));
    CALL(cudaFree(dOut));
  }
}
