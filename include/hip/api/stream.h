// Streams: creation, waiting, host callbacks, and operations on single words of memory.
#ifndef HIPLZ_API_STREAM_H
#define HIPLZ_API_STREAM_H

#include "types.h"
#include "memory.h"

#ifdef __cplusplus
extern "C" {
#endif

#define hipStreamDefault 0x00
#define hipStreamNonBlocking 0x01
#define hipStreamWaitValueAnd 0x2
#define hipStreamWaitValueEq 0x1
#define hipStreamWaitValueGte 0x0
#define hipStreamWaitValueNor 0x3

/// A function that hipStreamAddCallback calls, with the status of the stream so far.
typedef void (*hipStreamCallback_t)(hipStream_t stream, hipError_t status, void* userData);

typedef enum hipStreamBatchMemOpType {
  hipStreamMemOpWaitValue32 = 1,
  hipStreamMemOpWriteValue32,
  hipStreamMemOpFlushRemoteWrites,
  hipStreamMemOpWaitValue64,
  hipStreamMemOpWriteValue64,
  hipStreamMemOpBarrier
} hipStreamBatchMemOpType;

/// One operation of hipStreamBatchMemOp. The first word of every member is the operation.
typedef union hipStreamBatchMemOpParams_union {
  hipStreamBatchMemOpType operation;
  struct hipStreamMemOpWaitValueParams_t {
    hipStreamBatchMemOpType operation;
    hipDeviceptr_t address;
    union {
      uint32_t value;
      uint64_t value64;
    };
    unsigned int flags;
    hipDeviceptr_t alias;
  } waitValue;
  struct hipStreamMemOpWriteValueParams_t {
    hipStreamBatchMemOpType operation;
    hipDeviceptr_t address;
    union {
      uint32_t value;
      uint64_t value64;
    };
    unsigned int flags;
    hipDeviceptr_t alias;
  } writeValue;
  struct hipStreamMemOpFlushRemoteWritesParams_t {
    hipStreamBatchMemOpType operation;
    unsigned int flags;
  } flushRemoteWrites;
  struct hipStreamMemOpMemoryBarrierParams_t {
    hipStreamBatchMemOpType operation;
    unsigned int flags;
  } memoryBarrier;
  uint64_t pad[6];
} hipStreamBatchMemOpParams;

hipError_t hipExtStreamCreateWithCUMask(hipStream_t* stream, uint32_t cuMaskSize,
                                        const uint32_t* cuMask);

hipError_t hipExtStreamGetCUMask(hipStream_t stream, uint32_t cuMaskSize, uint32_t* cuMask);

hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t fn, void* userData);

hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback,
                                void* userData, unsigned int flags);

hipError_t hipStreamAttachMemAsync(hipStream_t stream, void* dev_ptr, size_t length __dparm(0),
                                   unsigned int flags __dparm(hipMemAttachSingle));

hipError_t hipStreamBatchMemOp(hipStream_t stream, unsigned int count,
                               hipStreamBatchMemOpParams* paramArray, unsigned int flags);

hipError_t hipStreamCreate(hipStream_t* stream);

hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned int flags);

hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned int flags, int priority);

hipError_t hipStreamDestroy(hipStream_t stream);

hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t* device);

hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int* flags);

hipError_t hipStreamGetPriority(hipStream_t stream, int* priority);

hipError_t hipStreamQuery(hipStream_t stream);

hipError_t hipStreamSynchronize(hipStream_t stream);

hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event,
                              unsigned int flags __dparm(0));

hipError_t hipStreamWaitValue32(hipStream_t stream, void* ptr, uint32_t value,
                                unsigned int flags, uint32_t mask __dparm(0xFFFFFFFF));

hipError_t hipStreamWaitValue64(hipStream_t stream, void* ptr, uint64_t value,
                                unsigned int flags, uint64_t mask __dparm(0xFFFFFFFFFFFFFFFF));

hipError_t hipStreamWriteValue32(hipStream_t stream, void* ptr, uint32_t value,
                                 unsigned int flags);

hipError_t hipStreamWriteValue64(hipStream_t stream, void* ptr, uint64_t value,
                                 unsigned int flags);

#ifdef __cplusplus
}
#endif

#endif
