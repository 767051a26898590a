// SPDX-License-Identifier: MIT
// The conversions of hip/hip_ext_ocp.h under AMD's names. Of two or more elements the first is in the lowest bits.
#pragma once

inline __HOST_DEVICE__ __amd_fp8x2_storage_t __amd_create_fp8x2(const __amd_fp8_storage_t x,
                                                                const __amd_fp8_storage_t y) {
  return static_cast<__amd_fp8x2_storage_t>(x | y << 8);
}
inline __HOST_DEVICE__ __amd_fp4x2_storage_t __amd_create_fp4x2(const uint8_t x, const uint8_t y) {
  return static_cast<__amd_fp4x2_storage_t>(x | y << 4);
}
inline __HOST_DEVICE__ __amd_fp4x8_storage_t __amd_create_fp4x8(const __amd_fp4x2_storage_t x,
                                                                const __amd_fp4x2_storage_t y,
                                                                const __amd_fp4x2_storage_t z,
                                                                const __amd_fp4x2_storage_t w) {
  return x | static_cast<unsigned>(y) << 8 | static_cast<unsigned>(z) << 16 | static_cast<unsigned>(w) << 24;
}
inline __HOST_DEVICE__ __amd_fp8x8_storage_t __amd_create_fp8x8(const __amd_fp8x2_storage_t x,
                                                                const __amd_fp8x2_storage_t y,
                                                                const __amd_fp8x2_storage_t z,
                                                                const __amd_fp8x2_storage_t w) {
  const __amd_fp8x2_storage_t pairs[] = {x, y, z, w};
  __amd_fp8x8_storage_t result{};
#pragma unroll
  for (int i = 0; i < 8; ++i)
    result[i] = static_cast<uint8_t>(pairs[i / 2] >> (i % 2 * 8));
  return result;
}
inline __HOST_DEVICE__ __amd_fp8_storage_t __amd_extract_fp8(const __amd_fp8x2_storage_t x, const size_t index) {
  return static_cast<__amd_fp8_storage_t>(index == 0 ? x : x >> 8);
}
inline __HOST_DEVICE__ __amd_fp8x2_storage_t __amd_extract_fp8x2(const __amd_fp8x8_storage_t x, const size_t index) {
  return __amd_create_fp8x2(x[2 * index], x[2 * index + 1]);
}
inline __HOST_DEVICE__ uint8_t __amd_extract_fp4(const __amd_fp4x2_storage_t x, const size_t index) {
  return static_cast<uint8_t>(index == 0 ? x & 15 : x >> 4);
}
inline __HOST_DEVICE__ __amd_fp4x2_storage_t __amd_extract_fp4x2(const __amd_fp4x8_storage_t x, const size_t index) {
  return static_cast<__amd_fp4x2_storage_t>(x >> (8 * index));
}

/// The float whose exponent has the bits of the scale, as AMD's instructions take it: -127 is zero and NaN is infinity.
inline __HOST_DEVICE__ float __amd_scale_to_float(const __amd_scale_t scale) {
  return __hiplz::floatOf(static_cast<unsigned>(scale == -128 ? 255 : scale + 127) << 23);
}

// Scaled conversions from `Wide` (the type Input) to `Small` and back. The result is of the number divided by the scale, or multiplied.
#define HIPLZ_OCP_NEAREST(Wide, Input, Small, Format, N)                                                               \
  inline __HOST_DEVICE__ __amd_##Small##_storage_t __amd_cvt_##Wide##_to_##Small##_scale(                              \
      const Input x, const __amd_##Format##_interpretation_t interpretation, const __amd_scale_t scale) {              \
    return __hiplz::ocpSmall<__amd_##Small##_storage_t, N>(x, interpretation, scale, __hiplz::kOcpNearest);            \
  }
#define HIPLZ_OCP_STOCHASTIC(Wide, Input, Small, Format, N)                                                            \
  inline __HOST_DEVICE__ __amd_##Small##_storage_t __amd_cvt_##Wide##_to_##Small##_sr_scale(                           \
      const Input x, const __amd_##Format##_interpretation_t interpretation, const unsigned int seed,                  \
      const __amd_scale_t scale) {                                                                                     \
    return __hiplz::ocpSmall<__amd_##Small##_storage_t, N>(x, interpretation, scale, __hiplz::ocpStochastic(seed));    \
  }
#define HIPLZ_OCP_WIDE(Wide, Result, Small, Format, N)                                                                 \
  inline __HOST_DEVICE__ Result __amd_cvt_##Small##_to_##Wide##_scale(                                                 \
      const __amd_##Small##_storage_t x, const __amd_##Format##_interpretation_t interpretation,                       \
      const __amd_scale_t scale) {                                                                                     \
    return __hiplz::ocpWide<Result, N>(x, interpretation, scale);                                                      \
  }
