// SPDX-License-Identifier: MIT
// Handles of memory pools.
#pragma once
#include "lz/memory/memory_pools.h"

namespace hiplz {

inline hipMemPool_t toHandle(LZMemoryPool &pool) { return reinterpret_cast<hipMemPool_t>(&pool); }

/// The pool behind a handle. Throws HipError{hipErrorInvalidValue} for anything else.
inline LZMemoryPool &poolFrom(hipMemPool_t handle) {
  LZMemoryPool *pool = LZMemoryPools::find(handle);
  if (!pool)
    throw HipError(hipErrorInvalidValue, "the memory pool does not exist, or it has been destroyed");
  return *pool;
}

} // namespace hiplz
