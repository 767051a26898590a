// SPDX-License-Identifier: MIT
// The run-time compiler. Link with -lhiprtc; cucc makes that of -lnvrtc.
#ifndef __NVRTC_H__
#define __NVRTC_H__

#include <hip/spirv/user_macros_off.h>

#include "names/nvrtc.h"
#include <hip/hiprtc.h>
#include <stdlib.h>

#ifdef __cplusplus
#define HIPLZ_NVRTC inline
#else
#define HIPLZ_NVRTC static inline
#endif

// CUDA's forms take strings that nobody changes.
HIPLZ_NVRTC nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int count,
                                           const char *const *headers, const char *const *includeNames) {
  return hiprtcCreateProgram(program, source, name, count, (const char **)headers, (const char **)includeNames);
}
HIPLZ_NVRTC nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options) {
  hiprtcResult result;
  const char **all = (const char **)malloc(((size_t)(count > 0 ? count : 0) + 1) * sizeof *all);
  if (!all)
    return HIPRTC_ERROR_OUT_OF_MEMORY;
  all[0] = "--hiplz-cuda"; // CUDA's headers and the functions that only CUDA's kernels have
  for (int i = 0; options && i < count; ++i)
    all[i + 1] = options[i];
  result = hiprtcCompileProgram(program, options && count > 0 ? count + 1 : count < 0 ? count : 1, all);
  free(all);
  return result;
}

#include <hip/spirv/user_macros_on.h>
#endif
