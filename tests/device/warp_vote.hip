// SPDX-License-Identifier: MIT
// Votes, ballots and matches, in full and partial warps, and where only some threads of a warp take part.
#include "tests/device/check.h"

struct Votes {
  int all, any, allTrue, anyFalse, allSync, anySync;
  unsigned long long ballot, active, ballotSync, low, matchAny, matchAll, matchAllUniform;
  int matchPredicate, matchUniformPredicate;
};

__global__ void vote(const int *predicates, Votes *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int p = predicates[i];
  Votes v;
  v.all = __all(p);
  v.any = __any(p);
  v.allTrue = __all(7);
  v.anyFalse = __any(0);
  v.ballot = __ballot(p);
  v.active = __activemask();
  v.ballotSync = __ballot_sync(0xffffffffull, p);
  v.allSync = __all_sync(0xffull, threadIdx.x % 32 < 8 || p);
  v.anySync = __any_sync(0xff00u, p);
  v.low = 0;
  if (threadIdx.x % 32 < 12)
    v.low = __ballot(1);
  v.matchAny = __match_any(p);
  v.matchAll = __match_all(p, &v.matchPredicate);
  v.matchAllUniform = __match_all(1.5, &v.matchUniformPredicate);
  out[i] = v;
}

__global__ void masks(unsigned long *out) {
  out[3 * threadIdx.x] = __lanemask_eq();
  out[3 * threadIdx.x + 1] = __lanemask_lt();
  out[3 * threadIdx.x + 2] = __lanemask_gt();
}

// Who fails the first test fails the second: a compiler that copied the vote into both branches would take it twice, in two
// parts of the warp.
__global__ void betweenBranches(int *out) {
  unsigned lane = threadIdx.x;
  int value = 0;
  if (lane < 16)
    value = out[lane] * 3;
  unsigned long long odd = __ballot(lane & 1);
  if (lane < 8)
    value += out[lane];
  out[lane] = value + 100 * __popcll(odd);
}

static void check(int blocks, int threads, int pattern) {
  std::vector<int> p(blocks * threads);
  for (size_t i = 0; i < p.size(); ++i)
    p[i] = pattern == 0 ? 0 : pattern == 1 ? 3 : pattern == 2 ? (int)(i * 2654435761u >> 30) : -(int)(i % 3 == 0);
  DeviceArray<int> device(p);
  DeviceArray<Votes> out(p.size());
  vote<<<blocks, threads>>>(device, out);
  HIP_CHECK(hipGetLastError());
  std::vector<Votes> votes = out.host();
  for (int i = 0; i < blocks * threads; ++i) {
    int first = i / threads * threads + i % threads / 32 * 32;
    int lanes = std::min(32, threads - i % threads / 32 * 32);
    unsigned long long ballot = 0, active = 0, equal = 0, second = 0;
    for (int lane = 0; lane < lanes; ++lane) {
      active |= 1ull << lane;
      ballot |= (unsigned long long)(p[first + lane] != 0) << lane;
      equal |= (unsigned long long)(p[first + lane] == p[i]) << lane;
      second |= lane >= 8 && lane < 16 && p[first + lane] ? 1ull << lane : 0;
    }
    const Votes &v = votes[i];
    CHECK_EQ(v.all, (int)(ballot == active));
    CHECK_EQ(v.any, (int)(ballot != 0));
    CHECK_EQ(v.allTrue, 1);
    CHECK_EQ(v.anyFalse, 0);
    CHECK_EQ(v.ballot, ballot);
    CHECK_EQ(v.active, active);
    CHECK_EQ(v.ballotSync, ballot);
    CHECK_EQ(v.allSync, 1);
    CHECK_EQ(v.anySync, (int)(second != 0));
    CHECK_EQ(v.low, i % threads % 32 < 12 ? active & 0xfff : 0);
    CHECK_EQ(v.matchAny, equal);
    bool same = equal == active;
    CHECK_EQ(v.matchPredicate, (int)same);
    CHECK_EQ(v.matchAll, same ? active : 0);
    CHECK_EQ(v.matchUniformPredicate, 1);
    CHECK_EQ(v.matchAllUniform, active);
  }
}

TEST(votes) {
  for (int threads : {1, 7, 31, 32, 33, 64, 100, 256})
    for (int pattern = 0; pattern < 4; ++pattern)
      check(2, threads, pattern);
}

TEST(laneMasks) {
  DeviceArray<unsigned long> out(3 * 32);
  masks<<<1, 32>>>(out);
  std::vector<unsigned long> m = out.host();
  for (int lane = 0; lane < 32; ++lane) {
    CHECK_EQ(m[3 * lane], 1ul << lane);
    CHECK_EQ(m[3 * lane + 1], (1ul << lane) - 1);
    CHECK_EQ(m[3 * lane + 2], 0xffffffff & ~((2ul << lane) - 1));
  }
}

TEST(betweenBranches) {
  std::vector<int> numbers(32);
  for (int lane = 0; lane < 32; ++lane)
    numbers[lane] = lane;
  DeviceArray<int> deviceNumbers(numbers);
  betweenBranches<<<1, 32>>>(deviceNumbers);
  numbers = deviceNumbers.host();
  for (int lane = 0; lane < 32; ++lane)
    CHECK_EQ(numbers[lane], 1600 + (lane < 8 ? 4 * lane : lane < 16 ? 3 * lane : 0));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
