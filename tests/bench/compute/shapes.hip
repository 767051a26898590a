// SPDX-License-Identifier: MIT
// Sizes and block shapes that the other cases don't have: large tiles of stencils, blocks of 64 x 4, 16 x 16, 8 x 8 and 8 x 8 x 4, sparse
// matrices, and the loops of BabelStream. They were chosen before any of them was measured.
#include "../native_stream.h"
#include "suite.h"

namespace {
using namespace bench;

// Five points through shared memory, in tiles of 32 x 16.
constexpr int kSide = 4096, kTileX = 32, kTileY = 16;

__global__ void stencilTiles(const float *in, float *out, int n) {
  __shared__ float tile[kTileY + 2][kTileX + 2];
  const int x = blockIdx.x * kTileX + threadIdx.x, y = blockIdx.y * kTileY + threadIdx.y, i = y * n + x;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  tile[ty][tx] = in[i];
  if (threadIdx.x == 0 && x > 0)
    tile[ty][0] = in[i - 1];
  if (threadIdx.x == kTileX - 1 && x < n - 1)
    tile[ty][kTileX + 1] = in[i + 1];
  if (threadIdx.y == 0 && y > 0)
    tile[0][tx] = in[i - n];
  if (threadIdx.y == kTileY - 1 && y < n - 1)
    tile[kTileY + 1][tx] = in[i + n];
  __syncthreads();
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
    out[i] = 0.5f * tile[ty][tx] + 0.125f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
}

Case makeStencilTiles() {
  struct Data {
    HostArray<float> in{size_t(kSide) * kSide}, out{size_t(kSide) * kSide};
    DeviceArray<float> deviceIn{in}, deviceOut{out};
  };
  auto d = std::make_shared<Data>();
  fillRandom(d->in, 30);
  d->deviceIn.set(d->in);
  Case c;
  c.name = "stencil 32x16 shared";
  c.work = 2.0 * kSide * kSide * sizeof(float) / 1e9;
  c.unit = "GB/s";
  c.hip = [=] {
    stencilTiles<<<dim3(kSide / kTileX, kSide / kTileY), dim3(kTileX, kTileY)>>>(d->deviceIn.get(), d->deviceOut.get(),
                                                                                 kSide);
  };
  c.native = [=] { nativeStencil2d(d->in.get(), d->out.get(), kSide); };
  c.check = [=] { return agree(d->deviceOut.values(), d->out.get(), 1e-5); };
  return c;
}

// Seven points, in blocks of 64 x 4.
constexpr int kCube = 256;

__global__ void stencilCube(const float *in, float *out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
  if (x > 0 && y > 0 && z > 0 && x < n - 1 && y < n - 1 && z < n - 1) {
    const int i = x + n * (y + n * z);
    out[i] = 0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n]);
  }
}

// The same in doubles, in blocks of 8 x 8 x 4, with the extents in three arguments.
__global__ void heatCube(const double *in, double *out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
            z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x == 0 || y == 0 || z == 0 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1)
    return;
  const size_t row = nx, plane = row * ny, i = z * plane + y * row + x;
  out[i] = 0.4 * in[i] + 0.1 * (in[i - 1] + in[i + 1] + in[i - row] + in[i + row] + in[i - plane] + in[i + plane]);
}

template <class T> Case makeCube(const char *name, int side, std::function<void(const T *, T *, int)> launch) {
  struct Data {
    HostArray<T> in, out;
    DeviceArray<T> deviceIn{in}, deviceOut{out};
    explicit Data(size_t cells) : in(cells), out(cells) {}
  };
  const size_t cells = size_t(side) * side * side;
  auto d = std::make_shared<Data>(cells);
  fillRandom(d->in, 31);
  d->deviceIn.set(d->in);
  Case c;
  c.name = name;
  c.work = 2.0 * cells * sizeof(T) / 1e9;
  c.unit = "GB/s";
  c.hip = [=] { launch(d->deviceIn.get(), d->deviceOut.get(), side); };
  c.native = [=] { nativeStencil3d(d->in.get(), d->out.get(), side); };
  c.check = [=] { return agree(d->deviceOut.values(), d->out.get(), 1e-5); };
  return c;
}

