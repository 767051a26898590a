// SPDX-License-Identifier: MIT
// The types of hip/hip_ext_ocp.h. They have AMD's names, sizes and alignments. AMD's are vectors of the compiler throughout; SPIR-V has none
// of 6 or 32 elements, so those are arrays here, with the same `v[i]` and the same list of elements between braces.
#pragma once

#include <cstddef>
#include <cstdint>

namespace __hiplz {
/// An array that looks like a vector.
template <class T, int N, int kBytes> struct alignas(kBytes) OcpArray {
  T elements[N];

  __HOST_DEVICE__ T &operator[](size_t i) { return elements[i]; }
  __HOST_DEVICE__ const T &operator[](size_t i) const { return elements[i]; }
};
} // namespace __hiplz

#ifdef __clang__
#define HIPLZ_OCP_VECTOR(T, N) T __attribute__((ext_vector_type(N)))
#else
#define HIPLZ_OCP_VECTOR(T, N) T __attribute__((vector_size(N * sizeof(T))))
#endif

typedef uint8_t __amd_fp8_storage_t;
typedef uint16_t __amd_fp8x2_storage_t;
typedef HIPLZ_OCP_VECTOR(uint8_t, 8) __amd_fp8x8_storage_t;
typedef __hiplz::OcpArray<uint32_t, 6, 32> __amd_fp6x32_storage_t;
typedef uint8_t __amd_fp4x2_storage_t;
typedef uint32_t __amd_fp4x8_storage_t;

/// The exponent of a power of two (E8M0 without its bias); -128 is NaN.
typedef int8_t __amd_scale_t;

typedef HIPLZ_OCP_VECTOR(float, 2) __amd_floatx2_storage_t;
typedef HIPLZ_OCP_VECTOR(float, 8) __amd_floatx8_storage_t;
typedef HIPLZ_OCP_VECTOR(float, 16) __amd_floatx16_storage_t;
typedef __hiplz::OcpArray<float, 32, 128> __amd_floatx32_storage_t;

typedef _Float16 __amd_fp16_storage_t;
typedef HIPLZ_OCP_VECTOR(_Float16, 2) __amd_fp16x2_storage_t;
typedef HIPLZ_OCP_VECTOR(_Float16, 8) __amd_fp16x8_storage_t;
typedef __hiplz::OcpArray<_Float16, 32, 64> __amd_fp16x32_storage_t;

// AMD's bfloat16 is the compiler's, which compilers for SPIR-V do not have.
typedef __hip_bfloat16 __amd_bf16_storage_t;
typedef __hiplz::OcpArray<__hip_bfloat16, 2, 4> __amd_bf16x2_storage_t;
typedef __hiplz::OcpArray<__hip_bfloat16, 8, 16> __amd_bf16x8_storage_t;
typedef __hiplz::OcpArray<__hip_bfloat16, 32, 64> __amd_bf16x32_storage_t;

typedef HIPLZ_OCP_VECTOR(unsigned int, 2) __amd_uintx2_storage_t;
typedef HIPLZ_OCP_VECTOR(short, 2) __amd_shortx2_storage_t;
#undef HIPLZ_OCP_VECTOR

/// Bits of the exponent and behind the point.
enum __amd_fp8_interpretation_t { __AMD_OCP_E4M3 = 0, __AMD_OCP_E5M2 = 1 };
enum __amd_fp6_interpretation_t { __AMD_OCP_E2M3 = 0, __AMD_OCP_E3M2 = 1 };
enum __amd_fp4_interpretation_t { __AMD_OCP_E2M1 = 0 };
