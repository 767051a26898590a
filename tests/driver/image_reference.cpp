// SPDX-License-Identifier: MIT
// See image_reference.h.
#include "image_reference.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ostream>
#include <random>

namespace {

constexpr auto R = ZE_IMAGE_FORMAT_SWIZZLE_R, G = ZE_IMAGE_FORMAT_SWIZZLE_G, B = ZE_IMAGE_FORMAT_SWIZZLE_B,
               A = ZE_IMAGE_FORMAT_SWIZZLE_A, O = ZE_IMAGE_FORMAT_SWIZZLE_0, I = ZE_IMAGE_FORMAT_SWIZZLE_1;
constexpr auto UINT = ZE_IMAGE_FORMAT_TYPE_UINT, SINT = ZE_IMAGE_FORMAT_TYPE_SINT, UNORM = ZE_IMAGE_FORMAT_TYPE_UNORM,
               SNORM = ZE_IMAGE_FORMAT_TYPE_SNORM, FLOAT = ZE_IMAGE_FORMAT_TYPE_FLOAT;

float singleOf(uint16_t half) {
  const int exponent = half >> 10 & 31, fraction = half & 0x3ff;
  const double magnitude = exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24);
  return static_cast<float>(half & 0x8000 ? -magnitude : magnitude);
}

/// The half nearest to a number, found by looking at all of them.
uint16_t nearestHalf(double value) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (std::isnan(value))
    return 0x7e00;
  if (magnitude >= 65520)
    return sign | 0x7c00;
  uint16_t low = 0, high = 0x7bff; // magnitude is between the two
  while (high - low > 1) {
    const uint16_t middle = static_cast<uint16_t>((low + high) / 2);
    (singleOf(middle) <= magnitude ? low : high) = middle;
  }
  const double toLow = magnitude - singleOf(low), toHigh = singleOf(high) - magnitude;
  return sign | (toLow < toHigh || (toLow == toHigh && low % 2 == 0) ? low : high);
}

template <class T> double load(const uint8_t *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return static_cast<double>(value);
}

template <class T> void store(uint8_t *to, double value) {
  const auto converted = static_cast<T>(value);
  std::memcpy(to, &converted, sizeof converted);
}

/// Into the range, NaN to zero.
double saturated(double value, double low, double high) { return std::isnan(value) ? 0 : std::clamp(value, low, high); }

/// In single precision, as OpenCL C writes the conversions: convert_uchar_sat_rte(f * 255.0f).
double times(double value, double most) { return static_cast<float>(value) * static_cast<float>(most); }

uint32_t bitsPerComponent(const Format &format) { return 8 * format.texelBytes / format.components; }

double loadComponent(const Format &format, const uint8_t *from) {
  const uint32_t bits = bitsPerComponent(format);
  switch (format.format.type) {
  case UINT: return bits == 8 ? load<uint8_t>(from) : bits == 16 ? load<uint16_t>(from) : load<uint32_t>(from);
  case SINT: return bits == 8 ? load<int8_t>(from) : bits == 16 ? load<int16_t>(from) : load<int32_t>(from);
  case UNORM: return bits == 8 ? load<uint8_t>(from) / 255 : load<uint16_t>(from) / 65535;
  case SNORM: return std::max(bits == 8 ? load<int8_t>(from) / 127 : load<int16_t>(from) / 32767, -1.0);
  default: return bits == 16 ? singleOf(static_cast<uint16_t>(load<uint16_t>(from))) : load<float>(from);
  }
}

void storeComponent(const Format &format, uint8_t *to, double value) {
  const uint32_t bits = bitsPerComponent(format);
  const double most = std::ldexp(1, static_cast<int>(bits)) - 1, half = std::floor(most / 2);
  switch (format.format.type) {
  case UINT: value = saturated(value, 0, most); break;
  case SINT: value = saturated(value, -half - 1, half); break;
  case UNORM: value = std::nearbyint(saturated(times(value, most), 0, most)); break;
  case SNORM: value = std::nearbyint(saturated(times(value, half), -half - 1, half)); break;
  default:
    if (bits == 32)
      return store<float>(to, value);
    const uint16_t stored = nearestHalf(value);
    std::memcpy(to, &stored, sizeof stored);
    return;
  }
  const auto whole = static_cast<int64_t>(value);
  std::memcpy(to, &whole, bits / 8);
}

