// SPDX-License-Identifier: MIT
// Events: points in a stream that can be waited for, queried and timed.
#ifndef HIPLZ_API_EVENT_H
#define HIPLZ_API_EVENT_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define hipEventDefault 0x0
#define hipEventRecordDefault 0x00
#define hipEventWaitDefault 0x00
#define hipEventBlockingSync 0x1
#define hipEventRecordExternal 0x01
#define hipEventWaitExternal 0x01
#define hipEventDisableTiming 0x2
#define hipEventInterprocess 0x4
#define hipEventDisableSystemFence 0x20000000
#define hipEventReleaseToDevice 0x40000000
#define hipEventReleaseToSystem 0x80000000

/// Creates an event with timing on the current device.
hipError_t hipEventCreate(hipEvent_t *event);

/// Creates an event. hipEventBlockingSync lets the host sleep when it waits, hipEventDisableTiming
/// makes records cheaper.
hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned int flags);

/// Destroys an event. Streams that already wait for it still do.
hipError_t hipEventDestroy(hipEvent_t event);

/// Marks the point that the stream has reached. A later record of the same event replaces it.
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream __dparm(NULL));

/// Like hipEventRecord. In a stream that is being captured, hipEventRecordExternal makes the record a
/// node of the graph.
hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream __dparm(0), unsigned int flags __dparm(0));

/// Waits until the most recent record of the event has been reached. An event without a record
/// counts as reached.
hipError_t hipEventSynchronize(hipEvent_t event);

/// hipSuccess if the most recent record has been reached, hipErrorNotReady otherwise. It does not
/// wait.
hipError_t hipEventQuery(hipEvent_t event);

/// Stores the milliseconds between two records. hipErrorNotReady if one has not been reached,
/// hipErrorInvalidHandle if one has no record or no timing.
hipError_t hipEventElapsedTime(float *ms, hipEvent_t start, hipEvent_t stop);

#ifdef __cplusplus
}
#endif

#endif
