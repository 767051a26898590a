// SPDX-License-Identifier: MIT
// Stencils: five points in two dimensions, directly and through shared memory; seven points in three dimensions.
#include "suite.h"

namespace {
using namespace bench;

constexpr int kSide = 2048;
constexpr int kTileX = 32, kTileY = 8;

__global__ void stencil2d(const float *in, float *out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1) {
    const int i = y * n + x;
    out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
  }
}

__global__ void stencil2dShared(const float *in, float *out, int n) {
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

Case makeStencil2d(bool shared) {
  struct Data {
    HostArray<float> in{size_t(kSide) * kSide}, out{size_t(kSide) * kSide};
    DeviceArray<float> deviceIn{in}, deviceOut{out};
  };
  auto d = std::make_shared<Data>();
  fillRandom(d->in, 6);
  d->deviceIn.set(d->in);
  Case c;
  c.name = shared ? "stencil 2d shared" : "stencil 2d";
  c.work = 2.0 * kSide * kSide * sizeof(float) / 1e9;
  c.unit = "GB/s";
  c.hip = [=] {
    auto *kernel = shared ? stencil2dShared : stencil2d;
    kernel<<<dim3(kSide / kTileX, kSide / kTileY), dim3(kTileX, kTileY)>>>(d->deviceIn.get(), d->deviceOut.get(),
                                                                           kSide);
  };
  c.native = [=] { nativeStencil2d(d->in.get(), d->out.get(), kSide); };
  c.opencl = {
      {shared ? "stencil2dShared" : "stencil2d",
       {kSide, kSide},
       {kTileX, kTileY},
       {ClArg::buffer(d->in.get(), d->in.bytes()), ClArg::buffer(d->out.get(), d->out.bytes()), ClArg::of(kSide)}}};
  c.check = [=] { return agree(d->deviceOut.values(), d->out.get(), 1e-5); };
  return c;
}

constexpr int kCube = 192;

__global__ void stencil3d(const float *in, float *out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1)
    return;
  const int i = (z * n + y) * n + x;
  out[i] = 0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n]);
}

Case makeStencil3d() {
  constexpr size_t kCells = size_t(kCube) * kCube * kCube;
  struct Data {
    HostArray<float> in{kCells}, out{kCells};
    DeviceArray<float> deviceIn{in}, deviceOut{out};
  };
  auto d = std::make_shared<Data>();
  fillRandom(d->in, 7);
  d->deviceIn.set(d->in);
  Case c;
  c.name = "stencil 3d";
  c.work = 2.0 * kCells * sizeof(float) / 1e9;
  c.unit = "GB/s";
  c.hip = [=] {
    stencil3d<<<dim3(kCube / 32, kCube / 8, kCube), dim3(32, 8)>>>(d->deviceIn.get(), d->deviceOut.get(), kCube);
  };
  c.native = [=] { nativeStencil3d(d->in.get(), d->out.get(), kCube); };
  c.opencl = {
      {"stencil3d",
       {kCube, kCube, kCube},
       {32, 8, 1},
       {ClArg::buffer(d->in.get(), d->in.bytes()), ClArg::buffer(d->out.get(), d->out.bytes()), ClArg::of(kCube)}}};
  c.check = [=] { return agree(d->deviceOut.values(), d->out.get(), 1e-5); };
  return c;
}

const Cases cases{[] { return makeStencil2d(false); }, [] { return makeStencil2d(true); }, makeStencil3d};

} // namespace
