// SPDX-License-Identifier: MIT
// What texture and surface objects point to: one descriptor in device memory, the same on every device. The runtime
// writes it, the functions of texture_functions.h and surface_functions.h read it; both include this file.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// The texels of one level of detail, in linear memory.
struct __hiplz_texture_level {
  uint64_t data;        ///< address of the first texel
  uint32_t width;       ///< in texels
  uint32_t height;      ///< 1 for one dimension
  uint32_t depth;       ///< 1 except for three dimensions; layers and faces do not count
  uint32_t row_pitch;   ///< bytes from one row to the next
  uint64_t slice_pitch; ///< bytes from one slice, layer or face to the next
};

struct __hiplz_texture {
  struct __hiplz_texture_level base; ///< the largest level
  uint64_t levels;                   ///< address of all levels, the largest first; 0 if there is only one
  uint64_t srgb;                     ///< address of the 256 floats that 8-bit sRGB colours stand for; 0: linear
  float border[4];                   ///< the colour outside, as floats
  uint32_t border_bits[4];           ///< the same as words of the texel format
  float divisor;                     ///< of integers that are read as fractions; 0: read as they are
  uint32_t level_count;
  uint32_t first_layer; ///< added to the layer of each access
  uint32_t layers;      ///< layers, or layers times faces; 1 without
  float level_bias;
  float min_level; ///< within the levels that there are
  float max_level;
  uint8_t element_bytes;
  uint8_t channels;         ///< 1, 2 or 4
  uint8_t component_shift;  ///< 32 less the bits of a component
  uint8_t component_signed; ///< a signed integer
  uint8_t component_half;   ///< a float of 16 bits
  uint8_t address_mode[3];  ///< hipTextureAddressMode of each dimension
  uint8_t linear_filter;
  uint8_t linear_levels; ///< interpolate between levels of detail
  uint8_t normalized_coords;
  uint8_t unused[1];
};
static_assert(sizeof(struct __hiplz_texture_level) == 32 && offsetof(struct __hiplz_texture_level, slice_pitch) == 24,
              "host and device agree");
static_assert(sizeof(struct __hiplz_texture) == 120 && offsetof(struct __hiplz_texture, border) == 48 &&
                  offsetof(struct __hiplz_texture, element_bytes) == 108,
              "host and device agree");
