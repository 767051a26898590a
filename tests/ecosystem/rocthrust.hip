// SPDX-License-Identifier: MIT
// rocThrust: vectors, iterators, policies and element-wise algorithms, against the C++ standard library.
#include "tests/ecosystem/algorithms.h"

#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/reduce.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/tuple.h>

#include <map>

namespace {

template <class T> std::vector<T> onHost(const thrust::device_vector<T> &vector) {
  std::vector<T> host(vector.size());
  thrust::copy(vector.begin(), vector.end(), host.begin());
  return host;
}

struct Cube {
  __host__ __device__ long operator()(int value) const { return static_cast<long>(value) * value * value; }
};
struct SumOfTuple {
  template <class Tuple> __host__ __device__ int operator()(const Tuple &tuple) const {
    return thrust::get<0>(tuple) + 3 * thrust::get<1>(tuple);
  }
};
struct Five {
  __host__ __device__ int operator()() const { return 5; }
};

/// Memory for temporary storage, kept for the next algorithm.
class Cache {
public:
  typedef char value_type;
  Cache() = default;
  Cache(const Cache &) = delete;
  ~Cache() {
    CHECK(used_.empty());
    for (const auto &block : free_)
      HIP_CHECK(hipFree(block.second));
  }
  char *allocate(std::ptrdiff_t bytes) {
    ++requests;
    char *block = nullptr;
    if (const auto found = free_.lower_bound(bytes); found != free_.end()) {
      block = found->second;
      used_[block] = found->first;
      free_.erase(found);
    } else {
      ++allocations;
      HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&block), std::max<std::ptrdiff_t>(bytes, 1)));
      used_[block] = bytes;
    }
    return block;
  }
  void deallocate(char *block, size_t) {
    free_.emplace(used_.at(block), block);
    used_.erase(block);
  }

  int requests = 0, allocations = 0;

private:
  std::multimap<std::ptrdiff_t, char *> free_;
  std::map<char *, std::ptrdiff_t> used_;
};

void reductions(size_t n) {
  const std::vector<int> values = numbers<int>(n, 100, 1 + n);
  const thrust::device_vector<int> in(values.begin(), values.end());
  CHECK_EQ(thrust::reduce(in.begin(), in.end(), 7L, thrust::plus<long>()),
           std::accumulate(values.begin(), values.end(), 7L));
  long cubes = 0, products = 0;
  for (size_t i = 0; i < n; ++i) {
    cubes += Cube()(values[i]);
    products += static_cast<long>(values[i]) * values[n - 1 - i];
  }
  CHECK_EQ(thrust::transform_reduce(in.begin(), in.end(), Cube(), 0L, thrust::plus<long>()), cubes);
  CHECK_EQ(thrust::inner_product(in.begin(), in.end(), thrust::make_reverse_iterator(in.end()), 0L), products);
  CHECK_EQ(thrust::count(in.begin(), in.end(), 3), std::count(values.begin(), values.end(), 3));
  CHECK_EQ(thrust::count_if(in.begin(), in.end(), Positive()), std::count_if(values.begin(), values.end(), Positive()));
  CHECK_EQ(thrust::any_of(in.begin(), in.end(), Positive()), std::any_of(values.begin(), values.end(), Positive()));
  CHECK_EQ(thrust::min_element(in.begin(), in.end()) - in.begin(),
           std::min_element(values.begin(), values.end()) - values.begin());
  const auto both = thrust::minmax_element(in.begin(), in.end());
  CHECK_EQ(both.second - in.begin(), n == 0 ? 0 : std::max_element(values.begin(), values.end()) - values.begin());
}

