// SPDX-License-Identifier: MIT
// Objects that kernels construct in memory of their own, in shared and in global memory.
#include "tests/device/check.h"

struct Stack {
  int values[8];
  int top = 0;
  __host__ __device__ explicit Stack(int first) { push(first); }
  __host__ __device__ void push(int v) { values[top++] = v; }
  __host__ __device__ int pop() { return values[--top]; }
};

__global__ void construct(Stack *out, int *sums) {
  alignas(Stack) char own[sizeof(Stack)];
  alignas(Stack) __shared__ char shared[32 * sizeof(Stack)];
  int i = threadIdx.x;
  Stack *a = new (own) Stack(i);
  Stack *b = ::new (shared + i * sizeof(Stack)) Stack(10 * i);
  a->push(3);
  b->push(a->pop());
  sums[i] = b->pop() + b->pop() + a->pop();
  new (out + i) Stack(7 * i);
  int *array = new (own) int[2]{i, 5};
  sums[i] += array[1];
}

int main() {
  DeviceArray<char> stacks(32 * sizeof(Stack));
  DeviceArray<int> sums(32);
  construct<<<1, 32>>>(reinterpret_cast<Stack *>((char *)stacks), sums);
  HIP_CHECK(hipGetLastError());
  std::vector<char> raw = stacks.host();
  for (int i = 0; i < 32; ++i) {
    CHECK_EQ(sums.host()[i], 11 * i + 8);
    CHECK_EQ(reinterpret_cast<Stack *>(raw.data())[i].pop(), 7 * i);
  }
  return testResult();
}
