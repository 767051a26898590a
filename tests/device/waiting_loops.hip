// SPDX-License-Identifier: MIT
// Kernels whose threads wait in loops for what others write: blocks for earlier blocks, of which there are more than threads to run
// them ("decoupled look-back"), a few blocks for later ones, warps for warps of their block, also beside barriers and under
// divergence; and threads that wait for threads of their own warp, which a processor can do and GPUs whose warps run in step cannot.
#include "tests/device/check.h"

#include <numeric>

namespace {

constexpr unsigned kThreads = 256, kWarps = kThreads / 32;

// The state of a block in a look-back: its own sum, or that of all blocks up to it.
constexpr unsigned long long kSum = 1ull << 62, kPrefix = 2ull << 62;

__device__ unsigned long long atomicRead(unsigned long long *state) { return atomicAdd(state, 0ull); }
__device__ unsigned long long exchangeRead(unsigned long long *state) { return atomicCAS(state, 0ull, 0ull); }
__device__ unsigned long long volatileRead(unsigned long long *state) {
  return *const_cast<volatile unsigned long long *>(state);
}
__device__ unsigned long long ownRead(unsigned long long *state) {
  return __hip_atomic_load(state, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
}

// A scan in one pass. The first warp looks at the 32 blocks before, then at those before them.
template <unsigned long long (*kRead)(unsigned long long *)>
__global__ void scan(const unsigned *in, unsigned *out, unsigned n, unsigned long long *states) {
  __shared__ unsigned sums[kWarps], before;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, i = blockIdx.x * kThreads + threadIdx.x;
  const unsigned own = i < n ? in[i] : 0;
  unsigned sum = own;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned other = __shfl_up(sum, distance);
    sum += lane >= distance ? other : 0;
  }
  if (lane == 31)
    sums[warp] = sum;
  __syncthreads();
  unsigned all = 0, base = 0;
  for (unsigned other = 0; other < kWarps; ++other) {
    base += other < warp ? sums[other] : 0;
    all += sums[other];
  }
  if (warp == 0) {
    if (lane == 0)
      atomicExch(&states[blockIdx.x], (blockIdx.x == 0 ? kPrefix : kSum) | all);
    unsigned earlier = 0;
    for (int last = int(blockIdx.x) - 1; last >= 0; last -= 32) {
      const int block = last - int(lane);
      unsigned long long seen = kPrefix;
      if (block >= 0)
        while ((seen = kRead(&states[block])) == 0)
          ;
      const unsigned ends = unsigned(__ballot((seen & kPrefix) != 0));
      const unsigned first = ends ? __ffs(ends) - 1 : 31;
      unsigned part = lane <= first ? unsigned(seen) : 0;
      for (unsigned distance = 16; distance > 0; distance /= 2)
        part += __shfl_xor(part, distance);
      earlier += part;
      if (ends)
        break;
    }
    if (lane == 0) {
      atomicExch(&states[blockIdx.x], kPrefix | (earlier + all));
      before = earlier;
    }
  }
  __syncthreads();
  if (i < n)
    out[i] = before + base + sum;
}

template <class Kernel> void checkScan(Kernel kernel, unsigned n) {
  std::vector<unsigned> values(n), sums(n), result(n);
  for (unsigned i = 0; i < n; ++i)
    values[i] = i * 2654435761u >> 20;
  std::partial_sum(values.begin(), values.end(), sums.begin());
  const unsigned blocks = (n + kThreads - 1) / kThreads;
  DeviceArray<unsigned> in(values), out(n);
  DeviceArray<unsigned long long> states(blocks);
  unsigned long long *state = states;
  for (int round = 0; round < 3; ++round) {
    HIP_CHECK(hipMemset(state, 0, blocks * sizeof *state));
    kernel<<<blocks, kThreads>>>(in, out, n, state);
    HIP_CHECK(hipMemcpy(result.data(), static_cast<unsigned *>(out), n * sizeof(unsigned), hipMemcpyDeviceToHost));
    CHECK(result == sums);
  }
}

TEST(scanInOnePass) {
  for (unsigned n : {1u, 256u, 257u, 100'003u})
    checkScan(scan<atomicRead>, n);
  checkScan(scan<exchangeRead>, 50'001);
  checkScan(scan<volatileRead>, 50'001);
  checkScan(scan<ownRead>, 50'001);
}

// Each thread looks back by itself, from block to block until one has the prefix of its column.
__global__ void columnPrefixes(const unsigned *in, unsigned *out, unsigned *states) {
  const unsigned column = threadIdx.x, at = blockIdx.x * kThreads + column, value = in[at];
  atomicExch(&states[at], 1u << 30 | value);
  unsigned before = 0;
  for (unsigned block = blockIdx.x; block > 0;) {
    --block;
    unsigned seen = atomicAdd(&states[block * kThreads + column], 0);
    while (seen == 0)
      seen = atomicAdd(&states[block * kThreads + column], 0);
    before += seen & ((1u << 30) - 1);
    if (seen >> 31)
      break;
  }
  atomicExch(&states[at], 1u << 31 | (before + value));
  out[at] = before + value;
}

TEST(eachThreadLooksBack) {
  constexpr unsigned kBlocks = 301;
  std::vector<unsigned> values(kBlocks * kThreads), result(values.size());
  for (unsigned i = 0; i < values.size(); ++i)
    values[i] = i * 40503u >> 3 & 1023;
  DeviceArray<unsigned> in(values), out(values.size()), states(values.size());
  HIP_CHECK(hipMemset(static_cast<unsigned *>(states), 0, values.size() * sizeof(unsigned)));
  columnPrefixes<<<kBlocks, kThreads>>>(in, out, states);
  HIP_CHECK(
      hipMemcpy(result.data(), static_cast<unsigned *>(out), result.size() * sizeof(unsigned), hipMemcpyDeviceToHost));
  int wrong = 0;
  for (unsigned i = 0; i < values.size(); ++i) {
    values[i] += i >= kThreads ? values[i - kThreads] : 0;
    wrong += values[i] != result[i];
  }
  CHECK_EQ(wrong, 0);
}

// From warp to warp through shared memory, each lane on a flag of its own, between barriers.
__global__ void passOn(unsigned *out, int rounds) {
  __shared__ volatile unsigned flags[kThreads], values[kThreads];
  const unsigned t = threadIdx.x, warp = t / 32;
  unsigned result = 0;
  for (int round = 1; round <= rounds; ++round) {
    flags[t] = 0;
    __syncthreads();
    unsigned value = t % 32 + round;
    if (warp != kWarps - 1) { // the last warp begins, so that the others really wait
      while (flags[t + 32] != unsigned(round))
        ;
      __threadfence_block();
      value += values[t + 32];
    }
    values[t] = value;
    __threadfence_block();
    flags[t] = round;
    __syncthreads();
    result += values[t % 32];
  }
  out[blockIdx.x * kThreads + t] = result;
}

// Some lanes wait, a different number of times, the others go past.
__global__ void waitDivergent(const unsigned *counts, unsigned *out) {
  __shared__ unsigned counters[kThreads];
  const unsigned t = threadIdx.x, warp = t / 32;
  counters[t] = 0;
  __syncthreads();
  unsigned polls = 0;
  if (warp == 0) {
    if (t % 3 != 0)
      for (unsigned k = 1; k <= counts[t]; ++k)
        while (__hip_atomic_load(&counters[t + 32], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP) < k)
          ++polls;
  } else if (warp == 1) {
    for (unsigned k = 0; k < 20; ++k)
      __hip_atomic_fetch_add(&counters[t], 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_WORKGROUP);
  }
  __syncthreads();
  out[t] = warp == 0 && t % 3 != 0 ? counters[t + 32] : polls;
}

// Warps of a block that count each other by additions, and ask by adding nothing: at once, and through variables.
__global__ void meetByAdditions(unsigned *out) {
  __shared__ unsigned arrived, left;
  const unsigned t = threadIdx.x, warps = blockDim.x / 32;
  if (t == 0)
    arrived = left = 0;
  __syncthreads();
  if (t % 32 == 0) {
    atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) < warps) {
    }
    unsigned seen, *const place = &left;
    atomicAdd(place, 1);
    do {
      const unsigned nothing = 0;
      seen = atomicAdd(place, nothing);
    } while (seen != warps);
    out[blockIdx.x * warps + t / 32] = arrived + 100 * seen;
  }
}

std::vector<unsigned> resultOf(unsigned count, const DeviceArray<unsigned> &out) {
  std::vector<unsigned> result(count);
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipMemcpy(result.data(), static_cast<unsigned *>(const_cast<DeviceArray<unsigned> &>(out)),
                      count * sizeof(unsigned), hipMemcpyDeviceToHost));
  return result;
}

TEST(warpsOfABlock) {
  constexpr unsigned kBlocks = 7, kRounds = 5;
  DeviceArray<unsigned> out(kBlocks * kThreads);
  passOn<<<kBlocks, kThreads>>>(out, kRounds);
  const std::vector<unsigned> result = resultOf(kBlocks * kThreads, out);
  int wrong = 0;
  for (unsigned i = 0; i < result.size(); ++i) {
    unsigned expected = 0;
    for (unsigned round = 1; round <= kRounds; ++round)
      expected += kWarps * (i % 32 + round);
    wrong += result[i] != expected;
  }
  CHECK_EQ(wrong, 0);
}

TEST(warpsThatCountEachOther) {
  constexpr unsigned kBlocks = 5;
  DeviceArray<unsigned> out(kBlocks * kWarps);
  meetByAdditions<<<kBlocks, kThreads>>>(out);
  for (unsigned each : resultOf(kBlocks * kWarps, out))
    CHECK_EQ(each, 101 * kWarps);
}

TEST(divergent) {
  std::vector<unsigned> counts(kThreads);
  for (unsigned i = 0; i < kThreads; ++i)
    counts[i] = i % 21;
  DeviceArray<unsigned> in(counts), out(kThreads);
  waitDivergent<<<1, kThreads>>>(in, out);
  const std::vector<unsigned> result = resultOf(kThreads, out);
  for (unsigned i = 0; i < kThreads; ++i)
    CHECK_EQ(result[i], i < 32 && i % 3 != 0 ? 20u : 0u);
}

// A lock that one thread of a block takes for all of them, which then count in turns; another thread waits for its turn as well.
__global__ void blockLock(unsigned *locked, unsigned *turn, unsigned *counts, volatile unsigned *order) {
  if (threadIdx.x == 0)
    while (atomicCAS(locked, 0, 1) != 0)
      ;
  __syncthreads();
  counts[threadIdx.x] += 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    atomicExch(locked, 0);
  __syncthreads(); // or the compiler makes one branch of both
  if (threadIdx.x == 33) {
    while (atomicAdd(turn, 0) != blockIdx.x)
      ;
    order[blockIdx.x] = *const_cast<volatile unsigned *>(turn);
    __threadfence();
    atomicAdd(turn, 1);
  }
}

TEST(oneThreadOfABlock) {
  constexpr unsigned kBlocks = 100;
  DeviceArray<unsigned> words(2), counts(kThreads), order(kBlocks);
  unsigned *word = words;
  blockLock<<<kBlocks, kThreads>>>(word, word + 1, counts, static_cast<unsigned *>(order));
  HIP_CHECK(hipDeviceSynchronize());
  for (unsigned count : counts.host())
    CHECK_EQ(count, kBlocks);
  const std::vector<unsigned> turns = order.host();
  for (unsigned block = 0; block < kBlocks; ++block)
    CHECK_EQ(turns[block], block);
}

// Each block gets from the one behind it what it hands on, and all meet at a barrier of their own. More blocks than threads to run them,
// and few enough for any GPU to hold at once.
__global__ void handDown(volatile unsigned *numbers, unsigned *arrived, unsigned *sums) {
  if (threadIdx.x == 0) {
    while (blockIdx.x + 1 < gridDim.x && numbers[blockIdx.x + 1] == 0)
      ;
    numbers[blockIdx.x] = blockIdx.x + 1 < gridDim.x ? numbers[blockIdx.x + 1] + 2 : 2;
    __threadfence();
    atomicAdd(arrived, 1);
    while (*const_cast<volatile unsigned *>(arrived) < gridDim.x)
      ;
    __threadfence();
  }
  __syncthreads();
  unsigned sum = 0;
  for (unsigned block = 0; block < gridDim.x; ++block)
    sum += numbers[block];
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

TEST(blocksWaitForLaterOnes) {
  constexpr unsigned kBlocks = 16, kSize = 64;
  DeviceArray<unsigned> numbers(kBlocks + 1), sums(kBlocks * kSize);
  unsigned *number = numbers;
  for (int round = 0; round < 3; ++round) {
    HIP_CHECK(hipMemset(number, 0, (kBlocks + 1) * sizeof(unsigned)));
    handDown<<<kBlocks, kSize>>>(number, number + kBlocks, static_cast<unsigned *>(sums));
    HIP_CHECK(hipDeviceSynchronize());
    for (unsigned sum : sums.host())
      CHECK_EQ(sum, kBlocks * (kBlocks + 1));
  }
}

// Each thread has a list of places, from the end of an array, and comes back to a place until its number is there, which threads of
// any block and of its own warp write.
__global__ void halve(volatile int *numbers, int count) {
  const int step = int(gridDim.x * blockDim.x);
  for (int i = count - 1 - int(blockIdx.x * blockDim.x + threadIdx.x); i > 0;) {
    const int above = i == count - 1 ? 1 : numbers[i];
    if (above != 0) {
      for (int below = 2 * (count - 1 - i) + 1; below <= 2 * (count - 1 - i) + 2 && below < count; ++below)
        numbers[count - 1 - below] = above + 1;
      i -= step;
    }
    __syncthreads();
  }
}

TEST(placesThatAreNotReady) {
  constexpr int kCount = 5000;
  DeviceArray<int> numbers(kCount);
  int *number = numbers;
  HIP_CHECK(hipMemset(number, 0, kCount * sizeof(int)));
  halve<<<8, 64>>>(number, kCount);
  HIP_CHECK(hipDeviceSynchronize());
  const std::vector<int> found = numbers.host();
  for (int node = 1; node < kCount; ++node) {
    int depth = 1;
    for (int above = node; above > 0; above = (above - 1) / 2)
      ++depth;
    CHECK_EQ(found[kCount - 1 - node], depth);
  }
}

// One thread produces, and those of its own warp wait in the other branch.
__global__ void produce(volatile unsigned *flag, unsigned *out) {
  unsigned value;
  if (threadIdx.x == 5) {
    out[kThreads] = 42;
    __threadfence();
    *flag = 1;
    value = 41;
  } else {
    while (*flag == 0)
      ;
    value = out[kThreads];
  }
  out[threadIdx.x] = value;
}

// Each thread waits for the one before it.
__global__ void chain(volatile unsigned *flags, unsigned *out) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i > 0)
    while (flags[i - 1] == 0)
      ;
  out[i] = i > 0 ? out[i - 1] + 3 : 3;
  __threadfence();
  flags[i] = 1;
}

// A lock that each thread takes: in the order of tickets, and as it comes.
__global__ void lockInOrder(unsigned *ticket, unsigned *turn, volatile unsigned *count) {
  const unsigned mine = atomicAdd(ticket, 1);
  while (atomicAdd(turn, 0) != mine)
    ;
  *count = *count + 1;
  __threadfence();
  atomicExch(turn, mine + 1);
}
__global__ void lock(unsigned *locked, volatile unsigned *count) {
  while (atomicCAS(locked, 0, 1) != 0)
    ;
  __threadfence();
  *count = *count + 1;
  __threadfence();
  atomicExch(locked, 0);
}

// Waits that AMD's GPUs and older ones of NVIDIA's cannot do: a host-side check keeps these to devices that are processors.
TEST(lanesOfAWarp) {
  constexpr unsigned kBlocks = 3;
  DeviceArray<unsigned> words(kBlocks * kThreads), out(kBlocks * kThreads + 1);
  unsigned *word = words;
  const auto clear = [&] { HIP_CHECK(hipMemset(word, 0, kBlocks * kThreads * sizeof(unsigned))); };
  clear();
  produce<<<1, kThreads>>>(word, out);
  std::vector<unsigned> result = resultOf(kThreads, out);
  for (unsigned i = 0; i < kThreads; ++i)
    CHECK_EQ(result[i], i == 5 ? 41u : 42u);
  clear();
  chain<<<kBlocks, kThreads>>>(word, out);
  result = resultOf(kBlocks * kThreads, out);
  CHECK_EQ(result.back(), 3 * kBlocks * kThreads);
  clear();
  lockInOrder<<<kBlocks, kThreads>>>(word, word + 1, word + 2);
  lock<<<kBlocks, kThreads>>>(word + 3, word + 4);
  result = resultOf(5, words);
  CHECK_EQ(result[2], kBlocks * kThreads);
  CHECK_EQ(result[4], kBlocks * kThreads);
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
