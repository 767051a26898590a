// SPDX-License-Identifier: MIT
// See image_format.h. In packed layouts red lies where it does in OpenCL's packed short formats (highest) and in the formats of
// four bytes that GPUs have (lowest). Kernels are told the nearest type of OpenCL C where that has none of its own.
#include "cpu/objects/image_format.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace hiplz::cpu {
namespace {

// SPIR-V's numbers of channel orders and data types, as far as images have them.
enum Order : uint32_t {
  kR,
  kA,
  kRG,
  kRA,
  kRGB,
  kRGBA,
  kBGRA,
  kARGB,
  kIntensity,
  kLuminance,
  kRx,
  kRGx,
  kRGBx,
  kDepth,
  kABGR = 19
};
enum DataType : uint32_t {
  kSnorm8,
  kSnorm16,
  kUnorm8,
  kUnorm16,
  kUnorm565,
  kUnorm555,
  kSint8 = 7,
  kSint16,
  kSint32,
  kUint8,
  kUint16,
  kUint32,
  kHalf,
  kFloat,
  kUnorm1010102 = 16,
  kNone = UINT32_MAX,
};

struct Layout {
  ze_image_format_layout_t layout;
  uint32_t texelBytes, components;
  std::array<uint8_t, 4> bits, shift;
};
constexpr Layout kLayouts[] = {
    {ZE_IMAGE_FORMAT_LAYOUT_8, 1, 1, {8}, {0}},
    {ZE_IMAGE_FORMAT_LAYOUT_16, 2, 1, {16}, {0}},
    {ZE_IMAGE_FORMAT_LAYOUT_32, 4, 1, {32}, {0}},
    {ZE_IMAGE_FORMAT_LAYOUT_8_8, 2, 2, {8, 8}, {0, 8}},
    {ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, 4, 4, {8, 8, 8, 8}, {0, 8, 16, 24}},
    {ZE_IMAGE_FORMAT_LAYOUT_16_16, 4, 2, {16, 16}, {0, 16}},
    {ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16, 8, 4, {16, 16, 16, 16}, {0, 16, 32, 48}},
    {ZE_IMAGE_FORMAT_LAYOUT_32_32, 8, 2, {32, 32}, {0, 32}},
    {ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32, 16, 4, {32, 32, 32, 32}, {0, 32, 64, 96}},
    {ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, 4, 4, {10, 10, 10, 2}, {0, 10, 20, 30}},
    {ZE_IMAGE_FORMAT_LAYOUT_11_11_10, 4, 3, {11, 11, 10}, {0, 11, 22}},
    {ZE_IMAGE_FORMAT_LAYOUT_5_6_5, 2, 3, {5, 6, 5}, {11, 5, 0}},
    {ZE_IMAGE_FORMAT_LAYOUT_5_5_5_1, 2, 4, {5, 5, 5, 1}, {10, 5, 0, 15}},
    {ZE_IMAGE_FORMAT_LAYOUT_4_4_4_4, 2, 4, {4, 4, 4, 4}, {8, 4, 0, 12}},
};

/// The number by which kernels know a format; kNone if the driver has no such format.
DataType dataTypeOf(const Layout &layout, ze_image_format_type_t type) {
  const bool isUnorm = type == ZE_IMAGE_FORMAT_TYPE_UNORM, isFloat = type == ZE_IMAGE_FORMAT_TYPE_FLOAT;
  switch (layout.layout) {
  case ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2:
    if (isUnorm)
      return kUnorm1010102;
    break;
  case ZE_IMAGE_FORMAT_LAYOUT_11_11_10: return isFloat ? kHalf : kNone;
  case ZE_IMAGE_FORMAT_LAYOUT_5_6_5: return isUnorm ? kUnorm565 : kNone;
  case ZE_IMAGE_FORMAT_LAYOUT_5_5_5_1: return isUnorm ? kUnorm555 : kNone;
  case ZE_IMAGE_FORMAT_LAYOUT_4_4_4_4: return isUnorm ? kUnorm8 : kNone;
  default: break;
  }
  const bool is8 = layout.bits[0] == 8, is16 = layout.bits[0] == 16 || layout.bits[0] == 10;
  switch (type) {
  case ZE_IMAGE_FORMAT_TYPE_UINT: return is8 ? kUint8 : is16 ? kUint16 : kUint32;
  case ZE_IMAGE_FORMAT_TYPE_SINT: return is8 ? kSint8 : is16 ? kSint16 : kSint32;
  case ZE_IMAGE_FORMAT_TYPE_UNORM: return is8 ? kUnorm8 : kUnorm16;
  case ZE_IMAGE_FORMAT_TYPE_SNORM: return is8 ? kSnorm8 : kSnorm16;
  case ZE_IMAGE_FORMAT_TYPE_FLOAT: return is8 ? kNone : is16 ? kHalf : kFloat;
  default: return kNone;
  }
}

ComponentType componentTypeOf(ze_image_format_type_t type) {
  switch (type) {
  case ZE_IMAGE_FORMAT_TYPE_UINT: return kComponentUint;
  case ZE_IMAGE_FORMAT_TYPE_SINT: return kComponentSint;
  case ZE_IMAGE_FORMAT_TYPE_UNORM: return kComponentUnorm;
  case ZE_IMAGE_FORMAT_TYPE_SNORM: return kComponentSnorm;
  default: return kComponentFloat;
  }
}

using Swizzle = std::array<ze_image_format_swizzle_t, 4>;
constexpr auto R = ZE_IMAGE_FORMAT_SWIZZLE_R, G = ZE_IMAGE_FORMAT_SWIZZLE_G, B = ZE_IMAGE_FORMAT_SWIZZLE_B,
               A = ZE_IMAGE_FORMAT_SWIZZLE_A, O = ZE_IMAGE_FORMAT_SWIZZLE_0, I = ZE_IMAGE_FORMAT_SWIZZLE_1,
               X = ZE_IMAGE_FORMAT_SWIZZLE_X;
constexpr uint32_t kSwizzleDepth = 7; // ZE_IMAGE_FORMAT_SWIZZLE_D: what the only component is called
constexpr struct {
  Swizzle swizzle;
  Order order;
} kOrders[] = {{{R, O, O, I}, kR},    {{R, O, O, X}, kRx},        {{O, O, O, R}, kA},        {{O, O, O, A}, kA},
               {{R, G, O, I}, kRG},   {{R, G, O, X}, kRGx},       {{R, O, O, G}, kRA},       {{R, G, B, I}, kRGB},
               {{R, G, B, X}, kRGBx}, {{B, G, R, A}, kBGRA},      {{G, B, A, R}, kARGB},     {{A, R, G, B}, kARGB},
               {{A, B, G, R}, kABGR}, {{R, R, R, I}, kLuminance}, {{R, R, R, R}, kIntensity}};

/// The order that the swizzle is in OpenCL, or else the one with as many components.
Order orderOf(const Swizzle &swizzle, uint32_t components) {
  for (const auto &entry : kOrders)
    if (entry.swizzle == swizzle)
      return entry.order;
  return components == 1 ? kR : components == 2 ? kRG : components == 3 ? kRGB : kRGBA;
}

} // namespace

