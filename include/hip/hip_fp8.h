// SPDX-License-Identifier: MIT
// Floating point numbers of 8 bits: OCP's e4m3 and e5m2 and the variants without negative zero (fnuz), one, two or four of
// them, for host and device code. They convert from and to the larger formats, with one rounding to nearest; arithmetic
// is done in those. In C only the types of the bits are here.
#ifndef HIPLZ_HIP_FP8_H
#define HIPLZ_HIP_FP8_H

#include "spirv/user_macros_off.h"

#include <limits.h>

#include "hip_bf16.h"
#include "hip_fp16.h"

#define HIP_FP8_TYPE_OCP 1
#define HIP_FP8_TYPE_FNUZ 1
#define HIP_FP8_CVT_FAST_PATH 0

#define __FP8_HOST__ __host__
#define __FP8_HOST_DEVICE__ __host__ __device__
#define __FP8_HOST_STATIC__ __FP8_HOST__ static inline
#define __FP8_HOST_DEVICE_STATIC__ __FP8_HOST_DEVICE__ static inline

#define __HIP_CHAR_MAX CHAR_MAX
#define __HIP_CHAR_MIN CHAR_MIN
#define __HIP_SCHAR_MAX SCHAR_MAX
#define __HIP_SCHAR_MIN SCHAR_MIN
#define __HIP_UCHAR_MAX UCHAR_MAX
#define __HIP_SHRT_MAX SHRT_MAX
#define __HIP_SHRT_MIN SHRT_MIN

// Every device converts to every format.
#define __assert_ocp_support(interp)
#define __assert_fnuz_support(interp)

/// Which format bits are in: digits after the point and bits of the exponent.
///
///              bias  largest  infinity  NaN
///   E4M3          7      448  none      0x7f, 0xff
///   E5M2         15    57344  0x7c      0x7d ... 0x7f
///   E4M3_FNUZ     8      240  none      0x80
///   E5M2_FNUZ    16    57344  none      0x80
typedef enum __hip_fp8_interpretation_t {
  __HIP_E4M3 = 0,
  __HIP_E5M2 = 1,
  __HIP_E4M3_FNUZ = 2,
  __HIP_E5M2_FNUZ = 3
} __hip_fp8_interpretation_t;

/// The result for finite values beyond the largest: infinity or, where the format has none, NaN; or the largest. Infinity
/// itself never saturates.
typedef enum __hip_saturation_t { __HIP_NOSAT = 0, __HIP_SATFINITE = 1 } __hip_saturation_t;

typedef unsigned char __hip_fp8_storage_t;
typedef unsigned short __hip_fp8x2_storage_t;
typedef unsigned int __hip_fp8x4_storage_t;

#if defined(__cplusplus) && defined(__FLT16_MAX__)

#include "spirv/fp8_conversions.h"

// The types of one value. Conversions to integers cut off towards zero and saturate, and give zero for NaN.
#define HIPLZ_FP8_FROM(Class, T)                                                                                       \
  __HOST_DEVICE__ Class(T x)                                                                                           \
      : __x(__hiplz::toFp8(__hiplz::floatToOdd(static_cast<double>(x)), __default_saturation, __default_interpret)) {}
#define HIPLZ_FP8_TO(T)                                                                                                \
  explicit __HOST_DEVICE__ operator T() const { return __hiplz::saturatedCast<T>(static_cast<float>(*this)); }
#define HIPLZ_FP8(Class, interpretation)                                                                               \
  struct Class {                                                                                                       \
    __hip_fp8_storage_t __x;                                                                                           \
    static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;                                        \
    static constexpr __hip_fp8_interpretation_t __default_interpret = interpretation;                                  \
                                                                                                                       \
    Class() = default;                                                                                                 \
    __HOST_DEVICE__ Class(float x) : __x(__hiplz::toFp8(x, __default_saturation, __default_interpret)) {}              \
    __HOST_DEVICE__ Class(__half x) : Class(__half2float(x)) {}                                                        \
    __HOST_DEVICE__ Class(__hip_bfloat16 x) : Class(__bfloat162float(x)) {}                                            \
    HIPLZ_FP8_FROM(Class, double)                                                                                      \
    HIPLZ_FP8_FROM(Class, short)                                                                                       \
    HIPLZ_FP8_FROM(Class, unsigned short)                                                                              \
    HIPLZ_FP8_FROM(Class, int)                                                                                         \
    HIPLZ_FP8_FROM(Class, unsigned int)                                                                                \
    HIPLZ_FP8_FROM(Class, long)                                                                                        \
    HIPLZ_FP8_FROM(Class, unsigned long)                                                                               \
    HIPLZ_FP8_FROM(Class, long long)                                                                                   \
    HIPLZ_FP8_FROM(Class, unsigned long long)                                                                          \
    __HOST_DEVICE__ operator float() const { return __hiplz::fromFp8(__x, __default_interpret); }                      \
    explicit __HOST_DEVICE__ operator double() const { return static_cast<float>(*this); }                             \
    explicit __HOST_DEVICE__ operator __half() const { return __float2half(static_cast<float>(*this)); }               \
    explicit __HOST_DEVICE__ operator __hip_bfloat16() const { return __float2bfloat16(static_cast<float>(*this)); }   \
    explicit __HOST_DEVICE__ operator bool() const { return !(static_cast<float>(*this) == 0.0f); }                    \
    HIPLZ_FP8_TO(char)                                                                                                 \
    HIPLZ_FP8_TO(signed char)                                                                                          \
    HIPLZ_FP8_TO(unsigned char)                                                                                        \
    HIPLZ_FP8_TO(short)                                                                                                \
    HIPLZ_FP8_TO(unsigned short)                                                                                       \
    HIPLZ_FP8_TO(int)                                                                                                  \
    HIPLZ_FP8_TO(unsigned int)                                                                                         \
    HIPLZ_FP8_TO(long)                                                                                                 \
    HIPLZ_FP8_TO(unsigned long)                                                                                        \
    HIPLZ_FP8_TO(long long)                                                                                            \
    HIPLZ_FP8_TO(unsigned long long)                                                                                   \
  };
