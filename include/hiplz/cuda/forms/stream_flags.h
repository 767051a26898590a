// SPDX-License-Identifier: MIT
// In CUDA the null stream has flags like any other; hipStreamGetFlags refuses it, so the name needs a function of its own. It
// compiles with any C and C++ compiler.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include <hip/hip_runtime.h>

static inline hipError_t hiplzStreamGetFlags(hipStream_t stream, unsigned *flags) {
#ifdef HIP_API_PER_THREAD_DEFAULT_STREAM
  return hipStreamGetFlags(stream ? stream : hipStreamPerThread, flags);
#else
  return hipStreamGetFlags(stream ? stream : hipStreamLegacy, flags);
#endif
}

#define cudaStreamGetFlags hiplzStreamGetFlags
#include <hip/spirv/user_macros_on.h>
