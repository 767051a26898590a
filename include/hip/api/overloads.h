// SPDX-License-Identifier: MIT
// C++ forms of the API: typed pointers instead of void**, symbols instead of their addresses, kernels instead of
// pointers to their host functions. Each calls the C function of the same name and has its semantics.
#ifndef HIPLZ_API_OVERLOADS_H
#define HIPLZ_API_OVERLOADS_H

#ifndef __HIP_DISABLE_CPP_FUNCTIONS__

#include "../hip_texture_types.h"
#include "array.h"
#include "copy.h"
#include "device.h"
#include "launch.h"
#include "memory.h"
#include "memory_pool.h"
#include "occupancy.h"
#include "per_thread_stream.h"
#include "texture.h"

// Memory

namespace hiplz {
/// The place of a pointer to anything, also to what is const or volatile: memory is allocated before it is either.
template <class T> static inline void **untyped(T **pointer) { return (void **)pointer; }
} // namespace hiplz

template <class T> static inline hipError_t hipMalloc(T **devPtr, size_t size) {
  return hipMalloc(hiplz::untyped(devPtr), size);
}

template <class T> static inline hipError_t hipMallocPitch(T **devPtr, size_t *pitch, size_t width, size_t height) {
  return hipMallocPitch(hiplz::untyped(devPtr), pitch, width, height);
}

template <class T>
static inline hipError_t hipHostMalloc(T **ptr, size_t size, unsigned int flags = hipHostMallocDefault) {
  return hipHostMalloc(hiplz::untyped(ptr), size, flags);
}

template <class T>
static inline hipError_t hipHostAlloc(T **ptr, size_t size, unsigned int flags = hipHostAllocDefault) {
  return hipHostAlloc(hiplz::untyped(ptr), size, flags);
}

template <class T>
static inline hipError_t hipMallocManaged(T **devPtr, size_t size, unsigned int flags = hipMemAttachGlobal) {
  return hipMallocManaged(hiplz::untyped(devPtr), size, flags);
}

template <class T> static inline hipError_t hipMallocAsync(T **dev_ptr, size_t size, hipStream_t stream) {
  return hipMallocAsync(hiplz::untyped(dev_ptr), size, stream);
}

static inline hipError_t hipMallocAsync(void **dev_ptr, size_t size, hipMemPool_t mem_pool, hipStream_t stream) {
  return hipMallocFromPoolAsync(dev_ptr, size, mem_pool, stream);
}

template <class T>
static inline hipError_t hipMallocAsync(T **dev_ptr, size_t size, hipMemPool_t mem_pool, hipStream_t stream) {
  return hipMallocFromPoolAsync(hiplz::untyped(dev_ptr), size, mem_pool, stream);
}

template <class T>
static inline hipError_t hipMallocFromPoolAsync(T **dev_ptr, size_t size, hipMemPool_t mem_pool, hipStream_t stream) {
  return hipMallocFromPoolAsync(hiplz::untyped(dev_ptr), size, mem_pool, stream);
}

// Symbols: variables with __device__, __constant__ or __managed__

template <typename T> static inline hipError_t hipGetSymbolAddress(void **devPtr, const T &symbol) {
  return hipGetSymbolAddress(devPtr, static_cast<const void *>(&symbol));
}

template <typename T> static inline hipError_t hipGetSymbolSize(size_t *size, const T &symbol) {
  return hipGetSymbolSize(size, static_cast<const void *>(&symbol));
}

template <typename T>
static inline hipError_t hipMemcpyToSymbol(const T &symbol, const void *src, size_t sizeBytes, size_t offset = 0,
                                           hipMemcpyKind kind = hipMemcpyHostToDevice) {
  return hipMemcpyToSymbol(static_cast<const void *>(&symbol), src, sizeBytes, offset, kind);
}

template <typename T>
static inline hipError_t hipMemcpyToSymbolAsync(const T &symbol, const void *src, size_t sizeBytes, size_t offset,
                                                hipMemcpyKind kind, hipStream_t stream = 0) {
  return hipMemcpyToSymbolAsync(static_cast<const void *>(&symbol), src, sizeBytes, offset, kind, stream);
}

template <typename T>
static inline hipError_t hipMemcpyFromSymbol(void *dst, const T &symbol, size_t sizeBytes, size_t offset = 0,
                                             hipMemcpyKind kind = hipMemcpyDeviceToHost) {
  return hipMemcpyFromSymbol(dst, static_cast<const void *>(&symbol), sizeBytes, offset, kind);
}

template <typename T>
static inline hipError_t hipMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t sizeBytes, size_t offset,
                                                  hipMemcpyKind kind, hipStream_t stream = 0) {
  return hipMemcpyFromSymbolAsync(dst, static_cast<const void *>(&symbol), sizeBytes, offset, kind, stream);
}

// Launching. T is the type of a kernel: a pointer to its host function.

