// SPDX-License-Identifier: MIT
// Facts about a launch that kernels take from hidden arguments and the packet, and barriers of the grid.
#define __AMDGCN_WAVEFRONT_SIZE 32 // AMD's cooperative groups ask for it
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

extern "C" __global__ void hidden(unsigned *result) {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned *mine = result + block * 12;
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
    mine[0] = __builtin_amdgcn_workgroup_size_x();
    mine[1] = __builtin_amdgcn_workgroup_size_y();
    mine[2] = __builtin_amdgcn_workgroup_size_z();
    mine[3] = __builtin_amdgcn_grid_size_x();
    mine[4] = __builtin_amdgcn_grid_size_y();
    mine[5] = __builtin_amdgcn_grid_size_z();
    const unsigned __attribute__((address_space(4))) *arguments =
        (const unsigned __attribute__((address_space(4))) *)__builtin_amdgcn_implicitarg_ptr();
    mine[6] = arguments[0];
    mine[7] = arguments[1];
    mine[8] = arguments[2];
    mine[9] = arguments[3]; // two of 16 bits
    mine[10] = ((const unsigned short __attribute__((address_space(4))) *)arguments)[32];
    mine[11] = blockIdx.x;
  }
}

extern "C" __global__ void memories(int *global, int *result) {
  __shared__ int shared;
  shared = threadIdx.x;
  int own = threadIdx.x, *pointers[] = {global, &shared, &own}, *asked = pointers[threadIdx.x % 3];
  result[threadIdx.x] = __builtin_amdgcn_is_shared(asked) + 2 * __builtin_amdgcn_is_private(asked);
}

extern "C" __global__ void together(int *values, int n, int rounds) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const int i = grid.thread_rank();
  for (int round = 0; round < rounds; ++round) {
    const int next = values[round % 2 * n + (i + 1) % n];
    values[(round + 1) % 2 * n + i] = next + 1;
    grid.sync();
  }
}
