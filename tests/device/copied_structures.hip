// SPDX-License-Identifier: MIT
// A structure that is copied as integers and read as floating-point numbers, by some of the lanes.
#include "tests/device/check.h"

struct Three {
  double parts[3];
};

// A copy of 24 bytes is one of integers; the parts are chosen at run time.
__device__ __attribute__((noinline)) double pick(const Three &three, const unsigned *order) {
  double sum = 0;
  for (unsigned k = 0; k < 3; ++k)
    sum = 10 * sum + three.parts[order[k]];
  return sum;
}
__global__ void copied(const Three *in, double *out, const unsigned *order, unsigned n) {
  const unsigned i = threadIdx.x;
  if (i < n) {
    Three mine = in[i];
    out[i] = pick(mine, order) + mine.parts[2];
  }
}

int main() {
  std::vector<Three> values(50);
  for (size_t i = 0; i < values.size(); ++i)
    for (size_t k = 0; k < 3; ++k)
      values[i].parts[k] = static_cast<double>(i % 4 + 2 * k + 1);
  DeviceArray<Three> in(values);
  DeviceArray<unsigned> order(std::vector<unsigned>{2, 0, 1});
  DeviceArray<double> out(64);
  copied<<<1, 64>>>(static_cast<Three *>(in), static_cast<double *>(out), static_cast<unsigned *>(order), 50u);
  const std::vector<double> results = out.host();
  for (size_t i = 0; i < values.size(); ++i) {
    const double *p = values[i].parts;
    CHECK_EQ(results[i], 100 * p[2] + 10 * p[0] + p[1] + p[2]);
  }
  return testResult();
}
