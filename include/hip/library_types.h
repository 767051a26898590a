// SPDX-License-Identifier: MIT
// Names of element types and version properties that HIP libraries (hipBLAS, hipSPARSE ...) share.
#ifndef HIPLZ_LIBRARY_TYPES_H
#define HIPLZ_LIBRARY_TYPES_H

#include "hip_version.h"
#include "spirv/user_macros_off.h"

/// Element types: R real, C complex; then bits; then F float, BF bfloat, I signed, U unsigned
/// integer.
typedef enum hipDataType {
  HIP_R_32F = 0,
  HIP_R_64F,
  HIP_R_16F,
  HIP_R_8I,
  HIP_C_32F,
  HIP_C_64F,
  HIP_C_16F,
  HIP_C_8I,
  HIP_R_8U,
  HIP_C_8U,
  HIP_R_32I,
  HIP_C_32I,
  HIP_R_32U,
  HIP_C_32U,
  HIP_R_16BF,
  HIP_C_16BF,
  HIP_R_4I,
  HIP_C_4I,
  HIP_R_4U,
  HIP_C_4U,
  HIP_R_16I,
  HIP_C_16I,
  HIP_R_16U,
  HIP_C_16U,
  HIP_R_64I,
  HIP_C_64I,
  HIP_R_64U,
  HIP_C_64U,
  HIP_R_8F_E4M3,
  HIP_R_8F_E5M2,
#if HIPLZ_HIP_VERSION >= 7
  HIP_R_8F_UE8M0, // scales
  HIP_R_6F_E2M3,
  HIP_R_6F_E3M2,
  HIP_R_4F_E2M1,
#endif
  HIP_R_8F_E4M3_FNUZ = 1000,
  HIP_R_8F_E5M2_FNUZ
} hipDataType;

/// Parts of the version of a library.
typedef enum hipLibraryPropertyType {
  HIP_LIBRARY_MAJOR_VERSION = 0,
  HIP_LIBRARY_MINOR_VERSION,
  HIP_LIBRARY_PATCH_LEVEL
} hipLibraryPropertyType;

#include "spirv/user_macros_on.h"
#endif
