// SPDX-License-Identifier: MIT
// Cooperative launches: a grid with more blocks than the device has cores meets again and again; launches of several
// streams do not disturb each other; what does not fit is refused.
#include "check.h"

#include <hip/hip_cooperative_groups.h>
#include <hip/hip_ext.h>

#include <algorithm>
#include <thread>

namespace cg = cooperative_groups;

namespace {

// A prefix sum over the whole grid in log2(n) rounds: every round reads what other blocks wrote in the one before.
__global__ void prefixSum(int *from, int *to, int count) {
  cg::grid_group grid = cg::this_grid();
  for (int step = 1; step < count; step *= 2) {
    for (int i = static_cast<int>(grid.thread_rank()); i < count; i += static_cast<int>(grid.size()))
      to[i] = from[i] + (i >= step ? from[i - step] : 0);
    grid.sync();
    int *swap = from;
    from = to;
    to = swap;
  }
}

__global__ void shape(unsigned long long *out) {
  cg::grid_group grid = cg::this_grid();
  if (grid.thread_rank() + 1 == grid.size()) {
    out[0] = grid.is_valid();
    out[1] = grid.size();
    out[2] = grid.num_blocks();
    out[3] = grid.block_rank();
    out[4] = cg::this_multi_grid().is_valid();
    out[5] = grid.dim_blocks().y;
  }
}

__global__ void sharedKept(int *wrong, int rounds) {
  extern __shared__ int mine[];
  for (int round = 0; round < rounds; ++round) {
    mine[threadIdx.x] = static_cast<int>(blockIdx.x) * 1000 + round;
    cg::this_grid().sync();
    if (mine[blockDim.x - 1 - threadIdx.x] != static_cast<int>(blockIdx.x) * 1000 + round)
      atomicAdd(wrong, 1);
    cg::this_grid().sync();
  }
}

// Made by hand: nothing but atomics. All blocks are there at the same time, so it ends.
__global__ void handmade(int *arrived, int *out) {
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < static_cast<int>(gridDim.x))
      ;
    out[blockIdx.x] = *const_cast<volatile int *>(arrived);
  }
}

int mostBlocks(const void *kernel, int threads, size_t shared) {
  int blocks = 0;
  HIP_CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared));
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  return blocks * properties.multiProcessorCount;
}

void launch(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
            hipStream_t stream = nullptr) {
  HIP_CHECK(hipLaunchCooperativeKernel(kernel, grid, block, arguments, static_cast<unsigned>(shared), stream));
}

void checkPrefixSum(hipStream_t stream, int blocks, int threads, int count) {
  std::vector<int> host(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i)
    host[i] = i % 7 - 2;
  DeviceArray<int> from(host), to(host.size());
  int *a = from, *b = to;
  void *arguments[] = {&a, &b, &count};
  launch(reinterpret_cast<const void *>(prefixSum), dim3(blocks), dim3(threads), arguments, 0, stream);
  HIP_CHECK(hipStreamSynchronize(stream));
  int rounds = 0;
  for (int step = 1; step < count; step *= 2)
    ++rounds;
  std::vector<int> result(host.size());
  HIP_CHECK(hipMemcpy(result.data(), rounds % 2 ? b : a, result.size() * sizeof(int), hipMemcpyDeviceToHost));
  int sum = 0, wrong = 0;
  for (int i = 0; i < count; ++i) {
    sum += host[i];
    wrong += result[i] != sum;
  }
  CHECK_EQ(wrong, 0);
}

TEST(sums) {
  const void *kernel = reinterpret_cast<const void *>(prefixSum);
  for (int threads : {1, 32, 100, 256}) {
    const int most = mostBlocks(kernel, threads, 0);
    for (int blocks : {1, 2, 7, most})
      checkPrefixSum(nullptr, std::min(blocks, most), threads, 1000);
  }
}

TEST(manyStreams) {
  std::vector<std::thread> hosts;
  for (int host = 0; host < 4; ++host)
    hosts.emplace_back([host] {
      hipStream_t stream;
      HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
      for (int round = 0; round < 5; ++round)
        checkPrefixSum(stream, 3 + host, 64, 500 + round);
      HIP_CHECK(hipStreamDestroy(stream));
    });
  for (std::thread &host : hosts)
    host.join();
}

TEST(shapes) {
  DeviceArray<unsigned long long> out(6);
  unsigned long long *pointer = out;
  void *arguments[] = {&pointer};
  launch(reinterpret_cast<const void *>(shape), dim3(2, 3, 1), dim3(8, 2, 2), arguments);
  std::vector<unsigned long long> result = out.host();
  CHECK_EQ(result[0], 1u);
  CHECK_EQ(result[1], 6u * 32);
  CHECK_EQ(result[2], 6u);
  CHECK_EQ(result[3], 5u);
  CHECK_EQ(result[4], 0u);
  CHECK_EQ(result[5], 3u);
  // The same kernel in an ordinary launch, after the cooperative one, is not valid any more.
  shape<<<dim3(2, 3, 1), dim3(8, 2, 2)>>>(pointer);
  CHECK_EQ(out.host()[0], 0u);
}

