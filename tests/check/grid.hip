// SPDX-License-Identifier: MIT
// Barriers of a grid that cannot work (planted.h). The second defect costs the device.
#include "planted.h"
#include <hip/hip_cooperative_groups.h>

__global__ void meet(int *out) {
  out[globalId()] = 1;
  cooperative_groups::this_grid().sync(); // finds: synccheck error
  out[globalId()] += out[0];
}

static void launch(int blocks, int *out) {
  void *arguments[] = {&out};
  (void)hipLaunchCooperativeKernel(reinterpret_cast<void *>(meet), dim3(blocks), dim3(kBlock), arguments, 0, nullptr);
}

extern "C" __attribute__((noinline)) void launchTooMany(int *out) {
  launch(1 << 22, out);
} // finds: synccheck error in launchTooMany

template <bool bad> void run() {
  int *out = allocate<int>(kItems);
  if (bad) {
    launchTooMany(out);
    meet<<<kBlocks, kBlock>>>(out);
    (void)hipDeviceSynchronize();
    return;
  }
  launch(kBlocks, out);
  HIP_CHECK(hipDeviceSynchronize());
}
