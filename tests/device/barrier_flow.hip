// SPDX-License-Identifier: MIT
// Barriers anywhere in the control flow: in loops whose lengths differ from warp to warp, in both arms of a branch, behind
// early returns; and what a thread keeps across them. In blocks of many sizes and shapes, so that all layouts of warps occur.
#include "tests/device/check.h"

#include <algorithm>

constexpr int kThreads = 1024; // the most in a block
constexpr int kBlocks = 3;

__device__ int rankInBlock() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
__device__ int blockItems() { return blockDim.x * blockDim.y * blockDim.z; }

__global__ void treeSum(const int *in, int *out) {
  __shared__ int tile[kThreads];
  int t = rankInBlock(), n = blockItems();
  tile[t] = in[blockIdx.x * n + t];
  __syncthreads();
  for (int width = kThreads / 2; width > 0; width /= 2) {
    if (t < width && t + width < n)
      tile[t] += tile[t + width];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = tile[0];
}

// Fewer and fewer threads of each row work: those below a bound that is known when the kernel runs, with a sign and without, up
// to and with a bound, the first few, the first one; and all of them again behind that.
__global__ void rowsThatShrink(const int *in, int *out, int bound, unsigned limit) {
  __shared__ int tile[kThreads];
  const int x = threadIdx.x, row = blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), n = blockItems();
  const unsigned ux = threadIdx.x;
  tile[row + x] = in[row + x];
  __syncthreads();
  if (x < bound)
    tile[row + x] += in[(row + x + 1) % n];
  __syncthreads();
  if (ux <= limit)
    tile[row + x] = tile[row + x] * 3 + blockIdx.x;
  __syncthreads();
  if (!(ux >= limit))
    tile[row + x] ^= 5;
  __syncthreads();
  for (int width = blockDim.x / 2; width > 0; width /= 2) {
    if (ux < width)
      tile[row + x] += tile[row + x + width];
    __syncthreads();
  }
  if (ux < 3)
    tile[row + x] += 7;
  __syncthreads();
  if (ux == 0)
    tile[row] *= 2;
  __syncthreads();
  if (x > bound)
    tile[row + x] -= 11;
  __syncthreads();
  int kept = 1;
  if (x < bound)
    kept = tile[row + x] & 15;
  __syncthreads();
  out[blockIdx.x * n + row + x] = tile[row + x] + kept;
}

// Loops that begin at the thread's x and leap over the other threads: sums, and with work behind the loop for those that were in
// it. `from` and `step` may be such that the counter wraps.
__global__ void stridedSums(const int *in, int *out, int from, int step, int limit) {
  const int t = rankInBlock();
  int sum = 1;
  for (int i = from + threadIdx.x; i < limit; i = int(unsigned(i) + unsigned(step)))
    sum = sum * 3 + in[i & 1023];
  out[blockIdx.x * blockItems() + t] = sum;
}

__global__ void stridedWrites(const int *in, int *out, int count) {
  const unsigned all = gridDim.x * blockDim.x;
  const int row = threadIdx.y + blockDim.y * threadIdx.z;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += all)
    if (row == 0)
      out[i] += in[i] * 2;
}

__global__ void stridedShared(const int *in, int *out, long limit) {
  __shared__ int tile[kThreads];
  const int t = rankInBlock(), n = blockItems();
  tile[t] = 5;
  for (long i = threadIdx.x + long(blockIdx.x) * 3; i < limit; i += blockDim.x)
    tile[t] += in[i];
  __syncthreads();
  out[blockIdx.x * n + t] = tile[(t + 1) % n];
}

