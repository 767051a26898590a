// SPDX-License-Identifier: MIT
// Managed memory: allocated, as a variable, advised and prefetched.
#include "check.h"

struct Node {
  int value;
  Node *next;
};

__managed__ int total;
__device__ __managed__ int table[64];

__global__ void sumList(const Node *node) {
  for (; node; node = node->next)
    total += node->value;
}
__global__ void fillTable() { table[threadIdx.x] = threadIdx.x * 3; }

int main() {
  int device = 0;
  CALL(cudaGetDevice(&device));
  Node *first = nullptr;
  for (int i = 1; i <= 10; ++i) {
    Node *node = nullptr;
    CALL(cudaMallocManaged(&node, sizeof(Node)));
    node->value = i;
    node->next = first;
    first = node;
  }
  total = 100;
  CALL(cudaMemAdvise(first, sizeof(Node), cudaMemAdviseSetReadMostly, device));
  CALL(cudaMemPrefetchAsync(first, sizeof(Node), device));
  sumList<<<1, 1>>>(first);
  fillTable<<<1, 64>>>();
  CALL(cudaDeviceSynchronize());
  EXPECT(total == 155);
  for (int i = 0; i < 64; ++i)
    EXPECT(table[i] == 3 * i);
  CALL(cudaMemPrefetchAsync(first, sizeof(Node), cudaCpuDeviceId));
  cudaPointerAttributes attributes;
  CALL(cudaPointerGetAttributes(&attributes, first));
  EXPECT(attributes.type == cudaMemoryTypeManaged);
  while (first) {
    Node *next = first->next;
    CALL(cudaFree(first));
    first = next;
  }
}
