// SPDX-License-Identifier: MIT
// Work that threads do together: sums, prefix sums and the softmax of rows, through shared memory and through shuffles.
#include "suite.h"

namespace {
using namespace bench;

constexpr int kItems = 1 << 22;
constexpr int kBlock = 256;
constexpr int kSumBlocks = 256;

__device__ void treeOfBlock(float value, float *sums) {
  __shared__ float part[kBlock];
  part[threadIdx.x] = value;
  __syncthreads();
  for (int width = kBlock / 2; width > 0; width /= 2) {
    if (threadIdx.x < width)
      part[threadIdx.x] += part[threadIdx.x + width];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = part[0];
}

__global__ void sumTree(const float *in, float *sums, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  treeOfBlock(sum, sums);
}

__global__ void sumEach(const float *in, float *sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  treeOfBlock(i < n ? in[i] : 0.0f, sums);
}

__device__ float sumOfWarp(float value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down(value, offset);
  return value;
}

__global__ void sumShuffle(const float *in, float *sums, int n) {
  __shared__ float part[kBlock / 32];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  sum = sumOfWarp(sum);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = sumOfWarp(threadIdx.x < kBlock / 32 ? part[threadIdx.x] : 0.0f);
    if (threadIdx.x == 0)
      sums[blockIdx.x] = sum;
  }
}

// Eight elements a thread, with the number of the block and of the thread in bits of their own.
constexpr int kTile = 8 * kBlock;
__global__ void sumTiles(const float *in, float *sums, int) {
  const float *first = in + blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k)
    sum += first[k * kBlock];
  treeOfBlock(sum, sums);
}

Case makeSum(const char *name, const char *openclName, void (*kernel)(const float *, float *, int), int sumBlocks) {
  struct Data {
    HostArray<float> in{kItems}, sums{kItems / kBlock}, total{1};
    DeviceArray<float> deviceIn{in}, deviceSums{kItems / kBlock};
  };
  auto d = std::make_shared<Data>();
  fillRandom(d->in, 8);
  d->deviceIn.set(d->in);
  Case c;
  c.name = name;
  c.work = double(kItems) * sizeof(float) / 1e9;
  c.unit = "GB/s";
  c.hip = [=] { kernel<<<sumBlocks, kBlock>>>(d->deviceIn.get(), d->deviceSums.get(), kItems); };
  c.native = [=] { d->total[0] = nativeSum(d->in.get(), kItems); };
  if (openclName)
    c.opencl = {{openclName,
                 {size_t(sumBlocks) * kBlock},
                 {kBlock},
                 {ClArg::buffer(d->in.get(), d->in.bytes()), ClArg::buffer(d->sums.get(), d->sums.bytes()),
                  ClArg::of(kItems)}}};
  c.check = [=] {
    double sum = 0;
    const std::vector<float> sums = d->deviceSums.values();
    for (int i = 0; i < sumBlocks; ++i)
      sum += sums[i];
    return agree(std::vector<float>{float(sum)}, d->total.get(), 1e-3);
  };
  return c;
}

