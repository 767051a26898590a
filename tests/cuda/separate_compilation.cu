// SPDX-License-Identifier: MIT
// Device code of two files, linked as device code (-dc, -rdc=true): a function, a variable and a function pointer of
// the other.
#include "check.h"
#include "parts/scale.h"

__global__ void apply(float *data) {
  data[threadIdx.x] = scaleBy(data[threadIdx.x]) + table[threadIdx.x % 4];
  if (threadIdx.x == 0)
    data[0] = chosen(data[0]);
}

int main() {
#ifndef __CUDACC_RDC__
  EXPECT(!"cucc -dc defines __CUDACC_RDC__");
#endif
  setFactor(3);
  std::vector<float> data(64);
  for (int i = 0; i < 64; ++i)
    data[i] = float(i);
  float *device = onDevice(data);
  apply<<<1, 64>>>(device);
  const std::vector<float> result = onHost(device, 64);
  for (int i = 1; i < 64; ++i)
    EXPECT(result[i] == 3 * i + 10 * (i % 4));
  EXPECT(result[0] == -7);
}
