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

/// Into the range, NaN to zero.
double saturated(double value, double low, double high) { return std::isnan(value) ? 0 : std::clamp(value, low, high); }

/// In single precision, as OpenCL C writes the conversions: convert_uchar_sat_rte(f * 255.0f). With 32 bits that would not do.
double times(double value, double most) {
  return most > 0x1p16 ? static_cast<double>(static_cast<float>(value)) * most
                       : static_cast<double>(static_cast<float>(value) * static_cast<float>(most));
}

struct Component {
  uint32_t lowest, bits; ///< in the texel
};

std::vector<Component> componentsOf(const Format &format) {
  switch (format.format.layout) {
  case ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2: return {{0, 10}, {10, 10}, {20, 10}, {30, 2}};
  case ZE_IMAGE_FORMAT_LAYOUT_11_11_10: return {{0, 11}, {11, 11}, {22, 10}};
  case ZE_IMAGE_FORMAT_LAYOUT_5_6_5: return {{11, 5}, {5, 6}, {0, 5}};
  case ZE_IMAGE_FORMAT_LAYOUT_5_5_5_1: return {{10, 5}, {5, 5}, {0, 5}, {15, 1}};
  case ZE_IMAGE_FORMAT_LAYOUT_4_4_4_4: return {{8, 4}, {4, 4}, {0, 4}, {12, 4}};
  default: break;
  }
  std::vector<Component> components;
  const uint32_t bits = 8 * format.texelBytes / format.components;
  for (uint32_t c = 0; c < format.components; ++c)
    components.push_back({c * bits, bits});
  return components;
}

uint32_t load(const uint8_t *texel, const Component &component) {
  uint32_t raw = 0;
  for (uint32_t bit = 0; bit < component.bits; ++bit)
    raw |= (texel[(component.lowest + bit) / 8] >> (component.lowest + bit) % 8 & 1u) << bit;
  return raw;
}

void store(uint8_t *texel, const Component &component, uint32_t raw) {
  for (uint32_t bit = 0; bit < component.bits; ++bit) {
    const uint32_t at = component.lowest + bit;
    texel[at / 8] = static_cast<uint8_t>((texel[at / 8] & ~(1u << at % 8)) | (raw >> bit & 1u) << at % 8);
  }
}

/// Floats of ten and eleven bits have five bits of exponent, as halfs have, and no sign.
float smallFloat(uint32_t raw, uint32_t bits) { return singleOf(static_cast<uint16_t>(raw << (15 - bits))); }

uint32_t nearestSmallFloat(double value, uint32_t bits) {
  const uint32_t infinity = 31u << (bits - 5);
  if (std::isnan(value))
    return infinity + 1;
  if (value <= 0)
    return 0;
  if (std::isinf(value))
    return infinity;
  uint32_t best = 0; // even ones at the same distance; what is too large has no infinity as its neighbour
  for (uint32_t raw = 1; raw < infinity; ++raw) {
    const double distance = std::fabs(smallFloat(raw, bits) - value), least = std::fabs(smallFloat(best, bits) - value);
    if (distance < least || (distance == least && raw % 2 == 0))
      best = raw;
  }
  return best;
}

double decoded(ze_image_format_type_t type, uint32_t raw, uint32_t bits) {
  const double most = std::ldexp(1, static_cast<int>(bits)) - 1, half = std::floor(most / 2);
  const double number = raw > half ? raw - most - 1 : raw; // of two's complement
  switch (type) {
  case UINT: return raw;
  case SINT: return number;
  case UNORM: return raw / most;
  case SNORM: return std::max(number / half, -1.0);
  default: break;
  }
  float single;
  std::memcpy(&single, &raw, sizeof single);
  return bits == 32   ? single
         : bits == 16 ? singleOf(static_cast<uint16_t>(raw))
         : bits == 2  ? raw / 3.0
                      : smallFloat(raw, bits);
}