bool describeFormat(const ze_image_format_t &format, ImageDescriptor &descriptor) {
  const Layout *layout = std::find_if(std::begin(kLayouts), std::end(kLayouts),
                                      [&](const Layout &entry) { return entry.layout == format.layout; });
  if (layout == std::end(kLayouts))
    return false;
  const DataType dataType = dataTypeOf(*layout, format.type);
  Swizzle swizzle{format.x, format.y, format.z, format.w};
  const bool isDepth = static_cast<uint32_t>(format.x) == kSwizzleDepth && layout->components == 1;
  if (isDepth)
    swizzle[0] = R;
  if (dataType == kNone || std::any_of(swizzle.begin(), swizzle.end(), [](auto source) { return source > X; }))
    return false;
  descriptor.texelBytes = layout->texelBytes;
  descriptor.type = componentTypeOf(format.type);
  descriptor.components = layout->components;
  std::copy(layout->bits.begin(), layout->bits.end(), descriptor.bits);
  std::copy(layout->shift.begin(), layout->shift.end(), descriptor.shift);
  std::fill_n(descriptor.written, 4, uint8_t{kChannelZero});
  for (uint32_t channel = 4; channel-- > 0;) { // of two channels from one component, the first is written there
    const uint32_t source = swizzle[channel];
    const bool isThere = source < layout->components;
    // A component that is not there, and one that nobody cares for, is black and opaque.
    const bool isOne = source == I || ((source == X || source <= A) && channel == 3);
    descriptor.channel[channel] = static_cast<uint8_t>(isThere ? source : uint32_t(isOne ? kChannelOne : kChannelZero));
    if (isThere)
      descriptor.written[source] = static_cast<uint8_t>(channel);
  }
  descriptor.borderAlpha = swizzle[3] == I || swizzle[3] == X;
  descriptor.order = isDepth ? kDepth : orderOf(swizzle, layout->components);
  descriptor.dataType = dataType;
  return true;
}

} // namespace hiplz::cpu
