// SPDX-License-Identifier: MIT
// Shuffles with masks of 32 bits: scan, reduction and broadcast, for types of several sizes.
#include "check.h"

#define FULL_MASK 0xffffffff

template <class T> __device__ T scanOfWarp(T value) {
  const unsigned lane = threadIdx.x % warpSize;
  for (unsigned delta = 1; delta < warpSize; delta *= 2) {
    const T other = __shfl_up_sync(FULL_MASK, value, delta);
    if (lane >= delta)
      value += other;
  }
  return value;
}

template <class T> __global__ void scan(const T *in, T *out) {
  __shared__ T sums[32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const T value = scanOfWarp(in[threadIdx.x]);
  if (lane == 31)
    sums[warp] = value;
  __syncthreads();
  if (warp == 0)
    sums[lane] = scanOfWarp(lane < blockDim.x / 32 ? sums[lane] : T(0));
  __syncthreads();
  out[threadIdx.x] = value + (warp ? sums[warp - 1] : T(0));
}

template <class T> __global__ void butterfly(const T *in, T *sums, T *reversed) {
  T sum = in[threadIdx.x];
  for (int mask = 16; mask; mask >>= 1)
    sum += __shfl_xor_sync(FULL_MASK, sum, mask);
  sums[threadIdx.x] = __shfl_sync(FULL_MASK, sum, 5);
  reversed[threadIdx.x] = __shfl_sync(FULL_MASK, in[threadIdx.x], 7 - threadIdx.x % 8, 8);
}

// The last step of a common reduction: fewer lanes than the loop assumes are in it, and the others count as 0.
__global__ void fewLanes(const int *in, int *out) {
  int value = in[threadIdx.x];
  for (int offset = 16; offset; offset /= 2)
    value += __shfl_down_sync(FULL_MASK, value, offset);
  const unsigned mask = __ballot_sync(FULL_MASK, threadIdx.x < 8);
  if (threadIdx.x < 8) {
    value = in[threadIdx.x];
    for (int offset = 16; offset; offset /= 2)
      value += __shfl_down_sync(mask, value, offset);
  }
  if (threadIdx.x == 0)
    *out = value;
}

template <class T> void test() {
  const int count = 256;
  std::vector<T> in(count);
  for (int i = 0; i < count; ++i)
    in[i] = T(i % 9 - 3);
  T *dIn = onDevice(in), *dOut = nullptr, *dSums = nullptr;
  CALL(cudaMalloc(&dOut, count * sizeof(T)));
  CALL(cudaMalloc(&dSums, count * sizeof(T)));
  scan<<<1, count>>>(dIn, dOut);
  const std::vector<T> scanned = onHost(dOut, count);
  T running = 0;
  for (int i = 0; i < count; ++i)
    EXPECT(scanned[i] == (running += in[i]));
  butterfly<<<1, count>>>(dIn, dSums, dOut);
  const std::vector<T> sums = onHost(dSums, count), reversed = onHost(dOut, count);
  for (int i = 0; i < count; ++i) {
    T sum = 0;
    for (int k = i / 32 * 32; k < i / 32 * 32 + 32; ++k)
      sum += in[k];
    EXPECT(sums[i] == sum && reversed[i] == in[i / 8 * 8 + 7 - i % 8]);
  }
  CALL(cudaFree(dIn));
  CALL(cudaFree(dOut));
  CALL(cudaFree(dSums));
}

int main() {
  test<int>();
  test<float>();
  test<double>();
  test<long long>();
  std::vector<int> in(256);
  int sum = 0;
  for (int i = 0; i < 256; ++i)
    in[i] = 7 * i + 1, sum += i < 8 ? in[i] : 0;
  int *out = onDevice(std::vector<int>(1));
  fewLanes<<<1, 256>>>(onDevice(in), out);
  EXPECT(onHost(out, 1)[0] == sum);
}
