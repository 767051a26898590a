// SPDX-License-Identifier: MIT
// Shared by the samples: checked calls, device memory that frees itself, timing, and the line with the result that
// samples/run.sh collects.
#pragma once
#include <hip/hip_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Ends the program with file, line and the error's name if a HIP call fails.
#define HIP_CHECK(call)                                                                                                \
  do {                                                                                                                 \
    const hipError_t hipCheckError = (call);                                                                           \
    if (hipCheckError != hipSuccess) {                                                                                 \
      std::fprintf(stderr, "%s:%d: %s: %s (%s)\n", __FILE__, __LINE__, #call, hipGetErrorName(hipCheckError),          \
                   hipGetErrorString(hipCheckError));                                                                  \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
  } while (0)

namespace sample {

// An array in device memory.
template <class T> class DeviceArray {
public:
  explicit DeviceArray(size_t count) : count_(count) {
    HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&data_), count * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T> &values) : DeviceArray(values.size()) {
    HIP_CHECK(hipMemcpy(data_, values.data(), count_ * sizeof(T), hipMemcpyHostToDevice));
  }
  ~DeviceArray() { (void)hipFree(data_); }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;

  T *get() const { return data_; }
  size_t size() const { return count_; }

  std::vector<T> toHost() const {
    std::vector<T> values(count_);
    HIP_CHECK(hipMemcpy(values.data(), data_, count_ * sizeof(T), hipMemcpyDeviceToHost));
    return values;
  }

private:
  T *data_ = nullptr;
  size_t count_;
};

// The shortest of several runs in seconds, until the device has finished. The first run, which compiles the kernels,
// does not count.
template <class Function> double bestSeconds(int runs, Function &&function) {
  double best = 1e30;
  for (int run = 0; run <= runs; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    function();
    HIP_CHECK(hipDeviceSynchronize());
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    if (run > 0 && seconds.count() < best)
      best = seconds.count();
  }
  return best;
}

// Prints the line with the result and returns the exit code of the program.
inline int report(const char *name, bool passed, double figure, const char *unit) {
  int device = 0;
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDevice(&device));
  HIP_CHECK(hipGetDeviceProperties(&properties, device));
  std::printf("RESULT name=%s device=\"%s\" check=%s figure=%.4g unit=%s\n", name, properties.name,
              passed ? "PASS" : "FAIL", figure, unit);
  return passed ? 0 : 1;
}

} // namespace sample
