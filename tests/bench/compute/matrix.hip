// SPDX-License-Identifier: MIT
// Dense matrices: products with one result a thread, from tiles in shared memory, with 4 by 4 results in registers; and
// transposition through tiles.
#include "suite.h"

namespace {
using namespace bench;

constexpr int kSize = 512;
constexpr int kTile = 16;

__global__ void product(const float *a, const float *b, float *c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

__global__ void productTiled(const float *a, const float *b, float *c, int n) {
  __shared__ float tileA[kTile][kTile], tileB[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int first = 0; first < n; first += kTile) {
    tileA[y][x] = a[row * n + first + x];
    tileB[y][x] = b[(first + y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k)
      sum += tileA[y][k] * tileB[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// Each thread has 4 by 4 results, a block of 16 by 16 threads 64 by 64.
__global__ void productRegisters(const float *a, const float *b, float *c, int n) {
  constexpr int kWide = 64;
  __shared__ float tileA[kTile][kWide], tileB[kTile][kWide];
  const int x = threadIdx.x, y = threadIdx.y, linear = y * kTile + x;
  const int firstRow = blockIdx.y * kWide, firstColumn = blockIdx.x * kWide;
  float sums[4][4] = {};
  for (int first = 0; first < n; first += kTile) {
    for (int i = 0; i < 4; ++i) {
      const int index = linear + i * 256;
      tileA[index % kTile][index / kTile] = a[(firstRow + index / kTile) * n + first + index % kTile];
      tileB[index / kWide][index % kWide] = b[(first + index / kWide) * n + firstColumn + index % kWide];
    }
    __syncthreads();
    for (int k = 0; k < kTile; ++k) {
      float left[4], right[4];
      for (int i = 0; i < 4; ++i) {
        left[i] = tileA[k][y + i * kTile];
        right[i] = tileB[k][x + i * kTile];
      }
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          sums[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      c[(firstRow + y + i * kTile) * n + firstColumn + x + j * kTile] = sums[i][j];
}

Case makeProduct(int variant) {
  struct Data {
    HostArray<float> a{kSize * kSize}, b{kSize * kSize}, c{kSize * kSize};
    DeviceArray<float> deviceA{a}, deviceB{b}, deviceC{kSize * kSize};
  };
  auto d = std::make_shared<Data>();
  fillRandom(d->a, 3);
  fillRandom(d->b, 4);
  d->deviceA.set(d->a);
  d->deviceB.set(d->b);
  static const char *const kNames[] = {"matmul", "matmul tiled", "matmul 4x4"};
  static const char *const kKernels[] = {"product", "productTiled", "productRegisters"};
  auto *kernel = variant == 0 ? product : variant == 1 ? productTiled : productRegisters;
  const size_t groups = variant == 2 ? kSize / 64 : kSize / kTile;
  Case c;
  c.name = kNames[variant];
  c.work = 2.0 * kSize * kSize * kSize / 1e9;
  c.unit = "GFLOP/s";
  c.hip = [=] {
    kernel<<<dim3(groups, groups), dim3(kTile, kTile)>>>(d->deviceA.get(), d->deviceB.get(), d->deviceC.get(), kSize);
  };
  c.native = [=] { nativeMatrixProduct(d->a.get(), d->b.get(), d->c.get(), kSize); };
  c.opencl = {{kKernels[variant],
               {groups * kTile, groups * kTile},
               {kTile, kTile},
               {ClArg::buffer(d->a.get(), d->a.bytes()), ClArg::buffer(d->b.get(), d->b.bytes()),
                ClArg::buffer(d->c.get(), d->c.bytes()), ClArg::of(kSize)}}};
  c.check = [=] { return agree(d->deviceC.values(), d->c.get(), 1e-4); };
  return c;
}

constexpr int kSide = 2048;
constexpr int kStrip = 32, kRows = 8;

__global__ void transpose(const float *in, float *out, int n) {
  __shared__ float tile[kStrip][kStrip + 1];
  int x = blockIdx.x * kStrip + threadIdx.x, y = blockIdx.y * kStrip + threadIdx.y;
  for (int i = 0; i < kStrip; i += kRows)
    tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
  __syncthreads();
  x = blockIdx.y * kStrip + threadIdx.x;
  y = blockIdx.x * kStrip + threadIdx.y;
  for (int i = 0; i < kStrip; i += kRows)
    out[(y + i) * n + x] = tile[threadIdx.x][threadIdx.y + i];
}

Case makeTranspose() {
  struct Data {
    HostArray<float> in{size_t(kSide) * kSide}, out{size_t(kSide) * kSide};
    DeviceArray<float> deviceIn{in}, deviceOut{size_t(kSide) * kSide};
  };
  auto d = std::make_shared<Data>();
  fillRandom(d->in, 5);
  d->deviceIn.set(d->in);
  Case c;
  c.name = "transpose";
  c.work = 2.0 * kSide * kSide * sizeof(float) / 1e9;
  c.unit = "GB/s";
  c.hip = [=] {
    transpose<<<dim3(kSide / kStrip, kSide / kStrip), dim3(kStrip, kRows)>>>(d->deviceIn.get(), d->deviceOut.get(),
                                                                             kSide);
  };
  c.native = [=] { nativeTranspose(d->in.get(), d->out.get(), kSide); };
  c.opencl = {
      {"transpose",
       {kSide, kSide / kStrip * kRows},
       {kStrip, kRows},
       {ClArg::buffer(d->in.get(), d->in.bytes()), ClArg::buffer(d->out.get(), d->out.bytes()), ClArg::of(kSide)}}};
  c.check = [=] { return agree(d->deviceOut.values(), d->out.get(), 0); };
  return c;
}

const Cases cases{[] { return makeProduct(0); }, [] { return makeProduct(1); }, [] { return makeProduct(2); },
                  makeTranspose};

} // namespace
