// SPDX-License-Identifier: MIT
// rocPRIM's algorithms of one block and one warp, each with every method that it offers, against the C++ standard library.
// Its sorts are in rocprim_types.hip.
#include "tests/ecosystem/algorithms.h"

#include <rocprim/block/block_shuffle.hpp> // rocprim.hpp leaves it out
#include <rocprim/rocprim.hpp>

namespace {

enum { kBlock = 128, kItems = 4, kTile = kBlock * kItems, kBins = 64 };

/// The items of a thread, four neighbours, as every kernel here reads and writes them.
template <class T> __device__ void get(const T *tile, T (&items)[kItems]) {
  for (int i = 0; i < kItems; ++i)
    items[i] = tile[threadIdx.x * kItems + i];
}
template <class T> __device__ void put(T *tile, const T (&items)[kItems]) {
  for (int i = 0; i < kItems; ++i)
    tile[threadIdx.x * kItems + i] = items[i];
}

// Reductions and scans

template <class T, rocprim::block_reduce_algorithm Method> __global__ void reduce(const T *in, T *out) {
  typedef rocprim::block_reduce<T, kBlock, Method> Reduce;
  __shared__ typename Reduce::storage_type memory;
  T items[kItems], sum, some, largest;
  get(in, items);
  Reduce().reduce(items, sum, memory, Plus());
  __syncthreads();
  Reduce().reduce(items[0], some, kBlock - 5, memory, Plus());
  __syncthreads();
  Reduce().reduce(items[1], largest, memory, rocprim::maximum<T>());
  if (threadIdx.x == 0) {
    out[0] = sum;
    out[1] = some;
    out[2] = largest;
  }
}

template <class T, rocprim::block_reduce_algorithm Method> void checkReduce(const char *what) {
  const std::vector<T> values = numbers<T>(kTile, 50, 1);
  std::vector<T> expected = {T(0), T(0), values[1]};
  for (size_t i = 0; i < values.size(); ++i) {
    expected[0] = Plus()(expected[0], values[i]);
    if (i % kItems == 0 && i / kItems < kBlock - 5)
      expected[1] = Plus()(expected[1], values[i]);
    if (i % kItems == 1)
      expected[2] = std::max(expected[2], values[i]);
  }
  DeviceArray<T> in(values), out(3);
  reduce<T, Method><<<1, kBlock>>>(in, out);
  HIP_CHECK(hipGetLastError());
  checkSame(what, out, expected);
}

template <class T, rocprim::block_scan_algorithm Method> __global__ void scan(const T *in, T *out, T *sum) {
  typedef rocprim::block_scan<T, kBlock, Method> Scan;
  __shared__ typename Scan::storage_type memory;
  T items[kItems], scanned[kItems], total;
  get(in, items);
  Scan().inclusive_scan(items, scanned, total, memory, Plus());
  put(out, scanned);
  __syncthreads();
  Scan().exclusive_scan(items, scanned, T(3), memory, Plus());
  put(out + kTile, scanned);
  if (threadIdx.x == kBlock / 2)
    *sum = total;
}

template <class T, rocprim::block_scan_algorithm Method> void checkScan(const char *what) {
  const std::vector<T> values = numbers<T>(kTile, 50, 2);
  std::vector<T> expected(2 * kTile);
  std::inclusive_scan(values.begin(), values.end(), expected.begin(), Plus());
  std::exclusive_scan(values.begin(), values.end(), expected.begin() + kTile, T(3), Plus());
  DeviceArray<T> in(values), out(2 * kTile), sum(1);
  scan<T, Method><<<1, kBlock>>>(in, out, sum);
  HIP_CHECK(hipGetLastError());
  checkSame(what, out, expected);
  checkSame("the sum of a block", sum, {expected[kTile - 1]});
}

// Loads, stores and exchanges

template <class T, rocprim::block_load_method Load, rocprim::block_store_method Store>
__global__ void move(T *in, T *out, unsigned valid, T *items) {
  typedef rocprim::block_load<T, kBlock, kItems, Load> Loader;
  typedef rocprim::block_store<T, kBlock, kItems, Store> Storer;
  __shared__ union {
    typename Loader::storage_type load;
    typename Storer::storage_type store;
  } memory;
  T mine[kItems], copy[kItems]; // some methods leave the items in another order
  Loader().load(in, mine, valid, T(77), memory.load);
  put(items, mine);
  __syncthreads();
  Loader().load(in, mine, memory.load);
  for (int i = 0; i < kItems; ++i)
    copy[i] = mine[i];
  __syncthreads();
  Storer().store(out, mine, memory.store);
  __syncthreads();
  Storer().store(out + kTile, copy, valid, memory.store);
}

template <class T, rocprim::block_load_method Load, rocprim::block_store_method Store>
void checkMove(const char *what) {
  const bool striped = Load == rocprim::block_load_method::block_load_striped;
  const unsigned valid = 301;
  const std::vector<T> values = numbers<T>(kTile, 100, 3);
  std::vector<T> guarded(kTile), moved(values);
  for (unsigned i = 0; i < kTile; ++i) {
    const unsigned place = striped ? i % kItems * kBlock + i / kItems : i;
    guarded[i] = place < valid ? values[place] : T(77);
    moved.push_back(i < valid ? values[i] : T(0));
  }
  DeviceArray<T> in(values), out(std::vector<T>(2 * kTile, T(0))), items(kTile);
  move<T, Load, Store><<<1, kBlock>>>(in, out, valid, items);
  HIP_CHECK(hipGetLastError());
  checkSame(what, out, moved);
  checkSame(what, items, guarded);
}

template <class T> __global__ void exchange(const T *in, const unsigned *ranks, T *out) {
  typedef rocprim::block_exchange<T, kBlock, kItems> Exchange;
  __shared__ typename Exchange::storage_type memory;
  T items[kItems], moved[kItems];
  unsigned rank[kItems];
  get(in, items);
  get(ranks, rank);
  Exchange().blocked_to_striped(items, moved, memory);
  put(out, moved);
  __syncthreads();
  Exchange().striped_to_blocked(moved, moved, memory);
  put(out + kTile, moved);
  __syncthreads();
  Exchange().blocked_to_warp_striped(items, moved, memory);
  put(out + 2 * kTile, moved);
  __syncthreads();
  Exchange().warp_striped_to_blocked(moved, moved, memory);
  put(out + 3 * kTile, moved);
  __syncthreads();
  Exchange().scatter_to_blocked(items, moved, rank, memory);
  put(out + 4 * kTile, moved);
  __syncthreads();
  Exchange().scatter_to_striped(items, moved, rank, memory);
  put(out + 5 * kTile, moved);
}

template <class T> void checkExchange() {
  const std::vector<T> values = numbers<T>(kTile, 100, 4);
  std::vector<unsigned> ranks(kTile);
  std::iota(ranks.begin(), ranks.end(), 0u);
  std::shuffle(ranks.begin(), ranks.end(), std::mt19937(4));
  std::vector<T> striped(kTile), warpStriped(kTile), scattered(kTile), scatteredStriped(kTile);
  for (size_t i = 0; i < kTile; ++i) {
    const size_t thread = i / kItems, item = i % kItems, warp = thread / 32;
    striped[i] = values[item * kBlock + thread];
    warpStriped[i] = values[warp * 32 * kItems + item * 32 + thread % 32];
    scattered[ranks[i]] = values[i];
  }
  for (size_t i = 0; i < kTile; ++i)
    scatteredStriped[i] = scattered[i % kItems * kBlock + i / kItems];
  std::vector<T> expected;
  for (const auto &part : {striped, values, warpStriped, values, scattered, scatteredStriped})
    expected.insert(expected.end(), part.begin(), part.end());
  DeviceArray<T> in(values), out(6 * kTile);
  DeviceArray<unsigned> deviceRanks(ranks);
  exchange<T><<<1, kBlock>>>(in, deviceRanks, out);
  HIP_CHECK(hipGetLastError());
  checkSame("block_exchange", out, expected);
}

// Neighbours

__global__ void neighbours(const int *in, int *out) {
  typedef rocprim::block_discontinuity<int, kBlock> Discontinuity;
  typedef rocprim::block_adjacent_difference<int, kBlock> Adjacent;
  typedef rocprim::block_shuffle<int, kBlock> Shuffle;
  __shared__ union {
    Discontinuity::storage_type discontinuity;
    Adjacent::storage_type adjacent;
    Shuffle::storage_type shuffle;
  } memory;
  int items[kItems], result[kItems], tails[kItems];
  get(in, items);
  Discontinuity().flag_heads_and_tails(result, -1000, tails, 1000, items, rocprim::not_equal_to<int>(),
                                       memory.discontinuity);
  put(out, result);
  put(out + kTile, tails);
  __syncthreads();
  Adjacent().subtract_left(items, result, Difference(), 5, memory.adjacent);
  put(out + 2 * kTile, result);
  __syncthreads();
  Adjacent().subtract_right_partial(items, result, Difference(), kTile - 9, memory.adjacent);
  put(out + 3 * kTile, result);
  __syncthreads();
  result[0] = result[1] = result[2] = result[3] = 0;
  Shuffle().up(threadIdx.x, items, result, memory.shuffle);
  put(out + 4 * kTile, result);
  __syncthreads();
  Shuffle().rotate(threadIdx.x, items[0], result[0], 17, memory.shuffle);
  __syncthreads();
  result[1] = items[1]; // what comes from outside the block
  Shuffle().offset(threadIdx.x, items[1], result[1], -3, memory.shuffle);
  result[2] = result[3] = 0;
  put(out + 5 * kTile, result);
}

void checkNeighbours() {
  const std::vector<int> values = numbers<int>(kTile, 4, 5);
  std::vector<int> expected(6 * kTile);
  for (int i = 0; i < kTile; ++i) {
    expected[i] = i == 0 || values[i] != values[i - 1];
    expected[kTile + i] = i == kTile - 1 || values[i] != values[i + 1];
    expected[2 * kTile + i] = values[i] - (i == 0 ? 5 : values[i - 1]);
    expected[3 * kTile + i] = i < kTile - 10 ? values[i] - values[i + 1] : values[i];
    expected[4 * kTile + i] = i == 0 ? 0 : values[i - 1];
  }
  for (int thread = 0; thread < kBlock; ++thread) {
    expected[5 * kTile + thread * kItems] = values[(thread + 17) % kBlock * kItems];
    expected[5 * kTile + thread * kItems + 1] = values[(thread < 3 ? thread : thread - 3) * kItems + 1];
  }
  DeviceArray<int> in(values), out(6 * kTile);
  neighbours<<<1, kBlock>>>(in, out);
  HIP_CHECK(hipGetLastError());
  // The first item of the first thread is not defined after up().
  std::vector<int> found = out.host();
  found[4 * kTile] = 0;
  checkSame("discontinuities, differences and shuffles", found, expected);
}

// Histograms, ranks and runs

template <rocprim::block_histogram_algorithm Method> __global__ void histogram(const unsigned char *in, unsigned *out) {
  typedef rocprim::block_histogram<unsigned char, kBlock, kItems, kBins, Method> Histogram;
  __shared__ typename Histogram::storage_type memory;
  __shared__ unsigned bins[kBins];
  unsigned char items[kItems];
  get(in, items);
  Histogram().histogram(items, bins, memory);
  __syncthreads();
  Histogram().composite(items, bins, memory);
  __syncthreads();
  if (threadIdx.x < kBins)
    out[threadIdx.x] = bins[threadIdx.x];
}

template <rocprim::block_histogram_algorithm Method> void checkHistogram(const char *what) {
  std::vector<unsigned char> values(kTile);
  std::vector<unsigned> expected(kBins);
  for (int i = 0; i < kTile; ++i)
    expected[values[i] = i * i % 61] += 2; // counted twice
  DeviceArray<unsigned char> in(values);
  DeviceArray<unsigned> out(kBins);
  histogram<Method><<<1, kBlock>>>(in, out);
  HIP_CHECK(hipGetLastError());
  checkSame(what, out, expected);
}

#if ROCPRIM_VERSION >= 201300
template <rocprim::block_radix_rank_algorithm Method, bool Descending>
__global__ void rank(const unsigned *in, unsigned *out) {
  typedef rocprim::block_radix_rank<kBlock, 5, Method> Rank;
  __shared__ typename Rank::storage_type memory;
  // One algorithm wants the items of a thread a warp apart.
  constexpr bool kStriped = Method == rocprim::block_radix_rank_algorithm::match;
  const unsigned warp = threadIdx.x / 32 * 32 * kItems, lane = threadIdx.x % 32;
  unsigned items[kItems], ranks[kItems];
  for (unsigned i = 0; i < kItems; ++i)
    items[i] = in[kStriped ? warp + 32 * i + lane : threadIdx.x * kItems + i];
  if constexpr (Descending)
    Rank().rank_keys_desc(items, ranks, memory, 3, 5);
  else
    Rank().rank_keys(items, ranks, memory, 3, 5);
  for (unsigned i = 0; i < kItems; ++i)
    out[kStriped ? warp + 32 * i + lane : threadIdx.x * kItems + i] = ranks[i];
}

template <rocprim::block_radix_rank_algorithm Method> void checkRank(const char *what) {
  const std::vector<unsigned> values = numbers<unsigned>(kTile, 1 << 20, 6);
  DeviceArray<unsigned> in(values), out(kTile);
  for (bool descending : {false, true}) {
    std::vector<unsigned> order(kTile), expected(kTile);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](unsigned x, unsigned y) {
      const unsigned digit = values[x] >> 3 & 31, other = values[y] >> 3 & 31;
      return descending ? digit > other : digit < other;
    });
    for (unsigned i = 0; i < kTile; ++i)
      expected[order[i]] = i;
    if (descending)
      rank<Method, true><<<1, kBlock>>>(in, out);
    else
      rank<Method, false><<<1, kBlock>>>(in, out);
    HIP_CHECK(hipGetLastError());
    checkSame(what, out, expected);
  }
}
#endif

