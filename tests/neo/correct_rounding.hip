// SPDX-License-Identifier: MIT
// Launches a division and a square root of float; correct_rounding.sh looks at the code that Intel's compiler makes of them.
#include "sequence.h"

__global__ void divide(float *out, float a, float b) { *out = sqrtf(a / b); }

int main() {
  if (int code = requireIntel())
    return code;
  float *out;
  MUST(hipMalloc(&out, sizeof(float)));
  divide<<<1, 1>>>(out, 1, 3);
  MUST(hipGetLastError());
  MUST(hipDeviceSynchronize());
  MUST(hipFree(out));
  return 0;
}
