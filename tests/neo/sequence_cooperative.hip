// SPDX-License-Identifier: MIT
// The calls of cooperative launches, single and on several devices, on Intel's driver in capture mode. Where its queues take
// no cooperative launches the documented error is expected.
#include "sequence.h"
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_ext.h>
#include <hiplz/interop.h>

namespace cg = cooperative_groups;

namespace {

__global__ void meet(int *out) {
  out[blockIdx.x] = 1;
  cg::this_grid().sync();
  out[blockIdx.x] += out[gridDim.x - 1 - blockIdx.x];
}

__global__ void meetAll(int *out) {
  if (cg::this_multi_grid().is_valid())
    cg::this_multi_grid().sync();
  out[cg::this_multi_grid().thread_rank()] = static_cast<int>(cg::this_multi_grid().num_grids());
}

} // namespace

int main() {
  if (int code = requireIntel())
    return code;
  int supported = 0, multi = 0;
  MUST(hipDeviceGetAttribute(&supported, hipDeviceAttributeCooperativeLaunch, 0));
  MUST(hipDeviceGetAttribute(&multi, hipDeviceAttributeCooperativeMultiDeviceLaunch, 0));
  std::printf("cooperative launches: %d, on several devices: %d\n", supported, multi);
  const hipError_t outcome = supported ? hipSuccess : hipErrorNotSupported;
  hipStream_t stream;
  MUST(hipStreamCreate(&stream));
  int *out;
  MUST(hipMalloc(reinterpret_cast<void **>(&out), 4096 * sizeof(int)));
  void *arguments[] = {&out};
  const void *kernel = reinterpret_cast<const void *>(meet);
  int blocks = 0;
  MUST(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 64, 0));
  // Some drivers say that only one block can run on some devices.
  ze_kernel_handle_t native;
  uint32_t most = 0;
  MUST(hiplzGetNativeKernel(kernel, 0, &native));
  if (zeKernelSetGroupSize(native, 64, 1, 1) != ZE_RESULT_SUCCESS ||
      zeKernelSuggestMaxCooperativeGroupCount(native, &most) != ZE_RESULT_SUCCESS || most == 0)
    return 1;
  const dim3 grid(most < 2 ? most : 2);
  for (int round = 0; round < 3; ++round) {
    EXPECT(outcome, hipLaunchCooperativeKernel(kernel, grid, dim3(64), arguments, 0, stream));
    meet<<<2, 64, 0, stream>>>(out); // the same kernel in an ordinary launch: captured, never executed
    MUST(hipGetLastError());
  }
  EXPECT(supported ? hipErrorCooperativeLaunchTooLarge : hipErrorNotSupported,
         hipLaunchCooperativeKernel(kernel, dim3(1 << 20), dim3(64), arguments, 0, stream));
  hipLaunchParams part{reinterpret_cast<void *>(meetAll), grid, dim3(64), arguments, 0, stream};
  EXPECT(multi ? hipSuccess : hipErrorNotSupported, hipLaunchCooperativeKernelMultiDevice(&part, 1, 0));
  MUST(hipExtLaunchMultiKernelMultiDevice(&part, 1, 0));
  MUST(hipStreamSynchronize(stream));
  MUST(hipFree(out));
  MUST(hipStreamDestroy(stream));
  return 0;
}
