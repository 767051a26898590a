// SPDX-License-Identifier: MIT
// Textures and surfaces of AMD's headers, which call them in AMD's library ockl. The first argument is the texture or surface
// object: the address of HIPLZ's descriptor. The sampler behind it is part of that descriptor, so the second one is not read.
// Results have four words: floats, or integers of 32 bits.
#include "define.h"

typedef float Float2 __attribute__((ext_vector_type(2)));
typedef float Float4 __attribute__((ext_vector_type(4)));
typedef int Int2 __attribute__((ext_vector_type(2)));
typedef int Int4 __attribute__((ext_vector_type(4)));

namespace {

using __hiplz::Texture;
using __hiplz::TextureLevel;
using __hiplz::TexturePlace;

template <int dims> __device__ inline Float4 sample(const void *object, const TexturePlace &place, float level) {
  if (__hiplz::textureOf(object)->reads_integers)
    return __builtin_bit_cast(Float4, __hiplz::sampleTexture<dims, uint4>(object, place, level));
  return __builtin_bit_cast(Float4, __hiplz::sampleTexture<dims, float4>(object, place, level));
}

__device__ inline Float4 sampleCube(const void *object, Float4 at, float layer, float level) {
  const __hiplz::CubeFace face = __hiplz::cubeFace(at.x, at.y, at.z);
  return sample<2>(object, __hiplz::cubePlace(face, __hiplz::cubeLayer(object, (int)__builtin_rintf(layer))), level);
}

__device__ inline float4 wide(float x, float y = 0, float z = 0) { return make_float4(x, y, z, 0); }
__device__ inline unsigned layer(float coordinate) { return (unsigned)(int)__builtin_rintf(coordinate); }

__device__ inline Float4 gather(const void *object, Float2 at, unsigned component) {
  if (__hiplz::textureOf(object)->reads_integers)
    return __builtin_bit_cast(Float4, __hiplz::gatherTexels<unsigned>(object, at.x, at.y, component));
  return __builtin_bit_cast(Float4, __hiplz::gatherTexels<float>(object, at.x, at.y, component));
}

/// The address of a texel by its indices; 0 outside.
__device__ inline uint64_t texelAddress(const void *object, int x, int y, int z, int layer) {
  Texture *surface = __hiplz::textureOf(object);
  const int byte = (unsigned)x < surface->base.width ? x * (int)surface->element_bytes : -1;
  return __hiplz::surfaceElement<char>(surface, byte, y, z, layer, hipBoundaryModeZero);
}

/// All components of a texel; zero outside.
__device__ inline Float4 load(const void *object, int x, int y, int z, int layer) {
  Texture *surface = __hiplz::textureOf(object);
  const uint64_t address = texelAddress(object, x, y, z, layer);
  unsigned words[4] = {};
  if (address != 0)
    for (unsigned i = 0; i < 4; ++i) {
      if (surface->reads_integers) {
        __hiplz::readComponent(words[i], surface, address, i);
      } else {
        float value;
        __hiplz::readComponent(value, surface, address, i);
        words[i] = __builtin_bit_cast(unsigned, value);
      }
    }
  return __builtin_bit_cast(Float4, words);
}

__device__ inline void store(const void *object, int x, int y, int z, int layer, Float4 value) {
  Texture *surface = __hiplz::textureOf(object);
  const uint64_t address = texelAddress(object, x, y, z, layer);
  if (address == 0)
    return;
  const unsigned bytes = (32 - surface->component_shift) / 8;
  for (unsigned i = 0; i < surface->channels; ++i) {
    const unsigned word = __builtin_bit_cast(unsigned, (float)value[i]);
    const uint64_t at = address + i * bytes;
    if (surface->component_half)
      *(_Float16 *)at = (_Float16)value[i];
    else if (bytes == 1)
      *(unsigned char *)at = (unsigned char)word;
    else if (bytes == 2)
      *(unsigned short *)at = (unsigned short)word;
    else
      *(unsigned *)at = word;
  }
}

/// A texel of linear memory; zero outside.
__device__ inline Float4 fetch(const void *object, int x) {
  if (__hiplz::textureOf(object)->reads_integers)
    return __builtin_bit_cast(Float4, __hiplz::fetchTexel<uint4>(object, x));
  return __builtin_bit_cast(Float4, __hiplz::fetchTexel<float4>(object, x));
}

/// The numbers that AMD's runtime gives to formats of components, by their size and kind.
__device__ inline int channelType(Texture *texture) {
  constexpr int kSignedNormal = 0, kUnsignedNormal = 2, kSigned = 8, kUnsigned = 11, kHalf = 14, kFloat = 15;
  const int size = texture->component_shift == 24 ? 0 : texture->component_shift == 16 ? 1 : 2;
  if (texture->component_half)
    return kHalf;
  if (texture->divisor != 0)
    return (texture->component_signed ? kSignedNormal : kUnsignedNormal) + size;
  if (!texture->reads_integers)
    return kFloat;
  return (texture->component_signed ? kSigned : kUnsigned) + size;
}
__device__ inline int channelOrder(Texture *texture) {
  constexpr int kRed = 1, kRedGreen = 3, kAll = 8;
  return texture->channels == 1 ? kRed : texture->channels == 2 ? kRedGreen : kAll;
}

} // namespace

