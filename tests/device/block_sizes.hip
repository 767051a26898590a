// SPDX-License-Identifier: MIT
// Kernels whose threads wait for each other, launched with more sizes of blocks than are compiled one by one: each launch sees its own
// size, whatever was launched before it, in streams and in graphs that change.
#include "check.h"

#include <hip/hip_cooperative_groups.h>

#include <algorithm>
#include <vector>

namespace {

struct Seen {
  unsigned x, y, z, threads, sum, last, called, group;
};

// Calls itself, so that it stays a function.
__device__ __attribute__((noinline)) unsigned sizeFrom(unsigned depth) {
  return depth == 0 ? blockDim.x * 10000 + blockDim.y * 100 + blockDim.z : sizeFrom(depth - 1);
}

__global__ void look(Seen *seen) {
  __shared__ unsigned values[1024], counted;
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  const unsigned own = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  if (own == 0)
    counted = 0;
  values[own] = own + blockIdx.x;
  __syncthreads();
  atomicAdd(&counted, 1);
  unsigned sum = 0;
  for (unsigned i = own; i < threads; i += blockDim.x)
    sum += values[i];
  __syncthreads();
  values[own] = sum;
  __syncthreads();
  if (own == threads - 1)
    seen[blockIdx.x] = {blockDim.x,          blockDim.y,
                        blockDim.z,          counted,
                        values[threads / 2], values[threads - 1],
                        sizeFrom(3),         static_cast<unsigned>(cooperative_groups::this_thread_block().size())};
}

Seen expected(dim3 size, unsigned block) {
  const unsigned threads = size.x * size.y * size.z;
  auto sumFrom = [&](unsigned own) {
    unsigned sum = 0;
    for (unsigned i = own; i < threads; i += size.x)
      sum += i + block;
    return sum;
  };
  return {size.x,
          size.y,
          size.z,
          threads,
          sumFrom(threads / 2),
          sumFrom(threads - 1),
          size.x * 10000 + size.y * 100 + size.z,
          threads};
}

void checkSeen(const Seen *seen, dim3 size, unsigned blocks) {
  for (unsigned block = 0; block < blocks; ++block) {
    const Seen wanted = expected(size, block), &is = seen[block];
    CHECK_EQ(is.x, wanted.x);
    CHECK_EQ(is.y, wanted.y);
    CHECK_EQ(is.z, wanted.z);
    CHECK_EQ(is.threads, wanted.threads);
    CHECK_EQ(is.sum, wanted.sum);
    CHECK_EQ(is.last, wanted.last);
    CHECK_EQ(is.called, wanted.called);
    CHECK_EQ(is.group, wanted.group);
  }
}

const dim3 kSizes[] = {{128},      {256},      {64},      {32},      {96},       {100},    {7},
                       {1},        {1024},     {16, 16},  {8, 8, 4}, {5, 3, 2},  {32, 32}, {4, 64},
                       {33, 1, 5}, {1, 1, 64}, {2, 1, 3}, {64, 16},  {16, 1, 16}};
constexpr unsigned kBlocks = 3;

/// Memory that the host reads, for all blocks of a launch.
struct Blocks {
  Blocks() { HIP_CHECK(hipHostMalloc(&seen, kBlocks * sizeof *seen)); }
  ~Blocks() { HIP_CHECK(hipHostFree(seen)); }
  Blocks(const Blocks &) = delete;
  Seen *seen = nullptr;
};

TEST(launches) {
  Blocks blocks;
  Seen *seen = blocks.seen;
  for (int round = 0; round < 2; ++round)
    for (const dim3 &size : kSizes)
      for (const dim3 &each : {size, kSizes[0], size, kSizes[9]}) {
        HIP_CHECK(hipMemset(seen, 0xff, kBlocks * sizeof(Seen)));
        look<<<kBlocks, each>>>(seen);
        HIP_CHECK(hipDeviceSynchronize());
        checkSeen(seen, each, kBlocks);
      }
}

TEST(graph) {
  Blocks blocks;
  Seen *seen = blocks.seen;
  hipGraph_t graph;
  HIP_CHECK(hipGraphCreate(&graph, 0));
  void *arguments[] = {&seen};
  hipKernelNodeParams parameters{};
  parameters.func = reinterpret_cast<void *>(look);
  parameters.gridDim = kBlocks;
  parameters.blockDim = kSizes[1];
  parameters.kernelParams = arguments;
  hipGraphNode_t node;
  HIP_CHECK(hipGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
  hipGraphExec_t exec;
  HIP_CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (const dim3 &size : kSizes) {
    HIP_CHECK(hipGraphLaunch(exec, nullptr));
    HIP_CHECK(hipDeviceSynchronize());
    checkSeen(seen, parameters.blockDim, kBlocks);
    parameters.blockDim = size;
    HIP_CHECK(hipGraphExecKernelNodeSetParams(exec, node, &parameters));
  }
  HIP_CHECK(hipGraphExecDestroy(exec));
  HIP_CHECK(hipGraphDestroy(graph));
}

// Arguments that lie in their block as the size lies in a launch, and memory behind a pointer where it lies behind a work-item.
struct Decoy {
  const unsigned *inner;
  unsigned numbers[8];
};
__global__ void readDecoys(unsigned *out, unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f,
                           Decoy decoy, const Decoy *far) {
  __shared__ unsigned total;
  if (threadIdx.x == 0)
    total = 0;
  __syncthreads();
  atomicAdd(&total, a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f);
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = total;
    for (int i = 0; i < 8; ++i) {
      out[1 + i] = decoy.numbers[i];
      out[9 + i] = far->numbers[i];
      out[17 + i] = far->inner[i];
      out[25 + i] = decoy.inner[i];
    }
  }
}

TEST(decoys) {
  unsigned *out;
  Decoy *far;
  HIP_CHECK(hipHostMalloc(&out, 33 * sizeof *out));
  HIP_CHECK(hipHostMalloc(&far, sizeof *far + 16 * sizeof(unsigned)));
  auto *inner = reinterpret_cast<unsigned *>(far + 1);
  Decoy decoy{inner, {}};
  for (unsigned i = 0; i < 8; ++i) {
    decoy.numbers[i] = 500 + i;
    far->numbers[i] = 600 + i;
    inner[i] = 700 + i;
  }
  far->inner = inner;
  readDecoys<<<1, 48>>>(out, 1, 2, 3, 4, 5, 6, decoy, far);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(out[0], 48u * 654321u);
  for (unsigned i = 0; i < 8; ++i) {
    CHECK_EQ(out[1 + i], 500 + i);
    CHECK_EQ(out[9 + i], 600 + i);
    CHECK_EQ(out[17 + i], 700 + i);
    CHECK_EQ(out[25 + i], 700 + i);
  }
  HIP_CHECK(hipHostFree(far));
  HIP_CHECK(hipHostFree(out));
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
