// SPDX-License-Identifier: MIT
// Images: reading, sampling and writing of texels as OpenCL C specifies it in "Image Addressing and Filtering". A colour is four
// words, which are numbers of single precision or integers as the image's type is. One function serves all formats: it takes the
// texel apart by the descriptor. They stay functions, which a vectorised kernel calls for each lane.
//
// No coordinate leads out of the image: what is outside has the border's colour, and writing there does nothing.
#include "cpu/abi/image_descriptor.h"
#include "math_core.h"

typedef struct ImageDescriptor Image;
typedef uint32_t Color __attribute__((vector_size(16)));
typedef float FloatColor __attribute__((vector_size(16)));

static int isInteger(const Image *image) { return image->type <= kComponentSint; }
static uint32_t one(const Image *image) { return isInteger(image) ? 1 : bitsOfFloat(1); }

static Color borderOf(const Image *image) { return (Color){0, 0, 0, image->borderAlpha ? one(image) : 0}; }

// The largest number that has a place in so many bits.
static uint32_t largest(uint32_t bits) { return (uint32_t)((1ull << bits) - 1); }

static int32_t signExtend(uint32_t value, uint32_t bits) { return (int32_t)(value << (32 - bits)) >> (32 - bits); }

static float fromHalf(uint32_t half) {
  const uint32_t sign = (half & 0x8000) << 16, magnitude = half & 0x7fff;
  if (magnitude >= 0x7c00)
    return floatOf(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
  return floatOf(sign | bitsOfFloat(floatOf(magnitude << 13) * 0x1p112f));
}

// A NaN keeps as much of its payload as there is room for, so that an image that is copied by a kernel is the same afterwards.
static uint32_t toHalf(float value) {
  const uint32_t bits = bitsOfFloat(value), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) {
    const uint32_t fraction = magnitude >> 13 & 0x3ff;
    return sign | 0x7c00 | (fraction ? fraction : 0x200);
  }
  if (magnitude >= 0x477ff000) // rounds to more than the largest half
    return sign | 0x7c00;
  if (magnitude < 0x38800000) // subnormal: in units of 2^-24
    return sign | (uint32_t)__builtin_rintf(floatOf(magnitude) * 0x1p24f);
  return sign | (magnitude - (112u << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
}

// Numbers of ten and eleven bits are halfs without a sign and the last bits of the fraction.
static float fromSmallFloat(uint32_t raw, uint32_t bits) { return fromHalf(raw << (15 - bits)); }

// Negative numbers become zero, too large ones the largest; NaNs as above.
static uint32_t toSmallFloat(float value, uint32_t bits) {
  const uint32_t fractionBits = bits - 5, infinity = 31u << fractionBits, word = bitsOfFloat(value);
  if (value != value) {
    const uint32_t fraction = (word & 0x7fffff) >> (23 - fractionBits);
    return infinity | (fraction ? fraction : 1u << (fractionBits - 1));
  }
  if (!(value > 0))
    return 0;
  if (word == 0x7f800000)
    return infinity;
  if (word < 0x38800000) // subnormal
    return (uint32_t)__builtin_rintf(value * (float)(1u << (14 + fractionBits)));
  const uint32_t shift = 23 - fractionBits;
  const uint64_t rounded = ((uint64_t)word - (112u << 23) + ((1u << (shift - 1)) - 1) + (word >> shift & 1)) >> shift;
  return rounded < infinity ? (uint32_t)rounded : infinity - 1;
}

// Products with the largest number of so many bits need more than single precision.
static int isWide(uint32_t bits) { return bits > 16; }

// The number that a component stands for.
static uint32_t decode(uint32_t raw, uint32_t bits, uint32_t type) {
  switch (type) {
  case kComponentSint: return (uint32_t)signExtend(raw, bits);
  case kComponentUnorm:
    return bitsOfFloat(isWide(bits) ? (float)((double)raw / largest(bits)) : (float)raw / (float)largest(bits));
  case kComponentSnorm: {
    const int32_t number = signExtend(raw, bits), most = (int32_t)largest(bits - 1);
    const float value = isWide(bits) ? (float)((double)number / most) : (float)number / (float)most;
    return bitsOfFloat(value < -1 ? -1 : value);
  }
  case kComponentFloat:
    switch (bits) {
    case 32: return raw;
    case 16: return bitsOfFloat(fromHalf(raw));
    case 2: return bitsOfFloat((float)raw / 3); // beside floats of ten bits
    default: return bitsOfFloat(fromSmallFloat(raw, bits));
    }
  default: return raw;
  }
}

// The nearest number that there is, even ones at the same distance.
static uint32_t encode(uint32_t word, uint32_t bits, uint32_t type) {
  const uint32_t most = largest(bits), half = largest(bits - 1);
  switch (type) {
  case kComponentUint: return word < most ? word : most;
  case kComponentSint: {
    const int32_t value = (int32_t)word, high = (int32_t)half, low = -high - 1;
    return (uint32_t)(value < low ? low : value > high ? high : value) & most;
  }
  case kComponentUnorm:
    if (isWide(bits))
      return (uint32_t)(int64_t)__builtin_rint(clamp((double)floatOf(word) * most, 0, most));
    return (uint32_t)__builtin_rintf(clampF(floatOf(word) * (float)most, 0, (float)most)) & most;
  case kComponentSnorm: {
    if (isWide(bits)) {
      const double wide = (double)floatOf(word) * half;
      return (uint32_t)(int32_t)(wide == wide ? __builtin_rint(clamp(wide, -(double)half - 1, half)) : 0) & most;
    }
    const float value = floatOf(word) * (float)half;
    return (uint32_t)(int32_t)(value == value ? __builtin_rintf(clampF(value, -(float)half - 1, (float)half)) : 0) &
           most;
  }
  default:
    switch (bits) {
    case 32: return word;
    case 16: return toHalf(floatOf(word));
    case 2: return encode(word, bits, kComponentUnorm);
    default: return toSmallFloat(floatOf(word), bits);
    }
  }
}

static uint8_t *texelAt(const Image *image, int32_t x, int32_t y, int32_t z) {
  if ((uint32_t)x >= image->size[0] || (uint32_t)y >= image->size[1] || (uint32_t)z >= image->size[2])
    return 0;
  return image->texels + (uint32_t)z * image->slicePitch + (uint32_t)y * image->rowPitch +
         (uint64_t)(uint32_t)x * image->texelBytes;
}

static void copyTexel(void *to, const void *from, uint32_t bytes) {
  switch (bytes) {
  case 1: __builtin_memcpy(to, from, 1); return;
  case 2: __builtin_memcpy(to, from, 2); return;
  case 4: __builtin_memcpy(to, from, 4); return;
  case 8: __builtin_memcpy(to, from, 8); return;
  default: __builtin_memcpy(to, from, 16);
  }
}

static Color fetch(const Image *image, int32_t x, int32_t y, int32_t z) {
  const uint8_t *texel = texelAt(image, x, y, z);
  if (!texel)
    return borderOf(image);
  uint64_t words[2] = {0, 0};
  copyTexel(words, texel, image->texelBytes);
  uint32_t values[6] = {0, 0, 0, 0, 0, one(image)};
  for (uint32_t c = 0; c < image->components; ++c)
    values[c] = decode((uint32_t)(words[image->shift[c] >> 6] >> (image->shift[c] & 63)) & largest(image->bits[c]),
                       image->bits[c], image->type);
  return (Color){values[image->channel[0]], values[image->channel[1]], values[image->channel[2]],
                 values[image->channel[3]]};
}

// Which texels along one dimension make up a sample, and the weight of the second one.
typedef struct {
  int32_t first, second;
  float weight;
} Span;

// The largest integer up to a number, of numbers far outside the next best.
static int32_t floorToInt(float value) { return (int32_t)clampF(__builtin_floorf(value), -0x1p30f, 0x1p30f); }

static int32_t clampInt(int32_t value, int32_t low, int32_t high) {
  return value < low ? low : value > high ? high : value;
}

static Span nearestOf(float u, int32_t size, uint32_t mode) {
  int32_t texel = floorToInt(u);
  if (mode == kSamplerAddressEdge)
    texel = clampInt(texel, 0, size - 1);
  else if (mode == kSamplerAddressRepeat && texel > size - 1)
    texel -= size;
  else if (mode == kSamplerAddressMirror && texel > size - 1)
    texel = size - 1;
  return (Span){texel, texel, 0};
}

static Span linearOf(float u, int32_t size, uint32_t mode) {
  const float low = __builtin_floorf(u - 0.5f);
  Span span = {floorToInt(low), floorToInt(low) + 1, u - 0.5f - low};
  if (mode == kSamplerAddressRepeat) {
    span.first = span.first < 0 ? size + span.first : span.first;
    span.second = span.second > size - 1 ? span.second - size : span.second;
  } else if (mode == kSamplerAddressEdge || mode == kSamplerAddressMirror) {
    span.first = clampInt(span.first, 0, size - 1);
    span.second = clampInt(span.second, 0, size - 1);
  }
  return span;
}

static Span spanOf(const Image *image, uint32_t dimension, uint32_t sampler, float coordinate) {
  const int32_t size = (int32_t)image->size[dimension];
  if (dimension >= image->dimensions)
    return (Span){0, 0, 0};
  if (dimension == image->layers) {
    const int32_t layer = clampInt(floorToInt(__builtin_rintf(coordinate)), 0, size - 1);
    return (Span){layer, layer, 0};
  }
  const uint32_t mode = sampler & kSamplerAddressMask;
  if (sampler & kSamplerNormalized) {
    if (mode == kSamplerAddressRepeat)
      coordinate -= __builtin_floorf(coordinate);
    else if (mode == kSamplerAddressMirror)
      coordinate = __builtin_fabsf(coordinate - 2 * __builtin_rintf(0.5f * coordinate));
    coordinate *= (float)size;
  }
  return sampler & kSamplerLinear && !isInteger(image) ? linearOf(coordinate, size, mode)
                                                       : nearestOf(coordinate, size, mode);
}

#define KEPT __attribute__((noinline))

/// The texel at whole coordinates.
KEPT Color hz_image_read(const Image *image, int32_t x, int32_t y, int32_t z) {
  const uint32_t dimensions = image->dimensions;
  return fetch(image, x, dimensions > 1 ? y : 0, dimensions > 2 ? z : 0);
}

/// Coordinates after a sampler, which is added to the address of the image.
KEPT Color hz_image_sample(const char *imageAndSampler, float x, float y, float z) {
  const uint32_t sampler = (uint32_t)((uintptr_t)imageAndSampler & kSamplerMask);
  const Image *image = (const Image *)(imageAndSampler - sampler);
  const Span spans[3] = {spanOf(image, 0, sampler, x), spanOf(image, 1, sampler, y), spanOf(image, 2, sampler, z)};
  if (spans[0].weight == 0 && spans[1].weight == 0 && spans[2].weight == 0)
    return fetch(image, spans[0].first, spans[1].first, spans[2].first);
  FloatColor sum = {0, 0, 0, 0};
  for (uint32_t corner = 0; corner < 8; ++corner) {
    float weight = 1;
    int32_t at[3];
    for (uint32_t d = 0; d < 3; ++d) {
      const int second = corner >> d & 1;
      weight *= second ? spans[d].weight : 1 - spans[d].weight;
      at[d] = second ? spans[d].second : spans[d].first;
    }
    if (weight != 0)
      sum += weight * (FloatColor)fetch(image, at[0], at[1], at[2]);
  }
  return (Color)sum;
}

KEPT void hz_image_write(const Image *image, int32_t x, int32_t y, int32_t z, Color color) {
  const uint32_t dimensions = image->dimensions;
  uint8_t *texel = texelAt(image, x, dimensions > 1 ? y : 0, dimensions > 2 ? z : 0);
  if (!texel)
    return;
  const uint32_t values[5] = {color[0], color[1], color[2], color[3], 0};
  uint64_t words[2] = {0, 0};
  for (uint32_t c = 0; c < image->components; ++c)
    words[image->shift[c] >> 6] |= (uint64_t)encode(values[image->written[c]], image->bits[c], image->type)
                                   << (image->shift[c] & 63);
  copyTexel(texel, words, image->texelBytes);
}
