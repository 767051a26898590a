// SPDX-License-Identifier: MIT
// Sizes, block shapes and types that the other cases don't have: large tiles of stencils, blocks of 64 x 4, 16 x 16, 8 x 8, 8 x 8 x 4, 96
// and 100, halves, doubles and bytes, and the loops of BabelStream. They were chosen before any of them was measured.
#include "suite.h"

#include <hip/hip_fp16.h>

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

// Halves, two at a time: y = a x + y.
constexpr int kHalves = 1 << 22;

__global__ void axpyHalves(const __half2 *x, const __half2 *y, __half2 *out, __half2 a, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs)
    out[i] = __hfma2(a, x[i], y[i]);
}

Case makeHalves() {
  struct Data {
    HostArray<unsigned short> x{kHalves}, y{kHalves}, out{kHalves};
    DeviceArray<unsigned short> dX{x}, dY{y}, dOut{kHalves};
  };
  auto d = std::make_shared<Data>();
  for (int i = 0; i < kHalves; ++i) { // from 1 to 2
    d->x[i] = (unsigned short)(0x3c00 | (unsigned(i) * 2654435761u >> 22));
    d->y[i] = (unsigned short)(0x3c00 | (unsigned(i) * 2246822519u >> 22));
  }
  d->dX.set(d->x);
  d->dY.set(d->y);
  Case c;
  c.name = "axpy half2";
  c.work = 3.0 * kHalves * 2 / 1e9;
  c.unit = "GB/s";
  c.hip = [=] {
    axpyHalves<<<blocks(kHalves / 2, 256), 256>>>((const __half2 *)d->dX.get(), (const __half2 *)d->dY.get(),
                                                  (__half2 *)d->dOut.get(), __float2half2_rn(0.5f), kHalves / 2);
  };
  c.native = [=] { nativeAxpyHalves(d->x.get(), d->y.get(), d->out.get(), 0.5f, kHalves); };
  c.check = [=] { // one fused rounding there and perhaps two here
    const std::vector<unsigned short> found = d->dOut.values();
    for (int i = 0; i < kHalves; ++i)
      if (std::abs(int(found[i]) - int(d->out[i])) > 1)
        return false;
    return true;
  };
  return c;
}

// Dot products of bytes, four at a time: a layer of a quantised network, a thread an output.
constexpr int kInputs = 1024, kOutputs = 4096;

__global__ void layerBytes(const char4 *weights, const char4 *in, int *out, int inputs, int outputs) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= outputs)
    return;
  int sum = 0;
  for (int k = 0; k < inputs / 4; ++k) {
    const char4 w = weights[k * outputs + row], v = in[k];
    sum += w.x * v.x + w.y * v.y + w.z * v.z + w.w * v.w;
  }
  out[row] = sum;
}

Case makeLayer() {
  struct Data {
    HostArray<signed char> weights{size_t(kInputs) * kOutputs}, in{kInputs};
    HostArray<int> out{kOutputs};
    DeviceArray<signed char> dWeights{weights}, dIn{in};
    DeviceArray<int> dOut{out};
  };
  auto d = std::make_shared<Data>();
  for (size_t i = 0; i < d->weights.size(); ++i)
    d->weights[i] = (signed char)(unsigned(i) * 2654435761u >> 24);
  for (size_t i = 0; i < d->in.size(); ++i)
    d->in[i] = (signed char)(unsigned(i) * 2246822519u >> 24);
  d->dWeights.set(d->weights);
  d->dIn.set(d->in);
  Case c;
  c.name = "dot of bytes";
  c.work = 2.0 * kInputs * kOutputs / 1e9;
  c.unit = "Gop/s";
  c.hip = [=] {
    layerBytes<<<kOutputs / 128, 128>>>((const char4 *)d->dWeights.get(), (const char4 *)d->dIn.get(), d->dOut.get(),
                                        kInputs, kOutputs);
  };
  c.native = [=] { nativeLayerBytes(d->weights.get(), d->in.get(), d->out.get(), kInputs, kOutputs); };
  c.check = [=] { return agree(d->dOut.values(), d->out.get(), 0); };
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
      nativeTriad(d->a.get(), d->b.get(), d->c.get(), kStream);
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

// A filter of 5 x 5 points over an image of bytes, in blocks of 8 x 8, with the edge repeated.
constexpr int kImage = 2048;

__global__ void filterBytes(const unsigned char *in, unsigned char *out, const float *weights, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float sum = 0;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) {
      const int px = min(max(x + dx, 0), width - 1), py = min(max(y + dy, 0), height - 1);
      sum += weights[(dy + 2) * 5 + dx + 2] * in[py * width + px];
    }
  out[y * width + x] = (unsigned char)(sum + 0.5f);
}

Case makeFilter() {
  struct Data {
    HostArray<unsigned char> in{size_t(kImage) * kImage}, out{size_t(kImage) * kImage};
    HostArray<float> weights{25};
    DeviceArray<unsigned char> dIn{in}, dOut{out};
    DeviceArray<float> dWeights{weights};
  };
  auto d = std::make_shared<Data>();
  for (size_t i = 0; i < d->in.size(); ++i)
    d->in[i] = (unsigned char)(unsigned(i) * 2654435761u >> 24);
  for (int i = 0; i < 25; ++i)
    d->weights[i] = 1.0f / 32;
  d->dIn.set(d->in);
  d->dWeights.set(d->weights);
  Case c;
  c.name = "filter 5x5 bytes";
  c.work = double(kImage) * kImage / 1e9;
  c.unit = "Gpixels/s";
  c.hip = [=] {
    filterBytes<<<dim3(kImage / 8, kImage / 8), dim3(8, 8)>>>(d->dIn.get(), d->dOut.get(), d->dWeights.get(), kImage,
                                                              kImage);
  };
  c.native = [=] { nativeFilterBytes(d->in.get(), d->out.get(), d->weights.get(), kImage, kImage); };
  c.check = [=] { return agree(d->dOut.values(), d->out.get(), 0.005); };
  return c;
}

