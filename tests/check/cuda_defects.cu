// SPDX-License-Identifier: MIT
// Planted defects in a CUDA program that cucc compiles. As in planted.h: kernels with a defect if `bad` is true and clean twins otherwise.
#include <chrono>
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <thread>

namespace cg = cooperative_groups;

#define CUDA_CHECK(call)                                                                                               \
  do {                                                                                                                 \
    if (const cudaError_t status = (call); status != cudaSuccess) {                                                    \
      std::fprintf(stderr, "line %d: %s: %s\n", __LINE__, #call, cudaGetErrorName(status));                            \
      std::exit(3);                                                                                                    \
    }                                                                                                                  \
  } while (0)

constexpr int kItems = 128, kBlock = 64, kBlocks = kItems / kBlock;

__device__ int globalId() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <bool bad> __global__ void addVectors(const float *a, const float *b, float *sum, int n) {
  const int i = globalId();
  if (bad || i < n)
    sum[i] = a[i] + b[i]; // finds: memcheck error
}

template <bool bad> __global__ void afterFreeAsync(int *p) {
  p[globalId()] = 1; // finds: memcheck error
}

template <bool bad> __global__ void otherStream(int *p) {
  p[globalId()] = 1; // finds: racecheck error
}

template <bool bad> __global__ void freedMeanwhile(int *p) {
  p[globalId()] = 2; // finds: racecheck error
}

template <bool bad> __global__ void managedTail(int *p) {
  p[globalId() + bad] = 1; // finds: memcheck error
}

template <bool bad> __global__ void blockSum(const int *in, int *out) {
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  s[t] = in[t];
  for (int width = kBlock / 2; width > 0; width >>= 1) {
    if (!bad)
      __syncthreads();
    if (t < width)
      s[t] += s[t + width]; // finds: racecheck error
  }
  if (t == 0)
    *out = s[0];
}

template <bool bad> __global__ void barrierInBranch(int *out) {
  if (!bad || threadIdx.x < 32)
    __syncthreads(); // finds: synccheck error
  out[threadIdx.x] = 1;
}

template <bool bad> __global__ void shuffleOfHalf(int *out) {
  int value = threadIdx.x;
  if (!bad || threadIdx.x % 32 < 16)
    value = __shfl_xor_sync(0xffffffff, value, 1); // finds: synccheck error
  out[threadIdx.x] = value;
}

template <bool bad> __global__ void tileOfHalf(int *out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  if (!bad || tile.thread_rank() < 16)
    tile.sync(); // finds: synccheck error
  out[threadIdx.x] = 1;
}

template <bool bad> __global__ void readsUnwritten(const int *in, int *out) {
  if (in[globalId()] > 0) // finds: initcheck error
    out[globalId()] = 1;
}

int *allocate(bool isWritten = true) {
  int *memory = nullptr;
  CUDA_CHECK(cudaMalloc(&memory, kItems * sizeof(int)));
  if (isWritten)
    CUDA_CHECK(cudaMemset(memory, 0, kItems * sizeof(int)));
  return memory;
}

template <bool bad> void run() {
  int *in = allocate(), *out = allocate(), *p = nullptr;
  auto *a = reinterpret_cast<float *>(allocate()), *b = reinterpret_cast<float *>(allocate());
  float *sum = nullptr;
  CUDA_CHECK(cudaMalloc(&sum, 100 * sizeof(float)));
  addVectors<bad><<<kBlocks, kBlock>>>(a, b, sum, 100);
  CUDA_CHECK(cudaDeviceSynchronize());
  cudaStream_t first, second;
  cudaEvent_t event;
  CUDA_CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CUDA_CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CUDA_CHECK(cudaEventCreate(&event));
  CUDA_CHECK(cudaMallocAsync(&p, kItems * sizeof(int), first));
  if (bad)
    CUDA_CHECK(cudaFreeAsync(p, first));
  afterFreeAsync<bad><<<kBlocks, kBlock, 0, first>>>(p);
  CUDA_CHECK(cudaStreamSynchronize(first));
  CUDA_CHECK(cudaMallocAsync(&p, kItems * sizeof(int), first));
  if (!bad) {
    CUDA_CHECK(cudaEventRecord(event, first));
    CUDA_CHECK(cudaStreamWaitEvent(second, event, 0));
  }
  otherStream<bad><<<kBlocks, kBlock, 0, second>>>(p);
  CUDA_CHECK(cudaDeviceSynchronize());
  freedMeanwhile<bad><<<kBlocks, kBlock, 0, second>>>(p);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  if (!bad)
    CUDA_CHECK(cudaStreamSynchronize(second));
  CUDA_CHECK(cudaFreeAsync(p, first));
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaMallocManaged(&p, kItems * sizeof(int)));
  managedTail<bad><<<kBlocks, kBlock>>>(p);
  blockSum<bad><<<1, kBlock>>>(in, out);
  barrierInBranch<bad><<<1, kBlock>>>(out);
  shuffleOfHalf<bad><<<1, kBlock>>>(out);
  tileOfHalf<bad><<<1, kBlock>>>(out);
  readsUnwritten<bad><<<kBlocks, kBlock>>>(allocate(!bad), out);
  CUDA_CHECK(cudaDeviceSynchronize());
}

int main(int argc, char **argv) {
  if (argc == 2 && !std::strcmp(argv[1], "bad"))
    run<true>();
  else
    run<false>();
}
