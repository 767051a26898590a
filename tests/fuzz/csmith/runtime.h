// SPDX-License-Identifier: MIT
// The runtime of a csmith program that has become a class, on the host and in kernels: arithmetic that is defined for all values, the
// check of its variables, and other values for each lane. run.py writes the classes and includes this.
#pragma once
#ifdef __HIP__
#include <hip/hip_runtime.h>
#endif
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#ifdef __HIP__
#pragma clang force_cuda_host_device begin
#endif

namespace arithmetic {

// Sums, differences and products of 64 bits hold every exact result of the narrower types; those of 64 bits wrap.
template <class T> constexpr T add(T a, T b) { return T(uint64_t(a) + uint64_t(b)); }
template <class T> constexpr T sub(T a, T b) { return T(uint64_t(a) - uint64_t(b)); }
template <class T> constexpr T mul(T a, T b) { return T(uint64_t(a) * uint64_t(b)); }
template <class T> constexpr bool divides(T a, T b) {
  return b != 0 && !(T(-1) < T(0) && b == T(-1) && a == T(uint64_t(1) << (sizeof(T) * 8 - 1)));
}
template <class T> constexpr T div(T a, T b) { return divides(a, b) ? T(a / b) : a; }
template <class T> constexpr T mod(T a, T b) { return divides(a, b) ? T(a % b) : a; }
template <class T> constexpr T unary_minus(T a) { return T(0 - uint64_t(a)); }
template <class T, class B> constexpr T lshift(T a, B b) {
  return a < 0 || b < 0 || uint64_t(b) >= sizeof(T) * 8 ? a : T(uint64_t(a) << b);
}
template <class T, class B> constexpr T rshift(T a, B b) {
  return a < 0 || b < 0 || uint64_t(b) >= sizeof(T) * 8 ? a : T(a >> b);
}

} // namespace arithmetic

// The names that csmith has for them.
#define SAFE_TWO(op, type, sign)                                                                                       \
  inline type safe_##op##_func_##type##_##sign##_##sign(type a, type b) { return arithmetic::op<type>(a, b); }
#define SAFE_SHIFT(op, type, sign)                                                                                     \
  inline type safe_##op##_func_##type##_##sign##_s(type a, int b) { return arithmetic::op<type, int>(a, b); }          \
  inline type safe_##op##_func_##type##_##sign##_u(type a, unsigned b) { return arithmetic::op<type, unsigned>(a, b); }
#define SAFE(type, sign)                                                                                               \
  SAFE_TWO(add, type, sign)                                                                                            \
  SAFE_TWO(sub, type, sign)                                                                                            \
  SAFE_TWO(mul, type, sign)                                                                                            \
  SAFE_TWO(div, type, sign)                                                                                            \
  SAFE_TWO(mod, type, sign)                                                                                            \
  SAFE_SHIFT(lshift, type, sign)                                                                                       \
  SAFE_SHIFT(rshift, type, sign)                                                                                       \
  inline type safe_unary_minus_func_##type##_##sign(type a) { return arithmetic::unary_minus<type>(a); }
SAFE(int8_t, s)
SAFE(int16_t, s)
SAFE(int32_t, s)
SAFE(int64_t, s)
SAFE(uint8_t, u)
SAFE(uint16_t, u)
SAFE(uint32_t, u)
SAFE(uint64_t, u)

inline uint32_t mixed(uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

/// The base of all programs: hashes what the program's main() would have printed a checksum of.
struct Checked {
  uint64_t hash = 0;
  void transparent_crc(uint64_t value, const char *, int) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15ull, hash ^= hash >> 29;
  }
  /// Gives a variable, or all items of an array, another value in about half of the lanes; lane 0 keeps them all.
  template <class T> void change(void *at, size_t size, unsigned lane, unsigned number) {
    T *items = static_cast<T *>(at);
    for (unsigned i = 0; i < size / sizeof(T); ++i) {
      const uint32_t random = mixed(lane * 1000003u + number * 257u + i);
      if (lane == 0 || random & 1)
        continue;
      items[i] = random & 2   ? T(uint64_t(items[i]) + lane % 5)
                 : random & 4 ? T(random >> 8 & 7)
                              : T(uint64_t(random) * random);
    }
  }
};

template <class Program> uint64_t hashOf(unsigned lane) {
  Program program;
  program.change_all(lane);
  program.main_of_program();
  return program.hash;
}

#ifdef __HIP__
#pragma clang force_cuda_host_device end
template <class Program> __global__ void run(uint64_t *out) {
  const unsigned lane = blockIdx.x * blockDim.x + threadIdx.x;
  out[lane] = hashOf<Program>(lane);
}
#endif

constexpr unsigned kBlocks = 3, kThreads = 50, kLanes = kBlocks * kThreads; // the last warp of a block is partial

/// Prints the hash of each lane.
template <class Program> int printAll() {
  uint64_t hashes[kLanes];
#ifdef __HIP__
  uint64_t *device = nullptr;
  hipError_t error = hipMalloc(reinterpret_cast<void **>(&device), sizeof hashes);
  if (!error) {
    run<Program><<<kBlocks, kThreads>>>(device);
    error = hipGetLastError();
  }
  if (!error)
    error = hipMemcpy(hashes, device, sizeof hashes, hipMemcpyDeviceToHost);
  if (error) {
    std::printf("%s\n", hipGetErrorName(error));
    return 1;
  }
#else
  for (unsigned lane = 0; lane < kLanes; ++lane)
    hashes[lane] = hashOf<Program>(lane);
#endif
  for (unsigned lane = 0; lane < kLanes; ++lane)
    std::printf("lane %u: %016llx\n", lane, static_cast<unsigned long long>(hashes[lane]));
  return 0;
}