// Particles in arrays of structures of seven floats, moved in blocks of 96.
struct Particle {
  float x, y, z, vx, vy, vz, mass;
};
constexpr int kParticles = 96 * 8192;

__global__ void moveParticles(Particle *particles, float step, float size, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Particle p = particles[i];
  p.vz -= 9.81f * step;
  p.x += p.vx * step, p.y += p.vy * step, p.z += p.vz * step;
  if (p.x < 0 || p.x > size)
    p.vx = -p.vx;
  if (p.y < 0 || p.y > size)
    p.vy = -p.vy;
  if (p.z < 0 || p.z > size)
    p.vz = -p.vz;
  particles[i] = p;
}

Case makeParticles() {
  struct Data {
    HostArray<float> in{size_t(7) * kParticles};
    DeviceArray<float> device{in};
  };
  auto d = std::make_shared<Data>();
  fillRandom(d->in, 38);
  d->device.set(d->in);
  Case c;
  c.name = "particles of structures";
  c.work = 2.0 * kParticles * sizeof(Particle) / 1e9;
  c.unit = "GB/s";
  c.hip = [=] { moveParticles<<<kParticles / 96, 96>>>((Particle *)d->device.get(), 0.001f, 1.0f, kParticles); };
  c.native = [=] { nativeMoveParticles(d->in.get(), 0.001f, 1.0f, kParticles); };
  c.check = [=] { return agree(d->device.values(), d->in.get(), 1e-4); };
  return c;
}

// A polynomial of degree 16 in doubles, in blocks of 100.
constexpr int kPoints = 100 * 10000, kDegree = 16;

__global__ void polynomial(const double *x, double *y, const double *coefficients, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double value = coefficients[kDegree];
  for (int k = kDegree - 1; k >= 0; --k)
    value = value * x[i] + coefficients[k];
  y[i] = value;
}

Case makePolynomial() {
  struct Data {
    HostArray<double> x{kPoints}, y{kPoints}, coefficients{kDegree + 1};
    DeviceArray<double> dX{x}, dY{y}, dCoefficients{coefficients};
  };
  auto d = std::make_shared<Data>();
  fillRandom(d->x, 39);
  fillRandom(d->coefficients, 40);
  d->dX.set(d->x);
  d->dCoefficients.set(d->coefficients);
  Case c;
  c.name = "polynomial";
  c.work = 2.0 * kDegree * kPoints / 1e9;
  c.unit = "GFLOP/s";
  c.hip = [=] { polynomial<<<kPoints / 100, 100>>>(d->dX.get(), d->dY.get(), d->dCoefficients.get(), kPoints); };
  c.native = [=] { nativePolynomial(d->x.get(), d->y.get(), d->coefficients.get(), kDegree, kPoints); };
  c.check = [=] { return agree(d->dY.values(), d->y.get(), 1e-12); };
  return c;
}

// The nearest of 64 centres in four dimensions (k-means), with the centres in shared memory.
constexpr int kSamples = 1 << 17, kCentres = 64;

__global__ void nearestCentre(const float4 *samples, const float4 *centres, int *nearest, int n) {
  __shared__ float4 near[kCentres];
  if (threadIdx.x < kCentres)
    near[threadIdx.x] = centres[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float4 s = samples[i];
  float best = 1e30f;
  int found = 0;
  for (int k = 0; k < kCentres; ++k) {
    const float x = s.x - near[k].x, y = s.y - near[k].y, z = s.z - near[k].z, w = s.w - near[k].w;
    const float distance = x * x + y * y + z * z + w * w;
    if (distance < best) {
      best = distance;
      found = k;
    }
  }
  nearest[i] = found;
}

Case makeCentres() {
  struct Data {
    HostArray<float> samples{4 * kSamples}, centres{4 * kCentres};
    HostArray<int> nearest{kSamples};
    DeviceArray<float> dSamples{samples}, dCentres{centres};
    DeviceArray<int> dNearest{nearest};
  };
  auto d = std::make_shared<Data>();
  fillRandom(d->samples, 41);
  fillRandom(d->centres, 42);
  d->dSamples.set(d->samples);
  d->dCentres.set(d->centres);
  Case c;
  c.name = "k-means";
  c.work = double(kSamples) * kCentres / 1e9;
  c.unit = "Gdistances/s";
  c.hip = [=] {
    nearestCentre<<<kSamples / 256, 256>>>((const float4 *)d->dSamples.get(), (const float4 *)d->dCentres.get(),
                                           d->dNearest.get(), kSamples);
  };
  c.native = [=] { nativeNearest(d->samples.get(), d->centres.get(), d->nearest.get(), kSamples, kCentres); };
  c.check = [=] { // -ffast-math may decide between two that are as near
    const std::vector<int> found = d->dNearest.values();
    int different = 0;
    for (int i = 0; i < kSamples; ++i)
      different += found[i] != d->nearest[i];
    return different < kSamples / 1000;
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
    makeHalves,
    makeLayer,
    [] { return makeStream(0); },
    [] { return makeStream(1); },
    [] { return makeStream(2); },
    makeFilter,
    makeParticles,
    makePolynomial,
    makeCentres,
};

} // namespace
