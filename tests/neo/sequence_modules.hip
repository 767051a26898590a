// SPDX-License-Identifier: MIT
// The chapters of launches, modules, occupancy and attributes on Intel's driver in capture mode: nothing is executed, so
// no data is looked at, but every call must be taken, and the numbers that the driver's compiler tells must fit together.
#include <hip/hip_ext.h>
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

__global__ void plain(int *out, char c, double d) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = c + static_cast<int>(d);
}

__global__ void shared(int *out) {
  __shared__ int fixed[100];
  extern __shared__ int dynamic[];
  fixed[threadIdx.x % 100] = threadIdx.x;
  dynamic[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = fixed[0] + dynamic[blockDim.x - 1 - threadIdx.x];
}

bool failed = false;

void check(bool good, const char *what, int line) {
  if (good)
    return;
  std::printf("line %d: %s (last error %s)\n", line, what, hipGetErrorName(hipPeekAtLastError()));
  failed = true;
}
#define TAKEN(call) check((call) == hipSuccess, #call, __LINE__)
#define CHECK(condition) check((condition), #condition, __LINE__)

void attributes() {
  hipDeviceProp_t prop;
  TAKEN(hipGetDeviceProperties(&prop, 0));
  hipFuncAttributes of;
  TAKEN(hipFuncGetAttributes(&of, shared));
  CHECK(of.sharedSizeBytes >= 100 * sizeof(int) && of.sharedSizeBytes <= prop.sharedMemPerBlock);
  CHECK(of.maxThreadsPerBlock >= 32 && of.maxThreadsPerBlock <= prop.maxThreadsPerBlock);
  CHECK(of.maxDynamicSharedSizeBytes > 0);
  TAKEN(hipFuncSetAttribute(shared, hipFuncAttributeMaxDynamicSharedMemorySize, of.maxDynamicSharedSizeBytes));

  int grid = 0, block = 0, blocks = 0, fewer = 0;
  TAKEN(hipOccupancyMaxPotentialBlockSize(&grid, &block, plain, 0, 0));
  CHECK(grid >= 1 && block >= 32 && block <= prop.maxThreadsPerBlock);
  TAKEN(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, shared, 64, 0));
  TAKEN(hipOccupancyMaxActiveBlocksPerMultiprocessor(&fewer, shared, 64, of.maxDynamicSharedSizeBytes));
  CHECK(blocks >= fewer && fewer >= 1);
  std::printf("plain: grid %d block %d; shared: %d and %d blocks of 64\n", grid, block, blocks, fewer);
}

void launches(int *data) {
  hipEvent_t start, stop;
  TAKEN(hipEventCreate(&start));
  TAKEN(hipEventCreate(&stop));
  hipFunction_t function;
  TAKEN(hipGetFuncBySymbol(&function, reinterpret_cast<const void *>(plain)));
  struct {
    int *out;
    char c;
    double d;
  } packed = {data, 'x', 1.5};
  size_t size = sizeof packed;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_END};
  TAKEN(hipModuleLaunchKernel(function, 4, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra));
  TAKEN(hipExtModuleLaunchKernel(function, 256, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra, start, stop, 0));
  TAKEN(hipConfigureCall(dim3(4), dim3(64), 0, nullptr));
  TAKEN(hipSetupArgument(&packed, sizeof packed, 0));
  TAKEN(hipLaunchByPtr(reinterpret_cast<const void *>(plain)));
  hipExtLaunchKernelGGL(shared, dim3(1), dim3(64), 1024, nullptr, start, stop, 0, data);
  TAKEN(hipGetLastError());
  TAKEN(hipEventSynchronize(stop));
  hipStream_t stream;
  std::vector<uint32_t> mask(64, UINT32_MAX);
  TAKEN(hipExtStreamCreateWithCUMask(&stream, 64, mask.data()));
  shared<<<1, 64, 256, stream>>>(data);
  TAKEN(hipStreamSynchronize(stream));
  TAKEN(hipStreamDestroy(stream));
  TAKEN(hipEventDestroy(start));
  TAKEN(hipEventDestroy(stop));
  TAKEN(hipDeviceSynchronize());
}

} // namespace

int main() {
  int count = 0;
  if (hipGetDeviceCount(&count) != hipSuccess || count == 0)
    return 77;
  int *data = nullptr;
  TAKEN(hipMalloc(&data, 4096));
  attributes();
  launches(data);
  TAKEN(hipFree(data));
  std::puts(failed ? "FAILED" : "passed");
  return failed;
}
