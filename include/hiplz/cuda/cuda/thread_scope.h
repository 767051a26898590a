// SPDX-License-Identifier: MIT
// A part of the headers under cuda/: scopes, the namespace cuda::std, and how threads wait.
#pragma once

#include "../cuda_runtime.h"

#include <atomic>
#include <cstddef>

namespace cuda {

/// cuda::std is the C++ library's std, whose constexpr functions kernels may call, and what these headers add.
namespace std {
using namespace ::std;
}

/// The threads that take part in a synchronisation.
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

} // namespace cuda

namespace hiplz {
namespace cudaxx {

/// The number that the compiler's atomic functions have for a scope.
__HIPLZ_BOTH constexpr int scopeNumber(::cuda::thread_scope scope) {
  return scope == ::cuda::thread_scope_system   ? 5
         : scope == ::cuda::thread_scope_device ? 4
         : scope == ::cuda::thread_scope_block  ? 3
                                                : 1;
}

/// Lets those whom a thread waits for go on.
__HIPLZ_BOTH void relax() {
#ifdef __HIP_DEVICE_COMPILE__
  __nanosleep(100);
#else
  __builtin_ia32_pause();
#endif
}

} // namespace cudaxx
} // namespace hiplz
