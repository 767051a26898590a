// SPDX-License-Identifier: MIT
// AMD's built-in functions of bits and bytes: fields, permutations, sums of differences, dot products, and conversions that
// pack two values into a word.
#pragma once

#include "hip/spirv/builtins.h"
#include "hip/spirv/math_functions.h"

/// hi:lo shifted right, the low word of it.
__HIPLZ_DEVICE unsigned __builtin_amdgcn_alignbit(unsigned hi, unsigned lo, unsigned bits) {
  return (unsigned)(((unsigned long)hi << 32 | lo) >> (bits & 31));
}
__HIPLZ_DEVICE unsigned __builtin_amdgcn_alignbyte(unsigned hi, unsigned lo, unsigned bytes) {
  return (unsigned)(((unsigned long)hi << 32 | lo) >> 8 * (bytes & 3));
}
/// `width` bits from `offset` on, of both the low five bits; of no bits, 0.
__HIPLZ_DEVICE unsigned __builtin_amdgcn_ubfe(unsigned x, unsigned offset, unsigned width) {
  return x >> (offset & 31) & ((1u << (width & 31)) - 1);
}
__HIPLZ_DEVICE unsigned __builtin_amdgcn_sbfe(unsigned x, unsigned offset, unsigned width) {
  const unsigned field = __builtin_amdgcn_ubfe(x, offset, width), count = width & 31, from = offset & 31;
  if (count == 0)
    return 0;
  // A field that reaches beyond the word has the word's sign.
  const unsigned bits = count + from > 32 ? 32 - from : count;
  return (unsigned)((int)(field << (32 - bits)) >> (32 - bits));
}
/// Byte by byte: (x + y + the lowest bit of `up`) / 2.
__HIPLZ_DEVICE unsigned __builtin_amdgcn_lerp(unsigned x, unsigned y, unsigned up) {
  unsigned result = 0;
#pragma unroll
  for (int at = 0; at < 32; at += 8)
    result |= ((x >> at & 0xff) + (y >> at & 0xff) + (up >> at & 1)) / 2 << at;
  return result;
}
/// Four bytes of x:y, chosen by the bytes of `choice`: 0 to 7 a byte of it, 8 to 11 the sign of byte 1, 3, 5, 7, 12 zero,
/// above 12 ones.
__HIPLZ_DEVICE unsigned __builtin_amdgcn_perm(unsigned x, unsigned y, unsigned choice) {
  const unsigned long bytes = (unsigned long)x << 32 | y;
  unsigned result = 0;
#pragma unroll
  for (int at = 0; at < 32; at += 8) {
    const unsigned chosen = choice >> at & 0xff;
    const unsigned byte = (unsigned)(bytes >> 8 * (chosen & 7)) & 0xff;
    const unsigned sign = bytes >> (16 * (chosen & 3) + 15) & 1 ? 0xff : 0;
    result |= (chosen < 8 ? byte : chosen < 12 ? sign : chosen == 12 ? 0 : 0xff) << at;
  }
  return result;
}

namespace __hiplz {

/// The sum of the differences of four bytes; if `masked` without those where the reference is zero.
__HIPLZ_DEVICE unsigned amdDifferences(unsigned x, unsigned reference, bool masked) {
  unsigned sum = 0;
#pragma unroll
  for (int at = 0; at < 32; at += 8) {
    const unsigned a = x >> at & 0xff, b = reference >> at & 0xff;
    sum += masked && b == 0 ? 0 : a < b ? b - a : a - b;
  }
  return sum;
}
__HIPLZ_DEVICE unsigned long amdFourDifferences(unsigned long x, unsigned reference, unsigned long added, bool masked) {
  unsigned long result = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const unsigned sum =
        amdDifferences((unsigned)(x >> 8 * i), reference, masked) + (unsigned)(added >> 16 * i & 0xffff);
    result |= (unsigned long)(sum & 0xffff) << 16 * i;
  }
  return result;
}

