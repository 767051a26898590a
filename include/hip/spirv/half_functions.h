// SPDX-License-Identifier: MIT
// The functions of half precision that host and device code have: views, comparisons, arithmetic, all for one value and
// for two. hip/hip_fp16.h includes this.
#pragma once

namespace __hiplz {
/// The value of a half, which is exact as a _Float16.
inline __HOST_DEVICE__ _Float16 valueOf(__half x) { return static_cast<__half_raw>(x).data; }
/// 0 ... 1. As in each world: NaN stays NaN with HIP, and is zero with CUDA.
inline __HOST_DEVICE__ __half saturated(_Float16 x) {
  const _Float16 zero = static_cast<_Float16>(0), one = static_cast<_Float16>(1);
#ifdef __CUDACC__
  x = x > zero ? x : zero;
#else
  x = x < zero ? zero : x;
#endif
  return __half(one < x ? one : x);
}
inline __HOST_DEVICE__ __half flag(bool value) { return __half(static_cast<_Float16>(value ? 1 : 0)); }
} // namespace __hiplz

inline __HOST_DEVICE__ __half __ushort_as_half(unsigned short bits) {
  __half_raw raw;
  raw.x = bits;
  return __half(raw);
}
inline __HOST_DEVICE__ __half __short_as_half(short bits) {
  return __ushort_as_half(static_cast<unsigned short>(bits));
}
inline __HOST_DEVICE__ unsigned short __half_as_ushort(__half x) { return static_cast<__half_raw>(x).x; }
inline __HOST_DEVICE__ short __half_as_short(__half x) { return static_cast<short>(__half_as_ushort(x)); }

inline __HOST_DEVICE__ __half __float2half(float x) { return __half(static_cast<_Float16>(x)); }
inline __HOST_DEVICE__ __half __float2half_rn(float x) { return __float2half(x); }
inline __HOST_DEVICE__ float __half2float(__half x) { return static_cast<float>(__hiplz::valueOf(x)); }

// Two values from one, and back.
inline __HOST_DEVICE__ __half2 make_half2(__half x, __half y) { return __half2(x, y); }
inline __HOST_DEVICE__ __half2 __halves2half2(__half x, __half y) { return __half2(x, y); }
inline __HOST_DEVICE__ __half2 __half2half2(__half x) { return __half2(x, x); }
inline __HOST_DEVICE__ __half2 __float2half2_rn(float x) { return __half2half2(__float2half(x)); }
inline __HOST_DEVICE__ __half2 __floats2half2_rn(float x, float y) { return __half2(__float2half(x), __float2half(y)); }
inline __HOST_DEVICE__ __half2 __float22half2_rn(float2 v) { return __floats2half2_rn(v.x, v.y); }
inline __HOST_DEVICE__ float2 __half22float2(__half2 v) { return make_float2(__half2float(v.x), __half2float(v.y)); }
inline __HOST_DEVICE__ __half __low2half(__half2 v) { return v.x; }
inline __HOST_DEVICE__ __half __high2half(__half2 v) { return v.y; }
inline __HOST_DEVICE__ float __low2float(__half2 v) { return __half2float(v.x); }
inline __HOST_DEVICE__ float __high2float(__half2 v) { return __half2float(v.y); }
inline __HOST_DEVICE__ __half2 __low2half2(__half2 v) { return __half2(v.x, v.x); }
inline __HOST_DEVICE__ __half2 __high2half2(__half2 v) { return __half2(v.y, v.y); }
inline __HOST_DEVICE__ __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }
inline __HOST_DEVICE__ __half2 __lows2half2(__half2 v, __half2 w) { return __half2(v.x, w.x); }
inline __HOST_DEVICE__ __half2 __highs2half2(__half2 v, __half2 w) { return __half2(v.y, w.y); }

