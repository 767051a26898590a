// SPDX-License-Identifier: MIT
// Memory that kernels allocate: every thread has its own block, which no other one overlaps; what is freed is there again;
// an exhausted heap gives null pointers and nothing else goes wrong.
#include "tests/device/check.h"

#include <algorithm>

constexpr size_t kHeap = 4 << 20;
constexpr int kThreads = 256;

__device__ int globalIndex() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void allocate(char **blocks, size_t *sizes, int n) {
  int i = globalIndex();
  if (i >= n)
    return;
  blocks[i] = static_cast<char *>(malloc(sizes[i]));
  if (blocks[i])
    for (size_t k = 0; k < sizes[i]; ++k)
      blocks[i][k] = (char)(i + k);
}
__global__ void checkPatterns(char **blocks, size_t *sizes, int n, int *wrong) {
  int i = globalIndex();
  if (i >= n || !blocks[i])
    return;
  for (size_t k = 0; k < sizes[i]; ++k)
    if (blocks[i][k] != (char)(i + k)) {
      atomicAdd(wrong, 1);
      break;
    }
}
__global__ void release(char **blocks, int n, int step) {
  int i = globalIndex() * step;
  if (i < n) {
    free(blocks[i]);
    blocks[i] = nullptr;
  }
}

int blocksFor(int n) { return (n + kThreads - 1) / kThreads; }

/// Allocates, checks that nothing overlaps, and returns how many blocks there are.
size_t allocateAndCheck(DeviceArray<char *> &blocks, const std::vector<size_t> &sizes) {
  const int n = (int)sizes.size();
  DeviceArray<size_t> deviceSizes(sizes);
  DeviceArray<int> wrong(1);
  allocate<<<blocksFor(n), kThreads>>>(blocks, deviceSizes, n);
  checkPatterns<<<blocksFor(n), kThreads>>>(blocks, deviceSizes, n, wrong);
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(wrong.host()[0], 0);
  std::vector<char *> got = blocks.host();
  std::vector<std::pair<char *, char *>> ranges;
  size_t misaligned = 0, overlaps = 0;
  for (int i = 0; i < n; ++i)
    if (got[i]) {
      ranges.emplace_back(got[i], got[i] + std::max<size_t>(sizes[i], 1));
      misaligned += reinterpret_cast<uintptr_t>(got[i]) % 16 != 0;
    }
  std::sort(ranges.begin(), ranges.end());
  for (size_t i = 1; i < ranges.size(); ++i)
    overlaps += ranges[i].first < ranges[i - 1].second;
  CHECK_EQ(misaligned, 0u);
  CHECK_EQ(overlaps, 0u);
  return ranges.size();
}

void freeAll(DeviceArray<char *> &blocks, int step = 1) {
  const int n = (int)blocks.size();
  release<<<blocksFor(n), kThreads>>>(blocks, n, step);
  HIP_CHECK(hipDeviceSynchronize());
}

/// As many blocks of this size as fit are there, not one less; asked for by many threads at once.
void checkExact(size_t bytes, size_t capacity) {
  const size_t asked = capacity + capacity / 4 + 100;
  DeviceArray<char *> blocks(asked);
  CHECK_EQ(allocateAndCheck(blocks, std::vector<size_t>(asked, bytes)), capacity);
  freeAll(blocks);
}

/// The size that the scenarios count on; setting it is allowed as long as it does not change.
void setHeap() { HIP_CHECK(hipDeviceSetLimit(hipLimitMallocHeapSize, kHeap)); }

TEST(limit) { // the first, because the heap must be unused
  size_t limit = 0;
  HIP_CHECK(hipDeviceGetLimit(&limit, hipLimitMallocHeapSize));
  CHECK_EQ(limit, size_t{8} << 20);
  CHECK_EQ(hipDeviceSetLimit(hipLimitMallocHeapSize, SIZE_MAX), hipErrorInvalidValue);
  CHECK_EQ(hipGetLastError(), hipErrorInvalidValue);
  setHeap();
  HIP_CHECK(hipDeviceGetLimit(&limit, hipLimitMallocHeapSize));
  CHECK_EQ(limit, kHeap);
  checkExact(kHeap, 1);
  // The heap is in use: its size is what it is.
  CHECK_EQ(hipDeviceSetLimit(hipLimitMallocHeapSize, 2 * kHeap), hipErrorInvalidValue);
  CHECK_EQ(hipGetLastError(), hipErrorInvalidValue);
  setHeap();
}

TEST(manyThreads) {
  setHeap();
  const int n = 100000;
  DeviceArray<char *> blocks(n);
  std::vector<size_t> sizes(n);
  for (int i = 0; i < n; ++i)
    sizes[i] = i * 7 % 48 + 1;
  CHECK_EQ(allocateAndCheck(blocks, sizes), size_t(n));
  freeAll(blocks, 2); // every other one: the free blocks lie between taken ones
  DeviceArray<char *> again(n / 2);
  CHECK_EQ(allocateAndCheck(again, std::vector<size_t>(n / 2, 16)), size_t(n / 2));
  freeAll(blocks);
  freeAll(again);
}

TEST(capacity) {
  setHeap();
  checkExact(512, kHeap / 512);
  checkExact(16, kHeap / 16);
  checkExact(2048, kHeap / 2048);
  checkExact(3000, kHeap / 4096);
  checkExact(48, kHeap / 4096 * 85);
  checkExact(kHeap / 4, 4); // the pages of small blocks have become one piece again
  checkExact(kHeap, 1);
}

