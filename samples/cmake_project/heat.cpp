// SPDX-License-Identifier: MIT
// The library's device code: one thread for each point of the rod, one launch for each step.
#include "heat.h"

#include <hip/hip_runtime.h>

#include <utility>

namespace {

__global__ void step(const float *now, float *next, unsigned n, float conductivity) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const bool end = i == 0 || i == n - 1;
  next[i] = end ? now[i] : now[i] + conductivity * (now[i - 1] - 2 * now[i] + now[i + 1]);
}

} // namespace

bool spreadHeat(std::vector<float> &rod, unsigned steps, float conductivity) {
  const unsigned n = unsigned(rod.size()), block = 256;
  const size_t bytes = n * sizeof(float);
  float *now = nullptr, *next = nullptr;
  bool good = hipMalloc(reinterpret_cast<void **>(&now), bytes) == hipSuccess &&
              hipMalloc(reinterpret_cast<void **>(&next), bytes) == hipSuccess &&
              hipMemcpy(now, rod.data(), bytes, hipMemcpyHostToDevice) == hipSuccess;
  for (unsigned i = 0; good && i < steps; ++i) {
    step<<<(n + block - 1) / block, block>>>(now, next, n, conductivity);
    good = hipGetLastError() == hipSuccess;
    std::swap(now, next);
  }
  good = good && hipMemcpy(rod.data(), now, bytes, hipMemcpyDeviceToHost) == hipSuccess;
  (void)hipFree(now);
  (void)hipFree(next);
  return good;
}
