// SPDX-License-Identifier: MIT
// Conversions between the formats of 8 bits and the larger ones, in integer arithmetic that host and device share.
// hip/hip_fp8.h includes this.
#pragma once

#include <limits>

namespace __hiplz {
/// The number of bits behind the point, the bias of the exponent, and the largest finite value as bits.
struct Fp8Format {
  int fraction;
  int bias;
  unsigned largest;
  bool unsignedZero;
};
inline __HOST_DEVICE__ Fp8Format formatOf(__hip_fp8_interpretation_t interpretation) {
  switch (interpretation) {
  case __HIP_E4M3: return {3, 7, 0x7e, false};
  case __HIP_E5M2: return {2, 15, 0x7b, false};
  case __HIP_E4M3_FNUZ: return {3, 8, 0x7f, true};
  default: return {2, 16, 0x7f, true};
  }
}

/// Rounds to nearest, ties to even. `size` is a finite float without its sign, as bits; the code may be beyond the format's largest.
inline __HOST_DEVICE__ unsigned roundedCode(unsigned size, int fraction, int bias) {
  // The value is significand * 2^(exponent - 23); the result counts units of 2^unit.
  const int exponent = size >> 23 ? static_cast<int>(size >> 23) - 127 : -126;
  const unsigned significand = size >> 23 ? (size & 0x7fffff) | 0x800000 : size;
  const int unit = (exponent < 1 - bias ? 1 - bias : exponent) - fraction;
  const int shift = unit - exponent + 23;
  unsigned count = 0;
  if (shift < 26) {
    const unsigned rest = significand & ((1u << shift) - 1), middle = 1u << (shift - 1);
    count = significand >> shift;
    count += rest > middle || (rest == middle && (count & 1));
  }
  // A count of 2^(fraction + 1) carries into the exponent; without a leading one the exponent becomes that of subnormals.
  return (static_cast<unsigned>(unit + fraction + bias) << fraction) + count - (1u << fraction);
}

/// The value of a code without its sign, if it is finite.
inline __HOST_DEVICE__ float valueOfCode(unsigned code, int fraction, int bias) {
  const int exponent = static_cast<int>(code >> fraction);
  const unsigned behind = code & ((1u << fraction) - 1);
  const unsigned count = exponent ? behind | 1u << fraction : behind;
  const int unit = (exponent ? exponent : 1) - bias - fraction;
  return static_cast<float>(count) * floatOf(static_cast<unsigned>(127 + unit) << 23);
}

/// x rounded to nearest, ties to even. Finite values that are too large saturate if that is wanted; infinities never do:
/// they stay infinite in E5M2 and are NaN in the formats without infinities.
inline __HOST_DEVICE__ __hip_fp8_storage_t toFp8(float x, __hip_saturation_t saturation,
                                                 __hip_fp8_interpretation_t interpretation) {
  const Fp8Format format = formatOf(interpretation);
  const unsigned bits = bitsOf(x), size = bits & 0x7fffffff, sign = bits >> 24 & 0x80;
  const unsigned nan = format.unsignedZero ? 0x80 : sign | 0x7f;
  const unsigned infinity = interpretation == __HIP_E5M2 ? sign | 0x7c : nan;
  if (size >= 0x7f800000)
    return static_cast<__hip_fp8_storage_t>(size == 0x7f800000 ? infinity : nan);
  unsigned code = roundedCode(size, format.fraction, format.bias);
  if (code > format.largest) {
    if (saturation != __HIP_SATFINITE)
      return static_cast<__hip_fp8_storage_t>(infinity);
    code = format.largest;
  }
  return static_cast<__hip_fp8_storage_t>(code == 0 && format.unsignedZero ? 0 : sign | code);
}

/// The value, which is exact in single precision, in half and in bfloat16.
inline __HOST_DEVICE__ float fromFp8(__hip_fp8_storage_t x, __hip_fp8_interpretation_t interpretation) {
  const Fp8Format format = formatOf(interpretation);
  const unsigned size = x & 0x7f, sign = static_cast<unsigned>(x & 0x80) << 24;
  if (format.unsignedZero && x == 0x80)
    return floatOf(0x7fc00000);
  if (size > format.largest)
    return floatOf(sign | (interpretation == __HIP_E5M2 && size == 0x7c ? 0x7f800000 : 0x7fc00000));
  const float value = valueOfCode(size, format.fraction, format.bias);
  return floatOf(bitsOf(value) | sign);
}

/// Cut off towards zero, within the range of the integer; zero for NaN. Its largest value is a power of two less one, which
/// a float may not have: all values from the power on saturate.
template <class T> inline __HOST_DEVICE__ T saturatedCast(float x) {
  const float above = 2.0f * static_cast<float>(std::numeric_limits<T>::max() / 2 + 1);
  if (!(x < above))
    return x != x ? T(0) : std::numeric_limits<T>::max();
  if (x < static_cast<float>(std::numeric_limits<T>::min()))
    return std::numeric_limits<T>::min();
  return static_cast<T>(x);
}

inline __HOST_DEVICE__ __hip_fp8x2_storage_t pairOfFp8(__hip_fp8_storage_t x, __hip_fp8_storage_t y) {
  return static_cast<__hip_fp8x2_storage_t>(x | y << 8);
}
} // namespace __hiplz

