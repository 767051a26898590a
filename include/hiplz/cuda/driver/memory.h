// SPDX-License-Identifier: MIT
// Memory, copies, arrays and what is imported, in the CUDA driver API.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include "../forms/mipmapped_arrays.h"
#include "call.h"

HIPLZ_CU cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *pAllocateArray) {
  return (CUresult)hipArray3DCreate(array, pAllocateArray);
}
HIPLZ_CU cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *pArrayDescriptor, CUarray array) {
  return (CUresult)hipArray3DGetDescriptor(pArrayDescriptor, array);
}
HIPLZ_CU cuArrayCreate(CUarray *pHandle, const CUDA_ARRAY_DESCRIPTOR *pAllocateArray) {
  return (CUresult)hipArrayCreate(pHandle, pAllocateArray);
}
HIPLZ_CU cuArrayDestroy(CUarray array) { return (CUresult)hipArrayDestroy(array); }
HIPLZ_CU cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *pArrayDescriptor, CUarray array) {
  return (CUresult)hipArrayGetDescriptor(pArrayDescriptor, array);
}

HIPLZ_CU cuDestroyExternalMemory(CUexternalMemory extMem) { return (CUresult)hipDestroyExternalMemory(extMem); }
HIPLZ_CU cuDestroyExternalSemaphore(CUexternalSemaphore extSem) {
  return (CUresult)hipDestroyExternalSemaphore(extSem);
}

HIPLZ_CU cuExternalMemoryGetMappedBuffer(CUdeviceptr *devPtr, CUexternalMemory extMem,
                                         const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *bufferDesc) {
  return (CUresult)hipExternalMemoryGetMappedBuffer((void **)devPtr, extMem, bufferDesc);
}

HIPLZ_CU cuGraphicsMapResources(unsigned count, CUgraphicsResource *resources, CUstream stream) {
  return (CUresult)hipGraphicsMapResources((int)count, resources, stream);
}
HIPLZ_CU cuGraphicsResourceGetMappedPointer(CUdeviceptr *devPtr, size_t *size, CUgraphicsResource resource) {
  return (CUresult)hipGraphicsResourceGetMappedPointer((void **)devPtr, size, resource);
}
HIPLZ_CU cuGraphicsSubResourceGetMappedArray(CUarray *array, CUgraphicsResource resource, unsigned arrayIndex,
                                             unsigned mipLevel) {
  return (CUresult)hipGraphicsSubResourceGetMappedArray(array, resource, arrayIndex, mipLevel);
}
HIPLZ_CU cuGraphicsUnmapResources(unsigned count, CUgraphicsResource *resources, CUstream stream) {
  return (CUresult)hipGraphicsUnmapResources((int)count, resources, stream);
}
HIPLZ_CU cuGraphicsUnregisterResource(CUgraphicsResource resource) {
  return (CUresult)hipGraphicsUnregisterResource(resource);
}

HIPLZ_CU cuImportExternalMemory(CUexternalMemory *extMem_out, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *memHandleDesc) {
  return (CUresult)hipImportExternalMemory(extMem_out, memHandleDesc);
}
HIPLZ_CU cuImportExternalSemaphore(CUexternalSemaphore *extSem_out,
                                   const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *semHandleDesc) {
  return (CUresult)hipImportExternalSemaphore(extSem_out, semHandleDesc);
}

HIPLZ_CU cuIpcCloseMemHandle(CUdeviceptr devPtr) { return (CUresult)hipIpcCloseMemHandle((void *)devPtr); }
HIPLZ_CU cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event) {
  return (CUresult)hipIpcGetEventHandle(handle, event);
}
HIPLZ_CU cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr devPtr) {
  return (CUresult)hipIpcGetMemHandle(handle, (void *)devPtr);
}
HIPLZ_CU cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle) {
  return (CUresult)hipIpcOpenEventHandle(event, handle);
}
HIPLZ_CU cuIpcOpenMemHandle(CUdeviceptr *devPtr, CUipcMemHandle handle, unsigned flags) {
  return (CUresult)hipIpcOpenMemHandle((void **)devPtr, handle, flags);
}

