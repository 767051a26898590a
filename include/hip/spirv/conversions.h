// SPDX-License-Identifier: MIT
// Conversions with a rounding mode, and views of the bits of a value as another type. Conversions to integers saturate,
// and give zero for NaN.
#pragma once

#include "hip/spirv/builtins.h"

// __<from>2<to>_<mode>. The instruction names its result and its rounding; `sat` clamps to the range of integers.
#define __HIPLZ_TO_INTEGER(Float, from, Int, to, Spirv, Kind, mode, rounding)                                          \
  __HIPLZ_SPIRV_PURE Spirv __spirv_ConvertFTo##Kind##_sat_##rounding(Float x);                                         \
  __HIPLZ_DEVICE Int __##from##2##to##_##mode(Float x) { return (Int)__spirv_ConvertFTo##Kind##_sat_##rounding(x); }
#define __HIPLZ_TO_INTEGERS(mode, rounding)                                                                            \
  __HIPLZ_TO_INTEGER(float, float, int, int, int, S_Rint, mode, rounding)                                              \
  __HIPLZ_TO_INTEGER(float, float, unsigned, uint, unsigned, U_Ruint, mode, rounding)                                  \
  __HIPLZ_TO_INTEGER(float, float, long long, ll, long, S_Rlong, mode, rounding)                                       \
  __HIPLZ_TO_INTEGER(float, float, unsigned long long, ull, unsigned long, U_Rulong, mode, rounding)                   \
  __HIPLZ_TO_INTEGER(double, double, int, int, int, S_Rint, mode, rounding)                                            \
  __HIPLZ_TO_INTEGER(double, double, unsigned, uint, unsigned, U_Ruint, mode, rounding)                                \
  __HIPLZ_TO_INTEGER(double, double, long long, ll, long, S_Rlong, mode, rounding)                                     \
  __HIPLZ_TO_INTEGER(double, double, unsigned long long, ull, unsigned long, U_Rulong, mode, rounding)
__HIPLZ_TO_INTEGERS(rn, rte)
__HIPLZ_TO_INTEGERS(rz, rtz)
__HIPLZ_TO_INTEGERS(ru, rtp)
__HIPLZ_TO_INTEGERS(rd, rtn)
#undef __HIPLZ_TO_INTEGERS
#undef __HIPLZ_TO_INTEGER

#define __HIPLZ_TO_FLOAT(From, from, Spirv, Float, to, Kind, mode, rounding)                                           \
  __HIPLZ_SPIRV_PURE Float __spirv_##Kind##_R##Float##_##rounding(Spirv x);                                            \
  __HIPLZ_DEVICE Float __##from##2##to##_##mode(From x) { return __spirv_##Kind##_R##Float##_##rounding((Spirv)x); }
#define __HIPLZ_TO_FLOATS(mode, rounding)                                                                              \
  __HIPLZ_TO_FLOAT(int, int, int, float, float, ConvertSToF, mode, rounding)                                           \
  __HIPLZ_TO_FLOAT(unsigned, uint, unsigned, float, float, ConvertUToF, mode, rounding)                                \
  __HIPLZ_TO_FLOAT(long long, ll, long, float, float, ConvertSToF, mode, rounding)                                     \
  __HIPLZ_TO_FLOAT(unsigned long long, ull, unsigned long, float, float, ConvertUToF, mode, rounding)                  \
  __HIPLZ_TO_FLOAT(long long, ll, long, double, double, ConvertSToF, mode, rounding)                                   \
  __HIPLZ_TO_FLOAT(unsigned long long, ull, unsigned long, double, double, ConvertUToF, mode, rounding)                \
  __HIPLZ_TO_FLOAT(double, double, double, float, float, FConvert, mode, rounding)
__HIPLZ_TO_FLOATS(rn, rte)
__HIPLZ_TO_FLOATS(rz, rtz)
__HIPLZ_TO_FLOATS(ru, rtp)
__HIPLZ_TO_FLOATS(rd, rtn)
#undef __HIPLZ_TO_FLOATS
#undef __HIPLZ_TO_FLOAT

// Exact in every rounding mode.
__HIPLZ_DEVICE double __int2double_rn(int x) { return x; }
__HIPLZ_DEVICE double __uint2double_rn(unsigned x) { return x; }

__HIPLZ_DEVICE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
__HIPLZ_DEVICE unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
__HIPLZ_DEVICE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
__HIPLZ_DEVICE float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
__HIPLZ_DEVICE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
__HIPLZ_DEVICE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
__HIPLZ_DEVICE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
__HIPLZ_DEVICE int __double2loint(double x) { return (int)__double_as_longlong(x); }
__HIPLZ_DEVICE double __hiloint2double(int hi, int lo) {
  return __longlong_as_double((long long)(((unsigned long long)(unsigned)hi << 32) | (unsigned)lo));
}
