// SPDX-License-Identifier: MIT
// An image as kernels see it, and the numbers that stand for samplers. The driver makes both, compiled code has the address of a
// descriptor where a kernel has an image and a number where it has a sampler; an image with its sampler is the sum of the two.
// C as well as C++: the built-in functions are written in C. A change here is a new kBinaryVersion.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
namespace hiplz::cpu {
#endif

/// How a component of a texel is stored.
enum ComponentType {
  kComponentUint,  ///< unsigned integer
  kComponentSint,  ///< signed integer
  kComponentUnorm, ///< unsigned integer, the largest of which stands for 1
  kComponentSnorm, ///< signed integer, the largest of which stands for 1
  kComponentFloat, ///< of 10, 11, 16 or 32 bits; of two bits, an unsigned integer like kComponentUnorm
};

/// Where a channel of a colour comes from: the number of a component, or one of these.
enum ChannelSource { kChannelZero = 4, kChannelOne = 5 };

/// Coordinates are x, y, z; the index of a layer is the last one of an array. A size of a dimension that is not there is 1. At a
/// multiple of kImageAlignment.
struct ImageDescriptor {
  uint8_t *texels;
  uint64_t rowPitch;   ///< bytes from one y to the next
  uint64_t slicePitch; ///< bytes from one z to the next
  uint32_t size[3];    ///< in texels, layers in the last dimension of an array
  uint32_t dimensions; ///< 1 to 3, with that of the layers
  uint32_t layers;     ///< which dimension is the index of a layer; 3: none
  uint32_t texelBytes; ///< 1, 2, 4, 8 or 16
  uint32_t type;       ///< ComponentType of all components
  uint32_t components;
  uint8_t bits[4];      ///< of the components
  uint8_t shift[4];     ///< their lowest bits in the texel, in little-endian order
  uint8_t channel[4];   ///< of a colour that is read: component or ChannelSource
  uint8_t written[4];   ///< of each component: the channel of a colour that is written there; kChannelZero: none
  uint32_t borderAlpha; ///< whether the colour beyond the edges is (0, 0, 0, 1) and not (0, 0, 0, 0)
  uint32_t order;       ///< what kernels are told: SPIR-V's Image Channel Order
  uint32_t dataType;    ///< and SPIR-V's Image Channel Data Type
};

/// A sampler is a sum of these: the numbers of OpenCL C.
enum SamplerBits {
  kSamplerNormalized = 1,
  kSamplerAddressNone = 0,
  kSamplerAddressEdge = 2,
  kSamplerAddressBorder = 4,
  kSamplerAddressRepeat = 6,
  kSamplerAddressMirror = 8,
  kSamplerAddressMask = 14,
  kSamplerNearest = 0x10,
  kSamplerLinear = 0x20,
};

enum { kImageAlignment = 64, kSamplerMask = kImageAlignment - 1 }; // a sampler fits below the address of an image

#ifdef __cplusplus
} // namespace hiplz::cpu
#endif
