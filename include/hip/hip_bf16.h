// SPDX-License-Identifier: MIT
// bfloat16 as HIP's newer interface has it: __hip_bfloat16 and __hip_bfloat162, with arithmetic, comparisons and
// conversions for host and device code and mathematics for device code. A value is the upper half of a float; arithmetic is
// done in single precision and rounded to nearest. In C only the types of the bits are here.
#ifndef HIPLZ_HIP_BF16_H
#define HIPLZ_HIP_BF16_H

#include "spirv/user_macros_off.h"

#include "hip_common.h"
#include "hip_vector_types.h"

/// The bits of a value, and of two.
typedef struct __attribute__((aligned(2))) __hip_bfloat16_raw {
  unsigned short x;
} __hip_bfloat16_raw;
typedef struct __attribute__((aligned(4))) __hip_bfloat162_raw {
  unsigned short x;
  unsigned short y;
} __hip_bfloat162_raw;

#define __BF16_DEVICE__ __device__
#define __BF16_HOST_DEVICE__ __host__ __BF16_DEVICE__
#define __BF16_DEVICE_STATIC__ __BF16_DEVICE__ static inline
#define __BF16_HOST_DEVICE_STATIC__ __BF16_HOST_DEVICE__ static inline

#ifdef __cplusplus

#ifdef __HIP__
#include "hip_runtime.h"
#endif

#include "spirv/bfloat16_bits.h"

#ifdef __HIPLZ_CUDA_SOURCE__
struct __half;
#endif

struct __attribute__((aligned(2))) __hip_bfloat16 {
protected:
  unsigned short __x;

public:
  __hip_bfloat16() = default;
  __HOST_DEVICE__ __hip_bfloat16(const __hip_bfloat16_raw &raw) : __x(raw.x) {}
#ifdef __HIPLZ_CUDA_SOURCE__ // CUDA converts between its two formats
  __HOST_DEVICE__ explicit __hip_bfloat16(const __half &value);
#endif
  __HOST_DEVICE__ __hip_bfloat16(const float x) : __x(__hiplz::bfloat16Bits(x)) {}
  __HOST_DEVICE__ __hip_bfloat16(const double x) : __x(__hiplz::bfloat16Bits(x)) {}
  __HOST_DEVICE__ __hip_bfloat16(short x) : __x(__hiplz::bfloat16Bits(static_cast<float>(x))) {}
  __HOST_DEVICE__ __hip_bfloat16(unsigned short x) : __x(__hiplz::bfloat16Bits(static_cast<float>(x))) {}
  __HOST_DEVICE__ __hip_bfloat16(int x) : __x(__hiplz::bfloat16Bits(static_cast<double>(x))) {}
  __HOST_DEVICE__ __hip_bfloat16(unsigned int x) : __x(__hiplz::bfloat16Bits(static_cast<double>(x))) {}

  __HOST_DEVICE__ __hip_bfloat16 &operator=(const __hip_bfloat16_raw &raw) {
    __x = raw.x;
    return *this;
  }
  __HOST_DEVICE__ volatile __hip_bfloat16 &operator=(const __hip_bfloat16_raw &raw) volatile {
    __x = raw.x;
    return *this;
  }
  __HOST_DEVICE__ volatile __hip_bfloat16 &operator=(const volatile __hip_bfloat16_raw &raw) volatile {
    __x = raw.x;
    return *this;
  }
#define HIPLZ_BFLOAT16_ASSIGN(T)                                                                                       \
  __HOST_DEVICE__ __hip_bfloat16 &operator=(T x) {                                                                     \
    __x = __hip_bfloat16(x).__x;                                                                                       \
    return *this;                                                                                                      \
  }
  HIPLZ_BFLOAT16_ASSIGN(const float)
  HIPLZ_BFLOAT16_ASSIGN(const double)
  HIPLZ_BFLOAT16_ASSIGN(short)
  HIPLZ_BFLOAT16_ASSIGN(unsigned short)
  HIPLZ_BFLOAT16_ASSIGN(int)
  HIPLZ_BFLOAT16_ASSIGN(unsigned int)
#undef HIPLZ_BFLOAT16_ASSIGN

  __HOST_DEVICE__ operator __hip_bfloat16_raw() const {
    __hip_bfloat16_raw raw;
    raw.x = __x;
    return raw;
  }
  __HOST_DEVICE__ operator __hip_bfloat16_raw() const volatile {
    __hip_bfloat16_raw raw;
    raw.x = __x;
    return raw;
  }
  __HOST_DEVICE__ operator float() const { return __hiplz::bfloat16Value(__x); }
  __HOST_DEVICE__ operator bool() const { return (__x & 0x7fff) != 0; }
  // As casts of the float: cut off towards zero.
#define HIPLZ_BFLOAT16_TO(T)                                                                                           \
  __HOST_DEVICE__ operator T() const { return static_cast<T>(__hiplz::bfloat16Value(__x)); }
  HIPLZ_BFLOAT16_TO(char)
  HIPLZ_BFLOAT16_TO(signed char)
  HIPLZ_BFLOAT16_TO(unsigned char)
  HIPLZ_BFLOAT16_TO(short)
  HIPLZ_BFLOAT16_TO(unsigned short)
  HIPLZ_BFLOAT16_TO(int)
  HIPLZ_BFLOAT16_TO(unsigned int)
  HIPLZ_BFLOAT16_TO(long)
  HIPLZ_BFLOAT16_TO(unsigned long)
  HIPLZ_BFLOAT16_TO(long long)
  HIPLZ_BFLOAT16_TO(unsigned long long)
#undef HIPLZ_BFLOAT16_TO
};

struct __attribute__((aligned(4))) __hip_bfloat162 {
  __hip_bfloat16 x;
  __hip_bfloat16 y;

  __hip_bfloat162() = default;
  __hip_bfloat162(const __hip_bfloat162 &) = default;
  __hip_bfloat162 &operator=(const __hip_bfloat162 &) = default;
  __HOST_DEVICE__ __hip_bfloat162(const __hip_bfloat16 &first, const __hip_bfloat16 &second) : x(first), y(second) {}
  __HOST_DEVICE__ __hip_bfloat162(const __hip_bfloat162_raw &raw)
      : x(__hip_bfloat16_raw{raw.x}), y(__hip_bfloat16_raw{raw.y}) {}
  __HOST_DEVICE__ __hip_bfloat162 &operator=(const __hip_bfloat162_raw &raw) {
    x = __hip_bfloat16_raw{raw.x};
    y = __hip_bfloat16_raw{raw.y};
    return *this;
  }
  __HOST_DEVICE__ operator __hip_bfloat162_raw() const {
    __hip_bfloat162_raw raw;
    raw.x = static_cast<__hip_bfloat16_raw>(x).x;
    raw.y = static_cast<__hip_bfloat16_raw>(y).x;
    return raw;
  }
  __HOST_DEVICE__ operator float2() const { return make_float2(static_cast<float>(x), static_cast<float>(y)); }
};

#include "spirv/bfloat16_functions.h"
#ifdef __HIP__
#include "spirv/bfloat16_device.h"
#endif

#endif

#define HIPRT_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define HIPRT_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define HIPRT_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define HIPRT_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define HIPRT_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define HIPRT_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)
#define HIPRT_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)

#include "spirv/user_macros_on.h"
#endif
