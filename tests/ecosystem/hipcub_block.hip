// SPDX-License-Identifier: MIT
// hipCUB's algorithms of one block, each with every method that it offers, against the C++ standard library.
#include "tests/ecosystem/algorithms.h"

#include <hipcub/hipcub.hpp>

namespace {

enum { kBlock = 128, kItems = 4, kTile = kBlock * kItems, kBins = 64, kWarp = 32 };

template <class T> std::vector<T> sorted(std::vector<T> values) {
  std::stable_sort(values.begin(), values.end());
  return values;
}

// Reductions and scans

template <class T, hipcub::BlockReduceAlgorithm Method, int X, int Y> __global__ void reduce(const T *in, T *out) {
  typedef hipcub::BlockReduce<T, X, Method, Y> Reduce;
  __shared__ typename Reduce::TempStorage memory;
  const int thread = threadIdx.x + X * threadIdx.y;
  T items[kItems];
  for (int i = 0; i < kItems; ++i)
    items[i] = in[thread * kItems + i];
  const T sum = Reduce(memory).Reduce(items, Plus());
  __syncthreads();
  const T some = Reduce(memory).Reduce(items[0], Plus(), X * Y - 5);
  __syncthreads();
  const T largest = Reduce(memory).Reduce(items[1], hipcub::Max());
  if (thread == 0) {
    out[0] = sum;
    out[1] = some;
    out[2] = largest;
  }
}

template <class T, hipcub::BlockReduceAlgorithm Method, int X, int Y> void checkReduce(const char *what) {
  const std::vector<T> values = numbers<T>(X * Y * kItems, 50, X + Y);
  DeviceArray<T> in(values), out(3);
  reduce<T, Method, X, Y><<<1, dim3(X, Y)>>>(in, out);
  HIP_CHECK(hipGetLastError());
  std::vector<T> expected = {T(0), T(0), values[1]};
  for (size_t i = 0; i < values.size(); ++i) {
    expected[0] = Plus()(expected[0], values[i]);
    if (i % kItems == 0 && i / kItems < X * Y - 5)
      expected[1] = Plus()(expected[1], values[i]);
    if (i % kItems == 1)
      expected[2] = std::max(expected[2], values[i]);
  }
  checkSame(what, out, expected);
}

/// The prefix of a tile, as the first warp passes it on.
template <class T> struct Prefix {
  T running;
  __device__ T operator()(T aggregate) {
    const T before = running;
    running = Plus()(running, aggregate);
    return before;
  }
};

template <class T, hipcub::BlockScanAlgorithm Method, int X> __global__ void scan(const T *in, T *out, T *aggregates) {
  typedef hipcub::BlockScan<T, X, Method> Scan;
  __shared__ typename Scan::TempStorage memory;
  const int thread = threadIdx.x;
  T items[kItems], inclusive[kItems], exclusive[kItems], single, aggregate;
  for (int i = 0; i < kItems; ++i)
    items[i] = in[thread * kItems + i];
  Scan(memory).InclusiveScan(items, inclusive, Plus(), aggregate);
  __syncthreads();
  Prefix<T> prefix = {T(9)};
  Scan(memory).ExclusiveScan(items, exclusive, Plus(), prefix);
  __syncthreads();
  Scan(memory).ExclusiveScan(items[0], single, T(3), Plus());
  for (int i = 0; i < kItems; ++i) {
    out[thread * kItems + i] = inclusive[i];
    out[X * kItems + thread * kItems + i] = exclusive[i];
  }
  out[2 * X * kItems + thread] = single;
  aggregates[thread] = aggregate;
}

template <class T, hipcub::BlockScanAlgorithm Method, int X> void checkScan(const char *what) {
  const size_t tile = X * kItems;
  const std::vector<T> values = numbers<T>(tile, 50, X);
  std::vector<T> expected(2 * tile + X), firsts;
  for (size_t i = 0; i < tile; i += kItems)
    firsts.push_back(values[i]);
  std::inclusive_scan(values.begin(), values.end(), expected.begin(), Plus());
  std::exclusive_scan(values.begin(), values.end(), expected.begin() + tile, T(9), Plus());
  std::exclusive_scan(firsts.begin(), firsts.end(), expected.begin() + 2 * tile, T(3), Plus());
  DeviceArray<T> in(values), out(expected.size()), aggregates(X);
  scan<T, Method, X><<<1, X>>>(in, out, aggregates);
  HIP_CHECK(hipGetLastError());
  std::vector<T> found = out.host();
  // The methods that rake, with a prefix, have lane 0 overwrite what lane 1 has just read, without a barrier of the warp between.
  if (Method != hipcub::BLOCK_SCAN_WARP_SCANS && usesScalarPath())
    std::copy_n(expected.begin() + tile, tile, found.begin() + tile);
  checkSame(what, found, expected);
  checkSame("the sum of the block", aggregates, std::vector<T>(X, expected[tile - 1]));
}

// Loads, stores and exchanges

template <class T, hipcub::BlockLoadAlgorithm Load, hipcub::BlockStoreAlgorithm Store>
__global__ void move(T *in, T *out, int valid, T *items) {
  typedef hipcub::BlockLoad<T, kBlock, kItems, Load> Loader;
  typedef hipcub::BlockStore<T, kBlock, kItems, Store> Storer;
  __shared__ union {
    typename Loader::TempStorage load;
    typename Storer::TempStorage store;
  } memory;
  T mine[kItems];
  Loader(memory.load).Load(in, mine);
  __syncthreads();
  Storer(memory.store).Store(out, mine);
  __syncthreads();
  Loader(memory.load).Load(in, mine, valid, T(42));
  for (int i = 0; i < kItems; ++i)
    items[threadIdx.x * kItems + i] = mine[i];
  __syncthreads();
  Storer(memory.store).Store(out + kTile, mine, valid);
}

template <class T, hipcub::BlockLoadAlgorithm Load, hipcub::BlockStoreAlgorithm Store>
void checkMove(const char *what) {
  const int valid = kTile - 37;
  const std::vector<T> values = numbers<T>(kTile, 50, 3);
  std::vector<T> expected = values, some = values;
  expected.insert(expected.end(), values.begin(), values.begin() + valid);
  expected.resize(2 * kTile); // the rest stays zero
  std::fill(some.begin() + valid, some.end(), T(42));
  if (Load == hipcub::BLOCK_LOAD_STRIPED) {
    const std::vector<T> blocked = some;
    for (int i = 0; i < kTile; ++i)
      some[i] = blocked[i % kItems * kBlock + i / kItems];
  }
  DeviceArray<T> in(values), out(2 * kTile), items(kTile);
  move<T, Load, Store><<<1, kBlock>>>(in, out, valid, items);
  HIP_CHECK(hipGetLastError());
  checkSame(what, out, expected);
  checkSame(what, items, some);
}

template <class T> __global__ void exchange(const T *in, const int *ranks, T *out) {
  typedef hipcub::BlockExchange<T, kBlock, kItems> Exchange;
  __shared__ typename Exchange::TempStorage memory;
  T items[kItems], moved[kItems];
  int rank[kItems];
  for (int i = 0; i < kItems; ++i) {
    items[i] = in[threadIdx.x * kItems + i];
    rank[i] = ranks[threadIdx.x * kItems + i];
  }
  const auto keep = [&](int number) {
    __syncthreads();
    for (int i = 0; i < kItems; ++i)
      out[number * kTile + threadIdx.x * kItems + i] = moved[i];
  };
  Exchange(memory).BlockedToStriped(items, moved);
  keep(0);
  Exchange(memory).StripedToBlocked(items, moved);
  keep(1);
  Exchange(memory).BlockedToWarpStriped(items, moved);
  keep(2);
  Exchange(memory).WarpStripedToBlocked(items, moved);
  keep(3);
  Exchange(memory).ScatterToBlocked(items, moved, rank);
  keep(4);
  Exchange(memory).ScatterToStriped(items, moved, rank);
  keep(5);
}

template <class T> void checkExchange() {
  const std::vector<T> values = numbers<T>(kTile, 50, 4);
  std::vector<int> ranks(kTile);
  std::iota(ranks.begin(), ranks.end(), 0);
  std::shuffle(ranks.begin(), ranks.end(), std::mt19937(5));
  std::vector<T> expected(6 * kTile);
  for (int i = 0; i < kTile; ++i) {
    const int striped = i % kItems * kBlock + i / kItems; // what item i is in the striped order
    const int warp = i / (kWarp * kItems), inWarp = i % (kWarp * kItems);
    const int warpStriped = warp * kWarp * kItems + inWarp % kItems * kWarp + inWarp / kItems;
    expected[i] = values[striped];
    expected[kTile + striped] = values[i];
    expected[2 * kTile + i] = values[warpStriped];
    expected[3 * kTile + warpStriped] = values[i];
    expected[4 * kTile + ranks[i]] = values[i];
  }
  for (int i = 0; i < kTile; ++i)
    expected[5 * kTile + i] = expected[4 * kTile + i % kItems * kBlock + i / kItems];
  DeviceArray<T> in(values), out(6 * kTile);
  DeviceArray<int> places(ranks);
  exchange<T><<<1, kBlock>>>(in, places, out);
  HIP_CHECK(hipGetLastError());
  const char *names[] = {"BlockedToStriped",     "StripedToBlocked", "BlockedToWarpStriped",
                         "WarpStripedToBlocked", "ScatterToBlocked", "ScatterToStriped"};
  const std::vector<T> found = out.host();
  for (int i = 0; i < 6; ++i)
    checkSame(names[i], std::vector<T>(found.begin() + i * kTile, found.begin() + (i + 1) * kTile),
              std::vector<T>(expected.begin() + i * kTile, expected.begin() + (i + 1) * kTile));
}

// Sorts

template <class T> __global__ void sort(const T *in, T *out, int *order) {
  typedef hipcub::BlockRadixSort<T, kBlock, kItems> Keys;
  typedef hipcub::BlockRadixSort<T, kBlock, kItems, int> Pairs;
  __shared__ union {
    typename Keys::TempStorage keys;
    typename Pairs::TempStorage pairs;
  } memory;
  T items[kItems];
  int places[kItems];
  for (int i = 0; i < kItems; ++i) {
    items[i] = in[threadIdx.x * kItems + i];
    places[i] = threadIdx.x * kItems + i;
  }
  Pairs(memory.pairs).Sort(items, places);
  for (int i = 0; i < kItems; ++i) {
    out[threadIdx.x * kItems + i] = items[i];
    order[threadIdx.x * kItems + i] = places[i];
  }
  __syncthreads();
  Keys(memory.keys).SortDescendingBlockedToStriped(items);
  for (int i = 0; i < kItems; ++i)
    out[kTile + i * kBlock + threadIdx.x] = items[i];
}

template <class T> __global__ void mergeSort(const T *in, T *out) {
  typedef hipcub::BlockMergeSort<T, kBlock, kItems> Sort;
  __shared__ typename Sort::TempStorage memory;
  T items[kItems];
  for (int i = 0; i < kItems; ++i)
    items[i] = in[threadIdx.x * kItems + i];
  Sort(memory).StableSort(items, Less());
  for (int i = 0; i < kItems; ++i)
    out[threadIdx.x * kItems + i] = items[i];
}

template <class T> void checkSort() {
  const std::vector<T> values = numbers<T>(kTile, 200, 6);
  std::vector<T> expected = sorted(values);
  std::vector<int> places(kTile);
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(), [&](int x, int y) { return values[x] < values[y]; });
  DeviceArray<T> in(values), out(2 * kTile);
  DeviceArray<int> order(kTile);
  mergeSort<T><<<1, kBlock>>>(in, out);
  HIP_CHECK(hipGetLastError());
  checkSame("BlockMergeSort", out, expected);
  sort<T><<<1, kBlock>>>(in, out, order);
  HIP_CHECK(hipGetLastError());
  expected.insert(expected.end(), expected.rbegin(), expected.rend());
  checkSame("BlockRadixSort", out, expected);
  checkSame("the values of BlockRadixSort", order, places);
}

