// SPDX-License-Identifier: MIT
// Shuffles of every type, with every width and offset, and their forms with a mask.
#include "tests/device/check.h"

// Results of one thread: [0] shfl, [1] up, [2] down, [3] xor, [4..7] the same with a mask.
template <class T> __global__ void shuffle(const T *in, T *out, int operand, int width) {
  T v = in[threadIdx.x];
  T *o = out + threadIdx.x * 8;
  o[0] = __shfl(v, operand, width);
  o[1] = __shfl_up(v, operand, width);
  o[2] = __shfl_down(v, operand, width);
  o[3] = __shfl_xor(v, operand, width);
  o[4] = __shfl_sync(0xffffffffffffffffull, v, operand, width);
  o[5] = __shfl_up_sync(0xffffffffu, v, operand, width);
  o[6] = __shfl_down_sync(~0ull, v, operand, width);
  o[7] = __shfl_xor_sync(~0ull, v, operand, width);
}

template <class T> static void check(const char *type) {
  const int threads = 96;
  std::vector<T> in(threads);
  for (int i = 0; i < threads; ++i)
    in[i] = (T)(((unsigned long long)(i * 40503 + 7) << (sizeof(T) == 8 ? 33 : 3)) - i);
  DeviceArray<T> device(in), out(threads * 8);
  for (int width = 32; width >= 1; width /= 2)
    for (int operand : {0, 1, 2, 5, 15, 16, 31, 33, 40}) {
      shuffle<T><<<1, threads>>>(device, out, operand, width);
      HIP_CHECK(hipGetLastError());
      std::vector<T> r = out.host();
      for (int i = 0; i < threads; ++i) {
        int warp = i / 32 * 32, lane = i % 32, section = lane / width * width;
        int source[4] = {section + operand % width, lane - operand < section ? lane : lane - operand,
                         lane + operand >= section + width ? lane : lane + operand,
                         (lane ^ operand) >= section + width ? lane : lane ^ operand};
        for (int k = 0; k < 8; ++k)
          if (r[i * 8 + k] != in[warp + source[k % 4]] && ++checkFailures < 40)
            std::cerr << type << " operation " << k << " operand " << operand << " width " << width << " thread " << i
                      << ": " << r[i * 8 + k] << ", expected " << in[warp + source[k % 4]] << '\n';
      }
    }
}

// The classic reductions, also in a warp of which only some threads are there.
__global__ void reduce(const float *in, float *out) {
  float sum = in[blockIdx.x * 32 + threadIdx.x];
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    sum += __shfl_down(sum, offset);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}

// Sections that are wider than a warp, whose lane numbers wrap around, as those of ds_bpermute on AMD's GPUs with 32 lanes.
__global__ void wide(int *out, int operand) {
  const int v = 1000 + threadIdx.x;
  out[threadIdx.x * 4] = __shfl(v, operand, 64);
  out[threadIdx.x * 4 + 1] = __shfl_up(v, operand, 64);
  out[threadIdx.x * 4 + 2] = __shfl_down(v, operand, 64);
  out[threadIdx.x * 4 + 3] = __shfl_xor(v, operand, 64);
}

// AMD's formulas of the lane.
static void checkWide() {
  DeviceArray<int> out(64 * 4);
  for (int operand : {0, 1, 8, 16, 17, 31, 32, 40, 63}) {
    wide<<<1, 64>>>(out, operand);
    HIP_CHECK(hipGetLastError());
    const std::vector<int> r = out.host();
    for (int i = 0; i < 64; ++i) {
      const int lane = i % 32, first = i / 32 * 32;
      const int source[4] = {operand, lane < operand ? lane : lane - operand,
                             lane + operand >= 64 ? lane : lane + operand, lane ^ operand};
      for (int k = 0; k < 4; ++k)
        CHECK_EQ(r[i * 4 + k], 1000 + first + source[k] % 32);
    }
  }
}

// The last warp of a block of 20 or 52 threads: the lanes that are not there count as 0, for values that differ and for one that is
// the same everywhere.
__global__ void partial(int *sums, int *counts, int *read) {
  int sum = threadIdx.x + 1, count = 1;
  for (int offset = warpSize / 2; offset > 0; offset /= 2) {
    sum += __shfl_down(sum, offset);
    count += __shfl_down(count, offset);
  }
  sums[threadIdx.x] = sum;
  counts[threadIdx.x] = count;
  read[threadIdx.x] =
      __shfl(7, threadIdx.x % 2 ? 30 : 3) + 10 * __shfl(8, 25) + 100 * __shfl((int)threadIdx.x % 32, 21);
}

static void checkPartial() {
  for (int threads : {20, 52}) {
    DeviceArray<int> sums(threads), counts(threads), read(threads);
    partial<<<1, threads>>>(sums, counts, read);
    HIP_CHECK(hipGetLastError());
    const int first = threads - 20;
    int sum = 0;
    for (int i = first; i < threads; ++i)
      sum += i + 1;
    CHECK_EQ(sums.host()[first], sum);
    CHECK_EQ(counts.host()[first], 20);
    if (first)
      CHECK_EQ(counts.host()[0], 32);
    for (int i = 0; i < threads; ++i)
      CHECK_EQ(read.host()[i], i < first ? 7 + 80 + 2100 : i % 2 ? 0 : 7);
  }
}

// Every thread has a lane of its own to read from.
__global__ void gather(int *out) {
  int lane = threadIdx.x % 32;
  out[threadIdx.x] = __shfl(1000 + lane, lane * 7 + 3);
}

// Only the even lanes take part; the odd ones read even lanes, which are off there, and odd ones.
__global__ void divergent(int *out) {
  int lane = threadIdx.x % 32;
  out[threadIdx.x] = -1;
  if (lane % 2 == 0)
    out[threadIdx.x] = __shfl(lane * 10, (lane + 2) % 32);
  else
    out[threadIdx.x] = __shfl(5, lane < 16 ? lane - 1 : lane) + __shfl(lane, 17) * 100 + __shfl(lane, 16) * 10000;
}

namespace {

TEST(types) {
  check<int>("int");
  check<unsigned>("unsigned");
  check<long>("long");
  check<unsigned long>("unsigned long");
  check<long long>("long long");
  check<unsigned long long>("unsigned long long");
  check<float>("float");
  check<double>("double");
}

TEST(reductions) {
  std::vector<float> in(4 * 32);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = (float)i;
  DeviceArray<float> device(in), sums(4);
  reduce<<<4, 32>>>(device, sums);
  HIP_CHECK(hipGetLastError());
  for (int b = 0; b < 4; ++b)
    CHECK_EQ(sums.host()[b], 32.0f * (32 * b) + 496.0f);
}

TEST(lanesOfTheirOwn) {
  DeviceArray<int> out(64);
  gather<<<1, 64>>>(out);
  HIP_CHECK(hipGetLastError());
  const std::vector<int> g = out.host();
  for (int i = 0; i < 64; ++i)
    CHECK_EQ(g[i], 1000 + (i % 32 * 7 + 3) % 32);
}

TEST(lanesInAnotherBranch) {
  DeviceArray<int> out(64);
  divergent<<<1, 64>>>(out);
  HIP_CHECK(hipGetLastError());
  const std::vector<int> d = out.host();
  for (int i = 0; i < 64; ++i)
    CHECK_EQ(d[i], i % 2 == 0 ? (i % 32 + 2) % 32 * 10 : 1700 + (i % 32 < 16 ? 0 : 5));
}

TEST(wideSections) { checkWide(); }
TEST(lanesWithoutThreads) { checkPartial(); }

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
