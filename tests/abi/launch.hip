// SPDX-License-Identifier: MIT
// The launch syntax and the qualifiers, in the spellings that programs use. It is compiled for both sides and not run.
#include <hip/hip_runtime.h>

#include <hip/hip_complex.h>

#include <memory>

HIP_DYNAMIC_SHARED_ATTRIBUTE
__managed__ int managed = 3;
__constant__ float4 table[4];

__noinline__ __host__ __device__ int add(int a, int b) { return a + b; }
static __forceinline__ __device__ float first(const float4 &v) { return v.x; }

__global__ void plain() {}
__global__ void __launch_bounds__(256) bounded(float *out) { out[threadIdx.x] = first(table[0]); }
template <typename T, int n> __global__ void __launch_bounds__(n, 2) templated(T *out, dim3 grid, float4 v) {
  HIP_DYNAMIC_SHARED(T, buffer)
  __shared__ float4 vectors[n];
  struct __align__(16) Aligned { char bytes[3]; };
  static_assert(sizeof(Aligned) == 16, "the alignment pads the structure");
  vectors[hipThreadIdx_x] = v * 2.0f;
  buffer[hipThreadIdx_x] = static_cast<T>(vectors[hipBlockDim_x - 1 - hipThreadIdx_x].w);
  __syncthreads();
  hipComplex z = hipCdivf(make_hipComplex(v.x, v.y), make_hipComplex(v.z, v.w));
  out[hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x] = buffer[0] + T(add(managed, int(grid.x))) + T(hipCabsf(z));
}

hipError_t launchAll(float *out, hipStream_t stream) {
  plain<<<1, 1>>>();
  bounded<<<dim3(4, 2), 256, 0, stream>>>(out);
  templated<float, 64><<<4, 64, 64 * sizeof(float), stream>>>(out, dim3(4), make_float4(1, 2, 3, 4));
  hipLaunchKernelGGL(plain, 1, 1, 0, 0);
  hipLaunchKernelGGL(bounded, dim3(1), dim3(256), 0, stream, out);
  hipLaunchKernelGGL(HIP_KERNEL_NAME(templated<float, 64>), dim3(4), dim3(64), 256, stream, out, dim3(4), float4(1));
  hipLaunchKernelGGL((templated<float, 32>), 1, 32, 256, 0, nullptr, dim3(4), float4(1));
  managed = 4;
  std::shared_ptr<int> shared = std::make_shared<int>(3);
  return hipMemcpyToSymbol(HIP_SYMBOL(table), shared.get(), sizeof(int));
}
