// SPDX-License-Identifier: MIT
// texture<T, dimensions, mode>: the C++ form of a texture reference.
#ifndef HIPLZ_HIP_TEXTURE_TYPES_H
#define HIPLZ_HIP_TEXTURE_TYPES_H

#include "spirv/user_macros_off.h"

#include "channel_descriptor.h"
#include "texture_types.h"

#ifdef __cplusplus
#ifdef __HIP__
// Makes the compiler emit such variables for the device as well, and register them.
#define HIPLZ_TEXTURE_REFERENCE __attribute__((device_builtin_texture_type))
#else
#define HIPLZ_TEXTURE_REFERENCE
#endif
/// A texture reference with the type of its texels. Kernels read it; the host binds memory to it.
template <class T, int dim = hipTextureType1D, enum hipTextureReadMode mode = hipReadModeElementType>
struct HIPLZ_TEXTURE_REFERENCE texture : public textureReference {
  texture(int normalizedCoordinates = 0, enum hipTextureFilterMode filter = hipFilterModePoint,
          enum hipTextureAddressMode address = hipAddressModeClamp)
      : texture(normalizedCoordinates, filter, address, hipCreateChannelDesc<T>()) {}

  texture(int normalizedCoordinates, enum hipTextureFilterMode filter, enum hipTextureAddressMode address,
          hipChannelFormatDesc desc)
      : textureReference() {
    normalized = normalizedCoordinates;
    readMode = mode;
    filterMode = filter;
    addressMode[0] = addressMode[1] = addressMode[2] = address;
    channelDesc = desc;
  }
};
#endif

#include "spirv/user_macros_on.h"
#endif
