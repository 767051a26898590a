// SPDX-License-Identifier: MIT
// Kernels beside what they mean: the host does the same with all lanes of a warp, one statement after the other, and block shapes vary.
#pragma once
#include "check.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace {

constexpr int kMost = 256, kWarp = 32;
constexpr int kWords = 3 * kMost; // of data

struct Box {
  int *data;
};
struct Pair {
  int first;
  short low, high;
};

/// The arguments of kernels: memory of the block's threads, the same by other ways, results.
struct Memory {
  int *data;   // of kWords
  int *out;    // of one word per thread
  Box *box;    // box->data is data
  int **words; // words[t] is &data[t]
  int rounds;  // 5
  int width;   // blockDim.x
};

__device__ int threadOf() { return int(threadIdx.y * blockDim.x + threadIdx.x); }
// The lane `distance` away, by exclusive or; the same lane if the block has no such thread.
__host__ __device__ inline int other(int thread, int distance, int threads) {
  return (thread ^ distance) < threads ? thread ^ distance : thread;
}
__host__ __device__ int initial(int thread) { return 7 * thread + 3; }

/// The host's side: statements for all threads of a warp, then for those of the next.
struct Host {
  int threads, width; // of the block; of its rows
  std::vector<int> data, out;
  std::vector<int> x = std::vector<int>(kMost), y = std::vector<int>(kMost); // variables of the threads
  int first = 0, end = 0;                                                    // of the warp

  template <class Statement> void each(Statement statement) {
    for (int t = first; t < end; ++t)
      statement(t);
  }
};

struct Shape {
  int x, y;
};
constexpr Shape kShapes[] = {{32, 1}, {8, 8}, {4, 8}, {50, 1}, {5, 9}, {1, 32}, {2, 16}, {16, 2}, {16, 16}};

// Runs the kernel and compares what it leaves in `data` and `out`.
void compare(const char *name, void (*kernel)(Memory), const std::function<void(Host &)> &model) {
  for (const Shape &shape : kShapes) {
    Host host{shape.x * shape.y, shape.x, {}, std::vector<int>(kMost)};
    for (int i = 0; i < kWords; ++i)
      host.data.push_back(initial(i));
    DeviceArray<int> data(host.data), out(host.out);
    std::vector<int *> pointers;
    int *place = data;
    for (int i = 0; i < kMost; ++i)
      pointers.push_back(place + i);
    DeviceArray<int *> words(pointers);
    DeviceArray<Box> box(std::vector<Box>{{place}});
    kernel<<<1, dim3(shape.x, shape.y)>>>({place, out, box, words, 5, shape.x});
    for (host.first = 0; host.first < host.threads; host.first += kWarp) {
      host.end = std::min(host.first + kWarp, host.threads);
      model(host);
    }
    const std::vector<int> foundData = data.host(), foundOut = out.host();
    int wrong = 0, where = -1;
    host.out.resize(kWords); // the rest is not compared
    for (int i = 0; i < kWords; ++i)
      if (foundData[i] != host.data[i] || (i < kMost && foundOut[i] != host.out[i])) {
        ++wrong;
        where = where < 0 ? i : where;
      }
    if (wrong) {
      ++checkFailures;
      std::fprintf(stderr,
                   "%s, block %d x %d: %d words of %d threads are wrong, first %d: data %d, not %d; out %d, not %d\n",
                   name, shape.x, shape.y, wrong, host.threads, where, foundData[where], host.data[where],
                   where < kMost ? foundOut[where] : 0, host.out[where]);
    }
  }
}

using Values = std::vector<int>;

/// The lanes of a warp that are in a call of a function.
using Lanes = std::vector<int>;

[[maybe_unused]] Lanes lanesOf(const Host &h) {
  Lanes lanes;
  for (int t = h.first; t < h.end; ++t)
    lanes.push_back(t);
  return lanes;
}
template <class Condition> Lanes where(const Lanes &lanes, Condition condition) {
  Lanes result;
  for (int t : lanes)
    if (condition(t))
      result.push_back(t);
  return result;
}

// A test is a kernel's body, with the thread's number `t` and the number of threads `n`, and then the host's.
#define KERNEL(name)                                                                                                   \
  __device__ void name##Body(const Memory &m, int t, int n, int lane);                                                 \
  __global__ void name(Memory m) { name##Body(m, threadOf(), int(blockDim.x * blockDim.y), threadOf() % kWarp); }      \
  __device__ inline void name##Body([[maybe_unused]] const Memory &m, [[maybe_unused]] int t, [[maybe_unused]] int n,  \
                                    [[maybe_unused]] int lane)
#define HOST(name)                                                                                                     \
  void name##Host(Host &h, int n, Values &data, Values &out, Values &x, Values &y);                                    \
  TEST(name##Test) {                                                                                                   \
    compare(#name, name, [](Host &h) { name##Host(h, h.threads, h.data, h.out, h.x, h.y); });                          \
  }                                                                                                                    \
  void name##Host([[maybe_unused]] Host &h, [[maybe_unused]] int n, [[maybe_unused]] Values &data,                     \
                  [[maybe_unused]] Values &out, [[maybe_unused]] Values &x, [[maybe_unused]] Values &y)
#define EACH(...)                                                                                                      \
  h.each([&]([[maybe_unused]] int t) {                                                                                 \
    [[maybe_unused]] const int lane = t % kWarp;                                                                       \
    __VA_ARGS__;                                                                                                       \
  });

} // namespace
