// SPDX-License-Identifier: MIT
// CUDA's functions for bfloat16 beyond HIP's.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include "rounding.h"

#include <hip/hip_bf16.h>

inline __HOST_DEVICE__ __hip_bfloat16 __float2bfloat16_rn(float x) { return __float2bfloat16(x); }
inline __HOST_DEVICE__ __hip_bfloat162 __float2bfloat162_rn(float x) {
  return __bfloat162bfloat162(__float2bfloat16(x));
}
inline __HOST_DEVICE__ __hip_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return __hip_bfloat162(__float2bfloat16(x), __float2bfloat16(y));
}
inline __HOST_DEVICE__ __hip_bfloat162 make_bfloat162(__hip_bfloat16 x, __hip_bfloat16 y) {
  return __hip_bfloat162(x, y);
}
inline __HOST_DEVICE__ signed char __bfloat162char_rz(__hip_bfloat16 x) {
  return hiplz::integerFrom<signed char>(__bfloat162float(x), hiplz::rz);
}
inline __HOST_DEVICE__ unsigned char __bfloat162uchar_rz(__hip_bfloat16 x) {
  return hiplz::integerFrom<unsigned char>(__bfloat162float(x), hiplz::rz);
}

#define HIPLZ_CUDA_ROUNDED(Int, name, mode)                                                                            \
  inline __HOST_DEVICE__ __hip_bfloat16 __##name##2bfloat16_##mode(Int x) {                                            \
    return __ushort_as_bfloat16(hiplz::narrowFromInteger<8>(x, hiplz::mode));                                          \
  }                                                                                                                    \
  inline __HOST_DEVICE__ Int __bfloat162##name##_##mode(__hip_bfloat16 x) {                                            \
    return hiplz::integerFrom<Int>(__bfloat162float(x), hiplz::mode);                                                  \
  }
#define HIPLZ_CUDA_CONVERSIONS(Int, name)                                                                              \
  HIPLZ_CUDA_ROUNDED(Int, name, rn)                                                                                    \
  HIPLZ_CUDA_ROUNDED(Int, name, rz)                                                                                    \
  HIPLZ_CUDA_ROUNDED(Int, name, rd)                                                                                    \
  HIPLZ_CUDA_ROUNDED(Int, name, ru)
HIPLZ_CUDA_INTEGERS(HIPLZ_CUDA_CONVERSIONS)
#undef HIPLZ_CUDA_CONVERSIONS
#undef HIPLZ_CUDA_ROUNDED
inline __HOST_DEVICE__ __hip_bfloat16 __float2bfloat16_rz(float x) {
  return __ushort_as_bfloat16(hiplz::narrowFrom<8>(x, hiplz::rz));
}
inline __HOST_DEVICE__ __hip_bfloat16 __float2bfloat16_rd(float x) {
  return __ushort_as_bfloat16(hiplz::narrowFrom<8>(x, hiplz::rd));
}
inline __HOST_DEVICE__ __hip_bfloat16 __float2bfloat16_ru(float x) {
  return __ushort_as_bfloat16(hiplz::narrowFrom<8>(x, hiplz::ru));
}

// Comparisons of two: with 1 or 0 for each component, and with all bits of it as the answer.
#define HIPLZ_CUDA_MASK(name)                                                                                          \
  inline __HOST_DEVICE__ unsigned __h##name##2_mask(__hip_bfloat162 v, __hip_bfloat162 w) {                            \
    return (__h##name(v.x, w.x) ? 0xffffu : 0) | (__h##name(v.y, w.y) ? 0xffff0000u : 0);                              \
  }
#define HIPLZ_CUDA_UNORDERED(name)                                                                                     \
  HIPLZ_CUDA_MASK(name)                                                                                                \
  inline __HOST_DEVICE__ __hip_bfloat162 __h##name##2(__hip_bfloat162 v, __hip_bfloat162 w) {                          \
    return __floats2bfloat162_rn(__h##name(v.x, w.x) ? 1.0f : 0.0f, __h##name(v.y, w.y) ? 1.0f : 0.0f);                \
  }
HIPLZ_CUDA_MASK(eq)
HIPLZ_CUDA_MASK(ne)
HIPLZ_CUDA_MASK(lt)
HIPLZ_CUDA_MASK(le)
HIPLZ_CUDA_MASK(gt)
HIPLZ_CUDA_MASK(ge)
HIPLZ_CUDA_UNORDERED(equ)
HIPLZ_CUDA_UNORDERED(neu)
HIPLZ_CUDA_UNORDERED(ltu)
HIPLZ_CUDA_UNORDERED(leu)
HIPLZ_CUDA_UNORDERED(gtu)
HIPLZ_CUDA_UNORDERED(geu)
#undef HIPLZ_CUDA_UNORDERED
#undef HIPLZ_CUDA_MASK

namespace hiplz {
/// 0 ... 1, with zero for NaN.
inline __HOST_DEVICE__ __hip_bfloat16 saturated(__hip_bfloat16 number) {
  const float x = __bfloat162float(number);
  return __float2bfloat16(x > 0.0f ? x < 1.0f ? x : 1.0f : 0.0f);
}
} // namespace hiplz

