// SPDX-License-Identifier: MIT
// Filters an array with one atomic for all threads of a warp that pass, found by a ballot and by a coalesced group.
#include "check.h"
#include <algorithm>
#include <cooperative_groups.h>

using namespace cooperative_groups;

__device__ int nextByMask(int *counter) {
  const unsigned active = __activemask();
  const int leader = __ffs(active) - 1, lane = threadIdx.x & 0x1f;
  int first = 0;
  if (lane == leader)
    first = atomicAdd(counter, __popc(active));
  first = __shfl_sync(active, first, leader);
  return first + __popc(active & ((1u << lane) - 1));
}

__device__ int nextByGroup(int *counter) {
  coalesced_group active = coalesced_threads();
  int first = 0;
  if (active.thread_rank() == 0)
    first = atomicAdd(counter, active.size());
  return active.shfl(first, 0) + active.thread_rank();
}

__global__ void filter(const int *in, int *out, int *counter, int count, bool byGroup) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && in[i] > 0)
    out[byGroup ? nextByGroup(counter) : nextByMask(counter)] = in[i];
}

int main() {
  const int count = 5000;
  std::vector<int> in(count), wanted;
  for (int i = 0; i < count; ++i)
    if ((in[i] = (i * 7919) % 211 - 105) > 0)
      wanted.push_back(in[i]);
  std::sort(wanted.begin(), wanted.end());
  int *dIn = onDevice(in), *dOut = onDevice(in), *counter = nullptr;
  CALL(cudaMalloc(&counter, sizeof(int)));
  for (bool byGroup : {false, true}) {
    CALL(cudaMemset(counter, 0, sizeof(int)));
    filter<<<(count + 127) / 128, 128>>>(dIn, dOut, counter, count, byGroup);
    EXPECT(onHost(counter, 1)[0] == (int)wanted.size());
    std::vector<int> out = onHost(dOut, wanted.size());
    std::sort(out.begin(), out.end());
    EXPECT(out == wanted);
  }
}
