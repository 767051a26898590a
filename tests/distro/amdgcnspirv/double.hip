// SPDX-License-Identifier: MIT
// A kernel that loads.hip takes from a code object, and a program of its own.
#include <hip/hip_runtime.h>

#include <cstdio>

extern "C" __global__ void twice(int *out) { out[threadIdx.x] *= 2; }

int main() {
  int *out;
  if (hipMallocManaged(&out, 64 * sizeof *out) != hipSuccess)
    return 1;
  for (int i = 0; i < 64; ++i)
    out[i] = i;
  twice<<<1, 64>>>(out);
  if (hipDeviceSynchronize() != hipSuccess)
    return 2;
  for (int i = 0; i < 64; ++i)
    if (out[i] != 2 * i)
      return 3;
  std::puts("passed");
}