// Neighbours and counts

__global__ void neighbours(const int *in, int *out) {
  typedef hipcub::BlockDiscontinuity<int, kBlock> Discontinuity;
  typedef hipcub::BlockAdjacentDifference<int, kBlock> Adjacent;
  typedef hipcub::BlockShuffle<int, kBlock> Shuffle;
  __shared__ union {
    typename Discontinuity::TempStorage discontinuity;
    typename Adjacent::TempStorage adjacent;
    typename Shuffle::TempStorage shuffle;
  } memory;
  int items[kItems], heads[kItems], tails[kItems], left[kItems], up[kItems];
  for (int i = 0; i < kItems; ++i)
    items[i] = in[threadIdx.x * kItems + i];
  Discontinuity(memory.discontinuity).FlagHeadsAndTails(heads, tails, items, hipcub::Inequality());
  __syncthreads();
  Adjacent(memory.adjacent).SubtractLeft(items, left, Difference());
  __syncthreads();
  int rotated;
  Shuffle(memory.shuffle).Rotate(items[0], rotated, 3);
  __syncthreads();
  Shuffle(memory.shuffle).Up(items, up);
  for (int i = 0; i < kItems; ++i) {
    const int place = threadIdx.x * kItems + i;
    out[place] = heads[i] != 0;
    out[kTile + place] = tails[i] != 0;
    out[2 * kTile + place] = left[i];
    out[3 * kTile + place] = place == 0 ? 0 : up[i];
  }
  out[4 * kTile + threadIdx.x] = rotated;
}

