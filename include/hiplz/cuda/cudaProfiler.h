// SPDX-License-Identifier: MIT
// Where profiling starts and stops, in the driver API.
#ifndef HIPLZ_CUDA_PROFILER_H
#define HIPLZ_CUDA_PROFILER_H

#include "cuda.h"

#endif