HIPLZ_CU cuMemAddressFree(CUdeviceptr devPtr, size_t size) { return (CUresult)hipMemAddressFree((void *)devPtr, size); }
HIPLZ_CU cuMemAddressReserve(CUdeviceptr *ptr, size_t size, size_t alignment, CUdeviceptr addr,
                             unsigned long long flags) {
  return (CUresult)hipMemAddressReserve((void **)ptr, size, alignment, (void *)addr, flags);
}
HIPLZ_CU cuMemAlloc(CUdeviceptr *ptr, size_t size) { return (CUresult)hipMalloc((void **)ptr, size); }
HIPLZ_CU cuMemAllocAsync(CUdeviceptr *dev_ptr, size_t size, CUstream stream) {
  return (CUresult)hipMallocAsync((void **)dev_ptr, size, stream);
}
HIPLZ_CU cuMemAllocFromPoolAsync(CUdeviceptr *dev_ptr, size_t size, CUmemoryPool mem_pool, CUstream stream) {
  return (CUresult)hipMallocFromPoolAsync((void **)dev_ptr, size, mem_pool, stream);
}
HIPLZ_CU cuMemAllocHost(void **ptr, size_t size) { return (CUresult)hipMemAllocHost(ptr, size); }
HIPLZ_CU cuMemAllocManaged(CUdeviceptr *dev_ptr, size_t size, unsigned flags) {
  return (CUresult)hipMallocManaged((void **)dev_ptr, size, flags);
}
HIPLZ_CU cuMemAllocPitch(CUdeviceptr *dptr, size_t *pitch, size_t widthInBytes, size_t height,
                         unsigned elementSizeBytes) {
  return (CUresult)hipMemAllocPitch((hipDeviceptr_t *)dptr, pitch, widthInBytes, height, elementSizeBytes);
}
HIPLZ_CU cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size, const CUmemAllocationProp *prop,
                     unsigned long long flags) {
  return (CUresult)hipMemCreate(handle, size, prop, flags);
}
HIPLZ_CU cuMemExportToShareableHandle(void *shareableHandle, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType handleType, unsigned long long flags) {
  return (CUresult)hipMemExportToShareableHandle(shareableHandle, handle, handleType, flags);
}
HIPLZ_CU cuMemFree(CUdeviceptr ptr) { return (CUresult)hipFree((void *)ptr); }
HIPLZ_CU cuMemFreeAsync(CUdeviceptr dev_ptr, CUstream stream) {
  return (CUresult)hipFreeAsync((void *)dev_ptr, stream);
}
HIPLZ_CU cuMemFreeHost(void *ptr) { return (CUresult)hipHostFree(ptr); }
HIPLZ_CU cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr ptr) {
  return (CUresult)hipMemGetAccess(flags, location, (void *)ptr);
}
HIPLZ_CU cuMemGetAddressRange(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr) {
  return (CUresult)hipMemGetAddressRange((hipDeviceptr_t *)pbase, psize, (hipDeviceptr_t)dptr);
}
HIPLZ_CU cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *prop,
                                       CUmemAllocationGranularity_flags option) {
  return (CUresult)hipMemGetAllocationGranularity(granularity, prop, option);
}
HIPLZ_CU cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop, CUmemGenericAllocationHandle handle) {
  return (CUresult)hipMemGetAllocationPropertiesFromHandle(prop, handle);
}
HIPLZ_CU cuMemGetInfo(size_t *free, size_t *total) { return (CUresult)hipMemGetInfo(free, total); }
HIPLZ_CU cuMemHostAlloc(void **ptr, size_t size, unsigned flags) { return (CUresult)hipHostAlloc(ptr, size, flags); }
HIPLZ_CU cuMemHostGetDevicePointer(CUdeviceptr *devPtr, void *hstPtr, unsigned flags) {
  return (CUresult)hipHostGetDevicePointer((void **)devPtr, hstPtr, flags);
}
HIPLZ_CU cuMemHostGetFlags(unsigned *flagsPtr, void *hostPtr) { return (CUresult)hipHostGetFlags(flagsPtr, hostPtr); }
HIPLZ_CU cuMemHostRegister(void *hostPtr, size_t sizeBytes, unsigned flags) {
  return (CUresult)hipHostRegister(hostPtr, sizeBytes, flags);
}
HIPLZ_CU cuMemHostUnregister(void *hostPtr) { return (CUresult)hipHostUnregister(hostPtr); }
HIPLZ_CU cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *osHandle,
                                        CUmemAllocationHandleType shHandleType) {
  return (CUresult)hipMemImportFromShareableHandle(handle, osHandle, shHandleType);
}
HIPLZ_CU cuMemMap(CUdeviceptr ptr, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
  return (CUresult)hipMemMap((void *)ptr, size, offset, handle, flags);
}
HIPLZ_CU cuMemMapArrayAsync(CUarrayMapInfo *mapInfoList, unsigned count, CUstream stream) {
  return (CUresult)hipMemMapArrayAsync(mapInfoList, count, stream);
}

