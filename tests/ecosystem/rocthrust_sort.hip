// SPDX-License-Identifier: MIT
// rocThrust's algorithms of order: sorts, sets, searches, and those that leave elements out, against the C++ standard library.
#include "tests/ecosystem/algorithms.h"

#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

namespace {

/// The values written up to `end`.
template <class T, class Iterator> std::vector<T> upTo(const thrust::device_vector<T> &vector, Iterator end) {
  std::vector<T> host(end - vector.begin());
  thrust::copy(vector.begin(), vector.begin() + host.size(), host.begin());
  return host;
}
template <class T> std::vector<T> all(const thrust::device_vector<T> &vector) { return upTo(vector, vector.end()); }

template <class T> void sorts(size_t n) {
  const std::vector<T> values = numbers<T>(n, 5000, 1 + n);
  std::vector<T> expected = values;
  std::vector<int> places(n), order(n);
  std::iota(places.begin(), places.end(), 0);
  order = places;
  std::stable_sort(expected.begin(), expected.end());
  std::stable_sort(order.begin(), order.end(), [&](int x, int y) { return values[x] < values[y]; });
  thrust::device_vector<T> keys(values.begin(), values.end());
  thrust::device_vector<int> items(places.begin(), places.end());
  thrust::stable_sort_by_key(keys.begin(), keys.end(), items.begin());
  checkSame("the keys of stable_sort_by_key", all(keys), expected);
  checkSame("stable_sort_by_key", all(items), order);
  CHECK(thrust::is_sorted(keys.begin(), keys.end()));
  keys.assign(values.begin(), values.end());
  std::stable_sort(expected.begin(), expected.end(), [](const T &a, const T &b) { return b < a; });
  thrust::stable_sort(keys.begin(), keys.end(), thrust::greater<T>());
  checkSame("stable_sort, the largest first", all(keys), expected);
}

/// A sort of tuples by a functor, which is a merge sort.
void sortTuples(size_t n) {
  const std::vector<int> first = numbers<int>(n, 20, 2 + n), second = numbers<int>(n, 1000, 3 + n);
  thrust::device_vector<int> a(first.begin(), first.end()), b(second.begin(), second.end());
  const auto zipped = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
  thrust::sort(zipped, zipped + n);
  std::vector<std::pair<int, int>> pairs(n);
  for (size_t i = 0; i < n; ++i)
    pairs[i] = {first[i], second[i]};
  std::sort(pairs.begin(), pairs.end());
  std::vector<int> expected(n);
  std::transform(pairs.begin(), pairs.end(), expected.begin(), [](const auto &pair) { return pair.second; });
  checkSame("a sort of tuples", all(b), expected);
}

template <class T> void choices(size_t n) {
  const std::vector<T> values = numbers<T>(n, 10, 4 + n);
  const std::vector<int> stencil = numbers<int>(n, 2, 5 + n); // -1 and 0
  std::vector<T> expected;
  thrust::device_vector<T> in(values.begin(), values.end()), out(n);
  const thrust::device_vector<int> flags(stencil.begin(), stencil.end());
  auto end = thrust::copy_if(in.begin(), in.end(), out.begin(), Positive());
  std::copy_if(values.begin(), values.end(), std::back_inserter(expected), Positive());
  checkSame("copy_if", upTo(out, end), expected);
  CHECK_EQ(end - out.begin(), static_cast<std::ptrdiff_t>(expected.size()));
  end = thrust::copy_if(in.begin(), in.end(), flags.begin(), out.begin(), thrust::identity<int>());
  expected.clear();
  for (size_t i = 0; i < n; ++i)
    if (stencil[i])
      expected.push_back(values[i]);
  checkSame("copy_if with a stencil", upTo(out, end), expected);
  end = thrust::unique_copy(in.begin(), in.end(), out.begin());
  expected = Runs<T>(values).values;
  checkSame("unique_copy", upTo(out, end), expected);
  CHECK_EQ(end - out.begin(), static_cast<std::ptrdiff_t>(expected.size()));
  out = in;
  end = thrust::remove_if(out.begin(), out.end(), Positive());
  expected = values;
  expected.erase(std::remove_if(expected.begin(), expected.end(), Positive()), expected.end());
  checkSame("remove_if", upTo(out, end), expected);
  out = in;
  end = thrust::stable_partition(out.begin(), out.end(), Positive());
  expected = values;
  const auto border = std::stable_partition(expected.begin(), expected.end(), Positive());
  CHECK_EQ(end - out.begin(), border - expected.begin());
  checkSame("stable_partition", all(out), expected);
  out = in;
  end = thrust::unique(out.begin(), out.end());
  checkSame("unique", upTo(out, end), Runs<T>(values).values);
}

void byKey(size_t n) {
  const std::vector<int> values = numbers<int>(n, 100, 6 + n), sequence = numbers<int>(n, 3, 7 + n);
  const Runs<int> runs(sequence);
  std::vector<int> sums, running(n);
  for (size_t r = 0; r < runs.values.size(); ++r) {
    const auto first = values.begin() + runs.starts[r], last = first + runs.lengths[r];
    sums.push_back(std::accumulate(first, last, 0));
    std::partial_sum(first, last, running.begin() + runs.starts[r]);
  }
  const thrust::device_vector<int> keys(sequence.begin(), sequence.end()), in(values.begin(), values.end());
  thrust::device_vector<int> heads(n), out(n);
  const auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), in.begin(), heads.begin(), out.begin());
  checkSame("the keys of reduce_by_key", upTo(heads, ends.first), runs.values);
  checkSame("reduce_by_key", upTo(out, ends.second), sums);
  CHECK_EQ(ends.first - heads.begin(), static_cast<std::ptrdiff_t>(sums.size()));
  thrust::reduce_by_key(keys.begin(), keys.end(), in.begin(), thrust::make_discard_iterator(), out.begin());
  checkSame("reduce_by_key without keys", all(out), sums);
  thrust::inclusive_scan_by_key(keys.begin(), keys.end(), in.begin(), out.begin());
  checkSame("inclusive_scan_by_key", all(out), running);
  thrust::adjacent_difference(in.begin(), in.end(), out.begin());
  std::adjacent_difference(values.begin(), values.end(), running.begin());
  checkSame("adjacent_difference", all(out), running);
}

