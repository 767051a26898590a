// SPDX-License-Identifier: MIT
// The error codes of HIP and the functions that name them and return the last one.
#ifndef HIPLZ_API_ERROR_H
#define HIPLZ_API_ERROR_H

#include "../hip_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Status codes of the obsolete HIP_* spelling.
enum { HIP_SUCCESS = 0, HIP_ERROR_INVALID_VALUE, HIP_ERROR_NOT_INITIALIZED, HIP_ERROR_LAUNCH_OUT_OF_RESOURCES };

/// Status of a call. Values agree with those of CUDA where both have the error.
typedef enum hipError_t {
  hipSuccess = 0,
  hipErrorInvalidValue,
  hipErrorOutOfMemory,
  hipErrorMemoryAllocation = hipErrorOutOfMemory,
  hipErrorNotInitialized,
  hipErrorInitializationError = hipErrorNotInitialized,
  hipErrorDeinitialized,
  hipErrorProfilerDisabled,
  hipErrorProfilerNotInitialized,
  hipErrorProfilerAlreadyStarted,
  hipErrorProfilerAlreadyStopped,
  hipErrorInvalidConfiguration,
  hipErrorInvalidPitchValue = 12,
  hipErrorInvalidSymbol,
  hipErrorInvalidDevicePointer = 17,
  hipErrorInvalidMemcpyDirection = 21,
  hipErrorInsufficientDriver = 35,
  hipErrorMissingConfiguration = 52,
  hipErrorPriorLaunchFailure,
  hipErrorInvalidDeviceFunction = 98,
  hipErrorNoDevice = 100,
  hipErrorInvalidDevice,
  hipErrorInvalidImage = 200,
  hipErrorInvalidContext,
  hipErrorContextAlreadyCurrent,
  hipErrorMapFailed = 205,
  hipErrorMapBufferObjectFailed = hipErrorMapFailed,
  hipErrorUnmapFailed,
  hipErrorArrayIsMapped,
  hipErrorAlreadyMapped,
  hipErrorNoBinaryForGpu,
  hipErrorAlreadyAcquired,
  hipErrorNotMapped,
  hipErrorNotMappedAsArray,
  hipErrorNotMappedAsPointer,
  hipErrorECCNotCorrectable,
  hipErrorUnsupportedLimit,
  hipErrorContextAlreadyInUse,
  hipErrorPeerAccessUnsupported,
  hipErrorInvalidKernelFile,
  hipErrorInvalidGraphicsContext,
  hipErrorInvalidSource = 300,
  hipErrorFileNotFound,
  hipErrorSharedObjectSymbolNotFound,
  hipErrorSharedObjectInitFailed,
  hipErrorOperatingSystem,
  hipErrorInvalidHandle = 400,
  hipErrorInvalidResourceHandle = hipErrorInvalidHandle,
  hipErrorIllegalState,
  hipErrorNotFound = 500,
  hipErrorNotReady = 600,
  hipErrorIllegalAddress = 700,
  hipErrorLaunchOutOfResources,
  hipErrorLaunchTimeOut,
  hipErrorPeerAccessAlreadyEnabled = 704,
  hipErrorPeerAccessNotEnabled,
  hipErrorSetOnActiveProcess = 708,
  hipErrorContextIsDestroyed,
  hipErrorAssert,
  hipErrorHostMemoryAlreadyRegistered = 712,
  hipErrorHostMemoryNotRegistered,
  hipErrorLaunchFailure = 719,
  hipErrorCooperativeLaunchTooLarge,
  hipErrorNotSupported = 801,
  hipErrorStreamCaptureUnsupported = 900,
  hipErrorStreamCaptureInvalidated,
  hipErrorStreamCaptureMerge,
  hipErrorStreamCaptureUnmatched,
  hipErrorStreamCaptureUnjoined,
  hipErrorStreamCaptureIsolation,
  hipErrorStreamCaptureImplicit,
  hipErrorCapturedEvent,
  hipErrorStreamCaptureWrongThread,
  hipErrorGraphExecUpdateFailure = 910,
  hipErrorInvalidChannelDescriptor,
  hipErrorInvalidTexture,
#if HIPLZ_HIP_VERSION >= 7
  hipErrorInvalidResourceType = 914,
  hipErrorInvalidResourceConfiguration,
  hipErrorStreamDetached,
#endif
  hipErrorUnknown = 999,
  hipErrorRuntimeMemory = 1052,
  hipErrorRuntimeOther,
  hipErrorTbd,
#if HIPLZ_HIP_VERSION >= 7
  hipErrorInvalidClusterSize = hipErrorTbd, ///< HIP 7.14 gave the number another name
#endif
} hipError_t;

/// Returns the last error of the calling thread and resets it to hipSuccess. A call that succeeds
/// does not change it.
hipError_t hipGetLastError(void);

/// Returns the last error of the calling thread and keeps it.
hipError_t hipPeekAtLastError(void);

/// Returns the status of the last HIP call of the calling thread, success included, and resets it.
hipError_t hipExtGetLastError(void);

/// Returns the name of the enumerator as a string that lives as long as the library. An unknown
/// code gives "hipErrorUnknown".
const char *hipGetErrorName(hipError_t hip_error);

/// Returns an English description of the code as a string that lives as long as the library.
const char *hipGetErrorString(hipError_t hipError);

/// Stores the name of the enumerator. hipErrorInvalidValue for an unknown code.
hipError_t hipDrvGetErrorName(hipError_t hipError, const char **errorString);

/// Stores the description of the code. hipErrorInvalidValue for an unknown code.
hipError_t hipDrvGetErrorString(hipError_t hipError, const char **errorString);

#ifdef __cplusplus
}
#endif

#endif
