// SPDX-License-Identifier: MIT
// Integer intrinsics. Every one is defined for all values of its arguments: zero, and shifts by any amount.
#pragma once

#include "hip/hip_vector_types.h"
#include "hip/spirv/builtins.h"

/// Leading zeros; 32 and 64 for zero.
__HIPLZ_DEVICE int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
__HIPLZ_DEVICE int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }

/// One plus the position of the lowest bit that is set; zero for zero.
__HIPLZ_DEVICE int __ffs(int x) { return x == 0 ? 0 : 1 + __builtin_ctz((unsigned)x); }
__HIPLZ_DEVICE int __ffs(unsigned x) { return __ffs((int)x); }
__HIPLZ_DEVICE int __ffsll(long long x) { return x == 0 ? 0 : 1 + __builtin_ctzll((unsigned long long)x); }
__HIPLZ_DEVICE int __ffsll(unsigned long long x) { return __ffsll((long long)x); }
__HIPLZ_DEVICE int __ffsll(unsigned long x) { return __ffsll((long long)x); }
__HIPLZ_DEVICE int __ffsll(long x) { return __ffsll((long long)x); }

__HIPLZ_DEVICE unsigned __popc(unsigned x) { return (unsigned)__builtin_popcount(x); }
__HIPLZ_DEVICE unsigned __popcll(unsigned long long x) { return (unsigned)__builtin_popcountll(x); }

/// The bits in reverse order.
__HIPLZ_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
__HIPLZ_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }

/// Four bytes chosen out of the eight of y:x; each selector is the low three bits of a nibble, the fourth bit has no meaning.
__HIPLZ_DEVICE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const unsigned long long bytes = ((unsigned long long)y << 32) | x;
  unsigned result = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    result |= ((unsigned)(bytes >> (8 * (selector >> (4 * i) & 7))) & 0xff) << (8 * i);
  return result;
}

/// The upper (l) or lower (r) half of hi:lo shifted left or right, by shift modulo 32 or (c) at most 32 bits. If the
/// compiler sees that both halves are the same, it is a rotation.
__HIPLZ_DEVICE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift) {
  if (__builtin_constant_p(lo == hi) && lo == hi)
    return __builtin_rotateleft32(hi, shift);
  return hi << (shift & 31) | lo >> 1 >> (~shift & 31);
}
__HIPLZ_DEVICE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift) {
  if (__builtin_constant_p(lo == hi) && lo == hi)
    return __builtin_rotateright32(lo, shift);
  return hi << 1 << (~shift & 31) | lo >> (shift & 31);
}
__HIPLZ_DEVICE unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned shift) {
  return shift >= 32 ? lo : __funnelshift_l(lo, hi, shift);
}
__HIPLZ_DEVICE unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned shift) {
  return shift >= 32 ? hi : __funnelshift_r(lo, hi, shift);
}

/// The upper halves of products.
__HIPLZ_DEVICE int __mulhi(int x, int y) { return (int)(((long long)x * y) >> 32); }
__HIPLZ_DEVICE unsigned __umulhi(unsigned x, unsigned y) { return (unsigned)(((unsigned long long)x * y) >> 32); }
__HIPLZ_DEVICE long long __mul64hi(long long x, long long y) { return __spirv_ocl_s_mul_hi((long)x, (long)y); }
__HIPLZ_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return __spirv_ocl_u_mul_hi((unsigned long)x, (unsigned long)y);
}

/// The low 32 bits of the product of the low 24 bits, sign-extended or zero-extended.
__HIPLZ_DEVICE int __mul24(int x, int y) {
  return (int)((unsigned)((int)((unsigned)x << 8) >> 8) * (unsigned)((int)((unsigned)y << 8) >> 8));
}
__HIPLZ_DEVICE int __umul24(unsigned x, unsigned y) { return (int)((x & 0xffffff) * (y & 0xffffff)); }

/// |x - y| + z.
__HIPLZ_DEVICE unsigned __sad(int x, int y, unsigned z) {
  return (x > y ? (unsigned)x - (unsigned)y : (unsigned)y - (unsigned)x) + z;
}
__HIPLZ_DEVICE unsigned __usad(unsigned x, unsigned y, unsigned z) { return (x > y ? x - y : y - x) + z; }

/// (x + y) / 2 without overflow, rounded down (hadd) or up (rhadd).
__HIPLZ_DEVICE int __hadd(int x, int y) { return (x & y) + ((x ^ y) >> 1); }
__HIPLZ_DEVICE int __rhadd(int x, int y) { return (x | y) - ((x ^ y) >> 1); }
__HIPLZ_DEVICE unsigned __uhadd(unsigned x, unsigned y) { return (x & y) + ((x ^ y) >> 1); }
__HIPLZ_DEVICE unsigned __urhadd(unsigned x, unsigned y) { return (x | y) - ((x ^ y) >> 1); }

