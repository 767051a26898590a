// SPDX-License-Identifier: MIT
// rocPRIM with elements of every size, its algorithms over segments, and its algorithms of one block and one warp that hipCUB has
// no name for, against the C++ standard library.
#include "tests/ecosystem/algorithms.h"

#include <rocprim/rocprim.hpp>

namespace {

typedef rocprim::half Half;

template <class T> struct Value { // the host compares and sorts halves as floats
  static T of(T value) { return value; }
};
template <> struct Value<Half> {
  static float of(Half value) { return static_cast<float>(value); }
};
template <class T> auto plain(const std::vector<T> &values) {
  std::vector<decltype(Value<T>::of(T()))> result;
  for (const T &value : values)
    result.push_back(Value<T>::of(value));
  return result;
}

template <class T> void sorts(size_t n) {
  const std::vector<int> whole = numbers<int>(n, 4000, 1 + n); // exact in half precision
  std::vector<T> values;
  for (int value : whole)
    values.push_back(static_cast<T>(static_cast<float>(value)));
  auto expected = plain(values);
  std::sort(expected.begin(), expected.end());
  DeviceArray<T> in(padded(values)), out(n + 1);
  run([&](void *memory, size_t &bytes) { return rocprim::radix_sort_keys(memory, bytes, (T *)in, (T *)out, n); });
  checkSame("radix_sort_keys", plain(out.host()), expected);
  std::reverse(expected.begin(), expected.end());
  std::vector<int> places(n), order(n);
  std::iota(places.begin(), places.end(), 0);
  order = places;
  const auto keys = plain(values);
  std::stable_sort(order.begin(), order.end(), [&](int x, int y) { return keys[x] > keys[y]; });
  DeviceArray<int> inPlaces(padded(places)), outPlaces(n + 1);
  run([&](void *memory, size_t &bytes) {
    return rocprim::radix_sort_pairs_desc(memory, bytes, (T *)in, (T *)out, (int *)inPlaces, (int *)outPlaces, n);
  });
  checkSame("radix_sort_pairs_desc", plain(out.host()), expected);
  checkSame("the values of radix_sort_pairs_desc", outPlaces, order);
}

/// 16 bytes: scans with look-back and merge sorts take other ways than with elements that one instruction stores.
void wide(size_t n) {
  const std::vector<Wide> values = numbers<Wide>(n, 1000, 2 + n);
  std::vector<Wide> expected(n);
  DeviceArray<Wide> in(padded(values)), out(n + 1);
  run([&](void *memory, size_t &bytes) {
    return rocprim::inclusive_scan(memory, bytes, (Wide *)in, (Wide *)out, n, Plus());
  });
  std::inclusive_scan(values.begin(), values.end(), expected.begin(), Plus());
  checkSame("inclusive_scan", out, expected);
  run([&](void *memory, size_t &bytes) {
    return rocprim::merge_sort(memory, bytes, (Wide *)in, (Wide *)out, n, Less());
  });
  expected = values;
  std::stable_sort(expected.begin(), expected.end());
  checkSame("merge_sort", out, expected);
  run([&](void *memory, size_t &bytes) {
    return rocprim::reduce(memory, bytes, (Wide *)in, (Wide *)out, Wide(5), n, Plus());
  });
  checkSame("reduce", out, {std::accumulate(values.begin(), values.end(), Wide(5))});
  DeviceArray<unsigned> number(1);
  run([&](void *memory, size_t &bytes) {
    return rocprim::select(memory, bytes, (Wide *)in, (Wide *)out, (unsigned *)number, n, Positive());
  });
  expected.clear();
  std::copy_if(values.begin(), values.end(), std::back_inserter(expected), Positive());
  checkSame("select", out, expected);
}

template <class T> void segments(size_t n) {
  const std::vector<T> values = numbers<T>(n, 100, 3 + n);
  const std::vector<int> borders = segmentBorders(n);
  const unsigned count = static_cast<unsigned>(borders.size()) - 1;
  std::vector<T> sums, running(n), sorted = values;
  for (unsigned i = 0; i < count; ++i) {
    const int first = borders[i], last = borders[i + 1];
    sums.push_back(std::accumulate(values.begin() + first, values.begin() + last, T(2), Plus()));
    std::inclusive_scan(values.begin() + first, values.begin() + last, running.begin() + first, Plus());
    std::sort(sorted.begin() + first, sorted.begin() + last);
  }
  DeviceArray<int> edges(borders);
  DeviceArray<T> in(padded(values)), out(n + 1), reduced(count);
  run([&](void *memory, size_t &bytes) {
    return rocprim::segmented_reduce(memory, bytes, (T *)in, (T *)reduced, count, (int *)edges, (int *)edges + 1,
                                     Plus(), T(2));
  });
  checkSame("segmented_reduce", reduced, sums);
  run([&](void *memory, size_t &bytes) {
    return rocprim::segmented_inclusive_scan(memory, bytes, (T *)in, (T *)out, count, (int *)edges, (int *)edges + 1,
                                             Plus());
  });
  checkSame("segmented_inclusive_scan", out, running);
  run([&](void *memory, size_t &bytes) {
    return rocprim::segmented_radix_sort_keys(memory, bytes, (T *)in, (T *)out, static_cast<unsigned>(n), count,
                                              (int *)edges, (int *)edges + 1);
  });
  checkSame("segmented_radix_sort_keys", out, sorted);
}

template <class T, rocprim::block_sort_algorithm Method> __global__ void blockSort(const T *in, T *out) {
  typedef rocprim::block_sort<T, 128, 1, rocprim::empty_type, Method> Sort;
  __shared__ typename Sort::storage_type memory;
  T item[1] = {in[threadIdx.x]};
  Sort().sort(item, memory, Less());
  out[threadIdx.x] = item[0];
}
template <class T, unsigned Lanes> __global__ void warpSort(const T *in, T *out) {
  typedef rocprim::warp_sort<T, Lanes> Sort;
  __shared__ typename Sort::storage_type memory[128 / Lanes];
  T item = in[threadIdx.x];
  Sort().sort(item, memory[threadIdx.x / Lanes], Less());
  out[threadIdx.x] = item;
}

/// In groups of `lanes`; the kernel sorts 128 elements.
template <class T> void checkSorted(const char *what, void (*kernel)(const T *, T *), size_t lanes) {
  const std::vector<T> values = numbers<T>(128, 1000, 4);
  std::vector<T> expected = values;
  for (size_t begin = 0; begin < 128; begin += lanes)
    std::sort(expected.begin() + begin, expected.begin() + begin + lanes);
  DeviceArray<T> in(values), out(128);
  kernel<<<1, 128>>>(in, out);
  HIP_CHECK(hipGetLastError());
  checkSame(what, out, expected);
}

__global__ void radixSort(const unsigned *in, unsigned *out) {
  typedef rocprim::block_radix_sort<unsigned, 64, 3> Sort;
  __shared__ Sort::storage_type memory;
  unsigned items[3];
  rocprim::block_load_direct_striped<64>(threadIdx.x, in, items);
  Sort().sort(items, memory, 4, 12);
  rocprim::block_store_direct_blocked(threadIdx.x, out, items);
}

} // namespace

