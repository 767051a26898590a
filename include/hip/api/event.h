// Events: points in a stream that can be waited for, queried and timed.
#ifndef HIPLZ_API_EVENT_H
#define HIPLZ_API_EVENT_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define hipEventBlockingSync 0x1
#define hipEventDefault 0x0
#define hipEventDisableSystemFence 0x20000000
#define hipEventDisableTiming 0x2
#define hipEventInterprocess 0x4
#define hipEventRecordDefault 0x00
#define hipEventRecordExternal 0x01
#define hipEventReleaseToDevice 0x40000000
#define hipEventReleaseToSystem 0x80000000
#define hipEventWaitDefault 0x00
#define hipEventWaitExternal 0x01

hipError_t hipEventCreate(hipEvent_t* event);

hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned int flags);

hipError_t hipEventDestroy(hipEvent_t event);

hipError_t hipEventElapsedTime(float* ms, hipEvent_t start, hipEvent_t stop);

hipError_t hipEventQuery(hipEvent_t event);

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream __dparm(NULL));

hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream __dparm(0),
                                   unsigned int flags __dparm(0));

hipError_t hipEventSynchronize(hipEvent_t event);

#ifdef __cplusplus
}
#endif

#endif
