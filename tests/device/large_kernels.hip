// SPDX-License-Identifier: MIT
// Kernels of thousands of instructions, which are compiled without the stages of LLVM whose time grows fastest, and without optimisation for
// their first launch: one without a loop, one of many branches, one that calls a large function which is not inlined, and one whose
// work-items exchange numbers. The host computes the same.
#include "check.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace {

constexpr int kBlock = 64, kBlocks = 3, kMixes = 160;
constexpr int kItems = 300, kSpecies = 16, kReactions = 250, kStates = 250;

// The rates of reactions between species, each its own code.
template <int n> __host__ __device__ inline void react(const double *c, double *rate, double t) {
  constexpr int a = n * 7 % kSpecies, b = (n * 5 + 3) % kSpecies, d = (n * 11 + 1) % kSpecies;
  const double forward = (1 + n % 9) * c[a] * c[b] + t * (n % 4), back = c[d] * (n % 13) * 0.125;
  rate[a] -= forward - back;
  rate[b] += n % 3 ? back : forward * 0.5;
  if (rate[d] > 1 << n % 20)
    rate[d] = forward * 0.25 - rate[a];
  else
    rate[d] += forward;
}
template <int... n>
__host__ __device__ inline void reactAll(const double *c, double *rate, double t, std::integer_sequence<int, n...>) {
  (react<n>(c, rate, t), ...);
}
__host__ __device__ inline void rates(const int *in, long long *out, int i) {
  double c[kSpecies], rate[kSpecies];
#pragma unroll
  for (int k = 0; k < kSpecies; ++k) {
    c[k] = (in[(i + k) % kItems] % 64) * 0.25;
    rate[k] = 0;
  }
#pragma unroll
  for (int round = 0; round < 2; ++round)
    reactAll(c, rate, in[i] % (8 << round), std::make_integer_sequence<int, kReactions>());
  double sum = 0;
#pragma unroll
  for (int k = 0; k < kSpecies; ++k)
    sum += rate[k] < 1e9 && rate[k] > -1e9 ? rate[k] * 8 : k;
  out[i] = static_cast<long long>(sum);
}

// A state machine whose states differ.
template <int n> __host__ __device__ inline bool step(int &state, int &a, unsigned &b, const int *in) {
  if (state != n)
    return false;
  const int read = in[(a + n * 13) % kItems];
  b = b * (2 * n + 1) + static_cast<unsigned>(read);
  if (read % (n % 5 + 2) == 0) {
    a = (a + read) % kItems;
    state = n * 17 % kStates;
  } else if (b > 0x80000000u >> n % 3) {
    b ^= static_cast<unsigned>(n * 0x9e37);
    state = (n + 31) % kStates;
  } else {
    state = (n + 1 + a % 3) % kStates;
  }
  return true;
}
template <int... n>
__host__ __device__ inline void walk(const int *in, long long *out, int i, std::integer_sequence<int, n...>) {
  int state = i % kStates, a = i;
  unsigned b = 1;
  for (int round = 0; round < 40; ++round)
    (void)(step<n>(state, a, b, in) || ...);
  out[i] = static_cast<long long>(b) * kStates + state;
}