// A sparse matrix of 16 entries a row: a thread a row, and a warp a row.
constexpr int kRows = 1 << 18, kEntries = 16;

__global__ void sparseRows(const int *begin, const int *column, const float *value, const float *x, float *y,
                           int rows) {
  for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += blockDim.x * gridDim.x) {
    float sum = 0;
    for (int k = begin[row]; k < begin[row + 1]; ++k)
      sum += value[k] * x[column[k]];
    y[row] = sum;
  }
}

__global__ void sparseWarps(const int *begin, const int *column, const float *value, const float *x, float *y,
                            int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = begin[row] + lane; k < begin[row + 1]; k += 32)
    sum += value[k] * x[column[k]];
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down(sum, offset);
  if (lane == 0)
    y[row] = sum;
}

Case makeSparse(bool warps) {
  const int rows = warps ? kRows / 8 : kRows, entries = warps ? 8 * kEntries : kEntries;
  struct Data {
    HostArray<int> begin, column;
    HostArray<float> value, x, y;
    DeviceArray<int> dBegin{begin}, dColumn{column};
    DeviceArray<float> dValue{value}, dX{x}, dY{y};
    Data(size_t rows, size_t entries)
        : begin(rows + 1), column(rows * entries), value(rows * entries), x(rows), y(rows) {}
  };
  auto d = std::make_shared<Data>(rows, entries);
  fillRandom(d->value, 32);
  fillRandom(d->x, 33);
  for (int row = 0; row <= rows; ++row)
    d->begin[row] = row * entries;
  for (int i = 0; i < rows * entries; ++i)
    d->column[i] = int((i / entries + (unsigned(i) * 2654435761u >> 20)) % unsigned(rows));
  d->dBegin.set(d->begin);
  d->dColumn.set(d->column);
  d->dValue.set(d->value);
  d->dX.set(d->x);
  Case c;
  c.name = warps ? "spmv warp a row" : "spmv 16 a row";
  c.work = 2.0 * rows * entries / 1e9;
  c.unit = "GFLOP/s";
  c.hip = [=] {
    auto *kernel = warps ? sparseWarps : sparseRows;
    kernel<<<warps ? rows / 8 : rows / 256, 256>>>(d->dBegin.get(), d->dColumn.get(), d->dValue.get(), d->dX.get(),
                                                   d->dY.get(), rows);
  };
  c.native = [=] { nativeSparse(d->begin.get(), d->column.get(), d->value.get(), d->x.get(), d->y.get(), rows); };
  c.check = [=] { return agree(d->dY.values(), d->y.get(), 1e-4); };
  return c;
}

// A product of matrices of doubles: a result a thread, and tiles of 8 x 8.
constexpr int kSize = 384;

