// SPDX-License-Identifier: MIT
// bfloat16 as HIP's older interface has it: hip_bfloat16, whose bits are the member `data`, with arithmetic in single
// precision. hip/hip_bf16.h has the newer one, which is not included: with its overloads, calls such as __heq(true, 1), which
// mean half, would be ambiguous.
#ifndef HIPLZ_HIP_BFLOAT16_H
#define HIPLZ_HIP_BFLOAT16_H

#include "spirv/user_macros_off.h"

#include "hip_common.h"
#include "hip_vector_types.h"

#ifndef __cplusplus

/// The bits of a value.
typedef struct {
  unsigned short data;
} hip_bfloat16;

#else

#ifdef __HIP__
#include "hip_runtime.h"
#endif

#include "spirv/bfloat16_bits.h"

#include <cmath>

/// The form of hip_bfloat16 in C.
struct hip_bfloat16_public {
  unsigned short data;
};

struct hip_bfloat16 {
  unsigned short data;

  enum truncate_t { truncate };

  hip_bfloat16() = default;
  /// Rounds to nearest, ties to even.
  explicit __HOST_DEVICE__ hip_bfloat16(float x) : data(__hiplz::bfloat16Bits(x)) {}
  /// Cuts the lower half off. A NaN stays one.
  explicit __HOST_DEVICE__ hip_bfloat16(float x, truncate_t)
      : data(static_cast<unsigned short>(__hiplz::bitsOf(x) >> 16)) {
    if (x != x)
      data |= 0x40;
  }
  __HOST_DEVICE__ operator float() const { return __hiplz::bfloat16Value(data); }
  __HOST_DEVICE__ hip_bfloat16 &operator=(const float &x) {
    data = __hiplz::bfloat16Bits(x);
    return *this;
  }
  static __HOST_DEVICE__ hip_bfloat16 round_to_bfloat16(float x) { return hip_bfloat16(x); }
  static __HOST_DEVICE__ hip_bfloat16 round_to_bfloat16(float x, truncate_t) { return hip_bfloat16(x, truncate); }
};

inline __HOST_DEVICE__ hip_bfloat16 operator+(hip_bfloat16 x) { return x; }
inline __HOST_DEVICE__ hip_bfloat16 operator-(hip_bfloat16 x) {
  x.data ^= 0x8000;
  return x;
}
#define HIPLZ_BFLOAT16_ARITHMETIC(OP)                                                                                  \
  inline __HOST_DEVICE__ hip_bfloat16 operator OP(hip_bfloat16 x, hip_bfloat16 y) {                                    \
    return hip_bfloat16(static_cast<float>(x) OP static_cast<float>(y));                                               \
  }                                                                                                                    \
  inline __HOST_DEVICE__ hip_bfloat16 &operator OP##=(hip_bfloat16 &x, hip_bfloat16 y) { return x = x OP y; }
HIPLZ_BFLOAT16_ARITHMETIC(+)
HIPLZ_BFLOAT16_ARITHMETIC(-)
HIPLZ_BFLOAT16_ARITHMETIC(*)
HIPLZ_BFLOAT16_ARITHMETIC(/)
#undef HIPLZ_BFLOAT16_ARITHMETIC
#define HIPLZ_BFLOAT16_STEP(OP, ASSIGN)                                                                                \
  inline __HOST_DEVICE__ hip_bfloat16 &operator OP(hip_bfloat16 &x) { return x ASSIGN hip_bfloat16(1.0f); }            \
  inline __HOST_DEVICE__ hip_bfloat16 operator OP(hip_bfloat16 &x, int) {                                              \
    hip_bfloat16 before = x;                                                                                           \
    OP x;                                                                                                              \
    return before;                                                                                                     \
  }
HIPLZ_BFLOAT16_STEP(++, +=)
HIPLZ_BFLOAT16_STEP(--, -=)
#undef HIPLZ_BFLOAT16_STEP
#define HIPLZ_BFLOAT16_COMPARISON(OP)                                                                                  \
  inline __HOST_DEVICE__ bool operator OP(hip_bfloat16 x, hip_bfloat16 y) {                                            \
    return static_cast<float>(x) OP static_cast<float>(y);                                                             \
  }
HIPLZ_BFLOAT16_COMPARISON(==)
HIPLZ_BFLOAT16_COMPARISON(!=)
HIPLZ_BFLOAT16_COMPARISON(<)
HIPLZ_BFLOAT16_COMPARISON(<=)
HIPLZ_BFLOAT16_COMPARISON(>)
HIPLZ_BFLOAT16_COMPARISON(>=)
#undef HIPLZ_BFLOAT16_COMPARISON

namespace std {
inline __HOST_DEVICE__ bool isinf(hip_bfloat16 x) { return (x.data & 0x7fff) == 0x7f80; }
inline __HOST_DEVICE__ bool isnan(hip_bfloat16 x) { return (x.data & 0x7fff) > 0x7f80; }
inline __HOST_DEVICE__ bool iszero(hip_bfloat16 x) { return (x.data & 0x7fff) == 0; }
} // namespace std

#endif

#include "spirv/user_macros_on.h"
#endif
