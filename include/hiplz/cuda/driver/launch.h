// SPDX-License-Identifier: MIT
// Modules, launches, streams and textures of the CUDA driver API.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include "../forms/stream_flags.h"
#include "call.h"

HIPLZ_CU cuFuncGetAttribute(int *value, CUfunction_attribute attrib, CUfunction hfunc) {
  return (CUresult)hipFuncGetAttribute(value, attrib, hfunc);
}

/// The limit of dynamic shared memory is that of the device; the other attributes are hints.
HIPLZ_CU cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value) {
  int fixed = 0, most = 0, device = 0;
  hipError_t result = hipFuncGetAttribute(&fixed, HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, hfunc);
  if (result != hipSuccess)
    return (CUresult)result;
  if (attrib == HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
    return value < -1 || value > 100 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  if (attrib != HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
    return CUDA_ERROR_INVALID_VALUE;
  result = hipGetDevice(&device);
  if (result == hipSuccess)
    result = hipDeviceGetAttribute(&most, hipDeviceAttributeMaxSharedMemoryPerBlock, device);
  if (result != hipSuccess)
    return (CUresult)result;
  return value < 0 || value > most - fixed ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

HIPLZ_CU cuLaunchCooperativeKernel(CUfunction f, unsigned gridDimX, unsigned gridDimY, unsigned gridDimZ,
                                   unsigned blockDimX, unsigned blockDimY, unsigned blockDimZ, unsigned sharedMemBytes,
                                   CUstream stream, void **kernelParams) {
  return (CUresult)hipModuleLaunchCooperativeKernel(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ,
                                                    sharedMemBytes, stream, kernelParams);
}
HIPLZ_CU cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS *launchParamsList, unsigned numDevices,
                                              unsigned flags) {
  return (CUresult)hipModuleLaunchCooperativeKernelMultiDevice(launchParamsList, numDevices, flags);
}
HIPLZ_CU cuLaunchHostFunc(CUstream stream, CUhostFn fn, void *userData) {
  return (CUresult)hipLaunchHostFunc(stream, fn, userData);
}
HIPLZ_CU cuLaunchKernel(CUfunction f, unsigned gridDimX, unsigned gridDimY, unsigned gridDimZ, unsigned blockDimX,
                        unsigned blockDimY, unsigned blockDimZ, unsigned sharedMemBytes, CUstream stream,
                        void **kernelParams, void **extra) {
  return (CUresult)hipModuleLaunchKernel(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ,
                                         sharedMemBytes, stream, kernelParams, extra);
}

HIPLZ_CU cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                       unsigned numOptions, CUjit_option *options, void **optionValues) {
  return (CUresult)hipLinkAddData(state, type, data, size, name, numOptions, options, optionValues);
}
HIPLZ_CU cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned numOptions,
                       CUjit_option *options, void **optionValues) {
  return (CUresult)hipLinkAddFile(state, type, path, numOptions, options, optionValues);
}
HIPLZ_CU cuLinkComplete(CUlinkState state, void **binOut, size_t *sizeOut) {
  return (CUresult)hipLinkComplete(state, binOut, sizeOut);
}
HIPLZ_CU cuLinkCreate(unsigned numOptions, CUjit_option *options, void **optionValues, CUlinkState *stateOut) {
  return (CUresult)hipLinkCreate(numOptions, options, optionValues, stateOut);
}
HIPLZ_CU cuLinkDestroy(CUlinkState state) { return (CUresult)hipLinkDestroy(state); }

HIPLZ_CU cuModuleGetFunction(CUfunction *function, CUmodule module, const char *kname) {
  return (CUresult)hipModuleGetFunction(function, module, kname);
}
HIPLZ_CU cuModuleGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name) {
  return (CUresult)hipModuleGetGlobal((hipDeviceptr_t *)dptr, bytes, hmod, name);
}
HIPLZ_CU cuModuleGetTexRef(CUtexref *texRef, CUmodule hmod, const char *name) {
  return (CUresult)hipModuleGetTexRef((textureReference **)texRef, hmod, name);
}
HIPLZ_CU cuModuleLoad(CUmodule *module, const char *fname) { return (CUresult)hipModuleLoad(module, fname); }
HIPLZ_CU cuModuleLoadData(CUmodule *module, const void *data) { return (CUresult)hipModuleLoadData(module, data); }
HIPLZ_CU cuModuleLoadDataEx(CUmodule *module, const void *data, unsigned numOptions, CUjit_option *options,
                            void **optionValues) {
  return (CUresult)hipModuleLoadDataEx(module, data, numOptions, options, optionValues);
}
HIPLZ_CU cuModuleUnload(CUmodule module) { return (CUresult)hipModuleUnload(module); }

HIPLZ_CU cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, CUfunction f, int blockSize,
                                                     size_t dynSharedMemPerBlk) {
  return (CUresult)hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, f, blockSize, dynSharedMemPerBlk);
}
HIPLZ_CU cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, CUfunction f, int blockSize,
                                                              size_t dynSharedMemPerBlk, unsigned flags) {
  return (CUresult)hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, f, blockSize,
                                                                               dynSharedMemPerBlk, flags);
}

