// SPDX-License-Identifier: MIT
// Occupancy: the numbers must hold for launches, and must follow block size, shared memory and limits.
#include "tests/device/check.h"

#include <hip/hip_ext.h>

__global__ void plain(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

__global__ void dynamicShared(int *out) {
  extern __shared__ int memory[];
  memory[threadIdx.x] = 2;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = memory[blockDim.x - 1 - threadIdx.x];
}

__global__ void staticShared(int *out) {
  __shared__ int memory[4096];
  memory[threadIdx.x] = 3;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = memory[blockDim.x - 1 - threadIdx.x];
}

static int attribute(hipDeviceAttribute_t which) {
  int value = 0;
  HIP_CHECK(hipDeviceGetAttribute(&value, which, 0));
  return value;
}

template <class Kernel> static void launches(Kernel kernel, int grid, int block, size_t shared, int expected) {
  CHECK(grid > 0 && block > 0);
  DeviceArray<int> out(static_cast<size_t>(grid) * block);
  int *data = out;
  void *arguments[] = {&data};
  HIP_CHECK(
      hipLaunchKernel(reinterpret_cast<const void *>(kernel), dim3(grid), dim3(block), arguments, shared, nullptr));
  for (int value : out.host())
    if (value != expected) {
      CHECK_EQ(value, expected);
      break;
    }
}

static int active(const void *kernel, int block, size_t shared) {
  int blocks = -1;
  HIP_CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block, shared));
  int withFlags = -1;
  HIP_CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&withFlags, kernel, block, shared,
                                                                  hipOccupancyDisableCachingOverride));
  CHECK_EQ(withFlags, blocks);
  hipFunction_t function;
  HIP_CHECK(hipGetFuncBySymbol(&function, kernel));
  int ofModule = -1;
  HIP_CHECK(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&ofModule, function, block, shared));
  CHECK_EQ(ofModule, blocks);
  HIP_CHECK(hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&ofModule, function, block, shared,
                                                                        hipOccupancyDefault));
  CHECK_EQ(ofModule, blocks);
  return blocks;
}

static const void *const plainKernel = reinterpret_cast<const void *>(plain);
static const void *const dynamicKernel = reinterpret_cast<const void *>(dynamicShared);
static int maxBlock() { return attribute(hipDeviceAttributeMaxThreadsPerBlock); }
static int maxShared() { return attribute(hipDeviceAttributeMaxSharedMemoryPerBlock); }

// Smaller blocks never fit fewer times, and the threads never exceed what the device holds.
TEST(smallerBlocksFitMoreOften) {
  const int maxResident = attribute(hipDeviceAttributeMaxThreadsPerMultiProcessor);
  int before = 0;
  for (int block = maxBlock(); block >= 1; block /= 2) {
    const int blocks = active(plainKernel, block, 0);
    CHECK(blocks >= 1);
    CHECK(blocks >= before);
    CHECK((block + 31) / 32 * 32 * blocks <= maxResident);
    before = blocks;
  }
  CHECK_EQ(active(plainKernel, maxBlock() + 1, 0), 0);
}

TEST(sharedMemoryLimits) {
  const int shared = maxShared();
  const int half = active(dynamicKernel, 32, shared / 2);
  CHECK(half >= 1 && half <= 2);
  CHECK_EQ(active(dynamicKernel, 32, shared), 1);
  CHECK_EQ(active(dynamicKernel, 32, static_cast<size_t>(shared) + 1), 0);
  CHECK(active(dynamicKernel, 32, shared / 4) >= half);
  CHECK_EQ(active(reinterpret_cast<const void *>(staticShared), 32, shared - 4096 * 4), 1);
  CHECK_EQ(active(reinterpret_cast<const void *>(staticShared), 32, shared - 4096 * 4 + 1), 0);
}

