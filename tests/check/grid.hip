// SPDX-License-Identifier: MIT
// Barriers of a grid that cannot work (planted.h). The second defect costs the device.
#include "planted.h"
#include <hip/hip_cooperative_groups.h>

__global__ void meet(int *out) {
  out[globalId()] = 1;
  cooperative_groups::this_grid().sync(); // finds: synccheck error
  out[globalId()] += out[0];
}

extern "C" __attribute__((noinline)) void launch(int blocks, int *out) { // finds: synccheck error in launch
  void *arguments[] = {&out};
  (void)hipLaunchCooperativeKernel(reinterpret_cast<const void *>(meet), dim3(blocks), dim3(kBlock), arguments, 0,
                                   nullptr);
}

template <bool bad> void run() {
  int *out = allocate<int>(kItems);
  if (bad) {
    launch(1 << 22, out); // more than can be resident
    meet<<<kBlocks, kBlock>>>(out);
    (void)hipDeviceSynchronize();
    return;
  }
  launch(kBlocks, out);
  HIP_CHECK(hipDeviceSynchronize());
}