TEST(shared) {
  DeviceArray<int> wrong(1);
  int *pointer = wrong;
  int rounds = 10;
  void *arguments[] = {&pointer, &rounds};
  for (int threads : {33, 128})
    launch(reinterpret_cast<const void *>(sharedKept), dim3(8), dim3(threads), arguments, threads * sizeof(int));
  CHECK_EQ(wrong.host()[0], 0);
}

TEST(byHand) {
  const void *kernel = reinterpret_cast<const void *>(handmade);
  int blocks = mostBlocks(kernel, 64, 0);
  DeviceArray<int> arrived(1), out(blocks);
  int *a = arrived, *b = out;
  void *arguments[] = {&a, &b};
  launch(kernel, dim3(blocks), dim3(64), arguments);
  for (int value : out.host())
    CHECK_EQ(value, blocks);
}

__global__ void staticAndDynamic(int *out) {
  __shared__ int own[64];
  extern __shared__ int given[];
  own[threadIdx.x] = given[threadIdx.x] = *out;
  cg::this_grid().sync();
  *out = own[63 - threadIdx.x] + given[63 - threadIdx.x];
}

TEST(refused) {
  const void *kernel = reinterpret_cast<const void *>(prefixSum);
  int *none = nullptr, count = 0;
  void *arguments[] = {&none, &none, &count};
  dim3 one(1);
  CHECK_EQ(hipLaunchCooperativeKernel(kernel, dim3(mostBlocks(kernel, 64, 0) + 1), dim3(64), arguments, 0, nullptr),
           hipErrorCooperativeLaunchTooLarge);
  CHECK_EQ(hipLaunchCooperativeKernel(kernel, dim3(65535, 65535, 65535), dim3(64), arguments, 0, nullptr),
           hipErrorCooperativeLaunchTooLarge);
  CHECK_EQ(hipLaunchCooperativeKernel(static_cast<const void *>(nullptr), one, one, arguments, 0, nullptr),
           hipErrorInvalidDeviceFunction);
  CHECK_EQ(hipLaunchCooperativeKernel(kernel, dim3(0), one, arguments, 0, nullptr), hipErrorInvalidConfiguration);
  CHECK_EQ(hipLaunchCooperativeKernel(kernel, one, dim3(4096), arguments, 0, nullptr), hipErrorInvalidConfiguration);
  CHECK_EQ(hipLaunchCooperativeKernel(kernel, one, one, nullptr, 0, nullptr), hipErrorInvalidValue);
  // More shared memory than a block can have: the runtime API says that the grid does not fit, the module API that the value
  // is wrong; both that it does not fit if only the sum of static and dynamic memory is too much.
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  const auto most = static_cast<unsigned>(properties.sharedMemPerBlock);
  hipFunction_t function;
  HIP_CHECK(hipGetFuncBySymbol(&function, kernel));
  CHECK_EQ(hipLaunchCooperativeKernel(kernel, one, one, arguments, most + 1, nullptr),
           hipErrorCooperativeLaunchTooLarge);
  CHECK_EQ(hipLaunchCooperativeKernel_spt(kernel, one, one, arguments, most + 1, nullptr),
           hipErrorCooperativeLaunchTooLarge);
  CHECK_EQ(hipModuleLaunchCooperativeKernel(function, 1, 1, 1, 1, 1, 1, most + 1, nullptr, arguments),
           hipErrorInvalidValue);
  const void *both = reinterpret_cast<const void *>(staticAndDynamic);
  HIP_CHECK(hipGetFuncBySymbol(&function, both));
  CHECK_EQ(hipLaunchCooperativeKernel(both, one, one, arguments, most, nullptr), hipErrorCooperativeLaunchTooLarge);
  CHECK_EQ(hipModuleLaunchCooperativeKernel(function, 1, 1, 1, 1, 1, 1, most, nullptr, arguments),
           hipErrorCooperativeLaunchTooLarge);
  CHECK_EQ(hipModuleLaunchCooperativeKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments), hipErrorInvalidHandle);
  // A refused launch leaves nothing behind.
  launch(kernel, one, one, arguments);
  HIP_CHECK(hipDeviceSynchronize());
}

TEST(otherForms) {
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  CHECK_EQ(properties.cooperativeLaunch, 1);
  int value = 0;
  HIP_CHECK(hipDeviceGetAttribute(&value, hipDeviceAttributeCooperativeLaunch, 0));
  CHECK_EQ(value, 1);
  DeviceArray<unsigned long long> out(6);
  unsigned long long *pointer = out;
  void *arguments[] = {&pointer};
  hipFunction_t function;
  HIP_CHECK(hipGetFuncBySymbol(&function, reinterpret_cast<const void *>(shape)));
  HIP_CHECK(hipModuleLaunchCooperativeKernel(function, 4, 1, 1, 32, 1, 1, 0, nullptr, arguments));
  CHECK_EQ(out.host()[1], 128u);
  HIP_CHECK(
      hipLaunchCooperativeKernel_spt(reinterpret_cast<const void *>(shape), dim3(5), dim3(32), arguments, 0, nullptr));
  HIP_CHECK(hipStreamSynchronize(hipStreamPerThread));
  CHECK_EQ(out.host()[1], 160u);
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