/// `width` bits of x from bit `offset` on; offset and width are taken modulo the number of bits.
__HIPLZ_DEVICE unsigned __bitextract_u32(unsigned x, unsigned offset, unsigned width) {
  return (x >> (offset & 31)) & ((1u << (width & 31)) - 1);
}
__HIPLZ_DEVICE unsigned long __bitextract_u64(unsigned long x, unsigned offset, unsigned width) {
  offset &= 63, width &= 63; // bits beyond the end count as AMD's shifts leave them
  return width == 0 ? 0 : x << ((64 - offset - width) & 63) >> (64 - width);
}

/// x with `width` bits from bit `offset` on replaced by the low bits of y.
__HIPLZ_DEVICE unsigned __bitinsert_u32(unsigned x, unsigned y, unsigned offset, unsigned width) {
  unsigned mask = (1u << (width & 31)) - 1;
  return (x & ~(mask << (offset & 31))) | ((y & mask) << (offset & 31));
}
__HIPLZ_DEVICE unsigned long __bitinsert_u64(unsigned long x, unsigned long y, unsigned offset, unsigned width) {
  unsigned long mask = (1ul << (width & 63)) - 1;
  return (x & ~(mask << (offset & 63))) | ((y & mask) << (offset & 63));
}

/// Position of the lowest bit that is set; ~0 for zero.
__HIPLZ_DEVICE unsigned __lastbit_u32_u64(unsigned long x) { return x == 0 ? ~0u : (unsigned)__builtin_ctzl(x); }

/// Position of the `offset`-th set bit counted upwards from `base` (offset > 0) or downwards (offset < 0), `base` itself
/// if it is set and offset is 0; ~0 if there is none.
template <class T> __HIPLZ_DEVICE int __hiplz_find_nth_set(T mask, unsigned base, int offset) {
  const int bits = 8 * sizeof(T);
  if (offset == 0)
    return base < (unsigned)bits && ((mask >> base) & 1) ? (int)base : -1;
  int step = offset > 0 ? 1 : -1;
  unsigned left = offset > 0 ? (unsigned)offset : 0u - (unsigned)offset;
  for (int i = (int)base; i >= 0 && i < bits; i += step)
    if (((mask >> i) & 1) && --left == 0)
      return i;
  return -1;
}
__HIPLZ_DEVICE int __fns32(unsigned mask, unsigned base, int offset) {
  return __hiplz_find_nth_set(mask, base, offset);
}
__HIPLZ_DEVICE int __fns64(unsigned long mask, unsigned base, int offset) {
  return __hiplz_find_nth_set(mask, base, offset);
}
__HIPLZ_DEVICE int __fns(unsigned mask, unsigned base, int offset) { return __fns32(mask, base, offset); }

// The products of the components, summed up onto `c`; `saturate` limits the exact sum to the range of the result, which
// wraps around otherwise.
__HIPLZ_DEVICE int __hiplz_limited_dot(long sum, bool saturate) {
  return saturate ? sum > 0x7fffffff     ? 0x7fffffff
                    : sum < -0x80000000l ? -0x7fffffff - 1
                                         : (int)sum
                  : (int)(unsigned)sum;
}
__HIPLZ_DEVICE unsigned __hiplz_limited_dot(unsigned long sum, bool saturate) {
  return saturate && sum > 0xffffffff ? 0xffffffff : (unsigned)sum;
}
__HIPLZ_DEVICE int amd_mixed_dot(short2 a, short2 b, int c, bool saturate) {
  return __hiplz_limited_dot((long)a.x * b.x + (long)a.y * b.y + c, saturate);
}
__HIPLZ_DEVICE unsigned amd_mixed_dot(ushort2 a, ushort2 b, unsigned c, bool saturate) {
  return __hiplz_limited_dot((unsigned long)a.x * b.x + (unsigned long)a.y * b.y + c, saturate);
}
__HIPLZ_DEVICE int amd_mixed_dot(char4 a, char4 b, int c, bool saturate) {
  return __hiplz_limited_dot((long)a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w + c, saturate);
}
__HIPLZ_DEVICE unsigned amd_mixed_dot(uchar4 a, uchar4 b, unsigned c, bool saturate) {
  return __hiplz_limited_dot((unsigned long)a.x * b.x + (unsigned)(a.y * b.y + a.z * b.z + a.w * b.w) + c, saturate);
}
/// Of eight components of four bits each.
__HIPLZ_DEVICE int amd_mixed_dot(int a, int b, int c, bool saturate) {
  long sum = c;
  for (int shift = 28; shift >= 0; shift -= 4)
    sum += ((int)((unsigned)a << shift) >> 28) * ((int)((unsigned)b << shift) >> 28);
  return __hiplz_limited_dot(sum, saturate);
}
__HIPLZ_DEVICE unsigned amd_mixed_dot(unsigned a, unsigned b, unsigned c, bool saturate) {
  unsigned long sum = c;
  for (int shift = 0; shift < 32; shift += 4)
    sum += ((a >> shift) & 15) * ((b >> shift) & 15);
  return __hiplz_limited_dot(sum, saturate);
}
