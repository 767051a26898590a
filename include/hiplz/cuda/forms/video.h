// SPDX-License-Identifier: MIT
// CUDA's functions on the two halves or four bytes of a word, and its dot products of them.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include <hip/hip_runtime.h>

namespace hiplz::cuda {

/// Lane `I` of a word of `N` lanes, as a number with or without a sign.
template <int N> __HIPLZ_DEVICE int signedLane(unsigned word, int i) {
  return (int)(word << (32 - 32 / N * (i + 1))) >> (32 - 32 / N);
}
template <int N> __HIPLZ_DEVICE unsigned plainLane(unsigned word, int i) {
  return word << (32 - 32 / N * (i + 1)) >> (32 - 32 / N);
}
template <int N> constexpr unsigned kLaneMask = N == 4 ? 0xffu : 0xffffu;

/// The word whose lanes are operation(x, y) of those of `a` and `b`, cut to the lane.
template <int N, class Operation> __HIPLZ_DEVICE unsigned eachSigned(unsigned a, unsigned b, Operation operation) {
  unsigned result = 0;
#pragma unroll
  for (int i = 0; i < N; ++i)
    result |= ((unsigned)operation(signedLane<N>(a, i), signedLane<N>(b, i)) & kLaneMask<N>) << (32 / N * i);
  return result;
}
template <int N, class Operation> __HIPLZ_DEVICE unsigned eachPlain(unsigned a, unsigned b, Operation operation) {
  unsigned result = 0;
#pragma unroll
  for (int i = 0; i < N; ++i)
    result |= ((unsigned)operation((int)plainLane<N>(a, i), (int)plainLane<N>(b, i)) & kLaneMask<N>) << (32 / N * i);
  return result;
}
template <int N> __HIPLZ_DEVICE int saturateSigned(int x) {
  const int top = (int)(kLaneMask<N> >> 1);
  return x > top ? top : x < -top - 1 ? -top - 1 : x;
}
template <int N> __HIPLZ_DEVICE int saturatePlain(int x) {
  return x < 0 ? 0 : x > (int)kLaneMask<N> ? (int)kLaneMask<N> : x;
}

} // namespace hiplz::cuda

#define HIPLZ_CUDA_VIDEO(name, N, Each, expression)                                                                    \
  __HIPLZ_DEVICE unsigned name##N(unsigned a, unsigned b) {                                                            \
    return hiplz::cuda::Each<N>(a, b, [](int x, int y) { return expression; });                                        \
  }
