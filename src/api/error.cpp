// SPDX-License-Identifier: MIT
// Errors: the thread's last one, names and descriptions.
#include "api/api_scope.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hiplz {
namespace {

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
    HIPLZ_ERROR(hipErrorNotInitialized, "the runtime is not initialized"),
    HIPLZ_ERROR(hipErrorDeinitialized, "the runtime has shut down"),
    HIPLZ_ERROR(hipErrorProfilerDisabled, "the profiler is disabled"),
    HIPLZ_ERROR(hipErrorProfilerNotInitialized, "the profiler is not initialized"),
    HIPLZ_ERROR(hipErrorProfilerAlreadyStarted, "the profiler has been started already"),
    HIPLZ_ERROR(hipErrorProfilerAlreadyStopped, "the profiler has been stopped already"),
    HIPLZ_ERROR(hipErrorInvalidConfiguration, "invalid grid, block or shared memory of a launch"),
    HIPLZ_ERROR(hipErrorInvalidPitchValue, "invalid pitch"),
    HIPLZ_ERROR(hipErrorInvalidSymbol, "not a device variable"),
    HIPLZ_ERROR(hipErrorInvalidDevicePointer, "not a device pointer"),
    HIPLZ_ERROR(hipErrorInvalidMemcpyDirection, "the direction of the copy does not fit its pointers"),
    HIPLZ_ERROR(hipErrorInsufficientDriver, "the driver is too old"),
    HIPLZ_ERROR(hipErrorMissingConfiguration, "a kernel was called without a launch configuration"),
    HIPLZ_ERROR(hipErrorPriorLaunchFailure, "an earlier launch failed"),
    HIPLZ_ERROR(hipErrorInvalidDeviceFunction, "not a kernel, or not one for this device"),
    HIPLZ_ERROR(hipErrorNoDevice, "there is no device"),
    HIPLZ_ERROR(hipErrorInvalidDevice, "there is no device with this number"),
    HIPLZ_ERROR(hipErrorInvalidImage, "not a device program"),
    HIPLZ_ERROR(hipErrorInvalidContext, "invalid context"),
    HIPLZ_ERROR(hipErrorContextAlreadyCurrent, "the context is current already"),
    HIPLZ_ERROR(hipErrorMapFailed, "mapping failed"),
    HIPLZ_ERROR(hipErrorUnmapFailed, "unmapping failed"),
    HIPLZ_ERROR(hipErrorArrayIsMapped, "the array is mapped"),
    HIPLZ_ERROR(hipErrorAlreadyMapped, "the resource is mapped already"),
    HIPLZ_ERROR(hipErrorNoBinaryForGpu, "the program has no code for this device"),
    HIPLZ_ERROR(hipErrorAlreadyAcquired, "the resource is acquired already"),
    HIPLZ_ERROR(hipErrorNotMapped, "the resource is not mapped"),
    HIPLZ_ERROR(hipErrorNotMappedAsArray, "the resource is not mapped as an array"),
    HIPLZ_ERROR(hipErrorNotMappedAsPointer, "the resource is not mapped as a pointer"),
    HIPLZ_ERROR(hipErrorECCNotCorrectable, "a memory error could not be corrected"),
    HIPLZ_ERROR(hipErrorUnsupportedLimit, "the device does not have this limit"),
    HIPLZ_ERROR(hipErrorContextAlreadyInUse, "the context is in use by another thread"),
    HIPLZ_ERROR(hipErrorPeerAccessUnsupported, "the devices cannot access each other's memory"),
    HIPLZ_ERROR(hipErrorInvalidKernelFile, "invalid kernel file"),
    HIPLZ_ERROR(hipErrorInvalidGraphicsContext, "invalid graphics context"),
    HIPLZ_ERROR(hipErrorInvalidSource, "invalid source program"),
    HIPLZ_ERROR(hipErrorFileNotFound, "file not found"),
    HIPLZ_ERROR(hipErrorSharedObjectSymbolNotFound, "a symbol of a shared object is missing"),
    HIPLZ_ERROR(hipErrorSharedObjectInitFailed, "a device program could not be prepared"),
    HIPLZ_ERROR(hipErrorOperatingSystem, "the operating system refused a call"),
    HIPLZ_ERROR(hipErrorInvalidHandle, "invalid handle"),
    HIPLZ_ERROR(hipErrorIllegalState, "not allowed in this state"),
    HIPLZ_ERROR(hipErrorNotFound, "no such name"),
    HIPLZ_ERROR(hipErrorNotReady, "work is still pending"),
    HIPLZ_ERROR(hipErrorIllegalAddress, "a kernel accessed an illegal address"),
    HIPLZ_ERROR(hipErrorLaunchOutOfResources, "the launch needs more resources than the device has"),
    HIPLZ_ERROR(hipErrorLaunchTimeOut, "a kernel ran for too long"),
    HIPLZ_ERROR(hipErrorPeerAccessAlreadyEnabled, "peer access is enabled already"),
    HIPLZ_ERROR(hipErrorPeerAccessNotEnabled, "peer access is not enabled"),
    HIPLZ_ERROR(hipErrorSetOnActiveProcess, "too late: the device is in use"),
    HIPLZ_ERROR(hipErrorContextIsDestroyed, "the context has been destroyed"),
    HIPLZ_ERROR(hipErrorAssert, "an assertion failed in a kernel"),
    HIPLZ_ERROR(hipErrorHostMemoryAlreadyRegistered, "the host memory is registered already"),
    HIPLZ_ERROR(hipErrorHostMemoryNotRegistered, "the host memory is not registered"),
    HIPLZ_ERROR(hipErrorLaunchFailure, "a kernel failed"),
    HIPLZ_ERROR(hipErrorCooperativeLaunchTooLarge, "the grid is too large for a cooperative launch"),
    HIPLZ_ERROR(hipErrorNotSupported, "not supported"),
    HIPLZ_ERROR(hipErrorStreamCaptureUnsupported, "not permitted while the stream is captured"),
    HIPLZ_ERROR(hipErrorStreamCaptureInvalidated, "the capture of the stream was invalidated by an error"),
    HIPLZ_ERROR(hipErrorStreamCaptureMerge, "two captures would be merged"),
    HIPLZ_ERROR(hipErrorStreamCaptureUnmatched, "the capture was not begun in this stream"),
    HIPLZ_ERROR(hipErrorStreamCaptureUnjoined, "a forked stream was not joined before the capture ended"),
    HIPLZ_ERROR(hipErrorStreamCaptureIsolation, "a dependency would cross the border of a capture"),
    HIPLZ_ERROR(hipErrorStreamCaptureImplicit, "an implicit dependency on the legacy stream during a capture"),
    HIPLZ_ERROR(hipErrorCapturedEvent, "the event was last recorded in a capture"),
    HIPLZ_ERROR(hipErrorStreamCaptureWrongThread, "the capture was begun by another thread"),
    HIPLZ_ERROR(hipErrorGraphExecUpdateFailure, "the graph is too different to update the executable graph"),
    HIPLZ_ERROR(hipErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    HIPLZ_ERROR(hipErrorInvalidTexture, "invalid texture"),
    HIPLZ_ERROR(hipErrorUnknown, "unknown error"),
    HIPLZ_ERROR(hipErrorRuntimeMemory, "a memory call of the runtime failed"),
    HIPLZ_ERROR(hipErrorRuntimeOther, "a call of the runtime failed"),
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

hipError_t hipGetLastError(void) { return std::exchange(threadState.lastError, hipSuccess); }

hipError_t hipExtGetLastError(void) { return std::exchange(threadState.lastResult, hipSuccess); }

hipError_t hipPeekAtLastError(void) { return threadState.lastError; }

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
