// SPDX-License-Identifier: MIT
// CUDA's fused comparisons, for the host and for kernels: sums, two or three numbers of which the largest or smallest is taken, of words
// and of the two halves of a word. `relu` takes 0 for what is negative. Sums wrap.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include <hip/hip_runtime.h>

namespace hiplz::cuda {

struct Largest {
  template <class T> __HIPLZ_BOTH static bool prefers(T a, T b) { return a >= b; }
};
struct Smallest {
  template <class T> __HIPLZ_BOTH static bool prefers(T a, T b) { return a <= b; }
};
template <class Rule, class T> __HIPLZ_BOTH T chosen(T a, T b) { return Rule::prefers(a, b) ? a : b; }
template <bool relu, class T> __HIPLZ_BOTH T clipped(T a) { return relu && a < T(0) ? T(0) : a; }
template <class T> __HIPLZ_BOTH T wrappedSum(T a, T b) { return (T)((unsigned)a + (unsigned)b); }

/// The word of which each half is operation(x, y, z) of those of three words.
template <class T, class Operation>
__HIPLZ_BOTH unsigned eachHalf(unsigned a, unsigned b, unsigned c, Operation operation) {
  const T low = operation((T)(a & 0xffff), (T)(b & 0xffff), (T)(c & 0xffff));
  const T high = operation((T)(a >> 16), (T)(b >> 16), (T)(c >> 16));
  return (unsigned)(unsigned short)high << 16 | (unsigned short)low;
}

} // namespace hiplz::cuda

#define HIPLZ_CUDA_WORDS(T, suffix, rule, Rule, relu, end)                                                             \
  __HIPLZ_BOTH T __viadd##rule##_##suffix##end(T a, T b, T c) {                                                        \
    return hiplz::cuda::clipped<relu>(hiplz::cuda::chosen<hiplz::cuda::Rule>(hiplz::cuda::wrappedSum(a, b), c));       \
  }                                                                                                                    \
  __HIPLZ_BOTH T __vi##rule##3_##suffix##end(T a, T b, T c) {                                                          \
    using namespace hiplz::cuda;                                                                                       \
    return clipped<relu>(chosen<Rule>(chosen<Rule>(a, b), c));                                                         \
  }
#define HIPLZ_CUDA_HALVES(T, suffix, rule, Rule, relu, end)                                                            \
  __HIPLZ_BOTH unsigned __viadd##rule##_##suffix##end(unsigned a, unsigned b, unsigned c) {                            \
    using namespace hiplz::cuda;                                                                                       \
    return eachHalf<T>(a, b, c, [](T x, T y, T z) { return clipped<relu>(chosen<Rule>(wrappedSum(x, y), z)); });       \
  }                                                                                                                    \
  __HIPLZ_BOTH unsigned __vi##rule##3_##suffix##end(unsigned a, unsigned b, unsigned c) {                              \
    using namespace hiplz::cuda;                                                                                       \
    return eachHalf<T>(a, b, c, [](T x, T y, T z) { return clipped<relu>(chosen<Rule>(chosen<Rule>(x, y), z)); });     \
  }
// Of two numbers, and which of them it is: the first if they are equal.
#define HIPLZ_CUDA_WORDS_AND_CHOICE(T, suffix, rule, Rule)                                                             \
  __HIPLZ_BOTH T __vib##rule##_##suffix(T a, T b, bool *first) {                                                       \
    *first = hiplz::cuda::Rule::prefers(a, b);                                                                         \
    return *first ? a : b;                                                                                             \
  }
#define HIPLZ_CUDA_HALVES_AND_CHOICE(T, suffix, rule, Rule)                                                            \
  __HIPLZ_BOTH unsigned __vib##rule##_##suffix(unsigned a, unsigned b, bool *firstHigh, bool *firstLow) {              \
    using namespace hiplz::cuda;                                                                                       \
    *firstHigh = Rule::prefers((T)(a >> 16), (T)(b >> 16));                                                            \
    *firstLow = Rule::prefers((T)(a & 0xffff), (T)(b & 0xffff));                                                       \
    return eachHalf<T>(a, b, 0, [](T x, T y, T) { return chosen<Rule>(x, y); });                                       \
  }
#define HIPLZ_CUDA_FUSED(rule, Rule)                                                                                   \
  HIPLZ_CUDA_WORDS(int, s32, rule, Rule, false, )                                                                      \
  HIPLZ_CUDA_WORDS(int, s32, rule, Rule, true, _relu)                                                                  \
  HIPLZ_CUDA_WORDS(unsigned, u32, rule, Rule, false, )                                                                 \
  HIPLZ_CUDA_HALVES(short, s16x2, rule, Rule, false, )                                                                 \
  HIPLZ_CUDA_HALVES(short, s16x2, rule, Rule, true, _relu)                                                             \
  HIPLZ_CUDA_HALVES(unsigned short, u16x2, rule, Rule, false, )                                                        \
  HIPLZ_CUDA_WORDS_AND_CHOICE(int, s32, rule, Rule)                                                                    \
  HIPLZ_CUDA_WORDS_AND_CHOICE(unsigned, u32, rule, Rule)                                                               \
  HIPLZ_CUDA_HALVES_AND_CHOICE(short, s16x2, rule, Rule)                                                               \
  HIPLZ_CUDA_HALVES_AND_CHOICE(unsigned short, u16x2, rule, Rule)                                                      \
  __HIPLZ_BOTH int __vi##rule##_s32_relu(int a, int b) {                                                               \
    return hiplz::cuda::clipped<true>(hiplz::cuda::chosen<hiplz::cuda::Rule>(a, b));                                   \
  }                                                                                                                    \
  __HIPLZ_BOTH unsigned __vi##rule##_s16x2_relu(unsigned a, unsigned b) {                                              \
    using namespace hiplz::cuda;                                                                                       \
    return eachHalf<short>(a, b, 0, [](short x, short y, short) { return clipped<true>(chosen<Rule>(x, y)); });        \
  }
HIPLZ_CUDA_FUSED(max, Largest)
HIPLZ_CUDA_FUSED(min, Smallest)
#undef HIPLZ_CUDA_FUSED
#undef HIPLZ_CUDA_HALVES_AND_CHOICE
#undef HIPLZ_CUDA_WORDS_AND_CHOICE
#undef HIPLZ_CUDA_HALVES
#undef HIPLZ_CUDA_WORDS

#include <hip/spirv/user_macros_on.h>
