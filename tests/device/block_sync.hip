// SPDX-License-Identifier: MIT
// __syncthreads and its reductions, warp barriers and fences.
#include "tests/device/check.h"

__global__ void reverse(const int *in, int *out, int rounds) {
  __shared__ int tile[256];
  int i = threadIdx.x, n = blockDim.x;
  int v = in[blockIdx.x * n + i];
  for (int r = 0; r < rounds; ++r) {
    tile[i] = v;
    __syncthreads();
    v = tile[n - 1 - i] + 1;
    __syncthreads();
  }
  out[blockIdx.x * n + i] = v;
}

// Global memory is ordered by the barrier as well.
__global__ void throughGlobal(int *buffer, int *out) {
  int n = blockDim.x, i = threadIdx.x;
  int *mine = buffer + blockIdx.x * n;
  mine[i] = i * i;
  __syncthreads();
  out[blockIdx.x * n + i] = mine[(i + 37) % n];
}

// Threads that have returned do not hold up the barrier.
__global__ void earlyExit(int *out, int live) {
  __shared__ int sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  if ((int)threadIdx.x >= live)
    return;
  atomicAdd(&sum, 1);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void reductions(const int *predicates, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int p = predicates[i];
  out[3 * i] = __syncthreads_count(p);
  out[3 * i + 1] = __syncthreads_and(p);
  out[3 * i + 2] = __syncthreads_or(p);
}

__global__ void warpExchange(int *out) {
  __shared__ int tile[128];
  int i = threadIdx.x;
  tile[i] = 3 * i;
  __syncwarp();
  int v = tile[i ^ 1];
  __syncwarp(0xffffffff);
  tile[i] = v;
  __syncwarp();
  out[i] = tile[i ^ 2];
}

// Each block publishes a value and raises a flag; the last block to arrive sums up all of them.
__device__ unsigned arrived;
__global__ void lastBlock(volatile int *partial, int *total) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = blockIdx.x + 1;
    __threadfence();
    last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    __threadfence_system();
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b)
      sum += partial[b];
    __threadfence_block();
    *total = sum;
  }
}

TEST(blocks) {
  for (int threads : {1, 2, 32, 33, 100, 256}) {
    const int blocks = 5;
    std::vector<int> in(blocks * threads);
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = (int)(i * 7919 % 1000);
    DeviceArray<int> device(in), out(in.size());
    for (int rounds : {1, 2, 9}) {
      reverse<<<blocks, threads>>>(device, out, rounds);
      HIP_CHECK(hipGetLastError());
      std::vector<int> r = out.host();
      for (int i = 0; i < blocks * threads; ++i) {
        int t = i % threads, source = rounds % 2 ? threads - 1 - t : t;
        CHECK_EQ(r[i], in[i - t + source] + rounds);
      }
    }
    DeviceArray<int> buffer(in.size());
    throughGlobal<<<blocks, threads>>>(buffer, out);
    std::vector<int> g = out.host();
    for (int i = 0; i < blocks * threads; ++i)
      CHECK_EQ(g[i], (i % threads + 37) % threads * ((i % threads + 37) % threads));

    int live = (threads + 1) / 2;
    earlyExit<<<blocks, threads>>>(out, live);
    HIP_CHECK(hipGetLastError());
    std::vector<int> e = out.host();
    for (int i = 0; i < blocks * threads; ++i)
      if (i % threads < live)
        CHECK_EQ(e[i], live);

    for (int pattern = 0; pattern < 4; ++pattern) {
      std::vector<int> p(blocks * threads);
      for (size_t i = 0; i < p.size(); ++i)
        p[i] = pattern == 0 ? 0 : pattern == 1 ? -5 : pattern == 2 ? i % 3 == 0 : i != 0;
      DeviceArray<int> predicates(p), results(3 * p.size());
      reductions<<<blocks, threads>>>(predicates, results);
      HIP_CHECK(hipGetLastError());
      std::vector<int> r = results.host();
      for (int i = 0; i < blocks * threads; ++i) {
        int count = 0;
        for (int t = 0; t < threads; ++t)
          count += p[i / threads * threads + t] != 0;
        CHECK_EQ(r[3 * i], count);
        CHECK_EQ(r[3 * i + 1] != 0, count == threads);
        CHECK_EQ(r[3 * i + 2] != 0, count > 0);
      }
    }
  }
}

TEST(warpExchange) {
  DeviceArray<int> out(128);
  warpExchange<<<1, 128>>>(out);
  HIP_CHECK(hipGetLastError());
  std::vector<int> w = out.host();
  for (int i = 0; i < 128; ++i)
    CHECK_EQ(w[i], 3 * (i ^ 3));
}

TEST(lastBlock) {
  DeviceArray<int> partial(200), total(1);
  for (int repeat = 0; repeat < 3; ++repeat) {
    lastBlock<<<200, 64>>>(partial, total);
    HIP_CHECK(hipGetLastError());
    CHECK_EQ(total.host()[0], 200 * 201 / 2);
  }
}

int main(int argc, char **argv) { return runTests(argc, argv); }
