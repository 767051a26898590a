// SPDX-License-Identifier: MIT
// A CUDA program: bodies that attract each other. Nothing in it is about HIP; the Makefile compiles it in two ways.
#include "bodies.h"

#include <cuda_runtime.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    cudaError_t error = (call);                                                                                        \
    if (error != cudaSuccess) {                                                                                        \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error));                        \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

int main(int argc, char **argv) {
  const int bodies = argc > 1 ? atoi(argv[1]) : 4096;
  if (bodies <= 0 || bodies % kBlock != 0) {
    fprintf(stderr, "usage: %s [bodies], a multiple of %d\n", argv[0], kBlock);
    return 2;
  }
  cudaDeviceProp prop;
  CHECK(cudaGetDeviceProperties(&prop, 0));

  std::vector<float4> position(bodies);
  for (int i = 0; i < bodies; ++i)
    position[i] = make_float4(sinf(i), cosf(3 * i), sinf(7 * i), 1.0f / (1 + i % 9));
  float4 *dPosition;
  float3 *dForce;
  CHECK(cudaMalloc(&dPosition, bodies * sizeof(float4)));
  CHECK(cudaMalloc(&dForce, bodies * sizeof(float3)));
  CHECK(cudaMemcpy(dPosition, position.data(), bodies * sizeof(float4), cudaMemcpyHostToDevice));
  CHECK(launchForces(dPosition, dForce, bodies, 0)); // compiles the kernel
  CHECK(cudaDeviceSynchronize());

  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start, 0));
  CHECK(launchForces(dPosition, dForce, bodies, 0));
  CHECK(cudaEventRecord(stop, 0));
  CHECK(cudaEventSynchronize(stop));
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));

  std::vector<float3> force(bodies);
  CHECK(cudaMemcpy(force.data(), dForce, bodies * sizeof(float3), cudaMemcpyDeviceToHost));
  bool right = true;
  for (int i = 0; i < bodies; i += bodies / 16) {
    double x = 0, y = 0, z = 0, size = 0;
    for (const float4 &other : position) {
      const double dx = other.x - position[i].x, dy = other.y - position[i].y, dz = other.z - position[i].z;
      const double distance = dx * dx + dy * dy + dz * dz + kSoftening;
      const double strength = other.w / (distance * std::sqrt(distance));
      x += dx * strength;
      y += dy * strength;
      z += dz * strength;
      size += strength * std::sqrt(distance);
    }
    const double tolerance = 1e-4 * size;
    right = right && std::fabs(x - force[i].x) < tolerance && std::fabs(y - force[i].y) < tolerance &&
            std::fabs(z - force[i].z) < tolerance;
  }
  CHECK(cudaFree(dPosition));
  CHECK(cudaFree(dForce));
  printf("RESULT name=cuda_project device=\"%s\" check=%s figure=%.4g unit=ms\n", prop.name, right ? "PASS" : "FAIL",
         milliseconds);
  return right ? 0 : 1;
}
