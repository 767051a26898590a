// SPDX-License-Identifier: MIT
// A program of HIP 6 with kernels, of which the linker knows nothing but libamdhip64.so.6.
#include <hip/hip_ext.h>
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

__constant__ int factor = 1;
__global__ void scale(int *data) { data[blockIdx.x * blockDim.x + threadIdx.x] *= factor; }

int main() {
  std::vector<int> host(1000, 3);
  const int seven = 7;
  int *data = nullptr;
  hipDeviceProp_t prop;
  hipEvent_t stop;
  bool good = hipGetDeviceProperties(&prop, 0) == hipSuccess && prop.warpSize == 32 &&
              hipMalloc(&data, host.size() * sizeof(int)) == hipSuccess && hipEventCreate(&stop) == hipSuccess &&
              hipMemcpy(data, host.data(), host.size() * sizeof(int), hipMemcpyDefault) == hipSuccess &&
              hipMemcpyToSymbol(factor, &seven, sizeof seven) == hipSuccess;
  hipPointerAttribute_t attributes;
  good = good && hipPointerGetAttributes(&attributes, data) == hipSuccess && attributes.type == hipMemoryTypeDevice;
  scale<<<10, 100>>>(data);
  hipExtLaunchKernelGGL(scale, dim3(10), dim3(100), 0, nullptr, nullptr, stop, 0, data);
  good = good && hipGetLastError() == hipSuccess && hipEventSynchronize(stop) == hipSuccess &&
         hipMemcpy(host.data(), data, host.size() * sizeof(int), hipMemcpyDefault) == hipSuccess;
  for (int value : host)
    good = good && value == 3 * 7 * 7;
  std::puts(good ? "passed" : "FAILED");
  return good ? 0 : 1;
}
