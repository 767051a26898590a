// Arrays and mipmapped arrays: memory in a layout of the device, read through textures and surfaces.
#ifndef HIPLZ_API_ARRAY_H
#define HIPLZ_API_ARRAY_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define hipArrayCubemap 0x04
#define hipArrayDefault 0x00
#define hipArrayLayered 0x01
#define hipArraySurfaceLoadStore 0x02
#define hipArrayTextureGather 0x08

hipError_t hipArray3DCreate(hipArray_t* array, const HIP_ARRAY3D_DESCRIPTOR* pAllocateArray);

hipError_t hipArray3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR* pArrayDescriptor, hipArray_t array);

hipError_t hipArrayCreate(hipArray_t* pHandle, const HIP_ARRAY_DESCRIPTOR* pAllocateArray);

hipError_t hipArrayDestroy(hipArray_t array);

hipError_t hipArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR* pArrayDescriptor, hipArray_t array);

hipError_t hipArrayGetInfo(hipChannelFormatDesc* desc, hipExtent* extent, unsigned int* flags,
                           hipArray_t array);

hipError_t hipFreeArray(hipArray_t array);

hipError_t hipFreeMipmappedArray(hipMipmappedArray_t mipmappedArray);

hipError_t hipGetMipmappedArrayLevel(hipArray_t* levelArray,
                                     hipMipmappedArray_const_t mipmappedArray,
                                     unsigned int level);

hipError_t hipMalloc3DArray(hipArray_t* array, const struct hipChannelFormatDesc* desc,
                            struct hipExtent extent, unsigned int flags);

hipError_t hipMallocArray(hipArray_t* array, const hipChannelFormatDesc* desc, size_t width,
                          size_t height __dparm(0),
                          unsigned int flags __dparm(hipArrayDefault));

hipError_t hipMallocMipmappedArray(hipMipmappedArray_t* mipmappedArray,
                                   const struct hipChannelFormatDesc* desc,
                                   struct hipExtent extent, unsigned int numLevels,
                                   unsigned int flags __dparm(0));

hipError_t hipMipmappedArrayCreate(hipMipmappedArray_t* pHandle,
                                   HIP_ARRAY3D_DESCRIPTOR* pMipmappedArrayDesc,
                                   unsigned int numMipmapLevels);

hipError_t hipMipmappedArrayDestroy(hipMipmappedArray_t hMipmappedArray);

hipError_t hipMipmappedArrayGetLevel(hipArray_t* pLevelArray,
                                     hipMipmappedArray_t hMipMappedArray, unsigned int level);

#ifdef __cplusplus
}
#endif

#endif
