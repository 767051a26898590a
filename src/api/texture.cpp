// SPDX-License-Identifier: MIT
// Texture objects, in the forms of the runtime API and of the driver API. The former is what is kept.
#include "lz/texture/texture.h"
#include "api/api_scope.h"
#include "api/current.h"
#include "api/device_properties.h"
#include "base/hip_version.h"
#include "lz/memory/channel_format.h"

#include <algorithm>
#include <memory>

using namespace hiplz;

namespace {

LZTexture &textureFrom(hipTextureObject_t object) {
  LZTexture *texture = LZContext::instance().findTexture(object);
  if (!texture || texture->isSurface())
    throw HipError(hipErrorInvalidValue, "the texture does not exist, or it has been destroyed");
  return *texture;
}

hipError_t create(hipTextureObject_t *object, const hipResourceDesc &resource, const hipTextureDesc &sampling,
                  const hipResourceViewDesc *view) {
  auto texture = std::make_unique<LZTexture>(currentDevice(), resource, sampling, view);
  LZContext::instance().addHandle(*texture);
  *object = reinterpret_cast<hipTextureObject_t>(texture.release()->address());
  return hipSuccess;
}

hipError_t destroy(hipTextureObject_t object) {
  LZContext &context = LZContext::instance();
  if (!object)
    return hipSuccess;
  LZTexture &texture = textureFrom(object);
  if (!context.removeHandle(&texture))
    return refuse(hipErrorInvalidValue, "the texture has been destroyed");
  delete &texture;
  return hipSuccess;
}

// The driver API's forms. Enumerators have the same numbers in both.

hipResourceDesc fromDriver(const HIP_RESOURCE_DESC &from) {
  hipResourceDesc to{};
  to.resType = static_cast<hipResourceType>(from.resType);
  switch (from.resType) {
  case HIP_RESOURCE_TYPE_ARRAY: to.res.array.array = from.res.array.hArray; break;
  case HIP_RESOURCE_TYPE_MIPMAPPED_ARRAY: to.res.mipmap.mipmap = from.res.mipmap.hMipmappedArray; break;
  case HIP_RESOURCE_TYPE_LINEAR: {
    const auto &linear = from.res.linear;
    to.res.linear = {linear.devPtr, ChannelFormat::from(linear.format, linear.numChannels).description(),
                     linear.sizeInBytes};
    break;
  }
  case HIP_RESOURCE_TYPE_PITCH2D: {
    const auto &rows = from.res.pitch2D;
    to.res.pitch2D = {rows.devPtr, ChannelFormat::from(rows.format, rows.numChannels).description(), rows.width,
                      rows.height, rows.pitchInBytes};
    break;
  }
  }
  return to;
}

HIP_RESOURCE_DESC toDriver(const hipResourceDesc &from) {
  HIP_RESOURCE_DESC to{};
  to.resType = static_cast<HIPresourcetype>(from.resType);
  switch (from.resType) {
  case hipResourceTypeArray: to.res.array.hArray = from.res.array.array; break;
  case hipResourceTypeMipmappedArray: to.res.mipmap.hMipmappedArray = from.res.mipmap.mipmap; break;
  case hipResourceTypeLinear: {
    const ChannelFormat format = ChannelFormat::from(from.res.linear.desc);
    to.res.linear = {from.res.linear.devPtr, format.arrayFormat(), format.channels, from.res.linear.sizeInBytes};
    break;
  }
  case hipResourceTypePitch2D: {
    const auto &rows = from.res.pitch2D;
    const ChannelFormat format = ChannelFormat::from(rows.desc);
    to.res.pitch2D = {rows.devPtr, format.arrayFormat(), format.channels, rows.width, rows.height, rows.pitchInBytes};
    break;
  }
  }
  return to;
}

constexpr unsigned kKnownFlags = HIP_TRSF_READ_AS_INTEGER | HIP_TRSF_NORMALIZED_COORDINATES | HIP_TRSF_SRGB;

hipTextureDesc fromDriver(const HIP_TEXTURE_DESC &from) {
  hipTextureDesc to{};
  for (int i = 0; i < 3; ++i)
    to.addressMode[i] = static_cast<hipTextureAddressMode>(from.addressMode[i]);
  to.filterMode = static_cast<hipTextureFilterMode>(from.filterMode);
  to.readMode = from.flags & HIP_TRSF_READ_AS_INTEGER ? hipReadModeElementType : hipReadModeNormalizedFloat;
  to.sRGB = (from.flags & HIP_TRSF_SRGB) != 0;
  to.normalizedCoords = (from.flags & HIP_TRSF_NORMALIZED_COORDINATES) != 0;
  std::copy_n(from.borderColor, 4, to.borderColor);
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = static_cast<hipTextureFilterMode>(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  return to;
}

HIP_TEXTURE_DESC toDriver(const hipTextureDesc &from) {
  HIP_TEXTURE_DESC to{};
  for (int i = 0; i < 3; ++i)
    to.addressMode[i] = static_cast<HIPaddress_mode>(from.addressMode[i]);
  to.filterMode = static_cast<HIPfilter_mode>(from.filterMode);
  to.flags = (from.readMode == hipReadModeElementType ? HIP_TRSF_READ_AS_INTEGER : 0) |
             (from.normalizedCoords ? HIP_TRSF_NORMALIZED_COORDINATES : 0) | (from.sRGB ? HIP_TRSF_SRGB : 0);
  std::copy_n(from.borderColor, 4, to.borderColor);
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = static_cast<HIPfilter_mode>(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  return to;
}

hipResourceViewDesc fromDriver(const HIP_RESOURCE_VIEW_DESC &from) {
  return {static_cast<hipResourceViewFormat>(from.format),
          from.width,
          from.height,
          from.depth,
          from.firstMipmapLevel,
          from.lastMipmapLevel,
          from.firstLayer,
          from.lastLayer};
}

HIP_RESOURCE_VIEW_DESC toDriver(const hipResourceViewDesc &from) {
  return {static_cast<HIPresourceViewFormat>(from.format),
          from.width,
          from.height,
          from.depth,
          from.firstMipmapLevel,
          from.lastMipmapLevel,
          from.firstLayer,
          from.lastLayer,
          {}};
}

const hipResourceViewDesc &viewOf(hipTextureObject_t object) {
  const LZTexture &texture = textureFrom(object);
  if (!texture.view())
    throw HipError(hipErrorInvalidValue, "the texture was created without a view");
  return *texture.view();
}

} // namespace

extern "C" {

hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind f) {
  return {x, y, z, w, f};
}

hipError_t hipCreateTextureObject(hipTextureObject_t *pTexObject, const hipResourceDesc *pResDesc,
                                  const hipTextureDesc *pTexDesc, const hipResourceViewDesc *pResViewDesc) {
  return HIPLZ_API(hipCreateTextureObject, pTexObject, pResDesc, pTexDesc, pResViewDesc)([&] {
    const hipError_t wrong = followsHip7() ? hipErrorInvalidChannelDescriptor : hipErrorInvalidValue;
    if (!pTexObject)
      return refuse(wrong, "pTexObject is null");
    if (!pResDesc)
      return refuse(wrong, "pResDesc is null");
    if (!pTexDesc)
      return refuse(wrong, "pTexDesc is null");
    return create(pTexObject, *pResDesc, *pTexDesc, pResViewDesc);
  });
}

hipError_t hipDestroyTextureObject(hipTextureObject_t textureObject) {
  return HIPLZ_API(hipDestroyTextureObject, textureObject)([&] { return destroy(textureObject); });
}

hipError_t hipGetTextureObjectResourceDesc(hipResourceDesc *pResDesc, hipTextureObject_t textureObject) {
  return HIPLZ_API(hipGetTextureObjectResourceDesc, pResDesc, textureObject)([&] {
    if (!pResDesc)
      return refuse(hipErrorInvalidValue, "pResDesc is null");
    *pResDesc = textureFrom(textureObject).resource();
    return hipSuccess;
  });
}

hipError_t hipGetTextureObjectResourceViewDesc(hipResourceViewDesc *pResViewDesc, hipTextureObject_t textureObject) {
  return HIPLZ_API(hipGetTextureObjectResourceViewDesc, pResViewDesc, textureObject)([&] {
    if (!pResViewDesc)
      return refuse(hipErrorInvalidValue, "pResViewDesc is null");
    *pResViewDesc = viewOf(textureObject);
    return hipSuccess;
  });
}

hipError_t hipGetTextureObjectTextureDesc(hipTextureDesc *pTexDesc, hipTextureObject_t textureObject) {
  return HIPLZ_API(hipGetTextureObjectTextureDesc, pTexDesc, textureObject)([&] {
    if (!pTexDesc)
      return refuse(hipErrorInvalidValue, "pTexDesc is null");
    *pTexDesc = textureFrom(textureObject).sampling();
    return hipSuccess;
  });
}

hipError_t hipDeviceGetTexture1DLinearMaxWidth(size_t *max_width, const hipChannelFormatDesc *desc, int device) {
  return HIPLZ_API(hipDeviceGetTexture1DLinearMaxWidth, max_width, desc, device)([&] {
    if (!followsHip7())
      return refuse(hipErrorNotSupported, "HIP 6 declares other parameters, and its library lacks the function");
    HIPLZ_NOT_NULL(max_width, desc);
    static_cast<void>(ChannelFormat::from(*desc)); // the limit is the same for every format that there is
    *max_width = static_cast<size_t>(hipProperties(LZContext::instance().device(device)).maxTexture1DLinear);
    return hipSuccess;
  });
}

hipError_t hipTexObjectCreate(hipTextureObject_t *pTexObject, const HIP_RESOURCE_DESC *pResDesc,
                              const HIP_TEXTURE_DESC *pTexDesc, const HIP_RESOURCE_VIEW_DESC *pResViewDesc) {
  return HIPLZ_API(hipTexObjectCreate, pTexObject, pResDesc, pTexDesc, pResViewDesc)([&] {
    HIPLZ_NOT_NULL(pTexObject, pResDesc, pTexDesc);
    if (pResDesc->flags != 0 || (pTexDesc->flags & ~kKnownFlags))
      return refuse(hipErrorInvalidValue, "a description has flags that HIP does not know");
    const hipResourceViewDesc view = pResViewDesc ? fromDriver(*pResViewDesc) : hipResourceViewDesc{};
    return create(pTexObject, fromDriver(*pResDesc), fromDriver(*pTexDesc), pResViewDesc ? &view : nullptr);
  });
}

hipError_t hipTexObjectDestroy(hipTextureObject_t texObject) {
  return HIPLZ_API(hipTexObjectDestroy, texObject)([&] { return destroy(texObject); });
}

hipError_t hipTexObjectGetResourceDesc(HIP_RESOURCE_DESC *pResDesc, hipTextureObject_t texObject) {
  return HIPLZ_API(hipTexObjectGetResourceDesc, pResDesc, texObject)([&] {
    if (!pResDesc)
      return refuse(hipErrorInvalidValue, "pResDesc is null");
    *pResDesc = toDriver(textureFrom(texObject).resource());
    return hipSuccess;
  });
}

hipError_t hipTexObjectGetResourceViewDesc(HIP_RESOURCE_VIEW_DESC *pResViewDesc, hipTextureObject_t texObject) {
  return HIPLZ_API(hipTexObjectGetResourceViewDesc, pResViewDesc, texObject)([&] {
    if (!pResViewDesc)
      return refuse(hipErrorInvalidValue, "pResViewDesc is null");
    *pResViewDesc = toDriver(viewOf(texObject));
    return hipSuccess;
  });
}

hipError_t hipTexObjectGetTextureDesc(HIP_TEXTURE_DESC *pTexDesc, hipTextureObject_t texObject) {
  return HIPLZ_API(hipTexObjectGetTextureDesc, pTexDesc, texObject)([&] {
    if (!pTexDesc)
      return refuse(hipErrorInvalidValue, "pTexDesc is null");
    *pTexDesc = toDriver(textureFrom(texObject).sampling());
    return hipSuccess;
  });
}

} // extern "C"
