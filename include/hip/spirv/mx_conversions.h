// SPDX-License-Identifier: MIT
// OCP's formats of 4 and 6 bits, which have neither infinities nor NaN: conversions and the classes of one, two and four
// values, made by macros. hip/hip_fp4.h and hip/hip_fp6.h include this.
#pragma once

/// Conversions round to nearest, ties to even, whatever is asked for, as AMD's do.
enum hipRoundMode { hipRoundNearest = 0, hipRoundZero = 1, hipRoundPosInf = 2, hipRoundMinInf = 3 };

namespace __hiplz {
/// Bits of the fraction and of the whole number, bias of the exponent. All codes are finite.
struct MxFormat {
  int fraction, bits, bias;
};

/// Numbers that are too large, infinities too, become the largest value; so does NaN, with its sign.
inline __HOST_DEVICE__ unsigned toMx(float x, MxFormat format) {
  const unsigned bits = bitsOf(x), size = bits & 0x7fffffff, largest = (1u << (format.bits - 1)) - 1;
  const unsigned code = size >= 0x7f800000 ? largest : roundedCode(size, format.fraction, format.bias);
  return (bits >> 31) << (format.bits - 1) | (code > largest ? largest : code);
}

/// The value, which is exact in every larger format. Bits beyond the format are not read.
inline __HOST_DEVICE__ float fromMx(unsigned code, MxFormat format) {
  const unsigned sign = code >> (format.bits - 1) & 1;
  const float value = valueOfCode(code & ((1u << (format.bits - 1)) - 1), format.fraction, format.bias);
  return floatOf(bitsOf(value) | sign << 31);
}

inline __HOST_DEVICE__ __hip_bfloat16_raw bfloat16RawOf(float x) {
  return static_cast<__hip_bfloat16_raw>(__float2bfloat16(x));
}
} // namespace __hiplz

