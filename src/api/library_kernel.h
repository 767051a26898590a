// SPDX-License-Identifier: MIT
// Handles of kernels of libraries, for the files that have functions about them.
#pragma once
#include "lz/core/error.h"
#include "lz/module/registry.h"

namespace hiplz {

/// The kernel of a library. Throws HipError{hipErrorInvalidValue}.
inline LZKernel &libraryKernelFrom(hipKernel_t kernel) {
  LZKernel *found = LZRegistry::instance().findHandle(kernel);
  if (!found)
    throw HipError(hipErrorInvalidValue, "the kernel does not exist, or its library has been unloaded");
  return *found;
}

} // namespace hiplz
