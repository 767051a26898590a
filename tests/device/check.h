// SPDX-License-Identifier: MIT
// The checks of the device tests. A failed check prints where and what, and the program goes on, so that one run shows
// every failure; main returns testResult(). A failed HIP call ends the program: what follows would mean nothing.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <limits>
#include <vector>

#include <hip/hip_runtime.h>

static int checkFailures = 0;

#define HIP_CHECK(call)                                                                                                \
  do {                                                                                                                 \
    hipError_t status_ = (call);                                                                                       \
    if (status_ != hipSuccess) {                                                                                       \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, hipGetErrorName(status_));                    \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
  } while (0)

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      ++checkFailures;                                                                                                 \
      std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                                     \
    }                                                                                                                  \
  } while (0)

template <class A, class B>
void checkEqual(const A &actual, const B &expected, const char *what, const char *file, int line) {
  if (actual == expected)
    return;
  ++checkFailures;
  std::cerr << file << ':' << line << ": " << what << " is " << +actual << ", expected " << +expected << '\n';
}
#define CHECK_EQ(actual, expected) checkEqual((actual), (expected), #actual, __FILE__, __LINE__)

inline void checkNear(double actual, double expected, double tolerance, const char *what, const char *file, int line) {
  if (actual == expected || std::fabs(actual - expected) <= tolerance)
    return;
  ++checkFailures;
  std::fprintf(stderr, "%s:%d: %s is %.17g, expected %.17g within %g\n", file, line, what, actual, expected, tolerance);
}
#define CHECK_NEAR(actual, expected, tolerance)                                                                        \
  checkNear((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)

/// The exit code of the test, and its last line of output.
inline int testResult() {
  std::printf(checkFailures ? "FAILED: %d checks\n" : "passed\n", checkFailures);
  return checkFailures ? 1 : 0;
}

/// What kind of memory HIP takes it for.
inline hipMemoryType memoryType(const void *pointer) {
  hipPointerAttribute_t attributes{};
  HIP_CHECK(hipPointerGetAttributes(&attributes, pointer));
  return attributes.type;
}
inline bool isUnregistered(const void *pointer) { return memoryType(pointer) == hipMemoryTypeUnregistered; }

/// Device memory that is freed at the end of the scope, with copies from and to vectors.
template <class T> class DeviceArray {
public:
  explicit DeviceArray(size_t count) : count_(count) {
    HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&data_), count * sizeof(T)));
    HIP_CHECK(hipMemset(data_, 0, count * sizeof(T)));
    HIP_CHECK(hipStreamSynchronize(nullptr)); // streams that do not wait for the null stream may use it at once
  }
  DeviceArray(const std::vector<T> &host) : DeviceArray(host.size()) {
    HIP_CHECK(hipMemcpy(data_, host.data(), count_ * sizeof(T), hipMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;
  ~DeviceArray() { HIP_CHECK(hipFree(data_)); }

  operator T *() { return data_; }
  size_t size() const { return count_; }
  std::vector<T> host() const {
    std::vector<T> copy(count_);
    HIP_CHECK(hipMemcpy(copy.data(), data_, count_ * sizeof(T), hipMemcpyDeviceToHost));
    return copy;
  }

private:
  T *data_ = nullptr;
  size_t count_;
};
