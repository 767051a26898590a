// SPDX-License-Identifier: MIT
// Images as machine code for AMD's GPUs reads and writes them, for one lane. The texture is what texture and surface objects point to, and
// the functions that read it are those of HIP's kernels, so that both agree. Compiled as C++, like the rest of the built-ins to bitcode.
#include "amdgcn/library/typed_elements.h"
#include "amdgcn/translator/image_access.h"

#include <hip/spirv/texture_sampling.h>

namespace {

using namespace hiplz::amdgcn;
using namespace __hiplz;

static_assert(kImageMark == __hiplz_image_mark, "both sides know textures by it");

typedef __attribute__((address_space(1))) unsigned char Byte;

float floatOf(uint32_t word) { return __builtin_bit_cast(float, word); }

/// Where a sample is. Directions have become coordinates from 1 to 2 on a face; the layers of cubemaps are 8 apart.
TexturePlace placeOf(ImageShape shape, const uint32_t *at) {
  const float x = floatOf(at[0]), y = floatOf(at[1]), z = floatOf(at[2]);
  switch (shape) {
  case kShape1D: return {x, 0, 0, 0, false};
  case kShape2D: return {x, y, 0, 0, false};
  case kShape3D: return {x, y, z, 0, false};
  case kShape1DArray: return {x, 0, 0, (unsigned)(int)__builtin_rintf(y), false};
  case kShape2DArray: return {x, y, 0, (unsigned)(int)__builtin_rintf(z), false};
  default: break;
  }
  const int face = (int)__builtin_rintf(z);
  return {x - 1, y - 1, 0, (unsigned)((face >> 3) * 6 + (face & 7)), true};
}

template <class T>
void sample(const void *texture, ImageShape shape, const uint32_t *at, float detail, uint32_t *colour) {
  const TexturePlace place = placeOf(shape, at);
  T texel;
  switch (dimensionsOf(shape)) {
  case 1: texel = sampleTexture<1, T>(texture, place, detail); break;
  case 2: texel = sampleTexture<2, T>(texture, place, detail); break;
  default: texel = sampleTexture<3, T>(texture, place, detail);
  }
  __builtin_memcpy(colour, &texel, sizeof texel);
}

float gradientDetail(const void *texture, ImageShape shape, const uint32_t *at) {
  const unsigned n = dimensionsOf(shape);
  float4 steps[2] = {};
  for (unsigned k = 0; k < 2; ++k) {
    steps[k].x = floatOf(at[k * n]);
    steps[k].y = n > 1 ? floatOf(at[k * n + 1]) : 0;
    steps[k].z = n > 2 ? floatOf(at[k * n + 2]) : 0;
  }
  return n == 1   ? detailOf<1>(texture, steps[0], steps[1])
         : n == 2 ? detailOf<2>(texture, steps[0], steps[1])
                  : detailOf<3>(texture, steps[0], steps[1]);
}

template <class Word> void gather(const void *texture, const uint32_t *at, uint32_t component, uint32_t *colour) {
  const Components<Word, 4> four = gatherTexels<Word>(texture, floatOf(at[0]), floatOf(at[1]), component);
  __builtin_memcpy(colour, four.word, sizeof four.word);
}

/// The address of a texel of a level, or 0 outside.
uint64_t texelAt(Texture *texture, TextureLevel *level, ImageShape shape, const uint32_t *at) {
  const uint32_t x = at[0];
  const uint32_t y = dimensionsOf(shape) > 1 ? at[1] : 0, z = shape == kShape3D ? at[2] : 0;
  uint32_t layer = shape == kShape1DArray ? at[1] : shape == kShape2DArray || shape == kShapeCube ? at[2] : 0;
  if (x >= level->width || y >= level->height || z >= level->depth || layer >= texture->layers)
    return 0;
  layer += texture->first_layer;
  return level->data + (uint64_t)x * texture->element_bytes + (uint64_t)y * level->row_pitch +
         (uint64_t)(z + layer) * level->slice_pitch;
}

template <class Word> void read(Texture *texture, uint64_t texel, uint32_t *colour) {
  for (unsigned i = 0; i < 4; ++i) {
    Word value;
    readComponent(value, texture, texel, i);
    __builtin_memcpy(&colour[i], &value, sizeof value);
  }
}
void load(Texture *texture, uint64_t texel, uint32_t *colour) {
  if (texel == 0)
    __builtin_memset(colour, 0, 16);
  else if (texture->reads_integers)
    read<unsigned>(texture, texel, colour);
  else
    read<float>(texture, texel, colour);
}

void store(Texture *texture, uint64_t texel, const uint32_t *colour) {
  const unsigned bytes = (32 - texture->component_shift) / 8;
  if (texel == 0)
    return;
  for (unsigned i = 0; i < texture->channels; ++i) {
    const uint32_t word = texture->component_half ? nearestHalf(floatOf(colour[i])) : colour[i];
    Byte *place = (Byte *)(texel + i * bytes);
    for (unsigned b = 0; b < bytes; ++b)
      place[b] = (unsigned char)(word >> 8 * b);
  }
}

} // namespace

/// Does what an image instruction does for one lane. A kernel that uses something else as a texture faults.
extern "C" void hz_amd_image(const void *object, uint32_t operation, uint32_t imageShape, const uint32_t *at,
                             uint32_t *colour) {
  const bool isTyped = operation == kTypedLoad || operation == kTypedStore;
  if (isTyped && !object)
    return accessElement(at, colour, operation == kTypedStore);
  Texture *texture = textureOf(object);
  if (operation == kTypedStore || texture->self != (uint64_t)object || texture->image_mark != __hiplz_image_mark)
    __builtin_trap();
  const ImageShape shape = (ImageShape)imageShape;
  const unsigned coordinates = coordinatesOf(shape);
  switch (operation) {
  case kImageLoad: return load(texture, texelAt(texture, &texture->base, shape, at), colour);
  case kImageLoadLevel: {
    const uint32_t number = at[coordinates];
    TextureLevel *level = texture->levels ? (TextureLevel *)texture->levels + number : &texture->base;
    return load(texture, number < texture->level_count ? texelAt(texture, level, shape, at) : 0, colour);
  }
  case kImageStore: return store(texture, texelAt(texture, &texture->base, shape, at), colour);
  case kTypedLoad: {
    const uint32_t index = at[kElementIndex];
    const uint64_t texel = texture->base.data + (uint64_t)index * texture->element_bytes;
    return load(texture, index < texture->base.width ? texel : 0, colour);
  }
  case kImageGather:
    return texture->reads_integers ? gather<unsigned>(object, at, at[coordinates], colour)
                                   : gather<float>(object, at, at[coordinates], colour);
  default: break;
  }
  const bool hasGradient = operation == kImageSampleGradient;
  const uint32_t *place = hasGradient ? at + 2 * dimensionsOf(shape) : at;
  const float detail = hasGradient ? gradientDetail(object, shape, at) : floatOf(at[coordinates]);
  if (texture->reads_integers)
    sample<uint4>(object, shape, place, detail, colour);
  else
    sample<float4>(object, shape, place, detail, colour);
}
