// SPDX-License-Identifier: MIT
// threadIdx, blockIdx, blockDim, gridDim in one, two and three dimensions, their old names and conversions, warpSize and
// the numbering of lanes.
#include "tests/device/check.h"

struct Indices {
  unsigned thread[3], block[3], blockSize[3], gridSize[3], lane;
};

__global__ void record(Indices *out) {
  dim3 block = blockIdx;
  uint3 thread = threadIdx;
  dim3 size = blockDim;
  unsigned inBlock = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned blockNumber = (hipBlockIdx_z * hipGridDim_y + hipBlockIdx_y) * hipGridDim_x + hipBlockIdx_x;
  unsigned i = blockNumber * (hipBlockDim_x * hipBlockDim_y * hipBlockDim_z) + inBlock;
  out[i] = {{thread.x, thread.y, thread.z},
            {block.x, block.y, block.z},
            {size.x, size.y, size.z},
            {gridDim.x, gridDim.y, gridDim.z},
            __lane_id()};
  if (hipThreadIdx_x != threadIdx.x || hipThreadIdx_y != threadIdx.y || hipThreadIdx_z != threadIdx.z)
    out[i].lane = 1000;
}

static void check(dim3 grid, dim3 block) {
  unsigned threads = block.x * block.y * block.z, blocks = grid.x * grid.y * grid.z;
  DeviceArray<Indices> device(threads * blocks);
  record<<<grid, block>>>(device);
  HIP_CHECK(hipGetLastError());
  std::vector<Indices> out = device.host();
  for (unsigned i = 0; i < threads * blocks; ++i) {
    unsigned t = i % threads, b = i / threads;
    Indices e = {{t % block.x, t / block.x % block.y, t / block.x / block.y},
                 {b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y},
                 {block.x, block.y, block.z},
                 {grid.x, grid.y, grid.z},
                 t % 32};
    if (std::memcmp(&e, &out[i], sizeof(e)) != 0) {
      CHECK_EQ(out[i].thread[0], e.thread[0]);
      CHECK_EQ(out[i].block[0], e.block[0]);
      CHECK_EQ(out[i].lane, e.lane);
      CHECK(!"indices of a thread");
      return;
    }
  }
}

__global__ void sizes(int *out) { out[0] = warpSize; }

TEST(shapes) {
  check(dim3(1), dim3(1));
  check(dim3(7), dim3(33));
  check(dim3(3, 4, 5), dim3(8, 4, 2));
  check(dim3(2, 3), dim3(16, 16));
  check(dim3(1, 1, 6), dim3(5, 3, 7));
  check(dim3(2), dim3(1024));
}

TEST(sizeOfAWarp) {
  DeviceArray<int> out(1);
  sizes<<<1, 1>>>(out);
  CHECK_EQ(out.host()[0], 32);
  CHECK_EQ(warpSize, 32);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
