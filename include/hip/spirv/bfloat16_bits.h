// SPDX-License-Identifier: MIT
// The bits of bfloat16, which HIP's two types for it share: hip/hip_bf16.h and hip/hip_bfloat16.h.
#pragma once

#include "hip/hip_vector_types.h"

namespace __hiplz {
inline __HOST_DEVICE__ unsigned bitsOf(float x) {
  unsigned bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline __HOST_DEVICE__ float floatOf(unsigned bits) {
  float x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
/// x rounded to nearest, ties to even. A NaN stays one, and becomes quiet.
inline __HOST_DEVICE__ unsigned short bfloat16Bits(float x) {
  unsigned bits = bitsOf(x);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return static_cast<unsigned short>(bits >> 16 | 0x40);
  return static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
/// The double as a float whose last bit keeps what was lost, so that rounding it once more to fewer digits is right.
inline __HOST_DEVICE__ float floatToOdd(double x) {
  float near = static_cast<float>(x);
  double back = near;
  if (back == x || x != x)
    return near;
  unsigned bits = bitsOf(near);
  return floatOf((__builtin_fabs(back) > __builtin_fabs(x) ? bits - 1 : bits) | 1);
}
inline __HOST_DEVICE__ unsigned short bfloat16Bits(double x) { return bfloat16Bits(floatToOdd(x)); }
inline __HOST_DEVICE__ float bfloat16Value(unsigned short bits) { return floatOf(static_cast<unsigned>(bits) << 16); }
} // namespace __hiplz
