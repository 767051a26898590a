// SPDX-License-Identifier: MIT
// The functions of HIP that neither the C library nor OpenCL has, or that OpenCL lacks: Bessel functions, the scaled error
// function, the inverses of the error functions and of the normal distribution. The device library defines them
// (lib-device/special.cpp).
#pragma once

#include "hip/spirv/builtins.h"

#include <type_traits>

#define __HIPLZ_SPECIAL(name)                                                                                          \
  extern "C" __attribute__((device)) float name##f(float x);                                                           \
  extern "C" __attribute__((device)) double name(double x);
__HIPLZ_SPECIAL(j0)
__HIPLZ_SPECIAL(j1)
__HIPLZ_SPECIAL(y0)
__HIPLZ_SPECIAL(y1)
__HIPLZ_SPECIAL(cyl_bessel_i0)
__HIPLZ_SPECIAL(cyl_bessel_i1)
__HIPLZ_SPECIAL(erfcx)
__HIPLZ_SPECIAL(erfinv)
__HIPLZ_SPECIAL(erfcinv)
__HIPLZ_SPECIAL(normcdf)
__HIPLZ_SPECIAL(normcdfinv)
#undef __HIPLZ_SPECIAL
extern "C" __attribute__((device)) float jnf(int n, float x);
extern "C" __attribute__((device)) double jn(int n, double x);
extern "C" __attribute__((device)) float ynf(int n, float x);
extern "C" __attribute__((device)) double yn(int n, double x);

__HIPLZ_DEVICE float normcdf(float x) { return normcdff(x); }
template <class T> __HIPLZ_DEVICE typename std::enable_if<std::is_integral<T>::value, double>::type normcdf(T x) {
  return normcdf((double)x);
}
