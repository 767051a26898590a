// SPDX-License-Identifier: MIT
// The functions of bfloat16 that host and device code have: conversions, views, comparisons and arithmetic, for one value
// and for two. hip/hip_bf16.h includes this.
#pragma once

inline __HOST_DEVICE__ __hip_bfloat16 __ushort_as_bfloat16(const unsigned short bits) {
  return __hip_bfloat16(__hip_bfloat16_raw{bits});
}
inline __HOST_DEVICE__ __hip_bfloat16 __short_as_bfloat16(const short bits) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(bits));
}
inline __HOST_DEVICE__ unsigned short __bfloat16_as_ushort(const __hip_bfloat16 x) {
  return static_cast<__hip_bfloat16_raw>(x).x;
}
inline __HOST_DEVICE__ short __bfloat16_as_short(const __hip_bfloat16 x) {
  return static_cast<short>(__bfloat16_as_ushort(x));
}
inline __HOST_DEVICE__ float __bfloat162float(__hip_bfloat16 x) { return static_cast<float>(x); }
inline __HOST_DEVICE__ __hip_bfloat16 __float2bfloat16(float x) { return __hip_bfloat16(x); }
inline __HOST_DEVICE__ __hip_bfloat16 __double2bfloat16(const double x) { return __hip_bfloat16(x); }

// Two values from one, and back.
inline __HOST_DEVICE__ __hip_bfloat162 __halves2bfloat162(const __hip_bfloat16 x, const __hip_bfloat16 y) {
  return __hip_bfloat162(x, y);
}
inline __HOST_DEVICE__ __hip_bfloat162 __bfloat162bfloat162(const __hip_bfloat16 x) { return __hip_bfloat162(x, x); }
inline __HOST_DEVICE__ __hip_bfloat162 __float22bfloat162_rn(const float2 v) {
  return __hip_bfloat162(__hip_bfloat16(v.x), __hip_bfloat16(v.y));
}
inline __HOST_DEVICE__ float2 __bfloat1622float2(const __hip_bfloat162 v) { return static_cast<float2>(v); }
inline __HOST_DEVICE__ __hip_bfloat16 __low2bfloat16(const __hip_bfloat162 v) { return v.x; }
inline __HOST_DEVICE__ __hip_bfloat16 __high2bfloat16(const __hip_bfloat162 v) { return v.y; }
inline __HOST_DEVICE__ float __low2float(const __hip_bfloat162 v) { return __bfloat162float(v.x); }
inline __HOST_DEVICE__ float __high2float(const __hip_bfloat162 v) { return __bfloat162float(v.y); }
inline __HOST_DEVICE__ __hip_bfloat162 __low2bfloat162(const __hip_bfloat162 v) { return __hip_bfloat162(v.x, v.x); }
inline __HOST_DEVICE__ __hip_bfloat162 __high2bfloat162(const __hip_bfloat162 v) { return __hip_bfloat162(v.y, v.y); }
inline __HOST_DEVICE__ __hip_bfloat162 __lowhigh2highlow(const __hip_bfloat162 v) { return __hip_bfloat162(v.y, v.x); }
inline __HOST_DEVICE__ __hip_bfloat162 __lows2bfloat162(const __hip_bfloat162 v, const __hip_bfloat162 w) {
  return __hip_bfloat162(v.x, w.x);
}
inline __HOST_DEVICE__ __hip_bfloat162 __highs2bfloat162(const __hip_bfloat162 v, const __hip_bfloat162 w) {
  return __hip_bfloat162(v.y, w.y);
}

inline __HOST_DEVICE__ bool __hisnan(const __hip_bfloat16 x) { return (__bfloat16_as_ushort(x) & 0x7fff) > 0x7f80; }
inline __HOST_DEVICE__ int __hisinf(const __hip_bfloat16 x) { return (__bfloat16_as_ushort(x) & 0x7fff) == 0x7f80; }
inline __HOST_DEVICE__ __hip_bfloat162 __hisnan2(const __hip_bfloat162 v) {
  return __hip_bfloat162(__hip_bfloat16(__hisnan(v.x) ? 1.0f : 0.0f), __hip_bfloat16(__hisnan(v.y) ? 1.0f : 0.0f));
}

// Comparisons, also of all components. Those whose names end in u hold if an operand is NaN, and so does __hne, as != does.
#define HIPLZ_BFLOAT16_COMPARISON(name, expression)                                                                    \
  inline __HOST_DEVICE__ bool __h##name(const __hip_bfloat16 left, const __hip_bfloat16 right) {                       \
    float x = __bfloat162float(left), y = __bfloat162float(right);                                                     \
    return expression;                                                                                                 \
  }                                                                                                                    \
  inline __HOST_DEVICE__ bool __hb##name##2(const __hip_bfloat162 v, const __hip_bfloat162 w) {                        \
    return __h##name(v.x, w.x) && __h##name(v.y, w.y);                                                                 \
  }
