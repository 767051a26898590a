// SPDX-License-Identifier: MIT
// Known to NVRTC's programs without an include, and read in front of each: the device functions that only CUDA has.
#pragma once

#include "cuda_source.h"

#include "cuda_runtime.h"

#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __CUDA__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