void checkStrides(DeviceArray<int> &source, DeviceArray<int> &target, dim3 block, const std::vector<int> &in) {
  const int n = static_cast<int>(block.x * block.y * block.z), top = std::numeric_limits<int>::max();
  const int cases[][3] = {{0, static_cast<int>(block.x), 1000},
                          {7, 64, 900},
                          {0, 1, 40},
                          {500, 3, 400},
                          {-20, 16, 90},
                          {0, 0, -5},
                          {top - 5, 1 << 30, 3},
                          {5 - top, (1 << 30) - 2000, 100},
                          {10, 5000, 1 << 15}};
  for (const auto &[from, step, limit] : cases) {
    stridedSums<<<kBlocks, block>>>(source, target, from, step, limit);
    const std::vector<int> out = target.host();
    for (int t = 0; t < n; ++t) {
      unsigned sum = 1;
      for (int i = int(unsigned(from) + t % block.x); i < limit; i = int(unsigned(i) + unsigned(step)))
        sum = sum * 3 + unsigned(in[i & 1023]);
      for (int b = 0; b < kBlocks; ++b)
        CHECK_EQ(out[b * n + t], int(sum));
    }
  }

  const int all = kBlocks * n;
  for (int count : {0, 1, 31, all / 2, all}) {
    HIP_CHECK(hipMemcpy(target, in.data(), all * sizeof(int), hipMemcpyHostToDevice));
    stridedWrites<<<kBlocks, block>>>(source, target, std::min(count, all));
    const std::vector<int> out = target.host();
    for (int i = 0; i < all; ++i)
      CHECK_EQ(out[i], i < count ? in[i] * 3 : in[i]);
  }

  for (long limit : {-1L, 0L, 40L, 1000L}) {
    stridedShared<<<kBlocks, block>>>(source, target, limit);
    const std::vector<int> out = target.host();
    for (int b = 0; b < kBlocks; ++b)
      for (int t = 0; t < n; ++t) {
        int sum = 5;
        for (long i = (t + 1) % n % block.x + b * 3; i < limit; i += block.x)
          sum += in[i];
        CHECK_EQ(out[b * n + t], sum);
      }
  }
}

std::vector<int> rowsThatShrinkOnHost(const std::vector<int> &in, dim3 shape, int block, int bound, unsigned limit) {
  const int n = static_cast<int>(shape.x * shape.y * shape.z), length = static_cast<int>(shape.x);
  std::vector<int> tile(in.begin(), in.begin() + n);
  for (int row = 0; row < n; row += length) {
    for (int x = 0; x < length; ++x) {
      int &item = tile[row + x];
      item += x < bound ? in[(row + x + 1) % n] : 0;
      item = unsigned(x) <= limit ? item * 3 + block : item;
      item ^= unsigned(x) < limit ? 5 : 0;
    }
    for (int width = length / 2; width > 0; width /= 2)
      for (int x = 0; x < width; ++x)
        tile[row + x] += tile[row + x + width];
    for (int x = 0; x < length; ++x) {
      int &item = tile[row + x];
      item += x < 3 ? 7 : 0;
      item *= x == 0 ? 2 : 1;
      item -= x > bound ? 11 : 0;
      item += x < bound ? item & 15 : 1;
    }
  }
  return tile;
}

__global__ void earlyReturn(const int *in, int *out, int count) {
  __shared__ int tile[kThreads];
  int t = rankInBlock(), n = blockItems(), i = blockIdx.x * n + t;
  tile[t] = -1;
  __syncthreads();
  if (i >= count)
    return;
  tile[t] = in[i];
  __syncthreads();
  out[i] = tile[n - 1 - t];
}

// Whole warps leave the loop earlier than others.
__global__ void loopLengths(const int *in, int *out) {
  __shared__ int tile[kThreads];
  int t = rankInBlock(), n = blockItems();
  tile[t] = t;
  __syncthreads();
  int sum = in[t];
  for (int k = 0; k < 3 + t / 32 % 3; ++k) {
    sum += tile[(t + k) % n] * k;
    __syncthreads();
  }
  out[blockIdx.x * n + t] = sum;
}

