// SPDX-License-Identifier: MIT
// memcpy, memmove and memset in kernels, with constant and variable sizes and all kinds of memory, and __ldg.
#include "tests/device/check.h"

__global__ void copies(const unsigned char *in, unsigned char *out, int n) {
  __shared__ unsigned char tile[64];
  unsigned char local[64];
  int i = threadIdx.x;
  unsigned char *mine = out + i * 64;
  memset(mine, 0xee, 64);
  memset(local, i + 1, sizeof(local));
  memcpy(local + 4, in, (size_t)n);
  std::memcpy(mine, local, 32);
  if (i == 0) {
    memset(tile, 7, sizeof(tile));
    memcpy(tile, in, 16);
    memmove(tile + 3, tile, (size_t)n);
  }
  __syncthreads();
  memcpy(mine + 32, tile, (size_t)n + 8);
  unsigned value;
  memcpy(&value, in + 1, 4);
  mine[63] = (unsigned char)(value >> 24) + __ldg(in);
}

int main() {
  std::vector<unsigned char> in(64);
  for (int i = 0; i < 64; ++i)
    in[i] = (unsigned char)(100 + i);
  const int threads = 5;
  for (int n : {0, 1, 5, 13}) {
    DeviceArray<unsigned char> device(in), out(threads * 64);
    copies<<<1, threads>>>(device, out, n);
    HIP_CHECK(hipGetLastError());
    std::vector<unsigned char> r = out.host();
    for (int t = 0; t < threads; ++t) {
      unsigned char expected[64], tile[64];
      std::memset(expected, 0xee, 64);
      std::memset(expected, t + 1, 32);
      std::memcpy(expected + 4, in.data(), n);
      std::memset(tile, 7, 64);
      std::memcpy(tile, in.data(), 16);
      std::memmove(tile + 3, tile, n);
      std::memcpy(expected + 32, tile, n + 8);
      expected[63] = (unsigned char)(104 + 100);
      for (int k = 0; k < 64; ++k)
        CHECK_EQ(r[t * 64 + k], expected[k]);
    }
  }
  return testResult();
}