HIPLZ_CU cuStreamAttachMemAsync(CUstream stream, CUdeviceptr dev_ptr, size_t length, unsigned flags) {
  return (CUresult)hipStreamAttachMemAsync(stream, (void *)dev_ptr, length, flags);
}
HIPLZ_CU cuStreamBatchMemOp(CUstream stream, unsigned count, CUstreamBatchMemOpParams *paramArray, unsigned flags) {
  return (CUresult)hipStreamBatchMemOp(stream, count, paramArray, flags);
}
HIPLZ_CU cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  return (CUresult)hipStreamBeginCapture(stream, mode);
}
HIPLZ_CU cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode *dependencies,
                                     const CUgraphEdgeData *dependencyData, size_t numDependencies,
                                     CUstreamCaptureMode mode) {
  return (CUresult)hipStreamBeginCaptureToGraph(stream, graph, dependencies, dependencyData, numDependencies, mode);
}
HIPLZ_CU cuStreamCreate(CUstream *stream, unsigned flags) { return (CUresult)hipStreamCreateWithFlags(stream, flags); }
HIPLZ_CU cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
  return (CUresult)hipStreamCreateWithPriority(stream, flags, priority);
}
HIPLZ_CU cuStreamDestroy(CUstream stream) { return (CUresult)hipStreamDestroy(stream); }
HIPLZ_CU cuStreamEndCapture(CUstream stream, CUgraph *pGraph) { return (CUresult)hipStreamEndCapture(stream, pGraph); }
HIPLZ_CU cuStreamGetFlags(CUstream stream, unsigned *flags) { return (CUresult)hiplzStreamGetFlags(stream, flags); }
HIPLZ_CU cuStreamGetPriority(CUstream stream, int *priority) {
  return (CUresult)hipStreamGetPriority(stream, priority);
}
HIPLZ_CU cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *pCaptureStatus) {
  return (CUresult)hipStreamIsCapturing(stream, pCaptureStatus);
}
HIPLZ_CU cuStreamQuery(CUstream stream) { return (CUresult)hipStreamQuery(stream); }
HIPLZ_CU cuStreamSynchronize(CUstream stream) { return (CUresult)hipStreamSynchronize(stream); }
HIPLZ_CU cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return (CUresult)hipStreamWaitEvent(stream, event, flags);
}
HIPLZ_CU cuStreamWriteValue32(CUstream stream, CUdeviceptr ptr, cuuint32_t value, unsigned flags) {
  return (CUresult)hipStreamWriteValue32(stream, (void *)ptr, (uint32_t)value, flags);
}
HIPLZ_CU cuStreamWriteValue64(CUstream stream, CUdeviceptr ptr, cuuint64_t value, unsigned flags) {
  return (CUresult)hipStreamWriteValue64(stream, (void *)ptr, (uint64_t)value, flags);
}

HIPLZ_CU cuTexObjectCreate(CUtexObject *pTexObject, const CUDA_RESOURCE_DESC *pResDesc,
                           const CUDA_TEXTURE_DESC *pTexDesc, const CUDA_RESOURCE_VIEW_DESC *pResViewDesc) {
  return (CUresult)hipTexObjectCreate(pTexObject, pResDesc, pTexDesc, pResViewDesc);
}
HIPLZ_CU cuTexObjectDestroy(CUtexObject texObject) { return (CUresult)hipTexObjectDestroy(texObject); }
HIPLZ_CU cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc, CUtexObject texObject) {
  return (CUresult)hipTexObjectGetResourceDesc(pResDesc, texObject);
}
HIPLZ_CU cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *pResViewDesc, CUtexObject texObject) {
  return (CUresult)hipTexObjectGetResourceViewDesc(pResViewDesc, texObject);
}
HIPLZ_CU cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *pTexDesc, CUtexObject texObject) {
  return (CUresult)hipTexObjectGetTextureDesc(pTexDesc, texObject);
}

