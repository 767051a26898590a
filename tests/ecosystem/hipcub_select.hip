// SPDX-License-Identifier: MIT
// hipCUB's device-wide choices: selection, partition, runs, differences of neighbours, histograms, and the product of a sparse
// matrix and a vector, against plain loops.
#include "tests/ecosystem/algorithms.h"

#include <hipcub/hipcub.hpp>
#include <rocprim/rocprim_version.hpp>

namespace {

struct Small {
  template <class T> __host__ __device__ bool operator()(const T &value) const { return value < T(-20); }
};

/// The chosen elements in order, then the others in reverse order.
template <class T, class Chosen> std::vector<T> partitioned(const std::vector<T> &values, Chosen chosen) {
  std::vector<T> result;
  for (size_t i = 0; i < values.size(); ++i)
    if (chosen(i))
      result.push_back(values[i]);
  for (size_t i = values.size(); i-- > 0;)
    if (!chosen(i))
      result.push_back(values[i]);
  return result;
}

template <class T> void choices(size_t n) {
  const int count = static_cast<int>(n);
  const std::vector<T> values = numbers<T>(n, 100, 1 + n);
  const std::vector<std::uint8_t> flags = numbers<std::uint8_t>(n, 2, 2 + n);
  std::vector<T> positive, flagged;
  for (size_t i = 0; i < n; ++i) {
    if (Positive()(values[i]))
      positive.push_back(values[i]);
    if (flags[i])
      flagged.push_back(values[i]);
  }
  DeviceArray<T> in(padded(values)), out(n + 1), out2(n + 1), out3(n + 1);
  DeviceArray<std::uint8_t> deviceFlags(padded(flags));
  DeviceArray<int> number(2);
  const auto checkNumber = [&](const char *what, const std::vector<T> &chosen) {
    checkSame(what, number, {static_cast<int>(chosen.size())});
  };
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceSelect::If(memory, bytes, (T *)in, (T *)out, (int *)number, count, Positive());
  });
  checkSame("Select::If", out, positive);
  checkNumber("the number of Select::If", positive);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceSelect::Flagged(memory, bytes, (T *)in, (std::uint8_t *)deviceFlags, (T *)out, (int *)number,
                                         count);
  });
  checkSame("Select::Flagged", out, flagged);
  checkNumber("the number of Select::Flagged", flagged);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DevicePartition::If(memory, bytes, (T *)in, (T *)out, (int *)number, count, Positive());
  });
  checkSame("Partition::If", out, partitioned(values, [&](size_t i) { return Positive()(values[i]); }));
  checkNumber("the number of Partition::If", positive);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DevicePartition::Flagged(memory, bytes, (T *)in, (std::uint8_t *)deviceFlags, (T *)out,
                                            (int *)number, count);
  });
  checkSame("Partition::Flagged", out, partitioned(values, [&](size_t i) { return flags[i] != 0; }));
  checkNumber("the number of Partition::Flagged", flagged);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DevicePartition::If(memory, bytes, (T *)in, (T *)out, (T *)out2, (T *)out3, (int *)number, count,
                                       Positive(), Small());
  });
  std::vector<T> small, rest;
  for (const T &value : values)
    if (!Positive()(value))
      (Small()(value) ? small : rest).push_back(value);
  checkSame("the first of three parts", out, positive);
  checkSame("the second of three parts", out2, small);
  checkSame("the third of three parts", out3, rest);
  checkSame("the sizes of the parts", number, {static_cast<int>(positive.size()), static_cast<int>(small.size())});
}

template <class T> void runsOf(size_t n) {
  const int count = static_cast<int>(n);
  const std::vector<T> values = numbers<T>(n, 3, 3 + n);
  const Runs<T> runs(values);
  std::vector<int> longStarts, longLengths;
  std::vector<int> firsts;
  for (size_t r = 0; r < runs.values.size(); ++r) {
    firsts.push_back(runs.starts[r]);
    if (runs.lengths[r] > 1) {
      longStarts.push_back(runs.starts[r]);
      longLengths.push_back(runs.lengths[r]);
    }
  }
  std::vector<int> places(n);
  std::iota(places.begin(), places.end(), 0);
  DeviceArray<T> in(padded(values)), out(n + 1);
  DeviceArray<int> lengths(n + 1), starts(n + 1), number(1), devicePlaces(padded(places));
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceSelect::Unique(memory, bytes, (T *)in, (T *)out, (int *)number, count);
  });
  checkSame("Unique", out, runs.values);
  checkSame("the number of Unique", number, {static_cast<int>(runs.values.size())});
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceSelect::UniqueByKey(memory, bytes, (T *)in, (int *)devicePlaces, (T *)out, (int *)starts,
                                             (int *)number, count);
  });
  checkSame("the keys of UniqueByKey", out, runs.values);
  checkSame("UniqueByKey", starts, firsts);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceRunLengthEncode::Encode(memory, bytes, (T *)in, (T *)out, (int *)lengths, (int *)number,
                                                 count);
  });
  checkSame("the values of Encode", out, runs.values);
  checkSame("Encode", lengths, runs.lengths);
  checkSame("the number of Encode", number, {static_cast<int>(runs.values.size())});
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceRunLengthEncode::NonTrivialRuns(memory, bytes, (T *)in, (int *)starts, (int *)lengths,
                                                         (int *)number, count);
  });
  checkSame("the starts of NonTrivialRuns", starts, longStarts);
  checkSame("NonTrivialRuns", lengths, longLengths);
  checkSame("the number of NonTrivialRuns", number, {static_cast<int>(longStarts.size())});
}

