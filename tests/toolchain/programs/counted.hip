// SPDX-License-Identifier: MIT
// Kernels of which it is known what they do, for the roofline of hiplz-prof: cases/prof_roofline.sh has the figures.
#include <cstdio>
#include <cstdlib>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include <utility>

#define CHECK(call)                                                                                                    \
  if (hipError_t error = (call); error != hipSuccess) {                                                                \
    std::fprintf(stderr, "%s: %s\n", #call, hipGetErrorString(error));                                                 \
    std::exit(1);                                                                                                      \
  }

constexpr int kSize = 1000; // not a multiple of any block
constexpr int kTile = 8, kMatrix = 24;

__device__ int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void saxpy(float a, const float *x, float *y, int n) {
  const int i = index();
  if (i < n)
    y[i] = a * x[i] + y[i];
}

__global__ void earlyReturn(const float *x, float *y, int n) {
  const int i = index();
  if (i >= n)
    return;
  if (i % 4 == 0)
    return;
  y[i] = x[i] + 1;
}

// Work-item i does i % 7 rounds of a dependent multiply-add.
__global__ void divergentLoop(const float *x, float *y, int n) {
  const int i = index();
  if (i >= n)
    return;
  float sum = x[i];
  for (int round = 0; round < i % 7; ++round)
    sum = __fmaf_rn(sum, 0.5f, 1.25f);
  y[i] = sum;
}

__global__ void doubles(const double *x, double *y, int n) {
  const int i = index();
  if (i < n)
    y[i] = (x[i] * x[i] - 3) / x[i];
}

__global__ void halves(const __half *x, __half *y, int n) {
  const int i = index();
  if (i < n)
    y[i] = __hadd(__hmul(x[i], x[i]), __hfma(x[i], x[i], x[i]));
}

__global__ void special(const float *x, float *y, int n) {
  const int i = index();
  if (i < n)
    y[i] = sqrtf(x[i]) + sinf(x[i]);
}

__global__ void nbody(const float4 *bodies, float4 *forces, int n) {
  const int i = index();
  if (i >= n)
    return;
  const float4 own = bodies[i];
  float x = 0, y = 0, z = 0;
  for (int j = 0; j < n; ++j) {
    const float4 other = bodies[j];
    const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z; // 3
    const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);            // 6 and a special function
    const float strength = other.w * inverse * inverse * inverse;                 // 3
    x += dx * strength, y += dy * strength, z += dz * strength;                   // 6
  }
  forces[i] = make_float4(x, y, z, 0);
}

// A multiplication of matrices by tiles in shared memory.
__global__ void tiles(const float *a, const float *b, float *c) {
  __shared__ float left[kTile][kTile], right[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < kMatrix; tile += kTile) {
    left[threadIdx.y][threadIdx.x] = a[row * kMatrix + tile + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * kMatrix + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k)
      sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  c[row * kMatrix + column] = sum;
}

__global__ void dynamicShared(const float *x, float *y, int n) {
  extern __shared__ float all[];
  const int i = index();
  all[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n)
    y[i] = all[blockDim.x - 1 - threadIdx.x];
}

__global__ void atomics(const int *x, int *counters, int n) {
  const int i = index();
  if (i < n)
    atomicAdd(&counters[x[i] & 15], 1);
}

// The difference between the two is known, however much the index costs.
__global__ void integers(const int *x, int *y, int n) {
  const int i = index();
  if (i < n)
    y[i] = x[i];
}
__global__ void moreIntegers(const int *x, int *y, int n) {
  const int i = index();
  if (i < n)
    y[i] = (x[i] * x[i]) ^ (x[i] >> 3);
}

// Calls itself, so it stays a function.
__device__ __attribute__((noinline)) float power(float x, int n) { return n == 0 ? 1 : x * power(x, n - 1); }
__global__ void recursion(const float *x, float *y, int n) {
  const int i = index();
  if (i < n)
    y[i] = power(x[i], 5);
}

// Called through a pointer: the function is in the part of the module that kernels share.
__device__ __attribute__((noinline)) float twice(float x) { return x + x; }
__device__ __attribute__((noinline)) float square(float x) { return x * x + 1; }
__device__ float (*table[2])(float) = {twice, square};
__global__ void pointers(const float *x, float *y, int n) {
  const int i = index();
  if (i < n)
    y[i] = table[i % 2](x[i]);
}

struct Parts {
  float *x, *y;
  float factors[4];
};
// Pointers in a structure, and an array in it, which is read like an argument and not from memory.
__global__ void structure(Parts parts, int n) {
  const int i = index();
  if (i < n)
    parts.y[i] = parts.x[i] * parts.factors[i & 3];
}

__constant__ float factors[4];
__global__ void constants(const float *x, float *y, int n) {
  const int i = index();
  if (i < n)
    y[i] = x[i] * factors[i & 3];
}

template <class T> T *zeros(size_t count) {
  T *memory = nullptr;
  CHECK(hipMalloc(&memory, count * sizeof(T)));
  CHECK(hipMemset(memory, 0, count * sizeof(T)));
  return memory;
}

int main(int count, char **) {
  auto *x = zeros<float>(4 * kSize), *y = zeros<float>(4 * kSize);
  auto *dx = zeros<double>(kSize), *dy = zeros<double>(kSize);
  auto *hx = zeros<__half>(kSize), *hy = zeros<__half>(kSize);
  auto *ix = zeros<int>(kSize), *iy = zeros<int>(kSize);
  auto *x4 = reinterpret_cast<float4 *>(x), *y4 = reinterpret_cast<float4 *>(y);
  for (const auto &[grid, block] : {std::pair(16, 64), std::pair(10, 100), std::pair(200, 5)}) {
    saxpy<<<grid, block>>>(2, x, y, kSize);
    earlyReturn<<<grid, block>>>(x, y, kSize);
    divergentLoop<<<grid, block>>>(x, y, kSize);
    doubles<<<grid, block>>>(dx, dy, kSize);
    halves<<<grid, block>>>(hx, hy, kSize);
    special<<<grid, block>>>(x, y, kSize);
    atomics<<<grid, block>>>(ix, iy, kSize);
    integers<<<grid, block>>>(ix, iy, kSize);
    moreIntegers<<<grid, block>>>(ix, iy, kSize);
    recursion<<<grid, block>>>(x, y, kSize);
    pointers<<<grid, block>>>(x, y, kSize);
    structure<<<grid, block>>>(Parts{x, y, {1, 2, 3, 4}}, kSize);
    constants<<<grid, block>>>(x, y, kSize);
    dynamicShared<<<grid, block, block * sizeof(float)>>>(x, y, kSize);
  }
  nbody<<<10, 100>>>(x4, y4, kSize);
  tiles<<<dim3(kMatrix / kTile, kMatrix / kTile), dim3(kTile, kTile)>>>(x, x, y);
  hipStream_t stream;
  hipGraph_t graph;
  hipGraphExec_t exec;
  CHECK(hipStreamCreate(&stream));
  CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  saxpy<<<4, 256, 0, stream>>>(2, x, y, kSize);
  CHECK(hipStreamEndCapture(stream, &graph));
  CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  CHECK(hipGraphLaunch(exec, stream));
  CHECK(hipGraphLaunch(exec, stream));
  CHECK(hipDeviceSynchronize());
  std::puts(count > 1 ? "done with an argument" : "done");
}
