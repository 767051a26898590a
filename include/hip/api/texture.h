// SPDX-License-Identifier: MIT
// Texture and surface objects, and the older texture references.
#ifndef HIPLZ_API_TEXTURE_H
#define HIPLZ_API_TEXTURE_H

#include "../channel_descriptor.h"
#include "../surface_types.h"
#include "../texture_types.h"
#include "types.h"
#include <limits.h>

#ifdef __cplusplus
extern "C" {
#endif

// Texture and surface objects

/// Creates a texture object that reads the resource. pResViewDesc may be null. The resource must
/// outlive it.
hipError_t hipCreateTextureObject(hipTextureObject_t *pTexObject, const hipResourceDesc *pResDesc,
                                  const hipTextureDesc *pTexDesc, const struct hipResourceViewDesc *pResViewDesc);

/// Destroys a texture object. Null is allowed.
hipError_t hipDestroyTextureObject(hipTextureObject_t textureObject);

/// Stores the resource that the object was created with.
hipError_t hipGetTextureObjectResourceDesc(hipResourceDesc *pResDesc, hipTextureObject_t textureObject);

/// Stores the view that the object was created with. hipErrorInvalidValue if there was none.
hipError_t hipGetTextureObjectResourceViewDesc(struct hipResourceViewDesc *pResViewDesc,
                                               hipTextureObject_t textureObject);

/// Stores how the object samples.
hipError_t hipGetTextureObjectTextureDesc(hipTextureDesc *pTexDesc, hipTextureObject_t textureObject);

/// Stores the element format of an array.
hipError_t hipGetChannelDesc(hipChannelFormatDesc *desc, hipArray_const_t array);

/// Stores the largest number of elements of a texture in linear memory.
#if HIPLZ_HIP_VERSION >= 7
hipError_t hipDeviceGetTexture1DLinearMaxWidth(size_t *max_width, const hipChannelFormatDesc *desc, int device);
#else
hipError_t hipDeviceGetTexture1DLinearMaxWidth(hipMemPool_t *mem_pool, int device); // as AMD's header had it
#endif

/// Like hipCreateTextureObject, with the descriptions of the driver API.
hipError_t hipTexObjectCreate(hipTextureObject_t *pTexObject, const HIP_RESOURCE_DESC *pResDesc,
                              const HIP_TEXTURE_DESC *pTexDesc, const HIP_RESOURCE_VIEW_DESC *pResViewDesc);

/// Like hipDestroyTextureObject.
hipError_t hipTexObjectDestroy(hipTextureObject_t texObject);

/// Like hipGetTextureObjectResourceDesc.
hipError_t hipTexObjectGetResourceDesc(HIP_RESOURCE_DESC *pResDesc, hipTextureObject_t texObject);

/// Like hipGetTextureObjectResourceViewDesc.
hipError_t hipTexObjectGetResourceViewDesc(HIP_RESOURCE_VIEW_DESC *pResViewDesc, hipTextureObject_t texObject);

/// Like hipGetTextureObjectTextureDesc.
hipError_t hipTexObjectGetTextureDesc(HIP_TEXTURE_DESC *pTexDesc, hipTextureObject_t texObject);

/// Creates a surface object, through which kernels read and write an array made with
/// hipArraySurfaceLoadStore.
hipError_t hipCreateSurfaceObject(hipSurfaceObject_t *pSurfObject, const hipResourceDesc *pResDesc);

/// Destroys a surface object. Null is allowed.
hipError_t hipDestroySurfaceObject(hipSurfaceObject_t surfaceObject);

// Texture references

/// Lets a texture reference read linear memory. Stores the offset that kernels must add, which is 0
/// for memory of hipMalloc.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipBindTexture(size_t *offset, const textureReference *tex, const void *devPtr,
                          const hipChannelFormatDesc *desc, size_t size __dparm(UINT_MAX));

/// Lets a texture reference read pitched memory.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipBindTexture2D(size_t *offset, const textureReference *tex, const void *devPtr,
                            const hipChannelFormatDesc *desc, size_t width, size_t height, size_t pitch);

/// Lets a texture reference read an array.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipBindTextureToArray(const textureReference *tex, hipArray_const_t array, const hipChannelFormatDesc *desc);

