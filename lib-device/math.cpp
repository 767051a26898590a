// SPDX-License-Identifier: MIT
// The device library: the functions of the C library's <math.h> that kernels call under their C names, each one an
// instruction of OpenCL's extended instruction set. clang links the bitcode of this file into every device compilation
// (`--hip-path`) and, because all of it is always_inline, nothing of it is left as a call.
#include "define.h"

#define UNARY(name, instruction)                                                                                       \
  PURE float __spirv_ocl_##instruction(float);                                                                         \
  PURE double __spirv_ocl_##instruction(double);                                                                       \
  DEFINE(float, #name "f", hiplz_##name##f, (float x), __spirv_ocl_##instruction(x))                                   \
  DEFINE(double, #name, hiplz_##name, (double x), __spirv_ocl_##instruction(x))
#define BINARY(name, instruction)                                                                                      \
  PURE float __spirv_ocl_##instruction(float, float);                                                                  \
  PURE double __spirv_ocl_##instruction(double, double);                                                               \
  DEFINE(float, #name "f", hiplz_##name##f, (float x, float y), __spirv_ocl_##instruction(x, y))                       \
  DEFINE(double, #name, hiplz_##name, (double x, double y), __spirv_ocl_##instruction(x, y))
#include "hip/spirv/math_names.def"

PURE float __spirv_ocl_fma(float, float, float);
PURE double __spirv_ocl_fma(double, double, double);
DEFINE(float, "fmaf", hiplz_fmaf, (float x, float y, float z), __spirv_ocl_fma(x, y, z))
DEFINE(double, "fma", hiplz_fma, (double x, double y, double z), __spirv_ocl_fma(x, y, z))

// Correctly rounded whatever the options of the program say, which do not reach this file (RoundingPass).
DEFINE(float, "__hiplz_div_rn", hiplz_div_rn, (float x, float y), x / y)
DEFINE(float, "__hiplz_sqrt_rn", hiplz_sqrt_rn, (float x), __spirv_ocl_sqrt(x))
/// A better 1 / sqrt(x) than y. The error of the square is found exactly; from no more than 1 unit in the last place off, the
/// result is rounded correctly for all x.
INLINED float closerReciprocalRoot(float x, float y) {
  float root = x * y, rest = __spirv_ocl_fma(x, y, -root);
  float error = __spirv_ocl_fma(-rest, y, __spirv_ocl_fma(-root, y, 1.0f));
  return __spirv_ocl_fma(y, __spirv_ocl_fma(0.375f * error, error, 0.5f * error), y);
}
PURE float __spirv_ocl_rsqrt(float);
INLINED float reciprocalRoot(float x) {
  float y = __spirv_ocl_rsqrt(x);
  return x > 0 && x - x == 0 ? closerReciprocalRoot(x, closerReciprocalRoot(x, y)) : y;
}
DEFINE(float, "__hiplz_rsqrt_rn", hiplz_rsqrt_rn, (float x), reciprocalRoot(x))

PURE float __spirv_ocl_ldexp(float, int);
PURE double __spirv_ocl_ldexp(double, int);
DEFINE(float, "ldexpf", hiplz_ldexpf, (float x, int n), __spirv_ocl_ldexp(x, n))
DEFINE(double, "ldexp", hiplz_ldexp, (double x, int n), __spirv_ocl_ldexp(x, n))
DEFINE(float, "scalbnf", hiplz_scalbnf, (float x, int n), __spirv_ocl_ldexp(x, n))
DEFINE(double, "scalbn", hiplz_scalbn, (double x, int n), __spirv_ocl_ldexp(x, n))
INLINED int limitedExponent(long n) { return n > 10000 ? 10000 : n < -10000 ? -10000 : (int)n; }
DEFINE(float, "scalblnf", hiplz_scalblnf, (float x, long n), __spirv_ocl_ldexp(x, limitedExponent(n)))
DEFINE(double, "scalbln", hiplz_scalbln, (double x, long n), __spirv_ocl_ldexp(x, limitedExponent(n)))

// OpenCL leaves the values for zero and NaN to the implementation; these are those of x86-64's <math.h>.
PURE int __spirv_ocl_ilogb(float);
PURE int __spirv_ocl_ilogb(double);
template <class T> INLINED int ilogbOfC(T x) {
  if (x == 0 || x != x)
    return -__INT_MAX__ - 1;
  return x - x == 0 ? __spirv_ocl_ilogb(x) : __INT_MAX__;
}
DEFINE(int, "ilogbf", hiplz_ilogbf, (float x), ilogbOfC(x))
DEFINE(int, "ilogb", hiplz_ilogb, (double x), ilogbOfC(x))
