// SPDX-License-Identifier: MIT
// Types of the texture API: sampling modes, descriptors, texture objects and references.
#ifndef HIPLZ_TEXTURE_TYPES_H
#define HIPLZ_TEXTURE_TYPES_H

#include "spirv/user_macros_off.h"

#include "driver_types.h"

#define hipTextureType1D 0x01
#define hipTextureType2D 0x02
#define hipTextureType3D 0x03
#define hipTextureTypeCubemap 0x0C
#define hipTextureType1DLayered 0xF1
#define hipTextureType2DLayered 0xF2
#define hipTextureTypeCubemapLayered 0xFC

#define HIP_IMAGE_OBJECT_SIZE_DWORD 12
#define HIP_SAMPLER_OBJECT_SIZE_DWORD 8
#define HIP_SAMPLER_OBJECT_OFFSET_DWORD HIP_IMAGE_OBJECT_SIZE_DWORD
#define HIP_TEXTURE_OBJECT_SIZE_DWORD (HIP_IMAGE_OBJECT_SIZE_DWORD + HIP_SAMPLER_OBJECT_SIZE_DWORD)

struct __hip_texture;
/// A texture object, for kernels that sample.
typedef struct __hip_texture *hipTextureObject_t;

/// How a texture is read outside its bounds.
enum hipTextureAddressMode { hipAddressModeWrap = 0, hipAddressModeClamp, hipAddressModeMirror, hipAddressModeBorder };

/// How texels are filtered.
enum hipTextureFilterMode { hipFilterModePoint = 0, hipFilterModeLinear };

/// Integers are read as they are, or as fractions of their range.
enum hipTextureReadMode { hipReadModeElementType = 0, hipReadModeNormalizedFloat };

#if defined(__HIP__) && defined(__HIP_DEVICE_COMPILE__)
// The compiler does not know that the host writes static references: the annotation keeps it from taking their initial
// value for their only one, and tells the link-time passes which variables they are.
#define HIPLZ_BOUND_BY_HOST __attribute__((annotate("hiplz.texture")))
#else
#define HIPLZ_BOUND_BY_HOST
#endif

/// A texture of the older kind, declared at namespace scope.
typedef struct textureReference {
  int normalized;
  enum hipTextureReadMode readMode;
  enum hipTextureFilterMode filterMode;
  enum hipTextureAddressMode addressMode[3];
  struct hipChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
  enum hipTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  hipTextureObject_t textureObject HIPLZ_BOUND_BY_HOST;
  int numChannels;
  enum hipArray_Format format;
} textureReference;

/// How a texture object samples.
typedef struct hipTextureDesc {
  enum hipTextureAddressMode addressMode[3];
  enum hipTextureFilterMode filterMode;
  enum hipTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned int maxAnisotropy;
  enum hipTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
} hipTextureDesc;

/// A texture reference of a module.
typedef textureReference *hipTexRef;

#include "spirv/user_macros_on.h"
#endif
