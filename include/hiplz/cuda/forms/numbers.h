// SPDX-License-Identifier: MIT
// Numbers that CUDA has names for and HIP has not. They are passed on as they are.
#pragma once

#define cudaEventWaitDefault 0x00
#define cudaEventWaitExternal 0x01

// For cudaFuncAttributePreferredSharedMemoryCarveout: in percent of what a multiprocessor has.
enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxShared = 100,
  cudaSharedmemCarveoutMaxL1 = 0
};