// Threads allocate, write, check and free again and again, with small and large sizes between each other.
__global__ void churn(int *counts) {
  unsigned random = globalIndex() * 2654435761u + 1;
  unsigned *held[4] = {};
  unsigned words[4] = {};
  for (int round = 0; round < 40; ++round) {
    random = random * 1664525 + 1013904223;
    unsigned at = random >> 30;
    if (held[at]) {
      for (unsigned k = 0; k < words[at]; ++k)
        if (held[at][k] != (unsigned)globalIndex() * 64 + at)
          atomicAdd(&counts[0], 1);
      free(held[at]);
      held[at] = nullptr;
    } else {
      words[at] = random % 97 == 0 ? 2000 : 1 + (random >> 8) % 30;
      held[at] = static_cast<unsigned *>(malloc(words[at] * sizeof(unsigned)));
      if (!held[at])
        atomicAdd(&counts[1], 1);
      else
        for (unsigned k = 0; k < words[at]; ++k)
          held[at][k] = (unsigned)globalIndex() * 64 + at;
    }
  }
  for (unsigned *block : held)
    free(block);
}

TEST(churn) {
  setHeap();
  DeviceArray<int> churned(2);
  churn<<<16, 64>>>(churned);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(churned.host()[0], 0);
  CHECK_EQ(churned.host()[1], 0);
  checkExact(kHeap, 1); // nothing is lost
}

struct Shape {
  int *counts;
  __device__ Shape(int *c) : counts(c) { atomicAdd(&counts[0], 1); }
  __device__ virtual ~Shape() { atomicAdd(&counts[1], 1); }
  __device__ virtual int area() const = 0;
};
struct Square : Shape {
  int side;
  __device__ Square(int *c, int s) : Shape(c), side(s) {}
  __device__ ~Square() override { atomicAdd(&counts[2], side); }
  __device__ int area() const override { return side * side; }
};
struct Point {
  double x, y;
  __device__ Point() : x(1.5), y(2.5) {}
};
struct alignas(256) Line {
  char bytes[300];
};

__global__ void objects(int *out, int *counts) {
  int i = globalIndex();
  Shape *shape = new Square(counts, i);
  Point *points = new Point[3];
  int *single = new (std::nothrow_t{}) int(i);
  long *several = new (std::nothrow_t{}) long[5]{1, 2, 3, 4, i};
  Line *line = new Line;
  memset(line, 3, sizeof *line);
  bool aligned = reinterpret_cast<size_t>(line) % 256 == 0;
  out[i] = shape->area() + (int)(points[2].x + points[2].y) + *single + (int)several[4] + aligned + line->bytes[299];
  delete shape;
  delete[] points;
  delete single;
  delete[] several;
  delete line;
}

TEST(objects) {
  setHeap();
  const int n = 4 * 64;
  DeviceArray<int> out(n), counts(3);
  objects<<<4, 64>>>(out, counts);
  HIP_CHECK(hipDeviceSynchronize());
  std::vector<int> sums = out.host();
  for (int i = 0; i < n; ++i)
    CHECK_EQ(sums[i], i * i + 4 + i + i + 1 + 3);
  CHECK_EQ(counts.host()[0], n);
  CHECK_EQ(counts.host()[1], n);
  CHECK_EQ(counts.host()[2], n * (n - 1) / 2);
  checkExact(kHeap, 1);
}

__device__ struct Node {
  int value;
  Node *next;
} *list;
__global__ void push(int value) {
  Node *node = new Node{value + globalIndex(), nullptr};
  Node *head = list;
  for (;;) {
    node->next = head;
    Node *found = (Node *)atomicCAS((unsigned long long *)&list, (unsigned long long)head, (unsigned long long)node);
    if (found == head)
      return;
    head = found;
  }
}
__global__ void drain(long *sum) {
  while (Node *node = list) {
    *sum += node->value;
    list = node->next;
    delete node;
  }
}

TEST(list) {
  setHeap();
  DeviceArray<long> sum(1);
  push<<<10, 100>>>(5);
  push<<<10, 100>>>(7);
  drain<<<1, 1>>>(sum);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(sum.host()[0], 2 * 999L * 1000 / 2 + 12 * 1000);
  checkExact(kHeap, 1);
}

__global__ void edges(int *results) {
  void *none = malloc(0);
  void *other = malloc(0);
  results[0] = none && other && none != other;
  free(none);
  free(other);
  free(nullptr);
  results[1] = malloc(size_t(1) << 40) == nullptr && malloc(~size_t(0)) == nullptr;
  // Nothing is freed twice, and not at addresses that are no block.
  char *block = static_cast<char *>(malloc(64));
  free(block);
  free(block);
  free(block + 1);
  int local;
  free(&local);
  void *a = malloc(64);
  void *b = malloc(64);
  results[2] = a && b && a != b;
  free(a);
  free(b);
  char *volatile huge = new (std::nothrow_t{}) char[size_t(1) << 40]; // one that nobody sees need not be made
  results[3] = huge == nullptr;
  char from[40], to[40] = {};
  results[4] = __hip_hc_memset(from, 0x17, sizeof from) == from && __hip_hc_memcpy(to, from, 39) == to &&
               to[0] == 0x17 && to[38] == 0x17 && to[39] == 0;
  results[5] = std::malloc(0) != nullptr; // stays taken until the device is reset
}

TEST(edges) { // the last, because a block stays taken
  setHeap();
  DeviceArray<int> results(6);
  edges<<<1, 1>>>(results);
  HIP_CHECK(hipDeviceSynchronize());
  for (int result : results.host())
    CHECK_EQ(result, 1);
  checkExact(kHeap, 0);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