#if __has_include(<rocprim/block/block_run_length_decode.hpp>)
__global__ void decode(const int *values, const unsigned *lengths, int *out, unsigned *total) {
  typedef rocprim::block_run_length_decode<int, kBlock, 1, kItems> Decode;
  __shared__ Decode::storage_type memory;
  int value[1] = {values[threadIdx.x]};
  unsigned length[1] = {lengths[threadIdx.x]}, size = 0;
  Decode runs(memory, value, length, size);
  for (unsigned start = 0; start < size; start += kTile) {
    int items[kItems];
    runs.run_length_decode(items, start);
    for (unsigned i = 0, place = start + threadIdx.x * kItems; i < kItems; ++i, ++place)
      if (place < size)
        out[place] = items[i];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *total = size;
}

void checkDecode() {
  const std::vector<int> values = numbers<int>(kBlock, 1000, 7);
  std::vector<unsigned> lengths(kBlock);
  std::vector<int> expected;
  for (int i = 0; i < kBlock; ++i)
    expected.insert(expected.end(), lengths[i] = 1 + i * 7 % 13, values[i]);
  DeviceArray<int> in(values), out(expected.size());
  DeviceArray<unsigned> deviceLengths(lengths), total(1);
  decode<<<1, kBlock>>>(in, deviceLengths, out, total);
  HIP_CHECK(hipGetLastError());
  checkSame("block_run_length_decode", out, expected);
  checkSame("the size of what was decoded", total, {static_cast<unsigned>(expected.size())});
}
#endif

// Warps

/// How many threads a block of warps with so many lanes has: those of a number that is no power of two may not lie in two of the device's.
constexpr unsigned threadsOf(unsigned lanes) { return lanes & (lanes - 1) ? 32 / lanes * lanes : kBlock; }

template <class T, unsigned Lanes> __global__ void warps(const T *in, T *out) {
  typedef rocprim::warp_reduce<T, Lanes> Reduce;
  typedef rocprim::warp_scan<T, Lanes> Scan;
  __shared__ union {
    typename Reduce::storage_type reduce[threadsOf(Lanes) / Lanes];
    typename Scan::storage_type scan[threadsOf(Lanes) / Lanes];
  } memory;
  const unsigned warp = threadIdx.x / Lanes, lane = threadIdx.x % Lanes;
  const T item = in[threadIdx.x];
  T result[7];
  Reduce().reduce(item, result[0], memory.reduce[warp], Plus());
  __syncthreads();
  Reduce().reduce(item, result[1], Lanes - 1, memory.reduce[warp], Plus());
  __syncthreads();
  Reduce().head_segmented_reduce(item, result[2], lane % 3 == 0, memory.reduce[warp], Plus());
  __syncthreads();
  Scan().inclusive_scan(item, result[3], memory.scan[warp], Plus());
  __syncthreads();
  Scan().exclusive_scan(item, result[4], T(9), memory.scan[warp], Plus());
  __syncthreads();
  Scan().scan(item, result[5], result[6], T(2), memory.scan[warp], Plus());
  if (lane != 0) // a reduction is the first lane's
    result[0] = result[1] = T(0);
  if (lane % 3 != 0) // or that of the first lane of the segment
    result[2] = T(0);
  for (int i = 0; i < 7; ++i)
    out[i * threadsOf(Lanes) + threadIdx.x] = result[i];
}

template <class T, unsigned Lanes> void checkWarps(const char *what) {
  constexpr unsigned kThreads = threadsOf(Lanes);
  const std::vector<T> values = numbers<T>(kThreads, 50, 8);
  std::vector<T> expected(7 * kThreads);
  for (unsigned first = 0; first < kThreads; first += Lanes) {
    const auto begin = values.begin() + first, end = begin + Lanes;
    const auto at = [&](int row) { return expected.begin() + row * kThreads + first; };
    *at(0) = std::accumulate(begin, end, T(0), Plus());
    *at(1) = std::accumulate(begin, end - 1, T(0), Plus());
    for (unsigned i = 0; i < Lanes; ++i)
      at(2)[i / 3 * 3] = Plus()(at(2)[i / 3 * 3], begin[i]);
    std::inclusive_scan(begin, end, at(3), Plus());
    std::exclusive_scan(begin, end, at(4), T(9), Plus());
    std::inclusive_scan(begin, end, at(5), Plus());
    std::exclusive_scan(begin, end, at(6), T(2), Plus());
  }
  DeviceArray<T> in(values), out(7 * kThreads);
  warps<T, Lanes><<<1, kThreads>>>(in, out);
  HIP_CHECK(hipGetLastError());
  checkSame(what, out, expected);
}

template <rocprim::warp_load_method Load, rocprim::warp_store_method Store, unsigned Lanes>
__global__ void moveWarps(int *in, int *out, int *items) {
  typedef rocprim::warp_load<int, kItems, Lanes, Load> Loader;
  typedef rocprim::warp_store<int, kItems, Lanes, Store> Storer;
  typedef rocprim::warp_exchange<int, kItems, Lanes> Exchange;
  __shared__ union {
    typename Loader::storage_type load[kBlock / Lanes];
    typename Storer::storage_type store[kBlock / Lanes];
    typename Exchange::storage_type exchange[kBlock / Lanes];
  } memory;
  const unsigned warp = threadIdx.x / Lanes, tile = warp * Lanes * kItems;
  int mine[kItems], moved[kItems];
  Loader().load(in + tile, mine, memory.load[warp]);
  __syncthreads();
  Storer().store(out + tile, mine, memory.store[warp]);
  __syncthreads();
  get(in, mine);
  Exchange().blocked_to_striped(mine, moved, memory.exchange[warp]);
  put(items, moved);
  __syncthreads();
  Exchange().striped_to_blocked(moved, moved, memory.exchange[warp]);
  put(items + kTile, moved);
}

template <rocprim::warp_load_method Load, rocprim::warp_store_method Store, unsigned Lanes>
void checkMoveWarps(const char *what) {
  const std::vector<int> values = numbers<int>(kTile, 100, 9);
  std::vector<int> expected(kTile);
  for (unsigned i = 0; i < kTile; ++i) {
    const unsigned tile = Lanes * kItems, place = i % tile;
    expected[i] = values[i / tile * tile + place % kItems * Lanes + place / kItems];
  }
  expected.insert(expected.end(), values.begin(), values.end());
  DeviceArray<int> in(values), out(kTile), items(2 * kTile);
  moveWarps<Load, Store, Lanes><<<1, kBlock>>>(in, out, items);
  HIP_CHECK(hipGetLastError());
  checkSame(what, out, values);
  checkSame("warp_exchange", items, expected);
}

} // namespace

