// SPDX-License-Identifier: MIT
// Kernels that may end the grid on Intel's driver in capture mode: their state is in memory of the host and of the device.
// Nothing is executed, so no kernel fails; every call must be taken.
#include "sequence.h"

#include <cassert>

namespace {

__global__ void mayFail(int *out, int n) {
  assert(n > 0);
  if (n > 100)
    abort();
  out[threadIdx.x] = n;
}

} // namespace

int main() {
  if (int skip = requireIntel())
    return skip;
  int *out;
  hipStream_t stream;
  MUST(hipMalloc(&out, 64 * sizeof(int)));
  MUST(hipStreamCreate(&stream));
  for (int i = 0; i < 3; ++i) {
    mayFail<<<2, 32, 0, stream>>>(out, i);
    MUST(hipGetLastError());
    MUST(hipStreamSynchronize(stream));
    MUST(hipStreamQuery(stream));
  }
  MUST(hipDeviceSynchronize());
  MUST(hipStreamDestroy(stream));
  MUST(hipDeviceReset());
  MUST(hipMalloc(&out, 64 * sizeof(int)));
  mayFail<<<2, 32>>>(out, 1);
  MUST(hipGetLastError());
  MUST(hipDeviceSynchronize());
  MUST(hipFree(out));
  std::printf("all calls were taken\n");
  return 0;
}
