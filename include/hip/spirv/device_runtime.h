// SPDX-License-Identifier: MIT
// The device side of HIP: what kernels may call. hip/hip_runtime.h includes this when a HIP source is compiled, for the
// host and for the device; the functions exist on the device only, except where their comments say otherwise.
#pragma once

#include "hip/spirv/amd_builtins.h"
#include "hip/spirv/assert.h"
#include "hip/spirv/atomics.h"
#include "hip/spirv/builtins.h"
#include "hip/spirv/clock.h"
#include "hip/spirv/complex_arithmetic.h"
#include "hip/spirv/conversions.h"
#include "hip/spirv/hip_atomics.h"
#include "hip/spirv/index.h"
#include "hip/spirv/integer_intrinsics.h"
#include "hip/spirv/lane_moves.h"
#include "hip/spirv/malloc.h"
#include "hip/spirv/math_functions.h"
#include "hip/spirv/math_intrinsics.h"
#include "hip/spirv/math_rounding.h"
#include "hip/spirv/math_special.h"
#include "hip/spirv/surface_functions.h"
#include "hip/spirv/sync.h"
#include "hip/spirv/texture_functions.h"
#include "hip/spirv/warp.h"

#include <cstdio>
#include <cstring>

/// Formatted output of a kernel, as C's printf; returns the number of characters, or -1 if the output was dropped. The
/// host prints it when it synchronises. With -mprintf-kind=buffered it returns 0 and never waits for the host.
#ifdef __HIPLZ_PRINTF_BUFFERED__
extern "C" __attribute__((device)) int printf(const char *format, ...) __asm__("__hiplz_print_buffered");
#else
extern "C" __attribute__((device)) int printf(const char *format, ...);
#endif

// Copies and fills of memory of any kind.
__HIPLZ_DEVICE void *memcpy(void *destination, const void *source, size_t size) {
  __builtin_memcpy(destination, source, size);
  return destination;
}
__HIPLZ_DEVICE void *memmove(void *destination, const void *source, size_t size) {
  __builtin_memmove(destination, source, size);
  return destination;
}
__HIPLZ_DEVICE void *memset(void *destination, int value, size_t size) {
  __builtin_memset(destination, value, size);
  return destination;
}
namespace std {
using ::memcpy;
using ::memmove;
using ::memset;
using ::printf;
} // namespace std

// Names of AMD's own copies and fills, which programs have come to use.
__HIPLZ_DEVICE void *__hip_hc_memcpy(void *destination, const void *source, size_t size) {
  return memcpy(destination, source, size);
}
__HIPLZ_DEVICE void *__hip_hc_memset(void *destination, unsigned char value, size_t size) {
  return memset(destination, value, size);
}

/// A load from memory that the kernel does not write: an ordinary load here.
template <class T> __HIPLZ_DEVICE T __ldg(const T *address) { return *address; }
