// SPDX-License-Identifier: MIT
// The CUDA driver API on HIP: functions under CUDA's names, with results and device pointers of their own types.
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#include "cuda_source.h"

#include "driver/context.h"
#include "driver/forms.h"
#include "driver/graph.h"
#include "driver/launch.h"
#include "driver/launch_attributes.h"
#include "driver/memory.h"
#include "driver/versions.h"
#include "names/driver_attributes.h"

/// The version of CUDA whose forms of the functions exist here.
#define CUDA_VERSION 13000

#define CUDA_CB
#define CUDAAPI

#endif