HIPLZ_FP8(__hip_fp8_e4m3, __HIP_E4M3)
HIPLZ_FP8(__hip_fp8_e5m2, __HIP_E5M2)
HIPLZ_FP8(__hip_fp8_e4m3_fnuz, __HIP_E4M3_FNUZ)
HIPLZ_FP8(__hip_fp8_e5m2_fnuz, __HIP_E5M2_FNUZ)
#undef HIPLZ_FP8
#undef HIPLZ_FP8_TO
#undef HIPLZ_FP8_FROM

// The types of two and of four values; the first one is in the lowest byte.
#define HIPLZ_FP8X2(Class, interpretation)                                                                             \
  struct __attribute__((aligned(2))) Class {                                                                           \
    __hip_fp8x2_storage_t __x;                                                                                         \
    static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;                                        \
    static constexpr __hip_fp8_interpretation_t __default_interpret = interpretation;                                  \
                                                                                                                       \
    Class() = default;                                                                                                 \
    __HOST_DEVICE__ Class(double2 v)                                                                                   \
        : __x(__hip_cvt_double2_to_fp8x2(v, __default_saturation, __default_interpret)) {}                             \
    __HOST_DEVICE__ Class(float2 v) : __x(__hip_cvt_float2_to_fp8x2(v, __default_saturation, __default_interpret)) {}  \
    __HOST_DEVICE__ Class(__half2 v)                                                                                   \
        : __x(__hip_cvt_halfraw2_to_fp8x2(v, __default_saturation, __default_interpret)) {}                            \
    __HOST_DEVICE__ Class(__hip_bfloat162 v)                                                                           \
        : __x(__hip_cvt_bfloat16raw2_to_fp8x2(v, __default_saturation, __default_interpret)) {}                        \
    __HOST_DEVICE__ operator __half2() const { return __hip_cvt_fp8x2_to_halfraw2(__x, __default_interpret); }         \
    __HOST_DEVICE__ operator float2() const {                                                                          \
      return make_float2(__hiplz::fromFp8(static_cast<__hip_fp8_storage_t>(__x), __default_interpret),                 \
                         __hiplz::fromFp8(static_cast<__hip_fp8_storage_t>(__x >> 8), __default_interpret));           \
    }                                                                                                                  \
  };
HIPLZ_FP8X2(__hip_fp8x2_e4m3, __HIP_E4M3)
HIPLZ_FP8X2(__hip_fp8x2_e5m2, __HIP_E5M2)
HIPLZ_FP8X2(__hip_fp8x2_e4m3_fnuz, __HIP_E4M3_FNUZ)
HIPLZ_FP8X2(__hip_fp8x2_e5m2_fnuz, __HIP_E5M2_FNUZ)
#undef HIPLZ_FP8X2

#define HIPLZ_FP8X4(Class, Two)                                                                                        \
  struct __attribute__((aligned(4))) Class {                                                                           \
    __hip_fp8x4_storage_t __x;                                                                                         \
    static constexpr __hip_saturation_t __default_saturation = Two::__default_saturation;                              \
    static constexpr __hip_fp8_interpretation_t __default_interpret = Two::__default_interpret;                        \
                                                                                                                       \
    Class() = default;                                                                                                 \
    __HOST_DEVICE__ Class(double4 v) : Class(Two(make_double2(v.x, v.y)), Two(make_double2(v.z, v.w))) {}              \
    __HOST_DEVICE__ Class(float4 v) : Class(Two(make_float2(v.x, v.y)), Two(make_float2(v.z, v.w))) {}                 \
    __HOST_DEVICE__ Class(__half2 low, __half2 high) : Class(Two(low), Two(high)) {}                                   \
    __HOST_DEVICE__ Class(__hip_bfloat162 low, __hip_bfloat162 high) : Class(Two(low), Two(high)) {}                   \
    __HOST_DEVICE__ operator float4() const {                                                                          \
      Two low, high;                                                                                                   \
      low.__x = static_cast<__hip_fp8x2_storage_t>(__x);                                                               \
      high.__x = static_cast<__hip_fp8x2_storage_t>(__x >> 16);                                                        \
      float2 first = low, second = high;                                                                               \
      return make_float4(first.x, first.y, second.x, second.y);                                                        \
    }                                                                                                                  \
                                                                                                                       \
  private:                                                                                                             \
    __HOST_DEVICE__ Class(Two low, Two high) : __x(low.__x | static_cast<__hip_fp8x4_storage_t>(high.__x) << 16) {}    \
  };
HIPLZ_FP8X4(__hip_fp8x4_e4m3, __hip_fp8x2_e4m3)
HIPLZ_FP8X4(__hip_fp8x4_e5m2, __hip_fp8x2_e5m2)
HIPLZ_FP8X4(__hip_fp8x4_e4m3_fnuz, __hip_fp8x2_e4m3_fnuz)
HIPLZ_FP8X4(__hip_fp8x4_e5m2_fnuz, __hip_fp8x2_e5m2_fnuz)
#undef HIPLZ_FP8X4

#endif

#include "spirv/user_macros_on.h"
#endif
