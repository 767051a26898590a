// SPDX-License-Identifier: MIT
// Errors: the thread's last one, names and descriptions.
#include "api/api_scope.h"
#include "api/lost_errors.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hiplz {
namespace {

/// Programs compare the texts and print them: they are those of AMD's library, where it has one.
struct ErrorText {
  hipError_t error;
  const char *name;
  const char *text;
};

#define HIPLZ_ERROR(error, text)                                                                                       \
  { error, #error, text }
constexpr ErrorText kErrorTexts[] = {
    HIPLZ_ERROR(hipSuccess, "no error"),
    HIPLZ_ERROR(hipErrorInvalidValue, "invalid argument"),
    HIPLZ_ERROR(hipErrorOutOfMemory, "out of memory"),
    HIPLZ_ERROR(hipErrorNotInitialized, "initialization error"),
    HIPLZ_ERROR(hipErrorDeinitialized, "driver shutting down"),
    HIPLZ_ERROR(hipErrorProfilerDisabled, "profiler disabled while using external profiling tool"),
    HIPLZ_ERROR(hipErrorProfilerNotInitialized, "profiler is not initialized"),
    HIPLZ_ERROR(hipErrorProfilerAlreadyStarted, "profiler already started"),
    HIPLZ_ERROR(hipErrorProfilerAlreadyStopped, "profiler already stopped"),
    HIPLZ_ERROR(hipErrorInvalidConfiguration, "invalid configuration argument"),
    HIPLZ_ERROR(hipErrorInvalidPitchValue, "invalid pitch argument"),
    HIPLZ_ERROR(hipErrorInvalidSymbol, "invalid device symbol"),
    HIPLZ_ERROR(hipErrorInvalidDevicePointer, "invalid device pointer"),
    HIPLZ_ERROR(hipErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    HIPLZ_ERROR(hipErrorInsufficientDriver, "driver version is insufficient for runtime version"),
    HIPLZ_ERROR(hipErrorMissingConfiguration, "__global__ function call is not configured"),
    HIPLZ_ERROR(hipErrorPriorLaunchFailure, "unspecified launch failure in prior launch"),
    HIPLZ_ERROR(hipErrorInvalidDeviceFunction, "invalid device function"),
    HIPLZ_ERROR(hipErrorNoDevice, "no ROCm-capable device is detected"),
    HIPLZ_ERROR(hipErrorInvalidDevice, "invalid device ordinal"),
    HIPLZ_ERROR(hipErrorInvalidImage, "device kernel image is invalid"),
    HIPLZ_ERROR(hipErrorInvalidContext, "invalid device context"),
    HIPLZ_ERROR(hipErrorContextAlreadyCurrent, "context is already current context"),
    HIPLZ_ERROR(hipErrorMapFailed, "mapping of buffer object failed"),
    HIPLZ_ERROR(hipErrorUnmapFailed, "unmapping of buffer object failed"),
    HIPLZ_ERROR(hipErrorArrayIsMapped, "array is mapped"),
    HIPLZ_ERROR(hipErrorAlreadyMapped, "resource already mapped"),
    HIPLZ_ERROR(hipErrorNoBinaryForGpu, "no kernel image is available for execution on the device"),
    HIPLZ_ERROR(hipErrorAlreadyAcquired, "resource already acquired"),
    HIPLZ_ERROR(hipErrorNotMapped, "resource not mapped"),
    HIPLZ_ERROR(hipErrorNotMappedAsArray, "resource not mapped as array"),
    HIPLZ_ERROR(hipErrorNotMappedAsPointer, "resource not mapped as pointer"),
    HIPLZ_ERROR(hipErrorECCNotCorrectable, "uncorrectable ECC error encountered"),
    HIPLZ_ERROR(hipErrorUnsupportedLimit, "limit is not supported on this architecture"),
    HIPLZ_ERROR(hipErrorContextAlreadyInUse, "exclusive-thread device already in use by a different thread"),
    HIPLZ_ERROR(hipErrorPeerAccessUnsupported, "peer access is not supported between these two devices"),
    HIPLZ_ERROR(hipErrorInvalidKernelFile, "invalid kernel file"),
    HIPLZ_ERROR(hipErrorInvalidGraphicsContext, "invalid OpenGL or DirectX context"),
    HIPLZ_ERROR(hipErrorInvalidSource, "device kernel image is invalid"),
    HIPLZ_ERROR(hipErrorFileNotFound, "file not found"),
    HIPLZ_ERROR(hipErrorSharedObjectSymbolNotFound, "shared object symbol not found"),
    HIPLZ_ERROR(hipErrorSharedObjectInitFailed, "shared object initialization failed"),
    HIPLZ_ERROR(hipErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
    HIPLZ_ERROR(hipErrorInvalidHandle, "invalid resource handle"),
    HIPLZ_ERROR(hipErrorIllegalState, "the operation cannot be performed in the present state"),
    HIPLZ_ERROR(hipErrorNotFound, "named symbol not found"),
    HIPLZ_ERROR(hipErrorNotReady, "device not ready"),
    HIPLZ_ERROR(hipErrorIllegalAddress, "an illegal memory access was encountered"),
    HIPLZ_ERROR(hipErrorLaunchOutOfResources, "too many resources requested for launch"),
    HIPLZ_ERROR(hipErrorLaunchTimeOut, "the launch timed out and was terminated"),
    HIPLZ_ERROR(hipErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    HIPLZ_ERROR(hipErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    HIPLZ_ERROR(hipErrorSetOnActiveProcess, "cannot set while device is active in this process"),
    HIPLZ_ERROR(hipErrorContextIsDestroyed, "context is destroyed"),
    HIPLZ_ERROR(hipErrorAssert, "device-side assert triggered"),
    HIPLZ_ERROR(hipErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped"),
    HIPLZ_ERROR(hipErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
    HIPLZ_ERROR(hipErrorLaunchFailure, "unspecified launch failure"),
    HIPLZ_ERROR(hipErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    HIPLZ_ERROR(hipErrorNotSupported, "operation not supported"),
    HIPLZ_ERROR(hipErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    HIPLZ_ERROR(hipErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture"),
    HIPLZ_ERROR(hipErrorStreamCaptureMerge, "operation would result in a merge of separate capture sequences"),
    HIPLZ_ERROR(hipErrorStreamCaptureUnmatched, "capture was not ended in the same stream as it began"),
    HIPLZ_ERROR(hipErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    HIPLZ_ERROR(hipErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream"),
    HIPLZ_ERROR(hipErrorStreamCaptureImplicit,
                "operation would make the legacy stream depend on a capturing blocking stream"),
    HIPLZ_ERROR(hipErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream"),
    HIPLZ_ERROR(hipErrorStreamCaptureWrongThread,
                "attempt to terminate a thread-local capture sequence from another thread"),
    HIPLZ_ERROR(hipErrorGraphExecUpdateFailure, "the graph update was not performed because it included changes which "
                                                "violated constraints specific to instantiated graph update"),
    HIPLZ_ERROR(hipErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    HIPLZ_ERROR(hipErrorInvalidTexture, "invalid texture"),
    HIPLZ_ERROR(hipErrorInvalidResourceType, "the type of a device resource is not valid here"),
    HIPLZ_ERROR(hipErrorInvalidResourceConfiguration, "the device resources cannot be used together or in this size"),
    HIPLZ_ERROR(hipErrorStreamDetached, "the execution context of the stream has been destroyed"),
    HIPLZ_ERROR(hipErrorUnknown, "unknown error"),
    HIPLZ_ERROR(hipErrorRuntimeMemory, "runtime memory call returned error"),
    HIPLZ_ERROR(hipErrorRuntimeOther, "runtime call other than memory returned error"),
    HIPLZ_ERROR(hipErrorTbd, "unspecified error"),
};
#undef HIPLZ_ERROR

const ErrorText *textOf(hipError_t error) noexcept {
  const ErrorText *entry = std::find_if(std::begin(kErrorTexts), std::end(kErrorTexts),
                                        [=](const ErrorText &candidate) { return candidate.error == error; });
  return entry == std::end(kErrorTexts) ? nullptr : entry;
}

} // namespace

const char *errorName(hipError_t error) noexcept {
  const ErrorText *entry = textOf(error);
  return entry ? entry->name : "hipErrorUnknown";
}

} // namespace hiplz

using namespace hiplz;

// These must work before initialisation and must not disturb what they report, so they have no scope.
extern "C" {

hipError_t hipGetLastError(void) {
  claimErrors();
  return std::exchange(threadState.lastError, hipSuccess);
}

hipError_t hipExtGetLastError(void) {
  claimErrors();
  return std::exchange(threadState.lastResult, hipSuccess);
}

hipError_t hipPeekAtLastError(void) {
  claimErrors();
  return threadState.lastError;
}

const char *hipGetErrorName(hipError_t error) { return errorName(error); }

const char *hipGetErrorString(hipError_t error) {
  const ErrorText *entry = textOf(error);
  return entry ? entry->text : "unknown error";
}

hipError_t hipDrvGetErrorName(hipError_t error, const char **errorString) {
  return HIPLZ_API(hipDrvGetErrorName, error, errorString)([&] {
    const ErrorText *entry = textOf(error);
    HIPLZ_NOT_NULL(errorString);
    if (!entry)
      return refuse(hipErrorInvalidValue, "error is not one of hipError_t");
    *errorString = entry->name;
    return hipSuccess;
  });
}

hipError_t hipDrvGetErrorString(hipError_t error, const char **errorString) {
  return HIPLZ_API(hipDrvGetErrorString, error, errorString)([&] {
    const ErrorText *entry = textOf(error);
    HIPLZ_NOT_NULL(errorString);
    if (!entry)
      return refuse(hipErrorInvalidValue, "error is not one of hipError_t");
    *errorString = entry->text;
    return hipSuccess;
  });
}

} // extern "C"
