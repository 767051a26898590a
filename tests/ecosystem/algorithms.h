// SPDX-License-Identifier: MIT
// Shared by the tests of device-wide algorithms: input, a call in two steps, and the comparison of what a device array has.
#pragma once
#include "tests/device/check.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>

/// A value of 16 bytes that is ordered by its key alone, so that stability shows.
struct Wide {
  double key;
  int tag, zero;

  Wide() = default;
  __host__ __device__ explicit Wide(int value, int itsTag = 0) : key(value), tag(itsTag), zero(0) {}
  friend __host__ __device__ bool operator==(const Wide &a, const Wide &b) { return a.key == b.key && a.tag == b.tag; }
  friend __host__ __device__ bool operator!=(const Wide &a, const Wide &b) { return !(a == b); }
  friend __host__ __device__ bool operator<(const Wide &a, const Wide &b) { return a.key < b.key; }
  friend __host__ __device__ bool operator>(const Wide &a, const Wide &b) { return b < a; }
  friend __host__ __device__ bool operator>(const Wide &a, int b) { return a.key > b; }
  friend __host__ __device__ Wide operator+(const Wide &a, const Wide &b) {
    Wide sum;
    sum.key = a.key + b.key;
    sum.tag = a.tag + b.tag;
    sum.zero = 0;
    return sum;
  }
};

/// Calls an algorithm twice, as rocPRIM and hipCUB want it: for the size of its memory, and with that memory.
template <class Algorithm> void run(Algorithm algorithm) {
  size_t bytes = 0;
  HIP_CHECK(algorithm(nullptr, bytes));
  DeviceArray<char> memory(std::max<size_t>(bytes, 1));
  HIP_CHECK(algorithm(static_cast<void *>(memory), bytes));
  HIP_CHECK(hipDeviceSynchronize());
}

/// `count` whole numbers from -range/2 up; sums of them are exact in every type that is not shorter than float.
template <class T> std::vector<T> numbers(size_t count, int range, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> values(count);
  for (size_t i = 0; i < count; ++i) {
    const int value = static_cast<int>(random() % static_cast<unsigned>(range)) - range / 2;
    if constexpr (std::is_same_v<T, Wide>)
      values[i] = Wide(value, static_cast<int>(i));
    else
      values[i] = static_cast<T>(value);
  }
  return values;
}

/// The memory of `values`, with room for at least one element: there is no array of nothing.
template <class T> std::vector<T> padded(std::vector<T> values) {
  if (values.empty())
    values.emplace_back();
  return values;
}

/// The first elements of what was found are those expected.
template <class T> void checkSame(const char *what, std::vector<T> found, const std::vector<T> &expected) {
  const size_t size = found.size();
  found.resize(expected.size());
  if (size >= expected.size() && found == expected)
    return;
  ++checkFailures;
  const auto place = std::mismatch(found.begin(), found.end(), expected.begin()).first - found.begin();
  std::fprintf(stderr, "[%s] %s, %zu elements of %zu bytes: the first difference is at %td\n",
               currentTest ? currentTest : "", what, expected.size(), sizeof(T), place);
}
template <class T> void checkSame(const char *what, const DeviceArray<T> &found, const std::vector<T> &expected) {
  checkSame(what, found.host(), expected);
}

struct Positive { // T may be a reference to device memory
  template <class T> __host__ __device__ bool operator()(const T &value) const { return value > 0; }
};
struct Twice {
  template <class T> __host__ __device__ T operator()(const T &value) const { return static_cast<T>(value + value); }
};
struct Difference {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return static_cast<T>(a - b); }
};
/// Addition in the type of the operands, as the device does it.
struct Plus {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return static_cast<T>(a + b); }
};
struct Less {
  template <class T> __host__ __device__ bool operator()(const T &a, const T &b) const { return a < b; }
};
/// Associative and not commutative: the composition of two linear functions modulo 2^32.
struct Linear {
  unsigned factor, offset;
  friend __host__ __device__ bool operator==(const Linear &a, const Linear &b) {
    return a.factor == b.factor && a.offset == b.offset;
  }
};
struct Compose {
  __host__ __device__ Linear operator()(const Linear &first, const Linear &second) const {
    return {first.factor * second.factor, second.factor * first.offset + second.offset};
  }
};

/// Runs of equal values: where each starts, and how long it is.
template <class T> struct Runs {
  std::vector<T> values;
  std::vector<int> starts, lengths;
  explicit Runs(const std::vector<T> &sequence) {
    for (size_t i = 0; i < sequence.size(); ++i) {
      if (i == 0 || !(sequence[i] == sequence[i - 1])) {
        values.push_back(sequence[i]);
        starts.push_back(static_cast<int>(i));
        lengths.push_back(0);
      }
      ++lengths.back();
    }
  }
};

/// Borders of segments, some of them empty, that cover `count` elements: segment i is [borders[i], borders[i + 1]).
inline std::vector<int> segmentBorders(size_t count) {
  std::vector<int> borders = {0, 0};
  const int steps[] = {1, 700, 31, 0, 64, 9000, 257, 5};
  for (size_t step = 0; borders.back() < static_cast<int>(count); ++step)
    borders.push_back(std::min(borders.back() + steps[step % 8], static_cast<int>(count)));
  return borders;
}

static const size_t kSizes[] = {0, 1, 31, 1000, 100003};
