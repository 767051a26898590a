// SPDX-License-Identifier: MIT
// The descriptor behind texture and surface objects: one in device memory, the same on every device. The runtime
// writes it, the functions of texture_functions.h and surface_functions.h read it; both include this file. Machine code for AMD's GPUs
// loads the first 32 bytes as the descriptor of an image, hands them to instructions, and reads the format from the next eight.
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

/// A value of `image_mark` that no descriptor of a buffer has.
enum { __hiplz_image_mark = 0x90000000u };

struct __hiplz_texture {
  uint64_t self;         ///< address of this descriptor
  uint32_t reserved;     ///< 0
  uint32_t image_mark;   ///< __hiplz_image_mark
  uint64_t levels;       ///< address of all levels, the largest first; 0 if there is only one
  uint64_t srgb;         ///< address of the 256 floats that 8-bit sRGB colours stand for; 0: linear
  uint32_t channel_type; ///< the format, as HSA numbers it
  uint32_t channel_order;
  struct __hiplz_texture_level base; ///< the largest level
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
  uint8_t reads_integers; ///< texels are read as integers, not as floats
};
static_assert(sizeof(struct __hiplz_texture_level) == 32 && offsetof(struct __hiplz_texture_level, slice_pitch) == 24,
              "host and device agree");
static_assert(sizeof(struct __hiplz_texture) == 144 && offsetof(struct __hiplz_texture, channel_type) == 32 &&
                  offsetof(struct __hiplz_texture, border) == 72 &&
                  offsetof(struct __hiplz_texture, element_bytes) == 132,
              "host and device agree");
