// SPDX-License-Identifier: MIT
// Services that a kernel asks of the runtime: printf, assert, the end of the grid, memory of the heap.
#include <hip/hip_runtime.h>

#include <cassert>

extern "C" __global__ void prints(int number, float real) {
  printf("thread %u: %d %.2f %s %c %lld%%\n", threadIdx.x, number, real * 1.5, number > 3 ? "many" : "few", 'x',
         1ll << 40);
}

extern "C" __global__ void asserts(int limit) { assert((int)threadIdx.x < limit); }

extern "C" __global__ void traps(int number) {
  if (number == 3)
    __builtin_trap();
}

extern "C" __global__ void allocates(int **result) {
  int *memory = new int[4];
  for (int i = 0; i < 4; ++i)
    memory[i] = threadIdx.x * 4 + i;
  result[threadIdx.x] = memory;
}

extern "C" __global__ void releases(int **blocks, int *sums) {
  int sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += blocks[threadIdx.x][i];
  delete[] blocks[threadIdx.x];
  sums[threadIdx.x] = sum;
}
