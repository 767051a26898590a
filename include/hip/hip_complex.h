// SPDX-License-Identifier: MIT
// Complex numbers as float2 and double2, for host and device code, in C and C++.
#ifndef HIPLZ_HIP_COMPLEX_H
#define HIPLZ_HIP_COMPLEX_H

#include "hip_vector_types.h"

#ifdef __HIP__
#include "hip_runtime.h"
#else
#include <math.h>
#endif

typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
typedef hipFloatComplex hipComplex;

// Both precisions have the same functions; those of float have names that end in f. Absolute values and quotients do not
// overflow or vanish where the result can be represented: the larger part is divided out first.
#define HIPLZ_COMPLEX(C, T, MAKE, F, FABS, SQRT)                                                                       \
  __HOST_DEVICE__ static inline C MAKE(T real, T imaginary) {                                                          \
    C z;                                                                                                               \
    z.x = real;                                                                                                        \
    z.y = imaginary;                                                                                                   \
    return z;                                                                                                          \
  }                                                                                                                    \
  __HOST_DEVICE__ static inline T hipCreal##F(C z) { return z.x; }                                                     \
  __HOST_DEVICE__ static inline T hipCimag##F(C z) { return z.y; }                                                     \
  __HOST_DEVICE__ static inline C hipConj##F(C z) { return MAKE(z.x, -z.y); }                                          \
  __HOST_DEVICE__ static inline T hipCsqabs##F(C z) { return z.x * z.x + z.y * z.y; }                                  \
  __HOST_DEVICE__ static inline C hipCadd##F(C p, C q) { return MAKE(p.x + q.x, p.y + q.y); }                          \
  __HOST_DEVICE__ static inline C hipCsub##F(C p, C q) { return MAKE(p.x - q.x, p.y - q.y); }                          \
  __HOST_DEVICE__ static inline C hipCmul##F(C p, C q) { return MAKE(p.x * q.x - p.y * q.y, p.y * q.x + p.x * q.y); }  \
  __HOST_DEVICE__ static inline C hipCfma##F(C p, C q, C r) { return hipCadd##F(hipCmul##F(p, q), r); }                \
  __HOST_DEVICE__ static inline C hipCdiv##F(C p, C q) {                                                               \
    T ratio, scale;                                                                                                    \
    if (FABS(q.x) >= FABS(q.y)) {                                                                                      \
      ratio = q.y / q.x;                                                                                               \
      scale = q.x + q.y * ratio;                                                                                       \
      return MAKE((p.x + p.y * ratio) / scale, (p.y - p.x * ratio) / scale);                                           \
    }                                                                                                                  \
    ratio = q.x / q.y;                                                                                                 \
    scale = q.y + q.x * ratio;                                                                                         \
    return MAKE((p.x * ratio + p.y) / scale, (p.y * ratio - p.x) / scale);                                             \
  }                                                                                                                    \
  __HOST_DEVICE__ static inline T hipCabs##F(C z) {                                                                    \
    T large = FABS(z.x), small = FABS(z.y), ratio;                                                                     \
    if (large < small) {                                                                                               \
      ratio = large;                                                                                                   \
      large = small;                                                                                                   \
      small = ratio;                                                                                                   \
    }                                                                                                                  \
    if (small == 0 || large - large != 0)                                                                              \
      return large + small;                                                                                            \
    ratio = small / large;                                                                                             \
    return large * SQRT(1 + ratio * ratio);                                                                            \
  }

HIPLZ_COMPLEX(hipFloatComplex, float, make_hipFloatComplex, f, fabsf, sqrtf)
HIPLZ_COMPLEX(hipDoubleComplex, double, make_hipDoubleComplex, , fabs, sqrt)
#undef HIPLZ_COMPLEX

__HOST_DEVICE__ static inline hipComplex make_hipComplex(float real, float imaginary) {
  return make_hipFloatComplex(real, imaginary);
}
__HOST_DEVICE__ static inline hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex z) {
  return make_hipFloatComplex((float)z.x, (float)z.y);
}
__HOST_DEVICE__ static inline hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex z) {
  return make_hipDoubleComplex(z.x, z.y);
}

#endif