void scans(size_t n) {
  const std::vector<int> values = numbers<int>(n, 100, 2 + n);
  const thrust::device_vector<int> in(values.begin(), values.end());
  thrust::device_vector<int> out(n);
  thrust::device_vector<long> wide(n);
  std::vector<int> expected(n);
  std::vector<long> cubes(n);
  thrust::inclusive_scan(in.begin(), in.end(), out.begin());
  std::partial_sum(values.begin(), values.end(), expected.begin());
  checkSame("inclusive_scan", onHost(out), expected);
  thrust::exclusive_scan(in.begin(), in.end(), out.begin(), 4, thrust::maximum<int>());
  std::exclusive_scan(values.begin(), values.end(), expected.begin(), 4, [](int x, int y) { return std::max(x, y); });
  checkSame("exclusive_scan", onHost(out), expected);
  thrust::transform_inclusive_scan(in.begin(), in.end(), wide.begin(), Cube(), thrust::plus<long>());
  std::transform_inclusive_scan(values.begin(), values.end(), cubes.begin(), std::plus<long>(), Cube());
  checkSame("transform_inclusive_scan", onHost(wide), cubes);
}

void elements(size_t n) {
  const std::vector<int> values = numbers<int>(n, 100, 3 + n);
  std::vector<int> order(n), expected(n);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(4));
  const thrust::device_vector<int> in(values.begin(), values.end()), map(order.begin(), order.end());
  thrust::device_vector<int> out(n);
  thrust::transform(in.begin(), in.end(), map.begin(), out.begin(), thrust::multiplies<int>());
  std::transform(values.begin(), values.end(), order.begin(), expected.begin(), std::multiplies<int>());
  checkSame("transform", onHost(out), expected);
  const int factor = 3;
  thrust::transform(in.begin(), in.end(), out.begin(), [factor] __device__(int x) { return x * factor + 1; });
  std::transform(values.begin(), values.end(), expected.begin(), [](int x) { return x * 3 + 1; });
  checkSame("transform by a lambda", onHost(out), expected);
  int *data = thrust::raw_pointer_cast(out.data());
  thrust::for_each(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(static_cast<int>(n)),
                   [data] __device__(int i) { data[i] -= i; });
  for (size_t i = 0; i < n; ++i)
    expected[i] -= static_cast<int>(i);
  checkSame("for_each", onHost(out), expected);
  thrust::gather(map.begin(), map.end(), in.begin(), out.begin());
  for (size_t i = 0; i < n; ++i)
    expected[i] = values[order[i]];
  checkSame("gather", onHost(out), expected);
  const auto permuted = thrust::make_permutation_iterator(in.begin(), map.begin());
  CHECK(thrust::equal(permuted, permuted + n, out.begin()));
  thrust::scatter(in.begin(), in.end(), map.begin(), out.begin());
  for (size_t i = 0; i < n; ++i)
    expected[order[i]] = values[i];
  checkSame("scatter", onHost(out), expected);
  const auto zipped = thrust::make_zip_iterator(thrust::make_tuple(in.begin(), map.begin()));
  thrust::transform(zipped, zipped + n, out.begin(), SumOfTuple());
  for (size_t i = 0; i < n; ++i)
    expected[i] = values[i] + 3 * order[i];
  checkSame("transform of tuples", onHost(out), expected);
  thrust::sequence(out.begin(), out.end(), 10, 2);
  thrust::transform(out.begin(), out.end(), thrust::make_constant_iterator(1), out.begin(), thrust::minus<int>());
  for (size_t i = 0; i < n; ++i)
    expected[i] = 9 + 2 * static_cast<int>(i);
  checkSame("sequence", onHost(out), expected);
  thrust::tabulate(out.begin(), out.end(), [] __device__(int i) { return i * i; });
  for (size_t i = 0; i < n; ++i)
    expected[i] = static_cast<int>(static_cast<unsigned>(i) * static_cast<unsigned>(i));
  checkSame("tabulate", onHost(out), expected);
  thrust::generate(out.begin(), out.begin() + n / 2, Five());
  thrust::fill(out.begin() + n / 2, out.end(), 6);
  std::fill(expected.begin(), expected.end(), 5);
  std::fill(expected.begin() + n / 2, expected.end(), 6);
  checkSame("generate and fill", onHost(out), expected);
}

} // namespace