HIPLZ_CU cuMemPoolCreate(CUmemoryPool *mem_pool, const CUmemPoolProps *pool_props) {
  return (CUresult)hipMemPoolCreate(mem_pool, pool_props);
}
HIPLZ_CU cuMemPoolDestroy(CUmemoryPool mem_pool) { return (CUresult)hipMemPoolDestroy(mem_pool); }
HIPLZ_CU cuMemPoolExportPointer(CUmemPoolPtrExportData *export_data, CUdeviceptr dev_ptr) {
  return (CUresult)hipMemPoolExportPointer(export_data, (void *)dev_ptr);
}
HIPLZ_CU cuMemPoolExportToShareableHandle(void *shared_handle, CUmemoryPool mem_pool,
                                          CUmemAllocationHandleType handle_type, unsigned long long flags) {
  return (CUresult)hipMemPoolExportToShareableHandle(shared_handle, mem_pool, handle_type, (unsigned)flags);
}
HIPLZ_CU cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool mem_pool, CUmemLocation *location) {
  return (CUresult)hipMemPoolGetAccess(flags, mem_pool, location);
}
HIPLZ_CU cuMemPoolGetAttribute(CUmemoryPool mem_pool, CUmemPool_attribute attr, void *value) {
  return (CUresult)hipMemPoolGetAttribute(mem_pool, attr, value);
}
HIPLZ_CU cuMemPoolImportFromShareableHandle(CUmemoryPool *mem_pool, void *shared_handle,
                                            CUmemAllocationHandleType handle_type, unsigned long long flags) {
  return (CUresult)hipMemPoolImportFromShareableHandle(mem_pool, shared_handle, handle_type, (unsigned)flags);
}
HIPLZ_CU cuMemPoolImportPointer(CUdeviceptr *dev_ptr, CUmemoryPool mem_pool, CUmemPoolPtrExportData *export_data) {
  return (CUresult)hipMemPoolImportPointer((void **)dev_ptr, mem_pool, export_data);
}
HIPLZ_CU cuMemPoolSetAccess(CUmemoryPool mem_pool, const CUmemAccessDesc *desc_list, size_t count) {
  return (CUresult)hipMemPoolSetAccess(mem_pool, desc_list, count);
}
HIPLZ_CU cuMemPoolSetAttribute(CUmemoryPool mem_pool, CUmemPool_attribute attr, void *value) {
  return (CUresult)hipMemPoolSetAttribute(mem_pool, attr, value);
}
HIPLZ_CU cuMemPoolTrimTo(CUmemoryPool mem_pool, size_t min_bytes_to_hold) {
  return (CUresult)hipMemPoolTrimTo(mem_pool, min_bytes_to_hold);
}

