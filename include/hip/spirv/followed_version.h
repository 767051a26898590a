// SPDX-License-Identifier: MIT
// Tells the runtime which HIP the program was written for: where an error or a structure differs, it follows that version. 0
// stands for a program with CUDA's names. The dynamic linker gives our libraries the program's variable instead of their own.
#pragma once

#include "hip/hip_version.h"

#if !defined(HIPLZ_RUNTIME_SOURCES) && !defined(__HIP_DEVICE_COMPILE__)
#ifdef __cplusplus
extern "C" {
#endif
extern __attribute__((weak, visibility("default"))) const int hiplzHipVersion;
#ifdef __HIPLZ_CUDA_SOURCE__
const int hiplzHipVersion = 0;
#else
const int hiplzHipVersion = HIPLZ_HIP_VERSION;
#endif
#ifdef __cplusplus
}
#endif
#endif