/// Conversions of the bits; see __hip_saturation_t for what is out of range.
inline __HOST_DEVICE__ __hip_fp8_storage_t __hip_cvt_float_to_fp8(float x, __hip_saturation_t saturation,
                                                                  __hip_fp8_interpretation_t interpretation) {
  return __hiplz::toFp8(x, saturation, interpretation);
}
inline __HOST_DEVICE__ __hip_fp8_storage_t __hip_cvt_double_to_fp8(double x, __hip_saturation_t saturation,
                                                                   __hip_fp8_interpretation_t interpretation) {
  return __hiplz::toFp8(__hiplz::floatToOdd(x), saturation, interpretation);
}
inline __HOST_DEVICE__ __hip_fp8_storage_t __hip_cvt_halfraw_to_fp8(__half_raw x, __hip_saturation_t saturation,
                                                                    __hip_fp8_interpretation_t interpretation) {
  return __hiplz::toFp8(__half2float(__half(x)), saturation, interpretation);
}
inline __HOST_DEVICE__ __hip_fp8_storage_t __hip_cvt_bfloat16raw_to_fp8(__hip_bfloat16_raw x,
                                                                        __hip_saturation_t saturation,
                                                                        __hip_fp8_interpretation_t interpretation) {
  return __hiplz::toFp8(__hiplz::bfloat16Value(x.x), saturation, interpretation);
}
inline __HOST_DEVICE__ __hip_fp8x2_storage_t __hip_cvt_float2_to_fp8x2(float2 v, __hip_saturation_t saturation,
                                                                       __hip_fp8_interpretation_t interpretation) {
  return __hiplz::pairOfFp8(__hip_cvt_float_to_fp8(v.x, saturation, interpretation),
                            __hip_cvt_float_to_fp8(v.y, saturation, interpretation));
}
inline __HOST_DEVICE__ __hip_fp8x2_storage_t __hip_cvt_double2_to_fp8x2(double2 v, __hip_saturation_t saturation,
                                                                        __hip_fp8_interpretation_t interpretation) {
  return __hiplz::pairOfFp8(__hip_cvt_double_to_fp8(v.x, saturation, interpretation),
                            __hip_cvt_double_to_fp8(v.y, saturation, interpretation));
}
inline __HOST_DEVICE__ __hip_fp8x2_storage_t __hip_cvt_halfraw2_to_fp8x2(__half2_raw v, __hip_saturation_t saturation,
                                                                         __hip_fp8_interpretation_t interpretation) {
  return __hiplz::pairOfFp8(__hip_cvt_halfraw_to_fp8(v.x, saturation, interpretation),
                            __hip_cvt_halfraw_to_fp8(v.y, saturation, interpretation));
}
inline __HOST_DEVICE__ __hip_fp8x2_storage_t __hip_cvt_bfloat16raw2_to_fp8x2(
    __hip_bfloat162_raw v, __hip_saturation_t saturation, __hip_fp8_interpretation_t interpretation) {
  return __hiplz::pairOfFp8(__hip_cvt_bfloat16raw_to_fp8(__hip_bfloat16_raw{v.x}, saturation, interpretation),
                            __hip_cvt_bfloat16raw_to_fp8(__hip_bfloat16_raw{v.y}, saturation, interpretation));
}
inline __HOST_DEVICE__ __half_raw __hip_cvt_fp8_to_halfraw(__hip_fp8_storage_t x,
                                                           __hip_fp8_interpretation_t interpretation) {
  return static_cast<__half_raw>(__float2half(__hiplz::fromFp8(x, interpretation)));
}
inline __HOST_DEVICE__ __half2_raw __hip_cvt_fp8x2_to_halfraw2(__hip_fp8x2_storage_t x,
                                                               __hip_fp8_interpretation_t interpretation) {
  __half2_raw v;
  v.x = __hip_cvt_fp8_to_halfraw(static_cast<__hip_fp8_storage_t>(x), interpretation);
  v.y = __hip_cvt_fp8_to_halfraw(static_cast<__hip_fp8_storage_t>(x >> 8), interpretation);
  return v;
}
