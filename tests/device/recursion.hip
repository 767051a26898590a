// SPDX-License-Identifier: MIT
// Functions that call themselves and each other: in depth and in width, through trees, with arrays on the stack of each call.
#include "check.h"

namespace {

__device__ unsigned long long factorial(unsigned n) { return n < 2 ? 1 : n * factorial(n - 1); }
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__device__ bool isOdd(unsigned n);
__device__ bool isEven(unsigned n) { return n == 0 || isOdd(n - 1); }
__device__ bool isOdd(unsigned n) { return n != 0 && isEven(n - 1); }

// Sorts with an array on the stack of each call.
__device__ void mergeSort(int *values, int count) {
  if (count < 2)
    return;
  const int half = count / 2;
  mergeSort(values, half);
  mergeSort(values + half, count - half);
  int merged[64];
  for (int i = 0, left = 0, right = half; i < count; ++i)
    merged[i] = right == count || (left < half && values[left] <= values[right]) ? values[left++] : values[right++];
  for (int i = 0; i < count; ++i)
    values[i] = merged[i];
}

// In memory of the device: clang 15 forgets the initial values of local objects that a recursive function reaches through
// others, for the host too.
struct Tree {
  int value;
  const Tree *left, *right;
};
__device__ int sumOf(const Tree *tree) { return tree ? tree->value + sumOf(tree->left) + sumOf(tree->right) : 0; }

template <int n> __device__ int unrolled() {
  if constexpr (n == 0)
    return 0;
  else
    return n + unrolled<n - 1>();
}

struct Result {
  unsigned long long factorial;
  int fibonacci, ackermann, even, tree, unrolled;
};

__global__ void numbers(Result *out, const Tree *tree) {
  const unsigned i = threadIdx.x;
  out[i] = {factorial(i % 20),
            fibonacci(static_cast<int>(i % 16)),
            ackermann(2, static_cast<int>(i % 8)),
            isEven(i * 3),
            sumOf(tree + i % 4),
            unrolled<10>()};
}

__global__ void sort(int *values, int count) { mergeSort(values + threadIdx.x * count, count); }

TEST(check) {
  const int threads = 70;
  DeviceArray<Result> out(threads);
  DeviceArray<Tree> tree(4); // a leaf, and nodes above the ones before
  Tree *nodes = tree;
  const Tree filled[] = {{1, nullptr, nullptr}, {2, nodes, nullptr}, {4, nodes + 1, nodes}, {8, nodes + 2, nodes + 1}};
  HIP_CHECK(hipMemcpy(nodes, filled, sizeof filled, hipMemcpyHostToDevice));
  numbers<<<1, threads>>>(out, nodes);
  HIP_CHECK(hipGetLastError());
  std::vector<Result> results = out.host();
  for (int i = 0; i < threads; ++i) {
    unsigned long long product = 1;
    for (int k = 2; k <= i % 20; ++k)
      product *= k;
    int a = 0, b = 1;
    for (int k = 0; k < i % 16; ++k) {
      const int next = a + b;
      a = b;
      b = next;
    }
    CHECK_EQ(results[i].factorial, product);
    CHECK_EQ(results[i].fibonacci, a);
    CHECK_EQ(results[i].ackermann, 2 * (i % 8) + 3);
    CHECK_EQ(results[i].even, static_cast<int>(i % 2 == 0));
    const int sums[] = {1, 3, 4 + 3 + 1, 8 + 8 + 3};
    CHECK_EQ(results[i].tree, sums[i % 4]);
    CHECK_EQ(results[i].unrolled, 55);
  }
}

TEST(sorted) {
  const int threads = 40, count = 64;
  std::vector<int> values(threads * count);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<int>(i * 2654435761u >> 8) - 5000000;
  DeviceArray<int> device(values);
  sort<<<1, threads>>>(device, count);
  HIP_CHECK(hipGetLastError());
  std::vector<int> got = device.host();
  for (int thread = 0; thread < threads; ++thread) {
    std::vector<int> expected(values.begin() + thread * count, values.begin() + (thread + 1) * count);
    for (size_t i = 1; i < expected.size(); ++i)
      for (size_t k = i; k > 0 && expected[k - 1] > expected[k]; --k)
        std::swap(expected[k - 1], expected[k]);
    int wrong = 0;
    for (int i = 0; i < count; ++i)
      wrong += got[thread * count + i] != expected[i];
    CHECK_EQ(wrong, 0);
  }
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
