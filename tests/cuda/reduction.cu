// SPDX-License-Identifier: MIT
// Sums of an array in several ways: shared memory, unrolled by volatile loads, and by shuffles; a template of the
// block size.
#include "check.h"

template <int kBlock> __global__ void inShared(const int *in, int *out, int count) {
  __shared__ int partial[kBlock];
  int sum = 0;
  for (int i = blockIdx.x * kBlock * 2 + threadIdx.x; i < count; i += kBlock * 2 * gridDim.x)
    sum += in[i] + (i + kBlock < count ? in[i + kBlock] : 0);
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half >>= 1) {
    if (threadIdx.x < half)
      partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = partial[0];
}

__inline__ __device__ int warpSum(int value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffff, value, offset);
  return value;
}

__global__ void byShuffles(const int4 *in, int *out, int count) {
  static __shared__ int ofWarps[32];
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count / 4; i += blockDim.x * gridDim.x) {
    const int4 four = __ldg(in + i);
    sum += four.x + four.y + four.z + four.w;
  }
  sum = warpSum(sum);
  if (lane == 0)
    ofWarps[warp] = sum;
  __syncthreads();
  sum = threadIdx.x < blockDim.x / warpSize ? ofWarps[lane] : 0;
  if (warp == 0)
    sum = warpSum(sum);
  if (threadIdx.x == 0)
    atomicAdd(out, sum);
}

int main() {
  const int count = 1 << 18;
  std::vector<int> in(count);
  int wanted = 0;
  for (int i = 0; i < count; ++i)
    wanted += in[i] = (i * 31) % 1001 - 500;
  int *dIn = onDevice(in), *dOut = onDevice(std::vector<int>(64));
  inShared<256><<<64, 256>>>(dIn, dOut, count);
  int sum = 0;
  for (int part : onHost(dOut, 64))
    sum += part;
  EXPECT(sum == wanted);
  inShared<64><<<1, 64>>>(dIn, dOut, 1000);
  sum = 0;
  for (int i = 0; i < 1000; ++i)
    sum += in[i];
  EXPECT(onHost(dOut, 1)[0] == sum);
  CALL(cudaMemset(dOut, 0, sizeof(int)));
  byShuffles<<<32, 128>>>(reinterpret_cast<const int4 *>(dIn), dOut, count);
  EXPECT(onHost(dOut, 1)[0] == wanted);
}