TEST(sorts) {
  for (size_t n : kSizes) {
    sorts<Half>(n);
    sorts<signed char>(n);
    sorts<unsigned short>(n);
    sorts<std::int64_t>(n);
  }
}
TEST(wide) {
  for (size_t n : kSizes)
    wide(n);
}
TEST(segments) {
  for (size_t n : kSizes) {
    segments<int>(n);
    segments<std::uint8_t>(n);
  }
}
TEST(blocksAndWarps) {
  using rocprim::block_sort_algorithm;
  checkSorted("bitonic_sort of int", blockSort<int, block_sort_algorithm::bitonic_sort>, 128);
  checkSorted("bitonic_sort of double", blockSort<double, block_sort_algorithm::bitonic_sort>, 128);
#if ROCPRIM_VERSION >= 201300
  checkSorted("merge_sort", blockSort<int, block_sort_algorithm::merge_sort>, 128);
  checkSorted("stable_merge_sort", blockSort<std::uint8_t, block_sort_algorithm::stable_merge_sort>, 128);
#endif
  checkSorted("warp_sort of 32", warpSort<int, 32>, 32);
  checkSorted("warp_sort of 8", warpSort<std::int64_t, 8>, 8);
  const std::vector<unsigned> values = numbers<unsigned>(192, 1 << 20, 5);
  std::vector<unsigned> blocked(192);
  for (int i = 0; i < 192; ++i)
    blocked[i] = values[i % 3 * 64 + i / 3];
  std::stable_sort(blocked.begin(), blocked.end(),
                   [](unsigned x, unsigned y) { return (x >> 4 & 0xff) < (y >> 4 & 0xff); });
  DeviceArray<unsigned> in(values), out(192);
  radixSort<<<1, 64>>>(in, out);
  HIP_CHECK(hipGetLastError());
  checkSame("block_radix_sort by bits 4 to 11", out, blocked);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
