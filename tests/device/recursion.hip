// SPDX-License-Identifier: MIT
// Functions that call themselves and each other: in depth and in width, through trees, with arrays on the stack of each call. As
// device.recursion_frames the kernels are those for compilers without recursion, whose stack is a fixed array.
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

// Each call hands the address of a variable down, which the calls below add to; loops call, and calls stand in loops.
int countPathsOnHost(int depth, int *total, int weight) {
  int below = 0;
  for (int i = 0; i < depth; ++i) {
    if ((i + weight) % 3 == 1)
      continue;
    const int result = countPathsOnHost(depth - 1 - i, &below, weight + i);
    below += result;
  }
  *total += weight;
  return below + 1;
}
__device__ int countPaths(int depth, int *total, int weight) {
  int below = 0;
  for (int i = 0; i < depth; ++i) {
    if ((i + weight) % 3 == 1)
      continue;
    const int result = countPaths(depth - 1 - i, &below, weight + i);
    below += result;
  }
  *total += weight;
  return below + 1;
}

// Three functions that call each other, with structures as arguments and results, booleans and small integers that are needed
// after the calls.
struct Span {
  int from, to;
  double scale;
  char tag[12];
};
struct Answer {
  double sum;
  int calls;
  bool odd;
};
#define DEFINE_CYCLE(QUALIFIER, suffix)                                                                                \
  QUALIFIER Answer halves##suffix(Span span, bool flip);                                                               \
  QUALIFIER Answer thirds##suffix(Span span, short step) {                                                             \
    if (span.to - span.from < 3)                                                                                       \
      return {span.scale * span.from, 1, (span.from & 1) != 0};                                                        \
    const bool wide = span.to - span.from > 9;                                                                         \
    const int third = (span.to - span.from) / 3;                                                                       \
    Answer all{0, 1, wide};                                                                                            \
    for (int part = 0; part < 3; ++part) {                                                                             \
      Span inner = span;                                                                                               \
      inner.from = span.from + part * third;                                                                           \
      inner.to = part == 2 ? span.to : inner.from + third;                                                             \
      inner.tag[part] = static_cast<char>(part + step);                                                                \
      const Answer one = halves##suffix(inner, wide);                                                                  \
      all.sum += one.sum + inner.tag[part];                                                                            \
      all.calls += one.calls;                                                                                          \
      all.odd ^= one.odd;                                                                                              \
    }                                                                                                                  \
    return all;                                                                                                        \
  }                                                                                                                    \
  QUALIFIER double weigh##suffix(Span span, unsigned char depth) {                                                     \
    return depth == 0 ? span.scale : thirds##suffix(span, depth).sum + weigh##suffix(span, depth - 1);                 \
  }                                                                                                                    \
  QUALIFIER Answer halves##suffix(Span span, bool flip) {                                                              \
    if (span.to - span.from < 2)                                                                                       \
      return {flip ? span.scale : -span.scale, 1, flip};                                                               \
    Span left = span, right = span;                                                                                    \
    left.to = right.from = (span.from + span.to) / 2;                                                                  \
    right.scale *= 2;                                                                                                  \
    const Answer a = thirds##suffix(left, 1), b = thirds##suffix(right, flip ? 2 : 3);                                 \
    const double weight = span.to - span.from == 4 ? weigh##suffix(Span{span.from, span.from + 1, 0.5, {}}, 2) : 0;    \
    return {a.sum - b.sum + weight, a.calls + b.calls + 1, a.odd != b.odd};                                            \
  }
DEFINE_CYCLE(__device__ __noinline__, OnDevice)
DEFINE_CYCLE(static, OnHost)

__global__ void paths(int *out) {
  const int i = threadIdx.x;
  int total = 0;
  out[2 * i] = countPaths(i % 7, &total, i);
  out[2 * i + 1] = total;
}
__global__ void cycle(Answer *out) {
  const int i = threadIdx.x;
  out[i] = halvesOnDevice(Span{i, i + i % 23, 1.5, {}}, i % 2 != 0);
}

TEST(variablesOfCallers) {
  const int threads = 64;
  DeviceArray<int> out(2 * threads);
  paths<<<1, threads>>>(out);
  HIP_CHECK(hipGetLastError());
  const std::vector<int> got = out.host();
  for (int i = 0; i < threads; ++i) {
    int total = 0;
    CHECK_EQ(got[2 * i], countPathsOnHost(i % 7, &total, i));
    CHECK_EQ(got[2 * i + 1], total);
  }
}

TEST(cycleOfThree) {
  const int threads = 96;
  DeviceArray<Answer> out(threads);
  cycle<<<1, threads>>>(out);
  HIP_CHECK(hipGetLastError());
  const std::vector<Answer> got = out.host();
  for (int i = 0; i < threads; ++i) {
    const Answer expected = halvesOnHost(Span{i, i + i % 23, 1.5, {}}, i % 2 != 0);
    CHECK_EQ(got[i].sum, expected.sum);
    CHECK_EQ(got[i].calls, expected.calls);
    CHECK_EQ(got[i].odd, expected.odd);
  }
}

__device__ int deep(int n, int *values) {
  int own[8];
  for (int k = 0; k < 8; ++k)
    own[k] = values[(k + n) % 8] + n;
  return n == 0 ? own[3] : deep(n - 1, own) + own[n % 8];
}
__global__ void recurse(int n, int *out) {
  int values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  out[threadIdx.x] = deep(n, values);
}

// The last scenario: the device is reset.
TEST(tooDeep) {
  const char *frames = std::getenv("HIPLZ_RECURSION_FRAMES");
  if (!frames || std::strcmp(frames, "1") != 0)
    return;
  int *out = nullptr;
  HIP_CHECK(hipHostMalloc(&out, 32 * sizeof(int)));
  recurse<<<1, 32>>>(20, out);
  HIP_CHECK(hipDeviceSynchronize());
  recurse<<<1, 32>>>(5000, out);
  CHECK_EQ(hipDeviceSynchronize(), hipErrorLaunchFailure);
  HIP_CHECK(hipDeviceReset());
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