__global__ void reactions(const int *in, long long *out) {
  if (const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < kItems)
    rates(in, out, i);
}
__global__ void states(const int *in, long long *out) {
  if (const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < kItems)
    walk(in, out, i, std::make_integer_sequence<int, kStates>());
}
// Work-items hand numbers on, within a warp and in shared memory, between the steps.
template <int n> __host__ __device__ inline unsigned mix(unsigned a, unsigned given) {
  a = a * (2 * n + 5) + given;
  return a > 0x80000000u >> n % 3 ? a ^ given >> 3 : a;
}
template <int... n> __device__ inline unsigned mixWarp(unsigned a, std::integer_sequence<int, n...>) {
  ((a = mix<n>(a, __shfl_xor(a, 1 << n % 5))), ...);
  return a;
}
__global__ void exchanges(const unsigned *in, unsigned *out) {
  __shared__ unsigned row[kBlock];
  const unsigned t = threadIdx.x, i = blockIdx.x * kBlock + t;
  unsigned a = in[i];
#pragma unroll
  for (int round = 0; round < 4; ++round) {
    a = mixWarp(a, std::make_integer_sequence<int, kMixes>());
    row[t] = a;
    __syncthreads();
    a += row[(t + 37) % kBlock];
    __syncthreads();
  }
  out[i] = a;
}
template <int n> void mixAll(unsigned *a) {
  unsigned before[kBlock];
  std::copy_n(a, kBlock, before);
  for (int t = 0; t < kBlock; ++t)
    a[t] = mix<n>(before[t], before[t ^ 1 << n % 5]);
}
template <int... n> void mixBlock(unsigned *a, std::integer_sequence<int, n...>) { (mixAll<n>(a), ...); }
void exchangesOf(const unsigned *in, unsigned *out) {
  unsigned a[kBlock], before[kBlock];
  std::copy_n(in, kBlock, a);
  for (int round = 0; round < 4; ++round) {
    mixBlock(a, std::make_integer_sequence<int, kMixes>());
    std::copy_n(a, kBlock, before);
    for (int t = 0; t < kBlock; ++t)
      a[t] += before[(t + 37) % kBlock];
  }
  std::copy_n(a, kBlock, out);
}

__device__ __noinline__ void ratesApart(const int *in, long long *out, int i) { rates(in, out, i); }
__global__ void calls(const int *in, long long *out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < kItems)
    ratesApart(in, out, i);
  if (i < kItems && in[i] % 3 == 0)
    ratesApart(in, out, kItems - 1 - i);
}

void compare(const char *name, void (*kernel)(const int *, long long *), const int *in, long long *out,
             const long long *expected) {
  kernel<<<5, 64>>>(in, out);
  HIP_CHECK(hipDeviceSynchronize());
  for (int i = 0; i < kItems; ++i)
    if (out[i] != expected[i]) {
      std::fprintf(stderr, "%s: %lld at %d, not %lld\n", name, out[i], i, expected[i]);
      CHECK(out[i] == expected[i]);
    }
}

void checkExchanges() {
  constexpr int kAll = kBlock * kBlocks;
  unsigned *in, *out, expected[kAll];
  HIP_CHECK(hipMallocManaged(&in, kAll * sizeof *in));
  HIP_CHECK(hipMallocManaged(&out, kAll * sizeof *out));
  for (int i = 0; i < kAll; ++i)
    in[i] = static_cast<unsigned>(i * 7919 % 10007);
  for (int block = 0; block < kBlocks; ++block)
    exchangesOf(in + block * kBlock, expected + block * kBlock);
  for (int launch = 0; launch < 50; ++launch) { // other code may take its place meanwhile
    exchanges<<<kBlocks, kBlock>>>(in, out);
    HIP_CHECK(hipDeviceSynchronize());
    for (int i = 0; i < kAll; ++i)
      CHECK(out[i] == expected[i]);
  }
  HIP_CHECK(hipFree(in));
  HIP_CHECK(hipFree(out));
}

} // namespace

int main() {
  int *in;
  long long *out;
  HIP_CHECK(hipMallocManaged(&in, kItems * sizeof *in));
  HIP_CHECK(hipMallocManaged(&out, kItems * sizeof *out));
  for (int i = 0; i < kItems; ++i)
    in[i] = i * 7919 % 10007;
  long long sums[kItems], walks[kItems];
  for (int i = 0; i < kItems; ++i) {
    rates(in, sums, i);
    walk(in, walks, i, std::make_integer_sequence<int, kStates>());
  }
  compare("reactions", reactions, in, out, sums);
  compare("states", states, in, out, walks);
  compare("calls", calls, in, out, sums);
  checkExchanges();
  return 0;
}