template <class T>
static inline hipError_t hipLaunchKernel(T *f, dim3 numBlocks, dim3 dimBlocks, void **args, size_t sharedMemBytes = 0,
                                         hipStream_t stream = 0) {
  return hipLaunchKernel(reinterpret_cast<const void *>(f), numBlocks, dimBlocks, args, sharedMemBytes, stream);
}

template <class T>
static inline hipError_t hipLaunchCooperativeKernel(T f, dim3 gridDim, dim3 blockDim, void **kernelParams,
                                                    unsigned int sharedMemBytes, hipStream_t stream) {
  return hipLaunchCooperativeKernel(reinterpret_cast<const void *>(f), gridDim, blockDim, kernelParams, sharedMemBytes,
                                    stream);
}

template <class T>
static inline hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams *launchParamsList,
                                                               unsigned int numDevices, unsigned int flags = 0) {
  return hipLaunchCooperativeKernelMultiDevice(launchParamsList, static_cast<int>(numDevices), flags);
}

template <class T>
static inline hipError_t hipExtLaunchMultiKernelMultiDevice(hipLaunchParams *launchParamsList, unsigned int numDevices,
                                                            unsigned int flags = 0) {
  return hipExtLaunchMultiKernelMultiDevice(launchParamsList, static_cast<int>(numDevices), flags);
}

template <class T> static inline hipError_t hipFuncSetAttribute(T *func, hipFuncAttribute attr, int value) {
  return hipFuncSetAttribute(reinterpret_cast<const void *>(func), attr, value);
}

template <class T> static inline hipError_t hipFuncSetCacheConfig(T *func, hipFuncCache_t config) {
  return hipFuncSetCacheConfig(reinterpret_cast<const void *>(func), config);
}

template <class T> static inline hipError_t hipFuncSetSharedMemConfig(T *func, hipSharedMemConfig config) {
  return hipFuncSetSharedMemConfig(reinterpret_cast<const void *>(func), config);
}

template <class T> static inline hipError_t hipFuncGetAttributes(struct hipFuncAttributes *attr, T *func) {
  return hipFuncGetAttributes(attr, reinterpret_cast<const void *>(func));
}

// Occupancy

template <class T>
static inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, T f, int blockSize,
                                                                      size_t dynSharedMemPerBlk) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, reinterpret_cast<const void *>(f), blockSize,
                                                      dynSharedMemPerBlk);
}

template <class T>
static inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, T f, int blockSize,
                                                                               size_t dynSharedMemPerBlk,
                                                                               unsigned int flags) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, reinterpret_cast<const void *>(f), blockSize,
                                                               dynSharedMemPerBlk, flags);
}

template <typename T>
static inline hipError_t hipOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize, T f,
                                                           size_t dynSharedMemPerBlk = 0, int blockSizeLimit = 0) {
  return hipOccupancyMaxPotentialBlockSize(gridSize, blockSize, reinterpret_cast<const void *>(f), dynSharedMemPerBlk,
                                           blockSizeLimit);
}

template <typename T>
static inline hipError_t hipOccupancyMaxPotentialBlockSizeWithFlags(int *gridSize, int *blockSize, T f,
                                                                    size_t dynSharedMemPerBlk = 0,
                                                                    int blockSizeLimit = 0, unsigned int flags = 0) {
  (void)flags;
  return hipOccupancyMaxPotentialBlockSize(gridSize, blockSize, reinterpret_cast<const void *>(f), dynSharedMemPerBlk,
                                           blockSizeLimit);
}

/// Finds the block size with the most resident work-items for a kernel whose dynamic shared memory depends on the block
/// size. Tries every multiple of the warp size up to the limit, and reports hipErrorInvalidValue for a null pointer.
template <typename UnaryFunction, class T>
static inline hipError_t
hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *min_grid_size, int *block_size, T func,
                                                       UnaryFunction block_size_to_dynamic_smem_size,
                                                       int block_size_limit = 0, unsigned int flags = 0) {
  if (!min_grid_size || !block_size || !reinterpret_cast<const void *>(func))
    return hipErrorInvalidValue;
  int device = 0;
  int multiprocessors = 0;
  int warp = 0;
  struct hipFuncAttributes attributes;
  hipError_t error = hipGetDevice(&device);
  if (error == hipSuccess)
    error = hipDeviceGetAttribute(&multiprocessors, hipDeviceAttributeMultiprocessorCount, device);
  if (error == hipSuccess)
    error = hipDeviceGetAttribute(&warp, hipDeviceAttributeWarpSize, device);
  if (error == hipSuccess)
    error = hipFuncGetAttributes(&attributes, reinterpret_cast<const void *>(func));
  if (error != hipSuccess)
    return error;

  int limit = attributes.maxThreadsPerBlock;
  if (block_size_limit > 0 && block_size_limit < limit)
    limit = block_size_limit;
  int bestResident = 0;
  for (int size = limit; size > 0; size = (size - 1) / warp * warp) {
    int blocks = 0;
    error = hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &blocks, reinterpret_cast<const void *>(func), size, static_cast<size_t>(block_size_to_dynamic_smem_size(size)),
        flags);
    if (error != hipSuccess)
      return error;
    if (blocks * size > bestResident) {
      bestResident = blocks * size;
      *block_size = size;
      *min_grid_size = blocks * multiprocessors;
    }
  }
  return bestResident > 0 ? hipSuccess : hipErrorInvalidConfiguration;
}