/// Packed layouts: the lowest bit and the number of bits of each component.
std::vector<std::pair<uint32_t, uint32_t>> packing(ze_image_format_layout_t layout) {
  switch (layout) {
  case ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2: return {{0, 10}, {10, 10}, {20, 10}, {30, 2}};
  case ZE_IMAGE_FORMAT_LAYOUT_5_6_5: return {{11, 5}, {5, 6}, {0, 5}};
  case ZE_IMAGE_FORMAT_LAYOUT_5_5_5_1: return {{10, 5}, {5, 5}, {0, 5}, {15, 1}};
  default: return {};
  }
}

} // namespace

std::ostream &operator<<(std::ostream &out, const Format &format) { return out << format.name; }

const std::vector<Format> &allFormats() {
  static const std::vector<Format> formats = [] {
    struct Layout {
      const char *name;
      ze_image_format_layout_t layout;
      uint32_t bytes, components, order;
      std::array<ze_image_format_swizzle_t, 4> swizzle;
    };
    const Layout layouts[] = {
        {"R8", ZE_IMAGE_FORMAT_LAYOUT_8, 1, 1, 0x10b0, {R, O, O, I}},
        {"RG8", ZE_IMAGE_FORMAT_LAYOUT_8_8, 2, 2, 0x10b2, {R, G, O, I}},
        {"RGBA8", ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, 4, 4, 0x10b5, {R, G, B, A}},
        {"R16", ZE_IMAGE_FORMAT_LAYOUT_16, 2, 1, 0x10b0, {R, O, O, I}},
        {"RG16", ZE_IMAGE_FORMAT_LAYOUT_16_16, 4, 2, 0x10b2, {R, G, O, I}},
        {"RGBA16", ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16, 8, 4, 0x10b5, {R, G, B, A}},
        {"R32", ZE_IMAGE_FORMAT_LAYOUT_32, 4, 1, 0x10b0, {R, O, O, I}},
        {"RG32", ZE_IMAGE_FORMAT_LAYOUT_32_32, 8, 2, 0x10b2, {R, G, O, I}},
        {"RGBA32", ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32, 16, 4, 0x10b5, {R, G, B, A}},
    };
    struct Type {
      const char *name;
      ze_image_format_type_t type;
      uint32_t of8, of16, of32; ///< CLK_... of the widths; 0: none
    };
    const Type types[] = {{" UINT", UINT, 0x10da, 0x10db, 0x10dc},
                          {" SINT", SINT, 0x10d7, 0x10d8, 0x10d9},
                          {" UNORM", UNORM, 0x10d2, 0x10d3, 0},
                          {" SNORM", SNORM, 0x10d0, 0x10d1, 0},
                          {" FLOAT", FLOAT, 0, 0x10dd, 0x10de}};
    static std::vector<std::string> names;
    names.reserve(64); // what they are called must stay where it is
    std::vector<Format> all;
    auto add = [&](const std::string &name, ze_image_format_layout_t layout, ze_image_format_type_t type,
                   std::array<ze_image_format_swizzle_t, 4> swizzle, uint32_t bytes, uint32_t components,
                   uint32_t dataType, uint32_t order) {
      names.push_back(name);
      const ze_image_format_t format{layout, type, swizzle[0], swizzle[1], swizzle[2], swizzle[3]};
      all.push_back({names.back().c_str(), format, bytes, components, dataType, order});
    };
    for (const Layout &layout : layouts)
      for (const Type &type : types) {
        const uint32_t bytes = layout.bytes / layout.components;
        if (const uint32_t dataType = bytes == 1 ? type.of8 : bytes == 2 ? type.of16 : type.of32)
          add(std::string(layout.name) + type.name, layout.layout, type.type, layout.swizzle, layout.bytes,
              layout.components, dataType, layout.order);
      }
    add("RGB10A2 UNORM", ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, UNORM, {R, G, B, A}, 4, 4, 0x10e0, 0x10b5);
    add("R5G6B5 UNORM", ZE_IMAGE_FORMAT_LAYOUT_5_6_5, UNORM, {R, G, B, I}, 2, 3, 0x10d4, 0x10b4);
    add("RGB5A1 UNORM", ZE_IMAGE_FORMAT_LAYOUT_5_5_5_1, UNORM, {R, G, B, A}, 2, 4, 0x10d5, 0x10b5);
    add("BGRA8 UNORM", ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, UNORM, {B, G, R, A}, 4, 4, 0x10d2, 0x10b6);
    add("ARGB8 UINT", ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, UINT, {G, B, A, R}, 4, 4, 0x10da, 0x10b7);
    add("ABGR8 UNORM", ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, UNORM, {A, B, G, R}, 4, 4, 0x10d2, 0x10c3);
    add("A8 UNORM", ZE_IMAGE_FORMAT_LAYOUT_8, UNORM, {O, O, O, R}, 1, 1, 0x10d2, 0x10b1);
    add("RA16 FLOAT", ZE_IMAGE_FORMAT_LAYOUT_16_16, FLOAT, {R, O, O, G}, 4, 2, 0x10dd, 0x10b3);
    add("L8 UNORM", ZE_IMAGE_FORMAT_LAYOUT_8, UNORM, {R, R, R, I}, 1, 1, 0x10d2, 0x10b9);
    add("I32 FLOAT", ZE_IMAGE_FORMAT_LAYOUT_32, FLOAT, {R, R, R, R}, 4, 1, 0x10de, 0x10b8);
    return all;
  }();
  return formats;
}

