// SPDX-License-Identifier: MIT
// Particles: gravity between all pairs, and Lennard-Jones forces of listed neighbours.
#include "suite.h"

namespace {
using namespace bench;

constexpr int kBodies = 8192;
constexpr int kTile = 256;
constexpr float kSoftening = 1e-3f;

__device__ float3 pull(float3 force, float4 self, float4 other) {
  const float dx = other.x - self.x, dy = other.y - self.y, dz = other.z - self.z;
  const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + kSoftening);
  const float strength = other.w * inverse * inverse * inverse;
  return make_float3(force.x + dx * strength, force.y + dy * strength, force.z + dz * strength);
}

__global__ void nbody(const float4 *bodies, float4 *forces, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float4 self = bodies[i];
  float3 force = make_float3(0, 0, 0);
  for (int j = 0; j < n; ++j)
    force = pull(force, self, bodies[j]);
  forces[i] = make_float4(force.x, force.y, force.z, 0);
}

__global__ void nbodyTiled(const float4 *bodies, float4 *forces, int n) {
  __shared__ float4 tile[kTile];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 self = bodies[i];
  float3 force = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += kTile) {
    tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < kTile; ++j)
      force = pull(force, self, tile[j]);
    __syncthreads();
  }
  forces[i] = make_float4(force.x, force.y, force.z, 0);
}

Case makeNbody(bool tiled) {
  struct Data {
    HostArray<float> in{4 * kBodies}, out{4 * kBodies};
    DeviceArray<float> deviceIn{in}, deviceOut{4 * kBodies};
  };
  auto d = std::make_shared<Data>();
  fillRandom(d->in, 1);
  d->deviceIn.set(d->in);
  Case c;
  c.name = tiled ? "nbody tiled" : "nbody";
  c.work = 20.0 * kBodies * kBodies / 1e9;
  c.unit = "GFLOP/s";
  c.hip = [=] {
    auto *kernel = tiled ? nbodyTiled : nbody;
    kernel<<<kBodies / kTile, kTile>>>((const float4 *)d->deviceIn.get(), (float4 *)d->deviceOut.get(), kBodies);
  };
  c.native = [=] { nativeNbody(d->in.get(), d->out.get(), kBodies, kSoftening); };
  c.opencl = {
      {tiled ? "nbodyTiled" : "nbody",
       {kBodies},
       {kTile},
       {ClArg::buffer(d->in.get(), d->in.bytes()), ClArg::buffer(d->out.get(), d->out.bytes()), ClArg::of(kBodies)}}};
  c.check = [=] { return agree(d->deviceOut.values(), d->out.get(), 1e-3); };
  return c;
}

constexpr int kAtoms = 1 << 16;
constexpr int kNeighbours = 64;

__global__ void lennardJones(const float4 *atoms, const int *neighbours, float4 *forces, int n, float cutoff) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float4 self = atoms[i];
  float fx = 0, fy = 0, fz = 0;
  for (int k = 0; k < kNeighbours; ++k) {
    const float4 other = atoms[neighbours[k * n + i]];
    const float dx = self.x - other.x, dy = self.y - other.y, dz = self.z - other.z;
    const float r2 = dx * dx + dy * dy + dz * dz;
    if (r2 < cutoff && r2 > 0) {
      const float inverse = 1 / r2, r6 = inverse * inverse * inverse;
      const float force = inverse * r6 * (1.5f * r6 - 2.0f);
      fx += dx * force;
      fy += dy * force;
      fz += dz * force;
    }
  }
  forces[i] = make_float4(fx, fy, fz, 0);
}

Case makeLennardJones() {
  struct Data {
    HostArray<float> in{4 * kAtoms}, out{4 * kAtoms};
    HostArray<int> list{size_t(kAtoms) * kNeighbours};
    DeviceArray<float> deviceIn{in}, deviceOut{4 * kAtoms};
    DeviceArray<int> deviceList{list};
  };
  auto d = std::make_shared<Data>();
  fillRandom(d->in, 2);
  for (int i = 0; i < kAtoms; ++i) {
    for (int axis = 0; axis < 3; ++axis) // a lattice with some disorder
      d->in[4 * i + axis] = float((i >> (5 * axis)) & 31) + 0.2f * d->in[4 * i + axis];
    for (int k = 0; k < kNeighbours; ++k)
      d->list[size_t(k) * kAtoms + i] = (i + (k - kNeighbours / 2) * 17 + kAtoms) % kAtoms;
  }
  d->deviceIn.set(d->in);
  d->deviceList.set(d->list);
  constexpr float kCutoff = 120;
  Case c;
  c.name = "lennard-jones";
  c.work = 23.0 * kAtoms * kNeighbours / 1e9;
  c.unit = "GFLOP/s";
  c.hip = [=] {
    lennardJones<<<blocks(kAtoms, 256), 256>>>((const float4 *)d->deviceIn.get(), d->deviceList.get(),
                                               (float4 *)d->deviceOut.get(), kAtoms, kCutoff);
  };
  c.native = [=] { nativeLennardJones(d->in.get(), d->list.get(), d->out.get(), kAtoms, kNeighbours, kCutoff); };
  c.opencl = {{"lennardJones",
               {kAtoms},
               {256},
               {ClArg::buffer(d->in.get(), d->in.bytes()), ClArg::buffer(d->list.get(), d->list.bytes()),
                ClArg::buffer(d->out.get(), d->out.bytes()), ClArg::of(kAtoms), ClArg::of(kCutoff)}}};
  c.check = [=] { return agree(d->deviceOut.values(), d->out.get(), 1e-3); };
  return c;
}

const Cases cases{[] { return makeNbody(false); }, [] { return makeNbody(true); }, makeLennardJones};

} // namespace
