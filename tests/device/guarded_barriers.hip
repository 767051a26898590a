// SPDX-License-Identifier: MIT
// Limits that guard code on both sides of a barrier. What is computed in front of it is known behind it.
#include "tests/device/check.h"

namespace {

enum Limit { quotient, difference, product, remainder_, shift, root, least, left, perBlock, argument, loaded };

template <Limit kind> __device__ int limitOf(int a, int b, const int *memory) {
  switch (kind) {
  case quotient: return a / b;
  case difference: return a - b;
  case product: return a * b;
  case remainder_: return a % b;
  case shift: return a >> b;
  case root: return int(sqrtf(float(a)));
  case least: return min(a, b);
  case left: return a - int(blockIdx.x) * b;
  case perBlock: return a / int(gridDim.x);
  case argument: return a;
  case loaded: return memory[b];
  }
  return 0;
}

template <Limit kind> __global__ void guarded(int a, int b, const int *memory, int *out) {
  __shared__ int s[1024];
  const int limit = limitOf<kind>(a, b, memory), t = threadIdx.x;
  if (t < limit)
    s[t] = 1;
  __syncthreads();
  if (t < limit)
    out[t] = 7 + s[0];
  __syncthreads();
  if (t < limit)
    out[t] += s[limit - 1];
}

template <Limit kind> void check(int a, int b, int limit) {
  DeviceArray<int> memory(std::vector<int>{limit, limit});
  for (int threads : {64, 128, 256, 1024, 250}) {
    if (limit > threads)
      continue;
    DeviceArray<int> out(threads);
    guarded<kind><<<1, threads>>>(a, b, memory, out);
    HIP_CHECK(hipGetLastError());
    const std::vector<int> found = out.host();
    int wrong = 0;
    for (int t = 0; t < threads; ++t)
      wrong += found[t] != (t < limit ? 9 : 0);
    CHECK_EQ(wrong, 0);
  }
}

TEST(computedLimits) {
  for (int limit : {256, 64, 60, 17}) {
    check<quotient>(limit * 16, 16, limit);
    check<difference>(limit + 9, 9, limit);
    check<product>(limit, 1, limit);
    check<remainder_>(limit + 1000, 1000, limit);
    check<shift>(limit << 4, 4, limit);
    check<root>(limit * limit, 0, limit);
    check<least>(limit, 5000, limit);
    check<left>(limit, 256, limit);
    check<perBlock>(limit, 0, limit);
    check<argument>(limit, 0, limit);
    check<loaded>(0, 1, limit);
  }
}

// Limits that a loop around barriers changes, and guards from before the loop in it.
__global__ void tree(int a, int b, const int *in, int *out) {
  __shared__ int s[256];
  const int t = threadIdx.x, count = a / b;
  s[t] = t < count ? in[t] : 0;
  __syncthreads();
  for (int width = 128; width > 0; width = width * 3 / 6) {
    if (t < width)
      s[t] += s[t + width];
    __syncthreads();
    if (t < count && width == 1)
      out[1 + t] = t;
  }
  if (t == 0)
    out[0] = s[0];
}

TEST(limitsInLoops) {
  std::vector<int> in(256);
  for (int t = 0; t < 256; ++t)
    in[t] = 3 * t + 1;
  for (int count : {256, 200, 64, 10}) {
    DeviceArray<int> data(in), out(257);
    tree<<<1, 256>>>(count * 7, 7, data, out);
    HIP_CHECK(hipGetLastError());
    const std::vector<int> found = out.host();
    int sum = 0;
    for (int t = 0; t < count; ++t)
      sum += in[t];
    CHECK_EQ(found[0], sum);
    for (int t = 0; t < 256; ++t)
      CHECK_EQ(found[1 + t], t < count ? t : 0);
  }
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
