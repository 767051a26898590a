// SPDX-License-Identifier: MIT
// The five kernels of BabelStream as HIP kernels, and copies and fills by the runtime, beside the same loops in OpenMP, in one
// run. Figures are bytes/s; compare them as ratios.
#include "native_stream.h"

#include <benchmark/benchmark.h>
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int kBlock = 1024;
constexpr int kDotBlocks = 256;
constexpr double kScalar = 0.4;

void check(hipError_t error, const char *what) {
  if (error != hipSuccess) {
    std::fprintf(stderr, "%s: %s\n", what, hipGetErrorName(error));
    std::exit(1);
  }
}
#define HIP(call) check((call), #call)

__global__ void init(double *a, double *b, double *c) {
  size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  a[i] = 0.1;
  b[i] = 0.2;
  c[i] = 0.0;
}

__global__ void copy(double *c, const double *a) {
  size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  c[i] = a[i];
}

__global__ void mul(double *b, const double *c, double scalar) {
  size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  b[i] = scalar * c[i];
}

__global__ void add(double *c, const double *a, const double *b) {
  size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  c[i] = a[i] + b[i];
}

__global__ void triad(double *a, const double *b, const double *c, double scalar) {
  size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  a[i] = b[i] + scalar * c[i];
}

__global__ void dot(double *sums, const double *a, const double *b, long n) {
  __shared__ double part[kBlock];
  double sum = 0;
  for (long i = blockIdx.x * long(blockDim.x) + threadIdx.x; i < n; i += long(gridDim.x) * blockDim.x)
    sum += a[i] * b[i];
  part[threadIdx.x] = sum;
  for (int width = blockDim.x / 2; width > 0; width /= 2) {
    __syncthreads();
    if (threadIdx.x < width)
      part[threadIdx.x] += part[threadIdx.x + width];
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = part[0];
}

/// The three arrays of one comparison in device memory.
struct Device {
  double *a, *b, *c, *sums;
  explicit Device(long n) {
    for (double **array : {&a, &b, &c})
      HIP(hipMalloc(array, n * sizeof(double)));
    HIP(hipHostMalloc(&sums, kDotBlocks * sizeof(double)));
    init<<<n / kBlock, kBlock>>>(a, b, c);
    HIP(hipDeviceSynchronize());
  }
  ~Device() {
    for (double *array : {a, b, c})
      HIP(hipFree(array));
    HIP(hipHostFree(sums));
  }
};

/// The same in host memory, touched first by the threads that use it.
struct Host {
  double *a, *b, *c;
  explicit Host(long n) {
    for (double **array : {&a, &b, &c})
      *array = static_cast<double *>(std::aligned_alloc(4096, n * sizeof(double)));
    nativeInit(a, b, c, n);
  }
  ~Host() {
    for (double *array : {a, b, c})
      std::free(array);
  }
};

template <class Run> void measure(benchmark::State &state, int arrays, Run run) {
  run();
  for (auto _ : state)
    run();
  state.SetBytesProcessed(state.iterations() * state.range(0) * arrays * sizeof(double));
}

void copyHip(benchmark::State &state) {
  long n = state.range(0);
  Device d(n);
  measure(state, 2, [&] {
    copy<<<n / kBlock, kBlock>>>(d.c, d.a);
    HIP(hipDeviceSynchronize());
  });
}
void copyOpenMP(benchmark::State &state) {
  long n = state.range(0);
  Host h(n);
  measure(state, 2, [&] {
    nativeCopy(h.c, h.a, n);
    benchmark::ClobberMemory();
  });
}
void mulHip(benchmark::State &state) {
  long n = state.range(0);
  Device d(n);
  measure(state, 2, [&] {
    mul<<<n / kBlock, kBlock>>>(d.b, d.c, kScalar);
    HIP(hipDeviceSynchronize());
  });
}
void mulOpenMP(benchmark::State &state) {
  long n = state.range(0);
  Host h(n);
  measure(state, 2, [&] {
    nativeMul(h.b, h.c, kScalar, n);
    benchmark::ClobberMemory();
  });
}
void addHip(benchmark::State &state) {
  long n = state.range(0);
  Device d(n);
  measure(state, 3, [&] {
    add<<<n / kBlock, kBlock>>>(d.c, d.a, d.b);
    HIP(hipDeviceSynchronize());
  });
}
void addOpenMP(benchmark::State &state) {
  long n = state.range(0);
  Host h(n);
  measure(state, 3, [&] {
    nativeAdd(h.c, h.a, h.b, n);
    benchmark::ClobberMemory();
  });
}
void triadHip(benchmark::State &state) {
  long n = state.range(0);
  Device d(n);
  measure(state, 3, [&] {
    triad<<<n / kBlock, kBlock>>>(d.a, d.b, d.c, kScalar);
    HIP(hipDeviceSynchronize());
  });
}
void triadOpenMP(benchmark::State &state) {
  long n = state.range(0);
  Host h(n);
  measure(state, 3, [&] {
    nativeTriad(h.a, h.b, h.c, kScalar, n);
    benchmark::ClobberMemory();
  });
}
void dotHip(benchmark::State &state) {
  long n = state.range(0);
  Device d(n);
  measure(state, 2, [&] {
    dot<<<kDotBlocks, kBlock>>>(d.sums, d.a, d.b, n);
    HIP(hipDeviceSynchronize());
    double sum = 0;
    for (int i = 0; i < kDotBlocks; ++i)
      sum += d.sums[i];
    benchmark::DoNotOptimize(sum);
  });
}
void dotOpenMP(benchmark::State &state) {
  long n = state.range(0);
  Host h(n);
  measure(state, 2, [&] { benchmark::DoNotOptimize(nativeDot(h.a, h.b, n)); });
}

// Copies and fills by the runtime. The processor's caches are not bypassed by OpenMP's loops.
void memcpyHip(benchmark::State &state) {
  long n = state.range(0);
  Device d(n);
  measure(state, 2, [&] {
    HIP(hipMemcpyAsync(d.c, d.a, n * sizeof(double), hipMemcpyDeviceToDevice, nullptr));
    HIP(hipStreamSynchronize(nullptr));
  });
}
void memcpyC(benchmark::State &state) {
  long n = state.range(0);
  Host h(n);
  measure(state, 2, [&] {
    std::memcpy(h.c, h.a, n * sizeof(double));
    benchmark::ClobberMemory();
  });
}
void memsetHip(benchmark::State &state) {
  long n = state.range(0);
  Device d(n);
  measure(state, 1, [&] {
    HIP(hipMemsetD32Async(d.c, 7, n * sizeof(double) / sizeof(int), nullptr));
    HIP(hipStreamSynchronize(nullptr));
  });
}
void memsetOpenMP(benchmark::State &state) {
  long n = state.range(0);
  Host h(n);
  measure(state, 1, [&] {
    nativeFill(h.c, 7, n);
    benchmark::ClobberMemory();
  });
}

#define STREAM_BENCHMARK(name) BENCHMARK(name)->Arg(1 << 20)->Arg(1 << 25)->UseRealTime()
STREAM_BENCHMARK(copyHip);
STREAM_BENCHMARK(copyOpenMP);
STREAM_BENCHMARK(mulHip);
STREAM_BENCHMARK(mulOpenMP);
STREAM_BENCHMARK(addHip);
STREAM_BENCHMARK(addOpenMP);
STREAM_BENCHMARK(triadHip);
STREAM_BENCHMARK(triadOpenMP);
STREAM_BENCHMARK(dotHip);
STREAM_BENCHMARK(dotOpenMP);
STREAM_BENCHMARK(memcpyHip);
STREAM_BENCHMARK(memcpyC);
STREAM_BENCHMARK(memsetHip);
STREAM_BENCHMARK(memsetOpenMP);

} // namespace

BENCHMARK_MAIN();
