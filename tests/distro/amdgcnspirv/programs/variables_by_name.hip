// SPDX-License-Identifier: MIT
// Device, constant and managed variables that host and kernels share, and dynamic shared memory.
#include "tests/device/check.h"

__device__ int table[64];
__constant__ double factors[4] = {1, 2, 3, 4};
__managed__ int total = 5;
extern __shared__ int room[];

__global__ void use(double *out) {
  const int i = threadIdx.x;
  room[i] = table[i];
  __syncthreads();
  out[i] = room[blockDim.x - 1 - i] * factors[i % 4];
  table[i] += 1;
  if (i == 0)
    total += int(blockDim.x);
}

TEST(hostAndKernelsSeeTheSame) {
  int numbers[64];
  for (int i = 0; i < 64; ++i)
    numbers[i] = i * i;
  const double changed = -1;
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(table), numbers, sizeof numbers));
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(factors), &changed, sizeof changed, 3 * sizeof changed));
  DeviceArray<double> out(64);
  use<<<1, 64, sizeof numbers>>>(out);
  const std::vector<double> found = out.host();
  for (int i = 0; i < 64; ++i)
    CHECK_EQ(found[i], (63 - i) * (63 - i) * (i % 4 == 3 ? -1.0 : i % 4 + 1.0));
  HIP_CHECK(hipMemcpyFromSymbol(numbers, HIP_SYMBOL(table), sizeof numbers));
  for (int i = 0; i < 64; ++i)
    CHECK_EQ(numbers[i], i * i + 1);
  CHECK_EQ(total, 69);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
