// SPDX-License-Identifier: MIT
// CUDA's complex numbers, as HIP has them. Absolute values and quotients are scaled as CUDA's are, which HIP's are not: they do
// not overflow or vanish where the result can be represented.
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include <hip/spirv/user_macros_off.h>

#include "cuda_runtime_api.h"

#include <hip/hip_complex.h>

#define cuComplex hipComplex
#define cuDoubleComplex hipDoubleComplex
#define cuFloatComplex hipFloatComplex
#define cuCadd hipCadd
#define cuCaddf hipCaddf
#define cuCfma hipCfma
#define cuCfmaf hipCfmaf
#define cuCimag hipCimag
#define cuCimagf hipCimagf
#define cuCmul hipCmul
#define cuCmulf hipCmulf
#define cuComplexDoubleToFloat hipComplexDoubleToFloat
#define cuComplexFloatToDouble hipComplexFloatToDouble
#define cuConj hipConj
#define cuConjf hipConjf
#define cuCreal hipCreal
#define cuCrealf hipCrealf
#define cuCsub hipCsub
#define cuCsubf hipCsubf
#define HIPLZ_CUDA_COMPLEX(C, T, MAKE, F, FABS, SQRT)                                                                  \
  __HOST_DEVICE__ static inline C cuCdiv##F(C p, C q) {                                                                \
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
  __HOST_DEVICE__ static inline T cuCabs##F(C z) {                                                                     \
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

HIPLZ_CUDA_COMPLEX(hipFloatComplex, float, make_hipFloatComplex, f, fabsf, sqrtf)
HIPLZ_CUDA_COMPLEX(hipDoubleComplex, double, make_hipDoubleComplex, , fabs, sqrt)
#undef HIPLZ_CUDA_COMPLEX

#define make_cuComplex make_hipComplex
#define make_cuDoubleComplex make_hipDoubleComplex
#define make_cuFloatComplex make_hipFloatComplex

#include <hip/spirv/user_macros_on.h>
#endif
