// SPDX-License-Identifier: MIT
// The texels that a texture must give, computed on the host in double from the rules: CUDA's for addressing and filtering (fractions of
// 8 bits, indices clamped), the formats' for components. Coordinates are products of floats, as on the device.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include <hip/hip_runtime.h>

namespace model {

struct Format {
  hipChannelFormatKind kind;
  int bits;
  int channels;
  size_t bytes() const { return size_t(bits) / 8 * channels; }
  bool isFloat() const { return kind == hipChannelFormatKindFloat; }
  /// True if it can be read as fractions.
  bool hasFractions() const { return !isFloat() && bits < 32; }
  hipChannelFormatDesc desc() const {
    return hipCreateChannelDesc(bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0, kind);
  }
};

inline std::vector<Format> allFormats() {
  std::vector<Format> formats;
  for (int channels : {1, 2, 4}) {
    for (int bits : {8, 16, 32}) {
      formats.push_back({hipChannelFormatKindUnsigned, bits, channels});
      formats.push_back({hipChannelFormatKindSigned, bits, channels});
    }
    formats.push_back({hipChannelFormatKindFloat, 16, channels});
    formats.push_back({hipChannelFormatKindFloat, 32, channels});
  }
  return formats;
}

inline double halfToDouble(unsigned half) {
  const unsigned exponent = half >> 10 & 31, mantissa = half & 1023;
  const double magnitude = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, int(exponent) - 25);
  return half & 0x8000 ? -magnitude : magnitude;
}

/// One component, as a number and as the 32 bits that integers are read from.
struct Component {
  double number;
  uint32_t word;
};

inline Component decode(const Format &format, const unsigned char *texel, int channel, bool fractions,
                        bool srgb = false) {
  if (channel >= format.channels)
    return {channel == 3 ? 1.0 : 0.0, channel == 3 ? 1u : 0u};
  uint32_t raw = 0;
  std::memcpy(&raw, texel + channel * format.bits / 8, format.bits / 8);
  if (format.isFloat()) {
    if (format.bits == 16)
      return {halfToDouble(raw), raw};
    float value;
    std::memcpy(&value, &raw, 4);
    return {value, raw};
  }
  const bool isSigned = format.kind == hipChannelFormatKindSigned;
  const int64_t value = isSigned ? int64_t(int32_t(raw << (32 - format.bits)) >> (32 - format.bits)) : int64_t(raw);
  double number = double(value);
  if (fractions && format.bits < 32) {
    const double largest = double((int64_t(1) << (format.bits - isSigned)) - 1);
    number = std::max(double(float(value) / float(largest)), -1.0);
    if (srgb && format.bits == 8 && !isSigned && channel < 3)
      number = float(value / 255.0 <= 0.04045 ? value / 255.0 / 12.92 : std::pow((value / 255.0 + 0.055) / 1.055, 2.4));
  }
  return {number, uint32_t(value)};
}

/// The texels of a texture: levels of layers of slices of rows, without gaps.
struct Texels {
  Format format;
  bool cube = false;
  int layers = 1; ///< faces count
  struct Level {
    int width, height, depth;
    std::vector<unsigned char> bytes;
  };
  std::vector<Level> levels;

  Texels(const Format &format, int width, int height, int depth, int layers, int levelCount, std::mt19937 &random)
      : format(format), layers(layers) {
    for (int i = 0; i < levelCount; ++i) {
      Level level{std::max(width >> i, 1), std::max(height >> i, 1), std::max(depth >> i, 1), {}};
      level.bytes.resize(size_t(level.width) * level.height * level.depth * layers * format.bytes());
      fill(level.bytes, random);
      levels.push_back(std::move(level));
    }
  }
  const unsigned char *texel(int level, int x, int y, int z, int layer) const {
    const Level &at = levels[level];
    const size_t slice = at.depth > 1 ? size_t(z) : size_t(layer);
    return at.bytes.data() + ((slice * at.height + y) * at.width + x) * format.bytes();
  }

private:
  void fill(std::vector<unsigned char> &bytes, std::mt19937 &random) const {
    if (format.isFloat() && format.bits == 32) {
      std::uniform_real_distribution<float> values(-10, 10);
      for (size_t i = 0; i < bytes.size(); i += 4) {
        const float value = values(random);
        std::memcpy(&bytes[i], &value, 4);
      }
      return;
    }
    for (unsigned char &byte : bytes)
      byte = (unsigned char)random();
    if (format.isFloat()) // finite halfs, also denormal ones
      for (size_t i = 1; i < bytes.size(); i += 2)
        bytes[i] &= (bytes[i] & 0x7c) == 0x7c ? 0xcf : 0xff;
  }
};

struct Axis {
  long first;
  double fraction;
};

