// SPDX-License-Identifier: MIT
// Texture references. hipBind... are the runtime API's functions for the program's variables, hipTexRef... those of the
// driver API; both work on all references. The fields of a reference are read when it is bound; hipTexRefSet... binds again
// what is bound, so that the order of calls does not matter. Reading and setting the fields works for any structure.
#include "lz/module/texture_reference.h"
#include "api/api_scope.h"
#include "api/current.h"
#include "base/hip_version.h"
#include "lz/memory/channel_format.h"
#include "lz/memory/texture_limits.h"
#include "lz/module/registry.h"

#include <algorithm>

using namespace hiplz;

namespace {

ChannelFormat formatOf(const textureReference &reference) {
  return reference.numChannels != 0
             ? ChannelFormat::from(reference.format, static_cast<unsigned>(reference.numChannels))
             : ChannelFormat::from(reference.channelDesc);
}

void setFormat(textureReference &reference, const ChannelFormat &format) {
  reference.channelDesc = format.description();
  reference.format = format.arrayFormat();
  reference.numChannels = static_cast<int>(format.channels);
}

/// Splits an address into one that a texture can have and the rest, which kernels have to add. The rest must be 0 if
/// nobody asks for it.
const std::byte *align(const void *memory, size_t *offset) {
  const size_t rest = reinterpret_cast<uintptr_t>(memory) % texture_limits::kAlignment;
  if (rest != 0 && !offset)
    throw HipError(hipErrorInvalidValue,
                   "the memory is not aligned to hipDeviceProp_t::textureAlignment, and the caller "
                   "does not ask for the offset");
  if (offset)
    *offset = rest;
  return static_cast<const std::byte *>(memory) - rest;
}

hipError_t bindLinear(size_t *offset, LZTextureReference &reference, const void *memory, const ChannelFormat &format,
                      size_t bytes) {
  const std::optional<Allocation> known = LZContext::instance().allocations().find(memory);
  if (!known)
    throw HipError(hipErrorInvalidValue, "the memory that is bound to a texture was not allocated by HIP");
  const size_t behind = static_cast<size_t>(static_cast<const std::byte *>(known->base) + known->bytes -
                                            static_cast<const std::byte *>(memory));
  if (bytes != UINT_MAX && bytes > behind)
    return refuse(hipErrorInvalidValue, "size exceeds what remains of the allocation from that address on");
  const std::byte *aligned = align(memory, offset);
  const size_t rest = static_cast<size_t>(static_cast<const std::byte *>(memory) - aligned);
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeLinear;
  const size_t most = texture_limits::kLinear * format.elementBytes();
  resource.res.linear = {const_cast<std::byte *>(aligned), format.description(),
                         std::min(std::min(bytes, behind) + rest, bytes == UINT_MAX ? most : SIZE_MAX)};
  reference.bind(currentDevice(), resource, rest);
  return hipSuccess;
}

hipError_t bindRows(size_t *offset, LZTextureReference &reference, const void *memory, const ChannelFormat &format,
                    size_t width, size_t height, size_t pitch) {
  const std::byte *aligned = align(memory, offset);
  const size_t rest = static_cast<size_t>(static_cast<const std::byte *>(memory) - aligned);
  hipResourceDesc resource{};
  resource.resType = hipResourceTypePitch2D;
  resource.res.pitch2D = {const_cast<std::byte *>(aligned), format.description(), width + rest / format.elementBytes(),
                          height, pitch};
  reference.bind(currentDevice(), resource, rest);
  return hipSuccess;
}

/// The format must be that of the array.
void checkFormat(const hipChannelFormatDesc *description, const LZArray::Shape &shape) {
  if (!description)
    return;
  const ChannelFormat asked = ChannelFormat::from(*description), there = ChannelFormat::from(shape.format);
  if (asked.kind != there.kind || asked.bytes != there.bytes || asked.channels != there.channels)
    throw HipError(hipErrorInvalidValue, "the format that is bound is not that of the array");
}

void bindArray(LZTextureReference &reference, LZArray &array) {
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = toHandle(array);
  reference.bind(currentDevice(), resource);
}

void bindMipmapped(LZTextureReference &reference, LZMipmappedArray &array) {
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = &array;
  reference.bind(currentDevice(), resource);
}

/// The bound object, if it is of this kind. Throws HipError (hipErrorInvalidValue).
hipResourceDesc boundTo(const textureReference *reference, hipResourceType kind) {
  const std::optional<LZTextureReference::Binding> binding = LZTextureReference::from(reference).binding();
  if (!binding || binding->resource.resType != kind)
    throw HipError(hipErrorInvalidValue, "nothing of this kind is bound to the texture reference");
  return binding->resource;
}

/// Sets a field of the reference, and binds again what is bound. A structure that is not a reference has only fields.
template <class Set> hipError_t change(textureReference *reference, Set set) {
  if (!reference)
    return refuse(hipErrorInvalidValue, "texRef is null");
  set(*reference);
  try {
    LZTextureReference::from(reference).refresh();
  } catch (const HipError &error) {
    if (error.code() != hipErrorInvalidTexture)
      throw;
  }
  return hipSuccess;
}

template <class... Results> bool allSet(Results *...results) { return (results && ...); }

bool isDimension(int dim) { return dim >= 0 && dim < 3; }
bool isMode(hipTextureFilterMode mode) { return mode == hipFilterModePoint || mode == hipFilterModeLinear; }

} // namespace