HIPLZ_CU cuTexRefGetAddress(CUdeviceptr *dev_ptr, CUtexref texRef) {
  return (CUresult)hipTexRefGetAddress((hipDeviceptr_t *)dev_ptr, (const textureReference *)texRef);
}
HIPLZ_CU cuTexRefGetAddressMode(CUaddress_mode *pam, CUtexref texRef, int dim) {
  return (CUresult)hipTexRefGetAddressMode((enum hipTextureAddressMode *)pam, (const textureReference *)texRef, dim);
}
HIPLZ_CU cuTexRefGetArray(CUarray *pArray, CUtexref texRef) {
  return (CUresult)hipTexRefGetArray(pArray, (const textureReference *)texRef);
}
HIPLZ_CU cuTexRefGetBorderColor(float *pBorderColor, CUtexref texRef) {
  return (CUresult)hipTexRefGetBorderColor(pBorderColor, (const textureReference *)texRef);
}
HIPLZ_CU cuTexRefGetFilterMode(CUfilter_mode *pfm, CUtexref texRef) {
  return (CUresult)hipTexRefGetFilterMode((enum hipTextureFilterMode *)pfm, (const textureReference *)texRef);
}
HIPLZ_CU cuTexRefGetFlags(unsigned *pFlags, CUtexref texRef) {
  return (CUresult)hipTexRefGetFlags(pFlags, (const textureReference *)texRef);
}
HIPLZ_CU cuTexRefGetFormat(CUarray_format *pFormat, int *pNumChannels, CUtexref texRef) {
  return (CUresult)hipTexRefGetFormat(pFormat, pNumChannels, (const textureReference *)texRef);
}
HIPLZ_CU cuTexRefGetMaxAnisotropy(int *pmaxAnsio, CUtexref texRef) {
  return (CUresult)hipTexRefGetMaxAnisotropy(pmaxAnsio, (const textureReference *)texRef);
}
HIPLZ_CU cuTexRefGetMipmapFilterMode(CUfilter_mode *pfm, CUtexref texRef) {
  return (CUresult)hipTexRefGetMipmapFilterMode((enum hipTextureFilterMode *)pfm, (const textureReference *)texRef);
}
HIPLZ_CU cuTexRefGetMipmapLevelBias(float *pbias, CUtexref texRef) {
  return (CUresult)hipTexRefGetMipmapLevelBias(pbias, (const textureReference *)texRef);
}
HIPLZ_CU cuTexRefGetMipmapLevelClamp(float *pminMipmapLevelClamp, float *pmaxMipmapLevelClamp, CUtexref texRef) {
  return (CUresult)hipTexRefGetMipmapLevelClamp(pminMipmapLevelClamp, pmaxMipmapLevelClamp,
                                                (const textureReference *)texRef);
}
HIPLZ_CU cuTexRefGetMipmappedArray(CUmipmappedArray *pArray, CUtexref texRef) {
  return (CUresult)hipTexRefGetMipMappedArray(pArray, (const textureReference *)texRef);
}
HIPLZ_CU cuTexRefSetAddress(size_t *ByteOffset, CUtexref texRef, CUdeviceptr dptr, size_t bytes) {
  return (CUresult)hipTexRefSetAddress(ByteOffset, (textureReference *)texRef, (hipDeviceptr_t)dptr, bytes);
}
HIPLZ_CU cuTexRefSetAddress2D(CUtexref texRef, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr dptr, size_t Pitch) {
  return (CUresult)hipTexRefSetAddress2D((textureReference *)texRef, desc, (hipDeviceptr_t)dptr, Pitch);
}
HIPLZ_CU cuTexRefSetAddressMode(CUtexref texRef, int dim, CUaddress_mode am) {
  return (CUresult)hipTexRefSetAddressMode((textureReference *)texRef, dim, (enum hipTextureAddressMode)am);
}
HIPLZ_CU cuTexRefSetArray(CUtexref tex, CUarray array, unsigned flags) {
  return (CUresult)hipTexRefSetArray((textureReference *)tex, (hipArray_const_t)array, flags);
}
HIPLZ_CU cuTexRefSetBorderColor(CUtexref texRef, float *pBorderColor) {
  return (CUresult)hipTexRefSetBorderColor((textureReference *)texRef, pBorderColor);
}
HIPLZ_CU cuTexRefSetFilterMode(CUtexref texRef, CUfilter_mode fm) {
  return (CUresult)hipTexRefSetFilterMode((textureReference *)texRef, (enum hipTextureFilterMode)fm);
}
HIPLZ_CU cuTexRefSetFlags(CUtexref texRef, unsigned Flags) {
  return (CUresult)hipTexRefSetFlags((textureReference *)texRef, Flags);
}
HIPLZ_CU cuTexRefSetFormat(CUtexref texRef, CUarray_format fmt, int NumPackedComponents) {
  return (CUresult)hipTexRefSetFormat((textureReference *)texRef, fmt, NumPackedComponents);
}
HIPLZ_CU cuTexRefSetMaxAnisotropy(CUtexref texRef, unsigned maxAniso) {
  return (CUresult)hipTexRefSetMaxAnisotropy((textureReference *)texRef, maxAniso);
}
HIPLZ_CU cuTexRefSetMipmapFilterMode(CUtexref texRef, CUfilter_mode fm) {
  return (CUresult)hipTexRefSetMipmapFilterMode((textureReference *)texRef, (enum hipTextureFilterMode)fm);
}
HIPLZ_CU cuTexRefSetMipmapLevelBias(CUtexref texRef, float bias) {
  return (CUresult)hipTexRefSetMipmapLevelBias((textureReference *)texRef, bias);
}
HIPLZ_CU cuTexRefSetMipmapLevelClamp(CUtexref texRef, float minMipMapLevelClamp, float maxMipMapLevelClamp) {
  return (CUresult)hipTexRefSetMipmapLevelClamp((textureReference *)texRef, minMipMapLevelClamp, maxMipMapLevelClamp);
}
HIPLZ_CU cuTexRefSetMipmappedArray(CUtexref texRef, CUmipmappedArray mipmappedArray, unsigned Flags) {
  return (CUresult)hipTexRefSetMipmappedArray((textureReference *)texRef, (hipMipmappedArray *)mipmappedArray, Flags);
}
#include <hip/spirv/user_macros_on.h>