template <hipcub::BlockHistogramAlgorithm Method> __global__ void histogram(const std::uint8_t *in, unsigned *out) {
  typedef hipcub::BlockHistogram<std::uint8_t, kBlock, kItems, kBins, Method> Histogram;
  __shared__ typename Histogram::TempStorage memory;
  __shared__ unsigned bins[kBins];
  std::uint8_t items[kItems];
  for (int i = 0; i < kItems; ++i)
    items[i] = in[threadIdx.x * kItems + i];
  Histogram(memory).Histogram(items, bins);
  __syncthreads();
  Histogram(memory).Composite(items, bins);
  __syncthreads();
  if (threadIdx.x < kBins)
    out[threadIdx.x] = bins[threadIdx.x];
}

template <hipcub::BlockHistogramAlgorithm Method> void checkHistogram(const char *what) {
  std::vector<std::uint8_t> values = numbers<std::uint8_t>(kTile, 2 * kBins, 7);
  std::vector<unsigned> expected(kBins);
  for (std::uint8_t &value : values)
    expected[value %= kBins] += 2;
  DeviceArray<std::uint8_t> in(values);
  DeviceArray<unsigned> out(kBins);
  histogram<Method><<<1, kBlock>>>(in, out);
  HIP_CHECK(hipGetLastError());
  checkSame(what, out, expected);
}

