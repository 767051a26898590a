// SPDX-License-Identifier: MIT
// CUDA reduces the number of levels of a mipmapped array to those that exist, where HIP refuses more. It compiles with any C and
// C++ compiler.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include <hip/hip_runtime_api.h>

/// The smaller one of `levels` and the number of levels down to one element. Layers and faces have no levels of their own.
static inline unsigned hiplzMipmapLevels(size_t width, size_t height, size_t depth, unsigned flags, unsigned levels) {
  size_t largest = width > height ? width : height;
  unsigned possible = 1;
  if (depth > largest && !(flags & (hipArrayLayered | hipArrayCubemap)))
    largest = depth;
  while (largest >>= 1)
    ++possible;
  return levels < possible ? levels : possible;
}

static inline hipError_t hiplzMallocMipmappedArray(hipMipmappedArray_t *mipmappedArray,
                                                   const struct hipChannelFormatDesc *desc, struct hipExtent extent,
                                                   unsigned numLevels, unsigned flags __dparm(0)) {
  return hipMallocMipmappedArray(mipmappedArray, desc, extent,
                                 hiplzMipmapLevels(extent.width, extent.height, extent.depth, flags, numLevels), flags);
}

#define cudaMallocMipmappedArray hiplzMallocMipmappedArray
#include <hip/spirv/user_macros_on.h>