inline Axis axis(float x, int size, int mode, bool normalized, bool linear) {
  long image = 0; // the first texel of the image, in a row of images that are mirrored in turn
  if (normalized) {
    const float whole = std::floor(x);
    if (mode == hipAddressModeMirror && std::isfinite(x) && std::fmod(whole, 2.0f) != 0)
      image = size;
    if (mode == hipAddressModeWrap || mode == hipAddressModeMirror)
      x = x - whole;
    x = x * float(size);
  }
  double at = std::isnan(x) ? 0.0 : std::fmin(std::fmax(x, -1e6), 1e6);
  if (linear)
    at = std::nearbyint((at - 0.5) * 256) / 256;
  return {image + long(std::floor(at)), at - std::floor(at)};
}

/// -1 for the border.
inline long index(long i, int size, int mode) {
  if (i >= 0 && i < size)
    return i;
  switch (mode) {
  case hipAddressModeBorder: return -1;
  case hipAddressModeWrap: return ((i % size) + size) % size;
  case hipAddressModeMirror: i = ((i % (2 * size)) + 2 * size) % (2 * size); return i < size ? i : 2 * size - 1 - i;
  default: return i < 0 ? 0 : size - 1;
  }
}

/// A texel as numbers and, for integers that are not filtered, as words.
struct Sample {
  double number[4] = {};
  uint32_t word[4] = {};
};

/// Linear filtering of `dims` dimensions in one level.
inline Sample sampleLevel(const Texels &texels, const hipTextureDesc &desc, int level, int dims, const float *place,
                          int layer, bool face = false) {
  const Texels::Level &at = texels.levels[level];
  const int sizes[3] = {at.width, at.height, at.depth};
  const bool fractions = desc.readMode == hipReadModeNormalizedFloat;
  const bool linear = desc.filterMode == hipFilterModeLinear;
  const bool normalized = desc.normalizedCoords || face;
  layer = std::min(std::max(layer, 0), texels.layers - 1);
  Axis axes[3] = {};
  int modes[3] = {};
  for (int d = 0; d < dims; ++d) {
    modes[d] = face ? int(hipAddressModeClamp) : int(desc.addressMode[d]);
    if (!normalized && (modes[d] == hipAddressModeWrap || modes[d] == hipAddressModeMirror))
      modes[d] = hipAddressModeClamp;
    axes[d] = axis(place[d], sizes[d], modes[d], normalized, linear);
  }
  Sample sum;
  for (int corner = 0; corner < (linear ? 1 << dims : 1); ++corner) {
    double weight = 1;
    long at[3] = {};
    bool border = false;
    for (int d = 0; d < dims; ++d) {
      const bool next = corner >> d & 1;
      if (linear)
        weight *= next ? axes[d].fraction : 1 - axes[d].fraction;
      at[d] = index(axes[d].first + next, sizes[d], modes[d]);
      border |= at[d] < 0;
    }
    for (int c = 0; c < 4; ++c) {
      Component value;
      if (border)
        value = {desc.borderColor[c], uint32_t(int32_t(std::nearbyint(desc.borderColor[c])))};
      else
        value = decode(texels.format, texels.texel(level, int(at[0]), int(at[1]), int(at[2]), layer), c, fractions,
                       desc.sRGB);
      sum.number[c] += weight * value.number;
      sum.word[c] = value.word;
    }
  }
  return sum;
}

/// With levels of detail.
inline Sample sample(const Texels &texels, const hipTextureDesc &desc, int dims, const float *place, int layer,
                     float detail, bool face = false) {
  const int last = int(texels.levels.size()) - 1;
  if (last == 0)
    return sampleLevel(texels, desc, 0, dims, place, layer, face);
  detail = std::isnan(detail) ? desc.minMipmapLevelClamp : detail + desc.mipmapLevelBias;
  detail = std::fmin(std::fmax(detail, desc.minMipmapLevelClamp), desc.maxMipmapLevelClamp);
  detail = std::fmin(std::fmax(detail, 0.0f), float(last));
  if (desc.mipmapFilterMode == hipFilterModePoint)
    return sampleLevel(texels, desc, int(std::floor(detail + 0.5f)), dims, place, layer, face);
  const double fixed = std::nearbyint(double(detail) * 256) / 256, fraction = fixed - std::floor(fixed);
  Sample near = sampleLevel(texels, desc, int(fixed), dims, place, layer, face);
  if (fraction == 0)
    return near;
  const Sample far = sampleLevel(texels, desc, int(fixed) + 1, dims, place, layer, face);
  for (int c = 0; c < 4; ++c)
    near.number[c] = (1 - fraction) * near.number[c] + fraction * far.number[c];
  return near;
}

/// The face that a direction meets, and the coordinates there.
struct CubePlace {
  int face;
  float place[3];
};
inline CubePlace cubePlace(float x, float y, float z) {
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  int face;
  float s, t, m;
  if (az >= ax && az >= ay) {
    face = z < 0 ? 5 : 4, s = z < 0 ? -x : x, t = -y, m = az;
  } else if (ay >= ax) {
    face = y < 0 ? 3 : 2, s = x, t = y < 0 ? -z : z, m = ay;
  } else {
    face = x < 0 ? 1 : 0, s = x < 0 ? z : -z, t = -y, m = ax;
  }
  return {face, {(s / m + 1) * 0.5f, (t / m + 1) * 0.5f, 0}};
}

} // namespace model