HIPLZ_CU cuMemRangeGetAttribute(void *data, size_t data_size, CUmem_range_attribute attribute, CUdeviceptr dev_ptr,
                                size_t count) {
  return (CUresult)hipMemRangeGetAttribute(data, data_size, attribute, (const void *)dev_ptr, count);
}
HIPLZ_CU cuMemRangeGetAttributes(void **data, size_t *data_sizes, CUmem_range_attribute *attributes,
                                 size_t num_attributes, CUdeviceptr dev_ptr, size_t count) {
  return (CUresult)hipMemRangeGetAttributes(data, data_sizes, attributes, num_attributes, (const void *)dev_ptr, count);
}
HIPLZ_CU cuMemRelease(CUmemGenericAllocationHandle handle) { return (CUresult)hipMemRelease(handle); }
HIPLZ_CU cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *addr) {
  return (CUresult)hipMemRetainAllocationHandle(handle, addr);
}
HIPLZ_CU cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc *desc, size_t count) {
  return (CUresult)hipMemSetAccess((void *)ptr, size, desc, count);
}
HIPLZ_CU cuMemUnmap(CUdeviceptr ptr, size_t size) { return (CUresult)hipMemUnmap((void *)ptr, size); }
HIPLZ_CU cuMemcpy2D(const CUDA_MEMCPY2D *pCopy) { return (CUresult)hipMemcpyParam2D(pCopy); }
HIPLZ_CU cuMemcpy2DAsync(const CUDA_MEMCPY2D *pCopy, CUstream stream) {
  return (CUresult)hipMemcpyParam2DAsync(pCopy, stream);
}
HIPLZ_CU cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *pCopy) { return (CUresult)hipDrvMemcpy2DUnaligned(pCopy); }
HIPLZ_CU cuMemcpy3D(const CUDA_MEMCPY3D *pCopy) { return (CUresult)hipDrvMemcpy3D(pCopy); }
HIPLZ_CU cuMemcpy3DAsync(const CUDA_MEMCPY3D *pCopy, CUstream stream) {
  return (CUresult)hipDrvMemcpy3DAsync(pCopy, stream);
}
HIPLZ_CU cuMemcpyAtoA(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset, size_t ByteCount) {
  return (CUresult)hipMemcpyAtoA(dstArray, dstOffset, srcArray, srcOffset, ByteCount);
}
HIPLZ_CU cuMemcpyAtoD(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset, size_t ByteCount) {
  return (CUresult)hipMemcpyAtoD((hipDeviceptr_t)dstDevice, srcArray, srcOffset, ByteCount);
}
HIPLZ_CU cuMemcpyAtoH(void *dst, CUarray srcArray, size_t srcOffset, size_t count) {
  return (CUresult)hipMemcpyAtoH(dst, srcArray, srcOffset, count);
}
HIPLZ_CU cuMemcpyAtoHAsync(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount, CUstream stream) {
  return (CUresult)hipMemcpyAtoHAsync(dstHost, srcArray, srcOffset, ByteCount, stream);
}
HIPLZ_CU cuMemcpyDtoA(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice, size_t ByteCount) {
  return (CUresult)hipMemcpyDtoA(dstArray, dstOffset, (hipDeviceptr_t)srcDevice, ByteCount);
}
HIPLZ_CU cuMemcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t sizeBytes) {
  return (CUresult)hipMemcpyDtoD((hipDeviceptr_t)dst, (hipDeviceptr_t)src, sizeBytes);
}
HIPLZ_CU cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t sizeBytes, CUstream stream) {
  return (CUresult)hipMemcpyDtoDAsync((hipDeviceptr_t)dst, (hipDeviceptr_t)src, sizeBytes, stream);
}
HIPLZ_CU cuMemcpyDtoH(void *dst, CUdeviceptr src, size_t sizeBytes) {
  return (CUresult)hipMemcpyDtoH(dst, (hipDeviceptr_t)src, sizeBytes);
}
HIPLZ_CU cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t sizeBytes, CUstream stream) {
  return (CUresult)hipMemcpyDtoHAsync(dst, (hipDeviceptr_t)src, sizeBytes, stream);
}
HIPLZ_CU cuMemcpyHtoA(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t count) {
  return (CUresult)hipMemcpyHtoA(dstArray, dstOffset, srcHost, count);
}
HIPLZ_CU cuMemcpyHtoAAsync(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount, CUstream stream) {
  return (CUresult)hipMemcpyHtoAAsync(dstArray, dstOffset, srcHost, ByteCount, stream);
}
HIPLZ_CU cuMemcpyHtoD(CUdeviceptr dst, const void *src, size_t sizeBytes) {
  return (CUresult)hipMemcpyHtoD((hipDeviceptr_t)dst, (void *)src, sizeBytes);
}
HIPLZ_CU cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t sizeBytes, CUstream stream) {
  return (CUresult)hipMemcpyHtoDAsync((hipDeviceptr_t)dst, (void *)src, sizeBytes, stream);
}
HIPLZ_CU cuMemsetD16(CUdeviceptr dest, unsigned short value, size_t count) {
  return (CUresult)hipMemsetD16((hipDeviceptr_t)dest, value, count);
}
HIPLZ_CU cuMemsetD16Async(CUdeviceptr dest, unsigned short value, size_t count, CUstream stream) {
  return (CUresult)hipMemsetD16Async((hipDeviceptr_t)dest, value, count, stream);
}
HIPLZ_CU cuMemsetD32(CUdeviceptr dest, unsigned value, size_t count) {
  return (CUresult)hipMemsetD32((hipDeviceptr_t)dest, (int)value, count);
}
HIPLZ_CU cuMemsetD32Async(CUdeviceptr dst, unsigned value, size_t count, CUstream stream) {
  return (CUresult)hipMemsetD32Async((hipDeviceptr_t)dst, (int)value, count, stream);
}
HIPLZ_CU cuMemsetD8(CUdeviceptr dest, unsigned char value, size_t count) {
  return (CUresult)hipMemsetD8((hipDeviceptr_t)dest, value, count);
}
HIPLZ_CU cuMemsetD8Async(CUdeviceptr dest, unsigned char value, size_t count, CUstream stream) {
  return (CUresult)hipMemsetD8Async((hipDeviceptr_t)dest, value, count, stream);
}

