// SPDX-License-Identifier: MIT
// One conversion between any two binary formats of 4 to 32 bits, with a scale. It works on integers: a scaled number may lie outside of
// what a float holds, and each result is rounded once. hip/hip_ext_ocp.h includes this.
#pragma once

#include <type_traits>

namespace __hiplz {
/// Bits behind the point and in all, bias of the exponent. Codes without the sign: the largest finite one, and what becomes of larger
/// numbers, infinities and NaN. Where there are infinities, their code follows the largest finite one.
struct OcpFormat {
  int fraction, bits, bias;
  unsigned largest, beyond, infinity, nan;
  bool hasInfinity;
};

// As AMD's library has it: too large is NaN for e4m3 and the largest number for the others, which for e5m2 holds for infinities too.
inline __HOST_DEVICE__ constexpr OcpFormat ocpFormat(__amd_fp8_interpretation_t interpretation) {
  return interpretation == __AMD_OCP_E4M3 ? OcpFormat{3, 8, 7, 0x7e, 0x7f, 0x7f, 0x7f, false}
                                          : OcpFormat{2, 8, 15, 0x7b, 0x7b, 0x7b, 0x7e, true};
}
inline __HOST_DEVICE__ constexpr OcpFormat ocpFormat(__amd_fp6_interpretation_t interpretation) {
  return interpretation == __AMD_OCP_E2M3 ? OcpFormat{3, 6, 1, 0x1f, 0x1f, 0x1f, 0x1f, false}
                                          : OcpFormat{2, 6, 3, 0x1f, 0x1f, 0x1f, 0x1f, false};
}
inline __HOST_DEVICE__ constexpr OcpFormat ocpFormat(__amd_fp4_interpretation_t) {
  return {1, 4, 1, 7, 7, 7, 7, false};
}
/// The format of a larger number.
template <class T> inline __HOST_DEVICE__ constexpr OcpFormat ocpFormatOf() {
  if constexpr (std::is_same_v<T, float>)
    return {23, 32, 127, 0x7f7fffff, 0x7f800000, 0x7f800000, 0x7fc00000, true};
  else if constexpr (std::is_same_v<T, _Float16>)
    return {10, 16, 15, 0x7bff, 0x7c00, 0x7c00, 0x7e00, true};
  else
    return {7, 16, 127, 0x7f7f, 0x7f80, 0x7f80, 0x7fc0, true};
}

/// How a conversion rounds: to nearest, ties to even; or up with the probability that the number lies above the lower neighbour, where
/// the first digits of `seed` decide.
struct OcpRounding {
  bool stochastic;
  unsigned seed;
};
constexpr OcpRounding kOcpNearest = {false, 0};
inline __HOST_DEVICE__ constexpr OcpRounding ocpStochastic(unsigned seed) { return {true, seed}; }

/// significand * 2^exponent as a code, which may be beyond the largest. Of the seed as many digits count as the source has more than the
/// result.
inline __HOST_DEVICE__ unsigned ocpRounded(unsigned significand, int exponent, OcpFormat from, OcpFormat to,
                                           OcpRounding rounding) {
  if (significand == 0)
    return 0;
  const int zeros = __builtin_clz(significand) - 8; // so that the first digit is 2^23
  significand <<= zeros;
  exponent -= zeros;
  const int smallest = 1 - to.bias, first = exponent + 23;
  const int unit = (first < smallest ? smallest : first) - to.fraction;
  const int shift = unit - exponent, places = from.fraction - to.fraction;
  unsigned count = significand;
  if (rounding.stochastic) {
    const int below = shift - places;
    count = ((below < 32 ? significand >> below : 0) + (rounding.seed >> (32 - places))) >> places;
  } else if (shift > 25) {
    count = 0;
  } else if (shift > 0) {
    const unsigned rest = significand & ((1u << shift) - 1), middle = 1u << (shift - 1);
    count = significand >> shift;
    count += rest > middle || (rest == middle && (count & 1));
  }
  // A count of 2^(fraction + 1) carries into the exponent; without a leading one the exponent becomes that of subnormals.
  return (static_cast<unsigned>(unit + to.fraction + to.bias) << to.fraction) + count - (1u << to.fraction);
}

/// The code of the number times 2^power; a power of -128 or 128 is NaN, as is all that it scales.
inline __HOST_DEVICE__ unsigned ocpConverted(unsigned code, OcpFormat from, OcpFormat to, int power,
                                             OcpRounding rounding) {
  const unsigned sign = code >> (from.bits - 1) & 1, size = code & (0x7fffffffu >> (32 - from.bits));
  unsigned result = to.nan;
  if (power >= -127 && power <= 127) {
    if (size <= from.largest) {
      const int exponent = static_cast<int>(size >> from.fraction);
      const unsigned behind = size & ((1u << from.fraction) - 1);
      result = ocpRounded(exponent ? behind | 1u << from.fraction : behind,
                          (exponent ? exponent : 1) - from.bias - from.fraction + power, from, to, rounding);
      if (result > to.largest)
        result = to.beyond;
    } else if (from.hasInfinity && size == from.largest + 1) {
      result = to.infinity;
    }
  }
  return sign << (to.bits - 1) | result;
}

template <class T> inline __HOST_DEVICE__ unsigned ocpBits(T x) {
  std::conditional_t<sizeof(T) == 4, unsigned, unsigned short> bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
template <class T> inline __HOST_DEVICE__ T ocpValue(unsigned code) {
  const auto bits = static_cast<std::conditional_t<sizeof(T) == 4, unsigned, unsigned short>>(code);
  T x;
  __builtin_memcpy(static_cast<void *>(&x), &bits, sizeof x);
  return x;
}
template <class T>
constexpr bool kOcpScalar =
    std::is_same_v<T, float> || std::is_same_v<T, _Float16> || std::is_same_v<T, __amd_bf16_storage_t>;
/// The type of an element: the larger number, or int for packed codes.
template <class T, bool = kOcpScalar<T> || std::is_integral_v<T>> struct OcpElement {
  typedef std::remove_cv_t<std::remove_reference_t<decltype(std::declval<T &>()[0])>> type;
};
template <class T> struct OcpElement<T, true> {
  typedef T type;
};
template <class T> constexpr bool kOcpPacked = std::is_integral_v<typename OcpElement<T>::type>;

/// Element i of a value. Codes of less than 8 bits stand one behind the other, the first in the lowest bits.
template <class T> inline __HOST_DEVICE__ unsigned ocpGet(const T &from, int i, int bits) {
  if constexpr (kOcpScalar<T>) {
    return ocpBits(from);
  } else if constexpr (!kOcpPacked<T>) {
    return ocpBits<typename OcpElement<T>::type>(from[i]);
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<unsigned>(from) >> (i * bits) & ((1u << bits) - 1);
  } else if constexpr (std::is_same_v<T, __amd_fp6x32_storage_t>) {
    const int word = i * 6 / 32, offset = i * 6 % 32;
    return (from[word] >> offset | (offset > 26 ? from[word + 1] << (32 - offset) : 0)) & 63;
  } else {
    return from[i];
  }
}
/// Puts element i where all bits are zero.
template <class T> inline __HOST_DEVICE__ void ocpPut(T &to, int i, int bits, unsigned code) {
  if constexpr (kOcpScalar<T>) {
    to = ocpValue<T>(code);
  } else if constexpr (!kOcpPacked<T>) {
    to[i] = ocpValue<typename OcpElement<T>::type>(code);
  } else if constexpr (std::is_integral_v<T>) {
    to = static_cast<T>(to | code << (i * bits));
  } else if constexpr (std::is_same_v<T, __amd_fp6x32_storage_t>) {
    const int word = i * 6 / 32, offset = i * 6 % 32;
    to[word] |= code << offset;
    if (offset > 26)
      to[word + 1] |= code >> (32 - offset);
  } else {
    to[i] = static_cast<uint8_t>(code);
  }
}

/// All N elements, divided by the scale, as small numbers; and small numbers times the scale. 32 at once would be too much code.
template <class T, int N, class From, class Kind>
inline __HOST_DEVICE__ T ocpSmall(const From &from, Kind interpretation, int scale, OcpRounding rounding) {
  constexpr OcpFormat wide = ocpFormatOf<typename OcpElement<From>::type>();
  const OcpFormat format = ocpFormat(interpretation);
  T result{};
#pragma unroll(N <= 8 ? N : 1)
  for (int i = 0; i < N; ++i)
    ocpPut(result, i, format.bits, ocpConverted(ocpGet(from, i, wide.bits), wide, format, -scale, rounding));
  return result;
}
template <class T, int N, class From, class Kind>
inline __HOST_DEVICE__ T ocpWide(const From &from, Kind interpretation, int scale) {
  constexpr OcpFormat wide = ocpFormatOf<typename OcpElement<T>::type>();
  const OcpFormat format = ocpFormat(interpretation);
  T result{};
#pragma unroll(N <= 8 ? N : 1)
  for (int i = 0; i < N; ++i)
    ocpPut(result, i, wide.bits, ocpConverted(ocpGet(from, i, format.bits), format, wide, scale, kOcpNearest));
  return result;
}

/// A float in one of the larger formats, without a scale: too large is infinite.
template <class T> inline __HOST_DEVICE__ T ocpStochasticFrom(float x, unsigned seed) {
  return ocpValue<T>(ocpConverted(bitsOf(x), ocpFormatOf<float>(), ocpFormatOf<T>(), 0, ocpStochastic(seed)));
}
} // namespace __hiplz
