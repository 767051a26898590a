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

// Tiles with their edges: a limit is needed by each arm of the branches in front of a barrier and by the guard behind it, and one lane,
// or one row, fetches what lies beside the tile. The edges of the whole are in tiles that are cut off, and in whole ones.
template <int kWide, int kHigh> __global__ void sumNeighbours(const int *in, int *out, int width, int height) {
  __shared__ int tile[kHigh + 2][kWide + 2];
  const int x = blockIdx.x * kWide + threadIdx.x, y = blockIdx.y * kHigh + threadIdx.y, i = y * width + x;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  if (x < width && y < height)
    tile[ty][tx] = in[i];
  if (threadIdx.x == 0 && x > 0 && y < height)
    tile[ty][0] = in[i - 1];
  if (threadIdx.x == kWide - 1 && x < width - 1 && y < height)
    tile[ty][kWide + 1] = in[i + 1];
  if (threadIdx.y == 0 && y > 0 && x < width)
    tile[0][tx] = in[i - width];
  if (threadIdx.y == kHigh - 1 && y < height - 1 && x < width)
    tile[kHigh + 1][tx] = in[i + width];
  __syncthreads();
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
    out[i] = tile[ty][tx] + 3 * tile[ty][tx - 1] + 5 * tile[ty][tx + 1] + 7 * tile[ty - 1][tx] + 9 * tile[ty + 1][tx];
}

template <int kWide, int kHigh> void checkTiles(int width, int height) {
  std::vector<int> in(static_cast<size_t>(width) * height);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<int>(i * 2654435761u >> 16);
  DeviceArray<int> data(in), out(in.size());
  sumNeighbours<kWide, kHigh><<<dim3((width + kWide - 1) / kWide, (height + kHigh - 1) / kHigh), dim3(kWide, kHigh)>>>(
      data, out, width, height);
  HIP_CHECK(hipGetLastError());
  const std::vector<int> found = out.host();
  int wrong = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int i = y * width + x;
      const bool inner = x > 0 && y > 0 && x < width - 1 && y < height - 1;
      wrong += found[i] != (inner ? in[i] + 3 * in[i - 1] + 5 * in[i + 1] + 7 * in[i - width] + 9 * in[i + width] : 0);
    }
  CHECK_EQ(wrong, 0);
}

TEST(tilesWithEdges) {
  for (int width : {64, 70, 33, 131})
    for (int height : {32, 17, 45}) {
      checkTiles<32, 8>(width, height);
      checkTiles<32, 16>(width, height);
      checkTiles<16, 16>(width, height);
      checkTiles<8, 8>(width, height);
    }
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