HIPLZ_CU cuMipmappedArrayCreate(CUmipmappedArray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pMipmappedArrayDesc,
                                unsigned numMipmapLevels) {
  if (pMipmappedArrayDesc)
    numMipmapLevels = hiplzMipmapLevels(pMipmappedArrayDesc->Width, pMipmappedArrayDesc->Height,
                                        pMipmappedArrayDesc->Depth, pMipmappedArrayDesc->Flags, numMipmapLevels);
  return (CUresult)hipMipmappedArrayCreate(pHandle, (HIP_ARRAY3D_DESCRIPTOR *)pMipmappedArrayDesc, numMipmapLevels);
}
HIPLZ_CU cuMipmappedArrayDestroy(CUmipmappedArray hMipmappedArray) {
  return (CUresult)hipMipmappedArrayDestroy(hMipmappedArray);
}
HIPLZ_CU cuMipmappedArrayGetLevel(CUarray *pLevelArray, CUmipmappedArray hMipMappedArray, unsigned level) {
  return (CUresult)hipMipmappedArrayGetLevel(pLevelArray, hMipMappedArray, level);
}

HIPLZ_CU cuPointerGetAttributes(unsigned numAttributes, CUpointer_attribute *attributes, void **data, CUdeviceptr ptr) {
  return (CUresult)hipDrvPointerGetAttributes(numAttributes, attributes, data, (hipDeviceptr_t)ptr);
}
HIPLZ_CU cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr ptr) {
  return (CUresult)hipPointerSetAttribute(value, attribute, (hipDeviceptr_t)ptr);
}

HIPLZ_CU cuSignalExternalSemaphoresAsync(const CUexternalSemaphore *extSemArray,
                                         const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *paramsArray, unsigned numExtSems,
                                         CUstream stream) {
  return (CUresult)hipSignalExternalSemaphoresAsync(extSemArray, paramsArray, numExtSems, stream);
}

HIPLZ_CU cuWaitExternalSemaphoresAsync(const CUexternalSemaphore *extSemArray,
                                       const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *paramsArray, unsigned numExtSems,
                                       CUstream stream) {
  return (CUresult)hipWaitExternalSemaphoresAsync(extSemArray, paramsArray, numExtSems, stream);
}
#include <hip/spirv/user_macros_on.h>
