// SPDX-License-Identifier: MIT
// The device-wide algorithms of rocPRIM, against the C++ standard library, for numbers of elements with nothing in common.
#include "tests/ecosystem/algorithms.h"

#include <rocprim/rocprim.hpp>

namespace {

template <class T> struct Algorithms {
  size_t n;
  std::vector<T> values, few;
  DeviceArray<T> in, keys, out, out2;
  DeviceArray<unsigned> counts;

  explicit Algorithms(size_t n)
      : n(n), values(numbers<T>(n + 1, 100, 1 + n)), few(numbers<T>(n + 1, 3, 7 + n)), in(values), keys(few),
        out(n + 1), out2(n + 1), counts(n + 16) {
    values.resize(n);
    few.resize(n);
  }

  template <class U> void same(const char *what, DeviceArray<U> &device, const std::vector<U> &expected) {
    checkSame(what, device, expected);
  }

  void reductions() {
    run([&](void *memory, size_t &bytes) {
      return rocprim::reduce(memory, bytes, (T *)in, (T *)out, T(5), n, rocprim::plus<T>());
    });
    same("reduce", out, {std::accumulate(values.begin(), values.end(), T(5))});
    std::vector<T> expected(n);
    run([&](void *memory, size_t &bytes) {
      return rocprim::inclusive_scan(memory, bytes, (T *)in, (T *)out, n, rocprim::plus<T>());
    });
    std::partial_sum(values.begin(), values.end(), expected.begin());
    same("inclusive_scan", out, expected);
    run([&](void *memory, size_t &bytes) {
      return rocprim::exclusive_scan(memory, bytes, (T *)in, (T *)out, T(3), n, rocprim::plus<T>());
    });
    std::exclusive_scan(values.begin(), values.end(), expected.begin(), T(3));
    same("exclusive_scan", out, expected);
    run([&](void *memory, size_t &bytes) { return rocprim::adjacent_difference(memory, bytes, (T *)in, (T *)out, n); });
    std::adjacent_difference(values.begin(), values.end(), expected.begin());
    same("adjacent_difference", out, expected);
    HIP_CHECK(rocprim::transform((T *)in, (T *)out, n, Twice()));
    std::transform(values.begin(), values.end(), expected.begin(), Twice());
    same("transform", out, expected);
  }

  void byKey() {
    run([&](void *memory, size_t &bytes) {
      return rocprim::reduce_by_key(memory, bytes, (T *)keys, (T *)in, n, (T *)out, (T *)out2, (unsigned *)counts,
                                    rocprim::plus<T>(), rocprim::equal_to<T>());
    });
    std::vector<T> heads, sums, running(n);
    std::vector<unsigned> lengths;
    for (size_t i = 0; i < n; ++i) {
      const bool first = i == 0 || few[i] != few[i - 1];
      if (first) {
        heads.push_back(few[i]);
        sums.push_back(T(0));
        lengths.push_back(0);
      }
      sums.back() = static_cast<T>(sums.back() + values[i]);
      ++lengths.back();
      running[i] = first ? values[i] : static_cast<T>(running[i - 1] + values[i]);
    }
    same("the keys of reduce_by_key", out, heads);
    same("reduce_by_key", out2, sums);
    run([&](void *memory, size_t &bytes) {
      return rocprim::inclusive_scan_by_key(memory, bytes, (T *)keys, (T *)in, (T *)out, n, rocprim::plus<T>());
    });
    same("inclusive_scan_by_key", out, running);
    DeviceArray<unsigned> number(1);
    run([&](void *memory, size_t &bytes) {
      return rocprim::run_length_encode(memory, bytes, (T *)keys, n, (T *)out, (unsigned *)counts, (unsigned *)number);
    });
    same("run_length_encode", counts, lengths);
    same("the values of run_length_encode", out, heads);
    same("the number of runs", number, {static_cast<unsigned>(heads.size())});
    run([&](void *memory, size_t &bytes) {
      return rocprim::unique(memory, bytes, (T *)keys, (T *)out, (unsigned *)number, n);
    });
    same("unique", out, heads);
  }

  void sorts() {
    std::vector<T> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    run([&](void *memory, size_t &bytes) { return rocprim::radix_sort_keys(memory, bytes, (T *)in, (T *)out, n); });
    same("radix_sort_keys", out, sorted);
    run([&](void *memory, size_t &bytes) { return rocprim::merge_sort(memory, bytes, (T *)in, (T *)out, n); });
    same("merge_sort", out, sorted);
    std::vector<unsigned> order(n + 1);
    std::iota(order.begin(), order.end(), 0u);
    DeviceArray<unsigned> places(order);
    run([&](void *memory, size_t &bytes) {
      return rocprim::radix_sort_pairs(memory, bytes, (T *)in, (T *)out, (unsigned *)places, (unsigned *)counts, n);
    });
    order.resize(n);
    std::stable_sort(order.begin(), order.end(), [&](unsigned x, unsigned y) { return values[x] < values[y]; });
    same("radix_sort_pairs", counts, order);
    run([&](void *memory, size_t &bytes) {
      return rocprim::radix_sort_keys_desc(memory, bytes, (T *)in, (T *)out, n);
    });
    same("radix_sort_keys_desc", out, std::vector<T>(sorted.rbegin(), sorted.rend()));
    std::vector<T> left(values.begin(), values.begin() + n / 3), right(values.begin() + n / 3, values.end());
    std::sort(left.begin(), left.end());
    std::sort(right.begin(), right.end());
    left.push_back(T(0)); // there is no array of nothing
    right.push_back(T(0));
    DeviceArray<T> first(left), second(right);
    run([&](void *memory, size_t &bytes) {
      return rocprim::merge(memory, bytes, (T *)first, (T *)second, (T *)out, left.size() - 1, right.size() - 1,
                            rocprim::less<T>());
    });
    same("merge", out, sorted);
    if (n == 0)
      return;
    DeviceArray<T> haystack(sorted);
    run([&](void *memory, size_t &bytes) {
      return rocprim::lower_bound(memory, bytes, (T *)haystack, (T *)keys, (unsigned *)counts, n, n,
                                  rocprim::less<T>());
    });
    std::vector<unsigned> expected(n);
    for (size_t i = 0; i < n; ++i)
      expected[i] = static_cast<unsigned>(std::lower_bound(sorted.begin(), sorted.end(), few[i]) - sorted.begin());
    same("lower_bound", counts, expected);
  }

  void choices() {
    DeviceArray<unsigned> number(1);
    std::vector<T> chosen, all;
    std::copy_if(values.begin(), values.end(), std::back_inserter(chosen), Positive());
    run([&](void *memory, size_t &bytes) {
      return rocprim::select(memory, bytes, (T *)in, (T *)out, (unsigned *)number, n, Positive());
    });
    same("select", out, chosen);
    same("the number that select chose", number, {static_cast<unsigned>(chosen.size())});
    run([&](void *memory, size_t &bytes) {
      return rocprim::partition(memory, bytes, (T *)in, (T *)out, (unsigned *)number, n, Positive());
    });
    all = chosen; // the others follow in reverse order
    std::copy_if(values.rbegin(), values.rend(), std::back_inserter(all), [](T value) { return !Positive()(value); });
    same("partition", out, all);
    if (n == 0)
      return;
    run([&](void *memory, size_t &bytes) {
      return rocprim::histogram_even(memory, bytes, (T *)in, static_cast<unsigned>(n), (unsigned *)counts, 11u, T(-50),
                                     T(50));
    });
    std::vector<unsigned> expected(10);
    for (T value : values)
      ++expected[static_cast<size_t>((static_cast<double>(value) + 50) / 10)];
    same("histogram_even", counts, expected);
  }

  void all() {
    reductions();
    byKey();
    sorts();
    choices();
  }
};

} // namespace

int main() {
  for (size_t n : {0, 1, 31, 257, 5000, 100003})
    Algorithms<int>(n).all();
  for (size_t n : {33, 4097})
    Algorithms<double>(n).all();
  return testResult();
}