#define HIPLZ_CUDA_COMPARISONS(N, name, Each, operation)                                                               \
  HIPLZ_CUDA_VIDEO(__vcmp##name, N, Each, x operation y ? -1 : 0)                                                      \
  HIPLZ_CUDA_VIDEO(__vset##name, N, Each, x operation y)
#define HIPLZ_CUDA_VIDEO_OF(N)                                                                                         \
  HIPLZ_CUDA_VIDEO(__vadd, N, eachPlain, x + y)                                                                        \
  HIPLZ_CUDA_VIDEO(__vsub, N, eachPlain, x - y)                                                                        \
  HIPLZ_CUDA_VIDEO(__vaddss, N, eachSigned, hiplz::cuda::saturateSigned<N>(x + y))                                     \
  HIPLZ_CUDA_VIDEO(__vsubss, N, eachSigned, hiplz::cuda::saturateSigned<N>(x - y))                                     \
  HIPLZ_CUDA_VIDEO(__vaddus, N, eachPlain, hiplz::cuda::saturatePlain<N>(x + y))                                       \
  HIPLZ_CUDA_VIDEO(__vsubus, N, eachPlain, hiplz::cuda::saturatePlain<N>(x - y))                                       \
  HIPLZ_CUDA_VIDEO(__vabsdiffs, N, eachSigned, x < y ? y - x : x - y)                                                  \
  HIPLZ_CUDA_VIDEO(__vabsdiffu, N, eachPlain, x < y ? y - x : x - y)                                                   \
  HIPLZ_CUDA_VIDEO(__vavgs, N, eachSigned, (x + y + (x + y >= 0)) >> 1)                                                \
  HIPLZ_CUDA_VIDEO(__vavgu, N, eachPlain, (x + y + 1) >> 1)                                                            \
  HIPLZ_CUDA_VIDEO(__vhaddu, N, eachPlain, (x + y) >> 1)                                                               \
  HIPLZ_CUDA_VIDEO(__vmins, N, eachSigned, y < x ? y : x)                                                              \
  HIPLZ_CUDA_VIDEO(__vminu, N, eachPlain, y < x ? y : x)                                                               \
  HIPLZ_CUDA_VIDEO(__vmaxs, N, eachSigned, x < y ? y : x)                                                              \
  HIPLZ_CUDA_VIDEO(__vmaxu, N, eachPlain, x < y ? y : x)                                                               \
  HIPLZ_CUDA_COMPARISONS(N, eq, eachPlain, ==)                                                                         \
  HIPLZ_CUDA_COMPARISONS(N, ne, eachPlain, !=)                                                                         \
  HIPLZ_CUDA_COMPARISONS(N, gts, eachSigned, >)                                                                        \
  HIPLZ_CUDA_COMPARISONS(N, gtu, eachPlain, >)                                                                         \
  HIPLZ_CUDA_COMPARISONS(N, ges, eachSigned, >=)                                                                       \
  HIPLZ_CUDA_COMPARISONS(N, geu, eachPlain, >=)                                                                        \
  HIPLZ_CUDA_COMPARISONS(N, lts, eachSigned, <)                                                                        \
  HIPLZ_CUDA_COMPARISONS(N, ltu, eachPlain, <)                                                                         \
  HIPLZ_CUDA_COMPARISONS(N, les, eachSigned, <=)                                                                       \
  HIPLZ_CUDA_COMPARISONS(N, leu, eachPlain, <=)                                                                        \
  __HIPLZ_DEVICE unsigned __vneg##N(unsigned a) { return __vsub##N(0, a); }                                            \
  __HIPLZ_DEVICE unsigned __vnegss##N(unsigned a) { return __vsubss##N(0, a); }                                        \
  __HIPLZ_DEVICE unsigned __vabs##N(unsigned a) { return __vabsdiffs##N(a, 0); }                                       \
  __HIPLZ_DEVICE unsigned __vabsss##N(unsigned a) { return __vmaxs##N(a, __vnegss##N(a)); }                            \
  /** The sum of the lanes' absolute differences. */                                                                   \
  __HIPLZ_DEVICE unsigned __vsads##N(unsigned a, unsigned b) {                                                         \
    unsigned sum = 0;                                                                                                  \
    for (int i = 0; i < N; ++i)                                                                                        \
      sum += hiplz::cuda::plainLane<N>(__vabsdiffs##N(a, b), i);                                                       \
    return sum;                                                                                                        \
  }                                                                                                                    \
  __HIPLZ_DEVICE unsigned __vsadu##N(unsigned a, unsigned b) {                                                         \
    unsigned sum = 0;                                                                                                  \
    for (int i = 0; i < N; ++i)                                                                                        \
      sum += hiplz::cuda::plainLane<N>(__vabsdiffu##N(a, b), i);                                                       \
    return sum;                                                                                                        \
  }
HIPLZ_CUDA_VIDEO_OF(2)
HIPLZ_CUDA_VIDEO_OF(4)
#undef HIPLZ_CUDA_VIDEO_OF
#undef HIPLZ_CUDA_COMPARISONS
#undef HIPLZ_CUDA_VIDEO

/// c plus the dot product of four bytes each; dp2a: of two halves of `a` with the lower or upper two bytes of `b`.
__HIPLZ_DEVICE int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 4; ++i)
    c += hiplz::cuda::signedLane<4>(a, i) * hiplz::cuda::signedLane<4>(b, i);
  return c;
}
__HIPLZ_DEVICE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 4; ++i)
    c += hiplz::cuda::plainLane<4>(a, i) * hiplz::cuda::plainLane<4>(b, i);
  return c;
}
__HIPLZ_DEVICE int __dp2a_lo(int a, int b, int c) {
  for (int i = 0; i < 2; ++i)
    c += hiplz::cuda::signedLane<2>(a, i) * hiplz::cuda::signedLane<4>(b, i);
  return c;
}
__HIPLZ_DEVICE unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 2; ++i)
    c += hiplz::cuda::plainLane<2>(a, i) * hiplz::cuda::plainLane<4>(b, i);
  return c;
}
__HIPLZ_DEVICE int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
__HIPLZ_DEVICE unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) { return __dp2a_lo(a, b >> 16, c); }
#include <hip/spirv/user_macros_on.h>
