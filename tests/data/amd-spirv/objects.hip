// SPDX-License-Identifier: MIT
// C++ in kernels: recursion, templates, structures in structures, variables of any kind, addresses in variables.
#include <hip/hip_runtime.h>

__device__ int twice(int x) { return 2 * x; }
__device__ int square(int x) { return x * x; }

__device__ __attribute__((noinline)) int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__device__ int table[8] = {1, 2, 4, 8, 16, 32, 64, 128};
__constant__ double weights[3] = {0.5, 0.25, 0.125};
__device__ int *pointer = table + 2;

extern "C" __global__ void calls(int *result) {
  result[threadIdx.x] = (threadIdx.x & 1 ? square(threadIdx.x) : twice(threadIdx.x)) + fibonacci(threadIdx.x & 15);
}

extern "C" __global__ void variables(double *result) {
  result[threadIdx.x] = table[threadIdx.x & 7] * weights[threadIdx.x % 3] + pointer[threadIdx.x & 3];
}

template <class T, int n> struct Matrix {
  T rows[n][n];
  __device__ Matrix operator*(const Matrix &other) const {
    Matrix product = {};
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k)
          product.rows[i][j] += rows[i][k] * other.rows[k][j];
    return product;
  }
};
struct Nested {
  char tag;
  Matrix<float, 2> matrix;
  struct {
    short low, high;
  } range[2];
};
extern "C" __global__ void nested(Nested by, float *result) {
  const Matrix<float, 2> power = by.matrix * by.matrix;
  result[0] = power.rows[0][0];
  result[1] = power.rows[1][0];
  result[2] = by.range[1].high + by.tag;
}

// A structure that is too large for registers, of which each thread reads its own part; and a parameter that nothing reads.
struct Large {
  double values[300];
  int last;
};
__device__ __attribute__((noinline)) int ignores(int *unused, int x) { return x + 1; }
extern "C" __global__ void large(Large large, double *result) {
  const int i = threadIdx.x;
  Large mine = large;
  mine.values[i] += i;
  int x;
  result[i] = mine.values[i * 7 % 300] + mine.values[i] + ignores(&x, large.last);
}

// Compiled without optimisation: a loop constructs the elements of the array.
struct Digit {
  int value;
  __device__ __attribute__((optnone)) Digit() : value(1) {}
};
struct Number {
  int head;
  Digit digits[12];
};
extern "C" __global__ __attribute__((optnone)) void unoptimised(int *result) {
  const int i = threadIdx.x;
  Number number{i, {}};
  number.digits[i % 12].value = i;
  int sum = number.head * 100;
  for (const Digit &digit : number.digits)
    sum += digit.value;
  result[i] = sum;
}

// A structure filled with bytes that are not known beforehand.
struct Filled {
  float reals[16];
};
extern "C" __global__ void filled(const int *bytes, float *result) {
  Filled all;
  __builtin_memset(&all, bytes[threadIdx.x], sizeof all);
  result[threadIdx.x] = all.reals[bytes[threadIdx.x] & 15];
}
extern "C" __global__ void filledInMemory(const int *bytes, Filled *result) {
  __builtin_memset(&result[threadIdx.x], bytes[threadIdx.x], sizeof(Filled));
}