void sets(size_t n) {
  std::vector<int> left = numbers<int>(n, 3000, 8 + n), right = numbers<int>(n / 2 + 3, 3000, 9 + n), expected;
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  const thrust::device_vector<int> a(left.begin(), left.end()), b(right.begin(), right.end());
  thrust::device_vector<int> out(left.size() + right.size());
#define HIPLZ_CHECK_SET(name)                                                                                          \
  do {                                                                                                                 \
    const auto end = thrust::name(a.begin(), a.end(), b.begin(), b.end(), out.begin());                                \
    expected.clear();                                                                                                  \
    std::name(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(expected));                     \
    CHECK_EQ(end - out.begin(), static_cast<std::ptrdiff_t>(expected.size()));                                         \
    checkSame(#name, upTo(out, end), expected);                                                                        \
  } while (0)
  HIPLZ_CHECK_SET(set_union);
  HIPLZ_CHECK_SET(set_intersection);
  HIPLZ_CHECK_SET(set_difference);
  HIPLZ_CHECK_SET(set_symmetric_difference);
  HIPLZ_CHECK_SET(merge);
}

void searches(size_t n) {
  std::vector<int> sorted = numbers<int>(n, 1000, 10 + n);
  const std::vector<int> wanted = numbers<int>(777, 1000, 11 + n);
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> lower, upper, found;
  for (int value : wanted) {
    lower.push_back(static_cast<int>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin()));
    upper.push_back(static_cast<int>(std::upper_bound(sorted.begin(), sorted.end(), value) - sorted.begin()));
    found.push_back(std::binary_search(sorted.begin(), sorted.end(), value));
  }
  const thrust::device_vector<int> in(sorted.begin(), sorted.end()), keys(wanted.begin(), wanted.end());
  thrust::device_vector<int> out(wanted.size());
  thrust::lower_bound(in.begin(), in.end(), keys.begin(), keys.end(), out.begin());
  checkSame("lower_bound", all(out), lower);
  thrust::upper_bound(in.begin(), in.end(), keys.begin(), keys.end(), out.begin());
  checkSame("upper_bound", all(out), upper);
  thrust::binary_search(in.begin(), in.end(), keys.begin(), keys.end(), out.begin());
  checkSame("binary_search", all(out), found);
}

} // namespace

TEST(sorts) {
  for (size_t n : kSizes) {
    sorts<int>(n);
    sorts<double>(n);
    sorts<Wide>(n);
    sortTuples(n);
  }
}
TEST(choices) {
  for (size_t n : kSizes) {
    choices<int>(n);
    choices<std::uint8_t>(n);
  }
}
TEST(byKey) {
  for (size_t n : kSizes)
    byKey(n);
}
TEST(sets) {
  for (size_t n : kSizes)
    sets(n);
}
TEST(searches) {
  for (size_t n : kSizes)
    searches(n);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
