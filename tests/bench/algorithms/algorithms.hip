// SPDX-License-Identifier: MIT
// rocPRIM's device-wide algorithms beside those of libstdc++ on all processors: sum, inclusive scan and sort, from what stays in
// the caches to what does not. The arrays are on the device, as a program that calls them has them; the call waits for the end.
#include "native.h"

#include <benchmark/benchmark.h>
#include <hip/hip_runtime.h>
#include <rocprim/rocprim.hpp>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace {

void check(hipError_t error, const char *what) {
  if (error == hipSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", what, hipGetErrorString(error));
  std::exit(1);
}
#define HIP(call) check((call), #call)

template <class T> std::vector<T> randomValues(size_t count) {
  std::vector<T> values(count);
  std::mt19937 engine(7);
  for (T &value : values)
    value = static_cast<T>(engine() >> 8);
  return values;
}

template <class T> class DeviceArray {
public:
  explicit DeviceArray(size_t count) : bytes_(count * sizeof(T)) { HIP(hipMalloc(&data_, bytes_)); }
  explicit DeviceArray(const std::vector<T> &values) : DeviceArray(values.size()) {
    HIP(hipMemcpy(data_, values.data(), bytes_, hipMemcpyHostToDevice));
  }
  ~DeviceArray() { HIP(hipFree(data_)); }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;
  T *get() const { return static_cast<T *>(data_); }

private:
  size_t bytes_;
  void *data_ = nullptr;
};

/// Calls an algorithm as rocPRIM's are called: once for the size of its temporary memory, then again and again.
template <class Call> void measure(benchmark::State &state, Call call) {
  size_t bytes = 0;
  HIP(call(nullptr, bytes));
  const DeviceArray<char> temporary(bytes);
  for (int warm = 0; warm < 2; ++warm)
    HIP(call(temporary.get(), bytes));
  HIP(hipDeviceSynchronize());
  for (auto round : state) {
    HIP(call(temporary.get(), bytes));
    HIP(hipDeviceSynchronize());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void sumHip(benchmark::State &state) {
  const size_t count = state.range(0);
  const DeviceArray<float> in(randomValues<float>(count)), out(1);
  measure(state, [&](void *temporary, size_t &bytes) {
    return rocprim::reduce(temporary, bytes, in.get(), out.get(), 0.0f, count);
  });
}
void sumNative(benchmark::State &state) {
  const auto in = randomValues<float>(state.range(0));
  for (auto round : state)
    benchmark::DoNotOptimize(nativeSum(in.data(), in.size()));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void scanHip(benchmark::State &state) {
  const size_t count = state.range(0);
  const DeviceArray<uint32_t> in(randomValues<uint32_t>(count)), out(count);
  measure(state, [&](void *temporary, size_t &bytes) {
    return rocprim::inclusive_scan(temporary, bytes, in.get(), out.get(), count, rocprim::plus<uint32_t>());
  });
}
void scanNative(benchmark::State &state) {
  const auto in = randomValues<uint32_t>(state.range(0));
  std::vector<uint32_t> out(in.size());
  for (auto round : state) {
    nativeScan(in.data(), out.data(), in.size());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

template <class T> void sortHip(benchmark::State &state) {
  const size_t count = state.range(0);
  const DeviceArray<T> in(randomValues<T>(count)), out(count);
  measure(state, [&](void *temporary, size_t &bytes) {
    return rocprim::radix_sort_keys(temporary, bytes, in.get(), out.get(), count);
  });
}
template <class T> void sortNative(benchmark::State &state) {
  const auto in = randomValues<T>(state.range(0));
  std::vector<T> keys;
  for (auto round : state) {
    state.PauseTiming();
    keys = in;
    state.ResumeTiming();
    nativeSort(keys.data(), keys.size());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

#define ALGORITHM(name) BENCHMARK(name)->UseRealTime()->RangeMultiplier(10)->Range(10'000, 10'000'000)
ALGORITHM(sumHip);
ALGORITHM(sumNative);
ALGORITHM(scanHip);
ALGORITHM(scanNative);
ALGORITHM(sortHip<uint32_t>);
ALGORITHM(sortNative<uint32_t>);
ALGORITHM(sortHip<float>);
ALGORITHM(sortNative<float>);

} // namespace

BENCHMARK_MAIN();
