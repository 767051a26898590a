// SPDX-License-Identifier: MIT
// For loads.hip and hiprtc.hip.
#pragma once
#include <hip/hip_runtime.h>

#include <cstdio>

/// Runs a kernel that multiplies 64 numbers; 0 if they are right.
static int run(hipModule_t module, const char *name, int factor) {
  hipFunction_t function;
  int *out;
  if (hipModuleGetFunction(&function, module, name) != hipSuccess ||
      hipMallocManaged(&out, 64 * sizeof *out) != hipSuccess)
    return 3;
  for (int i = 0; i < 64; ++i)
    out[i] = i;
  void *arguments[] = {&out};
  if (hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr) != hipSuccess ||
      hipDeviceSynchronize() != hipSuccess)
    return 4;
  for (int i = 0; i < 64; ++i)
    if (out[i] != factor * i)
      return 5;
  std::puts("passed");
  return 0;
}