/// The field of `bits` bits at a place, with its sign or without.
__HIPLZ_DEVICE long amdField(unsigned word, int at, int bits, bool hasSign) {
  const unsigned field = word >> at & ((1u << bits) - 1);
  return hasSign && field >> (bits - 1) ? (long)field - (1l << bits) : (long)field;
}
__HIPLZ_DEVICE long amdDot(unsigned x, bool xSign, unsigned y, bool ySign, int bits) {
  long sum = 0;
#pragma unroll
  for (int at = 0; at < 32; at += bits)
    sum += amdField(x, at, bits, xSign) * amdField(y, at, bits, ySign);
  return sum;
}
__HIPLZ_DEVICE int amdSigned(long sum, bool clamp) {
  return (int)(!clamp ? sum : sum > 0x7fffffffl ? 0x7fffffffl : sum < -0x80000000l ? -0x80000000l : sum);
}
__HIPLZ_DEVICE unsigned amdUnsigned(unsigned long sum, bool clamp) {
  return clamp && sum > 0xffffffffu ? 0xffffffffu : (unsigned)sum;
}

typedef short AmdPackedShort __attribute__((ext_vector_type(2)));
typedef unsigned short AmdPackedUShort __attribute__((ext_vector_type(2)));
typedef _Float16 AmdPackedHalf __attribute__((ext_vector_type(2)));
typedef unsigned AmdUnsigned4 __attribute__((ext_vector_type(4)));

/// A float as half, rounded towards zero.
__HIPLZ_DEVICE _Float16 amdHalfTowardsZero(float x) {
  const _Float16 nearest = (_Float16)x;
  const unsigned short bits = __builtin_bit_cast(unsigned short, nearest);
  const bool away = x == x && __builtin_fabsf((float)nearest) > __builtin_fabsf(x);
  return away ? __builtin_bit_cast(_Float16, (unsigned short)(bits - 1)) : nearest;
}
__HIPLZ_DEVICE float amdNormalised(float x, float low, float scale) {
  return __builtin_rintf((x > low ? x < 1 ? x : 1.0f : low) * scale); // NaN becomes `low`
}

} // namespace __hiplz

__HIPLZ_DEVICE unsigned __builtin_amdgcn_sad_u8(unsigned x, unsigned y, unsigned added) {
  return __hiplz::amdDifferences(x, y, false) + added;
}
__HIPLZ_DEVICE unsigned __builtin_amdgcn_msad_u8(unsigned x, unsigned reference, unsigned added) {
  return __hiplz::amdDifferences(x, reference, true) + added;
}
__HIPLZ_DEVICE unsigned __builtin_amdgcn_sad_hi_u8(unsigned x, unsigned y, unsigned added) {
  return (__hiplz::amdDifferences(x, y, false) << 16) + added;
}
__HIPLZ_DEVICE unsigned __builtin_amdgcn_sad_u16(unsigned x, unsigned y, unsigned added) {
  const unsigned a = x & 0xffff, b = y & 0xffff, c = x >> 16, d = y >> 16;
  return (a < b ? b - a : a - b) + (c < d ? d - c : c - d) + added;
}
/// Four sums, of the bytes from 0, 1, 2 and 3 on.
__HIPLZ_DEVICE unsigned long __builtin_amdgcn_qsad_pk_u16_u8(unsigned long x, unsigned reference, unsigned long added) {
  return __hiplz::amdFourDifferences(x, reference, added, false);
}
__HIPLZ_DEVICE unsigned long __builtin_amdgcn_mqsad_pk_u16_u8(unsigned long x, unsigned reference,
                                                              unsigned long added) {
  return __hiplz::amdFourDifferences(x, reference, added, true);
}
__HIPLZ_DEVICE __hiplz::AmdUnsigned4 __builtin_amdgcn_mqsad_u32_u8(unsigned long x, unsigned reference,
                                                                   __hiplz::AmdUnsigned4 added) {
  return __hiplz::AmdUnsigned4{__hiplz::amdDifferences((unsigned)x, reference, true),
                               __hiplz::amdDifferences((unsigned)(x >> 8), reference, true),
                               __hiplz::amdDifferences((unsigned)(x >> 16), reference, true),
                               __hiplz::amdDifferences((unsigned)(x >> 24), reference, true)} +
         added;
}