inline __HOST_DEVICE__ bool __hisnan(__half x) { return (__half_as_ushort(x) & 0x7fff) > 0x7c00; }
inline __HOST_DEVICE__ bool __hisinf(__half x) { return (__half_as_ushort(x) & 0x7fff) == 0x7c00; }
inline __HOST_DEVICE__ __half2 __hisnan2(__half2 v) {
  return __half2(__hiplz::flag(__hisnan(v.x)), __hiplz::flag(__hisnan(v.y)));
}
inline __HOST_DEVICE__ __half2 __hisinf2(__half2 v) {
  return __half2(__hiplz::flag(__hisinf(v.x)), __hiplz::flag(__hisinf(v.y)));
}

// Comparisons, also by component (1 or 0), and of all components. Those whose names end in u hold if an operand is NaN, and
// so does __hne, as != does.
#define HIPLZ_HALF_COMPARISON(name, expression)                                                                        \
  inline __HOST_DEVICE__ bool __h##name(__half left, __half right) {                                                   \
    _Float16 x = __hiplz::valueOf(left), y = __hiplz::valueOf(right);                                                  \
    return expression;                                                                                                 \
  }                                                                                                                    \
  inline __HOST_DEVICE__ __half2 __h##name##2(__half2 v, __half2 w) {                                                  \
    return __half2(__hiplz::flag(__h##name(v.x, w.x)), __hiplz::flag(__h##name(v.y, w.y)));                            \
  }                                                                                                                    \
  inline __HOST_DEVICE__ bool __hb##name##2(__half2 v, __half2 w) { return __h##name(v.x, w.x) && __h##name(v.y, w.y); }
HIPLZ_HALF_COMPARISON(eq, x == y)
HIPLZ_HALF_COMPARISON(ne, x != y)
HIPLZ_HALF_COMPARISON(lt, x < y)
HIPLZ_HALF_COMPARISON(le, x <= y)
HIPLZ_HALF_COMPARISON(gt, x > y)
HIPLZ_HALF_COMPARISON(ge, x >= y)
HIPLZ_HALF_COMPARISON(equ, !(x < y || x > y))
HIPLZ_HALF_COMPARISON(neu, !(x == y))
HIPLZ_HALF_COMPARISON(ltu, !(x >= y))
HIPLZ_HALF_COMPARISON(leu, !(x > y))
HIPLZ_HALF_COMPARISON(gtu, !(x <= y))
HIPLZ_HALF_COMPARISON(geu, !(x < y))
#undef HIPLZ_HALF_COMPARISON

// Arithmetic, and with results between 0 and 1 (_sat).
#define HIPLZ_HALF_ARITHMETIC(name, OP)                                                                                \
  inline __HOST_DEVICE__ __half __h##name(__half x, __half y) {                                                        \
    return __half(static_cast<_Float16>(__hiplz::valueOf(x) OP __hiplz::valueOf(y)));                                  \
  }
#define HIPLZ_HALF_ARITHMETIC2(name, OP)                                                                               \
  HIPLZ_HALF_ARITHMETIC(name, OP)                                                                                      \
  inline __HOST_DEVICE__ __half __h##name##_sat(__half x, __half y) {                                                  \
    return __hiplz::saturated(__hiplz::valueOf(__h##name(x, y)));                                                      \
  }                                                                                                                    \
  inline __HOST_DEVICE__ __half2 __h##name##2(__half2 v, __half2 w) {                                                  \
    return __half2(__h##name(v.x, w.x), __h##name(v.y, w.y));                                                          \
  }                                                                                                                    \
  inline __HOST_DEVICE__ __half2 __h##name##2_sat(__half2 v, __half2 w) {                                              \
    return __half2(__h##name##_sat(v.x, w.x), __h##name##_sat(v.y, w.y));                                              \
  }
HIPLZ_HALF_ARITHMETIC2(add, +)
HIPLZ_HALF_ARITHMETIC2(sub, -)
HIPLZ_HALF_ARITHMETIC2(mul, *)
// The same, never fused with another operation.
#ifdef __clang__
#define HIPLZ_HALF_UNFUSED _Pragma("clang fp contract(off)")
#else
#define HIPLZ_HALF_UNFUSED
#endif
#define HIPLZ_HALF_ROUNDED(name, OP)                                                                                   \
  inline __HOST_DEVICE__ __half __h##name##_rn(__half x, __half y) {                                                   \
    HIPLZ_HALF_UNFUSED return __half(static_cast<_Float16>(__hiplz::valueOf(x) OP __hiplz::valueOf(y)));               \
  }                                                                                                                    \
  inline __HOST_DEVICE__ __half2 __h##name##2_rn(__half2 v, __half2 w) {                                               \
    return __half2(__h##name##_rn(v.x, w.x), __h##name##_rn(v.y, w.y));                                                \
  }
