// SPDX-License-Identifier: MIT
// The classes of hip/hip_ext_ocp.h, made by macros: one and two numbers of 8 bits, 32 of 6 bits, two of 4 bits. A constructor with a seed
// rounds stochastically.
#pragma once

/// Constructors from N elements of `Input`, which `Wide` names, and the way back.
#define HIPLZ_OCP_FROM(Class, Wide, Input, Small)                                                                      \
  explicit __HOST_DEVICE__ Class(const Input x, const __amd_scale_t scale)                                             \
      : __x(__amd_cvt_##Wide##_to_##Small##_scale(x, __default_interpret, scale)) {}
#define HIPLZ_OCP_FROM_SEEDED(Class, Wide, Input, Small)                                                               \
  explicit __HOST_DEVICE__ Class(const Input x, const unsigned int seed, const __amd_scale_t scale)                    \
      : __x(__amd_cvt_##Wide##_to_##Small##_sr_scale(x, __default_interpret, seed, scale)) {}
#define HIPLZ_OCP_GET(Wide, Result, Small)                                                                             \
  __HOST_DEVICE__ Result get_scaled_##Wide(const __amd_scale_t scale) const {                                          \
    return __amd_cvt_##Small##_to_##Wide##_scale(__x, __default_interpret, scale);                                     \
  }

#define HIPLZ_OCP_ONE(Class, interpretation)                                                                           \
  struct Class {                                                                                                       \
    __amd_fp8_storage_t __x;                                                                                           \
    static constexpr __amd_fp8_interpretation_t __default_interpret = interpretation;                                  \
                                                                                                                       \
    Class() = default;                                                                                                 \
    explicit __HOST_DEVICE__ Class(const float x)                                                                      \
        : __x(__hiplz::ocpSmall<__amd_fp8_storage_t, 1>(x, __default_interpret, 0, __hiplz::kOcpNearest)) {}           \
    explicit __HOST_DEVICE__ Class(const float x, const unsigned int seed)                                             \
        : __x(__amd_cvt_float_to_fp8_sr(x, __default_interpret, seed)) {}                                              \
    HIPLZ_OCP_FROM_SEEDED(Class, float, float, fp8)                                                                    \
    HIPLZ_OCP_FROM_SEEDED(Class, fp16, __amd_fp16_storage_t, fp8)                                                      \
    HIPLZ_OCP_FROM_SEEDED(Class, bf16, __amd_bf16_storage_t, fp8)                                                      \
                                                                                                                       \
    HIPLZ_OCP_GET(fp16, __amd_fp16_storage_t, fp8)                                                                     \
    HIPLZ_OCP_GET(bf16, __amd_bf16_storage_t, fp8)                                                                     \
    HIPLZ_OCP_GET(float, float, fp8)                                                                                   \
    __HOST_DEVICE__ operator float() const { return __amd_cvt_fp8_to_float(__x, __default_interpret); }                \
  };

#define HIPLZ_OCP_TWO(Class, interpretation)                                                                           \
  struct Class {                                                                                                       \
    __amd_fp8x2_storage_t __x;                                                                                         \
    static constexpr __amd_fp8_interpretation_t __default_interpret = interpretation;                                  \
                                                                                                                       \
    Class() = default;                                                                                                 \
    explicit __HOST_DEVICE__ Class(const float x, const float y) : Class(__amd_floatx2_storage_t{x, y}) {}             \
    explicit __HOST_DEVICE__ Class(const __amd_floatx2_storage_t v)                                                    \
        : __x(__amd_cvt_floatx2_to_fp8x2(v, __default_interpret)) {}                                                   \
    explicit __HOST_DEVICE__ Class(const float x, const float y, const __amd_scale_t scale)                            \
        : Class(__amd_floatx2_storage_t{x, y}, scale) {}                                                               \
    HIPLZ_OCP_FROM(Class, floatx2, __amd_floatx2_storage_t, fp8x2)                                                     \
    HIPLZ_OCP_FROM(Class, fp16x2, __amd_fp16x2_storage_t, fp8x2)                                                       \
    HIPLZ_OCP_FROM(Class, bf16x2, __amd_bf16x2_storage_t, fp8x2)                                                       \
                                                                                                                       \
    HIPLZ_OCP_GET(fp16x2, __amd_fp16x2_storage_t, fp8x2)                                                               \
    HIPLZ_OCP_GET(bf16x2, __amd_bf16x2_storage_t, fp8x2)                                                               \
    HIPLZ_OCP_GET(floatx2, __amd_floatx2_storage_t, fp8x2)                                                             \
    __HOST_DEVICE__ operator __amd_floatx2_storage_t() const {                                                         \
      return __amd_cvt_fp8x2_to_floatx2(__x, __default_interpret);                                                     \
    }                                                                                                                  \
  };

#define HIPLZ_OCP_THIRTY_TWO(Class, interpretation)                                                                    \
  struct Class {                                                                                                       \
    __amd_fp6x32_storage_t __x;                                                                                        \
    static constexpr __amd_fp6_interpretation_t __default_interpret = interpretation;                                  \
                                                                                                                       \
    explicit __HOST_DEVICE__ Class(const __amd_floatx16_storage_t x, const __amd_floatx16_storage_t y,                 \
                                   const __amd_scale_t scale)                                                          \
        : __x(__amd_cvt_floatx16_floatx16_to_fp6x32_scale(x, y, __default_interpret, scale)) {}                        \
    HIPLZ_OCP_FROM_SEEDED(Class, floatx32, __amd_floatx32_storage_t, fp6x32)                                           \
    HIPLZ_OCP_FROM_SEEDED(Class, fp16x32, __amd_fp16x32_storage_t, fp6x32)                                             \
    HIPLZ_OCP_FROM(Class, fp16x32, __amd_fp16x32_storage_t, fp6x32)                                                    \
    HIPLZ_OCP_FROM_SEEDED(Class, bf16x32, __amd_bf16x32_storage_t, fp6x32)                                             \
    HIPLZ_OCP_FROM(Class, bf16x32, __amd_bf16x32_storage_t, fp6x32)                                                    \
                                                                                                                       \
    HIPLZ_OCP_GET(floatx32, __amd_floatx32_storage_t, fp6x32)                                                          \
    HIPLZ_OCP_GET(fp16x32, __amd_fp16x32_storage_t, fp6x32)                                                            \
    HIPLZ_OCP_GET(bf16x32, __amd_bf16x32_storage_t, fp6x32)                                                            \
  };

HIPLZ_OCP_ONE(__hipext_ocp_fp8_e4m3, __AMD_OCP_E4M3)
HIPLZ_OCP_ONE(__hipext_ocp_fp8_e5m2, __AMD_OCP_E5M2)
HIPLZ_OCP_TWO(__hipext_ocp_fp8x2_e4m3, __AMD_OCP_E4M3)
HIPLZ_OCP_TWO(__hipext_ocp_fp8x2_e5m2, __AMD_OCP_E5M2)
HIPLZ_OCP_THIRTY_TWO(__hipext_ocp_fp6x32_e2m3, __AMD_OCP_E2M3)
HIPLZ_OCP_THIRTY_TWO(__hipext_ocp_fp6x32_e3m2, __AMD_OCP_E3M2)

struct __hipext_ocp_fp4x2_e2m1 {
  __amd_fp4x2_storage_t __x;
  static constexpr __amd_fp4_interpretation_t __default_interpret = __AMD_OCP_E2M1;

  explicit __HOST_DEVICE__ __hipext_ocp_fp4x2_e2m1(const float x, const float y, const __amd_scale_t scale)
      : __hipext_ocp_fp4x2_e2m1(__amd_floatx2_storage_t{x, y}, scale) {}
  HIPLZ_OCP_FROM(__hipext_ocp_fp4x2_e2m1, floatx2, __amd_floatx2_storage_t, fp4x2)
  HIPLZ_OCP_FROM(__hipext_ocp_fp4x2_e2m1, bf16x2, __amd_bf16x2_storage_t, fp4x2)
  HIPLZ_OCP_FROM(__hipext_ocp_fp4x2_e2m1, fp16x2, __amd_fp16x2_storage_t, fp4x2)
  HIPLZ_OCP_FROM_SEEDED(__hipext_ocp_fp4x2_e2m1, floatx2, __amd_floatx2_storage_t, fp4x2)
  HIPLZ_OCP_FROM_SEEDED(__hipext_ocp_fp4x2_e2m1, bf16x2, __amd_bf16x2_storage_t, fp4x2)
  HIPLZ_OCP_FROM_SEEDED(__hipext_ocp_fp4x2_e2m1, fp16x2, __amd_fp16x2_storage_t, fp4x2)

  HIPLZ_OCP_GET(bf16x2, __amd_bf16x2_storage_t, fp4x2)
  HIPLZ_OCP_GET(floatx2, __amd_floatx2_storage_t, fp4x2)
  HIPLZ_OCP_GET(fp16x2, __amd_fp16x2_storage_t, fp4x2)
};

#undef HIPLZ_OCP_FROM
#undef HIPLZ_OCP_FROM_SEEDED
#undef HIPLZ_OCP_GET
#undef HIPLZ_OCP_ONE
#undef HIPLZ_OCP_TWO
#undef HIPLZ_OCP_THIRTY_TWO
