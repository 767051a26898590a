// SPDX-License-Identifier: MIT
// Memory that is not walked in order: histogram, sparse matrix, gather, sorting network, and a Fourier transform.
#include "suite.h"

#include <algorithm>
#include <cmath>

namespace {
using namespace bench;

constexpr int kItems = 1 << 22, kBins = 256, kHistogramBlocks = 128;

__global__ void histogram(const unsigned char *in, unsigned *bins, int n) {
  __shared__ unsigned part[kBins];
  part[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&part[in[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], part[threadIdx.x]);
}
__global__ void clearBins(unsigned *bins) { bins[threadIdx.x] = 0; }

Case makeHistogram() {
  struct Data {
    HostArray<unsigned char> in{kItems};
    HostArray<unsigned> bins{kBins};
    DeviceArray<unsigned char> deviceIn{in};
    DeviceArray<unsigned> deviceBins{kBins};
  };
  auto d = std::make_shared<Data>();
  HostArray<float> random(kItems);
  fillRandom(random, 20);
  for (int i = 0; i < kItems; ++i)
    d->in[i] = (unsigned char)(random[i] * 256);
  d->deviceIn.set(d->in);
  Case c;
  c.name = "histogram";
  c.work = kItems / 1e9;
  c.unit = "Gitems/s";
  c.hip = [=] {
    clearBins<<<1, kBins>>>(d->deviceBins.get());
    histogram<<<kHistogramBlocks, kBins>>>(d->deviceIn.get(), d->deviceBins.get(), kItems);
  };
  c.native = [=] { nativeHistogram(d->in.get(), d->bins.get(), kItems); };
  const ClArg bins = ClArg::buffer(d->bins.get(), d->bins.bytes());
  c.opencl = {{"clearBins", {kBins}, {kBins}, {bins}},
              {"histogram",
               {size_t(kHistogramBlocks) * kBins},
               {kBins},
               {ClArg::buffer(d->in.get(), d->in.bytes()), bins, ClArg::of(kItems)}}};
  c.check = [=] { return agree(d->deviceBins.values(), d->bins.get(), 0); };
  return c;
}

constexpr int kSparseRows = 1 << 17;

__global__ void sparse(const int *begin, const int *column, const float *value, const float *x, float *y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = begin[row]; k < begin[row + 1]; ++k)
    sum += value[k] * x[column[k]];
  y[row] = sum;
}

Case makeSparse() {
  constexpr int kMost = 24;
  struct Data {
    HostArray<int> begin{kSparseRows + 1}, column{size_t(kSparseRows) * kMost};
    HostArray<float> value{size_t(kSparseRows) * kMost}, x{kSparseRows}, y{kSparseRows};
    DeviceArray<int> dBegin{begin}, dColumn{column};
    DeviceArray<float> dValue{value}, dX{x}, dY{y};
  };
  auto d = std::make_shared<Data>();
  fillRandom(d->value, 21);
  fillRandom(d->x, 22);
  int entries = 0;
  for (int row = 0; row < kSparseRows; ++row) {
    d->begin[row] = entries;
    const int many = 8 + (row * 7919) % (kMost - 8);
    for (int k = 0; k < many; ++k)
      d->column[entries++] = (row + (k * k * 37) % 5000) % kSparseRows;
  }
  d->begin[kSparseRows] = entries;
  d->dBegin.set(d->begin);
  d->dColumn.set(d->column);
  d->dValue.set(d->value);
  d->dX.set(d->x);
  Case c;
  c.name = "spmv";
  c.work = 2.0 * entries / 1e9;
  c.unit = "GFLOP/s";
  c.hip = [=] {
    sparse<<<kSparseRows / 256, 256>>>(d->dBegin.get(), d->dColumn.get(), d->dValue.get(), d->dX.get(), d->dY.get(),
                                       kSparseRows);
  };
  c.native = [=] {
    nativeSparse(d->begin.get(), d->column.get(), d->value.get(), d->x.get(), d->y.get(), kSparseRows);
  };
  c.opencl = {{"sparse",
               {kSparseRows},
               {256},
               {ClArg::buffer(d->begin.get(), d->begin.bytes()), ClArg::buffer(d->column.get(), d->column.bytes()),
                ClArg::buffer(d->value.get(), d->value.bytes()), ClArg::buffer(d->x.get(), d->x.bytes()),
                ClArg::buffer(d->y.get(), d->y.bytes()), ClArg::of(kSparseRows)}}};
  c.check = [=] { return agree(d->dY.values(), d->y.get(), 1e-4); };
  return c;
}

__global__ void gather(const float *in, const int *index, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[index[i]];
}

Case makeGather() {
  struct Data {
    HostArray<float> in{kItems}, out{kItems};
    HostArray<int> index{kItems};
    DeviceArray<float> deviceIn{in}, deviceOut{out};
    DeviceArray<int> deviceIndex{index};
  };
  auto d = std::make_shared<Data>();
  fillRandom(d->in, 23);
  for (int i = 0; i < kItems; ++i)
    d->index[i] = int((i * 2654435761u) % kItems);
  d->deviceIn.set(d->in);
  d->deviceIndex.set(d->index);
  Case c;
  c.name = "gather";
  c.work = kItems / 1e9;
  c.unit = "Gitems/s";
  c.hip = [=] { gather<<<kItems / 256, 256>>>(d->deviceIn.get(), d->deviceIndex.get(), d->deviceOut.get(), kItems); };
  c.native = [=] { nativeGather(d->in.get(), d->index.get(), d->out.get(), kItems); };
  c.opencl = {{"gather",
               {kItems},
               {256},
               {ClArg::buffer(d->in.get(), d->in.bytes()), ClArg::buffer(d->index.get(), d->index.bytes()),
                ClArg::buffer(d->out.get(), d->out.bytes()), ClArg::of(kItems)}}};
  c.check = [=] { return agree(d->deviceOut.values(), d->out.get(), 0); };
  return c;
}

constexpr int kSorted = 1 << 18;

__global__ void bitonicStep(unsigned *keys, int distance, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ distance;
  if (other <= i)
    return;
  const unsigned a = keys[i], b = keys[other];
  if ((a > b) == ((i & size) == 0)) {
    keys[i] = b;
    keys[other] = a;
  }
}

Case makeBitonic() {
  struct Data {
    HostArray<unsigned> in{kSorted}, keys{kSorted}, other{kSorted};
    DeviceArray<unsigned> deviceIn{in}, deviceKeys{kSorted};
  };
  auto d = std::make_shared<Data>();
  for (int i = 0; i < kSorted; ++i)
    d->in[i] = d->other[i] = unsigned(i) * 2654435761u ^ 0x5bd1e995u;
  d->deviceIn.set(d->in);
  Case c;
  c.name = "bitonic sort";
  c.work = kSorted / 1e9;
  c.unit = "Gkeys/s";
  c.hip = [=] {
    HIP(hipMemcpyAsync(d->deviceKeys.get(), d->deviceIn.get(), kSorted * sizeof(unsigned), hipMemcpyDeviceToDevice,
                       nullptr));
    for (int size = 2; size <= kSorted; size *= 2)
      for (int distance = size / 2; distance > 0; distance /= 2)
        bitonicStep<<<kSorted / 256, 256>>>(d->deviceKeys.get(), distance, size);
  };
  c.native = [=] {
    std::copy_n(d->in.get(), kSorted, d->keys.get());
    nativeBitonic(d->keys.get(), kSorted);
  };
  for (int size = 2; size <= kSorted; size *= 2)
    for (int distance = size / 2; distance > 0; distance /= 2)
      c.opencl.push_back({"bitonicStep",
                          {kSorted},
                          {256},
                          {ClArg::buffer(d->other.get(), d->other.bytes()), ClArg::of(distance), ClArg::of(size)}});
  c.check = [=] { return agree(d->deviceKeys.values(), d->keys.get(), 0); };
  return c;
}

// Transforms of 1024 complex numbers, one a block of 256 threads, four numbers a thread, in shared memory (Stockham).
constexpr int kLength = 1024, kTransforms = 2048, kFftBlock = 256;

__global__ void fft(const float2 *in, float2 *out) {
  __shared__ float2 part[2][kLength];
  const size_t base = size_t(blockIdx.x) * kLength;
  for (int i = threadIdx.x; i < kLength; i += kFftBlock)
    part[0][i] = in[base + i];
  __syncthreads();
  int from = 0;
  for (int half = 1; half < kLength; half *= 2) {
    for (int i = threadIdx.x; i < kLength / 2; i += kFftBlock) {
      const int k = i & (half - 1);
      const float angle = -3.14159265358979f * k / half;
      const float c = __cosf(angle), s = __sinf(angle);
      const float2 a = part[from][i], b = part[from][i + kLength / 2];
      const float2 t = make_float2(b.x * c - b.y * s, b.x * s + b.y * c);
      const int to = (i - k) * 2 + k;
      part[1 - from][to] = make_float2(a.x + t.x, a.y + t.y);
      part[1 - from][to + half] = make_float2(a.x - t.x, a.y - t.y);
    }
    from = 1 - from;
    __syncthreads();
  }
  for (int i = threadIdx.x; i < kLength; i += kFftBlock)
    out[base + i] = part[from][i];
}

Case makeFft() {
  constexpr size_t kNumbers = size_t(2) * kLength * kTransforms;
  struct Data {
    HostArray<float> in{kNumbers}, out{kNumbers};
    DeviceArray<float> deviceIn{in}, deviceOut{kNumbers};
  };
  auto d = std::make_shared<Data>();
  fillRandom(d->in, 24);
  d->deviceIn.set(d->in);
  Case c;
  c.name = "fft";
  c.work = 5.0 * kLength * std::log2(double(kLength)) * kTransforms / 1e9;
  c.unit = "GFLOP/s";
  c.hip = [=] { fft<<<kTransforms, kFftBlock>>>((const float2 *)d->deviceIn.get(), (float2 *)d->deviceOut.get()); };
  c.native = [=] { nativeFft(d->in.get(), d->out.get(), kLength, kTransforms); };
  c.opencl = {{"fft",
               {size_t(kTransforms) * kFftBlock},
               {kFftBlock},
               {ClArg::buffer(d->in.get(), d->in.bytes()), ClArg::buffer(d->out.get(), d->out.bytes())}}};
  c.check = [=] { return agree(d->deviceOut.values(), d->out.get(), 1e-4); };
  return c;
}

const Cases cases{makeHistogram, makeSparse, makeGather, makeBitonic, makeFft};

} // namespace