__global__ void privateArrays(const int *in, int *out) {
  __shared__ int tile[kThreads];
  int t = rankInBlock(), n = blockItems();
  int own[8];
  for (int k = 0; k < 8; ++k)
    own[k] = in[(t + k) % n];
  tile[t] = own[t % 8];
  __syncthreads();
  for (int k = 0; k < 8; ++k)
    own[(k + t) % 8] += tile[(t + k) % n];
  __syncthreads();
  int hash = 0;
  for (int k = 0; k < 8; ++k)
    hash = hash * 3 + own[k];
  out[blockIdx.x * n + t] = hash;
}

// Warps wait at different barriers; they complete together.
__global__ void arms(const int *in, int *out, int flag) {
  __shared__ int tile[kThreads];
  int t = rankInBlock(), n = blockItems();
  tile[t] = in[t];
  if (flag) {
    __syncthreads();
    int next = tile[(t + 1) % n];
    __syncthreads();
    tile[t] = next * 2;
  }
  __syncthreads();
  int value = tile[(t + 2) % n];
  if (t / 32 % 2 == flag) {
    __syncthreads();
    value += 1000;
  } else {
    value += 2000;
    __syncthreads();
    value += 1;
  }
  out[blockIdx.x * n + t] = value;
}

// Values that all threads of a block have in common and carry from barrier to barrier: two loops, which copy of the tile is read, a sum,
// which branch is taken, and how early the block leaves. Blocks differ.
__global__ void inCommon(const int *in, int *out, int outer, int inner) {
  __shared__ int tile[2][kThreads];
  int t = rankInBlock(), n = blockItems(), from = 0, sum = blockIdx.x;
  tile[0][t] = in[t];
  __syncthreads();
  for (int i = 0; i < outer + (int)blockIdx.x; ++i) {
    for (int k = 0; k < inner; ++k) {
      int value = tile[from][(t + k + 1) % n] + sum;
      from = 1 - from;
      tile[from][t] = value % 1000;
      sum += i * k;
      __syncthreads();
    }
    if ((i + blockIdx.x) % 2 == 1) {
      from = 1 - from;
      tile[from][t] = sum;
      __syncthreads();
      sum *= 3;
    }
    if (sum > 200)
      break;
  }
  out[blockIdx.x * n + t] = tile[from][t] * 7 + sum;
}

std::vector<int> inCommonOfBlock(const std::vector<int> &in, int n, int block, int outer, int inner) {
  std::vector<int> tile[2] = {std::vector<int>(in.begin(), in.begin() + n), std::vector<int>(n)};
  int from = 0, sum = block;
  for (int i = 0; i < outer + block; ++i) {
    for (int k = 0; k < inner; ++k) {
      for (int t = 0; t < n; ++t)
        tile[1 - from][t] = (tile[from][(t + k + 1) % n] + sum) % 1000;
      from = 1 - from;
      sum += i * k;
    }
    if ((i + block) % 2 == 1) {
      from = 1 - from;
      tile[from].assign(n, sum);
      sum *= 3;
    }
    if (sum > 200)
      break;
  }
  for (int &value : tile[from])
    value = value * 7 + sum;
  return tile[from];
}

template <class T> __global__ void tiledProduct(const T *a, const T *b, T *c, int size) {
  __shared__ T tileA[16][16], tileB[16][16];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
  T sum = 0;
  for (int k = 0; k < size; k += 16) {
    tileA[y][x] = a[row * size + k + x];
    tileB[y][x] = b[(k + y) * size + column];
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += tileA[y][j] * tileB[j][x];
    __syncthreads();
  }
  c[row * size + column] = sum;
}

