// SPDX-License-Identifier: MIT
// Where profiling starts and stops.
#ifndef __CUDA_PROFILER_API_H__
#define __CUDA_PROFILER_API_H__

#include "cuda_runtime_api.h"

#endif
