// SPDX-License-Identifier: MIT
// Everything a HIP source file needs: the host API, the vector types and, in HIP mode, the launch syntax and all that
// device code can call. Without HIP mode it is the host API alone.
#ifndef HIPLZ_HIP_RUNTIME_H
#define HIPLZ_HIP_RUNTIME_H

#include "spirv/user_macros_off.h"

// Programs rely on what AMD's header brings along, also beyond what is needed here. Instead of <thread>, which would
// take a sixth of the time of each compilation, programs get <chrono> alone (docs/performance.md).
#include <assert.h>
#include <limits.h>
#ifdef __cplusplus
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iosfwd>
#include <limits>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>
#else
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#endif

#include "hip_version.h"

#include "hip_common.h"
#include "hip_runtime_api.h"
#include "hip_vector_types.h"
#include "library_types.h"
#include "spirv/library_settings.h"

#ifdef __HIP__

/// Wraps a template instance in the first argument of hipLaunchKernelGGL, so that its commas do not separate arguments.
#define HIP_KERNEL_NAME(...) __VA_ARGS__

/// The argument of the symbol functions, for code that must also compile for other platforms.
#define HIP_SYMBOL(X) X

/// Declares the dynamic shared memory of a kernel under a name.
#define HIP_DYNAMIC_SHARED(type, var) extern __shared__ type var[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE

typedef int hipLaunchParm;

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned long long ullong;

/// hipLaunchKernelGGL(kernel, grid, block, sharedMemBytes, stream, arguments...): the launch syntax as a macro.
#define hipLaunchKernelGGLInternal(kernelName, numBlocks, numThreads, memPerBlock, streamId, ...)                      \
  do {                                                                                                                 \
    kernelName<<<(numBlocks), (numThreads), (memPerBlock), (streamId)>>>(__VA_ARGS__);                                 \
  } while (0)
#define hipLaunchKernelGGL(kernelName, ...) hipLaunchKernelGGLInternal((kernelName), __VA_ARGS__)

#ifndef __HIPLZ_CUDA_SOURCE__ // there it is a CUresult
#define CUDA_SUCCESS hipSuccess
#endif

#include "spirv/device_runtime.h"
#include "spirv/internal_names.h"

#endif

#include "spirv/user_macros_on.h"
#endif

// Outside of the guard: rocPRIM's configuration header includes this file when others have done so before.
#if defined(ROCPRIM_CONFIG_HPP_) && defined(__HIP__)
#include "spirv/rocprim_atomics.h"
#endif