const Format &formatNamed(const std::string &name) {
  return *std::find_if(allFormats().begin(), allFormats().end(),
                       [&](const Format &format) { return name == format.name; });
}

Picture Picture::random(const Format &format, ze_image_type_t type, std::array<uint32_t, 3> size, uint32_t seed) {
  Picture picture{format, type, size, {}};
  picture.bytes.resize(picture.count() * format.texelBytes);
  std::mt19937 random(seed);
  for (uint8_t &byte : picture.bytes)
    byte = static_cast<uint8_t>(random());
  if (format.format.type == FLOAT) {
    const uint32_t bytes = bitsPerComponent(format) / 8;
    for (size_t at = bytes - 1; at < picture.bytes.size(); at += bytes) // numbers of moderate sizes
      picture.bytes[at] = (picture.bytes[at] & 0x80) | (bytes == 2 ? 0x38 : 0x3f) | (picture.bytes[at] & 1);
  }
  return picture;
}

uint32_t Picture::dimensions() const {
  return type == ZE_IMAGE_TYPE_1D || type == ZE_IMAGE_TYPE_BUFFER    ? 1
         : type == ZE_IMAGE_TYPE_2D || type == ZE_IMAGE_TYPE_1DARRAY ? 2
                                                                     : 3;
}

ze_image_desc_t Picture::desc() const {
  ze_image_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC;
  desc.flags = ZE_IMAGE_FLAG_KERNEL_WRITE;
  desc.type = type;
  desc.format = format.format;
  desc.width = type == ZE_IMAGE_TYPE_BUFFER ? uint64_t{size[0]} * format.texelBytes : size[0];
  desc.height = layers() == 1 ? 0 : size[1];
  desc.depth = layers() == 2 ? 0 : size[2];
  desc.arraylevels = layers() < 3 ? size[layers()] : 0;
  return desc;
}