TEST(reductions) {
  using rocprim::block_reduce_algorithm;
  checkReduce<int, block_reduce_algorithm::using_warp_reduce>("using_warp_reduce");
  checkReduce<int, block_reduce_algorithm::raking_reduce>("raking_reduce");
  checkReduce<int, block_reduce_algorithm::raking_reduce_commutative_only>("raking_reduce_commutative_only");
  checkReduce<double, block_reduce_algorithm::using_warp_reduce>("using_warp_reduce of double");
  checkReduce<double, block_reduce_algorithm::raking_reduce>("raking_reduce of double");
}
TEST(scans) {
  using rocprim::block_scan_algorithm;
  checkScan<int, block_scan_algorithm::using_warp_scan>("using_warp_scan");
  checkScan<int, block_scan_algorithm::reduce_then_scan>("reduce_then_scan");
  checkScan<double, block_scan_algorithm::using_warp_scan>("using_warp_scan of double");
  checkScan<Wide, block_scan_algorithm::reduce_then_scan>("reduce_then_scan of 16 bytes");
}
TEST(moves) {
  using rocprim::block_load_method;
  using rocprim::block_store_method;
  checkMove<int, block_load_method::block_load_direct, block_store_method::block_store_direct>("direct");
  checkMove<int, block_load_method::block_load_striped, block_store_method::block_store_striped>("striped");
  checkMove<int, block_load_method::block_load_vectorize, block_store_method::block_store_vectorize>("vectorize");
  checkMove<int, block_load_method::block_load_transpose, block_store_method::block_store_transpose>("transpose");
  checkMove<double, block_load_method::block_load_warp_transpose, block_store_method::block_store_warp_transpose>(
      "warp_transpose");
  checkExchange<int>();
  checkExchange<double>();
}
TEST(neighbours) { checkNeighbours(); }
TEST(histograms) {
  using rocprim::block_histogram_algorithm;
  checkHistogram<block_histogram_algorithm::using_atomic>("using_atomic");
  checkHistogram<block_histogram_algorithm::using_sort>("using_sort");
}
#if ROCPRIM_VERSION >= 201300
TEST(ranks) {
  using rocprim::block_radix_rank_algorithm;
  checkRank<block_radix_rank_algorithm::basic>("basic");
  checkRank<block_radix_rank_algorithm::basic_memoize>("basic_memoize");
  checkRank<block_radix_rank_algorithm::match>("match");
}
#endif
#if __has_include(<rocprim/block/block_run_length_decode.hpp>)
TEST(runs) { checkDecode(); }
#endif
TEST(warps) {
  checkWarps<int, 32>("32 lanes");
  checkWarps<double, 16>("16 lanes, double");
  checkWarps<int, 5>("5 lanes"); // ROCm 5.3 has volatile accesses in place of barriers
  using rocprim::warp_load_method;
  using rocprim::warp_store_method;
  checkMoveWarps<warp_load_method::warp_load_direct, warp_store_method::warp_store_direct, 32>("direct");
  checkMoveWarps<warp_load_method::warp_load_striped, warp_store_method::warp_store_striped, 32>("striped");
  checkMoveWarps<warp_load_method::warp_load_vectorize, warp_store_method::warp_store_vectorize, 16>("vectorize");
  checkMoveWarps<warp_load_method::warp_load_transpose, warp_store_method::warp_store_transpose, 8>("transpose");
}

int main(int argc, char **argv) { return runTests(argc, argv); }
