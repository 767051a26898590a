// SPDX-License-Identifier: MIT
// Shared by the cases of bench_compute. A case is one algorithm in up to three forms: as HIP kernels written the way people
// write them for GPUs, as OpenMP loops, and as the same kernels in OpenCL C for another runtime on the same processor. All
// forms work on the same input, and their results are compared before anything is timed.
#pragma once
#include "native.h"
#include "opencl.h"

#include <hip/hip_runtime.h>

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace bench {

void checkHip(hipError_t error, const char *what);
#define HIP(call) ::bench::checkHip((call), #call)

/// An array in host memory whose pages were first touched by the threads that OpenMP gives them to.
template <class T> class HostArray {
public:
  explicit HostArray(size_t count) : count_(count) {
    data_ = static_cast<T *>(std::aligned_alloc(4096, (count * sizeof(T) + 4095) / 4096 * 4096));
    nativeZero(data_, count * sizeof(T));
  }
  HostArray(const HostArray &) = delete;
  HostArray &operator=(const HostArray &) = delete;
  ~HostArray() { std::free(data_); }

  T *get() const { return data_; }
  size_t size() const { return count_; }
  size_t bytes() const { return count_ * sizeof(T); }
  T &operator[](size_t i) const { return data_[i]; }

private:
  T *data_;
  size_t count_;
};

/// An array in device memory.
template <class T> class DeviceArray {
public:
  explicit DeviceArray(size_t count) : count_(count) { HIP(hipMalloc(&data_, count * sizeof(T))); }
  explicit DeviceArray(const HostArray<T> &host) : DeviceArray(host.size()) { set(host); }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;
  ~DeviceArray() { (void)hipFree(data_); }

  T *get() const { return data_; }
  void set(const HostArray<T> &host) { HIP(hipMemcpy(data_, host.get(), host.bytes(), hipMemcpyHostToDevice)); }
  std::vector<T> values() const {
    std::vector<T> result(count_);
    HIP(hipMemcpy(result.data(), data_, count_ * sizeof(T), hipMemcpyDeviceToHost));
    return result;
  }

private:
  T *data_ = nullptr;
  size_t count_;
};

/// Numbers in [0, 1) that are the same in every run.
template <class T> void fillRandom(const HostArray<T> &array, unsigned seed) {
  unsigned long long state = 0x9e3779b97f4a7c15ull * (seed + 1);
  for (size_t i = 0; i < array.size(); ++i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    array[i] = T(double(state >> 40) / double(1 << 24));
  }
}

/// True if two results agree up to `tolerance`, relative to the largest magnitude among them.
template <class T> bool agree(const std::vector<T> &found, const T *wanted, double tolerance) {
  double largest = 0, difference = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    const double a = double(found[i]), b = double(wanted[i]);
    if (!(a - b <= 1e300 && b - a <= 1e300)) // one of them is no number
      return false;
    largest = largest > b ? largest : b > -b ? b : -b;
    difference = difference > a - b ? difference : a - b;
    difference = difference > b - a ? difference : b - a;
  }
  return difference <= tolerance * largest;
}

struct Case {
  std::string name;
  double work = 0;           ///< done by one run, in units of 1e9
  const char *unit = "";     ///< of work per second
  std::function<void()> hip; ///< submits one run; does not wait
  std::function<void()> native;
  std::vector<ClLaunch> opencl; ///< one run; empty: there is no such form
  std::function<bool()> check;  ///< after one run of HIP and one of native
};

/// Makes a case when its turn comes, so that only one has its memory at a time.
using Maker = std::function<Case()>;

/// Each file adds its makers here, through a static object of this type.
struct Cases {
  Cases(std::initializer_list<Maker> makers);
};
const std::vector<Maker> &allCases();

constexpr unsigned blocks(size_t items, unsigned blockSize) { return unsigned((items + blockSize - 1) / blockSize); }

} // namespace bench