TEST(whatIsProposedCanBeLaunched) {
  const int shared = maxShared();
  int grid = 0, block = 0;
  HIP_CHECK(hipOccupancyMaxPotentialBlockSize(&grid, &block, plainKernel, 0, 0));
  CHECK(block <= maxBlock());
  const int multiprocessors = attribute(hipDeviceAttributeMultiprocessorCount);
  CHECK(grid >= multiprocessors || grid >= 1);
  CHECK(active(plainKernel, block, 0) * multiprocessors >= grid);
  launches(plain, grid, block, 0, 1);
  HIP_CHECK(hipOccupancyMaxPotentialBlockSize(&grid, &block, dynamicKernel, shared, 0));
  launches(dynamicShared, 2, block, shared, 2);
  HIP_CHECK(hipOccupancyMaxPotentialBlockSize(&grid, &block, plainKernel, 0, 100));
  CHECK(block <= 100 && block >= 1);
  launches(plain, grid, block, 0, 1);
  HIP_CHECK(hipOccupancyMaxPotentialBlockSize(&grid, &block, plainKernel, 0, 1));
  CHECK_EQ(block, 1);
}

TEST(functionsOfModules) {
  hipFunction_t function;
  HIP_CHECK(hipGetFuncBySymbol(&function, plainKernel));
  int grid = 0, block = 0, moduleGrid = 0, moduleBlock = 0;
  HIP_CHECK(hipOccupancyMaxPotentialBlockSize(&grid, &block, plainKernel, 0, 0));
  HIP_CHECK(hipModuleOccupancyMaxPotentialBlockSize(&moduleGrid, &moduleBlock, function, 0, 0));
  CHECK_EQ(moduleGrid, grid);
  CHECK_EQ(moduleBlock, block);
  HIP_CHECK(hipModuleOccupancyMaxPotentialBlockSizeWithFlags(&moduleGrid, &moduleBlock, function, 0, 64,
                                                             hipOccupancyDefault));
  CHECK(moduleBlock <= 64);
}

// The overloads for kernels by their type.
TEST(overloads) {
  int grid = 0, block = 0, blocks = 0;
  HIP_CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 64, 0));
  CHECK_EQ(blocks, active(plainKernel, 64, 0));
  HIP_CHECK(hipOccupancyMaxPotentialBlockSize(&grid, &block, plain));
  HIP_CHECK(hipOccupancyMaxPotentialBlockSize(&grid, &block, plain, 0, 128));
  CHECK(block <= 128);
  HIP_CHECK(hipOccupancyMaxPotentialBlockSizeVariableSMem(
      &grid, &block, dynamicShared, [](int size) { return size * sizeof(int); }, 256));
  CHECK(block >= 1 && block <= 256);
  launches(dynamicShared, grid, block, block * sizeof(int), 2);
}

TEST(refusals) {
  int grid = 0, block = 0, blocks = 0;
  CHECK_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, plainKernel, 32, 0), hipErrorInvalidValue);
  CHECK_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plainKernel, 0, 0), hipErrorInvalidValue);
  CHECK_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plainKernel, -32, 0), hipErrorInvalidValue);
  CHECK_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, plainKernel, 32, 0, 6), hipErrorInvalidValue);
  CHECK_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, static_cast<const void *>(nullptr), 32, 0),
           hipErrorInvalidDeviceFunction);
  CHECK_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, static_cast<const void *>(&blocks), 32, 0),
           hipErrorInvalidDeviceFunction);
  CHECK_EQ(hipOccupancyMaxPotentialBlockSize(nullptr, &block, plainKernel, 0, 0), hipErrorInvalidValue);
  CHECK_EQ(hipOccupancyMaxPotentialBlockSize(&grid, nullptr, plainKernel, 0, 0), hipErrorInvalidValue);
  CHECK_EQ(hipOccupancyMaxPotentialBlockSize(&grid, &block, plainKernel, 0, -1), hipErrorInvalidValue);
  CHECK_EQ(hipOccupancyMaxPotentialBlockSize(&grid, &block, dynamicKernel, static_cast<size_t>(maxShared()) + 1, 0),
           hipErrorInvalidValue);
  CHECK_EQ(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nullptr, 32, 0), hipErrorInvalidValue);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
