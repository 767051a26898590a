// SPDX-License-Identifier: MIT
// Streams: creation, waiting, host callbacks, and operations on single words of memory.
#ifndef HIPLZ_API_STREAM_H
#define HIPLZ_API_STREAM_H

#include "memory.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define hipStreamDefault 0x00
#define hipStreamNonBlocking 0x01
#define hipStreamWaitValueGte 0x0
#define hipStreamWaitValueEq 0x1
#define hipStreamWaitValueAnd 0x2
#define hipStreamWaitValueNor 0x3

/// A function that hipStreamAddCallback calls, with the status of the stream so far.
typedef void (*hipStreamCallback_t)(hipStream_t stream, hipError_t status, void *userData);

/// Operations of hipStreamBatchMemOp.
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

// Creation

/// Creates a stream on the current device. It synchronises with the legacy default stream.
hipError_t hipStreamCreate(hipStream_t *stream);

/// Creates a stream with hipStreamDefault, or with hipStreamNonBlocking, which does not synchronise
/// with the legacy default stream.
hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned int flags);

/// Like hipStreamCreateWithFlags, with a priority that is moved into the range of
/// hipDeviceGetStreamPriorityRange.
hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned int flags, int priority);

/// Creates a stream that uses only some compute units of the device.
hipError_t hipExtStreamCreateWithCUMask(hipStream_t *stream, uint32_t cuMaskSize, const uint32_t *cuMask);

/// Destroys a stream, after its work. A capture that began with it ends, without a graph.
hipError_t hipStreamDestroy(hipStream_t stream);

/// Stores the flags that the stream was created with.
hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int *flags);

/// Stores the priority of the stream.
hipError_t hipStreamGetPriority(hipStream_t stream, int *priority);

/// Stores the device of the stream.
hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t *device);

/// Stores the compute units that the stream may use.
hipError_t hipExtStreamGetCUMask(hipStream_t stream, uint32_t cuMaskSize, uint32_t *cuMask);

// Waiting

/// Waits until all work in the stream has finished. The null stream waits for the blocking streams
/// of the device as well. Returns the error of asynchronous work that failed.
hipError_t hipStreamSynchronize(hipStream_t stream);

/// hipSuccess if all work in the stream has finished, hipErrorNotReady otherwise. It does not wait.
hipError_t hipStreamQuery(hipStream_t stream);

/// Makes work that is submitted to the stream afterwards wait for the most recent record of the
/// event. Does not block the host.
hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned int flags __dparm(0));

// Host functions

/// Calls a function on the host when the work in the stream has finished. Later work waits for it
/// to return. It must not call HIP.
hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void *userData, unsigned int flags);

/// Calls a function on the host in stream order, unless earlier work has failed. Later work waits
/// for it to return. It must not call HIP.
hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t fn, void *userData);

// Words in memory

/// Makes the stream wait until the masked word compares with value as flags (hipStreamWaitValue...)
/// say.
hipError_t hipStreamWaitValue32(hipStream_t stream, void *ptr, uint32_t value, unsigned int flags,
                                uint32_t mask __dparm(0xFFFFFFFF));

/// Like hipStreamWaitValue32, with 64 bits.
hipError_t hipStreamWaitValue64(hipStream_t stream, void *ptr, uint64_t value, unsigned int flags,
                                uint64_t mask __dparm(0xFFFFFFFFFFFFFFFF));

/// Writes a word in stream order. flags must be 0.
hipError_t hipStreamWriteValue32(hipStream_t stream, void *ptr, uint32_t value, unsigned int flags);

/// Like hipStreamWriteValue32, with 64 bits.
hipError_t hipStreamWriteValue64(hipStream_t stream, void *ptr, uint64_t value, unsigned int flags);

/// Submits several of these operations in order. flags must be 0.
hipError_t hipStreamBatchMemOp(hipStream_t stream, unsigned int count, hipStreamBatchMemOpParams *paramArray,
                               unsigned int flags);

/// Restricts managed memory to a stream, which is a hint. length must be 0 or the size of the
/// allocation.
hipError_t hipStreamAttachMemAsync(hipStream_t stream, void *dev_ptr, size_t length __dparm(0),
                                   unsigned int flags __dparm(hipMemAttachSingle));

#ifdef __cplusplus
}
#endif

#endif
