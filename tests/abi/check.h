// SPDX-License-Identifier: MIT
/* The assertions that the generated checks use, in C and in C++. */
#ifndef HIPLZ_TESTS_ABI_CHECK_H
#define HIPLZ_TESTS_ABI_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include <hip/hip_runtime.h>

#include <hip/hip_complex.h>
#include <hip/hip_ext.h>
#include <hip/hip_gl_interop.h>
#include <hip/hip_profile.h>
#include <hip/hiprtc.h>

#ifdef __cplusplus
#include <type_traits>
#define CHECK(condition) static_assert(condition, #condition)
#define CXX_CHECK(condition) static_assert(condition, #condition)
#define ALIGNOF(type) alignof(type)
#else
#define CHECK(condition) _Static_assert(condition, #condition)
#define CXX_CHECK(condition) _Static_assert(1, "C has no decltype")
#define ALIGNOF(type) _Alignof(type)
#endif

#endif
