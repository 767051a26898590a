// SPDX-License-Identifier: MIT
// hipCUB's algorithms of one warp, whole and in parts of fewer lanes, against the C++ standard library.
#include "tests/ecosystem/algorithms.h"

#include <hipcub/hipcub.hpp>

namespace {

enum { kBlock = 128, kItems = 4, kTile = kBlock * kItems };

template <class T, int Lanes> __global__ void warps(const T *in, T *out, int some) {
  typedef hipcub::WarpReduce<T, Lanes> Reduce;
  typedef hipcub::WarpScan<T, Lanes> Scan;
  __shared__ typename Reduce::TempStorage reduceMemory[kBlock / Lanes];
  __shared__ typename Scan::TempStorage scanMemory[kBlock / Lanes];
  const int thread = threadIdx.x, warp = thread / Lanes;
  const T item = in[thread];
  T inclusive, exclusive, aggregate;
  const T sum = Reduce(reduceMemory[warp]).Reduce(item, Plus());
  __syncthreads();
  const T part = Reduce(reduceMemory[warp]).Reduce(item, Plus(), some);
  __syncthreads();
  const T heads = Reduce(reduceMemory[warp]).HeadSegmentedReduce(item, thread % 5 == 0, Plus());
  __syncthreads();
  Scan(scanMemory[warp]).InclusiveScan(item, inclusive, Plus(), aggregate);
  __syncthreads();
  Scan(scanMemory[warp]).ExclusiveScan(item, exclusive, T(3), Plus());
  __syncthreads();
  const bool first = thread % Lanes == 0;
  out[thread] = first ? sum : T(0);
  out[kBlock + thread] = first ? part : T(0);
  out[2 * kBlock + thread] = first || thread % 5 == 0 ? heads : T(0);
  out[3 * kBlock + thread] = inclusive;
  out[4 * kBlock + thread] = exclusive;
  out[5 * kBlock + thread] = aggregate;
  out[6 * kBlock + thread] = Scan(scanMemory[warp]).Broadcast(item, Lanes / 2);
}

template <class T, int Lanes> void checkWarps() {
  const int some = Lanes - Lanes / 3;
  const std::vector<T> values = numbers<T>(kBlock, 50, 8 + Lanes);
  std::vector<T> expected(7 * kBlock, T(0));
  for (int begin = 0; begin < kBlock; begin += Lanes) {
    const auto first = values.begin() + begin, last = first + Lanes;
    const T sum = std::accumulate(first, last, T(0), Plus());
    expected[begin] = sum;
    expected[kBlock + begin] = std::accumulate(first, first + some, T(0), Plus());
    for (int i = begin, head = begin; i < begin + Lanes; ++i) {
      if (i % 5 == 0)
        head = i;
      expected[2 * kBlock + head] = Plus()(expected[2 * kBlock + head], values[i]);
    }
    std::inclusive_scan(first, last, expected.begin() + 3 * kBlock + begin, Plus());
    std::exclusive_scan(first, last, expected.begin() + 4 * kBlock + begin, T(3), Plus());
    std::fill_n(expected.begin() + 5 * kBlock + begin, Lanes, sum);
    std::fill_n(expected.begin() + 6 * kBlock + begin, Lanes, values[begin + Lanes / 2]);
  }
  DeviceArray<T> in(values), out(7 * kBlock);
  warps<T, Lanes><<<1, kBlock>>>(in, out, some);
  HIP_CHECK(hipGetLastError());
  checkSame("WarpReduce and WarpScan", out, expected);
}

template <int Lanes> __global__ void warpSort(const int *in, int *out) {
  typedef hipcub::WarpLoad<int, kItems, hipcub::WARP_LOAD_TRANSPOSE, Lanes> Load;
  typedef hipcub::WarpMergeSort<int, kItems, Lanes> Sort;
  typedef hipcub::WarpStore<int, kItems, hipcub::WARP_STORE_STRIPED, Lanes> Store;
  typedef hipcub::WarpExchange<int, kItems, Lanes> Exchange;
  __shared__ typename Load::TempStorage load[kBlock / Lanes];
  __shared__ typename Sort::TempStorage sort[kBlock / Lanes];
  __shared__ typename Exchange::TempStorage exchange[kBlock / Lanes];
  __shared__ typename Store::TempStorage store[kBlock / Lanes];
  const int warp = threadIdx.x / Lanes;
  int items[kItems];
  Load(load[warp]).Load(in + warp * Lanes * kItems, items);
  __syncthreads();
  Sort(sort[warp]).Sort(items, Less());
  __syncthreads();
  Exchange(exchange[warp]).BlockedToStriped(items, items);
  __syncthreads();
  Store(store[warp]).Store(out + warp * Lanes * kItems, items);
}

template <int Lanes> void checkWarpSort() {
  const std::vector<int> values = numbers<int>(kTile, 1000, 9);
  std::vector<int> expected = values;
  for (int begin = 0; begin < kTile; begin += Lanes * kItems)
    std::sort(expected.begin() + begin, expected.begin() + begin + Lanes * kItems);
  DeviceArray<int> in(values), out(kTile);
  warpSort<Lanes><<<1, kBlock>>>(in, out);
  HIP_CHECK(hipGetLastError());
  checkSame("WarpMergeSort", out, expected);
}

} // namespace

TEST(reductionsAndScans) {
  checkWarps<int, 32>();
  checkWarps<double, 32>();
  checkWarps<std::uint8_t, 16>();
  checkWarps<int, 4>();
  checkWarps<float, 8>();
}
TEST(sorts) {
  checkWarpSort<32>();
  checkWarpSort<8>();
}

int main(int argc, char **argv) { return runTests(argc, argv); }
