// SPDX-License-Identifier: MIT
// The common part of the programs that scripts/device_coverage.py makes: the arguments of the calls, and a place for
// the results, so that the compiler keeps each call.
#pragma once

#define HIP_ENABLE_WARP_SYNC_BUILTINS
#include <hip/hip_runtime.h>

#include <hip/hip_complex.h>
#include <hip/hip_cooperative_groups.h>
#if __has_include(<hip/hip_fp16.h>)
#include <hip/hip_fp16.h>
#endif
#if __has_include(<hip/hip_bf16.h>)
#include <hip/hip_bf16.h>
#endif
#if __has_include(<hip/hip_bfloat16.h>)
#include <hip/hip_bfloat16.h>
#endif
#if __has_include(<hip/hip_fp8.h>)
#include <hip/hip_fp8.h>
#endif
#include <hip/hip_ext_ocp.h>
#include <hip/hip_fp4.h>
#include <hip/hip_fp6.h>

#include <algorithm>
#include <type_traits>

#include "tests/device/check.h"

#pragma clang diagnostic ignored "-Wpsabi" // vectors of eight floats are passed in memory, as AMD's are

/// A comparison for std::min and std::max.
struct Less {
  template <class T> __host__ __device__ bool operator()(const T &x, const T &y) const { return x < y; }
};

/// An operation of a reduction, and what does it for a whole warp.
struct Combine {
  template <class T> __host__ __device__ T operator()(const T &x, const T &y) const { return x + y; }
  template <class T> __host__ __device__ T operator()(const T &x) const { return x; }
};

// The texture references that calls read, by the number of their kind.
static texture<float, 1, hipReadModeElementType> textureOf1;
static texture<float, 2, hipReadModeElementType> textureOf2;
static texture<float, 3, hipReadModeElementType> textureOf3;
static texture<float, 12, hipReadModeElementType> textureOf12;
static texture<float, 241, hipReadModeElementType> textureOf241;
static texture<float, 242, hipReadModeElementType> textureOf242;
static texture<float, 252, hipReadModeElementType> textureOf252;

/// The memory of one call: operands in front, the result behind; every byte is 1 at first. `one` is 1 and `never` is false; the compiler knows neither.
struct Memory {
  unsigned char *bytes;
  int one;
  bool never;

  /// The memory of a call, which no other call of the kernel or of another thread has written to.
  __host__ __device__ Memory part(int index) const {
#ifdef __HIP_DEVICE_COMPILE__
    return {bytes + (threadIdx.x * 64 + index % 64) * 1024, one, never};
#else
    std::memset(bytes, 1, 1024);
    return *this;
#endif
  }

  /// A value of the type: one, or the operand in memory for types that are not arithmetic.
  template <class T> __host__ __device__ T value() const {
    if constexpr (std::is_arithmetic_v<T>)
      return static_cast<T>(one);
    else
      return *pointer<T>();
  }
  template <class T> __host__ __device__ T *pointer() const {
    if constexpr (std::is_function_v<T>)
      return nullptr;
    else
      return static_cast<T *>(static_cast<void *>(bytes));
  }
  template <class T> __host__ __device__ T &reference() const { return *pointer<T>(); }
  template <class T> __host__ __device__ void touch(T &object) const {
    __builtin_memset(static_cast<void *>(&object), one, sizeof object);
  }
  /// Keeps the bytes of the result.
  template <class T> __host__ __device__ void keep(const T &result) const {
    const volatile unsigned char *from = reinterpret_cast<const volatile unsigned char *>(&result);
    for (unsigned i = 0; i < sizeof(T) && i < 256; ++i)
      static_cast<volatile unsigned char *>(bytes)[512 + i] = from[i];
  }
};

/// True if a call may have type A where the table says B: they are the same but for const and references, or integers that
/// differ in name only, as long and long long.
template <class A, class B, class X = std::remove_cv_t<std::remove_reference_t<A>>,
          class Y = std::remove_cv_t<std::remove_reference_t<B>>>
constexpr bool kSameResult =
    std::is_same_v<X, Y> ||
    (std::is_integral_v<X> && std::is_integral_v<Y> && sizeof(X) == sizeof(Y) &&
     std::is_signed_v<X> == std::is_signed_v<Y> && std::is_same_v<X, bool> == std::is_same_v<Y, bool>);

template <class T> struct Unparenthesized;
template <class T> struct Unparenthesized<void(T)> {
  typedef T type;
};

// Evaluates a call whose result has the type, which stands in parentheses.
#define CALL(Type, ...)                                                                                                \
  do {                                                                                                                 \
    static_assert(kSameResult<decltype(__VA_ARGS__), Unparenthesized<void Type>::type>, "the declared result");        \
    m.keep(__VA_ARGS__);                                                                                               \
  } while (0)

constexpr int kThreads = 32;

template <class Kernel> hipError_t launch(Kernel kernel) {
  DeviceArray<unsigned char> bytes(kThreads * 64 * 1024);
  HIP_CHECK(hipMemset(bytes, 1, bytes.size()));
  kernel<<<1, kThreads>>>(Memory{bytes, 1, false});
  hipError_t status = hipGetLastError();
  return status == hipSuccess ? hipDeviceSynchronize() : status;
}

/// Makes the calls of the functions that the host has too.
template <class Function> void onHost(Function function) {
  alignas(64) static unsigned char bytes[1024];
  function(Memory{bytes, 1, false});
}