/// Lets a texture reference read a mipmapped array.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipBindTextureToMipmappedArray(const textureReference *tex, hipMipmappedArray_const_t mipmappedArray,
                                          const hipChannelFormatDesc *desc);

/// Undoes a bind.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipUnbindTexture(const textureReference *tex);

/// Stores the offset that hipBindTexture has stored.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipGetTextureAlignmentOffset(size_t *offset, const textureReference *texref);

/// Stores the texture reference that belongs to a symbol.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipGetTextureReference(const textureReference **texref, const void *symbol);

/// Stores a texture reference of a module. hipErrorNotFound if there is none.
hipError_t hipModuleGetTexRef(textureReference **texRef, hipModule_t hmod, const char *name);

// Texture references of modules

/// Lets the reference read linear memory.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetAddress(size_t *ByteOffset, textureReference *texRef, hipDeviceptr_t dptr, size_t bytes);

/// Lets the reference read pitched memory.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetAddress2D(textureReference *texRef, const HIP_ARRAY_DESCRIPTOR *desc, hipDeviceptr_t dptr,
                                 size_t Pitch);

/// Lets the reference read an array. flags is HIP_TRSA_OVERRIDE_FORMAT.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetArray(textureReference *tex, hipArray_const_t array, unsigned int flags);

/// Lets the reference read a mipmapped array.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetMipmappedArray(textureReference *texRef, struct hipMipmappedArray *mipmappedArray,
                                      unsigned int Flags);

/// Sets element format and number of components.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetFormat(textureReference *texRef, hipArray_Format fmt, int NumPackedComponents);

/// Sets the flags HIP_TRSF_....
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetFlags(textureReference *texRef, unsigned int Flags);

/// Sets what is read outside the texture in one dimension.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetAddressMode(textureReference *texRef, int dim, enum hipTextureAddressMode am);

/// Sets how texels are filtered.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetFilterMode(textureReference *texRef, enum hipTextureFilterMode fm);

/// Sets how levels are filtered.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetMipmapFilterMode(textureReference *texRef, enum hipTextureFilterMode fm);

/// Sets what is added to the level of detail.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetMipmapLevelBias(textureReference *texRef, float bias);

/// Sets the range of the level of detail.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetMipmapLevelClamp(textureReference *texRef, float minMipMapLevelClamp, float maxMipMapLevelClamp);

/// Sets the largest ratio of anisotropic filtering.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetMaxAnisotropy(textureReference *texRef, unsigned int maxAniso);

/// Sets the colour outside the texture, four floats.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetBorderColor(textureReference *texRef, float *pBorderColor);

/// Stores the memory that the reference reads.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetAddress(hipDeviceptr_t *dev_ptr, const textureReference *texRef);

/// Stores the array that the reference reads.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetArray(hipArray_t *pArray, const textureReference *texRef);

/// Stores the mipmapped array that the reference reads.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetMipMappedArray(hipMipmappedArray_t *pArray, const textureReference *texRef);

/// Stores element format and number of components.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetFormat(hipArray_Format *pFormat, int *pNumChannels, const textureReference *texRef);

/// Stores the flags.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetFlags(unsigned int *pFlags, const textureReference *texRef);

/// Stores what is read outside the texture in one dimension.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetAddressMode(enum hipTextureAddressMode *pam, const textureReference *texRef, int dim);

/// Stores how texels are filtered.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetFilterMode(enum hipTextureFilterMode *pfm, const textureReference *texRef);

/// Stores how levels are filtered.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetMipmapFilterMode(enum hipTextureFilterMode *pfm, const textureReference *texRef);

/// Stores what is added to the level of detail.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetMipmapLevelBias(float *pbias, const textureReference *texRef);

/// Stores the range of the level of detail.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetMipmapLevelClamp(float *pminMipmapLevelClamp, float *pmaxMipmapLevelClamp,
                                        const textureReference *texRef);

/// Stores the largest ratio of anisotropic filtering.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetMaxAnisotropy(int *pmaxAnsio, const textureReference *texRef);

/// Stores the colour outside the texture.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetBorderColor(float *pBorderColor, const textureReference *texRef);

#ifdef __cplusplus
}
#endif

#endif