// Each block scans kBlock elements (Hillis and Steele), the second kernel scans the blocks' sums, the third adds them.
__global__ void scanBlocks(const float *in, float *out, float *sums) {
  __shared__ float part[2][kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  int from = 0;
  part[0][threadIdx.x] = in[i];
  __syncthreads();
  for (int offset = 1; offset < kBlock; offset *= 2) {
    float value = part[from][threadIdx.x];
    if (threadIdx.x >= offset)
      value += part[from][threadIdx.x - offset];
    part[1 - from][threadIdx.x] = value;
    from = 1 - from;
    __syncthreads();
  }
  out[i] = part[from][threadIdx.x];
  if (threadIdx.x == kBlock - 1)
    sums[blockIdx.x] = part[from][threadIdx.x];
}

__device__ float scanOfWarp(float value) {
  for (int offset = 1; offset < 32; offset *= 2) {
    const float below = __shfl_up(value, offset);
    if (threadIdx.x % 32 >= offset)
      value += below;
  }
  return value;
}

__global__ void scanBlocksShuffle(const float *in, float *out, float *sums) {
  __shared__ float part[kBlock / 32];
  const int i = blockIdx.x * kBlock + threadIdx.x, warp = threadIdx.x / 32;
  float value = scanOfWarp(in[i]);
  if (threadIdx.x % 32 == 31)
    part[warp] = value;
  __syncthreads();
  if (warp == 0) {
    const float sum = scanOfWarp(threadIdx.x < kBlock / 32 ? part[threadIdx.x] : 0.0f);
    if (threadIdx.x < kBlock / 32)
      part[threadIdx.x] = sum;
  }
  __syncthreads();
  if (warp > 0)
    value += part[warp - 1];
  out[i] = value;
  if (threadIdx.x == kBlock - 1)
    sums[blockIdx.x] = value;
}

__global__ void scanSums(float *sums, int n) { // one block, each thread a piece
  __shared__ float part[kBlock];
  const int each = (n + kBlock - 1) / kBlock, first = threadIdx.x * each;
  float sum = 0;
  for (int i = first; i < first + each && i < n; ++i)
    sum += sums[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  float before = 0;
  for (int i = 0; i < threadIdx.x; ++i)
    before += part[i];
  for (int i = first; i < first + each && i < n; ++i) {
    const float value = sums[i];
    sums[i] = before;
    before += value;
  }
}

__global__ void addSums(float *out, const float *sums) { out[blockIdx.x * kBlock + threadIdx.x] += sums[blockIdx.x]; }

Case makeScan(bool shuffle) {
  struct Data {
    HostArray<float> in{kItems}, out{kItems}, sums{kItems / kBlock};
    DeviceArray<float> deviceIn{in}, deviceOut{kItems}, deviceSums{kItems / kBlock};
  };
  auto d = std::make_shared<Data>();
  fillRandom(d->in, 9);
  d->deviceIn.set(d->in);
  Case c;
  c.name = shuffle ? "scan shuffle" : "scan shared";
  c.work = 2.0 * kItems * sizeof(float) / 1e9;
  c.unit = "GB/s";
  c.hip = [=] {
    auto *kernel = shuffle ? scanBlocksShuffle : scanBlocks;
    kernel<<<kItems / kBlock, kBlock>>>(d->deviceIn.get(), d->deviceOut.get(), d->deviceSums.get());
    scanSums<<<1, kBlock>>>(d->deviceSums.get(), kItems / kBlock);
    addSums<<<kItems / kBlock, kBlock>>>(d->deviceOut.get(), d->deviceSums.get());
  };
  c.native = [=] { nativeScan(d->in.get(), d->out.get(), kItems); };
  if (!shuffle) {
    const ClArg out = ClArg::buffer(d->out.get(), d->out.bytes()), sums = ClArg::buffer(d->sums.get(), d->sums.bytes());
    c.opencl = {{"scanBlocks", {kItems}, {kBlock}, {ClArg::buffer(d->in.get(), d->in.bytes()), out, sums}},
                {"scanSums", {kBlock}, {kBlock}, {sums, ClArg::of(kItems / kBlock)}},
                {"addSums", {kItems}, {kBlock}, {out, sums}}};
  }
  c.check = [=] { return agree(d->deviceOut.values(), d->out.get(), 1e-3); };
  return c;
}

constexpr int kRows = 4096, kColumns = 1024;

__device__ float maximumOfWarp(float value) {
  for (int mask = 16; mask > 0; mask /= 2)
    value = fmaxf(value, __shfl_xor(value, mask));
  return value;
}
__device__ float totalOfWarp(float value) {
  for (int mask = 16; mask > 0; mask /= 2)
    value += __shfl_xor(value, mask);
  return value;
}

// A row a block.
__global__ void softmax(const float *in, float *out) {
  __shared__ float part[kBlock / 32];
  const float *row = in + size_t(blockIdx.x) * kColumns;
  float largest = -1e30f;
  for (int i = threadIdx.x; i < kColumns; i += kBlock)
    largest = fmaxf(largest, row[i]);
  largest = maximumOfWarp(largest);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = largest;
  __syncthreads();
  for (int i = 0; i < kBlock / 32; ++i)
    largest = fmaxf(largest, part[i]);
  __syncthreads();
  float sum = 0;
  for (int i = threadIdx.x; i < kColumns; i += kBlock)
    sum += expf(row[i] - largest);
  sum = totalOfWarp(sum);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  float total = 0;
  for (int i = 0; i < kBlock / 32; ++i)
    total += part[i];
  for (int i = threadIdx.x; i < kColumns; i += kBlock)
    out[size_t(blockIdx.x) * kColumns + i] = expf(row[i] - largest) / total;
}

Case makeSoftmax() {
  constexpr size_t kAll = size_t(kRows) * kColumns;
  struct Data {
    HostArray<float> in{kAll}, out{kAll};
    DeviceArray<float> deviceIn{in}, deviceOut{kAll};
  };
  auto d = std::make_shared<Data>();
  fillRandom(d->in, 10);
  d->deviceIn.set(d->in);
  Case c;
  c.name = "softmax";
  c.work = 2.0 * kAll * sizeof(float) / 1e9;
  c.unit = "GB/s";
  c.hip = [=] { softmax<<<kRows, kBlock>>>(d->deviceIn.get(), d->deviceOut.get()); };
  c.native = [=] { nativeSoftmax(d->in.get(), d->out.get(), kRows, kColumns); };
  c.check = [=] { return agree(d->deviceOut.values(), d->out.get(), 1e-4); };
  return c;
}

const Cases cases{[] { return makeSum("sum tree", "sumTree", sumTree, kSumBlocks); },
                  [] { return makeSum("sum shuffle", nullptr, sumShuffle, kSumBlocks); },
                  [] { return makeSum("sum one each", "sumEach", sumEach, kItems / kBlock); },
                  [] { return makeSum("sum eight each", nullptr, sumTiles, kItems / kTile); },
                  [] { return makeScan(false); },
                  [] { return makeScan(true); },
                  makeSoftmax};

} // namespace
