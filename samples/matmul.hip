// SPDX-License-Identifier: MIT
// C = A * B with tiles in shared memory: each element of A and B is read from memory once a tile instead of once a thread.
#include "common.h"

#include <cmath>

constexpr unsigned kTile = 16;

__global__ void matmul(const float *a, const float *b, float *c, unsigned n) {
  __shared__ float tileA[kTile][kTile];
  __shared__ float tileB[kTile][kTile];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (unsigned tile = 0; tile < n; tile += kTile) {
    // Every thread of the block brings one element of each tile.
    tileA[y][x] = a[row * n + tile + x];
    tileB[y][x] = b[(tile + y) * n + column];
    __syncthreads(); // the tiles are complete
    for (unsigned k = 0; k < kTile; ++k)
      sum += tileA[y][k] * tileB[k][x];
    __syncthreads(); // nobody needs them any more
  }
  c[row * n + column] = sum;
}

int main() {
  const unsigned n = 512; // a multiple of the tile
  std::vector<float> a(n * n), b(n * n);
  for (unsigned i = 0; i < n * n; ++i) {
    a[i] = float(i % 13) / 13 - 0.5f;
    b[i] = float(i % 17) / 17 - 0.5f;
  }
  sample::DeviceArray<float> deviceA(a), deviceB(b), deviceC(n * n);
  const dim3 block(kTile, kTile), grid(n / kTile, n / kTile);
  const double seconds =
      sample::bestSeconds(5, [&] { matmul<<<grid, block>>>(deviceA.get(), deviceB.get(), deviceC.get(), n); });
  HIP_CHECK(hipGetLastError());
  const std::vector<float> c = deviceC.toHost();

  // Every seventh element of every row against a sum in double precision.
  bool passed = true;
  for (unsigned row = 0; row < n; ++row)
    for (unsigned column = row % 7; column < n; column += 7) {
      double expected = 0;
      for (unsigned k = 0; k < n; ++k)
        expected += double(a[row * n + k]) * b[k * n + column];
      passed = passed && std::abs(c[row * n + column] - expected) <= 1e-3;
    }
  return sample::report("matmul", passed, 2.0 * n * n * n / seconds / 1e9, "GFLOP/s");
}
