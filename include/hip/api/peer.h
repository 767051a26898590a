// SPDX-License-Identifier: MIT
// Access and copies between devices, and memory and events shared between processes.
#ifndef HIPLZ_API_PEER_H
#define HIPLZ_API_PEER_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Properties of the connection of two devices.
typedef enum hipDeviceP2PAttr {
  hipDevP2PAttrPerformanceRank = 0,
  hipDevP2PAttrAccessSupported,
  hipDevP2PAttrNativeAtomicSupported,
  hipDevP2PAttrHipArrayAccessSupported
} hipDeviceP2PAttr;

/// Stores whether kernels on deviceId can access the memory of peerDeviceId.
hipError_t hipDeviceCanAccessPeer(int *canAccessPeer, int deviceId, int peerDeviceId);

/// Lets kernels on the current device access the memory of another.
/// hipErrorPeerAccessAlreadyEnabled if they can already. flags must be 0.
hipError_t hipDeviceEnablePeerAccess(int peerDeviceId, unsigned int flags);

/// Undoes hipDeviceEnablePeerAccess. hipErrorPeerAccessNotEnabled if there is nothing to undo.
hipError_t hipDeviceDisablePeerAccess(int peerDeviceId);

/// Stores a property of the connection between two different devices.
hipError_t hipDeviceGetP2PAttribute(int *value, hipDeviceP2PAttr attr, int srcDevice, int dstDevice);

/// Stores the kind of the connection between two devices and the number of hops on it.
hipError_t hipExtGetLinkTypeAndHopCount(int device1, int device2, uint32_t *linktype, uint32_t *hopcount);

/// Copies between the memories of two devices, in the manner of hipMemcpy.
hipError_t hipMemcpyPeer(void *dst, int dstDeviceId, const void *src, int srcDeviceId, size_t sizeBytes);

/// Like hipMemcpyPeer, in stream order.
hipError_t hipMemcpyPeerAsync(void *dst, int dstDeviceId, const void *src, int srcDevice, size_t sizeBytes,
                              hipStream_t stream __dparm(0));

#define HIP_IPC_HANDLE_SIZE 64
#define hipIpcMemLazyEnablePeerAccess 0x01

/// An allocation for other processes.
typedef struct hipIpcMemHandle_st {
  char reserved[64];
} hipIpcMemHandle_t;

/// An event for other processes.
typedef struct hipIpcEventHandle_st {
  char reserved[64];
} hipIpcEventHandle_t;

/// Stores a handle by which other processes can open an allocation of hipMalloc.
hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t *handle, void *devPtr);

/// Maps an allocation of another process. flags is hipIpcMemLazyEnablePeerAccess.
hipError_t hipIpcOpenMemHandle(void **devPtr, hipIpcMemHandle_t handle, unsigned int flags);

/// Unmaps an allocation of another process.
hipError_t hipIpcCloseMemHandle(void *devPtr);

/// Stores a handle for an event that was created with hipEventInterprocess and
/// hipEventDisableTiming.
hipError_t hipIpcGetEventHandle(hipIpcEventHandle_t *handle, hipEvent_t event);

/// Makes an event of another process available. hipEventDestroy releases it.
hipError_t hipIpcOpenEventHandle(hipEvent_t *event, hipIpcEventHandle_t handle);

#ifdef __cplusplus
}
#endif

#endif
