// SPDX-License-Identifier: MIT
// Work-items that have several words each: eight that lie a block apart, vectors of 32 and 64 bytes, pairs of halves. They were chosen
// before any of them was measured.
#include "suite.h"

#include <algorithm>
#include <hip/hip_fp16.h>

namespace {
using namespace bench;

// Each block sums 2048 numbers to 256. LLVM writes "or" for the sums of the index.
constexpr int kSpread = 2048, kSpreads = 4096;

__global__ void sumSpread(const float *in, float *out) {
  const int i = blockIdx.x * kSpread + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int j = 0; j < 8; ++j)
    sum += in[i + j * 256];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

Case makeSpread() {
  struct Data {
    HostArray<float> in{size_t(kSpread) * kSpreads}, out{size_t(256) * kSpreads};
    DeviceArray<float> dIn{in}, dOut{out};
  };
  auto d = std::make_shared<Data>();
  fillRandom(d->in, 50);
  d->dIn.set(d->in);
  Case c;
  c.name = "eight a block apart";
  c.work = (kSpread + 256.0) * kSpreads * 4 / 1e9;
  c.unit = "GB/s";
  c.hip = [=] { sumSpread<<<kSpreads, 256>>>(d->dIn.get(), d->dOut.get()); };
  c.native = [=] { nativeSumSpread(d->in.get(), d->out.get(), kSpreads); };
  c.check = [=] { return agree(d->dOut.values(), d->out.get(), 1e-5); };
  return c;
}

// out = a * in, for vectors of 8 and 16 floats.
constexpr int kFloats = 1 << 22;

template <int n> struct alignas(n * sizeof(float)) Floats {
  float word[n];
};

template <int n> __global__ void scaleVectors(const Floats<n> *in, Floats<n> *out, float a, int vectors) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= vectors)
    return;
  Floats<n> value = in[i];
#pragma unroll
  for (float &word : value.word)
    word *= a;
  out[i] = value;
}

template <int n> Case makeVectors() {
  struct Data {
    HostArray<float> in{kFloats}, out{kFloats};
    DeviceArray<float> dIn{in}, dOut{out};
  };
  auto d = std::make_shared<Data>();
  fillRandom(d->in, 51);
  d->dIn.set(d->in);
  Case c;
  c.name = "scale float" + std::to_string(n);
  c.work = 2.0 * kFloats * 4 / 1e9;
  c.unit = "GB/s";
  c.hip = [=] {
    scaleVectors<n><<<blocks(kFloats / n, 256), 256>>>((const Floats<n> *)d->dIn.get(), (Floats<n> *)d->dOut.get(),
                                                       1.5f, kFloats / n);
  };
  c.native = [=] { nativeScale(d->in.get(), d->out.get(), 1.5f, kFloats); };
  c.check = [=] { return agree(d->dOut.values(), d->out.get(), 0); };
  return c;
}

// Sums of halves, two at a time.
constexpr int kHalves = 1 << 22;

__global__ void addHalves(const __half2 *x, const __half2 *y, __half2 *out, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs)
    out[i] = __hadd2(x[i], y[i]);
}

// A chain of multiplications and additions with each pair, as programs that measure a device's halves have it.
constexpr int kSteps = 32;

__global__ void chainHalves(const __half2 *x, __half2 *out, __half2 a, __half2 b, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs)
    return;
  __half2 value = x[i];
#pragma unroll
  for (int k = 0; k < kSteps; ++k)
    value = __hadd2(__hmul2(value, a), b);
  out[i] = value;
}

struct HalfData {
  HostArray<unsigned short> x{kHalves}, y{kHalves}, out{kHalves};
  DeviceArray<unsigned short> dX{x}, dY{y}, dOut{kHalves};

  HalfData() {
    for (int i = 0; i < kHalves; ++i) { // from 1 to 2
      x[i] = (unsigned short)(0x3c00 | (unsigned(i) * 2654435761u >> 22));
      y[i] = (unsigned short)(0x3c00 | (unsigned(i) * 2246822519u >> 22));
    }
    dX.set(x);
    dY.set(y);
  }
  bool agrees() const {
    const std::vector<unsigned short> found = dOut.values();
    return std::equal(found.begin(), found.end(), out.get());
  }
};

Case makeHalfSums() {
  auto d = std::make_shared<HalfData>();
  Case c;
  c.name = "add half2";
  c.work = 3.0 * kHalves * 2 / 1e9;
  c.unit = "GB/s";
  c.hip = [=] {
    addHalves<<<blocks(kHalves / 2, 256), 256>>>((const __half2 *)d->dX.get(), (const __half2 *)d->dY.get(),
                                                 (__half2 *)d->dOut.get(), kHalves / 2);
  };
  c.native = [=] { nativeAddHalves(d->x.get(), d->y.get(), d->out.get(), kHalves); };
  c.check = [=] { return d->agrees(); };
  return c;
}

Case makeHalfChain() {
  auto d = std::make_shared<HalfData>();
  Case c;
  c.name = "chain of half2";
  c.work = 2.0 * kSteps * kHalves / 1e9;
  c.unit = "GFLOP/s";
  c.hip = [=] {
    chainHalves<<<blocks(kHalves / 2, 256), 256>>>((const __half2 *)d->dX.get(), (__half2 *)d->dOut.get(),
                                                   __float2half2_rn(0.5f), __float2half2_rn(0.75f), kHalves / 2);
  };
  c.native = [=] { nativeChainHalves(d->x.get(), d->out.get(), 0.5f, 0.75f, kSteps, kHalves); };
  c.check = [=] { return d->agrees(); };
  return c;
}

const Cases cases{makeSpread, makeVectors<8>, makeVectors<16>, makeHalfSums, makeHalfChain};

} // namespace
