// The error codes of HIP and the functions that name them and return the last one.
#ifndef HIPLZ_API_ERROR_H
#define HIPLZ_API_ERROR_H

#include "../hip_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Status codes of the obsolete HIP_* spelling.
enum {
  HIP_SUCCESS = 0,
  HIP_ERROR_INVALID_VALUE,
  HIP_ERROR_NOT_INITIALIZED,
  HIP_ERROR_LAUNCH_OUT_OF_RESOURCES
};

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
  hipErrorUnknown = 999,
  hipErrorRuntimeMemory = 1052,
  hipErrorRuntimeOther,
  hipErrorTbd
} hipError_t;

hipError_t hipDrvGetErrorName(hipError_t hipError, const char** errorString);

hipError_t hipDrvGetErrorString(hipError_t hipError, const char** errorString);

hipError_t hipExtGetLastError(void);

const char* hipGetErrorName(hipError_t hip_error);

const char* hipGetErrorString(hipError_t hipError);

hipError_t hipGetLastError(void);

hipError_t hipPeekAtLastError(void);

#ifdef __cplusplus
}
#endif

#endif