__global__ void productDouble(const double *a, const double *b, double *c, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  double sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

__global__ void productTiles8(const double *a, const double *b, double *c, int n) {
  __shared__ double left[8][8], right[8][8];
  const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 8 + x, row = blockIdx.y * 8 + y;
  double sum = 0;
  for (int tile = 0; tile < n / 8; ++tile) {
    left[y][x] = a[row * n + tile * 8 + x];
    right[y][x] = b[(tile * 8 + y) * n + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k)
      sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

Case makeProduct(bool tiles) {
  struct Data {
    HostArray<double> a{kSize * kSize}, b{kSize * kSize}, c{kSize * kSize};
    DeviceArray<double> deviceA{a}, deviceB{b}, deviceC{kSize * kSize};
  };
  auto d = std::make_shared<Data>();
  fillRandom(d->a, 34);
  fillRandom(d->b, 35);
  d->deviceA.set(d->a);
  d->deviceB.set(d->b);
  Case c;
  c.name = tiles ? "matmul double 8x8" : "matmul double 16x16";
  c.work = 2.0 * kSize * kSize * kSize / 1e9;
  c.unit = "GFLOP/s";
  c.hip = [=] {
    auto *kernel = tiles ? productTiles8 : productDouble;
    const int side = tiles ? 8 : 16;
    kernel<<<dim3(kSize / side, kSize / side), dim3(side, side)>>>(d->deviceA.get(), d->deviceB.get(), d->deviceC.get(),
                                                                   kSize);
  };
  c.native = [=] { nativeMatrixProduct(d->a.get(), d->b.get(), d->c.get(), kSize); };
  c.check = [=] { return agree(d->deviceC.values(), d->c.get(), 1e-10); };
  return c;
}

// BabelStream's triad with one element a thread and with a grid-stride loop of size_t, and its dot.
constexpr size_t kStream = size_t(1) << 23;
constexpr int kStreamBlock = 1024;

__global__ void triadEach(double *a, const double *b, const double *c) {
  const size_t i = size_t(blockDim.x) * blockIdx.x + threadIdx.x;
  a[i] = b[i] + 0.4 * c[i];
}

__global__ void triadStride(double *a, const double *b, const double *c, size_t n) {
  for (size_t i = size_t(blockDim.x) * blockIdx.x + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
    a[i] = b[i] + 0.4 * c[i];
}

__global__ void dotStride(const double *a, const double *b, double *sums, size_t n) {
  __shared__ double part[kStreamBlock];
  const size_t local = threadIdx.x;
  double sum = 0;
  for (size_t i = size_t(blockDim.x) * blockIdx.x + local; i < n; i += size_t(gridDim.x) * blockDim.x)
    sum += a[i] * b[i];
  part[local] = sum;
  for (size_t offset = blockDim.x / 2; offset > 0; offset /= 2) {
    __syncthreads();
    if (local < offset)
      part[local] += part[local + offset];
  }
  if (local == 0)
    sums[blockIdx.x] = part[local];
}

Case makeStream(int variant) {
  struct Data {
    HostArray<double> a{kStream}, b{kStream}, c{kStream}, total{1};
    DeviceArray<double> dA{kStream}, dB{b}, dC{c}, sums{256};
  };
  auto d = std::make_shared<Data>();
  fillRandom(d->b, 36);
  fillRandom(d->c, 37);
  d->dB.set(d->b);
  d->dC.set(d->c);
  static const char *const kNames[] = {"triad one each", "triad grid-stride", "dot grid-stride"};
  Case c;
  c.name = kNames[variant];
  c.work = (variant == 2 ? 2.0 : 3.0) * kStream * sizeof(double) / 1e9;
  c.unit = "GB/s";
  c.hip = [=] {
    if (variant == 0)
      triadEach<<<kStream / kStreamBlock, kStreamBlock>>>(d->dA.get(), d->dB.get(), d->dC.get());
    else if (variant == 1)
      triadStride<<<256, kStreamBlock>>>(d->dA.get(), d->dB.get(), d->dC.get(), kStream);
    else
      dotStride<<<256, kStreamBlock>>>(d->dB.get(), d->dC.get(), d->sums.get(), kStream);
  };
  c.native = [=] {
    if (variant == 2)
      d->total[0] = nativeDot(d->b.get(), d->c.get(), kStream);
    else
      nativeTriad(d->a.get(), d->b.get(), d->c.get(), 0.4, kStream);
  };
  c.check = [=] {
    if (variant < 2)
      return agree(d->dA.values(), d->a.get(), 1e-14);
    double sum = 0;
    for (double part : d->sums.values())
      sum += part;
    return agree(std::vector<double>{sum}, d->total.get(), 1e-10);
  };
  return c;
}

const Cases cases{
    makeStencilTiles,
    [] {
      return makeCube<float>("stencil 3d 64x4", kCube, [](const float *in, float *out, int n) {
        stencilCube<<<dim3(n / 64, n / 4, n), dim3(64, 4)>>>(in, out, n);
      });
    },
    [] {
      return makeCube<double>("heat 8x8x4 double", 128, [](const double *in, double *out, int n) {
        heatCube<<<dim3(n / 8, n / 8, n / 4), dim3(8, 8, 4)>>>(in, out, n, n, n);
      });
    },
    [] { return makeSparse(false); },
    [] { return makeSparse(true); },
    [] { return makeProduct(false); },
    [] { return makeProduct(true); },
    [] { return makeStream(0); },
    [] { return makeStream(1); },
    [] { return makeStream(2); },
};

} // namespace
