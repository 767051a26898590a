// SPDX-License-Identifier: MIT
// A plain model of images: formats by C types, samplers by the formulas of "Image Addressing and Filtering" in
// OpenCL C's specification, in double precision.
#pragma once
#include <level_zero/ze_api.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// Numbers of a colour; of integer formats, whole ones.
using Color = std::array<double, 4>;

struct Format {
  const char *name;
  ze_image_format_t format;
  uint32_t texelBytes, components;
  uint32_t dataType, order; ///< as OpenCL C names them: CLK_UNORM_INT8 ...

  bool isInteger() const { return format.type <= ZE_IMAGE_FORMAT_TYPE_SINT; }
  bool isSigned() const { return format.type == ZE_IMAGE_FORMAT_TYPE_SINT; }
};
std::ostream &operator<<(std::ostream &out, const Format &format);

/// All that the driver has, with the channels in their order; the last ones with channels in other orders.
const std::vector<Format> &allFormats();
/// The format of that name.
const Format &formatNamed(const std::string &name);

/// Texels without padding.
struct Picture {
  Format format;
  ze_image_type_t type;
  std::array<uint32_t, 3> size{1, 1, 1}; ///< with the layers of an array in their dimension
  std::vector<uint8_t> bytes;

  /// With every bit of its texels random, but no infinities and no NaN.
  static Picture random(const Format &format, ze_image_type_t type, std::array<uint32_t, 3> size, uint32_t seed);

  ze_image_desc_t desc() const;
  size_t count() const { return size_t{size[0]} * size[1] * size[2]; }
  uint8_t *at(uint32_t x, uint32_t y, uint32_t z) {
    return bytes.data() + ((size_t{z} * size[1] + y) * size[0] + x) * format.texelBytes;
  }
  /// The colour of a texel; outside of the picture that of the border.
  Color texel(int64_t x, int64_t y, int64_t z) const;
  /// Stores a colour as write_image does. Integers that are not the format's are those of the words of the colour.
  void write(uint32_t x, uint32_t y, uint32_t z, const Color &color);
  /// The coordinates after a sampler.
  Color sample(const ze_sampler_desc_t &sampler, const std::array<float, 3> &coordinate) const;

  uint32_t dimensions() const;
  /// The dimension of the layers, or 3.
  uint32_t layers() const { return type == ZE_IMAGE_TYPE_1DARRAY ? 1 : type == ZE_IMAGE_TYPE_2DARRAY ? 2 : 3; }
};
