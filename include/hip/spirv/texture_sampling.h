// SPDX-License-Identifier: MIT
// How a texture is read: coordinates to texels, texels to components, filtering. Everything is computed from linear memory
// and the descriptor, so that it is the same on every device, works wherever a texture object can be stored, and sees
// what was written to the memory before the kernel began.
//
// The rules are those of CUDA (programming guide, texture fetching). Linear filtering has fractions of 8 bits. Clamping
// applies to the indices of the texels, never to the coordinate. A coordinate that is not a number counts as 0.
// Components that the format lacks read as 0, a missing fourth one as 1.
#pragma once

#include "hip/hip_texture_types.h"
#include "hip/spirv/builtins.h"
#ifdef __HIP__ // the CPU device compiles this as C++ for machine code (src/amdgcn/library/image.cpp)
#include "hip/spirv/math_functions.h"
#else
#define log2f __builtin_log2f
#endif
#include "hip/spirv/texture_descriptor.h"

#include <type_traits>

namespace __hiplz {

typedef const __attribute__((address_space(1))) struct __hiplz_texture Texture;
typedef const __attribute__((address_space(1))) struct __hiplz_texture_level TextureLevel;

__HIPLZ_DEVICE Texture *textureOf(const void *object) { return (Texture *)object; }

// Types that can be read from textures and surfaces, as components of 32 bits: floats, or words from which integers of any
// width are taken.
template <class T> struct TexelType : std::false_type {};
template <class T> struct TexelScalar : std::true_type {
  typedef T Scalar;
  typedef typename std::conditional<std::is_floating_point<T>::value, float, unsigned>::type Word;
  static constexpr unsigned kComponents = 1;
};
template <> struct TexelType<char> : TexelScalar<char> {};
template <> struct TexelType<signed char> : TexelScalar<signed char> {};
template <> struct TexelType<unsigned char> : TexelScalar<unsigned char> {};
template <> struct TexelType<short> : TexelScalar<short> {};
template <> struct TexelType<unsigned short> : TexelScalar<unsigned short> {};
template <> struct TexelType<int> : TexelScalar<int> {};
template <> struct TexelType<unsigned> : TexelScalar<unsigned> {};
template <> struct TexelType<float> : TexelScalar<float> {};
template <class T, unsigned n>
struct TexelType<HIP_vector_type<T, n>>
    : std::integral_constant<bool, TexelType<T>::value && (n == 1 || n == 2 || n == 4)> {
  typedef T Scalar;
  typedef typename TexelType<T>::Word Word;
  static constexpr unsigned kComponents = n;
};

/// The first components of a texel.
template <class Word, unsigned n> struct Components {
  Word word[n];
};

template <class T>
__HIPLZ_DEVICE T toTexel(const Components<typename TexelType<T>::Word, TexelType<T>::kComponents> &from) {
  typedef typename TexelType<T>::Scalar Scalar;
  T result;
  Scalar *components = reinterpret_cast<Scalar *>(&result);
#pragma unroll
  for (unsigned i = 0; i < TexelType<T>::kComponents; ++i)
    components[i] = (Scalar)from.word[i];
  return result;
}

// A component at its address. Reading the aligned 32 bits around it instead of 1, 2 or 4 bytes needs no branches.
__HIPLZ_DEVICE unsigned rawComponent(Texture *texture, uint64_t address) {
  unsigned around = *(const __attribute__((address_space(1))) unsigned *)(address & ~uint64_t{3});
  unsigned shift = texture->component_shift;
  unsigned high = (around >> ((address & 3) * 8)) << shift;
  return texture->component_signed ? (unsigned)((int)high >> shift) : high >> shift;
}

__HIPLZ_DEVICE float fromHalf(unsigned half) {
  unsigned exponent = half >> 10 & 31, mantissa = half & 0x3ff;
  float magnitude = exponent == 0
                        ? (float)mantissa * 0x1p-24f
                        : __builtin_bit_cast(float, (exponent == 31 ? 255 : exponent + 112) << 23 | mantissa << 13);
  return half & 0x8000 ? -magnitude : magnitude;
}

__HIPLZ_DEVICE void toComponent(unsigned &out, Texture *, unsigned, unsigned raw) { out = raw; }
__HIPLZ_DEVICE void toComponent(float &out, Texture *texture, unsigned component, unsigned raw) {
  if (texture->divisor != 0) {
    if (texture->srgb != 0 && component < 3)
      out = ((const __attribute__((address_space(1))) float *)texture->srgb)[raw & 255];
    else
      out = __builtin_fmaxf((float)(int)raw / texture->divisor, -1.0f);
  } else {
    out = texture->component_half ? fromHalf(raw) : __builtin_bit_cast(float, raw);
  }
}
template <class Word>
__HIPLZ_DEVICE void readComponent(Word &out, Texture *texture, uint64_t texel, unsigned component) {
  if (component < texture->channels) {
    unsigned bytes = (32 - texture->component_shift) / 8;
    toComponent(out, texture, component, rawComponent(texture, texel + component * bytes));
  } else {
    out = component == 3 ? 1 : 0;
  }
}
__HIPLZ_DEVICE unsigned borderComponent(unsigned, Texture *texture, unsigned i) { return texture->border_bits[i]; }
__HIPLZ_DEVICE float borderComponent(float, Texture *texture, unsigned i) { return texture->border[i]; }

/// The texels on both sides of a coordinate along one dimension.
struct TextureAxis {
  int first;      ///< index of the one below; it and the next one may lie outside
  int step;       ///< from it to the next one: -1 in a mirror image, else 1
  float fraction; ///< weight of the next one
};

__HIPLZ_DEVICE TextureAxis textureAxis(float x, unsigned size, int mode, bool normalized, bool linear) {
#pragma clang fp contract(off)
  bool mirrored = false;
  if (normalized) {
    const float whole = __builtin_floorf(x);
    if (mode == hipAddressModeWrap || mode == hipAddressModeMirror) {
      x -= whole;
      mirrored =
          mode == hipAddressModeMirror && whole * 0.5f - __builtin_floorf(whole * 0.5f) > 0; // false for infinities
    }
    x *= (float)size;
  }
  x = x == x ? x : 0.0f;
  // Beyond the texels next to the border nothing changes any more, and the index must fit into an int.
  x = __builtin_fminf(__builtin_fmaxf(x, -2.0f), (float)size + 2.0f);
  if (linear)
    x = __builtin_rintf((x - 0.5f) * 256.0f) * 0x1p-8f;
  const float below = __builtin_floorf(x);
  // The mirror shows texels, not coordinates: a coordinate between two of them belongs to the upper one of the image, as on
  // the hardware. Mirrored coordinates would take the one on the other side.
  return {mirrored ? (int)size - 1 - (int)below : (int)below, mirrored ? -1 : 1, x - below};
}

/// The texel that an index means; -1 is the border. The index is at most one beyond, unless the mode is clamp or border.
__HIPLZ_DEVICE int texelIndex(int index, int size, int mode) {
  const bool inside = (unsigned)index < (unsigned)size;
  const int last = size - 1;
  const int nearest = index < 0 ? 0 : last;
  const int other = mode == hipAddressModeWrap ? last - nearest : mode == hipAddressModeBorder ? -1 : nearest;
  return inside ? index : other;
}

/// Where and how to sample: coordinates x, y, z as far as the texture has dimensions.
struct TexturePlace {
  float x, y, z;
  unsigned layer;
  bool face; ///< of a cubemap: normalised coordinates that end at the edge
};

__HIPLZ_DEVICE uint64_t layerOf(Texture *texture, TextureLevel *level, int layer) {
  unsigned last = texture->layers - 1;
  unsigned clamped = layer < 0 ? 0 : (unsigned)layer < last ? (unsigned)layer : last;
  return level->data + (texture->first_layer + clamped) * level->slice_pitch;
}

/// A sample at a level of detail, which may lie between two levels.
template <int dims, class T>
__HIPLZ_DEVICE T sampleTexture(const void *object, const TexturePlace &place, float detail) {
#pragma clang fp contract(off)
  typedef typename TexelType<T>::Word Word;
  constexpr unsigned n = TexelType<T>::kComponents;
  constexpr bool filtered = std::is_same<Word, float>::value; // integers never are
  Texture *texture = textureOf(object);
  TextureLevel *level = &texture->base;
  float levelFraction = 0;
  if (texture->levels != 0) {
    detail = __builtin_fminf(__builtin_fmaxf(detail + texture->level_bias, texture->min_level), texture->max_level);
    detail = filtered && texture->linear_levels ? __builtin_rintf(detail * 256.0f) * 0x1p-8f
                                                : __builtin_floorf(detail + 0.5f);
    const float below = __builtin_floorf(detail);
    level = (TextureLevel *)texture->levels + (int)below;
    levelFraction = detail - below;
  }
  const bool linear = filtered && texture->linear_filter;
  const bool normalized = place.face || texture->normalized_coords;
  const float coordinates[3] = {place.x, place.y, place.z};
  const int corners = linear ? 1 << dims : 1;

  Components<Word, n> sum = {};
  int levelsLeft = levelFraction == 0 ? 1 : 2;
  float levelWeight = 1 - levelFraction;
#pragma clang loop unroll(disable)
  for (; levelsLeft != 0; --levelsLeft, ++level, levelWeight = levelFraction) {
    const unsigned sizes[3] = {level->width, level->height, level->depth};
    const uint64_t steps[3] = {texture->element_bytes, level->row_pitch, level->slice_pitch};
    int modes[dims];
    TextureAxis axes[dims];
#pragma unroll
    for (int d = 0; d < dims; ++d) {
      modes[d] = place.face ? (int)hipAddressModeClamp : (int)texture->address_mode[d];
      axes[d] = textureAxis(coordinates[d], sizes[d], modes[d], normalized, linear);
    }
    const uint64_t slice = layerOf(texture, level, (int)place.layer);
#pragma clang loop unroll(disable)
    for (int corner = 0; corner < corners; ++corner) {
      float weight = levelWeight;
      uint64_t texel = slice;
      int outside = 0;
#pragma unroll
      for (int d = 0; d < dims; ++d) {
        const int second = corner >> d & 1;
        const int index = texelIndex(axes[d].first + second * axes[d].step, (int)sizes[d], modes[d]);
        if (linear)
          weight *= second ? axes[d].fraction : 1 - axes[d].fraction;
        outside |= index;
        texel += (uint64_t)(unsigned)index * steps[d];
      }
      if (weight == 0)
        continue;
#pragma unroll
      for (unsigned i = 0; i < n; ++i) {
        Word value;
        if (outside < 0)
          value = borderComponent(Word(), texture, i);
        else
          readComponent(value, texture, texel, i);
        sum.word[i] = weight == 1 ? value : (Word)(sum.word[i] + weight * value);
      }
    }
  }
  return toTexel<T>(sum);
}

/// The level of detail at which a step of the given length, in texels of the largest level, is one texel.
__HIPLZ_DEVICE float detailOf(float squaredLength) {
  return squaredLength > 0 ? 0.5f * log2f(squaredLength) : -__builtin_inff();
}

/// The same for derivatives of the coordinates along x and y of a picture, of which the longer one counts.
template <int dims> __HIPLZ_DEVICE float squaredStep(Texture *texture, const float4 &step) {
  const bool normalized = texture->normalized_coords;
  const float x = step.x * (normalized ? (float)texture->base.width : 1.0f);
  const float y = dims > 1 ? step.y * (normalized ? (float)texture->base.height : 1.0f) : 0.0f;
  const float z = dims > 2 ? step.z * (normalized ? (float)texture->base.depth : 1.0f) : 0.0f;
  return x * x + y * y + z * z;
}
template <int dims> __HIPLZ_DEVICE float detailOf(const void *object, const float4 &dx, const float4 &dy) {
  Texture *texture = textureOf(object);
  return detailOf(__builtin_fmaxf(squaredStep<dims>(texture, dx), squaredStep<dims>(texture, dy)));
}

/// The face of a cubemap that a direction meets, and where.
struct CubeFace {
  int face;
  float s, t; ///< coordinates on the face before the division, in -m..m
  float m;    ///< length of the component that selects the face
};

__HIPLZ_DEVICE CubeFace cubeFace(int face, float x, float y, float z) {
  switch (face) {
  case 0: return {face, -z, -y, x};
  case 1: return {face, z, -y, -x};
  case 2: return {face, x, z, y};
  case 3: return {face, x, -z, -y};
  case 4: return {face, x, -y, z};
  default: return {face, -x, -y, -z};
  }
}
__HIPLZ_DEVICE CubeFace cubeFace(float x, float y, float z) {
  const float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), az = __builtin_fabsf(z);
  const int face = az >= ax && az >= ay ? (z < 0 ? 5 : 4) : ay >= ax ? (y < 0 ? 3 : 2) : (x < 0 ? 1 : 0);
  return cubeFace(face, x, y, z);
}
__HIPLZ_DEVICE TexturePlace cubePlace(const CubeFace &at, int layer) {
#pragma clang fp contract(off)
  return {(at.s / at.m + 1) * 0.5f, (at.t / at.m + 1) * 0.5f, 0, (unsigned)(layer * 6 + at.face), true};
}
/// A layer beyond the last one is the last one, with all its faces.
__HIPLZ_DEVICE int cubeLayer(const void *object, int layer) {
  const int last = (int)textureOf(object)->layers / 6 - 1;
  return layer < 0 ? 0 : layer < last ? layer : last;
}
// Faces are linear in the direction, so the derivatives of s, t and m are those of the direction.
__HIPLZ_DEVICE float squaredCubeStep(Texture *texture, const CubeFace &at, const float4 &step) {
  const CubeFace d = cubeFace(at.face, step.x, step.y, step.z);
  const float scale = 0.5f * (float)texture->base.width / (at.m * at.m);
  const float s = (d.s * at.m - at.s * d.m) * scale, t = (d.t * at.m - at.t * d.m) * scale;
  return s * s + t * t;
}
__HIPLZ_DEVICE float cubeDetail(const void *object, const CubeFace &at, const float4 &dx, const float4 &dy) {
  Texture *texture = textureOf(object);
  return detailOf(__builtin_fmaxf(squaredCubeStep(texture, at, dx), squaredCubeStep(texture, at, dy)));
}

