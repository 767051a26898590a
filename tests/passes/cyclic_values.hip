// SPDX-License-Identifier: MIT
// Initial values that refer to themselves compile, whatever the variable is and however the reference is spelled.
// RUN: %clang --cuda-device-only -O1 %s -o %t 2>&1 | FileCheck %s --allow-empty
// Two files with a variable each: the cycle closes where they are linked.
// RUN: %clang -fgpu-rdc -O1 -DONE -c %s -o %t.one.o
// RUN: %clang -fgpu-rdc -O1 -DTWO -c %s -o %t.two.o
// RUN: %link -fgpu-rdc -Wl,--unresolved-symbols=ignore-all,-z,noexecstack %t.one.o %t.two.o -o %t 2>&1 | FileCheck %s --allow-empty
// CHECK-NOT: {{error|warning|PLEASE submit|Stack dump}}
#include "device.h"
#undef __device__
#undef __constant__
#define __device__ __attribute__((device, annotate("hiplz.device"))) // as in hip/host_defines.h
#define __constant__ __attribute__((constant, annotate("hiplz.device")))

struct Node {
  Node *next;
  int value;
};

#if defined(ONE)
extern __device__ Node there;
__device__ Node here = {&there, 1};
__global__ void first(int *out) { *out = here.next->value; }
int main() { return 0; }
#elif defined(TWO)
extern __device__ Node here;
__device__ Node there = {&here, 2};
__global__ void second(int *out) { *out = there.next->value; }
#else

__device__ Node self = {&self, 1};

extern __device__ Node b, c;
__device__ Node a = {&b, 1};
__device__ Node b = {&c, 2};
__device__ Node c = {&a, 3};

struct Ring {
  long before;
  int *inside[2];
  int numbers[4];
};
__device__ Ring ring = {1, {&ring.numbers[1], &ring.numbers[3]}, {1, 2, 3, 4}};
__device__ unsigned long place = (unsigned long)&place + 8;
__constant__ Node fixed = {&fixed, 4};

template <class T> struct Holder {
  static __device__ Node node;
};
template <class T> __device__ Node Holder<T>::node = {&Holder<T>::node, 3};

namespace {
__device__ Node hidden = {&hidden, 3};
} // namespace

__global__ void kernel(int *out) {
  static Node local = {&local, 3};
  *out = local.next->value++ + self.value + a.value + *ring.inside[0] + (int)place + fixed.value +
         Holder<int>::node.value + hidden.value++;
}
#endif
