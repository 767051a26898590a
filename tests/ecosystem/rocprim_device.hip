// SPDX-License-Identifier: MIT
// The device-wide algorithms of rocPRIM that rocprim.hip and rocprim_types.hip leave out: the other forms of those there, what came
// with later versions, and iterators that compute what they point to.
#include "tests/ecosystem/algorithms.h"

#include <rocprim/rocprim.hpp>

#if ROCPRIM_VERSION >= 300300 // ROCm 6.3
#define SINCE_ROCM_6_3
#endif

namespace {

struct Even {
  __host__ __device__ bool operator()(int value) const { return value % 2 == 0; }
};
struct Third { // what Even does not take
  __host__ __device__ bool operator()(int value) const { return value % 3 == 0; }
};

/// Of two values with their places, the larger, or the first of equal ones.
struct Larger {
  template <class Pair> __host__ __device__ Pair operator()(const Pair &a, const Pair &b) const {
    return b.value > a.value || (b.value == a.value && b.key < a.key) ? b : a;
  }
};

/// Numbers in device memory, as many results, and a place for a count.
struct Arrays {
  size_t n;
  std::vector<int> values, few;
  DeviceArray<int> in, keys, out, out2, out3;
  DeviceArray<unsigned> number;

  explicit Arrays(size_t n)
      : n(n), values(numbers<int>(n, 1000, 11 + n)), few(numbers<int>(n, 3, 13 + n)), in(padded(values)),
        keys(padded(few)), out(n + 1), out2(n + 1), out3(n + 1), number(2) {}
};

std::vector<int> places(size_t n) {
  std::vector<int> all(n);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void forms(size_t n) {
  Arrays a(n);
  std::vector<int> expected(n);
  if (n > 0) { // without an initial value there is no sum of nothing
    run([&](void *memory, size_t &bytes) {
      return rocprim::reduce(memory, bytes, (int *)a.in, (int *)a.out, n, rocprim::maximum<int>());
    });
    checkSame("reduce without an initial value", a.out, {*std::max_element(a.values.begin(), a.values.end())});
  }
  HIP_CHECK(rocprim::transform((int *)a.in, (int *)a.keys, (int *)a.out, n, Difference()));
  std::transform(a.values.begin(), a.values.end(), a.few.begin(), expected.begin(), Difference());
  checkSame("transform of two", a.out, expected);
  run([&](void *memory, size_t &bytes) {
    return rocprim::exclusive_scan_by_key(memory, bytes, (int *)a.keys, (int *)a.in, (int *)a.out, 7, n, Plus());
  });
  for (size_t i = 0; i < n; ++i)
    expected[i] = i == 0 || a.few[i] != a.few[i - 1] ? 7 : expected[i - 1] + a.values[i - 1];
  checkSame("exclusive_scan_by_key", a.out, expected);
  run([&](void *memory, size_t &bytes) {
    return rocprim::adjacent_difference_right(memory, bytes, (int *)a.in, (int *)a.out, n);
  });
  expected = a.values;
  for (size_t i = 0; i + 1 < n; ++i)
    expected[i] = a.values[i] - a.values[i + 1];
  checkSame("adjacent_difference_right", a.out, expected);
  DeviceArray<int> place(padded(a.values));
  run([&](void *memory, size_t &bytes) {
    // The first call asks for memory; only the second may change the values.
    return rocprim::adjacent_difference_inplace(memory, bytes, (int *)place, n);
  });
  std::adjacent_difference(a.values.begin(), a.values.end(), expected.begin());
  checkSame("adjacent_difference_inplace", place, expected);
}

/// Runs of more than one element. With ROCm 6.4, where they are short, each warp brings their starts into order in the same shared
/// memory as their lengths after them, without a barrier between (scatter_helper in detail/device_run_length_encode.hpp): that is
/// right only where the lanes of a warp run in step.
void checkRuns(const char *what, Arrays &a, const std::vector<int> &sequence) {
  const Runs<int> every(sequence);
  std::vector<int> starts, lengths;
  for (size_t i = 0; i < every.starts.size(); ++i) {
    if (every.lengths[i] > 1) {
      starts.push_back(every.starts[i]);
      lengths.push_back(every.lengths[i]);
    }
  }
  DeviceArray<int> in(padded(sequence));
  run([&](void *memory, size_t &bytes) {
    return rocprim::run_length_encode_non_trivial_runs(memory, bytes, (int *)in, static_cast<unsigned>(a.n),
                                                       (int *)a.out, (int *)a.out2, (unsigned *)a.number);
  });
  checkSame(what, a.out, starts);
  checkSame("the lengths of runs", a.out2, lengths);
  checkSame("the number of runs", a.number, {static_cast<unsigned>(starts.size())});
}

void chosen(size_t n) {
  Arrays a(n);
  std::vector<std::uint8_t> flags(n);
  std::vector<int> taken, others, thirds, heads, headPlaces;
  for (size_t i = 0; i < n; ++i) {
    flags[i] = a.values[i] % 5 == 0;
    (flags[i] ? taken : others).push_back(a.values[i]);
  }
  DeviceArray<std::uint8_t> deviceFlags(padded(flags));
  run([&](void *memory, size_t &bytes) {
    return rocprim::select(memory, bytes, (int *)a.in, (std::uint8_t *)deviceFlags, (int *)a.out, (unsigned *)a.number,
                           n);
  });
  checkSame("select by flags", a.out, taken);
  checkSame("the number that was selected", a.number, {static_cast<unsigned>(taken.size())});
  run([&](void *memory, size_t &bytes) {
    return rocprim::partition(memory, bytes, (int *)a.in, (std::uint8_t *)deviceFlags, (int *)a.out,
                              (unsigned *)a.number, n);
  });
  std::vector<int> all = taken; // the others follow in reverse order
  all.insert(all.end(), others.rbegin(), others.rend());
  checkSame("partition by flags", a.out, all);
#if ROCPRIM_VERSION >= 201300
  taken.clear();
  others.clear();
  for (int value : a.values)
    (Even()(value) ? taken : Third()(value) ? thirds : others).push_back(value);
  run([&](void *memory, size_t &bytes) {
    return rocprim::partition_three_way(memory, bytes, (int *)a.in, (int *)a.out, (int *)a.out2, (int *)a.out3,
                                        (unsigned *)a.number, n, Even(), Third());
  });
  checkSame("the first of three parts", a.out, taken);
  checkSame("the second of three parts", a.out2, thirds);
  checkSame("the third of three parts", a.out3, others);
  DeviceArray<int> which(padded(places(n)));
  run([&](void *memory, size_t &bytes) {
    return rocprim::unique_by_key(memory, bytes, (int *)a.keys, (int *)which, (int *)a.out, (int *)a.out2,
                                  (unsigned *)a.number, n);
  });
  const Runs<int> runs(a.few);
  checkSame("the keys of unique_by_key", a.out, runs.values);
  checkSame("the values of unique_by_key", a.out2, runs.starts);
#endif
  checkRuns("short runs", a, a.few);
  for (size_t i = 0; i < n; ++i)
    a.few[i] = static_cast<int>(i / 64 + (i % 64 > i / 64 % 64));
  checkRuns("long runs", a, a.few);
}

void sorts(size_t n) {
  Arrays a(n);
  const auto byPart = [&](int x, int y) { return (a.values[x] >> 4 & 63) < (a.values[y] >> 4 & 63); };
  std::vector<int> order = places(n), expected(n);
  DeviceArray<int> which(padded(order)), whichOut(n + 1);
  std::stable_sort(order.begin(), order.end(), byPart);
  DeviceArray<int> keys(padded(a.values));
  rocprim::double_buffer<int> keyBuffers(keys, a.out), placeBuffers(which, whichOut);
  run([&](void *memory, size_t &bytes) {
    return rocprim::radix_sort_pairs(memory, bytes, keyBuffers, placeBuffers, n, 4, 10);
  });
  expected.resize(n + 1);
  if (n > 0) {
    HIP_CHECK(hipMemcpy(expected.data(), placeBuffers.current(), n * sizeof(int), hipMemcpyDeviceToHost));
    checkSame("radix_sort_pairs by bits 4 to 9, in two buffers", expected, order);
  }
  order = places(n);
  DeviceArray<int> again(padded(order));
  std::stable_sort(order.begin(), order.end(), [&](int x, int y) { return a.values[x] > a.values[y]; });
  run([&](void *memory, size_t &bytes) {
    return rocprim::merge_sort(memory, bytes, (int *)a.in, (int *)a.out, (int *)again, (int *)a.out2, n,
                               rocprim::greater<int>());
  });
  checkSame("merge_sort of pairs", a.out2, order);
  // Doubles with both zeros, infinities and numbers that are not normal.
  const double special[] = {0.0, -0.0, INFINITY, -INFINITY, 5e-324, -5e-324, 1e308};
  std::vector<double> numbers(n);
  for (size_t i = 0; i < n; ++i)
    numbers[i] = i % 11 < 7 ? special[i % 11] : a.values[i] * 0.37;
  DeviceArray<double> in(padded(numbers)), out(n + 1);
  run([&](void *memory, size_t &bytes) {
    return rocprim::radix_sort_keys_desc(memory, bytes, (double *)in, (double *)out, n);
  });
  std::sort(numbers.begin(), numbers.end(), std::greater<double>());
  checkSame("radix_sort_keys_desc of doubles", out, numbers);
  // Pairs are merged from two sorted parts, with equal keys of the first part first.
  std::vector<int> left(a.few.begin(), a.few.begin() + n / 3), right(a.few.begin() + n / 3, a.few.end());
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  std::vector<std::pair<int, int>> leftPairs, rightPairs, merged;
  for (size_t i = 0; i < left.size(); ++i)
    leftPairs.emplace_back(left[i], static_cast<int>(i));
  for (size_t i = 0; i < right.size(); ++i)
    rightPairs.emplace_back(right[i], static_cast<int>(left.size() + i));
  std::merge(leftPairs.begin(), leftPairs.end(), rightPairs.begin(), rightPairs.end(), std::back_inserter(merged),
             [](const auto &x, const auto &y) { return x.first < y.first; });
  std::vector<int> mergedPlaces;
  for (const auto &pair : merged)
    mergedPlaces.push_back(pair.second);
  DeviceArray<int> first(padded(left)), second(padded(right)), from(padded(places(n)));
  run([&](void *memory, size_t &bytes) {
    return rocprim::merge(memory, bytes, (int *)first, (int *)second, (int *)a.out, (int *)from,
                          (int *)from + left.size(), (int *)a.out2, left.size(), right.size(), rocprim::less<int>());
  });
  checkSame("merge of pairs", a.out2, mergedPlaces);
}

void searches(size_t n) {
  if (n == 0)
    return;
  Arrays a(n);
  std::vector<int> sorted = a.values, upper, found;
  std::sort(sorted.begin(), sorted.end());
  for (int value : a.few) {
    upper.push_back(static_cast<int>(std::upper_bound(sorted.begin(), sorted.end(), value) - sorted.begin()));
    found.push_back(std::binary_search(sorted.begin(), sorted.end(), value));
  }
  DeviceArray<int> haystack(sorted);
  run([&](void *memory, size_t &bytes) {
    return rocprim::upper_bound(memory, bytes, (int *)haystack, (int *)a.keys, (int *)a.out, n, n,
                                rocprim::less<int>());
  });
  checkSame("upper_bound", a.out, upper);
  run([&](void *memory, size_t &bytes) {
    return rocprim::binary_search(memory, bytes, (int *)haystack, (int *)a.keys, (int *)a.out, n, n,
                                  rocprim::less<int>());
  });
  checkSame("binary_search", a.out, found);
}

void histograms(size_t n) {
  if (n == 0)
    return;
  Arrays a(n);
  const std::vector<int> levels = {-500, -400, -10, 0, 1, 250, 400};
  std::vector<unsigned> expected(levels.size() - 1), even(10), odd(4);
  for (size_t i = 0; i < n; ++i) {
    const auto bin = std::upper_bound(levels.begin(), levels.end(), a.values[i]) - levels.begin() - 1;
    if (bin >= 0 && bin < static_cast<std::ptrdiff_t>(expected.size()))
      ++expected[bin];
    const int shifted = a.values[i] + 500;
    if (i % 3 == 0 && i / 3 < n / 3)
      ++even[shifted / 100];
    if (i % 3 == 1 && i / 3 < n / 3)
      ++odd[shifted / 250];
  }
  DeviceArray<int> deviceLevels(levels);
  DeviceArray<unsigned> counts(16), counts2(16);
  run([&](void *memory, size_t &bytes) {
    return rocprim::histogram_range(memory, bytes, (int *)a.in, static_cast<unsigned>(n), (unsigned *)counts,
                                    static_cast<unsigned>(levels.size()), (int *)deviceLevels);
  });
  checkSame("histogram_range", counts, expected);
  if (n < 3)
    return;
  unsigned *histograms[] = {counts, counts2}, sizes[] = {11, 5};
  int lower[] = {-500, -500}, higher[] = {500, 500};
  run([&](void *memory, size_t &bytes) { // two of the three channels of a pixel
    return rocprim::multi_histogram_even<3, 2>(memory, bytes, (int *)a.in, static_cast<unsigned>(n / 3), histograms,
                                               sizes, lower, higher);
  });
  checkSame("the first channel's histogram", counts, even);
  checkSame("the second channel's histogram", counts2, odd);
}

void segments(size_t n) {
  Arrays a(n);
  const std::vector<int> borders = segmentBorders(n);
  const unsigned count = static_cast<unsigned>(borders.size()) - 1;
  std::vector<int> scanned(n), order = places(n);
  DeviceArray<int> which(padded(order)), edges(borders);
  for (unsigned i = 0; i < count; ++i) {
    const int first = borders[i], last = borders[i + 1];
    std::exclusive_scan(a.values.begin() + first, a.values.begin() + last, scanned.begin() + first, 9, Plus());
    std::stable_sort(order.begin() + first, order.begin() + last,
                     [&](int x, int y) { return a.values[x] > a.values[y]; });
  }
  run([&](void *memory, size_t &bytes) {
    return rocprim::segmented_exclusive_scan(memory, bytes, (int *)a.in, (int *)a.out, count, (int *)edges,
                                             (int *)edges + 1, 9, Plus());
  });
  checkSame("segmented_exclusive_scan", a.out, scanned);
  run([&](void *memory, size_t &bytes) {
    return rocprim::segmented_radix_sort_pairs_desc(memory, bytes, (int *)a.in, (int *)a.out, (int *)which,
                                                    (int *)a.out2, static_cast<unsigned>(n), count, (int *)edges,
                                                    (int *)edges + 1);
  });
  checkSame("segmented_radix_sort_pairs_desc", a.out2, order);
  std::vector<int> heads(n), running(n);
  for (size_t i = 0; i < n; ++i) {
    heads[i] = i == 0 || i % 37 == 5;
    running[i] = heads[i] ? a.values[i] : running[i - 1] + a.values[i];
  }
  DeviceArray<int> flags(padded(heads));
  run([&](void *memory, size_t &bytes) {
    return rocprim::segmented_inclusive_scan(memory, bytes, (int *)a.in, (int *)a.out, (int *)flags, n, Plus());
  });
  checkSame("segmented_inclusive_scan by flags", a.out, running);
}

void iterators(size_t n) {
  Arrays a(n);
  std::vector<int> expected(n);
  rocprim::counting_iterator<int> counting(3);
  const auto twice = rocprim::make_transform_iterator(counting, Twice());
  run([&](void *memory, size_t &bytes) {
    return rocprim::inclusive_scan(memory, bytes, twice, (int *)a.out, n, Plus());
  });
  for (size_t i = 0; i < n; ++i)
    expected[i] = (i ? expected[i - 1] : 0) + 2 * (3 + static_cast<int>(i));
  checkSame("a scan of transformed numbers", a.out, expected);
  run([&](void *memory, size_t &bytes) {
    return rocprim::reduce_by_key(memory, bytes, (int *)a.keys, rocprim::make_constant_iterator(5), n,
                                  rocprim::make_discard_iterator(), (int *)a.out, (unsigned *)a.number, Plus());
  });
  const Runs<int> runs(a.few);
  std::vector<int> sums;
  for (int length : runs.lengths)
    sums.push_back(5 * length);
  checkSame("reduce_by_key of constants", a.out, sums);
  HIP_CHECK(rocprim::transform(rocprim::make_zip_iterator(rocprim::make_tuple((int *)a.in, (int *)a.keys)),
                               rocprim::make_reverse_iterator((int *)a.out + n), n,
                               [] __device__(const rocprim::tuple<int, int> &both) {
                                 return rocprim::get<0>(both) * 10 + rocprim::get<1>(both);
                               }));
  for (size_t i = 0; i < n; ++i)
    expected[n - 1 - i] = a.values[i] * 10 + a.few[i];
  checkSame("a transform of pairs, backwards", a.out, expected);
  if (n == 0)
    return;
  typedef rocprim::arg_index_iterator<int *> Indexed;
  DeviceArray<Indexed::value_type> largest(1);
  run([&](void *memory, size_t &bytes) {
    return rocprim::reduce(memory, bytes, Indexed(a.in), (Indexed::value_type *)largest, n, Larger());
  });
  const auto place = std::max_element(a.values.begin(), a.values.end());
  CHECK_EQ(largest.host()[0].key, static_cast<std::ptrdiff_t>(place - a.values.begin()));
  CHECK_EQ(largest.host()[0].value, *place);
  rocprim::texture_cache_iterator<int> texture;
  HIP_CHECK(texture.bind_texture((int *)a.in, n * sizeof(int)));
  HIP_CHECK(rocprim::transform(texture, (int *)a.out, n, Twice()));
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(texture.unbind_texture());
  std::transform(a.values.begin(), a.values.end(), expected.begin(), Twice());
  checkSame("a transform of a texture", a.out, expected);
}

#ifdef SINCE_ROCM_6_3
void orders(size_t n) {
  if (n == 0)
    return;
  Arrays a(n);
  std::vector<int> sorted = a.values;
  std::sort(sorted.begin(), sorted.end());
  for (size_t nth : {size_t(0), n / 3, n - 1}) {
    run([&](void *memory, size_t &bytes) {
      return rocprim::nth_element(memory, bytes, (int *)a.in, (int *)a.out, nth, n);
    });
    std::vector<int> found = a.out.host();
    found.resize(n);
    CHECK_EQ(found[nth], sorted[nth]);
    std::sort(found.begin(), found.begin() + nth);
    std::sort(found.begin() + nth, found.end());
    checkSame("nth_element", found, sorted);
    run([&](void *memory, size_t &bytes) {
      return rocprim::partial_sort_copy(memory, bytes, (int *)a.in, (int *)a.out, nth, n);
    });
    checkSame("partial_sort_copy", a.out, std::vector<int>(sorted.begin(), sorted.begin() + nth));
  }
}

// Not adjacent_find: the first thread of a block overwrites the number of the tile in shared memory, which the other threads are about
// to read (the union in detail/device_adjacent_find.hpp).
void occurrences(size_t n) {
  if (n < 31)
    return;
  Arrays a(n);
  const auto checkPlace = [&](const char *what, std::vector<int>::const_iterator place) {
    checkSame(what, a.out, {static_cast<int>(place - a.few.begin())});
  };
  const std::vector<int> pattern(a.few.begin() + n / 2, a.few.begin() + n / 2 + 9), some = {1000, 1};
  DeviceArray<int> devicePattern(pattern), deviceSome(some), one(std::vector<int>{1});
  run([&](void *memory, size_t &bytes) {
    return rocprim::search(memory, bytes, (int *)a.keys, (int *)devicePattern, (int *)a.out, n, pattern.size());
  });
  checkPlace("search", std::search(a.few.begin(), a.few.end(), pattern.begin(), pattern.end()));
  run([&](void *memory, size_t &bytes) {
    return rocprim::find_end(memory, bytes, (int *)a.keys, (int *)devicePattern, (int *)a.out, n, pattern.size());
  });
  checkPlace("find_end", std::find_end(a.few.begin(), a.few.end(), pattern.begin(), pattern.end()));
  run([&](void *memory, size_t &bytes) {
    return rocprim::find_first_of(memory, bytes, (int *)a.keys, (int *)deviceSome, (int *)a.out, n, some.size());
  });
  checkPlace("find_first_of", std::find_first_of(a.few.begin(), a.few.end(), some.begin(), some.end()));
  run([&](void *memory, size_t &bytes) {
    return rocprim::search_n(memory, bytes, (int *)a.keys, (int *)a.out, n, 4, (const int *)(int *)one);
  });
  checkPlace("search_n", std::search_n(a.few.begin(), a.few.end(), 4, 1));
}

/// Keys of 128 bits, in two parts that a decomposer names.
struct Key128 {
  std::uint64_t high, low;
  friend __host__ __device__ bool operator==(const Key128 &a, const Key128 &b) {
    return a.high == b.high && a.low == b.low;
  }
};
struct Parts {
  __host__ __device__ rocprim::tuple<std::uint64_t &, std::uint64_t &> operator()(Key128 &key) const {
    return rocprim::tuple<std::uint64_t &, std::uint64_t &>(key.high, key.low);
  }
};

void wideKeys(size_t n) {
  std::mt19937_64 random(n);
  std::vector<Key128> values(n);
  for (Key128 &value : values)
    value = {random() % 5 << 40, random()};
  std::vector<int> order = places(n);
  DeviceArray<Key128> in(padded(values)), out(n + 1);
  DeviceArray<int> which(padded(order)), whichOut(n + 1);
  run([&](void *memory, size_t &bytes) {
    return rocprim::radix_sort_pairs(memory, bytes, (Key128 *)in, (Key128 *)out, (int *)which, (int *)whichOut, n,
                                     Parts());
  });
  const auto less = [](const Key128 &x, const Key128 &y) {
    return x.high < y.high || (x.high == y.high && x.low < y.low);
  };
  std::stable_sort(order.begin(), order.end(), [&](int x, int y) { return less(values[x], values[y]); });
  checkSame("radix_sort_pairs of 128 bits", whichOut, order);
  std::sort(values.begin(), values.end(), less);
  checkSame("the keys of radix_sort_pairs of 128 bits", out, values);
}

void copies(size_t n) {
  Arrays a(n);
  const std::vector<int> borders = segmentBorders(n);
  const size_t count = borders.size() - 1;
  std::vector<int *> from, to;
  std::vector<size_t> sizes;
  for (size_t i = 0, end = n; i < count; ++i) { // the pieces in reverse order
    const size_t size = borders[i + 1] - borders[i];
    from.push_back((int *)a.in + borders[i]);
    to.push_back((int *)a.out + (end -= size));
    sizes.push_back(size * sizeof(int));
  }
  DeviceArray<int *> sources(from), targets(to);
  DeviceArray<size_t> lengths(sizes);
  run([&](void *memory, size_t &bytes) {
    return rocprim::batch_memcpy(memory, bytes, (int **)sources, (int **)targets, (size_t *)lengths,
                                 static_cast<uint32_t>(count));
  });
  std::vector<int> expected;
  for (size_t i = count; i-- > 0;)
    expected.insert(expected.end(), a.values.begin() + borders[i], a.values.begin() + borders[i + 1]);
  checkSame("batch_memcpy", a.out, expected);
}
#endif

} // namespace

#define FOR_SIZES(name, function)                                                                                      \
  TEST(name) {                                                                                                         \
    for (size_t n : kSizes)                                                                                            \
      function(n);                                                                                                     \
  }
FOR_SIZES(forms, forms)
FOR_SIZES(chosen, chosen)
FOR_SIZES(sorts, sorts)
FOR_SIZES(searches, searches)
FOR_SIZES(histograms, histograms)
FOR_SIZES(segments, segments)
FOR_SIZES(iterators, iterators)
#ifdef SINCE_ROCM_6_3
FOR_SIZES(orders, orders)
FOR_SIZES(occurrences, occurrences)
FOR_SIZES(wideKeys, wideKeys)
FOR_SIZES(copies, copies)
#endif

int main(int argc, char **argv) { return runTests(argc, argv); }