#define IMAGE(Result, name, ...) AMD_FUNCTION(Result, __ockl_image_##name, (const void *image, __VA_ARGS__))
#define SAMPLED(name, ...) IMAGE(Float4, name, const void *, __VA_ARGS__)

SAMPLED(sample_1D, float at) { return sample<1>(image, {at, 0, 0, 0, false}, 0); }
SAMPLED(sample_1Da, Float2 at) { return sample<1>(image, {at.x, 0, 0, layer(at.y), false}, 0); }
SAMPLED(sample_2D, Float2 at) { return sample<2>(image, {at.x, at.y, 0, 0, false}, 0); }
SAMPLED(sample_2Da, Float4 at) { return sample<2>(image, {at.x, at.y, 0, layer(at.z), false}, 0); }
SAMPLED(sample_3D, Float4 at) { return sample<3>(image, {at.x, at.y, at.z, 0, false}, 0); }
SAMPLED(sample_CM, Float4 at) { return sampleCube(image, at, 0, 0); }
SAMPLED(sample_CMa, Float4 at) { return sampleCube(image, at, at.w, 0); }

SAMPLED(sample_lod_1D, float at, float level) { return sample<1>(image, {at, 0, 0, 0, false}, level); }
SAMPLED(sample_lod_1Da, Float2 at, float level) { return sample<1>(image, {at.x, 0, 0, layer(at.y), false}, level); }
SAMPLED(sample_lod_2D, Float2 at, float level) { return sample<2>(image, {at.x, at.y, 0, 0, false}, level); }
SAMPLED(sample_lod_2Da, Float4 at, float level) { return sample<2>(image, {at.x, at.y, 0, layer(at.z), false}, level); }
SAMPLED(sample_lod_3D, Float4 at, float level) { return sample<3>(image, {at.x, at.y, at.z, 0, false}, level); }
SAMPLED(sample_lod_CM, Float4 at, float level) { return sampleCube(image, at, 0, level); }
SAMPLED(sample_lod_CMa, Float4 at, float level) { return sampleCube(image, at, at.w, level); }

SAMPLED(sample_grad_1D, float at, float dx, float dy) {
  return sample<1>(image, {at, 0, 0, 0, false}, __hiplz::detailOf<1>(image, wide(dx), wide(dy)));
}
SAMPLED(sample_grad_1Da, Float2 at, float dx, float dy) {
  return sample<1>(image, {at.x, 0, 0, layer(at.y), false}, __hiplz::detailOf<1>(image, wide(dx), wide(dy)));
}
SAMPLED(sample_grad_2D, Float2 at, Float2 dx, Float2 dy) {
  return sample<2>(image, {at.x, at.y, 0, 0, false}, __hiplz::detailOf<2>(image, wide(dx.x, dx.y), wide(dy.x, dy.y)));
}
SAMPLED(sample_grad_2Da, Float4 at, Float2 dx, Float2 dy) {
  return sample<2>(image, {at.x, at.y, 0, layer(at.z), false},
                   __hiplz::detailOf<2>(image, wide(dx.x, dx.y), wide(dy.x, dy.y)));
}
SAMPLED(sample_grad_3D, Float4 at, Float4 dx, Float4 dy) {
  return sample<3>(image, {at.x, at.y, at.z, 0, false},
                   __hiplz::detailOf<3>(image, wide(dx.x, dx.y, dx.z), wide(dy.x, dy.y, dy.z)));
}

