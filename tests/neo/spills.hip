// SPDX-License-Identifier: MIT
// spills yes|no: a kernel that must run in sub-groups of 32 and needs more registers than they have, on Intel's driver in
// capture mode. The argument says whether the device has a large register file, with which the kernel spills less.
#include "sequence.h"

#include <hiplz/interop.h>

__device__ int counter;
__global__ void counts() { ++counter; }

// With the counter it shares a variable with another kernel and is not compiled by itself, so it has the usual registers.
template <bool Counts> __global__ void crowded(float *out, const float *in) {
  if (Counts)
    ++counter;
  constexpr int kValues = 50;
  float values[kValues];
#pragma unroll
  for (int i = 0; i < kValues; ++i)
    values[i] = in[i * 64 + threadIdx.x];
  for (int round = 0; round < 10; ++round) {
#pragma unroll
    for (int i = 0; i < kValues; ++i)
      values[i] = values[i] * values[(i * 7 + 5) % kValues] + __shfl_xor(values[(i + 11) % kValues], 1);
  }
#pragma unroll
  for (int i = 0; i < kValues; ++i)
    out[i * 64 + threadIdx.x] = values[i];
}

// Little code, so it is first compiled together with others, of which it then takes leave.
__global__ void crowdedByLoops(float *out, const float *in) {
  constexpr int kValues = 24;
  float values[kValues];
#pragma unroll 1
  for (int i = 0; i < kValues; ++i)
    values[i] = in[i * 64 + threadIdx.x];
  for (int round = 0; round < 10; ++round) {
#pragma unroll 1
    for (int i = 0; i < kValues; ++i)
      values[i] = values[i] * values[(i * 7 + 5) % kValues] + __shfl_xor(values[(i + 11) % kValues], 1);
  }
#pragma unroll 1
  for (int i = 0; i < kValues; ++i)
    out[i * 64 + threadIdx.x] = values[i];
}
template <int N> __global__ void small(float *out) { out[threadIdx.x] = N; }

/// Bytes that a hardware thread spills; UINT32_MAX if the kernel cannot be launched.
uint32_t spilled(void (*function)(float *, const float *), float *memory) {
  ze_kernel_handle_t kernel;
  ze_kernel_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  if (hiplzGetNativeKernel(reinterpret_cast<const void *>(function), 0, &kernel) != hipSuccess ||
      zeKernelGetProperties(kernel, &properties) != ZE_RESULT_SUCCESS)
    return UINT32_MAX;
  std::printf("%u bytes spilled in sub-groups of %u\n", properties.spillMemSize, properties.maxSubgroupSize);
  function<<<1, 64>>>(memory, memory);
  return hipDeviceSynchronize() == hipSuccess ? properties.spillMemSize : UINT32_MAX;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  if (int code = requireIntel())
    return code;
  const bool large = std::strcmp(argv[1], "yes") == 0;
  float *memory;
  MUST(hipMalloc(&memory, 1 << 20));
  const uint32_t usual = spilled(crowded<true>, memory), alone = spilled(crowded<false>, memory);
  counts<<<1, 1>>>();
  MUST(hipGetLastError());
  if (usual == 0 && alone == 0) {
    std::printf("SKIP: this compiler finds enough registers\n");
    return 77;
  }
  if (usual == 0 || usual == UINT32_MAX || alone == UINT32_MAX)
    return 1;
  for (auto kernel : {small<0>, small<1>, small<2>, small<3>}) {
    kernel<<<1, 64>>>(memory);
    MUST(hipGetLastError());
  }
  const uint32_t looping = spilled(crowdedByLoops, memory);
  if (large && looping != 0)
    return 1;
  return large ? alone > usual / 2 : alone < usual;
}
