// SPDX-License-Identifier: MIT
// Copies and fills.
#ifndef HIPLZ_API_COPY_H
#define HIPLZ_API_COPY_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Linear copies

/// Copies sizeBytes bytes on the legacy default stream. Returns when the copy is done, except from
/// device to device. With hipMemcpyDefault the pointers tell the direction.
hipError_t hipMemcpy(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind);

/// Copies in stream order. With pageable host memory it returns only when the host memory may be
/// reused; with pinned memory at once.
hipError_t hipMemcpyAsync(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind,
                          hipStream_t stream __dparm(0));

/// Copies in stream order and waits until the stream has done it.
hipError_t hipMemcpyWithStream(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind, hipStream_t stream);

/// Like hipMemcpy, from the host to the device.
hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, HIPLZ_CONST_SINCE_7 void *src, size_t sizeBytes);

/// Like hipMemcpy, from the device to the host.
hipError_t hipMemcpyDtoH(void *dst, hipDeviceptr_t src, size_t sizeBytes);

/// Like hipMemcpy, from device to device.
hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t sizeBytes);

/// Like hipMemcpyAsync, from the host to the device.
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, HIPLZ_CONST_SINCE_7 void *src, size_t sizeBytes, hipStream_t stream);

/// Like hipMemcpyAsync, from the device to the host.
hipError_t hipMemcpyDtoHAsync(void *dst, hipDeviceptr_t src, size_t sizeBytes, hipStream_t stream);

/// Like hipMemcpyAsync, from device to device.
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t sizeBytes, hipStream_t stream);

// Symbols

/// Copies to a device variable, offset bytes from its start. hipErrorInvalidSymbol if it is none,
/// hipErrorInvalidValue beyond its end.
hipError_t hipMemcpyToSymbol(const void *symbol, const void *src, size_t sizeBytes, size_t offset __dparm(0),
                             hipMemcpyKind kind __dparm(hipMemcpyHostToDevice));

/// Like hipMemcpyToSymbol, in stream order.
hipError_t hipMemcpyToSymbolAsync(const void *symbol, const void *src, size_t sizeBytes, size_t offset,
                                  hipMemcpyKind kind, hipStream_t stream __dparm(0));

/// Copies from a device variable, offset bytes from its start. Errors as for hipMemcpyToSymbol.
hipError_t hipMemcpyFromSymbol(void *dst, const void *symbol, size_t sizeBytes, size_t offset __dparm(0),
                               hipMemcpyKind kind __dparm(hipMemcpyDeviceToHost));

/// Like hipMemcpyFromSymbol, in stream order.
hipError_t hipMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t sizeBytes, size_t offset, hipMemcpyKind kind,
                                    hipStream_t stream __dparm(0));

// Two and three dimensions

/// Copies height rows of width bytes between memory with different pitches.
/// hipErrorInvalidPitchValue if a pitch is less than the width.
hipError_t hipMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                       hipMemcpyKind kind);

/// Like hipMemcpy2D, in stream order.
hipError_t hipMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                            hipMemcpyKind kind, hipStream_t stream __dparm(0));

/// Like hipMemcpy2D, between any two of host memory, device memory and arrays.
hipError_t hipMemcpyParam2D(const hip_Memcpy2D *pCopy);

/// Like hipMemcpyParam2D, in stream order.
hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D *pCopy, hipStream_t stream __dparm(0));

/// Like hipMemcpyParam2D, without requirements on the pitches.
hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D *pCopy);

/// Copies a box between any two of pitched memory and arrays.
hipError_t hipMemcpy3D(const struct hipMemcpy3DParms *p);

/// Like hipMemcpy3D, in stream order.
hipError_t hipMemcpy3DAsync(const struct hipMemcpy3DParms *p, hipStream_t stream __dparm(0));

/// Like hipMemcpy3D, with the description of the driver API.
hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D *pCopy);

/// Like hipDrvMemcpy3D, in stream order.
hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D *pCopy, hipStream_t stream);

// Arrays

/// Copies rows to an array. wOffset and width are in bytes.
hipError_t hipMemcpy2DToArray(hipArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                              size_t width, size_t height, hipMemcpyKind kind);

/// Like hipMemcpy2DToArray, in stream order.
hipError_t hipMemcpy2DToArrayAsync(hipArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                                   size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream __dparm(0));