SAMPLED(gather4r_2D, Float2 at) { return gather(image, at, 0); }
SAMPLED(gather4g_2D, Float2 at) { return gather(image, at, 1); }
SAMPLED(gather4b_2D, Float2 at) { return gather(image, at, 2); }
SAMPLED(gather4a_2D, Float2 at) { return gather(image, at, 3); }

IMAGE(Float4, load_1Db, int at) { return fetch(image, at); }
IMAGE(Float4, load_1D, int at) { return load(image, at, 0, 0, 0); }
IMAGE(Float4, load_1Da, Int2 at) { return load(image, at.x, 0, 0, at.y); }
IMAGE(Float4, load_2D, Int2 at) { return load(image, at.x, at.y, 0, 0); }
IMAGE(Float4, load_2Da, Int4 at) { return load(image, at.x, at.y, 0, at.z); }
IMAGE(Float4, load_3D, Int4 at) { return load(image, at.x, at.y, at.z, 0); }
IMAGE(Float4, load_CM, Int2 at, int face) { return load(image, at.x, at.y, 0, face); }
IMAGE(Float4, load_CMa, Int4 at, int face) { return load(image, at.x, at.y, 0, at.z * 6 + face); }
// AMD's headers give the layer of a layered surface as the level of detail, which surfaces do not have.
IMAGE(Float4, load_lod_1D, int at, int layer) { return load(image, at, 0, 0, layer); }
IMAGE(Float4, load_lod_2D, Int2 at, int layer) { return load(image, at.x, at.y, 0, layer); }
IMAGE(Float4, load_lod_CM, Int2 at, int face, int layer) { return load(image, at.x, at.y, 0, layer * 6 + face); }

IMAGE(void, store_1D, int at, Float4 value) { store(image, at, 0, 0, 0, value); }
IMAGE(void, store_1Da, Int2 at, Float4 value) { store(image, at.x, 0, 0, at.y, value); }
IMAGE(void, store_2D, Int2 at, Float4 value) { store(image, at.x, at.y, 0, 0, value); }
IMAGE(void, store_2Da, Int4 at, Float4 value) { store(image, at.x, at.y, 0, at.z, value); }
IMAGE(void, store_3D, Int4 at, Float4 value) { store(image, at.x, at.y, at.z, 0, value); }
IMAGE(void, store_CM, Int2 at, int face, Float4 value) { store(image, at.x, at.y, 0, face, value); }
IMAGE(void, store_CMa, Int4 at, int face, Float4 value) { store(image, at.x, at.y, 0, at.z * 6 + face, value); }
IMAGE(void, store_lod_1D, int at, int layer, Float4 value) { store(image, at, 0, 0, layer, value); }
IMAGE(void, store_lod_2D, Int2 at, int layer, Float4 value) { store(image, at.x, at.y, 0, layer, value); }
IMAGE(void, store_lod_CM, Int2 at, int face, int layer, Float4 value) {
  store(image, at.x, at.y, 0, layer * 6 + face, value);
}

#define QUERY(name, value)                                                                                             \
  AMD_FUNCTION(int, __ockl_image_##name, (const void *image)) {                                                        \
    Texture *texture = __hiplz::textureOf(image);                                                                      \
    return (int)(value);                                                                                               \
  }
#define QUERIES(kind)                                                                                                  \
  QUERY(channel_data_type_##kind, channelType(texture))                                                                \
  QUERY(channel_order_##kind, channelOrder(texture))                                                                   \
  QUERY(width_##kind, texture->base.width)
QUERIES(1D)
QUERIES(1Da)
QUERIES(1Db)
QUERIES(2D)
QUERIES(2Da)
QUERIES(2Dad)
QUERIES(2Dd)
QUERIES(3D)
QUERIES(CM)
QUERIES(CMa)
#define HEIGHT(kind) QUERY(height_##kind, texture->base.height)
HEIGHT(2D)
HEIGHT(2Da)
HEIGHT(3D)
HEIGHT(CM)
HEIGHT(CMa)
QUERY(depth_3D, texture->base.depth)
QUERY(array_size_1Da, texture->layers)
QUERY(array_size_2Da, texture->layers)
QUERY(array_size_CMa, texture->layers / 6)
#define LEVELS(kind) QUERY(num_mip_levels_##kind, texture->levels != 0 ? texture->level_count : 1)
LEVELS(1D)
LEVELS(1Da)
LEVELS(2D)
LEVELS(2Da)
LEVELS(3D)
LEVELS(CM)
LEVELS(CMa)