// Dot products with a sum; `clamp` holds the result at the limits of its type.
__HIPLZ_DEVICE int __builtin_amdgcn_sdot4(int x, int y, int added, bool clamp) {
  return __hiplz::amdSigned(__hiplz::amdDot((unsigned)x, true, (unsigned)y, true, 8) + added, clamp);
}
__HIPLZ_DEVICE unsigned __builtin_amdgcn_udot4(unsigned x, unsigned y, unsigned added, bool clamp) {
  return __hiplz::amdUnsigned((unsigned long)__hiplz::amdDot(x, false, y, false, 8) + added, clamp);
}
__HIPLZ_DEVICE int __builtin_amdgcn_sudot4(bool xSign, int x, bool ySign, int y, int added, bool clamp) {
  return __hiplz::amdSigned(__hiplz::amdDot((unsigned)x, xSign, (unsigned)y, ySign, 8) + added, clamp);
}
__HIPLZ_DEVICE int __builtin_amdgcn_sdot8(int x, int y, int added, bool clamp) {
  return __hiplz::amdSigned(__hiplz::amdDot((unsigned)x, true, (unsigned)y, true, 4) + added, clamp);
}
__HIPLZ_DEVICE unsigned __builtin_amdgcn_udot8(unsigned x, unsigned y, unsigned added, bool clamp) {
  return __hiplz::amdUnsigned((unsigned long)__hiplz::amdDot(x, false, y, false, 4) + added, clamp);
}
__HIPLZ_DEVICE int __builtin_amdgcn_sudot8(bool xSign, int x, bool ySign, int y, int added, bool clamp) {
  return __hiplz::amdSigned(__hiplz::amdDot((unsigned)x, xSign, (unsigned)y, ySign, 4) + added, clamp);
}
__HIPLZ_DEVICE int __builtin_amdgcn_sdot2(__hiplz::AmdPackedShort x, __hiplz::AmdPackedShort y, int added, bool clamp) {
  return __hiplz::amdSigned((long)x.x * y.x + (long)x.y * y.y + added, clamp);
}
__HIPLZ_DEVICE unsigned __builtin_amdgcn_udot2(__hiplz::AmdPackedUShort x, __hiplz::AmdPackedUShort y, unsigned added,
                                               bool clamp) {
  return __hiplz::amdUnsigned((unsigned long)x.x * y.x + (unsigned long)x.y * y.y + added, clamp);
}
__HIPLZ_DEVICE float __builtin_amdgcn_fdot2(__hiplz::AmdPackedHalf x, __hiplz::AmdPackedHalf y, float added,
                                            bool clamp) {
  const float sum = (float)x.x * (float)y.x + (float)x.y * (float)y.y + added;
  return !clamp ? sum : sum > 0 ? sum < 1 ? sum : 1.0f : 0.0f;
}

// Two values in one word; integers and normalised ones are held at the limits of 16 bits.
__HIPLZ_DEVICE __hiplz::AmdPackedHalf __builtin_amdgcn_cvt_pkrtz(float x, float y) {
  return __hiplz::AmdPackedHalf{__hiplz::amdHalfTowardsZero(x), __hiplz::amdHalfTowardsZero(y)};
}
__HIPLZ_DEVICE __hiplz::AmdPackedShort __builtin_amdgcn_cvt_pknorm_i16(float x, float y) {
  return __hiplz::AmdPackedShort{(short)__hiplz::amdNormalised(x == x ? x : 0, -1, 32767),
                                 (short)__hiplz::amdNormalised(y == y ? y : 0, -1, 32767)};
}
__HIPLZ_DEVICE __hiplz::AmdPackedUShort __builtin_amdgcn_cvt_pknorm_u16(float x, float y) {
  return __hiplz::AmdPackedUShort{(unsigned short)__hiplz::amdNormalised(x, 0, 65535),
                                  (unsigned short)__hiplz::amdNormalised(y, 0, 65535)};
}
__HIPLZ_DEVICE __hiplz::AmdPackedShort __builtin_amdgcn_cvt_pk_i16(int x, int y) {
  return __hiplz::AmdPackedShort{(short)(x < -32768  ? -32768
                                         : x > 32767 ? 32767
                                                     : x),
                                 (short)(y < -32768  ? -32768
                                         : y > 32767 ? 32767
                                                     : y)};
}
__HIPLZ_DEVICE __hiplz::AmdPackedUShort __builtin_amdgcn_cvt_pk_u16(unsigned x, unsigned y) {
  return __hiplz::AmdPackedUShort{(unsigned short)(x > 65535 ? 65535 : x), (unsigned short)(y > 65535 ? 65535 : y)};
}
