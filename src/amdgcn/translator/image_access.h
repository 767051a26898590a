// SPDX-License-Identifier: MIT
// How a wave's image instructions say what they want: one call for each lane (WaveSurroundings::accessImage). Knows no LLVM.
#pragma once
#include <cstdint>

namespace hiplz::amdgcn {

/// The operation of an instruction. Its address words are the coordinates (integers for loads and stores, else floats, the layer or face last),
/// and behind them what the comment says.
enum ImageOperation : uint32_t {
  kImageLoad,
  kImageLoadLevel, ///< the level, an integer
  kImageStore,
  kImageSample,         ///< the level, a float
  kImageSampleGradient, ///< in front of the coordinates: derivatives along x and then along y
  kImageGather,         ///< the component, an integer
  kTypedLoad,           ///< of a buffer with a format, or of a texture in linear memory (buffer_formats.h)
  kTypedStore,          ///< to a buffer alone
};

/// The shape of an image, as instructions encode it.
enum ImageShape : uint32_t { kShape1D, kShape2D, kShape3D, kShapeCube, kShape1DArray, kShape2DArray };

/// The fourth word of a texture's descriptor, which no buffer's has.
constexpr uint32_t kImageMark = 0x90000000;

constexpr unsigned kImageAddressWords = 12;

/// How many coordinates a shape has, and along how many of them there are derivatives.
constexpr unsigned coordinatesOf(ImageShape shape) {
  return shape == kShape1D ? 1 : shape == kShape2D || shape == kShape1DArray ? 2 : 3;
}
constexpr unsigned dimensionsOf(ImageShape shape) {
  return shape == kShape3D ? 3 : shape == kShape1D || shape == kShape1DArray ? 1 : 2;
}

} // namespace hiplz::amdgcn