template <typename UnaryFunction, class T>
static inline hipError_t hipOccupancyMaxPotentialBlockSizeVariableSMem(int *min_grid_size, int *block_size, T func,
                                                                       UnaryFunction block_size_to_dynamic_smem_size,
                                                                       int block_size_limit = 0) {
  return hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(min_grid_size, block_size, func,
                                                                block_size_to_dynamic_smem_size, block_size_limit);
}

// Texture references. The functions beneath are deprecated as well, and one warning for each use is enough.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

template <class T, int dim, enum hipTextureReadMode readMode>
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
static inline hipError_t hipBindTexture(size_t *offset, const struct texture<T, dim, readMode> &tex, const void *devPtr,
                                        const struct hipChannelFormatDesc &desc, size_t size = UINT_MAX) {
  return hipBindTexture(offset, static_cast<const textureReference *>(&tex), devPtr, &desc, size);
}

template <class T, int dim, enum hipTextureReadMode readMode>
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
static inline hipError_t hipBindTexture(size_t *offset, const struct texture<T, dim, readMode> &tex, const void *devPtr,
                                        size_t size = UINT_MAX) {
  return hipBindTexture(offset, static_cast<const textureReference *>(&tex), devPtr, &tex.channelDesc, size);
}

template <class T, int dim, enum hipTextureReadMode readMode>
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
static inline hipError_t
    hipBindTexture2D(size_t *offset, const struct texture<T, dim, readMode> &tex, const void *devPtr,
                     const struct hipChannelFormatDesc &desc, size_t width, size_t height, size_t pitch) {
  return hipBindTexture2D(offset, static_cast<const textureReference *>(&tex), devPtr, &desc, width, height, pitch);
}

template <class T, int dim, enum hipTextureReadMode readMode>
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
static inline hipError_t hipBindTexture2D(size_t *offset, const struct texture<T, dim, readMode> &tex,
                                          const void *devPtr, size_t width, size_t height, size_t pitch) {
  return hipBindTexture2D(offset, static_cast<const textureReference *>(&tex), devPtr, &tex.channelDesc, width, height,
                          pitch);
}

template <class T, int dim, enum hipTextureReadMode readMode>
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
static inline hipError_t hipBindTextureToArray(const struct texture<T, dim, readMode> &tex, hipArray_const_t array,
                                               const struct hipChannelFormatDesc &desc) {
  return hipBindTextureToArray(static_cast<const textureReference *>(&tex), array, &desc);
}

template <class T, int dim, enum hipTextureReadMode readMode>
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
static inline hipError_t hipBindTextureToArray(const struct texture<T, dim, readMode> &tex, hipArray_const_t array) {
  struct hipChannelFormatDesc desc;
  hipError_t error = hipGetChannelDesc(&desc, array);
  return error == hipSuccess ? hipBindTextureToArray(static_cast<const textureReference *>(&tex), array, &desc) : error;
}

template <class T, int dim, enum hipTextureReadMode readMode>
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
static inline hipError_t
    hipBindTextureToMipmappedArray(const struct texture<T, dim, readMode> &tex,
                                   hipMipmappedArray_const_t mipmappedArray, const struct hipChannelFormatDesc &desc) {
  return hipBindTextureToMipmappedArray(static_cast<const textureReference *>(&tex), mipmappedArray, &desc);
}

template <class T, int dim, enum hipTextureReadMode readMode>
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
static inline hipError_t hipBindTextureToMipmappedArray(const struct texture<T, dim, readMode> &tex,
                                                        hipMipmappedArray_const_t mipmappedArray) {
  hipArray_t level;
  struct hipChannelFormatDesc desc;
  hipError_t error = hipGetMipmappedArrayLevel(&level, mipmappedArray, 0);
  if (error == hipSuccess)
    error = hipGetChannelDesc(&desc, level);
  if (error != hipSuccess)
    return error;
  return hipBindTextureToMipmappedArray(static_cast<const textureReference *>(&tex), mipmappedArray, &desc);
}

template <class T, int dim, enum hipTextureReadMode readMode>
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
static inline hipError_t hipUnbindTexture(const struct texture<T, dim, readMode> &tex) {
  return hipUnbindTexture(static_cast<const textureReference *>(&tex));
}

#pragma GCC diagnostic pop

#endif

#endif