Color Picture::texel(int64_t x, int64_t y, int64_t z) const {
  const ze_image_format_swizzle_t swizzle[] = {format.format.x, format.format.y, format.format.z, format.format.w};
  if (x < 0 || y < 0 || z < 0 || x >= size[0] || y >= size[1] || z >= size[2])
    return {0, 0, 0, swizzle[3] == I ? 1.0 : 0.0};
  const uint8_t *from =
      const_cast<Picture *>(this)->at(static_cast<uint32_t>(x), static_cast<uint32_t>(y), static_cast<uint32_t>(z));
  double component[6] = {0, 0, 0, 1, 0, 1};
  const auto packed = packing(format.format.layout);
  uint32_t word = 0;
  if (!packed.empty())
    std::memcpy(&word, from, format.texelBytes);
  for (uint32_t c = 0; c < format.components; ++c) {
    if (packed.empty())
      component[c] = loadComponent(format, from + c * format.texelBytes / format.components);
    else
      component[c] = (word >> packed[c].first & ((1u << packed[c].second) - 1)) / ((1u << packed[c].second) - 1.0);
  }
  return {component[swizzle[0]], component[swizzle[1]], component[swizzle[2]], component[swizzle[3]]};
}

void Picture::write(uint32_t x, uint32_t y, uint32_t z, const Color &color) {
  const ze_image_format_swizzle_t swizzle[] = {format.format.x, format.format.y, format.format.z, format.format.w};
  uint8_t *to = at(x, y, z);
  const auto packed = packing(format.format.layout);
  uint32_t word = 0;
  for (uint32_t c = 0; c < format.components; ++c) {
    const auto *from = std::find(std::begin(swizzle), std::end(swizzle), static_cast<ze_image_format_swizzle_t>(c));
    const double value = color[static_cast<size_t>(from - swizzle)];
    if (packed.empty()) {
      storeComponent(format, to + c * format.texelBytes / format.components, value);
      continue;
    }
    const double most = (1u << packed[c].second) - 1.0;
    word |= static_cast<uint32_t>(std::nearbyint(saturated(times(value, most), 0, most))) << packed[c].first;
  }
  if (!packed.empty())
    std::memcpy(to, &word, format.texelBytes);
}

Color Picture::sample(const ze_sampler_desc_t &sampler, const std::array<float, 3> &coordinate) const {
  int64_t first[3] = {}, second[3] = {};
  double fraction[3] = {};
  const bool linear = sampler.filterMode == ZE_SAMPLER_FILTER_MODE_LINEAR;
  for (uint32_t d = 0; d < dimensions(); ++d) {
    const double n = size[d], s = coordinate[d];
    const auto last = static_cast<int64_t>(n) - 1;
    auto clamped = [&](int64_t i) { return std::clamp<int64_t>(i, 0, last); };
    auto floorOf = [](double value) { return static_cast<int64_t>(std::floor(value)); };
    if (d == layers()) {
      first[d] = second[d] = clamped(static_cast<int64_t>(std::nearbyint(s)));
      continue;
    }
    double u = sampler.isNormalized ? s * n : s;
    if (sampler.addressMode == ZE_SAMPLER_ADDRESS_MODE_REPEAT)
      u = (s - std::floor(s)) * n;
    else if (sampler.addressMode == ZE_SAMPLER_ADDRESS_MODE_MIRROR)
      u = std::fabs(s - 2 * std::nearbyint(0.5 * s)) * n;
    first[d] = floorOf(linear ? u - 0.5 : u);
    second[d] = linear ? first[d] + 1 : first[d];
    fraction[d] = linear ? u - 0.5 - std::floor(u - 0.5) : 0;
    for (int64_t *i : {&first[d], &second[d]})
      switch (sampler.addressMode) {
      case ZE_SAMPLER_ADDRESS_MODE_CLAMP: *i = clamped(*i); break;
      case ZE_SAMPLER_ADDRESS_MODE_MIRROR: *i = clamped(*i); break;
      case ZE_SAMPLER_ADDRESS_MODE_REPEAT: *i = (*i + last + 1) % (last + 1); break;
      default: break;
      }
  }
  if (!linear)
    return texel(first[0], first[1], first[2]);
  Color sum{};
  for (int corner = 0; corner < 8; ++corner) {
    double weight = 1;
    int64_t at[3];
    for (int d = 0; d < 3; ++d) {
      const bool upper = corner >> d & 1;
      weight *= upper ? fraction[d] : 1 - fraction[d];
      at[d] = upper ? second[d] : first[d];
    }
    const Color color = texel(at[0], at[1], at[2]);
    for (size_t c = 0; c < 4; ++c)
      sum[c] += weight * color[c];
  }
  return sum;
}
