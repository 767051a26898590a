// SPDX-License-Identifier: MIT
// Votes, ballots and matches, whose masks have 32 bits as in CUDA.
#include "check.h"

__global__ void vote(unsigned *ballots, int *all, int *any, unsigned *same, unsigned *allSame, int *counts) {
  const unsigned lane = threadIdx.x % 32, value = threadIdx.x / 4;
  static_assert(sizeof(__ballot_sync(0xffffffffu, 1)) == 4 && sizeof(__activemask()) == 4, "masks have 32 bits");
  ballots[threadIdx.x] = ~__ballot_sync(0xffffffff, lane % 3 == 0);
  all[threadIdx.x] = __all_sync(0xffffffff, threadIdx.x < 40);
  any[threadIdx.x] = __any_sync(0xffffffff, threadIdx.x == 40);
  same[threadIdx.x] = __match_any_sync(0xffffffff, value);
  int equal = -1;
  allSame[threadIdx.x] = __match_all_sync(0xffffffff, threadIdx.x / 32, &equal);
  if (!equal)
    allSame[threadIdx.x] = 1;
  counts[threadIdx.x] = __syncthreads_count(threadIdx.x % 5 == 0) + 1000 * __syncthreads_or(threadIdx.x == 63) +
                        2000 * __syncthreads_and(threadIdx.x != 63);
  if (lane < 10) { // a branch that some take
    const unsigned active = __activemask();
    if (lane == (unsigned)__ffs(active) - 1)
      ballots[threadIdx.x] += __popc(active) << 16 >> 16 == 10 ? 0 : 1;
    __syncwarp(0x3ff);
  }
}

int main() {
  const int count = 64;
  unsigned *ballots, *same, *allSame;
  int *all, *any, *counts;
  for (unsigned **memory : {&ballots, &same, &allSame})
    CALL(cudaMalloc(memory, count * sizeof(unsigned)));
  for (int **memory : {&all, &any, &counts})
    CALL(cudaMalloc(memory, count * sizeof(int)));
  vote<<<1, count>>>(ballots, all, any, same, allSame, counts);
  const std::vector<unsigned> hBallots = onHost(ballots, count), hSame = onHost(same, count),
                              hAllSame = onHost(allSame, count);
  const std::vector<int> hAll = onHost(all, count), hAny = onHost(any, count), hCounts = onHost(counts, count);
  unsigned thirds = 0;
  for (int lane = 0; lane < 32; lane += 3)
    thirds |= 1u << lane;
  for (int i = 0; i < count; ++i) {
    EXPECT(hBallots[i] == ~thirds);
    EXPECT(hAll[i] == (i < 32) && hAny[i] == (i >= 32));
    EXPECT(hSame[i] == 0xfu << (i % 32 / 4 * 4) && hAllSame[i] == 0xffffffff);
    EXPECT(hCounts[i] == 13 + 1000);
  }
}