void checkShape(dim3 block, const std::vector<int> &in) {
  const int n = block.x * block.y * block.z, all = kBlocks * n;
  DeviceArray<int> source(in), target(all);

  treeSum<<<kBlocks, block>>>(source, target);
  std::vector<int> out = target.host();
  for (int b = 0; b < kBlocks; ++b) {
    int sum = 0;
    for (int i = 0; i < n; ++i)
      sum += in[b * n + i];
    CHECK_EQ(out[b], sum);
  }

  const int count = all - n / 3;
  earlyReturn<<<kBlocks, block>>>(source, target, count);
  out = target.host();
  for (int i = 0; i < count; ++i) {
    int other = i / n * n + n - 1 - i % n;
    CHECK_EQ(out[i], other < count ? in[other] : -1);
  }

  loopLengths<<<kBlocks, block>>>(source, target);
  out = target.host();
  for (int i = 0; i < all; ++i) {
    int t = i % n, sum = in[t];
    for (int k = 0; k < 3 + t / 32 % 3; ++k)
      sum += (t + k) % n * k;
    CHECK_EQ(out[i], sum);
  }

  privateArrays<<<kBlocks, block>>>(source, target);
  out = target.host();
  for (int i = 0; i < all; ++i) {
    int t = i % n, own[8], hash = 0;
    for (int k = 0; k < 8; ++k)
      own[k] = in[(t + k) % n];
    for (int k = 0; k < 8; ++k) {
      int other = (t + k) % n;
      own[(k + t) % 8] += in[(other + other % 8) % n];
    }
    for (int k = 0; k < 8; ++k)
      hash = hash * 3 + own[k];
    CHECK_EQ(out[i], hash);
  }

  const std::pair<int, unsigned> bounds[] = {{-1, 0}, {0, 7}, {1, 16}, {17, ~0u}, {33, 31}, {64, 63}, {2000, 130}};
  for (auto [bound, limit] : bounds) {
    rowsThatShrink<<<kBlocks, block>>>(source, target, bound, limit);
    out = target.host();
    for (int b = 0; b < kBlocks; ++b) {
      std::vector<int> wanted = rowsThatShrinkOnHost(in, block, b, bound, limit);
      for (int t = 0; t < n; ++t)
        CHECK_EQ(out[b * n + t], wanted[t]);
    }
  }

  checkStrides(source, target, block, in);

  for (int outer = 0; outer < 4; ++outer) {
    inCommon<<<kBlocks, block>>>(source, target, outer, 3);
    out = target.host();
    for (int b = 0; b < kBlocks; ++b) {
      std::vector<int> wanted = inCommonOfBlock(in, n, b, outer, 3);
      for (int t = 0; t < n; ++t)
        CHECK_EQ(out[b * n + t], wanted[t]);
    }
  }

  for (int flag = 0; flag < 2; ++flag) {
    arms<<<kBlocks, block>>>(source, target, flag);
    out = target.host();
    for (int i = 0; i < all; ++i) {
      int t = i % n, other = (t + 2) % n;
      int value = flag ? in[(other + 1) % n] * 2 : in[other];
      CHECK_EQ(out[i], value + (t / 32 % 2 == flag ? 1000 : 2001));
    }
  }
}

template <class T> void checkProduct() {
  constexpr int size = 48;
  std::vector<T> a(size * size), b(size * size);
  for (int i = 0; i < size * size; ++i)
    a[i] = static_cast<T>(i % 7), b[i] = static_cast<T>(i % 5);
  DeviceArray<T> da(a), db(b), dc(size * size);
  tiledProduct<T><<<dim3(size / 16, size / 16), dim3(16, 16)>>>(da, db, dc, size);
  std::vector<T> c = dc.host();
  for (int row = 0; row < size; ++row)
    for (int column = 0; column < size; ++column) {
      T sum = 0;
      for (int k = 0; k < size; ++k)
        sum += a[row * size + k] * b[k * size + column];
      CHECK_EQ(c[row * size + column], sum);
    }
}

TEST(shapes) {
  std::vector<int> in(kBlocks * kThreads);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<int>(i * 7919 % 1000);
  const dim3 shapes[] = {{1},   {5},    {16},   {31},   {32},     {33},      {64},    {100},      {128},       {255},
                         {256}, {1000}, {1024}, {8, 4}, {16, 16}, {3, 5, 7}, {32, 8}, {64, 2, 2}, {10, 10, 10}};
  for (dim3 shape : shapes)
    checkShape(shape, in);
}

TEST(products) {
  checkProduct<float>();
  checkProduct<double>();
  checkProduct<short>();
}

int main(int argc, char **argv) { return runTests(argc, argv); }
