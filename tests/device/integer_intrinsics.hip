// SPDX-License-Identifier: MIT
// Integer intrinsics against definitions written out bit by bit, on edge values and on a pseudo-random walk.
#include "tests/device/check.h"

typedef unsigned long long u64;
typedef long long s64;

struct Input {
  unsigned a, b, c;
  u64 p, q;
};

enum Result {
  clz32,
  clz64,
  ffs32,
  ffs64,
  popc32,
  popc64,
  brev32,
  brev64,
  bytePerm,
  funnelL,
  funnelR,
  funnelLc,
  funnelRc,
  rotateL,
  rotateR,
  rotateL64,
  rotateR64,
  mulhi,
  umulhi,
  mul64hi,
  umul64hi,
  mul24,
  umul24,
  sad,
  usad,
  hadd,
  rhadd,
  uhadd,
  urhadd,
  extract32,
  extract64,
  insert32,
  insert64,
  lastbit,
  fns32,
  fns64,
  resultCount
};

// Which set bit: a near one, or for a large number one that does not exist.
__host__ __device__ int nth(unsigned c) { return c < 64 ? (int)(c % 9) - 4 : (int)c; }

__global__ void compute(const Input *in, u64 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned a = in[i].a, b = in[i].b, c = in[i].c;
  u64 p = in[i].p, q = in[i].q;
  u64 *r = out + i * resultCount;
  r[clz32] = __clz(a);
  r[clz64] = __clzll(p);
  r[ffs32] = __ffs(a) + (__ffs((int)a) != __ffs(a));
  r[ffs64] = __ffsll(p) + (__ffsll((s64)p) != __ffsll(p));
  r[popc32] = __popc(a);
  r[popc64] = __popcll(p);
  r[brev32] = __brev(a);
  r[brev64] = __brevll(p);
  r[bytePerm] = __byte_perm(a, b, c);
  r[funnelL] = __funnelshift_l(a, b, c);
  r[funnelR] = __funnelshift_r(a, b, c);
  r[funnelLc] = __funnelshift_lc(a, b, c);
  r[funnelRc] = __funnelshift_rc(a, b, c);
  r[rotateL] = __funnelshift_l(a, a, c);
  r[rotateR] = __funnelshift_r(a, a, c);
  r[rotateL64] = p << (c & 63) | p >> (-c & 63);
  r[rotateR64] = p >> 13 | p << 51;
  r[mulhi] = (unsigned)__mulhi(a, b);
  r[umulhi] = __umulhi(a, b);
  r[mul64hi] = __mul64hi(p, q);
  r[umul64hi] = __umul64hi(p, q);
  r[mul24] = (unsigned)__mul24(a, b);
  r[umul24] = (unsigned)__umul24(a, b);
  r[sad] = __sad(a, b, c);
  r[usad] = __usad(a, b, c);
  r[hadd] = (unsigned)__hadd(a, b);
  r[rhadd] = (unsigned)__rhadd(a, b);
  r[uhadd] = __uhadd(a, b);
  r[urhadd] = __urhadd(a, b);
  r[extract32] = __bitextract_u32(a, b, c);
  r[extract64] = __bitextract_u64(p, b, c);
  r[insert32] = __bitinsert_u32(a, b, b, c);
  r[insert64] = __bitinsert_u64(p, q, b, c);
  r[lastbit] = __lastbit_u32_u64(p);
  r[fns32] = (unsigned)__fns32(a, b % 36, nth(c));
  r[fns64] = (unsigned)__fns64(p, b % 68, nth(c));
}

static int leadingZeros(u64 x, int bits) {
  int n = 0;
  while (n < bits && !(x >> (bits - 1 - n) & 1))
    ++n;
  return n;
}
static int firstSet(u64 x) {
  for (int i = 0; i < 64; ++i)
    if (x >> i & 1)
      return i + 1;
  return 0;
}
static u64 reverse(u64 x, int bits) {
  u64 r = 0;
  for (int i = 0; i < bits; ++i)
    r |= (x >> i & 1) << (bits - 1 - i);
  return r;
}
static unsigned permute(unsigned x, unsigned y, unsigned s) {
  unsigned char bytes[8], out[4];
  std::memcpy(bytes, &x, 4);
  std::memcpy(bytes + 4, &y, 4);
  for (int i = 0; i < 4; ++i)
    out[i] = bytes[s >> (4 * i) & 7]; // the fourth bit of a selector has no meaning
  unsigned r;
  std::memcpy(&r, out, 4);
  return r;
}
static unsigned nthSet(u64 mask, int bits, unsigned base, int n) {
  if (n == 0)
    return base < (unsigned)bits && mask >> base & 1 ? base : ~0u;
  for (int i = (int)base; i >= 0 && i<bits; i += n> 0 ? 1 : -1)
    if (mask >> i & 1) {
      n -= n > 0 ? 1 : -1;
      if (n == 0)
        return i;
    }
  return ~0u;
}
static int signExtend24(unsigned x) { return x & 0x800000 ? (int)(x | 0xff000000u) : (int)(x & 0xffffff); }

