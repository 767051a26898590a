// SPDX-License-Identifier: MIT
// Elements of typed buffers for one lane: components of a format (translator/buffer_formats.h) to registers of 32 or 16 bits and back. Where
// the manual is silent: numbers become integers toward zero, and integers that do not fit lose their upper bits; halves are the nearest ones,
// floats of 10 and 11 bits the next ones toward zero.
#pragma once
#include "amdgcn/translator/buffer_formats.h"

namespace hiplz::amdgcn {

typedef __attribute__((address_space(1))) unsigned char ElementByte;

inline float floatOfBits(uint32_t bits) { return __builtin_bit_cast(float, bits); }
inline uint32_t bitsOfFloat(float value) { return __builtin_bit_cast(uint32_t, value); }

/// Rounded to the nearest half, ties to the even one.
inline uint32_t nearestHalf(float value) {
  const uint32_t bits = bitsOfFloat(value), sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
  if (size > 0x7f800000)
    return sign | 0x7e00;
  if (size >= 0x477ff000)
    return sign | 0x7c00;
  if (size < 0x38800000) // in units of 2^-24
    return sign | (uint32_t)__builtin_rintf(floatOfBits(size) * 0x1p24f);
  return sign | ((size - (112u << 23) + 0xfff + (size >> 13 & 1)) >> 13);
}

/// The next half toward zero.
inline uint32_t truncatedHalf(float value) {
  const uint32_t bits = bitsOfFloat(value), sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
  if (size > 0x7f800000)
    return sign | 0x7e00;
  if (size >= 0x47800000)
    return sign | (size == 0x7f800000 ? 0x7c00 : 0x7bff);
  if (size < 0x38800000)
    return sign | (uint32_t)(floatOfBits(size) * 0x1p24f);
  return sign | (size - (112u << 23)) >> 13;
}

inline float floatOfHalf(uint32_t half) {
  const uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 31, mantissa = half & 1023;
  if (exponent == 31)
    return floatOfBits(sign | 0x7f800000 | mantissa << 13);
  if (exponent == 0)
    return floatOfBits(bitsOfFloat((float)mantissa * 0x1p-24f) | sign);
  return floatOfBits(sign | (exponent + 112) << 23 | mantissa << 13);
}

inline bool isInteger(FormatKind kind) { return kind == kUnsignedInteger || kind == kSignedInteger; }
inline bool isSigned(FormatKind kind) {
  return kind == kSignedFraction || kind == kSignedNumber || kind == kSignedInteger;
}

/// The highest number of so many bits, of which one is the sign.
inline uint32_t highest(FormatKind kind, uint32_t bits) { return 0xffffffffu >> (32 - bits + isSigned(kind)); }

inline float readFloat(uint32_t bits, uint32_t raw) {
  return bits == 32 ? floatOfBits(raw) : floatOfHalf(bits == 16 ? raw : raw << (15 - bits));
}

/// The register of a component. Numbers of 32 bits become halves toward zero, others the nearest ones.
inline uint32_t readElement(FormatKind kind, uint32_t bits, uint32_t raw, bool halves) {
  const int32_t extended = isSigned(kind) ? (int32_t)(raw << (32 - bits)) >> (32 - bits) : (int32_t)raw;
  if (isInteger(kind))
    return halves ? extended & 0xffff : (uint32_t)extended;
  float value;
  switch (kind) {
  case kUnsignedFraction:
  case kSignedFraction:
    value = (float)extended / (float)highest(kind, bits);
    value = value < -1 ? -1 : value;
    break;
  case kFloat: value = readFloat(bits, raw); break;
  default: value = (float)extended;
  }
  if (!halves)
    return bitsOfFloat(value);
  return kind == kFloat && bits == 32 ? truncatedHalf(value) : nearestHalf(value);
}

/// The bits of a component that a register becomes.
inline uint32_t writeElement(FormatKind kind, uint32_t bits, uint32_t word, bool halves) {
  const uint32_t mask = 0xffffffffu >> (32 - bits);
  if (isInteger(kind))
    return (halves && kind == kSignedInteger ? (uint32_t)(int32_t)(int16_t)word : word) & mask;
  const float value = halves ? floatOfHalf(word) : floatOfBits(word);
  if (kind == kFloat) {
    if (bits == 32)
      return bitsOfFloat(value);
    if (bits == 16)
      return halves ? word & 0xffff : nearestHalf(value);
    const uint32_t half = truncatedHalf(value);
    return half & 0x8000 && (half & 0x7fff) <= 0x7c00 ? 0 : (half & 0x7fff) >> (15 - bits);
  }
  const bool isFraction = kind == kUnsignedFraction || kind == kSignedFraction;
  const double most = highest(kind, bits), least = !isSigned(kind) ? 0 : isFraction ? -most : -most - 1;
  double scaled = value != value ? 0 : isFraction ? value * most : (double)value;
  scaled = scaled < least ? least : scaled > most ? most : scaled;
  return (uint32_t)(int32_t)(isFraction ? __builtin_rint(scaled) : scaled) & mask;
}

/// Does what an instruction says for one lane.
inline void accessElement(const uint32_t *at, uint32_t *colour, bool isStore) {
  const uint32_t format = at[kElementFormat], bytes = bytesOf(format);
  const FormatKind kind = kindOf(format);
  const bool halves = at[kElementHalves];
  if (format == kUnknownFormat)
    __builtin_trap();
  ElementByte *place = (ElementByte *)(at[kElementAddressLow] | (uint64_t)at[kElementAddressHigh] << 32);
  uint32_t words[4] = {};
  for (uint32_t n = 0; !isStore && n < bytes; ++n)
    words[n / 4] |= (uint32_t)place[n] << (n % 4 * 8);
  uint32_t first[4], all = 0; // where the components begin
  for (unsigned n = 0; n < 4; ++n) {
    first[n] = all;
    all += bitsOfComponent(format, n);
  }
  auto selectionOf = [&](unsigned n) { return at[kElementSelection] >> (3 * n) & 7; };
  if (!isStore) {
    for (unsigned n = 0; n < 4; ++n) {
      const uint32_t selection = selectionOf(n), component = selection & 3;
      colour[n] = 0;
      if (format == kInvalidFormat)
        continue;
      if (selection == kSelectsOne)
        colour[n] = isInteger(kind) ? 1 : halves ? 0x3c00 : bitsOfFloat(1);
      if (selection < kSelectsComponent)
        continue;
      if (const uint32_t bits = bitsOfComponent(format, component))
        colour[n] = readElement(
            kind, bits, words[first[component] / 32] >> first[component] % 32 & (0xffffffffu >> (32 - bits)), halves);
    }
    return;
  }
  for (unsigned component = 0; component < 4; ++component) {
    const uint32_t bits = bitsOfComponent(format, component);
    if (bits == 0)
      continue;
    unsigned from = 0; // the first register stands for what is not there
    for (unsigned n = 0; n < at[kElementCount]; ++n)
      if (selectionOf(n) == kSelectsComponent + component) {
        from = n;
        break;
      }
    words[first[component] / 32] |= writeElement(kind, bits, colour[from], halves) << first[component] % 32;
  }
  for (uint32_t n = 0; n < bytes; ++n)
    place[n] = (unsigned char)(words[n / 4] >> (n % 4 * 8));
}

} // namespace hiplz::amdgcn
