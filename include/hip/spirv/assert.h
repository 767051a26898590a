// SPDX-License-Identifier: MIT
// Functions that end a kernel: assert, abort, __trap. The thread that calls them goes no further, threads that begin afterwards do
// nothing, and the next call that waits for the device returns hipErrorLaunchFailure (hipErrorAssert after assert in HIP 6 and CUDA).
#pragma once

#include "hip/spirv/abort_state.h"
#include "hip/spirv/index.h"

// Replaced by the passes: printf to the error stream, and the end of the grid.
extern "C" __attribute__((device)) int __hiplz_print_error(const char *format, ...);
extern "C" __attribute__((device, noreturn)) void __hiplz_end_grid(unsigned reason);

// Rarely called and large, so it stays a function. The unchanged names are those that the compiler and <assert.h> call.
#define __HIPLZ_ENDING(attributes) extern "C" inline __attribute__((device, noreturn, cold, attributes))

__HIPLZ_ENDING(noinline)
void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function) {
  __hiplz_print_error("%s:%u: %s: Device-side assertion `%s' failed. Block: [%u,%u,%u], thread: [%u,%u,%u]\n", file,
                      line, function ? function : "?", assertion, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x,
                      threadIdx.y, threadIdx.z);
  __hiplz_end_grid(__hiplz_end_assert);
}

/// A failed assertion without a message.
__HIPLZ_ENDING(always_inline) void __assertfail() { __hiplz_end_grid(__hiplz_end_assert); }

__HIPLZ_ENDING(always_inline) void abort() { __hiplz_end_grid(__hiplz_end_abort); }

/// CUDA's name for it.
__HIPLZ_DEVICE void __trap() { __builtin_trap(); }

__HIPLZ_ENDING(noinline) void __cxa_pure_virtual() {
  __hiplz_print_error("a pure virtual function was called\n");
  __hiplz_end_grid(__hiplz_end_abort);
}
__HIPLZ_ENDING(noinline) void __cxa_deleted_virtual() {
  __hiplz_print_error("a deleted virtual function was called\n");
  __hiplz_end_grid(__hiplz_end_abort);
}
#undef __HIPLZ_ENDING

namespace std {
using ::abort;
}

#if defined(__HIPCC_RTC__) && !defined(assert)
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif
#endif