TEST(vectors) {
  thrust::host_vector<int> host(1000, 3);
  host[999] = 8;
  thrust::device_vector<int> device = host, other;
  CHECK_EQ(static_cast<int>(device[999]), 8);
  device[5] = 11;
  device.push_back(12);
  device.insert(device.begin() + 2, 13);
  device.erase(device.begin());
  other.assign(device.rbegin(), device.rend());
  host = other;
  CHECK_EQ(host.size(), 1001u);
  CHECK_EQ(host[0], 12);
  CHECK_EQ(host[1], 8);
  CHECK_EQ(host[1000 - 5], 11);
  CHECK_EQ(host[1000 - 1], 13);
  other.resize(5, 9);
  CHECK_EQ(static_cast<int>(other.front()), 12);
  other.swap(device);
  CHECK_EQ(device.size(), 5u);
  CHECK(thrust::device_vector<int>(3, 4) == thrust::device_vector<int>(3, 4));
  thrust::device_vector<double> structure(4, 2.5);
  structure.shrink_to_fit();
  CHECK_EQ(static_cast<double>(structure.back()), 2.5);
}
TEST(devicePointers) {
  int *raw = nullptr;
  HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&raw), 100 * sizeof(int)));
  thrust::device_ptr<int> pointer = thrust::device_pointer_cast(raw);
  thrust::fill(pointer, pointer + 100, 4);
  CHECK_EQ(thrust::reduce(pointer, pointer + 100), 400);
  *(pointer + 7) = 5;
  CHECK_EQ(thrust::reduce(thrust::device, raw, raw + 100), 401);
  HIP_CHECK(hipFree(raw));
  thrust::device_ptr<long> own = thrust::device_malloc<long>(10);
  thrust::sequence(own, own + 10);
  CHECK_EQ(static_cast<long>(own[9]), 9);
  thrust::device_free(own);
}
TEST(reductions) {
  for (size_t n : kSizes)
    reductions(n);
}
TEST(scans) {
  for (size_t n : kSizes)
    scans(n);
}
TEST(elements) {
  for (size_t n : kSizes)
    elements(n);
}
TEST(streams) {
  const size_t n = 100003;
  const std::vector<int> values = numbers<int>(n, 1000, 5);
  std::vector<int> expected = values;
  std::sort(expected.begin(), expected.end());
  hipStream_t stream;
  HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  thrust::device_vector<int> device(values.begin(), values.end());
  thrust::sort(thrust::hip::par.on(stream), device.begin(), device.end());
  checkSame("sort in a stream", onHost(device), expected);
  thrust::for_each(thrust::hip::par_nosync.on(stream), device.begin(), device.end(),
                   [] __device__(int &value) { value = 2 * value + 1; });
  thrust::transform(thrust::hip::par_nosync.on(stream), device.begin(), device.end(), device.begin(), Twice());
  HIP_CHECK(hipStreamSynchronize(stream));
  for (int &value : expected)
    value = 2 * (2 * value + 1);
  checkSame("two algorithms without waiting", onHost(device), expected);
  HIP_CHECK(hipStreamDestroy(stream));
}
TEST(allocators) {
  Cache cache;
  const size_t n = 50001;
  const std::vector<int> values = numbers<int>(n, 1000, 6);
  std::vector<int> expected = values;
  std::sort(expected.begin(), expected.end());
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  for (int round = 0; round < 3; ++round) {
    thrust::device_vector<int> device(values.begin(), values.end());
    thrust::sort(thrust::hip::par(cache).on(stream), device.begin(), device.end());
    checkSame("sort with an allocator", onHost(device), expected);
  }
  CHECK(cache.requests >= 3);
  CHECK(cache.allocations * 3 == cache.requests);
  HIP_CHECK(hipStreamDestroy(stream));
}
TEST(hostAlgorithms) {
  std::vector<int> values = numbers<int>(1000, 100, 7), expected = values;
  thrust::sort(thrust::host, values.begin(), values.end());
  std::sort(expected.begin(), expected.end());
  CHECK(values == expected);
  CHECK_EQ(thrust::reduce(thrust::seq, values.begin(), values.end()), std::accumulate(values.begin(), values.end(), 0));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
