// SPDX-License-Identifier: MIT
// Complex numbers as float2 and double2, for host and device code, in C and C++.
#ifndef HIPLZ_HIP_COMPLEX_H
#define HIPLZ_HIP_COMPLEX_H

#include "spirv/user_macros_off.h"

#include "hip_vector_types.h"

#ifdef __HIP__
#include "hip_runtime.h"
#else
#include <math.h>
#endif

typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
typedef hipFloatComplex hipComplex;

// Both precisions have the same functions; those of float have names that end in f. The formulas, and the order of their
// operations, are those of AMD's header: results agree with AMD's bit for bit. So absolute values and quotients overflow or
// vanish where the square of an operand does; CUDA's cuCabs and cuCdiv do not (hiplz/cuda/cuComplex.h).
#define HIPLZ_COMPLEX(C, T, MAKE, F, SQRT)                                                                             \
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
  __HOST_DEVICE__ static inline C hipCfma##F(C p, C q, C r) {                                                          \
    const T real = p.x * q.x + r.x, imaginary = q.x * p.y + r.y;                                                       \
    return MAKE(-(p.y * q.y) + real, p.x * q.y + imaginary);                                                           \
  }                                                                                                                    \
  __HOST_DEVICE__ static inline C hipCdiv##F(C p, C q) {                                                               \
    const T square = hipCsqabs##F(q);                                                                                  \
    return MAKE((p.x * q.x + p.y * q.y) / square, (p.y * q.x - p.x * q.y) / square);                                   \
  }                                                                                                                    \
  __HOST_DEVICE__ static inline T hipCabs##F(C z) { return SQRT(hipCsqabs##F(z)); }

HIPLZ_COMPLEX(hipFloatComplex, float, make_hipFloatComplex, f, sqrtf)
HIPLZ_COMPLEX(hipDoubleComplex, double, make_hipDoubleComplex, , sqrt)
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

#include "spirv/user_macros_on.h"
#endif
