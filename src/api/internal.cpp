// SPDX-License-Identifier: MIT
// Functions that programs do not call themselves: compiled code and AMD's tools do.
#include <hip/hip_runtime_api.h>

#include <bit>
#include <cstdint>

namespace {

uint16_t halfFrom(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint16_t sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  const uint32_t magnitude = bits & 0x7fffffff;
  constexpr uint32_t kInfinity = 0x7f800000, kTooLarge = 0x477ff000; // 65520, which rounds to infinity
  constexpr uint32_t kSmallestNormal = 0x38800000, kHalfOfSmallest = 0x33000000;
  if (magnitude > kInfinity) // a NaN keeps the upper bits of its payload and becomes quiet
    return sign | 0x7e00 | (magnitude >> 13 & 0x3ff);
  if (magnitude >= kTooLarge)
    return sign | 0x7c00;
  if (magnitude <= kHalfOfSmallest) // ties to even, which is zero
    return sign;
  // To nearest, ties to even: what is cut off plus the lowest bit that stays must exceed half a unit.
  if (magnitude >= kSmallestNormal)
    return sign | static_cast<uint16_t>((magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13);
  const unsigned shift = 126 - (magnitude >> 23);
  const uint32_t mantissa = (magnitude & 0x7fffff) | 0x800000;
  return sign | static_cast<uint16_t>((mantissa + (1u << (shift - 1)) - 1 + (mantissa >> shift & 1)) >> shift);
}

float floatFrom(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
  const uint32_t magnitude = half & 0x7fff;
  if (magnitude >= 0x7c00) // infinity, or a NaN that becomes quiet
    return std::bit_cast<float>(sign | 0x7f800000 | (magnitude & 0x3ff) << 13 | (magnitude > 0x7c00 ? 0x400000 : 0));
  if (magnitude >= 0x400)
    return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000));
  const float subnormal = static_cast<float>(magnitude) * 0x1p-24f; // exact
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(subnormal));
}

} // namespace

extern "C" {

// Conversions that AMD's library has for code of old compilers, by the names of the functions of GCC.
uint16_t __gnu_f2h_ieee(float value) { return halfFrom(value); }
float __gnu_h2f_ieee(uint16_t half) { return floatFrom(half); }

// AMD's hipRTC looks for the precompiled headers that the runtime of the same build carries. HIPLZ's carries none.
void __hipGetPCH(const char **pch, unsigned int *size) {
  if (pch)
    *pch = nullptr;
  if (size)
    *size = 0;
}

// Information about the build that AMD's debugger shows; there is none of HIPLZ's.
const char *amd_dbgapi_get_build_name(void) { return ""; }
const char *amd_dbgapi_get_git_hash(void) { return ""; }
size_t amd_dbgapi_get_build_id(void) { return 0; }

} // extern "C"
