// SPDX-License-Identifier: MIT
// Throughput of atomic additions, in global and in shared memory, to one counter or to one for each work-item.
#include "roofline/kernels/kernels.h"

#include <hip/hip_runtime.h>

namespace {

template <class T> __device__ __forceinline__ void addTo(T *counter, unsigned iterations) {
  for (unsigned i = 0; i < iterations; ++i)
#pragma unroll
    for (unsigned step = 0; step < hiplz::roofline::kUnrolled; ++step)
      atomicAdd(counter, T(1));
}

template <class T> __device__ __forceinline__ void addGlobal(T *counters, unsigned mask, unsigned iterations) {
  addTo(counters + ((blockIdx.x * blockDim.x + threadIdx.x) & mask), iterations);
}

template <class T> __device__ __forceinline__ void addShared(T *counters, unsigned mask, unsigned iterations, T *own) {
  for (unsigned i = threadIdx.x; i < hiplz::roofline::kTile; i += blockDim.x)
    own[i] = 0;
  __syncthreads();
  addTo(own + (threadIdx.x & mask), iterations);
  __syncthreads();
  if (threadIdx.x == 0)
    counters[blockIdx.x] = own[0];
}

} // namespace

extern "C" __global__ void atomic_int_global(int *counters, unsigned mask, unsigned iterations) {
  addGlobal(counters, mask, iterations);
}
extern "C" __global__ void atomic_float_global(float *counters, unsigned mask, unsigned iterations) {
  addGlobal(counters, mask, iterations);
}
extern "C" __global__ void atomic_int_shared(int *counters, unsigned mask, unsigned iterations) {
  __shared__ int own[hiplz::roofline::kTile];
  addShared(counters, mask, iterations, own);
}
extern "C" __global__ void atomic_float_shared(float *counters, unsigned mask, unsigned iterations) {
  __shared__ float own[hiplz::roofline::kTile];
  addShared(counters, mask, iterations, own);
}

namespace hiplz::roofline {

std::vector<AtomicKernel> atomicKernels() {
  return {{"int_global", reinterpret_cast<const void *>(&atomic_int_global), ElementType::Int, false},
          {"float_global", reinterpret_cast<const void *>(&atomic_float_global), ElementType::Float, false},
          {"int_shared", reinterpret_cast<const void *>(&atomic_int_shared), ElementType::Int, true},
          {"float_shared", reinterpret_cast<const void *>(&atomic_float_shared), ElementType::Float, true}};
}

} // namespace hiplz::roofline
