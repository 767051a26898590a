// SPDX-License-Identifier: MIT
// Arrays and mipmapped arrays: memory in a layout of the device, read through textures and surfaces.
#ifndef HIPLZ_API_ARRAY_H
#define HIPLZ_API_ARRAY_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define hipArrayDefault 0x00
#define hipArrayLayered 0x01
#define hipArraySurfaceLoadStore 0x02
#define hipArrayCubemap 0x04
#define hipArrayTextureGather 0x08

/// Allocates an array of width elements, or of width times height elements if height is not 0.
hipError_t hipMallocArray(hipArray_t *array, const hipChannelFormatDesc *desc, size_t width, size_t height __dparm(0),
                          unsigned int flags __dparm(hipArrayDefault));

/// Allocates an array of one to three dimensions, or layers of an array with hipArrayLayered.
hipError_t hipMalloc3DArray(hipArray_t *array, const struct hipChannelFormatDesc *desc, struct hipExtent extent,
                            unsigned int flags);

/// Frees an array after the device has finished its work.
hipError_t hipFreeArray(hipArray_t array);

/// Like hipMallocArray, with the description of the driver API.
hipError_t hipArrayCreate(hipArray_t *pHandle, const HIP_ARRAY_DESCRIPTOR *pAllocateArray);

/// Like hipMalloc3DArray, with the description of the driver API.
hipError_t hipArray3DCreate(hipArray_t *array, const HIP_ARRAY3D_DESCRIPTOR *pAllocateArray);

/// Like hipFreeArray, for arrays of the driver API.
hipError_t hipArrayDestroy(hipArray_t array);

/// Stores format, extent and flags of an array. Each of the pointers may be null.
hipError_t hipArrayGetInfo(hipChannelFormatDesc *desc, hipExtent *extent, unsigned int *flags, hipArray_t array);

/// Stores the description of a one- or two-dimensional array.
hipError_t hipArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR *pArrayDescriptor, hipArray_t array);

/// Stores the description of an array.
hipError_t hipArray3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR *pArrayDescriptor, hipArray_t array);

/// Allocates an array with numLevels levels of detail, each half as large as the one before.
hipError_t hipMallocMipmappedArray(hipMipmappedArray_t *mipmappedArray, const struct hipChannelFormatDesc *desc,
                                   struct hipExtent extent, unsigned int numLevels, unsigned int flags __dparm(0));

/// Frees a mipmapped array with all its levels.
hipError_t hipFreeMipmappedArray(hipMipmappedArray_t mipmappedArray);

/// Stores one level as an array, which the mipmapped array continues to own.
hipError_t hipGetMipmappedArrayLevel(hipArray_t *levelArray, hipMipmappedArray_const_t mipmappedArray,
                                     unsigned int level);

/// Like hipMallocMipmappedArray, with the description of the driver API.
hipError_t hipMipmappedArrayCreate(hipMipmappedArray_t *pHandle, HIP_ARRAY3D_DESCRIPTOR *pMipmappedArrayDesc,
                                   unsigned int numMipmapLevels);

/// Like hipFreeMipmappedArray.
hipError_t hipMipmappedArrayDestroy(hipMipmappedArray_t hMipmappedArray);

/// Like hipGetMipmappedArrayLevel.
hipError_t hipMipmappedArrayGetLevel(hipArray_t *pLevelArray, hipMipmappedArray_t hMipMappedArray, unsigned int level);

#if HIPLZ_HIP_VERSION >= 7
/// The memory that an array needs, in bytes.
typedef struct hipArrayMemoryRequirements {
  size_t alignment;
  size_t size;
} hipArrayMemoryRequirements;

/// Stores the memory that a mipmapped array needs on a device. New in HIP 7.12.
hipError_t hipMipmappedArrayGetMemoryRequirements(hipArrayMemoryRequirements *memoryRequirements,
                                                  hipMipmappedArray_t mipmap, hipDevice_t device);
#endif

#ifdef __cplusplus
}
#endif

#endif