static void expect(const Input &in, u64 *r) {
  unsigned a = in.a, b = in.b, c = in.c;
  u64 p = in.p, q = in.q;
  r[clz32] = leadingZeros(a, 32);
  r[clz64] = leadingZeros(p, 64);
  r[ffs32] = firstSet(a);
  r[ffs64] = firstSet(p);
  r[popc32] = r[popc64] = 0;
  for (int i = 0; i < 64; ++i) {
    r[popc32] += i < 32 && (a >> i & 1);
    r[popc64] += p >> i & 1;
  }
  r[brev32] = reverse(a, 32);
  r[brev64] = reverse(p, 64);
  r[bytePerm] = permute(a, b, c);
  u64 pair = (u64)b << 32 | a;
  r[funnelL] = (unsigned)(pair << (c % 32) >> 32);
  r[funnelR] = (unsigned)(pair >> (c % 32));
  unsigned clamped = c < 32 ? c : 32;
  r[funnelLc] = clamped == 32 ? a : (unsigned)(pair << clamped >> 32);
  r[funnelRc] = (unsigned)(pair >> clamped);
  u64 twice = (u64)a << 32 | a;
  r[rotateL] = (unsigned)(twice << (c % 32) >> 32);
  r[rotateR] = (unsigned)(twice >> (c % 32));
  r[rotateL64] = (u64)(((unsigned __int128)p << 64 | p) << (c % 64) >> 64);
  r[rotateR64] = (u64)(((unsigned __int128)p << 64 | p) >> 13);
  r[mulhi] = (unsigned)((s64)(int)a * (int)b >> 32);
  r[umulhi] = (u64)a * b >> 32;
  r[mul64hi] = (u64)((__int128)(s64)p * (s64)q >> 64);
  r[umul64hi] = (u64)((unsigned __int128)p * q >> 64);
  r[mul24] = (unsigned)((s64)signExtend24(a) * signExtend24(b));
  r[umul24] = (unsigned)((u64)(a & 0xffffff) * (b & 0xffffff));
  s64 difference = (s64)(int)a - (int)b, udifference = (s64)a - (s64)b;
  r[sad] = (unsigned)((difference < 0 ? -difference : difference) + c);
  r[usad] = (unsigned)((udifference < 0 ? -udifference : udifference) + c);
  r[hadd] = (unsigned)(((s64)(int)a + (int)b) >> 1);
  r[rhadd] = (unsigned)(((s64)(int)a + (int)b + 1) >> 1);
  r[uhadd] = ((u64)a + b) >> 1;
  r[urhadd] = ((u64)a + b + 1) >> 1;
  unsigned mask32 = 0;
  u64 mask64 = 0;
  for (unsigned i = 0; i < c % 32; ++i)
    mask32 |= 1u << i;
  for (unsigned i = 0; i < c % 64; ++i)
    mask64 |= 1ull << i;
  r[extract32] = a >> (b % 32) & mask32;
  // Bits beyond the end are those that AMD's header shifts in, modulo 64.
  r[extract64] = b % 64 + c % 64 <= 64 ? p >> (b % 64) & mask64 : p << (128 - b % 64 - c % 64) >> (64 - c % 64);
  r[insert32] = (a & ~(mask32 << (b % 32))) | (b & mask32) << (b % 32);
  r[insert64] = (p & ~(mask64 << (b % 64))) | (q & mask64) << (b % 64);
  r[lastbit] = p ? (unsigned)(firstSet(p) - 1) : ~0u;
  r[fns32] = nthSet(a, 32, b % 36, nth(c));
  r[fns64] = nthSet(p, 64, b % 68, nth(c));
}

int main() {
  const unsigned edges[] = {0,  1,        2,        31,       32,         33,         63,
                            64, 0x7fffff, 0x800000, 0xffffff, 0x7fffffff, 0x80000000, 0xffffffff};
  std::vector<Input> in;
  for (unsigned a : edges)
    for (unsigned b : edges)
      for (unsigned c : edges)
        in.push_back({a, b, c, (u64)a << 32 | b, (u64)c << 31 | a});
  u64 state = 88172645463325252ull;
  auto next = [&] {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
  };
  for (int i = 0; i < 2000; ++i)
    in.push_back({(unsigned)next(), (unsigned)next(), (unsigned)next(), next(), next()});
  DeviceArray<Input> deviceIn(in);
  DeviceArray<u64> deviceOut(in.size() * resultCount);
  compute<<<(in.size() + 127) / 128, 128>>>(deviceIn, deviceOut, (int)in.size());
  HIP_CHECK(hipGetLastError());
  std::vector<u64> out = deviceOut.host();
  for (size_t i = 0; i < in.size(); ++i) {
    u64 expected[resultCount];
    expect(in[i], expected);
    for (int r = 0; r < resultCount; ++r)
      if (out[i * resultCount + r] != expected[r] && ++checkFailures < 40)
        std::fprintf(stderr, "result %d of a=%x b=%x c=%x p=%llx q=%llx is %llx, expected %llx\n", r, in[i].a, in[i].b,
                     in[i].c, in[i].p, in[i].q, out[i * resultCount + r], expected[r]);
  }
  return testResult();
}
