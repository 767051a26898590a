// SPDX-License-Identifier: MIT
// Types and structures that the other cases don't have: halves, bytes, structures of seven floats, doubles in blocks of 100. They were
// chosen before any of them was measured.
#include "suite.h"

#include <hip/hip_fp16.h>

namespace {
using namespace bench;

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

const Cases cases{makeHalves, makeLayer, makeFilter, makeParticles, makePolynomial, makeCentres};

} // namespace