/// One component of the four texels that linear filtering would take, from the lower left one counterclockwise.
template <class Word>
__HIPLZ_DEVICE Components<Word, 4> gatherTexels(const void *object, float x, float y, unsigned component) {
  Texture *texture = textureOf(object);
  TextureLevel *level = &texture->base;
  const int acrossMode = texture->address_mode[0], downMode = texture->address_mode[1];
  const TextureAxis across = textureAxis(x, level->width, acrossMode, texture->normalized_coords, true);
  const TextureAxis down = textureAxis(y, level->height, downMode, texture->normalized_coords, true);
  Components<Word, 4> result;
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    const int column = texelIndex(across.first + (i == 1 || i == 2) * across.step, (int)level->width, acrossMode);
    const int row = texelIndex(down.first + (i < 2) * down.step, (int)level->height, downMode);
    if ((column | row) < 0)
      result.word[i] = borderComponent(Word(), texture, component & 3);
    else
      readComponent(result.word[i], texture,
                    layerOf(texture, level, 0) + (uint64_t)column * texture->element_bytes +
                        (uint64_t)row * level->row_pitch,
                    component);
  }
  return result;
}

/// A texel by its index: zero outside.
template <class T> __HIPLZ_DEVICE T fetchTexel(const void *object, int index) {
  typedef typename TexelType<T>::Word Word;
  Texture *texture = textureOf(object);
  Components<Word, TexelType<T>::kComponents> result = {};
  if (index >= 0 && (unsigned)index < texture->base.width) {
#pragma unroll
    for (unsigned i = 0; i < TexelType<T>::kComponents; ++i)
      readComponent(result.word[i], texture, texture->base.data + (uint64_t)index * texture->element_bytes, i);
  }
  return toTexel<T>(result);
}

} // namespace __hiplz