HIPLZ_HALF_ROUNDED(add, +)
HIPLZ_HALF_ROUNDED(sub, -)
HIPLZ_HALF_ROUNDED(mul, *)
#undef HIPLZ_HALF_UNFUSED
#undef HIPLZ_HALF_ROUNDED
HIPLZ_HALF_ARITHMETIC(div, /)
#undef HIPLZ_HALF_ARITHMETIC2
#undef HIPLZ_HALF_ARITHMETIC
inline __HOST_DEVICE__ __half2 __h2div(__half2 v, __half2 w) { return __half2(__hdiv(v.x, w.x), __hdiv(v.y, w.y)); }

inline __HOST_DEVICE__ __half __habs(__half x) { return __ushort_as_half(__half_as_ushort(x) & 0x7fff); }
inline __HOST_DEVICE__ __half __hneg(__half x) { return __ushort_as_half(__half_as_ushort(x) ^ 0x8000); }
inline __HOST_DEVICE__ __half2 __habs2(__half2 v) { return __half2(__habs(v.x), __habs(v.y)); }
inline __HOST_DEVICE__ __half2 __hneg2(__half2 v) { return __half2(__hneg(v.x), __hneg(v.y)); }

/// The larger one; +0 is larger than -0. Of a number and a NaN it is the number, or NaN for the form that says so.
// Without branches. The bits are chosen, not the halves: a choice between two objects is one of addresses, and would
// keep both in memory.
inline __HOST_DEVICE__ __half __hmax(const __half x, const __half y) {
  const unsigned short a = __half_as_ushort(x), b = __half_as_ushort(y);
  const bool isNumberX = !__hisnan(x), isNanY = __hisnan(y), isLarger = __hgt(x, y);
  const unsigned short larger = isNumberX & (isNanY | isLarger) ? a : b;
  return __ushort_as_half(__heq(x, y) ? static_cast<unsigned short>(a & b) : larger);
}
inline __HOST_DEVICE__ __half __hmin(const __half x, const __half y) {
  const unsigned short a = __half_as_ushort(x), b = __half_as_ushort(y);
  const bool isNumberX = !__hisnan(x), isNanY = __hisnan(y), isSmaller = __hlt(x, y);
  const unsigned short smaller = isNumberX & (isNanY | isSmaller) ? a : b;
  return __ushort_as_half(__heq(x, y) ? static_cast<unsigned short>(a | b) : smaller);
}
inline __HOST_DEVICE__ __half __hmax_nan(const __half x, const __half y) {
  return __ushort_as_half(__hisnan(x) || __hisnan(y) ? 0x7fff : __half_as_ushort(__hmax(x, y)));
}
inline __HOST_DEVICE__ __half __hmin_nan(const __half x, const __half y) {
  return __ushort_as_half(__hisnan(x) || __hisnan(y) ? 0x7fff : __half_as_ushort(__hmin(x, y)));
}

/// Loads, whatever the cache hint of the name.
#define HIPLZ_HALF_LOAD(name)                                                                                          \
  inline __HOST_DEVICE__ __half name(const __half *address) { return *address; }                                       \
  inline __HOST_DEVICE__ __half2 name(const __half2 *address) { return *address; }
HIPLZ_HALF_LOAD(__ldg)
HIPLZ_HALF_LOAD(__ldca)
HIPLZ_HALF_LOAD(__ldcg)
HIPLZ_HALF_LOAD(__ldcs)
#undef HIPLZ_HALF_LOAD