#define HIPLZ_OCP_FOR_ALL(Make, Small, Format, N)                                                                      \
  Make(floatx##N, __amd_floatx##N##_storage_t, Small, Format, N)                                                       \
      Make(fp16x##N, __amd_fp16x##N##_storage_t, Small, Format, N)                                                     \
          Make(bf16x##N, __amd_bf16x##N##_storage_t, Small, Format, N)

HIPLZ_OCP_STOCHASTIC(float, float, fp8, fp8, 1)
HIPLZ_OCP_STOCHASTIC(fp16, __amd_fp16_storage_t, fp8, fp8, 1)
HIPLZ_OCP_STOCHASTIC(bf16, __amd_bf16_storage_t, fp8, fp8, 1)
HIPLZ_OCP_WIDE(float, float, fp8, fp8, 1)
HIPLZ_OCP_WIDE(fp16, __amd_fp16_storage_t, fp8, fp8, 1)
HIPLZ_OCP_WIDE(bf16, __amd_bf16_storage_t, fp8, fp8, 1)
HIPLZ_OCP_FOR_ALL(HIPLZ_OCP_NEAREST, fp8x2, fp8, 2)
HIPLZ_OCP_FOR_ALL(HIPLZ_OCP_WIDE, fp8x2, fp8, 2)
HIPLZ_OCP_FOR_ALL(HIPLZ_OCP_NEAREST, fp8x8, fp8, 8)
HIPLZ_OCP_FOR_ALL(HIPLZ_OCP_STOCHASTIC, fp8x8, fp8, 8)
HIPLZ_OCP_FOR_ALL(HIPLZ_OCP_WIDE, fp8x8, fp8, 8)
HIPLZ_OCP_FOR_ALL(HIPLZ_OCP_NEAREST, fp6x32, fp6, 32)
HIPLZ_OCP_FOR_ALL(HIPLZ_OCP_STOCHASTIC, fp6x32, fp6, 32)
HIPLZ_OCP_FOR_ALL(HIPLZ_OCP_WIDE, fp6x32, fp6, 32)
HIPLZ_OCP_FOR_ALL(HIPLZ_OCP_NEAREST, fp4x2, fp4, 2)
HIPLZ_OCP_FOR_ALL(HIPLZ_OCP_STOCHASTIC, fp4x2, fp4, 2)
HIPLZ_OCP_FOR_ALL(HIPLZ_OCP_WIDE, fp4x2, fp4, 2)
HIPLZ_OCP_FOR_ALL(HIPLZ_OCP_NEAREST, fp4x8, fp4, 8)
HIPLZ_OCP_FOR_ALL(HIPLZ_OCP_STOCHASTIC, fp4x8, fp4, 8)
HIPLZ_OCP_FOR_ALL(HIPLZ_OCP_WIDE, fp4x8, fp4, 8)
#undef HIPLZ_OCP_FOR_ALL
#undef HIPLZ_OCP_WIDE
#undef HIPLZ_OCP_STOCHASTIC
#undef HIPLZ_OCP_NEAREST

/// Of 32 floats in two vectors.
inline __HOST_DEVICE__ __amd_fp6x32_storage_t __amd_cvt_floatx16_floatx16_to_fp6x32_scale(
    const __amd_floatx16_storage_t x, const __amd_floatx16_storage_t y, const __amd_fp6_interpretation_t interpretation,
    const __amd_scale_t scale) {
  __amd_floatx32_storage_t all{};
  for (int i = 0; i < 32; ++i)
    all[i] = i < 16 ? x[i % 16] : y[i % 16];
  return __amd_cvt_floatx32_to_fp6x32_scale(all, interpretation, scale);
}

// Without a scale.
inline __HOST_DEVICE__ __amd_fp8_storage_t __amd_cvt_float_to_fp8_sr(const float x,
                                                                     const __amd_fp8_interpretation_t interpretation,
                                                                     const unsigned int seed) {
  return __amd_cvt_float_to_fp8_sr_scale(x, interpretation, seed, 0);
}
/// The first digits of the seed are copies of its sign, as in AMD's library.
inline __HOST_DEVICE__ __amd_fp8_storage_t __amd_cvt_fp16_to_fp8_sr(const __amd_fp16_storage_t x,
                                                                    const __amd_fp8_interpretation_t interpretation,
                                                                    const short seed) {
  return __amd_cvt_fp16_to_fp8_sr_scale(x, interpretation, static_cast<unsigned>(seed), 0);
}
inline __HOST_DEVICE__ float __amd_cvt_fp8_to_float(const __amd_fp8_storage_t x,
                                                    const __amd_fp8_interpretation_t interpretation) {
  return __amd_cvt_fp8_to_float_scale(x, interpretation, 0);
}
inline __HOST_DEVICE__ __amd_fp16_storage_t __amd_cvt_fp8_to_fp16(const __amd_fp8_storage_t x,
                                                                  const __amd_fp8_interpretation_t interpretation) {
  return __amd_cvt_fp8_to_fp16_scale(x, interpretation, 0);
}
inline __HOST_DEVICE__ __amd_fp8x2_storage_t
__amd_cvt_floatx2_to_fp8x2(const __amd_floatx2_storage_t x, const __amd_fp8_interpretation_t interpretation) {
  return __amd_cvt_floatx2_to_fp8x2_scale(x, interpretation, 0);
}
inline __HOST_DEVICE__ __amd_fp8x2_storage_t
__amd_cvt_fp16x2_to_fp8x2(const __amd_fp16x2_storage_t x, const __amd_fp8_interpretation_t interpretation) {
  return __amd_cvt_fp16x2_to_fp8x2_scale(x, interpretation, 0);
}
inline __HOST_DEVICE__ __amd_floatx2_storage_t
__amd_cvt_fp8x2_to_floatx2(const __amd_fp8x2_storage_t x, const __amd_fp8_interpretation_t interpretation) {
  return __amd_cvt_fp8x2_to_floatx2_scale(x, interpretation, 0);
}
inline __HOST_DEVICE__ __amd_fp16x2_storage_t
__amd_cvt_fp8x2_to_fp16x2(const __amd_fp8x2_storage_t x, const __amd_fp8_interpretation_t interpretation) {
  return __amd_cvt_fp8x2_to_fp16x2_scale(x, interpretation, 0);
}

// Between the larger formats, stochastically: too large is infinite.
inline __HOST_DEVICE__ __amd_fp16_storage_t __amd_cvt_float_to_fp16_sr(const float x, const unsigned int seed) {
  return __hiplz::ocpStochasticFrom<__amd_fp16_storage_t>(x, seed);
}
inline __HOST_DEVICE__ __amd_bf16_storage_t __amd_cvt_float_to_bf16_sr(const float x, const unsigned int seed) {
  return __hiplz::ocpStochasticFrom<__amd_bf16_storage_t>(x, seed);
}
inline __HOST_DEVICE__ __amd_fp16x2_storage_t __amd_cvt_float_float_to_fp16x2_sr(const float x, const float y,
                                                                                 const unsigned int seed) {
  return __amd_fp16x2_storage_t{__amd_cvt_float_to_fp16_sr(x, seed), __amd_cvt_float_to_fp16_sr(y, seed)};
}

// To HIP's other types.
inline __HOST_DEVICE__ float2 __amd_cvt_floatx2_to_float2(const __amd_floatx2_storage_t x) {
  return make_float2(x[0], x[1]);
}
inline __HOST_DEVICE__ __half __amd_cvt_fp16_to_half(const __amd_fp16_storage_t x) {
  __half_raw raw;
  raw.data = x;
  return raw;
}
inline __HOST_DEVICE__ __half2 __amd_cvt_fp16x2_to_half2(const __amd_fp16x2_storage_t x) {
  return __half2(__amd_cvt_fp16_to_half(x[0]), __amd_cvt_fp16_to_half(x[1]));
}
inline __HOST_DEVICE__ __amd_fp16_storage_t __amd_cvt_half_to_fp16(const __half x) {
  return static_cast<__half_raw>(x).data;
}
inline __HOST_DEVICE__ __amd_fp16x2_storage_t __amd_cvt_half2_to_fp16x2(const __half2 v) {
  const __half2_raw raw = v;
  return __amd_fp16x2_storage_t{raw.x.data, raw.y.data};
}
inline __HOST_DEVICE__ __hip_bfloat16 __amd_cvt_bf16_to_hipbf16(const __amd_bf16_storage_t x) { return x; }
inline __HOST_DEVICE__ __hip_bfloat162 __amd_cvt_bf16x2_to_hipbf162(const __amd_bf16x2_storage_t v) {
  return __hip_bfloat162(v[0], v[1]);
}
inline __HOST_DEVICE__ __amd_bf16_storage_t __amd_cvt_hipbf16_to_bf16(const __hip_bfloat16 x) { return x; }
inline __HOST_DEVICE__ __amd_bf16x2_storage_t __amd_cvt_hipbf162_to_bf16x2(const __hip_bfloat162 v) {
  return __amd_bf16x2_storage_t{{v.x, v.y}};
}
