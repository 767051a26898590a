// SPDX-License-Identifier: MIT
// The CUDA runtime: the API, its C++ forms, and what kernels call. The guards are those of CUDA's header, so that where
// both are installed the other one stays away once this one was read.
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include "cuda_runtime_api.h"

#include "library_types.h"

#if defined(__cplusplus) && !defined(__HIPCC_RTC__)
#include "forms/conditional_graphs.h"
#include "forms/launch.h"
#include "forms/runtime.h"
#endif

#ifdef __HIP__
#include "forms/device.h"
#ifndef __HIPCC_RTC__
#include "forms/host_math.h"
#endif
#endif

#endif