// These also have a form with a result for each component, 1 or 0.
#define HIPLZ_BFLOAT16_COMPARISON2(name, expression)                                                                   \
  HIPLZ_BFLOAT16_COMPARISON(name, expression)                                                                          \
  inline __HOST_DEVICE__ __hip_bfloat162 __h##name##2(const __hip_bfloat162 v, const __hip_bfloat162 w) {              \
    return __hip_bfloat162(__hip_bfloat16(__h##name(v.x, w.x) ? 1.0f : 0.0f),                                          \
                           __hip_bfloat16(__h##name(v.y, w.y) ? 1.0f : 0.0f));                                         \
  }
HIPLZ_BFLOAT16_COMPARISON2(eq, x == y)
HIPLZ_BFLOAT16_COMPARISON2(ne, x != y)
HIPLZ_BFLOAT16_COMPARISON2(lt, x < y)
HIPLZ_BFLOAT16_COMPARISON2(le, x <= y)
HIPLZ_BFLOAT16_COMPARISON2(gt, x > y)
HIPLZ_BFLOAT16_COMPARISON2(ge, x >= y)
HIPLZ_BFLOAT16_COMPARISON(equ, !(x < y || x > y))
HIPLZ_BFLOAT16_COMPARISON(neu, !(x == y))
HIPLZ_BFLOAT16_COMPARISON(ltu, !(x >= y))
HIPLZ_BFLOAT16_COMPARISON(leu, !(x > y))
HIPLZ_BFLOAT16_COMPARISON(gtu, !(x <= y))
HIPLZ_BFLOAT16_COMPARISON(geu, !(x < y))
#undef HIPLZ_BFLOAT16_COMPARISON2
#undef HIPLZ_BFLOAT16_COMPARISON

// Arithmetic as functions and as operators. The operators of two values compare all components; != is the contrary of ==.
#define HIPLZ_BFLOAT16_ARITHMETIC(name, name2, OP)                                                                     \
  inline __HOST_DEVICE__ __hip_bfloat16 name(const __hip_bfloat16 x, const __hip_bfloat16 y) {                         \
    return __float2bfloat16(__bfloat162float(x) OP __bfloat162float(y));                                               \
  }                                                                                                                    \
  inline __HOST_DEVICE__ __hip_bfloat162 name2(const __hip_bfloat162 v, const __hip_bfloat162 w) {                     \
    return __hip_bfloat162(name(v.x, w.x), name(v.y, w.y));                                                            \
  }                                                                                                                    \
  inline __HOST_DEVICE__ __hip_bfloat16 operator OP(const __hip_bfloat16 &x, const __hip_bfloat16 &y) {                \
    return name(x, y);                                                                                                 \
  }                                                                                                                    \
  inline __HOST_DEVICE__ __hip_bfloat162 operator OP(const __hip_bfloat162 &v, const __hip_bfloat162 &w) {             \
    return name2(v, w);                                                                                                \
  }                                                                                                                    \
  inline __HOST_DEVICE__ __hip_bfloat16 &operator OP##=(__hip_bfloat16 &x, const __hip_bfloat16 &y) {                  \
    return x = name(x, y);                                                                                             \
  }                                                                                                                    \
  inline __HOST_DEVICE__ __hip_bfloat162 &operator OP##=(__hip_bfloat162 &v, const __hip_bfloat162 &w) {               \
    return v = name2(v, w);                                                                                            \
  }
HIPLZ_BFLOAT16_ARITHMETIC(__hadd, __hadd2, +)
HIPLZ_BFLOAT16_ARITHMETIC(__hsub, __hsub2, -)
HIPLZ_BFLOAT16_ARITHMETIC(__hmul, __hmul2, *)
HIPLZ_BFLOAT16_ARITHMETIC(__hdiv, __h2div, /)
#undef HIPLZ_BFLOAT16_ARITHMETIC
// The same: every operation rounds to bfloat16, so none is fused with another.
#define HIPLZ_BFLOAT16_ROUNDED(name)                                                                                   \
  inline __HOST_DEVICE__ __hip_bfloat16 name##_rn(const __hip_bfloat16 x, const __hip_bfloat16 y) {                    \
    return name(x, y);                                                                                                 \
  }                                                                                                                    \
  inline __HOST_DEVICE__ __hip_bfloat162 name##2_rn(const __hip_bfloat162 v, const __hip_bfloat162 w) {                \
    return name##2(v, w);                                                                                              \
  }
HIPLZ_BFLOAT16_ROUNDED(__hadd)
HIPLZ_BFLOAT16_ROUNDED(__hsub)
HIPLZ_BFLOAT16_ROUNDED(__hmul)
#undef HIPLZ_BFLOAT16_ROUNDED
#ifndef __CUDACC__ // which has it for every integer and rounding (hiplz/cuda/forms/bfloat16.h)
/// Rounded once, to nearest: the double has all bits of the integer.
inline __HOST_DEVICE__ __hip_bfloat16 __int2bfloat16_rn(const int x) {
  return __float2bfloat16(__hiplz::floatToOdd(static_cast<double>(x)));
}
#endif

