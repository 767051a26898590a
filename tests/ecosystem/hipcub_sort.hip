// SPDX-License-Identifier: MIT
// hipCUB's radix and merge sorts of device memory, whole and by segment, against the C++ standard library.
#include "tests/ecosystem/algorithms.h"

#include <hipcub/hipcub.hpp>

namespace {

template <class T> struct Reversed {
  bool operator()(const T &a, const T &b) const { return b < a; }
};

/// The places of the elements in the order of a stable sort.
template <class T, class Compare> std::vector<int> stableOrder(const std::vector<T> &values, Compare compare) {
  std::vector<int> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int x, int y) { return compare(values[x], values[y]); });
  return order;
}
template <class T> std::vector<T> taken(const std::vector<T> &values, const std::vector<int> &order) {
  std::vector<T> result;
  for (int place : order)
    result.push_back(values[place]);
  return result;
}

template <class T> void radixSort(size_t n) {
  const int count = static_cast<int>(n);
  const std::vector<T> values = numbers<T>(n, 100000, 1 + n);
  const std::vector<int> up = stableOrder(values, Less()), down = stableOrder(values, Reversed<T>());
  std::vector<int> places(n);
  std::iota(places.begin(), places.end(), 0);
  DeviceArray<T> in(padded(values)), out(n + 1);
  DeviceArray<int> inPlaces(padded(places)), outPlaces(n + 1);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceRadixSort::SortKeys(memory, bytes, (T *)in, (T *)out, count);
  });
  checkSame("SortKeys", out, taken(values, up));
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceRadixSort::SortPairsDescending(memory, bytes, (T *)in, (T *)out, (int *)inPlaces,
                                                        (int *)outPlaces, count);
  });
  checkSame("SortPairsDescending", out, taken(values, down));
  checkSame("the values of SortPairsDescending", outPlaces, down);
  hipcub::DoubleBuffer<T> keys(in, out);
  hipcub::DoubleBuffer<int> order(inPlaces, outPlaces);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceRadixSort::SortPairs(memory, bytes, keys, order, count);
  });
  std::vector<T> found(n);
  std::vector<int> foundOrder(n);
  HIP_CHECK(hipMemcpy(found.data(), keys.Current(), n * sizeof(T), hipMemcpyDefault));
  HIP_CHECK(hipMemcpy(foundOrder.data(), order.Current(), n * sizeof(int), hipMemcpyDefault));
  checkSame("SortPairs in two buffers", found, taken(values, up));
  checkSame("the values of SortPairs in two buffers", foundOrder, up);
}

/// Some of the bits only.
void someBits(size_t n) {
  const std::vector<unsigned> values = numbers<unsigned>(n, 1 << 30, 2 + n);
  const auto digit = [](unsigned value) { return value >> 5 & 0x7ff; };
  DeviceArray<unsigned> in(padded(values)), out(n + 1);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceRadixSort::SortKeysDescending(memory, bytes, (unsigned *)in, (unsigned *)out,
                                                       static_cast<int>(n), 5, 16);
  });
  checkSame("SortKeysDescending by bits 5 to 15", out,
            taken(values, stableOrder(values, [&](unsigned x, unsigned y) { return digit(x) > digit(y); })));
}

template <class T> void segmentedSort(size_t n) {
  const int count = static_cast<int>(n);
  const std::vector<T> values = numbers<T>(n, 1000, 3 + n);
  const std::vector<int> borders = segmentBorders(n);
  const int segments = static_cast<int>(borders.size()) - 1;
  std::vector<T> up = values, down = values;
  for (int i = 0; i < segments; ++i) {
    std::sort(up.begin() + borders[i], up.begin() + borders[i + 1]);
    std::sort(down.begin() + borders[i], down.begin() + borders[i + 1], Reversed<T>());
  }
  DeviceArray<int> edges(borders);
  DeviceArray<T> in(padded(values)), out(n + 1);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceSegmentedRadixSort::SortKeys(memory, bytes, (T *)in, (T *)out, count, segments, (int *)edges,
                                                      (int *)edges + 1);
  });
  checkSame("SortKeys of segments", out, up);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceSegmentedSort::StableSortKeysDescending(memory, bytes, (T *)in, (T *)out, count, segments,
                                                                 (int *)edges, (int *)edges + 1);
  });
  checkSame("StableSortKeysDescending of segments", out, down);
}

template <class T> void mergeSort(size_t n) {
  const std::vector<T> values = numbers<T>(n, 1000, 4 + n);
  const std::vector<int> order = stableOrder(values, Less());
  std::vector<int> places(n);
  std::iota(places.begin(), places.end(), 0);
  DeviceArray<T> in(padded(values)), out(n + 1);
  DeviceArray<int> devicePlaces(padded(places));
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceMergeSort::SortKeysCopy(memory, bytes, (T *)in, (T *)out, n, Less());
  });
  checkSame("SortKeysCopy", out, taken(values, order));
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceMergeSort::StableSortPairs(memory, bytes, (T *)in, (int *)devicePlaces, n, Less());
  });
  checkSame("StableSortPairs", in, taken(values, order));
  checkSame("the values of StableSortPairs", devicePlaces, order);
}

} // namespace

TEST(radixSort) {
  for (size_t n : kSizes) {
    radixSort<int>(n);
    radixSort<float>(n);
    radixSort<double>(n);
    radixSort<std::uint8_t>(n);
    radixSort<std::int64_t>(n);
    someBits(n);
  }
}
TEST(segments) {
  for (size_t n : kSizes) {
    segmentedSort<int>(n);
    segmentedSort<double>(n);
  }
}
TEST(mergeSort) {
  for (size_t n : kSizes) {
    mergeSort<int>(n);
    mergeSort<Wide>(n);
  }
}

int main(int argc, char **argv) { return runTests(argc, argv); }