/// Run i is `lengths[i]` times the number i.
__global__ void decode(const unsigned *lengths, int *out, unsigned *total) {
  typedef hipcub::BlockRunLengthDecode<int, kBlock, 1, kItems> Decode;
  __shared__ typename Decode::TempStorage memory;
  int value[1] = {static_cast<int>(threadIdx.x)};
  unsigned length[1] = {lengths[threadIdx.x]}, size = 0;
  Decode runs(memory, value, length, size);
  for (unsigned from = 0; from < size; from += kTile) {
    int items[kItems];
    __syncthreads();
    runs.RunLengthDecode(items, from);
    for (unsigned i = 0; i < kItems; ++i)
      if (from + threadIdx.x * kItems + i < size)
        out[from + threadIdx.x * kItems + i] = items[i];
  }
  if (threadIdx.x == 0)
    *total = size;
}

template <class T> void reductionsOf() {
  checkReduce<T, hipcub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, 128, 1>("BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY");
  checkReduce<T, hipcub::BLOCK_REDUCE_RAKING, 100, 1>("BLOCK_REDUCE_RAKING");
  checkReduce<T, hipcub::BLOCK_REDUCE_WARP_REDUCTIONS, 37, 3>("BLOCK_REDUCE_WARP_REDUCTIONS");
  checkScan<T, hipcub::BLOCK_SCAN_RAKING, 100>("BLOCK_SCAN_RAKING");
  checkScan<T, hipcub::BLOCK_SCAN_RAKING_MEMOIZE, 128>("BLOCK_SCAN_RAKING_MEMOIZE");
  checkScan<T, hipcub::BLOCK_SCAN_WARP_SCANS, 96>("BLOCK_SCAN_WARP_SCANS");
}
template <class T> void movesOf() {
  checkMove<T, hipcub::BLOCK_LOAD_DIRECT, hipcub::BLOCK_STORE_DIRECT>("DIRECT");
  checkMove<T, hipcub::BLOCK_LOAD_STRIPED, hipcub::BLOCK_STORE_STRIPED>("STRIPED");
  checkMove<T, hipcub::BLOCK_LOAD_VECTORIZE, hipcub::BLOCK_STORE_VECTORIZE>("VECTORIZE");
  checkMove<T, hipcub::BLOCK_LOAD_TRANSPOSE, hipcub::BLOCK_STORE_TRANSPOSE>("TRANSPOSE");
  checkMove<T, hipcub::BLOCK_LOAD_WARP_TRANSPOSE, hipcub::BLOCK_STORE_WARP_TRANSPOSE>("WARP_TRANSPOSE");
  checkMove<T, hipcub::BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED, hipcub::BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED>(
      "WARP_TRANSPOSE_TIMESLICED");
}

} // namespace

