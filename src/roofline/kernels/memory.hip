// SPDX-License-Identifier: MIT
// Bandwidth: loops of loads and stores. Each block goes through a part of its own, so that the parts of the blocks that run at the
// same time are what a cache has to hold. What is read is summed up, and stored if the sum is one that the host knows not to occur.
#include "roofline/kernels/throughput.h"

namespace hiplz::roofline {
namespace {

template <class Vector> __device__ float anyElement(Vector v) { return v[0]; }
template <> __device__ float anyElement<float>(float v) { return v; }

template <class Vector, unsigned Count> __device__ __forceinline__ Vector sumOf(const Vector (&values)[Count]) {
  Vector sum = values[0];
#pragma unroll
  for (unsigned i = 1; i < Count; ++i)
    sum += values[i];
  return sum;
}

// F(index of a vector in the arrays) for each vector of the block's part, `passes` times.
template <unsigned Width, class Function>
__device__ __forceinline__ void forPart(unsigned elements, unsigned passes, Function f) {
  constexpr unsigned kAccesses = accessesOf(Width);
  const size_t first = size_t(blockIdx.x) * elements + threadIdx.x;
  const unsigned threads = blockDim.x;
  // The same trips for all work-items, which compilers can see: elements are a multiple of a trip's.
  for (unsigned pass = 0; pass < passes; ++pass)
    for (unsigned i = 0; i < elements; i += threads * kAccesses)
#pragma unroll
      for (unsigned access = 0; access < kAccesses; ++access)
        f(first + i + access * threads, access, pass);
}

template <unsigned Width>
__device__ __forceinline__ void readPart(float *out, const float *in, unsigned elements, unsigned passes, float value) {
  using Vector = typename VectorOf<float, Width>::type;
  const auto *vectors = reinterpret_cast<const Vector *>(in);
  Vector sums[accessesOf(Width)] = {};
  forPart<Width>(elements, passes, [&](size_t at, unsigned access, unsigned) { sums[access] += vectors[at]; });
  const float sum = anyElement<Vector>(sumOf(sums));
  if (sum == value)
    *out = sum;
}

template <unsigned Width>
__device__ __forceinline__ void writePart(float *out, unsigned elements, unsigned passes, float value) {
  using Vector = typename VectorOf<float, Width>::type;
  auto *vectors = reinterpret_cast<Vector *>(out);
  forPart<Width>(elements, passes,
                 [&](size_t at, unsigned, unsigned pass) { vectors[at] = Vector(value + float(pass)); });
}

template <unsigned Width>
__device__ __forceinline__ void copyPart(float *out, const float *in, unsigned elements, unsigned passes) {
  using Vector = typename VectorOf<float, Width>::type;
  auto *to = reinterpret_cast<Vector *>(out);
  const auto *from = reinterpret_cast<const Vector *>(in);
  forPart<Width>(elements, passes, [&](size_t at, unsigned, unsigned) { to[at] = from[at]; });
}

template <unsigned Width>
__device__ __forceinline__ void triadPart(float *out, const float *first, const float *second, unsigned elements,
                                          unsigned passes, float value) {
  using Vector = typename VectorOf<float, Width>::type;
  auto *to = reinterpret_cast<Vector *>(out);
  const auto *b = reinterpret_cast<const Vector *>(first);
  const auto *c = reinterpret_cast<const Vector *>(second);
  forPart<Width>(elements, passes, [&](size_t at, unsigned, unsigned) { to[at] = b[at] + value * c[at]; });
}

template <unsigned Width>
__device__ __forceinline__ void updatePart(float *out, unsigned elements, unsigned passes, float value) {
  using Vector = typename VectorOf<float, Width>::type;
  auto *vectors = reinterpret_cast<Vector *>(out);
  forPart<Width>(elements, passes, [&](size_t at, unsigned, unsigned) { vectors[at] += Vector(value); });
}

// Loads with `Mads` multiply-adds for each: what a program of that intensity can reach.
template <unsigned Mads>
__device__ __forceinline__ void mixPart(float *out, const float *in, unsigned elements, unsigned passes, float value) {
  float sums[accessesOf(1)] = {};
  forPart<1>(elements, passes, [&](size_t at, unsigned access, unsigned) {
    float x = in[at];
#pragma unroll
    for (unsigned i = 0; i + 1 < Mads; ++i)
      x = multiplyAdd<float>(x, value, value);
    sums[access] = multiplyAdd<float>(x, value, sums[access]);
  });
  const float sum = sumOf(sums);
  if (sum == value)
    *out = sum;
}

} // namespace
} // namespace hiplz::roofline

#define PARAMETERS float *out, const float *first, const float *second, unsigned elements, unsigned passes, float value
#define MEMORY_KERNELS(WIDTH)                                                                                          \
  extern "C" __global__ void read_x##WIDTH(PARAMETERS) {                                                               \
    hiplz::roofline::readPart<WIDTH>(out, first, elements, passes, value);                                             \
  }                                                                                                                    \
  extern "C" __global__ void write_x##WIDTH(PARAMETERS) {                                                              \
    hiplz::roofline::writePart<WIDTH>(out, elements, passes, value);                                                   \
  }                                                                                                                    \
  extern "C" __global__ void copy_x##WIDTH(PARAMETERS) {                                                               \
    hiplz::roofline::copyPart<WIDTH>(out, first, elements, passes);                                                    \
  }                                                                                                                    \
  extern "C" __global__ void triad_x##WIDTH(PARAMETERS) {                                                              \
    hiplz::roofline::triadPart<WIDTH>(out, first, second, elements, passes, value);                                    \
  }                                                                                                                    \
  extern "C" __global__ void update_x##WIDTH(PARAMETERS) {                                                             \
    hiplz::roofline::updatePart<WIDTH>(out, elements, passes, value);                                                  \
  }
