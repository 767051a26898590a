// SPDX-License-Identifier: MIT
// hipCUB's device-wide reductions and scans, plain, by key and by segment, against the C++ standard library.
#include "tests/ecosystem/algorithms.h"

#include <hipcub/hipcub.hpp>

namespace {

template <class T> void reductions(size_t n) {
  const std::vector<T> values = numbers<T>(n, 100, 1 + n);
  DeviceArray<T> in(padded(values)), out(1);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceReduce::Sum(memory, bytes, (T *)in, (T *)out, static_cast<int>(n));
  });
  checkSame("Sum", out, {std::accumulate(values.begin(), values.end(), T(0), Plus())});
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceReduce::Reduce(memory, bytes, (T *)in, (T *)out, static_cast<int>(n), Plus(), T(3));
  });
  checkSame("Reduce", out, {std::accumulate(values.begin(), values.end(), T(3), Plus())});
  if (n == 0)
    return;
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceReduce::Min(memory, bytes, (T *)in, (T *)out, static_cast<int>(n));
  });
  checkSame("Min", out, {*std::min_element(values.begin(), values.end())});
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceReduce::Max(memory, bytes, (T *)in, (T *)out, static_cast<int>(n));
  });
  checkSame("Max", out, {*std::max_element(values.begin(), values.end())});
  DeviceArray<hipcub::KeyValuePair<int, T>> place(1);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceReduce::ArgMin(memory, bytes, (T *)in, (hipcub::KeyValuePair<int, T> *)place,
                                        static_cast<int>(n));
  });
  CHECK_EQ(place.host()[0].key, std::min_element(values.begin(), values.end()) - values.begin());
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceReduce::ArgMax(memory, bytes, (T *)in, (hipcub::KeyValuePair<int, T> *)place,
                                        static_cast<int>(n));
  });
  CHECK_EQ(place.host()[0].key, std::max_element(values.begin(), values.end()) - values.begin());
}

template <class T> void scans(size_t n) {
  const int count = static_cast<int>(n);
  const std::vector<T> values = numbers<T>(n, 100, 2 + n);
  std::vector<T> expected(n);
  DeviceArray<T> in(padded(values)), out(n + 1);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceScan::InclusiveScan(memory, bytes, (T *)in, (T *)out, Plus(), count);
  });
  std::inclusive_scan(values.begin(), values.end(), expected.begin(), Plus());
  checkSame("InclusiveScan", out, expected);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceScan::ExclusiveScan(memory, bytes, (T *)in, (T *)out, Plus(), T(7), count);
  });
  std::exclusive_scan(values.begin(), values.end(), expected.begin(), T(7), Plus());
  checkSame("ExclusiveScan", out, expected);
  if constexpr (std::is_arithmetic_v<T>) {
    run([&](void *memory, size_t &bytes) {
      return hipcub::DeviceScan::ExclusiveSum(memory, bytes, (T *)in, (T *)out, count);
    });
    std::exclusive_scan(values.begin(), values.end(), expected.begin(), T(0), Plus());
    checkSame("ExclusiveSum", out, expected);
    run([&](void *memory, size_t &bytes) { // in place
      return hipcub::DeviceScan::InclusiveSum(memory, bytes, (T *)in, (T *)in, count);
    });
    std::inclusive_scan(values.begin(), values.end(), expected.begin(), Plus());
    checkSame("InclusiveSum", in, expected);
  }
}

template <class T> void byKey(size_t n) {
  const int count = static_cast<int>(n);
  const std::vector<int> keys = numbers<int>(n, 3, 3 + n);
  const std::vector<T> values = numbers<T>(n, 100, 4 + n);
  const Runs<int> runs(keys);
  std::vector<T> sums, running(n), before(n);
  for (size_t r = 0; r < runs.values.size(); ++r) {
    const auto first = values.begin() + runs.starts[r], last = first + runs.lengths[r];
    sums.push_back(std::accumulate(first + 1, last, *first, Plus()));
    std::inclusive_scan(first, last, running.begin() + runs.starts[r], Plus());
    std::exclusive_scan(first, last, before.begin() + runs.starts[r], T(5), Plus());
  }
  DeviceArray<int> deviceKeys(padded(keys)), heads(n + 1), number(1);
  DeviceArray<T> in(padded(values)), out(n + 1);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceReduce::ReduceByKey(memory, bytes, (int *)deviceKeys, (int *)heads, (T *)in, (T *)out,
                                             (int *)number, Plus(), count);
  });
  checkSame("the keys of ReduceByKey", heads, runs.values);
  checkSame("ReduceByKey", out, sums);
  checkSame("the number of keys", number, {static_cast<int>(sums.size())});
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceScan::InclusiveScanByKey(memory, bytes, (int *)deviceKeys, (T *)in, (T *)out, Plus(), count);
  });
  checkSame("InclusiveScanByKey", out, running);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceScan::ExclusiveScanByKey(memory, bytes, (int *)deviceKeys, (T *)in, (T *)out, Plus(), T(5),
                                                  count);
  });
  checkSame("ExclusiveScanByKey", out, before);
}

