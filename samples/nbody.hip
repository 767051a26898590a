// SPDX-License-Identifier: MIT
// One step of a gravitational n-body simulation. Every thread owns a body; the bodies that act on it pass through shared
// memory, one block's worth at a time.
#include "common.h"

#include <cmath>

constexpr unsigned kBlock = 256;
constexpr float kSoftening = 1e-3f; // keeps the force of a body on itself finite
constexpr int kFlops = 20;          // an interaction as it is usually counted

__global__ void accelerations(const float4 *bodies, float4 *result, unsigned n) {
  __shared__ float4 others[kBlock];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 self = bodies[i];
  float ax = 0, ay = 0, az = 0;
  for (unsigned first = 0; first < n; first += kBlock) {
    others[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    for (unsigned j = 0; j < kBlock; ++j) {
      const float4 other = others[j]; // x, y, z and the mass in w
      const float dx = other.x - self.x, dy = other.y - self.y, dz = other.z - self.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + kSoftening);
      const float pull = other.w * inverse * inverse * inverse;
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    __syncthreads();
  }
  result[i] = make_float4(ax, ay, az, 0);
}

int main() {
  const unsigned n = 4096; // a multiple of the block
  std::vector<float4> bodies(n);
  unsigned seed = 1;
  const auto random = [&] {
    seed = seed * 1664525u + 1013904223u;
    return float(seed >> 8) / float(1 << 24);
  };
  for (float4 &body : bodies)
    body = make_float4(random(), random(), random(), random() / n);

  sample::DeviceArray<float4> deviceBodies(bodies), deviceResult(n);
  const double seconds =
      sample::bestSeconds(5, [&] { accelerations<<<n / kBlock, kBlock>>>(deviceBodies.get(), deviceResult.get(), n); });
  HIP_CHECK(hipGetLastError());
  const std::vector<float4> result = deviceResult.toHost();

  bool passed = true;
  for (unsigned i = 0; i < n; i += 61) {
    double ax = 0, ay = 0, az = 0;
    for (const float4 &other : bodies) {
      const double dx = double(other.x) - bodies[i].x, dy = double(other.y) - bodies[i].y,
                   dz = double(other.z) - bodies[i].z;
      const double pull = other.w / std::pow(dx * dx + dy * dy + dz * dz + kSoftening, 1.5);
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    const double size = std::sqrt(ax * ax + ay * ay + az * az);
    const double error = std::abs(result[i].x - ax) + std::abs(result[i].y - ay) + std::abs(result[i].z - az);
    passed = passed && error <= 1e-3 * size;
  }
  return sample::report("nbody", passed, double(kFlops) * n * n / seconds / 1e9, "GFLOP/s");
}
