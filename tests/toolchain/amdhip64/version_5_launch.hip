// SPDX-License-Identifier: MIT
// hip_impl::hipLaunchKernelGGLImpl of HIP 5's library: the arguments are a buffer, described as for hipModuleLaunchKernel.
#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstdio>

namespace hip_impl {
void hipLaunchKernelGGLImpl(std::uintptr_t function, const dim3 &grid, const dim3 &block, std::uint32_t sharedBytes,
                            hipStream_t stream, void **extra);
}

__global__ void place(int *out, int first) { out[blockIdx.x * blockDim.x + threadIdx.x] = first + int(threadIdx.x); }

int main() {
  int *memory, found[8] = {};
  if (hipMalloc(reinterpret_cast<void **>(&memory), sizeof found) != hipSuccess)
    return 1;
  struct {
    int *out;
    int first;
  } arguments{memory, 100};
  size_t bytes = sizeof arguments;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &arguments, HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   HIP_LAUNCH_PARAM_END};
  hip_impl::hipLaunchKernelGGLImpl(reinterpret_cast<std::uintptr_t>(place), dim3(2), dim3(4), 0, nullptr, extra);
  if (hipMemcpy(found, memory, sizeof found, hipMemcpyDeviceToHost) != hipSuccess)
    return 1;
  for (int i = 0; i < 8; ++i)
    if (found[i] != 100 + i % 4) {
      std::printf("element %d is %d\n", i, found[i]);
      return 1;
    }
  // An error is the last error of the thread.
  hip_impl::hipLaunchKernelGGLImpl(reinterpret_cast<std::uintptr_t>(place), dim3(0), dim3(4), 0, nullptr, extra);
  return hipGetLastError() == hipSuccess;
}