TEST(reductionsAndScans) {
  reductionsOf<int>();
  reductionsOf<double>();
  reductionsOf<std::uint8_t>();
}
TEST(loadsAndStores) {
  movesOf<int>();
  movesOf<std::uint8_t>();
  movesOf<std::int64_t>();
}
TEST(exchanges) {
  checkExchange<int>();
  checkExchange<double>();
}
TEST(sorts) {
  checkSort<int>();
  checkSort<float>();
  checkSort<std::int64_t>();
}
TEST(neighbours) {
  const std::vector<int> values = numbers<int>(kTile, 3, 10);
  std::vector<int> expected(4 * kTile + kBlock);
  for (int i = 0; i < kTile; ++i) {
    expected[i] = i == 0 || values[i] != values[i - 1];
    expected[kTile + i] = i == kTile - 1 || values[i] != values[i + 1];
    expected[2 * kTile + i] = i == 0 ? values[0] : values[i] - values[i - 1];
    expected[3 * kTile + i] = i == 0 ? 0 : values[i - 1];
  }
  for (int i = 0; i < kBlock; ++i)
    expected[4 * kTile + i] = values[(i + 3) % kBlock * kItems];
  DeviceArray<int> in(values), out(expected.size());
  neighbours<<<1, kBlock>>>(in, out);
  HIP_CHECK(hipGetLastError());
  checkSame("neighbours", out, expected);
}
TEST(histograms) {
  checkHistogram<hipcub::BLOCK_HISTO_ATOMIC>("BLOCK_HISTO_ATOMIC");
  checkHistogram<hipcub::BLOCK_HISTO_SORT>("BLOCK_HISTO_SORT");
}
TEST(runLengthDecode) {
  std::vector<unsigned> lengths(kBlock);
  std::vector<int> expected;
  for (int i = 0; i < kBlock; ++i) {
    lengths[i] = 1 + i * 7 % 11;
    expected.insert(expected.end(), lengths[i], i);
  }
  DeviceArray<unsigned> in(lengths), total(1);
  DeviceArray<int> out(expected.size());
  decode<<<1, kBlock>>>(in, out, total);
  HIP_CHECK(hipGetLastError());
  checkSame("RunLengthDecode", out, expected);
  CHECK_EQ(total.host()[0], expected.size());
}
int main(int argc, char **argv) { return runTests(argc, argv); }
