// SPDX-License-Identifier: MIT
// The function that a plug-in of the test plugins.hip exports.
#pragma once
#include <hip/hip_runtime.h>

struct Plugin {
  hipError_t (*scale)(int *data, int count, hipStream_t stream);  // multiplies by the plug-in's own factor
  hipError_t (*shared)(int *data, int count, hipStream_t stream); // a kernel template that every plug-in has
  int (*launches)();                                              // a variable of the plug-in's device code
};

/// Every library and program that includes this has its own copy in its fat binary, and all have one host function.
template <class T> __global__ void addTen(T *data, int count) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count)
    data[index] += 10;
}
