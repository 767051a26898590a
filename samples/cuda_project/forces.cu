// SPDX-License-Identifier: MIT
// The kernel: blocks of threads read the bodies by tiles in shared memory.
#include "bodies.h"

__global__ void __launch_bounds__(kBlock) forces(const float4 *position, float3 *force, int bodies) {
  __shared__ float4 tile[kBlock];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 own = position[i];
  float3 sum = make_float3(0.0f, 0.0f, 0.0f);
  for (int first = 0; first < bodies; first += kBlock) {
    tile[threadIdx.x] = position[first + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < kBlock; ++k) {
      const float x = tile[k].x - own.x, y = tile[k].y - own.y, z = tile[k].z - own.z;
      const float inverse = rsqrtf(x * x + y * y + z * z + kSoftening);
      const float strength = tile[k].w * inverse * inverse * inverse;
      sum.x += x * strength;
      sum.y += y * strength;
      sum.z += z * strength;
    }
    __syncthreads();
  }
  force[i] = sum;
}

cudaError_t launchForces(const float4 *position, float3 *force, int bodies, cudaStream_t stream) {
  forces<<<bodies / kBlock, kBlock, 0, stream>>>(position, force, bodies);
  return cudaGetLastError();
}
