// SPDX-License-Identifier: MIT
// The same warp operation in the two arms of a branch has two sets of participants: nothing may make one operation of the two.
#include "tests/device/check.h"

#include <hip/hip_cooperative_groups.h>

namespace {

namespace cg = cooperative_groups;

// Each operation tells who takes part, as a number of lanes that is different when all lanes do.
struct ActiveMask {
  __device__ static int count(int) { return __popcll(__activemask()); }
};
struct Ballot {
  __device__ static int count(int) { return __popcll(__ballot(1)); }
};
struct BallotSync {
  __device__ static int count(int) { return __popcll(__ballot_sync(__activemask(), 1)); }
};
struct MatchAny {
  __device__ static int count(int) { return __popcll(__match_any(7)); }
};
struct Coalesced {
  __device__ static int count(int) { return int(cg::coalesced_threads().size()); }
};
// These say how many of the first and of the last eight lanes there are, eight for "some" and "all".
struct Any {
  __device__ static int count(int l) { return 8 * __any(l < 8) + 24 * __any(l >= 8); }
};
struct All {
  __device__ static int count(int l) { return 8 * __all(l < 8) + 24 * __all(l >= 8); }
};
// Functions that nobody inlines: the calls of them have to stay two as well.
struct Called {
  __device__ __attribute__((noinline)) static int count(int) { return __popcll(__activemask()); }
};
struct CalledByCalled {
  __device__ __attribute__((noinline)) static int count(int l) { return Called::count(l); }
};
struct Recursive {
  __device__ __attribute__((noinline)) static int countAt(int depth) {
    return depth == 0 ? __popcll(__ballot(1)) : countAt(depth - 1) + 0 * depth;
  }
  __device__ static int count(int) { return countAt(2); }
};
__device__ __attribute__((noinline)) int ballotsWith(int addend) { return __popcll(__ballot(1)) + addend; }
using Count = int (*)(int);
__device__ Count counts[] = {ballotsWith, Called::count};
struct Pointed {
  __device__ static int count(int) { return counts[0](0); }
};

constexpr int kForms = 8;

template <class Operation> __global__ void branches(int *o, int rounds) {
  const int t = threadIdx.x, l = t & 31;
  int *mine = o + kForms * t;
  int m;
  if (l < 8)
    m = Operation::count(l);
  else
    m = Operation::count(l);
  mine[0] = m;

  m = 0;
  if (l < 8)
    m = Operation::count(l);
  if (l >= 8)
    m = Operation::count(l);
  mine[1] = m;

  m = 0;
  for (int i = 0; i < rounds; ++i) {
    if (l < 8) {
      m += Operation::count(l);
      continue;
    }
    m += Operation::count(l);
  }
  mine[2] = m;

  m = l < 8 ? Operation::count(l) : Operation::count(l);
  mine[3] = m;

  switch (l >> 3) {
  case 0: m = Operation::count(l); break;
  case 1:
  case 2:
  case 3: m = Operation::count(l); break;
  }
  mine[4] = m;

  // Behind one another, with something else in front of each.
  if (l < 8) {
    mine[5] = 1;
    m = Operation::count(l);
  } else {
    mine[5] = 2;
    m = Operation::count(l);
  }
  mine[6] = m;

  if (l < 8) {
    mine[7] = Operation::count(l);
    return;
  }
  mine[7] = Operation::count(l);
}

template <class Operation> void check() {
  constexpr int kRounds = 3;
  for (int threads : {32, 64, 128}) {
    DeviceArray<int> out(kForms * threads);
    branches<Operation><<<1, threads>>>(out, kRounds);
    HIP_CHECK(hipGetLastError());
    const std::vector<int> found = out.host();
    int wrong = 0;
    for (int t = 0; t < threads; ++t) {
      const int count = (t & 31) < 8 ? 8 : 24;
      const int expected[kForms] = {count, count, kRounds * count, count, count, (t & 31) < 8 ? 1 : 2, count, count};
      for (int form = 0; form < kForms; ++form)
        if (found[kForms * t + form] != expected[form] && wrong++ == 0)
          std::fprintf(stderr, "form %d, thread %d: %d, expected %d\n", form, t, found[kForms * t + form],
                       expected[form]);
    }
    CHECK_EQ(wrong, 0);
  }
}

TEST(activeMask) { check<ActiveMask>(); }
TEST(ballot) {
  check<Ballot>();
  check<BallotSync>();
}
TEST(votes) {
  check<Any>();
  check<All>();
}
TEST(matches) { check<MatchAny>(); }
TEST(coalescedThreads) { check<Coalesced>(); }
TEST(functions) {
  check<Called>();
  check<CalledByCalled>();
  check<Recursive>();
  check<Pointed>();
}

// A warp that meets itself in one arm does not wait for those in the other one, and a shuffle there reads lanes of the arm.
__global__ void meetings(int *o) {
  __shared__ int s[64];
  const int t = threadIdx.x, l = t & 31;
  int m;
  if (l < 16) {
    s[t] = l;
    __syncwarp(__activemask());
    m = __shfl_xor(s[t ^ 1], 2);
  } else {
    s[t] = 100 + l;
    __syncwarp(__activemask());
    m = __shfl_xor(s[t ^ 1], 2);
  }
  o[t] = m;
}

TEST(shufflesInBothArms) {
  DeviceArray<int> out(64);
  meetings<<<1, 64>>>(out);
  const std::vector<int> found = out.host();
  for (int t = 0; t < 64; ++t)
    CHECK_EQ(found[t], ((t & 31) ^ 3) + ((t & 31) < 16 ? 0 : 100));
}

// Barriers in both arms of a branch that each block takes as a whole.
__global__ void barriers(int *o) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  int m;
  if (blockIdx.x & 1) {
    s[t] = t;
    __syncthreads();
    m = s[63 - t];
  } else {
    s[63 - t] = 2 * t;
    __syncthreads();
    m = s[t];
  }
  o[64 * blockIdx.x + t] = m;
}

TEST(barriersInBothArms) {
  DeviceArray<int> out(4 * 64);
  barriers<<<4, 64>>>(out);
  const std::vector<int> found = out.host();
  for (int i = 0; i < 4 * 64; ++i)
    CHECK_EQ(found[i], i / 64 % 2 ? 63 - i % 64 : 2 * (63 - i % 64));
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
