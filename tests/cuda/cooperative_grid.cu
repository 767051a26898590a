// SPDX-License-Identifier: MIT
// A whole grid meets several times in one launch: passes of a sum whose data all blocks share.
#include "check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void sumInPlace(int *data, int count) {
  cg::grid_group grid = cg::this_grid();
  for (int half = count / 2; half > 0; half /= 2) {
    for (unsigned i = grid.thread_rank(); i < (unsigned)half; i += (unsigned)grid.size())
      data[i] += data[i + half];
    grid.sync();
  }
}

int main() {
  int supported = 0, blocksPerProcessor = 0;
  CALL(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0));
  EXPECT(supported == 1);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocksPerProcessor, sumInPlace, 64, 0));
  cudaDeviceProp prop;
  CALL(cudaGetDeviceProperties(&prop, 0));
  EXPECT(blocksPerProcessor > 0 && prop.cooperativeLaunch);
  int count = 1 << 12;
  std::vector<int> data(count);
  int sum = 0;
  for (int i = 0; i < count; ++i)
    sum += data[i] = i % 17;
  int *device = onDevice(data);
  void *arguments[] = {&device, &count};
  const int blocks = std::min(8, blocksPerProcessor * prop.multiProcessorCount);
  CALL(cudaLaunchCooperativeKernel((void *)sumInPlace, dim3(blocks), dim3(64), arguments, 0, 0));
  EXPECT(onHost(device, 1)[0] == sum);
  CALL(cudaMemcpy(device, data.data(), count * sizeof(int), cudaMemcpyHostToDevice));
  CALL(cudaLaunchCooperativeKernel(sumInPlace, blocks, 64, arguments));
  EXPECT(onHost(device, 1)[0] == sum);
  EXPECT(cudaLaunchCooperativeKernel(sumInPlace, 1 << 20, 64, arguments) == cudaErrorCooperativeLaunchTooLarge);
  CALL(cudaFree(device));
}
