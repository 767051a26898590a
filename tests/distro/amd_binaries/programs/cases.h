// SPDX-License-Identifier: MIT
// For the programs in this folder: functions of a thread's number that the device and the host compute, whose results must be the same bits.
#pragma once
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

inline int failures = 0;

inline void must(hipError_t error, const char *what) {
  if (error == hipSuccess)
    return;
  std::printf("%s: %s\n", what, hipGetErrorName(error));
  ++failures;
}
#define MUST(call) must(call, #call)

/// Memory of the device with a copy on the host.
template <class T> struct Array {
  explicit Array(size_t count, T value = T{}) : host(count, value) {
    MUST(hipMalloc(&device, count * sizeof(T)));
    send();
  }
  ~Array() { (void)hipFree(device); }
  void send() { MUST(hipMemcpy(device, host.data(), host.size() * sizeof(T), hipMemcpyHostToDevice)); }
  void fetch() { MUST(hipMemcpy(host.data(), device, host.size() * sizeof(T), hipMemcpyDeviceToHost)); }
  std::vector<T> host;
  T *device = nullptr;
};

/// Compares what a kernel has left with what was expected.
template <class T> void compare(const char *name, const std::vector<T> &found, const std::vector<T> &wanted) {
  size_t wrong = 0, first = 0;
  for (size_t i = wanted.size(); i-- > 0;)
    if (std::memcmp(&found[i], &wanted[i], sizeof(T)) != 0 && !(found[i] != found[i] && wanted[i] != wanted[i]))
      ++wrong, first = i;
  if (wrong) {
    std::printf("%s: %zu of %zu differ, the first is %zu: %.17g, expected %.17g\n", name, wrong, wanted.size(), first,
                static_cast<double>(found[first]), static_cast<double>(wanted[first]));
    ++failures;
  }
}

template <class F, class T> __global__ void evaluate(T *out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    out[i] = F::of(i);
}

/// F::of(i) for many i.
template <class F> void sameOnBoth(const char *name) {
  using T = decltype(F::of(0));
  constexpr int kCount = 500;
  Array<T> out(kCount);
  evaluate<F, T><<<(kCount + 127) / 128, 128>>>(out.device, kCount);
  MUST(hipGetLastError());
  out.fetch();
  std::vector<T> wanted;
  for (int i = 0; i < kCount; ++i)
    wanted.push_back(F::of(i));
  compare(name, out.host, wanted);
}

/// Defines a function of the thread's number and checks it.
#define BOTH(name, type)                                                                                               \
  struct name {                                                                                                        \
    static __host__ __device__ type of(int i);                                                                         \
  };                                                                                                                   \
  inline const bool name##Added = (checks().push_back([] { sameOnBoth<name>(#name); }), true);                         \
  __host__ __device__ type name::of(int i)

/// Defines a check on the host.
#define CHECK(name)                                                                                                    \
  void name();                                                                                                         \
  inline const bool name##Added = (checks().push_back(name), true);                                                    \
  void name()

inline std::vector<void (*)()> &checks() {
  static std::vector<void (*)()> all;
  return all;
}

inline int runChecks() {
  for (void (*check)() : checks())
    check();
  std::printf(failures ? "FAILED: %d\n" : "passed\n", failures);
  return failures != 0;
}

/// Numbers that look random.
__host__ __device__ inline unsigned mixed(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}
__host__ __device__ inline unsigned long long mixed64(unsigned x) {
  return static_cast<unsigned long long>(mixed(x)) << 32 | mixed(x + 0x9e3779b9u);
}