inline __HOST_DEVICE__ __hip_bfloat16 __habs(const __hip_bfloat16 x) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(__bfloat16_as_ushort(x) & 0x7fff));
}
inline __HOST_DEVICE__ __hip_bfloat16 __hneg(const __hip_bfloat16 x) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(__bfloat16_as_ushort(x) ^ 0x8000));
}
/// The larger one, and the smaller one; +0 is larger than -0. Of a number and a NaN it is the number.
// Without branches. The bits are chosen, not the numbers: a choice between two objects is one of addresses, and would
// keep both in memory.
inline __HOST_DEVICE__ __hip_bfloat16 __hmax(const __hip_bfloat16 x, const __hip_bfloat16 y) {
  const unsigned short a = __bfloat16_as_ushort(x), b = __bfloat16_as_ushort(y);
  const bool isNumberX = !__hisnan(x), isNanY = __hisnan(y), isLarger = __hgt(x, y);
  const unsigned short larger = isNumberX & (isNanY | isLarger) ? a : b;
  return __ushort_as_bfloat16(__heq(x, y) ? static_cast<unsigned short>(a & b) : larger);
}
inline __HOST_DEVICE__ __hip_bfloat16 __hmin(const __hip_bfloat16 x, const __hip_bfloat16 y) {
  const unsigned short a = __bfloat16_as_ushort(x), b = __bfloat16_as_ushort(y);
  const bool isNumberX = !__hisnan(x), isNanY = __hisnan(y), isSmaller = __hlt(x, y);
  const unsigned short smaller = isNumberX & (isNanY | isSmaller) ? a : b;
  return __ushort_as_bfloat16(__heq(x, y) ? static_cast<unsigned short>(a | b) : smaller);
}
inline __HOST_DEVICE__ __hip_bfloat162 __habs2(const __hip_bfloat162 v) {
  return __hip_bfloat162(__habs(v.x), __habs(v.y));
}
inline __HOST_DEVICE__ __hip_bfloat162 __hneg2(const __hip_bfloat162 v) {
  return __hip_bfloat162(__hneg(v.x), __hneg(v.y));
}
inline __HOST_DEVICE__ __hip_bfloat162 __hmax2(const __hip_bfloat162 v, const __hip_bfloat162 w) {
  return __hip_bfloat162(__hmax(v.x, w.x), __hmax(v.y, w.y));
}
inline __HOST_DEVICE__ __hip_bfloat162 __hmin2(const __hip_bfloat162 v, const __hip_bfloat162 w) {
  return __hip_bfloat162(__hmin(v.x, w.x), __hmin(v.y, w.y));
}

inline __HOST_DEVICE__ __hip_bfloat16 operator+(const __hip_bfloat16 &x) { return x; }
inline __HOST_DEVICE__ __hip_bfloat16 operator-(const __hip_bfloat16 &x) { return __hneg(x); }
inline __HOST_DEVICE__ __hip_bfloat162 operator+(const __hip_bfloat162 &v) { return v; }
inline __HOST_DEVICE__ __hip_bfloat162 operator-(const __hip_bfloat162 &v) { return __hneg2(v); }

#define HIPLZ_BFLOAT16_STEP(T, OP, ASSIGN, one)                                                                        \
  inline __HOST_DEVICE__ T &operator OP(T &value) { return value ASSIGN one; }                                         \
  inline __HOST_DEVICE__ T operator OP(T &value, int) {                                                                \
    T before(value);                                                                                                   \
    OP value;                                                                                                          \
    return before;                                                                                                     \
  }
HIPLZ_BFLOAT16_STEP(__hip_bfloat16, ++, +=, __hip_bfloat16(1.0f))
HIPLZ_BFLOAT16_STEP(__hip_bfloat16, --, -=, __hip_bfloat16(1.0f))
HIPLZ_BFLOAT16_STEP(__hip_bfloat162, ++, +=, __bfloat162bfloat162(__hip_bfloat16(1.0f)))
HIPLZ_BFLOAT16_STEP(__hip_bfloat162, --, -=, __bfloat162bfloat162(__hip_bfloat16(1.0f)))
#undef HIPLZ_BFLOAT16_STEP

#define HIPLZ_BFLOAT16_OPERATOR(OP, name)                                                                              \
  inline __HOST_DEVICE__ bool operator OP(const __hip_bfloat16 &x, const __hip_bfloat16 &y) {                          \
    return __h##name(x, y);                                                                                            \
  }                                                                                                                    \
  inline __HOST_DEVICE__ bool operator OP(const __hip_bfloat162 &v, const __hip_bfloat162 &w) {                        \
    return __hb##name##2(v, w);                                                                                        \
  }
HIPLZ_BFLOAT16_OPERATOR(==, eq)
HIPLZ_BFLOAT16_OPERATOR(<, lt)
HIPLZ_BFLOAT16_OPERATOR(<=, le)
HIPLZ_BFLOAT16_OPERATOR(>, gt)
HIPLZ_BFLOAT16_OPERATOR(>=, ge)
#undef HIPLZ_BFLOAT16_OPERATOR
inline __HOST_DEVICE__ bool operator!=(const __hip_bfloat16 &x, const __hip_bfloat16 &y) { return __hne(x, y); }
inline __HOST_DEVICE__ bool operator!=(const __hip_bfloat162 &v, const __hip_bfloat162 &w) { return !(v == w); }