MEMORY_KERNELS(1)
MEMORY_KERNELS(2)
MEMORY_KERNELS(4)
MEMORY_KERNELS(8)
MEMORY_KERNELS(16)

#define MIXED_KERNEL(MADS)                                                                                             \
  extern "C" __global__ void mixed_m##MADS(PARAMETERS) {                                                               \
    hiplz::roofline::mixPart<MADS>(out, first, elements, passes, value);                                               \
  }
MIXED_KERNEL(1)
MIXED_KERNEL(2)
MIXED_KERNEL(4)
MIXED_KERNEL(8)
MIXED_KERNEL(16)
MIXED_KERNEL(32)
MIXED_KERNEL(64)

extern "C" __global__ void read_strided(float *out, const float *in, unsigned loads, unsigned stride, unsigned passes,
                                        float value) {
  const float *part = in + (size_t(blockIdx.x) * loads + threadIdx.x) * stride;
  constexpr unsigned kAccesses = hiplz::roofline::accessesOf(1);
  float sums[kAccesses] = {};
  for (unsigned pass = 0; pass < passes; ++pass)
    for (unsigned i = 0; i < loads; i += blockDim.x * kAccesses)
#pragma unroll
      for (unsigned access = 0; access < kAccesses; ++access)
        sums[access] += part[size_t(i + access * blockDim.x) * stride];
  const float sum = hiplz::roofline::sumOf(sums);
  if (sum == value)
    *out = sum;
}

extern "C" __global__ void read_shared(float *out, unsigned stride, unsigned iterations, float value) {
  using hiplz::roofline::kTile;
  __shared__ float tile[kTile];
  for (unsigned i = threadIdx.x; i < kTile; i += blockDim.x)
    tile[i] = 0;
  __syncthreads();
  constexpr unsigned kAccesses = hiplz::roofline::accessesOf(1);
  float sums[kAccesses] = {};
  unsigned at = threadIdx.x * stride;
  for (unsigned i = 0; i < iterations; ++i)
#pragma unroll
    for (unsigned access = 0; access < hiplz::roofline::kUnrolled; ++access) {
      sums[access % kAccesses] += tile[at % kTile];
      at += blockDim.x * stride;
    }
  const float sum = hiplz::roofline::sumOf(sums);
  if (sum == value)
    *out = sum;
}

extern "C" __global__ void write_shared(float *out, unsigned stride, unsigned iterations, float value) {
  using hiplz::roofline::kTile;
  __shared__ float tile[kTile];
  unsigned at = threadIdx.x * stride;
  for (unsigned i = 0; i < iterations; ++i)
#pragma unroll
    for (unsigned access = 0; access < hiplz::roofline::kUnrolled; ++access) {
      tile[at % kTile] = float(i);
      at += blockDim.x * stride;
    }
  __syncthreads();
  if (tile[threadIdx.x % kTile] == value)
    *out = value;
}

// One work-item; the address does not depend on its number, so that it is one load also where work-items run as vectors.
extern "C" __global__ void chase(const unsigned *next, unsigned *out, unsigned iterations) {
  unsigned at = 0;
  for (unsigned i = 0; i < iterations; ++i)
#pragma unroll
    for (unsigned step = 0; step < hiplz::roofline::kSteps; ++step)
      at = next[at];
  if (threadIdx.x == 0)
    *out = at;
}

extern "C" __global__ void empty() {}

namespace hiplz::roofline {

std::vector<MemoryKernel> memoryKernels() {
  std::vector<MemoryKernel> kernels;
#define ENTRY(NAME, WIDTH, LOADS, STORES)                                                                              \
  kernels.push_back({#NAME, reinterpret_cast<const void *>(&NAME##_x##WIDTH), WIDTH, LOADS, STORES});
#define ENTRIES(WIDTH)                                                                                                 \
  ENTRY(read, WIDTH, 1, 0)                                                                                             \
  ENTRY(write, WIDTH, 0, 1)                                                                                            \
  ENTRY(copy, WIDTH, 1, 1)                                                                                             \
  ENTRY(triad, WIDTH, 2, 1)                                                                                            \
  ENTRY(update, WIDTH, 1, 1)
  ENTRIES(1)
  ENTRIES(2)
  ENTRIES(4)
  ENTRIES(8)
  ENTRIES(16)
  return kernels;
}

std::vector<MixedKernel> mixedKernels() {
#define MIXED(MADS)                                                                                                    \
  { "mixed_m" #MADS, reinterpret_cast<const void *>(&mixed_m##MADS), MADS }
  return {MIXED(1), MIXED(2), MIXED(4), MIXED(8), MIXED(16), MIXED(32), MIXED(64)};
}

const void *stridedKernel() { return reinterpret_cast<const void *>(&read_strided); }
const void *sharedReadKernel() { return reinterpret_cast<const void *>(&read_shared); }
const void *sharedWriteKernel() { return reinterpret_cast<const void *>(&write_shared); }
const void *latencyKernel() { return reinterpret_cast<const void *>(&chase); }
const void *emptyKernel() { return reinterpret_cast<const void *>(&empty); }

} // namespace hiplz::roofline
