// SPDX-License-Identifier: MIT
// Batches of copies, copies and fills of several dimensions, and managed memory by location. New in HIP 7.
#ifndef HIPLZ_API_BATCH_H
#define HIPLZ_API_BATCH_H

#include "array.h"
#include "copy.h"
#include "memory.h"
#include "occupancy.h"
#include "types.h"

#if HIPLZ_HIP_VERSION >= 7

#ifdef __cplusplus
extern "C" {
#endif

/// Hints for a copy of a batch.
typedef enum hipMemcpyFlags { hipMemcpyFlagDefault = 0, hipMemcpyFlagPreferOverlapWithCompute = 1 } hipMemcpyFlags;

/// When a copy of a batch reads its source.
typedef enum hipMemcpySrcAccessOrder {
  hipMemcpySrcAccessOrderInvalid = 0,
  hipMemcpySrcAccessOrderStream,        ///< in the order of the stream
  hipMemcpySrcAccessOrderDuringApiCall, ///< before the call returns
  hipMemcpySrcAccessOrderAny,           ///< either
  hipMemcpySrcAccessOrderMax = 0x7fffffff
} hipMemcpySrcAccessOrder;

/// Attributes of copies of a batch.
typedef struct hipMemcpyAttributes {
  hipMemcpySrcAccessOrder srcAccessOrder;
  hipMemLocation srcLocHint;
  hipMemLocation dstLocHint;
  unsigned int flags;
} hipMemcpyAttributes;

/// A place in an array, in elements.
typedef struct hipOffset3D {
  size_t x;
  size_t y;
  size_t z;
} hipOffset3D;

/// The kind of memory at one end of a copy.
typedef enum hipMemcpy3DOperandType {
  hipMemcpyOperandTypePointer = 1,
  hipMemcpyOperandTypeArray,
  hipMemcpyOperandTypeMax = 0x7fffffff
} hipMemcpy3DOperandType;

/// An end of a copy.
typedef struct hipMemcpy3DOperand {
  hipMemcpy3DOperandType type;
  union {
    struct {
      void *ptr;
      size_t rowLength;   ///< in elements; 0: that of the copy
      size_t layerHeight; ///< in rows; 0: that of the copy
      hipMemLocation locHint;
    } ptr;
    struct {
      hipArray_t array;
      hipOffset3D offset;
    } array;
  } op;
} hipMemcpy3DOperand;

/// A copy of a batch.
typedef struct hipMemcpy3DBatchOp {
  hipMemcpy3DOperand src;
  hipMemcpy3DOperand dst;
  hipExtent extent; ///< in elements of an array; in bytes if there is none
  hipMemcpySrcAccessOrder srcAccessOrder;
  unsigned int flags;
} hipMemcpy3DBatchOp;

/// A copy between two devices.
typedef struct hipMemcpy3DPeerParms {
  hipArray_t srcArray;
  hipPos srcPos;
  hipPitchedPtr srcPtr;
  int srcDevice;
  hipArray_t dstArray;
  hipPos dstPos;
  hipPitchedPtr dstPtr;
  int dstDevice;
  hipExtent extent;
} hipMemcpy3DPeerParms;

/// Kinds of handles of a range of memory.
typedef enum hipMemRangeHandleType {
  hipMemRangeHandleTypeDmaBufFd = 1,
  hipMemRangeHandleTypeMax = 0x7fffffff
} hipMemRangeHandleType;

/// Flags of hipMemGetHandleForAddressRange.
typedef enum hipMemRangeFlags {
  hipMemRangeFlagDmaBufMappingTypePcie = 1,
  hipMemRangeFlagsMax = 0x7fffffff
} hipMemRangeFlags;

/// Makes copies in stream order. Copy i has the attributes attrs[k] with the largest k for which
/// attrsIdxs[k] <= i. *failIdx, which may be null, is the copy that is wrong, or SIZE_MAX if it is not one copy.
hipError_t hipMemcpyBatchAsync(void **dsts, void **srcs, size_t *sizes, size_t count, hipMemcpyAttributes *attrs,
                               size_t *attrsIdxs, size_t numAttrs, size_t *failIdx, hipStream_t stream);

/// Makes copies of several dimensions in stream order.
hipError_t hipMemcpy3DBatchAsync(size_t numOps, struct hipMemcpy3DBatchOp *opList, size_t *failIdx,
                                 unsigned long long flags, hipStream_t stream);

/// Copies between two devices and waits.
hipError_t hipMemcpy3DPeer(hipMemcpy3DPeerParms *p);

/// Copies between two devices in stream order.
hipError_t hipMemcpy3DPeerAsync(hipMemcpy3DPeerParms *p, hipStream_t stream);

/// Fill rows of width elements of 1, 2 or 4 bytes.
hipError_t hipMemsetD2D8(hipDeviceptr_t dst, size_t dstPitch, unsigned char value, size_t width, size_t height);
hipError_t hipMemsetD2D16(hipDeviceptr_t dst, size_t dstPitch, unsigned short value, size_t width, size_t height);
hipError_t hipMemsetD2D32(hipDeviceptr_t dst, size_t dstPitch, unsigned int value, size_t width, size_t height);
hipError_t hipMemsetD2D8Async(hipDeviceptr_t dst, size_t dstPitch, unsigned char value, size_t width, size_t height,
                              hipStream_t stream);
hipError_t hipMemsetD2D16Async(hipDeviceptr_t dst, size_t dstPitch, unsigned short value, size_t width, size_t height,
                               hipStream_t stream);
hipError_t hipMemsetD2D32Async(hipDeviceptr_t dst, size_t dstPitch, unsigned int value, size_t width, size_t height,
                               hipStream_t stream);

/// Like hipMemAdvise, with a location of any kind.
hipError_t hipMemAdvise_v2(const void *dev_ptr, size_t count, hipMemoryAdvise advice, hipMemLocation location);

/// Like hipMemPrefetchAsync, to a location of any kind. flags must be 0.
hipError_t hipMemPrefetchAsync_v2(const void *dev_ptr, size_t count, hipMemLocation location, unsigned int flags,
                                  hipStream_t stream);

/// Prefetches ranges of managed memory. Range i goes to prefetch_locs[k] with the largest k for which
/// prefetch_loc_idxs[k] <= i. The stream must not be null, and flags must be 0. New in HIP 7.11.
hipError_t hipMemPrefetchBatchAsync(void **dev_ptrs, size_t *sizes, size_t count, hipMemLocation *prefetch_locs,
                                    size_t *prefetch_loc_idxs, size_t num_prefetch_locs, unsigned long long flags,
                                    hipStream_t stream);

/// Says that nobody needs the contents of ranges of managed memory any more: they are undefined until they are written
/// again. The stream must not be null, and flags must be 0. New in HIP 7.14, as the three functions below are.
hipError_t hipMemDiscardBatchAsync(void **dev_ptrs, size_t *sizes, size_t count, unsigned long long flags,
                                   hipStream_t stream);
hipError_t hipDrvMemDiscardBatchAsync(hipDeviceptr_t *dptrs, size_t *sizes, size_t count, unsigned long long flags,
                                      hipStream_t stream);

/// Discards ranges and prefetches them, with locations as hipMemPrefetchBatchAsync takes them.
hipError_t hipMemDiscardAndPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count, hipMemLocation *prefetchLocs,
                                              size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                                              hipStream_t stream);
hipError_t hipDrvMemDiscardAndPrefetchBatchAsync(hipDeviceptr_t *dptrs, size_t *sizes, size_t count,
                                                 hipMemLocation *prefetchLocs, size_t *prefetchLocIdxs,
                                                 size_t numPrefetchLocs, unsigned long long flags, hipStream_t stream);

/// Stores a handle by which the kernel can share a range of device memory with other drivers.
hipError_t hipMemGetHandleForAddressRange(void *handle, hipDeviceptr_t dptr, size_t size,
                                          hipMemRangeHandleType handleType, unsigned long long flags);

/// Stores how much dynamic shared memory each of numBlocks blocks on a compute unit can have.
hipError_t hipOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, const void *f, int numBlocks,
                                                    int blockSize);

#ifdef __cplusplus
}

#ifndef __HIP_DISABLE_CPP_FUNCTIONS__
template <class F>
static inline hipError_t hipOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, F f, int numBlocks,
                                                                  int blockSize) {
  return hipOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, reinterpret_cast<const void *>(f), numBlocks,
                                                  blockSize);
}
#endif
#endif

#endif
#endif
