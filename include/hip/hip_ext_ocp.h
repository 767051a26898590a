// SPDX-License-Identifier: MIT
// OCP's formats for tensors of small numbers (e4m3, e5m2, e2m3, e3m2, e2m1), one to 32 of them with a scale that they share, for host and
// device code. They convert from and to float, half and bfloat16, to nearest or by chance. This needs C++17. HIP has it since version 7.
#ifndef HIPLZ_HIP_EXT_OCP_H
#define HIPLZ_HIP_EXT_OCP_H

#include "hip_bf16.h"
#include "hip_fp16.h"
#include "spirv/user_macros_off.h"

#if defined(__cplusplus) && __cplusplus >= 201703L && defined(__FLT16_MAX__)
#include "spirv/ocp_types.h"

#include "spirv/ocp_conversions.h"

#include "spirv/ocp_functions.h"

#include "spirv/ocp_classes.h"
#endif

#include "spirv/user_macros_on.h"
#endif
