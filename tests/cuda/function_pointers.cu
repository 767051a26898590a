// SPDX-License-Identifier: MIT
// Pointers to device functions: in a table, and fetched from a symbol to be handed to a kernel.
#include "check.h"

typedef int (*Operation)(int, int);

__device__ int add(int x, int y) { return x + y; }
__device__ int subtract(int x, int y) { return x - y; }
__device__ __noinline__ int multiply(int x, int y) { return x * y; }
__device__ Operation table[] = {add, subtract, multiply};
__device__ Operation chosen = multiply;

__global__ void byTable(int *out) { out[threadIdx.x] = table[threadIdx.x % 3](threadIdx.x, 5); }
__global__ void byArgument(int *out, Operation operation) { out[threadIdx.x] = operation(threadIdx.x, 9); }

int main() {
  int *out = onDevice(std::vector<int>(96));
  byTable<<<1, 96>>>(out);
  std::vector<int> result = onHost(out, 96);
  for (int i = 0; i < 96; ++i)
    EXPECT(result[i] == (i % 3 == 0 ? i + 5 : i % 3 == 1 ? i - 5 : i * 5));
  Operation operation = nullptr;
  CALL(cudaMemcpyFromSymbol(&operation, chosen, sizeof(operation)));
  byArgument<<<1, 96>>>(out, operation);
  result = onHost(out, 96);
  for (int i = 0; i < 96; ++i)
    EXPECT(result[i] == i * 9);
}