/// Conversions of the bits. N: 4 or 6; `step`: bits from one value of a pair to the next.
#define HIPLZ_MX_CONVERSIONS(N, step)                                                                                  \
  inline __HOST_DEVICE__ __hip_fp##N##_storage_t __hip_cvt_float_to_fp##N(                                             \
      float x, __hip_fp##N##_interpretation_t interpretation, enum hipRoundMode) {                                     \
    return static_cast<__hip_fp##N##_storage_t>(__hiplz::toMx(x, __hiplz::fp##N##FormatOf(interpretation)));           \
  }                                                                                                                    \
  inline __HOST_DEVICE__ __hip_fp##N##_storage_t __hip_cvt_double_to_fp##N(                                            \
      double x, __hip_fp##N##_interpretation_t interpretation, enum hipRoundMode mode) {                               \
    return __hip_cvt_float_to_fp##N(__hiplz::floatToOdd(x), interpretation, mode);                                     \
  }                                                                                                                    \
  inline __HOST_DEVICE__ __hip_fp##N##_storage_t __hip_cvt_halfraw_to_fp##N(                                           \
      __half_raw x, __hip_fp##N##_interpretation_t interpretation, enum hipRoundMode mode) {                           \
    return __hip_cvt_float_to_fp##N(__half2float(__half(x)), interpretation, mode);                                    \
  }                                                                                                                    \
  inline __HOST_DEVICE__ __hip_fp##N##_storage_t __hip_cvt_bfloat16raw_to_fp##N(                                       \
      __hip_bfloat16_raw x, __hip_fp##N##_interpretation_t interpretation, enum hipRoundMode mode) {                   \
    return __hip_cvt_float_to_fp##N(__hiplz::bfloat16Value(x.x), interpretation, mode);                                \
  }                                                                                                                    \
  inline __HOST_DEVICE__ __hip_fp##N##x2_storage_t __hip_cvt_float2_to_fp##N##x2(                                      \
      float2 v, __hip_fp##N##_interpretation_t interpretation, enum hipRoundMode mode) {                               \
    return static_cast<__hip_fp##N##x2_storage_t>(__hip_cvt_float_to_fp##N(v.x, interpretation, mode) |                \
                                                  __hip_cvt_float_to_fp##N(v.y, interpretation, mode) << step);        \
  }                                                                                                                    \
  inline __HOST_DEVICE__ __hip_fp##N##x2_storage_t __hip_cvt_double2_to_fp##N##x2(                                     \
      double2 v, __hip_fp##N##_interpretation_t interpretation, enum hipRoundMode mode) {                              \
    return __hip_cvt_float2_to_fp##N##x2(make_float2(__hiplz::floatToOdd(v.x), __hiplz::floatToOdd(v.y)),              \
                                         interpretation, mode);                                                        \
  }                                                                                                                    \
  inline __HOST_DEVICE__ __hip_fp##N##x2_storage_t __hip_cvt_halfraw2_to_fp##N##x2(                                    \
      __half2_raw v, __hip_fp##N##_interpretation_t interpretation, enum hipRoundMode mode) {                          \
    return __hip_cvt_float2_to_fp##N##x2(__half22float2(__half2(v)), interpretation, mode);                            \
  }                                                                                                                    \
  inline __HOST_DEVICE__ __hip_fp##N##x2_storage_t __hip_cvt_bfloat16raw2_to_fp##N##x2(                                \
      __hip_bfloat162_raw v, __hip_fp##N##_interpretation_t interpretation, enum hipRoundMode mode) {                  \
    return __hip_cvt_float2_to_fp##N##x2(make_float2(__hiplz::bfloat16Value(v.x), __hiplz::bfloat16Value(v.y)),        \
                                         interpretation, mode);                                                        \
  }                                                                                                                    \
  inline __HOST_DEVICE__ __half_raw __hip_cvt_fp##N##_to_halfraw(__hip_fp##N##_storage_t x,                            \
                                                                 __hip_fp##N##_interpretation_t interpretation) {      \
    return static_cast<__half_raw>(__float2half(__hiplz::fromMx(x, __hiplz::fp##N##FormatOf(interpretation))));        \
  }                                                                                                                    \
  inline __HOST_DEVICE__ __half2_raw __hip_cvt_fp##N##x2_to_halfraw2(__hip_fp##N##x2_storage_t x,                      \
                                                                     __hip_fp##N##_interpretation_t interpretation) {  \
    __half2_raw v;                                                                                                     \
    v.x = __hip_cvt_fp##N##_to_halfraw(static_cast<__hip_fp##N##_storage_t>(x), interpretation);                       \
    v.y = __hip_cvt_fp##N##_to_halfraw(static_cast<__hip_fp##N##_storage_t>(x >> step), interpretation);               \
    return v;                                                                                                          \
  }

#define HIPLZ_MX_FROM_INTEGER(Class, N, T, interpretation)                                                             \
  explicit __HOST_DEVICE__ Class(T x)                                                                                  \
      : __x(__hip_cvt_float_to_fp##N(static_cast<float>(x), interpretation, hipRoundNearest)) {}

/// The classes for one format: `Class`, `Class2` and `Class4`.
#define HIPLZ_MX_CLASSES(Class, Class2, Class4, N, step, interpretation)                                               \
  struct Class {                                                                                                       \
    __hip_fp##N##_storage_t __x;                                                                                       \
                                                                                                                       \
    Class() = default;                                                                                                 \
    explicit __HOST_DEVICE__ Class(float x) : __x(__hip_cvt_float_to_fp##N(x, interpretation, hipRoundNearest)) {}     \
    explicit __HOST_DEVICE__ Class(double x) : __x(__hip_cvt_double_to_fp##N(x, interpretation, hipRoundNearest)) {}   \
    explicit __HOST_DEVICE__ Class(__half x) : __x(__hip_cvt_halfraw_to_fp##N(x, interpretation, hipRoundNearest)) {}  \
    explicit __HOST_DEVICE__ Class(__hip_bfloat16 x)                                                                   \
        : __x(__hip_cvt_bfloat16raw_to_fp##N(x, interpretation, hipRoundNearest)) {}                                   \
    HIPLZ_MX_FROM_INTEGER(Class, N, short, interpretation)                                                             \
    HIPLZ_MX_FROM_INTEGER(Class, N, unsigned short, interpretation)                                                    \
    HIPLZ_MX_FROM_INTEGER(Class, N, int, interpretation)                                                               \
    HIPLZ_MX_FROM_INTEGER(Class, N, unsigned int, interpretation)                                                      \
    HIPLZ_MX_FROM_INTEGER(Class, N, long, interpretation)                                                              \
    HIPLZ_MX_FROM_INTEGER(Class, N, unsigned long, interpretation)                                                     \
    HIPLZ_MX_FROM_INTEGER(Class, N, long long, interpretation)                                                         \
    HIPLZ_MX_FROM_INTEGER(Class, N, unsigned long long, interpretation)                                                \
                                                                                                                       \
    __HOST_DEVICE__ operator float() const { return __hiplz::fromMx(__x, __hiplz::fp##N##FormatOf(interpretation)); }  \
    __HOST_DEVICE__ operator double() const { return static_cast<float>(*this); }                                      \
    __HOST_DEVICE__ operator __half_raw() const { return __hip_cvt_fp##N##_to_halfraw(__x, interpretation); }          \
    __HOST_DEVICE__ operator __hip_bfloat16_raw() const { return __hiplz::bfloat16RawOf(static_cast<float>(*this)); }  \
  };                                                                                                                   \
  struct Class2 {                                                                                                      \
    __hip_fp##N##x2_storage_t __x;                                                                                     \
                                                                                                                       \
    Class2() = default;                                                                                                \
    explicit __HOST_DEVICE__ Class2(float2 v)                                                                          \
        : __x(__hip_cvt_float2_to_fp##N##x2(v, interpretation, hipRoundNearest)) {}                                    \
    explicit __HOST_DEVICE__ Class2(double2 v)                                                                         \
        : __x(__hip_cvt_double2_to_fp##N##x2(v, interpretation, hipRoundNearest)) {}                                   \
    explicit __HOST_DEVICE__ Class2(__half2 v)                                                                         \
        : __x(__hip_cvt_halfraw2_to_fp##N##x2(v, interpretation, hipRoundNearest)) {}                                  \
    explicit __HOST_DEVICE__ Class2(__hip_bfloat162 v)                                                                 \
        : __x(__hip_cvt_bfloat16raw2_to_fp##N##x2(v, interpretation, hipRoundNearest)) {}                              \
                                                                                                                       \
    __HOST_DEVICE__ operator float2() const {                                                                          \
      constexpr __hiplz::MxFormat format = __hiplz::fp##N##FormatOf(interpretation);                                   \
      return make_float2(__hiplz::fromMx(__x, format), __hiplz::fromMx(__x >> step, format));                          \
    }                                                                                                                  \
    __HOST_DEVICE__ operator double2() const {                                                                         \
      const float2 v = *this;                                                                                          \
      return make_double2(v.x, v.y);                                                                                   \
    }                                                                                                                  \
    __HOST_DEVICE__ operator __half2_raw() const { return __hip_cvt_fp##N##x2_to_halfraw2(__x, interpretation); }      \
    __HOST_DEVICE__ operator __hip_bfloat162_raw() const {                                                             \
      const float2 v = *this;                                                                                          \
      __hip_bfloat162_raw raw;                                                                                         \
      raw.x = __hiplz::bfloat16RawOf(v.x).x;                                                                           \
      raw.y = __hiplz::bfloat16RawOf(v.y).x;                                                                           \
      return raw;                                                                                                      \
    }                                                                                                                  \
  };                                                                                                                   \
  struct Class4 {                                                                                                      \
    __hip_fp##N##x4_storage_t __x;                                                                                     \
                                                                                                                       \
    Class4() = default;                                                                                                \
    explicit __HOST_DEVICE__ Class4(float4 v)                                                                          \
        : Class4(Class2(make_float2(v.x, v.y)), Class2(make_float2(v.z, v.w))) {}                                      \
    explicit __HOST_DEVICE__ Class4(double4 v)                                                                         \
        : Class4(Class2(make_double2(v.x, v.y)), Class2(make_double2(v.z, v.w))) {}                                    \
    explicit __HOST_DEVICE__ Class4(__half2 low, __half2 high) : Class4(Class2(low), Class2(high)) {}                  \
    explicit __HOST_DEVICE__ Class4(__hip_bfloat162 low, __hip_bfloat162 high) : Class4(Class2(low), Class2(high)) {}  \
                                                                                                                       \
    __HOST_DEVICE__ operator float4() const {                                                                          \
      constexpr __hiplz::MxFormat format = __hiplz::fp##N##FormatOf(interpretation);                                   \
      return make_float4(__hiplz::fromMx(__x, format), __hiplz::fromMx(__x >> step, format),                           \
                         __hiplz::fromMx(__x >> 2 * step, format), __hiplz::fromMx(__x >> 3 * step, format));          \
    }                                                                                                                  \
    __HOST_DEVICE__ operator double4() const {                                                                         \
      const float4 v = *this;                                                                                          \
      return make_double4(v.x, v.y, v.z, v.w);                                                                         \
    }                                                                                                                  \
                                                                                                                       \
  private:                                                                                                             \
    __HOST_DEVICE__ Class4(Class2 low, Class2 high)                                                                    \
        : __x(static_cast<__hip_fp##N##x4_storage_t>(low.__x | static_cast<unsigned>(high.__x) << 2 * step)) {}        \
  };