template <class T> void segments(size_t n) {
  const std::vector<T> values = numbers<T>(n, 100, 5 + n);
  const std::vector<int> borders = segmentBorders(n);
  const int count = static_cast<int>(borders.size()) - 1;
  std::vector<T> sums;
  std::vector<int> places;
  for (int i = 0; i < count; ++i) {
    const auto first = values.begin() + borders[i], last = values.begin() + borders[i + 1];
    sums.push_back(std::accumulate(first, last, T(0), Plus()));
    places.push_back(first == last ? 1 : static_cast<int>(std::min_element(first, last) - first));
  }
  DeviceArray<int> edges(borders);
  DeviceArray<T> in(padded(values)), out(count);
  DeviceArray<hipcub::KeyValuePair<int, T>> smallest(count);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceSegmentedReduce::Sum(memory, bytes, (T *)in, (T *)out, count, (int *)edges, (int *)edges + 1);
  });
  checkSame("Sum of segments", out, sums);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceSegmentedReduce::ArgMin(memory, bytes, (T *)in, (hipcub::KeyValuePair<int, T> *)smallest,
                                                 count, (int *)edges, (int *)edges + 1);
  });
  std::vector<int> found;
  for (const hipcub::KeyValuePair<int, T> &pair : smallest.host())
    found.push_back(pair.key);
  checkSame("ArgMin of segments", found, places);
}

/// A scan with an operation for which the order matters.
void order(size_t n) {
  const std::vector<unsigned> random = numbers<unsigned>(2 * n, 1 << 30, 6 + n);
  std::vector<Linear> values(n), expected(n);
  for (size_t i = 0; i < n; ++i)
    values[i] = {random[2 * i] | 1, random[2 * i + 1]};
  DeviceArray<Linear> in(padded(values)), out(n + 1);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceScan::InclusiveScan(memory, bytes, (Linear *)in, (Linear *)out, Compose(),
                                             static_cast<int>(n));
  });
  std::inclusive_scan(values.begin(), values.end(), expected.begin(), Compose());
  checkSame("a scan of functions", out, expected);
}

/// The iterators as input and output of a reduction and a scan.
void iterators(size_t n) {
  const int count = static_cast<int>(n);
  DeviceArray<long> sum(1);
  typedef hipcub::CountingInputIterator<long> Counting;
  hipcub::TransformInputIterator<long, Twice, Counting> even(Counting(1), Twice());
  run([&](void *memory, size_t &bytes) { return hipcub::DeviceReduce::Sum(memory, bytes, even, (long *)sum, count); });
  checkSame("Sum of counted numbers", sum, {static_cast<long>(n) * static_cast<long>(n + 1)});
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceReduce::Sum(memory, bytes, hipcub::ConstantInputIterator<long>(7), (long *)sum, count);
  });
  checkSame("Sum of a constant", sum, {7 * static_cast<long>(n)});
  const std::vector<int> values = numbers<int>(n, 100, 7 + n);
  std::vector<int> expected(n);
  DeviceArray<int> in(padded(values)), out(n + 1);
  hipcub::CacheModifiedInputIterator<hipcub::LOAD_LDG, int> read((int *)in);
  hipcub::CacheModifiedOutputIterator<hipcub::STORE_CG, int> written((int *)out);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceScan::InclusiveSum(memory, bytes, read, written, count);
  });
  std::partial_sum(values.begin(), values.end(), expected.begin());
  checkSame("InclusiveSum with cache modifiers", out, expected);
  DeviceArray<int> number(1);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceReduce::ReduceByKey(memory, bytes, (int *)in, hipcub::DiscardOutputIterator<>(), (int *)in,
                                             (int *)out, (int *)number, hipcub::Sum(), count);
  });
  checkSame("the number of runs", number, {static_cast<int>(Runs<int>(values).values.size())});
}

template <class... Types> void allTypes(size_t n) {
  (reductions<Types>(n), ...);
  (scans<Types>(n), ...);
}

} // namespace

TEST(reductionsAndScans) {
  for (size_t n : kSizes)
    allTypes<int, float, double, std::uint8_t, std::int64_t>(n);
}
TEST(structures) {
  for (size_t n : kSizes) {
    scans<Wide>(n);
    byKey<Wide>(n);
    order(n);
  }
}
TEST(byKey) {
  for (size_t n : kSizes) {
    byKey<int>(n);
    byKey<double>(n);
  }
}
TEST(segments) {
  for (size_t n : kSizes) {
    segments<int>(n);
    segments<double>(n);
  }
}
TEST(iterators) {
  for (size_t n : kSizes)
    iterators(n);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