inline __HOST_DEVICE__ __hip_bfloat16 __hmax_nan(__hip_bfloat16 x, __hip_bfloat16 y) {
  return __hisnan(x) || __hisnan(y) ? __ushort_as_bfloat16(0x7fff) : __hmax(x, y);
}
inline __HOST_DEVICE__ __hip_bfloat16 __hmin_nan(__hip_bfloat16 x, __hip_bfloat16 y) {
  return __hisnan(x) || __hisnan(y) ? __ushort_as_bfloat16(0x7fff) : __hmin(x, y);
}
#define HIPLZ_CUDA_PAIR(name) inline __HOST_DEVICE__ __hip_bfloat162 name(__hip_bfloat162 v, __hip_bfloat162 w)
HIPLZ_CUDA_PAIR(__hmax2_nan) { return __hip_bfloat162(__hmax_nan(v.x, w.x), __hmax_nan(v.y, w.y)); }
HIPLZ_CUDA_PAIR(__hmin2_nan) { return __hip_bfloat162(__hmin_nan(v.x, w.x), __hmin_nan(v.y, w.y)); }
#define HIPLZ_CUDA_ARITHMETIC(name)                                                                                    \
  inline __HOST_DEVICE__ __hip_bfloat16 __h##name##_sat(__hip_bfloat16 x, __hip_bfloat16 y) {                          \
    return hiplz::saturated(__h##name(x, y));                                                                          \
  }                                                                                                                    \
  HIPLZ_CUDA_PAIR(__h##name##2_sat) { return __hip_bfloat162(__h##name##_sat(v.x, w.x), __h##name##_sat(v.y, w.y)); }
HIPLZ_CUDA_ARITHMETIC(add)
HIPLZ_CUDA_ARITHMETIC(sub)
HIPLZ_CUDA_ARITHMETIC(mul)
#undef HIPLZ_CUDA_ARITHMETIC
#undef HIPLZ_CUDA_PAIR

/// Loads, whatever the cache hint of the name.
#define HIPLZ_CUDA_LOAD(name)                                                                                          \
  inline __HOST_DEVICE__ __hip_bfloat16 name(const __hip_bfloat16 *address) { return *address; }                       \
  inline __HOST_DEVICE__ __hip_bfloat162 name(const __hip_bfloat162 *address) { return *address; }
HIPLZ_CUDA_LOAD(__ldca)
HIPLZ_CUDA_LOAD(__ldcg)
HIPLZ_CUDA_LOAD(__ldcs)
#undef HIPLZ_CUDA_LOAD

#ifdef __HIP__
__HIPLZ_DEVICE __hip_bfloat16 __hfma_sat(__hip_bfloat16 x, __hip_bfloat16 y, __hip_bfloat16 z) {
  return hiplz::saturated(__hfma(x, y, z));
}
__HIPLZ_DEVICE __hip_bfloat162 __hfma2_sat(__hip_bfloat162 u, __hip_bfloat162 v, __hip_bfloat162 w) {
  return __hip_bfloat162(__hfma_sat(u.x, v.x, w.x), __hfma_sat(u.y, v.y, w.y));
}
/// x * y + z, and 0 if that is negative.
__HIPLZ_DEVICE __hip_bfloat16 __hfma_relu(__hip_bfloat16 x, __hip_bfloat16 y, __hip_bfloat16 z) {
  return __hmax_nan(__hfma(x, y, z), __ushort_as_bfloat16(0));
}
__HIPLZ_DEVICE __hip_bfloat162 __hfma2_relu(__hip_bfloat162 u, __hip_bfloat162 v, __hip_bfloat162 w) {
  return __hip_bfloat162(__hfma_relu(u.x, v.x, w.x), __hfma_relu(u.y, v.y, w.y));
}
/// The complex numbers u * v + w.
__HIPLZ_DEVICE __hip_bfloat162 __hcmadd(__hip_bfloat162 u, __hip_bfloat162 v, __hip_bfloat162 w) {
  return __hip_bfloat162(__hfma(__hneg(u.y), v.y, __hfma(u.x, v.x, w.x)), __hfma(u.y, v.x, __hfma(u.x, v.y, w.y)));
}
__HIPLZ_DEVICE __hip_bfloat16 htanh(__hip_bfloat16 x) { return __float2bfloat16(tanhf(__bfloat162float(x))); }
__HIPLZ_DEVICE __hip_bfloat16 htanh_approx(__hip_bfloat16 x) { return htanh(x); }
__HIPLZ_DEVICE __hip_bfloat162 h2tanh(__hip_bfloat162 v) { return __hip_bfloat162(htanh(v.x), htanh(v.y)); }
__HIPLZ_DEVICE __hip_bfloat162 h2tanh_approx(__hip_bfloat162 v) { return h2tanh(v); }

__HIPLZ_DEVICE __hip_bfloat162 atomicAdd(__hip_bfloat162 *address, __hip_bfloat162 value) {
  return unsafeAtomicAdd(address, value);
}
__HIPLZ_DEVICE __hip_bfloat16 atomicAdd(__hip_bfloat16 *address, __hip_bfloat16 value) {
  unsigned short *place = reinterpret_cast<unsigned short *>(address), seen = *place, before;
  do {
    before = seen;
    seen = atomicCAS(place, before, __bfloat16_as_ushort(__hadd(__ushort_as_bfloat16(before), value)));
  } while (seen != before);
  return __ushort_as_bfloat16(before);
}
#endif
#include <hip/spirv/user_macros_on.h>