/// Copies rows from an array. wOffset and width are in bytes.
hipError_t hipMemcpy2DFromArray(void *dst, size_t dpitch, hipArray_const_t src, size_t wOffset, size_t hOffset,
                                size_t width, size_t height, hipMemcpyKind kind);

/// Like hipMemcpy2DFromArray, in stream order.
hipError_t hipMemcpy2DFromArrayAsync(void *dst, size_t dpitch, hipArray_const_t src, size_t wOffset, size_t hOffset,
                                     size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream __dparm(0));

/// Copies rows from one array to another.
hipError_t hipMemcpy2DArrayToArray(hipArray_t dst, size_t wOffsetDst, size_t hOffsetDst, hipArray_const_t src,
                                   size_t wOffsetSrc, size_t hOffsetSrc, size_t width, size_t height,
                                   hipMemcpyKind kind);

/// Copies count bytes to an array, row after row.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipMemcpyToArray(hipArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
                            hipMemcpyKind kind);

/// Copies count bytes from an array, row after row.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipMemcpyFromArray(void *dst, hipArray_const_t srcArray, size_t wOffset, size_t hOffset, size_t count,
                              hipMemcpyKind kind);

/// Copies from the host to a one-dimensional array.
hipError_t hipMemcpyHtoA(hipArray_t dstArray, size_t dstOffset, const void *srcHost, size_t count);

/// Like hipMemcpyHtoA, in stream order.
hipError_t hipMemcpyHtoAAsync(hipArray_t dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount,
                              hipStream_t stream);

/// Copies from a one-dimensional array to the host.
hipError_t hipMemcpyAtoH(void *dst, hipArray_t srcArray, size_t srcOffset, size_t count);

/// Like hipMemcpyAtoH, in stream order.
hipError_t hipMemcpyAtoHAsync(void *dstHost, hipArray_t srcArray, size_t srcOffset, size_t ByteCount,
                              hipStream_t stream);

/// Copies from device memory to a one-dimensional array.
hipError_t hipMemcpyDtoA(hipArray_t dstArray, size_t dstOffset, hipDeviceptr_t srcDevice, size_t ByteCount);

/// Copies from a one-dimensional array to device memory.
hipError_t hipMemcpyAtoD(hipDeviceptr_t dstDevice, hipArray_t srcArray, size_t srcOffset, size_t ByteCount);

/// Copies from one one-dimensional array to another.
hipError_t hipMemcpyAtoA(hipArray_t dstArray, size_t dstOffset, hipArray_t srcArray, size_t srcOffset,
                         size_t ByteCount);

// Fills

/// Fills sizeBytes bytes with the low byte of value on the legacy default stream. It is
/// asynchronous for device memory.
hipError_t hipMemset(void *dst, int value, size_t sizeBytes);

/// Like hipMemset, in stream order.
hipError_t hipMemsetAsync(void *dst, int value, size_t sizeBytes, hipStream_t stream __dparm(0));

/// Fills width bytes of each of height rows.
hipError_t hipMemset2D(void *dst, size_t pitch, int value, size_t width, size_t height);

/// Like hipMemset2D, in stream order.
hipError_t hipMemset2DAsync(void *dst, size_t pitch, int value, size_t width, size_t height,
                            hipStream_t stream __dparm(0));

/// Fills a box of pitched memory. extent.width is in bytes.
hipError_t hipMemset3D(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent);

/// Like hipMemset3D, in stream order.
hipError_t hipMemset3DAsync(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent, hipStream_t stream __dparm(0));

/// Fills count bytes.
hipError_t hipMemsetD8(hipDeviceptr_t dest, unsigned char value, size_t count);

/// Like hipMemsetD8, in stream order.
hipError_t hipMemsetD8Async(hipDeviceptr_t dest, unsigned char value, size_t count, hipStream_t stream __dparm(0));

/// Fills count elements of 16 bits. dest must be aligned to them.
hipError_t hipMemsetD16(hipDeviceptr_t dest, unsigned short value, size_t count);

/// Like hipMemsetD16, in stream order.
hipError_t hipMemsetD16Async(hipDeviceptr_t dest, unsigned short value, size_t count, hipStream_t stream __dparm(0));

/// Fills count elements of 32 bits. dest must be aligned to them.
hipError_t hipMemsetD32(hipDeviceptr_t dest, int value, size_t count);

/// Like hipMemsetD32, in stream order.
hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count, hipStream_t stream __dparm(0));

#ifdef __cplusplus
}
#endif

#endif
