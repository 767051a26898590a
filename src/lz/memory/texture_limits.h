// SPDX-License-Identifier: MIT
// How large arrays, textures and surfaces may be. They are the same on every device, because kernels read them from linear
// memory: coordinates are floats, and with these sizes a texel and its fraction still fit into one.
#pragma once
#include <cstddef>

namespace hiplz::texture_limits {

constexpr size_t kWidth1D = 131072;
constexpr size_t kWidth2D = 131072, kHeight2D = 65536;
constexpr size_t kExtent3D = 16384;
constexpr size_t kLayers = 2048;
constexpr size_t kCubemap = 32768;
/// Elements of a texture in linear memory, which kernels index by integers.
constexpr size_t kLinear = size_t{1} << 27;
/// Of the base address and the pitch, in bytes: that of the largest element.
constexpr size_t kAlignment = 16;

} // namespace hiplz::texture_limits
