// SPDX-License-Identifier: MIT
// Shared by two files of device code, with -fgpu-rdc.
#pragma once
#include <hip/hip_runtime.h>

struct Settings {
  double scale;
  int offsets[3];
};

struct Shape {
  __device__ virtual int area() const = 0;
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int s) : side(s) {}
  __device__ int area() const override; // in the other file
};

typedef int (*Function)(int);

extern __device__ int table[4];
extern __constant__ Settings settings;
extern __constant__ int limits[2];
extern __device__ Function chosen;
extern __managed__ int shared_counter;

// One definition in both files; the variable in it is one.
inline __device__ int inlined(int x) {
  static __device__ int calls = 100;
  return atomicAdd(&calls, 1) * 1000 + x;
}
template <class T> __device__ T twice(T x) { return x + x; }

__device__ int factorial(int n);
__device__ int sum_of_block(int value); // uses the dynamic shared memory of the kernel
__device__ int square(int x);
__device__ int counted(); // and hidden_of_main() are about variables of the same name in both files
__device__ int warp_sum(int value);
__global__ void other_kernel(int *out, int value);