uint32_t encoded(ze_image_format_type_t type, double value, uint32_t bits) {
  const double most = std::ldexp(1, static_cast<int>(bits)) - 1, half = std::floor(most / 2);
  if (type == FLOAT && bits == 2)
    type = UNORM;
  switch (type) {
  case UINT: value = saturated(value, 0, most); break;
  case SINT: value = saturated(value, -half - 1, half); break;
  case UNORM: value = std::nearbyint(saturated(times(value, most), 0, most)); break;
  case SNORM: value = std::nearbyint(saturated(times(value, half), -half - 1, half)); break;
  default: {
    const auto single = static_cast<float>(value);
    uint32_t raw;
    std::memcpy(&raw, &single, sizeof raw);
    return bits == 32 ? raw : bits == 16 ? nearestHalf(value) : nearestSmallFloat(value, bits);
  }
  }
  return static_cast<uint32_t>(static_cast<int64_t>(value));
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
                          {" UNORM", UNORM, 0x10d2, 0x10d3, 0x10d3},
                          {" SNORM", SNORM, 0x10d0, 0x10d1, 0x10d1},
                          {" FLOAT", FLOAT, 0, 0x10dd, 0x10de}};
    static std::vector<std::string> names;
    names.reserve(96); // what they are called must stay where it is
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
    add("RGB10A2 UINT", ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, UINT, {R, G, B, A}, 4, 4, 0x10db, 0x10b5);
    add("RGB10A2 SINT", ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, SINT, {R, G, B, A}, 4, 4, 0x10d8, 0x10b5);
    add("RGB10A2 SNORM", ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, SNORM, {R, G, B, A}, 4, 4, 0x10d1, 0x10b5);
    add("RGB10A2 FLOAT", ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, FLOAT, {R, G, B, A}, 4, 4, 0x10dd, 0x10b5);
    add("R11G11B10 FLOAT", ZE_IMAGE_FORMAT_LAYOUT_11_11_10, FLOAT, {R, G, B, I}, 4, 3, 0x10dd, 0x10b4);
    add("R5G6B5 UNORM", ZE_IMAGE_FORMAT_LAYOUT_5_6_5, UNORM, {R, G, B, I}, 2, 3, 0x10d4, 0x10b4);
    add("RGB5A1 UNORM", ZE_IMAGE_FORMAT_LAYOUT_5_5_5_1, UNORM, {R, G, B, A}, 2, 4, 0x10d5, 0x10b5);
    add("RGBA4 UNORM", ZE_IMAGE_FORMAT_LAYOUT_4_4_4_4, UNORM, {R, G, B, A}, 2, 4, 0x10d2, 0x10b5);
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
  if (format.format.type != FLOAT)
    return picture;
  for (size_t at = 0; at < picture.bytes.size(); at += format.texelBytes)
    for (const Component &component : componentsOf(format)) { // numbers of moderate sizes
      const uint32_t bits = component.bits, exponentBits = bits == 32 ? 8 : 5;
      const uint32_t lowest = bits - exponentBits - (bits >= 16); // of the exponent; there may be a sign above
      if (bits == 2)
        continue;
      const uint32_t raw = load(&picture.bytes[at], component), field = ((1u << exponentBits) - 1) << lowest;
      const uint32_t exponent = (1u << (exponentBits - 1)) - 1 - (raw >> lowest & 1);
      store(&picture.bytes[at], component, (raw & ~field) | exponent << lowest);
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
  for (uint32_t c = 0; const Component &where : componentsOf(format))
    component[c++] = decoded(format.format.type, load(from, where), where.bits);
  return {component[swizzle[0]], component[swizzle[1]], component[swizzle[2]], component[swizzle[3]]};
}

void Picture::write(uint32_t x, uint32_t y, uint32_t z, const Color &color) {
  const ze_image_format_swizzle_t swizzle[] = {format.format.x, format.format.y, format.format.z, format.format.w};
  for (uint32_t c = 0; const Component &where : componentsOf(format)) {
    const auto *from = std::find(std::begin(swizzle), std::end(swizzle), static_cast<ze_image_format_swizzle_t>(c++));
    store(at(x, y, z), where, encoded(format.format.type, color[static_cast<size_t>(from - swizzle)], where.bits));
  }
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
