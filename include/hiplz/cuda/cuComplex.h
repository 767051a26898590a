// SPDX-License-Identifier: MIT
// CUDA's complex numbers, as HIP has them.
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include "cuda_runtime_api.h"

#include <hip/hip_complex.h>

#define cuComplex hipComplex
#define cuDoubleComplex hipDoubleComplex
#define cuFloatComplex hipFloatComplex
#define cuCabs hipCabs
#define cuCabsf hipCabsf
#define cuCadd hipCadd
#define cuCaddf hipCaddf
#define cuCdiv hipCdiv
#define cuCdivf hipCdivf
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
#define make_cuComplex make_hipComplex
#define make_cuDoubleComplex make_hipDoubleComplex
#define make_cuFloatComplex make_hipFloatComplex

#endif