template <class T> void differences(size_t n) {
  const std::vector<T> values = numbers<T>(n, 100, 4 + n);
  std::vector<T> left = values, right = values;
  for (size_t i = 1; i < n; ++i) {
    left[i] = Difference()(values[i], values[i - 1]);
    right[i - 1] = Difference()(values[i - 1], values[i]);
  }
  DeviceArray<T> in(padded(values)), out(n + 1);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceAdjacentDifference::SubtractLeftCopy(memory, bytes, (T *)in, (T *)out, n, Difference());
  });
  checkSame("SubtractLeftCopy", out, left);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceAdjacentDifference::SubtractRight(memory, bytes, (T *)in, n, Difference());
  });
  checkSame("SubtractRight", in, right);
}

template <class T> void histograms(size_t n) {
  const int count = static_cast<int>(n);
  const std::vector<T> values = numbers<T>(4 * n, 100, 5 + n);
  // Levels from -40 to 40: what is outside counts nowhere. Unsigned bytes have no negative numbers.
  const int low = std::is_unsigned_v<T> ? 10 : -40, high = low + 80;
  const std::vector<T> levels = {T(low), T(low + 1), T(low + 30), T(low + 31), T(high)};
  std::vector<int> even(16), range(4);
  std::vector<std::vector<int>> channels(3, std::vector<int>(16));
  for (size_t i = 0; i < n; ++i) {
    const auto bin = [&](T value) { return static_cast<size_t>((static_cast<double>(value) - low) / 5); };
    const auto inside = [&](T value) { return value >= T(low) && value < T(high); };
    if (inside(values[i])) {
      ++even[bin(values[i])];
      ++range[std::upper_bound(levels.begin(), levels.end(), values[i]) - levels.begin() - 1];
    }
    for (size_t channel = 0; channel < 3; ++channel)
      if (inside(values[4 * i + channel]))
        ++channels[channel][bin(values[4 * i + channel])];
  }
  DeviceArray<T> in(padded(values)), edges(levels);
  DeviceArray<int> out(16), out2(16), out3(16);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceHistogram::HistogramEven(memory, bytes, (T *)in, (int *)out, 17, T(low), T(high), count);
  });
  checkSame("HistogramEven", out, even);
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceHistogram::HistogramRange(memory, bytes, (T *)in, (int *)out, 5, (T *)edges, count);
  });
  checkSame("HistogramRange", out, range);
  int *histogram[3] = {out, out2, out3};
  int levelCounts[3] = {17, 17, 17};
  T lows[3] = {T(low), T(low), T(low)}, highs[3] = {T(high), T(high), T(high)};
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceHistogram::MultiHistogramEven<4, 3>(memory, bytes, (T *)in, histogram, levelCounts, lows,
                                                             highs, count);
  });
  for (int channel = 0; channel < 3; ++channel) {
    std::vector<int> found(16);
    HIP_CHECK(hipMemcpy(found.data(), histogram[channel], 16 * sizeof(int), hipMemcpyDefault));
    checkSame("MultiHistogramEven", found, channels[channel]);
  }
}

/// A sparse matrix with rows of different lengths, some of them empty.
template <class T> void sparse(int rows, int columns) {
  std::vector<int> offsets = {0}, indices;
  for (int row = 0; row < rows; ++row) {
    for (int entry = 0; entry < row * 7 % 40; ++entry)
      indices.push_back((row * 13 + entry * 3) % columns);
    offsets.push_back(static_cast<int>(indices.size()));
  }
  const std::vector<T> values = numbers<T>(indices.size(), 10, rows), x = numbers<T>(columns, 10, columns);
  std::vector<T> expected(rows);
  for (int row = 0; row < rows; ++row)
    for (int i = offsets[row]; i < offsets[row + 1]; ++i)
      expected[row] += values[i] * x[indices[i]];
  DeviceArray<T> deviceValues(padded(values)), deviceX(x), y(rows);
  DeviceArray<int> deviceOffsets(offsets), deviceIndices(padded(indices));
  run([&](void *memory, size_t &bytes) {
    return hipcub::DeviceSpmv::CsrMV(memory, bytes, (T *)deviceValues, (int *)deviceOffsets, (int *)deviceIndices,
                                     (T *)deviceX, (T *)y, rows, columns, static_cast<int>(indices.size()));
  });
  checkSame("CsrMV", y, expected);
}

} // namespace

TEST(choices) {
  for (size_t n : kSizes) {
    choices<int>(n);
    choices<Wide>(n);
    choices<std::int64_t>(n);
  }
}
TEST(runs) {
  for (size_t n : kSizes) {
    runsOf<int>(n);
    runsOf<std::uint8_t>(n);
    runsOf<double>(n);
  }
}
TEST(differences) {
  for (size_t n : kSizes) {
    differences<int>(n);
    differences<float>(n);
  }
}
TEST(histograms) {
  for (size_t n : kSizes)
    if (n != 0) {
      histograms<int>(n);
      histograms<float>(n);
      histograms<std::uint8_t>(n);
    }
}
TEST(sparseMatrix) {
  sparse<float>(1, 1);
  sparse<double>(1000, 300);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