extern "C" {

hipError_t hipBindTexture(size_t *offset, const textureReference *tex, const void *devPtr,
                          const hipChannelFormatDesc *desc, size_t size) {
  return HIPLZ_API(hipBindTexture, offset, tex, devPtr, desc, size)([&] {
    HIPLZ_NOT_NULL(tex, devPtr, desc);
    if (size == 0)
      return refuse(hipErrorInvalidValue, "size is 0");
    return bindLinear(offset, LZTextureReference::from(tex), devPtr, ChannelFormat::from(*desc), size);
  });
}

hipError_t hipBindTexture2D(size_t *offset, const textureReference *tex, const void *devPtr,
                            const hipChannelFormatDesc *desc, size_t width, size_t height, size_t pitch) {
  return HIPLZ_API(hipBindTexture2D, offset, tex, devPtr, desc, width, height, pitch)([&] {
    if (followsHip7() && (!tex || !devPtr))
      return refuse(hipErrorNotFound, "tex or devPtr is null");
    HIPLZ_NOT_NULL(tex, devPtr, desc);
    return bindRows(offset, LZTextureReference::from(tex), devPtr, ChannelFormat::from(*desc), width, height, pitch);
  });
}

hipError_t hipBindTextureToArray(const textureReference *tex, hipArray_const_t array,
                                 const hipChannelFormatDesc *desc) {
  return HIPLZ_API(hipBindTextureToArray, tex, array, desc)([&] {
    if (followsHip7() && (!tex || !array || !desc))
      return refuse(hipErrorInvalidChannelDescriptor, "tex, array or desc is null");
    HIPLZ_NOT_NULL(tex, array, desc);
    LZArray &bound = arrayFrom(array);
    checkFormat(desc, bound.shape());
    bindArray(LZTextureReference::from(tex), bound);
    return hipSuccess;
  });
}

hipError_t hipBindTextureToMipmappedArray(const textureReference *tex, hipMipmappedArray_const_t mipmappedArray,
                                          const hipChannelFormatDesc *desc) {
  return HIPLZ_API(hipBindTextureToMipmappedArray, tex, mipmappedArray, desc)([&] {
    HIPLZ_NOT_NULL(tex, mipmappedArray, desc);
    LZMipmappedArray &bound = mipmappedArrayFrom(mipmappedArray);
    checkFormat(desc, bound.shape());
    bindMipmapped(LZTextureReference::from(tex), bound);
    return hipSuccess;
  });
}

hipError_t hipUnbindTexture(const textureReference *tex) {
  return HIPLZ_API(hipUnbindTexture, tex)([&] {
    if (!tex)
      return refuse(hipErrorInvalidValue, "tex is null");
    LZTextureReference::from(tex).unbind();
    return hipSuccess;
  });
}

hipError_t hipGetTextureAlignmentOffset(size_t *offset, const textureReference *texref) {
  return HIPLZ_API(hipGetTextureAlignmentOffset, offset, texref)([&] {
    if (followsHip7() && !texref)
      return refuse(hipErrorInvalidTexture, "texref is null");
    HIPLZ_NOT_NULL(offset, texref);
    const std::optional<LZTextureReference::Binding> binding = LZTextureReference::from(texref).binding();
    if (!binding)
      throw HipError(hipErrorInvalidTexture, "nothing is bound to the texture reference");
    *offset = binding->offset;
    return hipSuccess;
  });
}

hipError_t hipGetTextureReference(const textureReference **texref, const void *symbol) {
  return HIPLZ_API(hipGetTextureReference, texref, symbol)([&] {
    HIPLZ_NOT_NULL(texref, symbol);
    *texref = LZTextureReference::from(static_cast<const textureReference *>(symbol), hipErrorInvalidValue).host();
    return hipSuccess;
  });
}

hipError_t hipModuleGetTexRef(textureReference **texRef, hipModule_t hmod, const char *name) {
  return HIPLZ_API(hipModuleGetTexRef, texRef, hmod, name)([&] {
    HIPLZ_NOT_NULL(texRef, name);
    if (!*name)
      return refuse(hipErrorInvalidValue, "name is empty");
    *texRef = LZRegistry::instance().loaded(hmod).textureReference(name).host();
    return hipSuccess;
  });
}

hipError_t hipTexRefSetAddress(size_t *ByteOffset, textureReference *texRef, hipDeviceptr_t dptr, size_t bytes) {
  return HIPLZ_API(hipTexRefSetAddress, ByteOffset, texRef, dptr, bytes)([&] {
    if (!texRef)
      return refuse(hipErrorInvalidValue, "texRef is null");
    LZTextureReference &reference = LZTextureReference::from(texRef);
    if (!dptr) {
      reference.unbind();
      return hipSuccess;
    }
    return bytes == 0 ? refuse(hipErrorInvalidValue, "bytes is 0")
                      : bindLinear(ByteOffset, reference, dptr, formatOf(*texRef), bytes);
  });
}

hipError_t hipTexRefSetAddress2D(textureReference *texRef, const HIP_ARRAY_DESCRIPTOR *desc, hipDeviceptr_t dptr,
                                 size_t Pitch) {
  return HIPLZ_API(hipTexRefSetAddress2D, texRef, desc, dptr, Pitch)([&] {
    HIPLZ_NOT_NULL(texRef, desc, dptr);
    const ChannelFormat format = ChannelFormat::from(desc->Format, desc->NumChannels);
    const hipError_t error =
        bindRows(nullptr, LZTextureReference::from(texRef), dptr, format, desc->Width, desc->Height, Pitch);
    if (!error)
      setFormat(*texRef, format);
    return error;
  });
}

hipError_t hipTexRefSetArray(textureReference *tex, hipArray_const_t array, unsigned int flags) {
  return HIPLZ_API(hipTexRefSetArray, tex, array, flags)([&] {
    HIPLZ_NOT_NULL(tex, array);
    if (flags != HIP_TRSA_OVERRIDE_FORMAT)
      return refuse(hipErrorInvalidValue, "flags is not HIP_TRSA_OVERRIDE_FORMAT");
    LZArray &bound = arrayFrom(array);
    bindArray(LZTextureReference::from(tex), bound);
    setFormat(*tex, ChannelFormat::from(bound.shape().format));
    return hipSuccess;
  });
}

hipError_t hipTexRefSetMipmappedArray(textureReference *texRef, hipMipmappedArray *mipmappedArray, unsigned int Flags) {
  return HIPLZ_API(hipTexRefSetMipmappedArray, texRef, mipmappedArray, Flags)([&] {
    HIPLZ_NOT_NULL(texRef, mipmappedArray);
    if (Flags != HIP_TRSA_OVERRIDE_FORMAT)
      return refuse(hipErrorInvalidValue, "Flags is not HIP_TRSA_OVERRIDE_FORMAT");
    LZMipmappedArray &bound = mipmappedArrayFrom(mipmappedArray);
    bindMipmapped(LZTextureReference::from(texRef), bound);
    setFormat(*texRef, ChannelFormat::from(bound.shape().format));
    return hipSuccess;
  });
}

hipError_t hipTexRefSetFormat(textureReference *texRef, hipArray_Format fmt, int NumPackedComponents) {
  return HIPLZ_API(hipTexRefSetFormat, texRef, fmt, NumPackedComponents)([&] {
    const ChannelFormat format = ChannelFormat::from(fmt, static_cast<unsigned>(NumPackedComponents));
    if (!texRef)
      return refuse(hipErrorInvalidValue, "texRef is null");
    setFormat(*texRef, format); // of the next binding
    return hipSuccess;
  });
}

hipError_t hipTexRefSetFlags(textureReference *texRef, unsigned int Flags) {
  return HIPLZ_API(hipTexRefSetFlags, texRef, Flags)([&] {
    if (Flags & ~unsigned{HIP_TRSF_READ_AS_INTEGER | HIP_TRSF_NORMALIZED_COORDINATES | HIP_TRSF_SRGB})
      return refuse(hipErrorInvalidValue, "Flags has bits that HIP does not know");
    return change(texRef, [=](textureReference &reference) {
      reference.readMode = Flags & HIP_TRSF_READ_AS_INTEGER ? hipReadModeElementType : hipReadModeNormalizedFloat;
      reference.normalized = (Flags & HIP_TRSF_NORMALIZED_COORDINATES) != 0;
      reference.sRGB = (Flags & HIP_TRSF_SRGB) != 0;
    });
  });
}

hipError_t hipTexRefSetAddressMode(textureReference *texRef, int dim, hipTextureAddressMode am) {
  return HIPLZ_API(hipTexRefSetAddressMode, texRef, dim, am)([&] {
    if (!isDimension(dim) || am < hipAddressModeWrap || am > hipAddressModeBorder)
      return refuse(hipErrorInvalidValue, "dim is not a dimension, or am is not one of hipTextureAddressMode");
    return change(texRef, [=](textureReference &reference) { reference.addressMode[dim] = am; });
  });
}

hipError_t hipTexRefSetFilterMode(textureReference *texRef, hipTextureFilterMode fm) {
  return HIPLZ_API(hipTexRefSetFilterMode, texRef, fm)([&] {
    return isMode(fm) ? change(texRef, [=](textureReference &reference) { reference.filterMode = fm; })
                      : refuse(hipErrorInvalidValue, "fm is not one of hipTextureFilterMode");
  });
}

hipError_t hipTexRefSetMipmapFilterMode(textureReference *texRef, hipTextureFilterMode fm) {
  return HIPLZ_API(hipTexRefSetMipmapFilterMode, texRef, fm)([&] {
    return isMode(fm) ? change(texRef, [=](textureReference &reference) { reference.mipmapFilterMode = fm; })
                      : refuse(hipErrorInvalidValue, "fm is not one of hipTextureFilterMode");
  });
}

hipError_t hipTexRefSetMipmapLevelBias(textureReference *texRef, float bias) {
  return HIPLZ_API(hipTexRefSetMipmapLevelBias, texRef, bias)(
      [&] { return change(texRef, [=](textureReference &reference) { reference.mipmapLevelBias = bias; }); });
}

hipError_t hipTexRefSetMipmapLevelClamp(textureReference *texRef, float minMipMapLevelClamp,
                                        float maxMipMapLevelClamp) {
  return HIPLZ_API(hipTexRefSetMipmapLevelClamp, texRef, minMipMapLevelClamp, maxMipMapLevelClamp)([&] {
    return change(texRef, [=](textureReference &reference) {
      reference.minMipmapLevelClamp = minMipMapLevelClamp;
      reference.maxMipmapLevelClamp = maxMipMapLevelClamp;
    });
  });
}

hipError_t hipTexRefSetMaxAnisotropy(textureReference *texRef, unsigned int maxAniso) {
  return HIPLZ_API(hipTexRefSetMaxAnisotropy, texRef, maxAniso)(
      [&] { return change(texRef, [=](textureReference &reference) { reference.maxAnisotropy = maxAniso; }); });
}

hipError_t hipTexRefSetBorderColor(textureReference *texRef, float *pBorderColor) {
  return HIPLZ_API(hipTexRefSetBorderColor, texRef, pBorderColor)([&] {
    HIPLZ_NOT_NULL(texRef, pBorderColor);
    LZTextureReference::from(texRef).setBorderColour(
        {pBorderColor[0], pBorderColor[1], pBorderColor[2], pBorderColor[3]});
    return hipSuccess;
  });
}

hipError_t hipTexRefGetAddress(hipDeviceptr_t *dev_ptr, const textureReference *texRef) {
  return HIPLZ_API(hipTexRefGetAddress, dev_ptr, texRef)([&] {
    HIPLZ_NOT_NULL(dev_ptr, texRef);
    const std::optional<LZTextureReference::Binding> binding = LZTextureReference::from(texRef).binding();
    if (binding && binding->resource.resType == hipResourceTypePitch2D)
      *dev_ptr = static_cast<std::byte *>(binding->resource.res.pitch2D.devPtr) + binding->offset;
    else
      *dev_ptr = static_cast<std::byte *>(boundTo(texRef, hipResourceTypeLinear).res.linear.devPtr) + binding->offset;
    return hipSuccess;
  });
}

hipError_t hipTexRefGetArray(hipArray_t *pArray, const textureReference *texRef) {
  return HIPLZ_API(hipTexRefGetArray, pArray, texRef)([&] {
    HIPLZ_NOT_NULL(pArray, texRef);
    *pArray = boundTo(texRef, hipResourceTypeArray).res.array.array;
    return hipSuccess;
  });
}

hipError_t hipTexRefGetMipMappedArray(hipMipmappedArray_t *pArray, const textureReference *texRef) {
  return HIPLZ_API(hipTexRefGetMipMappedArray, pArray, texRef)([&] {
    HIPLZ_NOT_NULL(pArray, texRef);
    *pArray = boundTo(texRef, hipResourceTypeMipmappedArray).res.mipmap.mipmap;
    return hipSuccess;
  });
}

hipError_t hipTexRefGetFormat(hipArray_Format *pFormat, int *pNumChannels, const textureReference *texRef) {
  return HIPLZ_API(hipTexRefGetFormat, pFormat, pNumChannels, texRef)([&] {
    if (!allSet(pFormat, pNumChannels, texRef))
      return refuse(hipErrorInvalidValue, "pFormat, pNumChannels or texRef is null");
    const ChannelFormat format = formatOf(*texRef);
    *pFormat = format.arrayFormat();
    *pNumChannels = static_cast<int>(format.channels);
    return hipSuccess;
  });
}

hipError_t hipTexRefGetFlags(unsigned int *pFlags, const textureReference *texRef) {
  return HIPLZ_API(hipTexRefGetFlags, pFlags, texRef)([&] {
    if (!allSet(pFlags, texRef))
      return refuse(hipErrorInvalidValue, "pFlags or texRef is null");
    *pFlags = (texRef->readMode == hipReadModeElementType ? HIP_TRSF_READ_AS_INTEGER : 0) |
              (texRef->normalized ? HIP_TRSF_NORMALIZED_COORDINATES : 0) | (texRef->sRGB ? HIP_TRSF_SRGB : 0);
    return hipSuccess;
  });
}

hipError_t hipTexRefGetAddressMode(hipTextureAddressMode *pam, const textureReference *texRef, int dim) {
  return HIPLZ_API(hipTexRefGetAddressMode, pam, texRef, dim)([&] {
    if (!allSet(pam, texRef) || !isDimension(dim))
      return refuse(hipErrorInvalidValue, "pam or texRef is null, or dim is not a dimension");
    *pam = texRef->addressMode[dim];
    return hipSuccess;
  });
}

hipError_t hipTexRefGetFilterMode(hipTextureFilterMode *pfm, const textureReference *texRef) {
  return HIPLZ_API(hipTexRefGetFilterMode, pfm, texRef)([&] {
    if (!allSet(pfm, texRef))
      return refuse(hipErrorInvalidValue, "pfm or texRef is null");
    *pfm = texRef->filterMode;
    return hipSuccess;
  });
}

hipError_t hipTexRefGetMipmapFilterMode(hipTextureFilterMode *pfm, const textureReference *texRef) {
  return HIPLZ_API(hipTexRefGetMipmapFilterMode, pfm, texRef)([&] {
    if (!allSet(pfm, texRef))
      return refuse(hipErrorInvalidValue, "pfm or texRef is null");
    *pfm = texRef->mipmapFilterMode;
    return hipSuccess;
  });
}

hipError_t hipTexRefGetMipmapLevelBias(float *pbias, const textureReference *texRef) {
  return HIPLZ_API(hipTexRefGetMipmapLevelBias, pbias, texRef)([&] {
    if (!allSet(pbias, texRef))
      return refuse(hipErrorInvalidValue, "pbias or texRef is null");
    *pbias = texRef->mipmapLevelBias;
    return hipSuccess;
  });
}

hipError_t hipTexRefGetMipmapLevelClamp(float *pminMipmapLevelClamp, float *pmaxMipmapLevelClamp,
                                        const textureReference *texRef) {
  return HIPLZ_API(hipTexRefGetMipmapLevelClamp, pminMipmapLevelClamp, pmaxMipmapLevelClamp, texRef)([&] {
    if (!allSet(pminMipmapLevelClamp, pmaxMipmapLevelClamp, texRef))
      return refuse(hipErrorInvalidValue, "pminMipmapLevelClamp, pmaxMipmapLevelClamp or texRef is null");
    *pminMipmapLevelClamp = texRef->minMipmapLevelClamp;
    *pmaxMipmapLevelClamp = texRef->maxMipmapLevelClamp;
    return hipSuccess;
  });
}

hipError_t hipTexRefGetMaxAnisotropy(int *pmaxAnsio, const textureReference *texRef) {
  return HIPLZ_API(hipTexRefGetMaxAnisotropy, pmaxAnsio, texRef)([&] {
    if (!allSet(pmaxAnsio, texRef))
      return refuse(hipErrorInvalidValue, "pmaxAnsio or texRef is null");
    *pmaxAnsio = static_cast<int>(texRef->maxAnisotropy);
    return hipSuccess;
  });
}

hipError_t hipTexRefGetBorderColor(float *pBorderColor, const textureReference *texRef) {
  return HIPLZ_API(hipTexRefGetBorderColor, pBorderColor, texRef)([&] {
    if (!allSet(pBorderColor, texRef))
      return refuse(hipErrorInvalidValue, "pBorderColor or texRef is null");
    const std::array<float, 4> colour = LZTextureReference::from(texRef).borderColour();
    std::copy_n(colour.data(), colour.size(), pBorderColor);
    return hipSuccess;
  });
}

} // extern "C"
