// SPDX-License-Identifier: MIT
// Native handles under the names that chipStar, another HIP on Level Zero, gives them, so that programs and libraries written for
// it (H4I's hipBLAS, hipFFT and hipSOLVER on oneMKL) are compiled for HIPLZ. New code uses hiplz/interop.h, which has types, ownership
// and more objects.
#ifndef HIPLZ_HIP_INTEROP_H
#define HIPLZ_HIP_INTEROP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Results are those of hipError_t: 0 for success. The functions may be called by any thread. */

/// Stores what is behind a stream (0: the null stream) in NativeHandles: the address of the text "level0", then the driver, the device, the
/// context, a command queue and the immediate command list. The handles stay HIP's. The queue is the stream's own if the stream was made
/// from one; else it is one of the device that HIP itself does not use, and its commands are not ordered with the stream's. The list is
/// null if the stream was made from a queue. With NativeHandles null, *NumHandles becomes the number of handles, 6; otherwise it says
/// how many there is room for: fewer than 6 are hipErrorInvalidValue.
int hipGetBackendNativeHandles(uintptr_t Stream, uintptr_t *NativeHandles, int *NumHandles);

/// Makes HIP use a Level Zero context. NativeHandles are the driver, a device and the context; what follows (a queue) is not looked at. The
/// context must contain all devices of the driver, and stays the caller's. The device becomes the calling thread's. To be called
/// before the first HIP function that needs a device: hipErrorSetOnActiveProcess afterwards, unless HIP uses that context already.
int hipInitFromNativeHandles(const uintptr_t *NativeHandles, int NumHandles);

/// The ze_event_handle_t of the last recording of a hipEvent_t, which stays HIP's; null if it was never recorded or is no event.
void *hipGetNativeEventFromHipEvent(void *HipEvent);

/// A hipEvent_t on the current device that is a ze_event_handle_t, to be destroyed by hipEventDestroy; the native event stays the
/// caller's and must live as long. Null if that fails: hipGetLastError says why.
void *hipGetHipEventFromNativeEvent(void *NativeEvent);

#ifdef __cplusplus
}
#endif
#endif
