// SPDX-License-Identifier: MIT
// Atomic operations of all kinds with the scopes of HIP's headers, in global and in shared memory.
#include "tests/device/check.h"

__global__ void count(unsigned *global, unsigned long long *wide, float *real, double *twice) {
  __shared__ unsigned shared[2];
  if (threadIdx.x < 2)
    shared[threadIdx.x] = 0;
  __syncthreads();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&global[0], 1u);
  atomicAdd_system(&global[1], 2u);
  atomicMax(&global[2], i);
  atomicOr(&global[3], 1u << i % 32);
  atomicCAS(&global[4], 0u, 7u);
  __hip_atomic_fetch_add(&shared[0], 1u, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_WORKGROUP);
  __hip_atomic_fetch_max(&shared[1], threadIdx.x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  atomicAdd(wide, 1ull << 33);
  atomicAdd(real, 0.5f);
  unsafeAtomicAdd(twice, 0.25);
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&global[5], shared[0]);
    atomicExch(&global[6], shared[1]);
  }
}

TEST(countersOfAllKinds) {
  DeviceArray<unsigned> global(std::vector<unsigned>(7, 0));
  DeviceArray<unsigned long long> wide(std::vector<unsigned long long>(1, 0));
  DeviceArray<float> real(std::vector<float>(1, 0));
  DeviceArray<double> twice(std::vector<double>(1, 0));
  count<<<5, 100>>>(global, wide, real, twice);
  const unsigned expected[] = {500, 1000, 499, ~0u, 7, 500, 99};
  for (int i = 0; i < 7; ++i)
    CHECK_EQ(global.host()[i], expected[i]);
  CHECK_EQ(wide.host()[0], 500ull << 33);
  CHECK_EQ(real.host()[0], 250.0f);
  CHECK_EQ(twice.host()[0], 125.0);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
