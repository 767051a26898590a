// SPDX-License-Identifier: MIT
// CUDA's functions for half precision beyond HIP's. Host code converts in every direction of rounding, as device code does.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include "rounding.h"

#include <hip/hip_fp16.h>

inline __HOST_DEVICE__ __half __double2half(double x) { return __half((_Float16)x); }
inline __HOST_DEVICE__ signed char __half2char_rz(__half x) {
  return hiplz::integerFrom<signed char>(__half2float(x), hiplz::rz);
}
inline __HOST_DEVICE__ unsigned char __half2uchar_rz(__half x) {
  return hiplz::integerFrom<unsigned char>(__half2float(x), hiplz::rz);
}

// On the host. Those of the device are HIP's.
#define HIPLZ_CUDA_ROUNDED(Int, name, mode)                                                                            \
  inline __half __##name##2half_##mode(Int x) {                                                                        \
    return __ushort_as_half(hiplz::narrowFromInteger<11>(x, hiplz::mode));                                             \
  }                                                                                                                    \
  inline Int __half2##name##_##mode(__half x) { return hiplz::integerFrom<Int>(__half2float(x), hiplz::mode); }
#define HIPLZ_CUDA_CONVERSIONS(Int, name)                                                                              \
  HIPLZ_CUDA_ROUNDED(Int, name, rn)                                                                                    \
  HIPLZ_CUDA_ROUNDED(Int, name, rz)                                                                                    \
  HIPLZ_CUDA_ROUNDED(Int, name, rd)                                                                                    \
  HIPLZ_CUDA_ROUNDED(Int, name, ru)
HIPLZ_CUDA_INTEGERS(HIPLZ_CUDA_CONVERSIONS)
#undef HIPLZ_CUDA_CONVERSIONS
#undef HIPLZ_CUDA_ROUNDED
inline __half __float2half_rz(float x) { return __ushort_as_half(hiplz::narrowFrom<11>(x, hiplz::rz)); }
inline __half __float2half_rd(float x) { return __ushort_as_half(hiplz::narrowFrom<11>(x, hiplz::rd)); }
inline __half __float2half_ru(float x) { return __ushort_as_half(hiplz::narrowFrom<11>(x, hiplz::ru)); }

// Comparisons of two with all bits of a component as the answer.
#define HIPLZ_CUDA_MASK(name)                                                                                          \
  inline __HOST_DEVICE__ unsigned __h##name##2_mask(__half2 v, __half2 w) {                                            \
    return (__h##name(v.x, w.x) ? 0xffffu : 0) | (__h##name(v.y, w.y) ? 0xffff0000u : 0);                              \
  }
HIPLZ_CUDA_MASK(eq)
HIPLZ_CUDA_MASK(ne)
HIPLZ_CUDA_MASK(lt)
HIPLZ_CUDA_MASK(le)
HIPLZ_CUDA_MASK(gt)
HIPLZ_CUDA_MASK(ge)
HIPLZ_CUDA_MASK(equ)
HIPLZ_CUDA_MASK(neu)
HIPLZ_CUDA_MASK(ltu)
HIPLZ_CUDA_MASK(leu)
HIPLZ_CUDA_MASK(gtu)
HIPLZ_CUDA_MASK(geu)
#undef HIPLZ_CUDA_MASK

// Both components at once, and arithmetic that is never part of a fused operation.
#define HIPLZ_CUDA_PAIR(name) inline __HOST_DEVICE__ __half2 name(__half2 v, __half2 w)
HIPLZ_CUDA_PAIR(__hmax2) { return __half2(__hmax(v.x, w.x), __hmax(v.y, w.y)); }
HIPLZ_CUDA_PAIR(__hmin2) { return __half2(__hmin(v.x, w.x), __hmin(v.y, w.y)); }
HIPLZ_CUDA_PAIR(__hmax2_nan) { return __half2(__hmax_nan(v.x, w.x), __hmax_nan(v.y, w.y)); }
HIPLZ_CUDA_PAIR(__hmin2_nan) { return __half2(__hmin_nan(v.x, w.x), __hmin_nan(v.y, w.y)); }
#undef HIPLZ_CUDA_PAIR

#ifdef __HIP__
/// x * y + z, and 0 if that is negative.
__HIPLZ_DEVICE __half __hfma_relu(__half x, __half y, __half z) {
  return __hmax_nan(__hfma(x, y, z), __ushort_as_half(0));
}
__HIPLZ_DEVICE __half2 __hfma2_relu(__half2 u, __half2 v, __half2 w) {
  return __half2(__hfma_relu(u.x, v.x, w.x), __hfma_relu(u.y, v.y, w.y));
}
/// The complex numbers u * v + w.
__HIPLZ_DEVICE __half2 __hcmadd(__half2 u, __half2 v, __half2 w) {
  return __half2(__hfma(__hneg(u.y), v.y, __hfma(u.x, v.x, w.x)), __hfma(u.y, v.x, __hfma(u.x, v.y, w.y)));
}
__HIPLZ_DEVICE __half htanh(__half x) { return __float2half(tanhf(__half2float(x))); }
__HIPLZ_DEVICE __half htanh_approx(__half x) { return htanh(x); }
__HIPLZ_DEVICE __half2 h2tanh(__half2 v) { return __half2(htanh(v.x), htanh(v.y)); }
__HIPLZ_DEVICE __half2 h2tanh_approx(__half2 v) { return h2tanh(v); }

__HIPLZ_DEVICE __half2 atomicAdd(__half2 *address, __half2 value) { return unsafeAtomicAdd(address, value); }
__HIPLZ_DEVICE __half atomicAdd(__half *address, __half value) {
  unsigned short *place = reinterpret_cast<unsigned short *>(address), seen = *place, before;
  do {
    before = seen;
    seen = atomicCAS(place, before, __half_as_ushort(__hadd(__ushort_as_half(before), value)));
  } while (seen != before);
  return __ushort_as_half(before);
}
#endif
#include <hip/spirv/user_macros_on.h>
