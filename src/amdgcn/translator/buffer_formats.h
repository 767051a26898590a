// SPDX-License-Identifier: MIT
// The formats of typed buffers: components of some bits each, which stand for fractions, integers or numbers. Instructions and descriptors number
// them, each generation in its own way; the translator makes one word of the number (formatOf), which the function that reads and writes elements
// (library/typed_elements.h) takes apart. Knows no LLVM.
#pragma once
#include <cstdint>

namespace hiplz::amdgcn {

/// The meaning of a component's bits.
enum FormatKind : uint32_t {
  kUnsignedFraction,
  kSignedFraction,
  kUnsignedNumber, ///< an integer that is read as a float
  kSignedNumber,
  kUnsignedInteger,
  kSignedInteger,
  kFloat ///< of 10 and 11 bits without a sign
};

/// "Invalid": nothing is read or written. And numbers that mean nothing.
constexpr uint32_t kInvalidFormat = 0, kUnknownFormat = ~0u;

constexpr uint32_t bytesOf(uint32_t format) { return format & 31; }
constexpr FormatKind kindOf(uint32_t format) { return static_cast<FormatKind>(format >> 5 & 7); }
/// The bits of a component, counted from the lowest ones of an element; 0 if there is none.
constexpr uint32_t bitsOfComponent(uint32_t format, unsigned component) { return format >> (8 + 6 * component) & 63; }

/// A row of the manuals' tables: the components, and the kinds that there are in the order of their numbers, on gfx10 and on gfx11.
struct FormatGroup {
  uint8_t bits[4];
  uint8_t kinds10, kinds11;
};

constexpr uint8_t kAllKinds = 0x7f, kNoFloats = 0x3f, kWords = 0x70, kFloatsAlone = 0x40, kUnscaled = 0x33;

// The manual's names have the highest component first: 2_10_10_10 has two bits for the last one.
inline constexpr FormatGroup kFormats[] = {{{8}, kNoFloats, kNoFloats},
                                           {{16}, kAllKinds, kAllKinds},
                                           {{8, 8}, kNoFloats, kNoFloats},
                                           {{32}, kWords, kWords},
                                           {{16, 16}, kAllKinds, kAllKinds},
                                           {{11, 11, 10}, kAllKinds, kFloatsAlone},
                                           {{10, 11, 11}, kAllKinds, kFloatsAlone},
                                           {{2, 10, 10, 10}, kNoFloats, kUnscaled},
                                           {{10, 10, 10, 2}, kNoFloats, kNoFloats},
                                           {{8, 8, 8, 8}, kNoFloats, kNoFloats},
                                           {{32, 32}, kWords, kWords},
                                           {{16, 16, 16, 16}, kAllKinds, kAllKinds},
                                           {{32, 32, 32}, kWords, kWords},
                                           {{32, 32, 32, 32}, kWords, kWords}};

constexpr unsigned kFormatNumbers = 128; ///< that a descriptor or an instruction may name

/// The format that a processor of the generation calls by the number.
constexpr uint32_t formatOf(unsigned generation, unsigned number) {
  unsigned next = 1;
  for (const FormatGroup &formats : kFormats) {
    const uint8_t kinds = generation == 11 ? formats.kinds11 : formats.kinds10;
    for (uint32_t kind = 0; kind < 7; ++kind) {
      if (!(kinds >> kind & 1) || next++ != number)
        continue;
      uint32_t format = kind << 5, bits = 0;
      for (unsigned n = 0; n < 4; ++n) {
        format |= uint32_t{formats.bits[n]} << (8 + 6 * n);
        bits += formats.bits[n];
      }
      return format | bits / 8;
    }
  }
  return number == 0 ? kInvalidFormat : kUnknownFormat;
}
static_assert(kindOf(formatOf(10, 22)) == kFloat && bytesOf(formatOf(10, 77)) == 16 &&
              formatOf(10, 78) == kUnknownFormat);
static_assert(bytesOf(formatOf(11, 63)) == 16 && formatOf(11, 64) == kUnknownFormat);

/// The words of a lane's access: ImageOperation's address (image_access.h).
enum TypedAccess : uint32_t {
  kElementAddressLow,
  kElementAddressHigh,
  kElementFormat,
  kElementSelection, ///< for each component in registers, 3 bits that say which one of the element it is, or 0 or 1
  kElementCount,     ///< components in registers
  kElementHalves,    ///< 1 if those have 16 bits
  kElementIndex,     ///< of a texel, if the buffer is a texture's
  kElementWords
};
constexpr uint32_t kSelectsOne = 1, kSelectsComponent = 4; ///< of a selection; the first component, the others follow

} // namespace hiplz::amdgcn
