// SPDX-License-Identifier: MIT
// One table from Level Zero's results to names and HIP errors.
#include "lz/core/error.h"
#include "base/log.h"
#include "lz/core/thread_state.h"

#include <algorithm>
#include <iterator>

namespace hiplz {
namespace {

struct Row {
  ze_result_t result;
  const char *name;
  hipError_t error;
};

#define LZ_ROW(result, error)                                                                                          \
  { result, #result, error }
constexpr Row kRows[] = {
    LZ_ROW(ZE_RESULT_SUCCESS, hipSuccess),
    LZ_ROW(ZE_RESULT_NOT_READY, hipErrorNotReady),
    LZ_ROW(ZE_RESULT_ERROR_DEVICE_LOST, hipErrorLaunchFailure),
    LZ_ROW(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, hipErrorOutOfMemory),
    LZ_ROW(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, hipErrorOutOfMemory),
    LZ_ROW(ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, hipErrorSharedObjectInitFailed),
    LZ_ROW(ZE_RESULT_ERROR_MODULE_LINK_FAILURE, hipErrorSharedObjectInitFailed),
    LZ_ROW(ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET, hipErrorLaunchFailure),
    LZ_ROW(ZE_RESULT_ERROR_DEVICE_IN_LOW_POWER_STATE, hipErrorNotReady),
    LZ_ROW(ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS, hipErrorNotSupported),
    LZ_ROW(ZE_RESULT_ERROR_NOT_AVAILABLE, hipErrorOperatingSystem),
    LZ_ROW(ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE, hipErrorSharedObjectInitFailed),
    LZ_ROW(ZE_RESULT_ERROR_UNINITIALIZED, hipErrorNotInitialized),
    LZ_ROW(ZE_RESULT_ERROR_UNSUPPORTED_VERSION, hipErrorNotSupported),
    LZ_ROW(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, hipErrorNotSupported),
    LZ_ROW(ZE_RESULT_ERROR_INVALID_ARGUMENT, hipErrorInvalidValue),
    LZ_ROW(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, hipErrorInvalidHandle),
    LZ_ROW(ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, hipErrorInvalidHandle),
    LZ_ROW(ZE_RESULT_ERROR_INVALID_NULL_POINTER, hipErrorInvalidValue),
    LZ_ROW(ZE_RESULT_ERROR_INVALID_SIZE, hipErrorInvalidValue),
    LZ_ROW(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, hipErrorOutOfMemory),
    LZ_ROW(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, hipErrorInvalidValue),
    LZ_ROW(ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT, hipErrorInvalidHandle),
    LZ_ROW(ZE_RESULT_ERROR_INVALID_ENUMERATION, hipErrorInvalidValue),
    LZ_ROW(ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, hipErrorNotSupported),
    LZ_ROW(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, hipErrorNotSupported),
    LZ_ROW(ZE_RESULT_ERROR_INVALID_NATIVE_BINARY, hipErrorInvalidImage),
    LZ_ROW(ZE_RESULT_ERROR_INVALID_GLOBAL_NAME, hipErrorNotFound),
    LZ_ROW(ZE_RESULT_ERROR_INVALID_KERNEL_NAME, hipErrorNotFound),
    LZ_ROW(ZE_RESULT_ERROR_INVALID_FUNCTION_NAME, hipErrorNotFound),
    LZ_ROW(ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION, hipErrorInvalidConfiguration),
    LZ_ROW(ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION, hipErrorInvalidConfiguration),
    LZ_ROW(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX, hipErrorInvalidValue),
    LZ_ROW(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, hipErrorInvalidValue),
    LZ_ROW(ZE_RESULT_ERROR_INVALID_KERNEL_ATTRIBUTE_VALUE, hipErrorInvalidValue),
    LZ_ROW(ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED, hipErrorSharedObjectInitFailed),
    LZ_ROW(ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE, hipErrorInvalidHandle),
    LZ_ROW(ZE_RESULT_ERROR_OVERLAPPING_REGIONS, hipErrorInvalidValue),
    LZ_ROW(ZE_RESULT_ERROR_UNKNOWN, hipErrorUnknown),
};
#undef LZ_ROW

const Row *rowOf(ze_result_t result) noexcept {
  const Row *row = std::find_if(std::begin(kRows), std::end(kRows), [=](const Row &r) { return r.result == result; });
  return row == std::end(kRows) ? nullptr : row;
}

} // namespace

hipError_t refuse(hipError_t error, const char *sentence) noexcept {
  threadState.refusal = {sentence, error};
  return error;
}

hipError_t toHipError(ze_result_t result) noexcept {
  const Row *row = rowOf(result);
  return row ? row->error : hipErrorUnknown;
}

hipError_t toHipErrorOr(ze_result_t result, hipError_t meaning) noexcept {
  const hipError_t error = toHipError(result);
  return error == hipErrorOutOfMemory || error == hipErrorLaunchFailure ? error : meaning;
}

const char *zeResultName(ze_result_t result) noexcept {
  const Row *row = rowOf(result);
  return row ? row->name : "unknown ze_result_t";
}

hipError_t reportZeFailure(ze_result_t result, const char *call) noexcept {
  if (result != ZE_RESULT_NOT_READY)
    HIPLZ_LOG_ERROR("%s failed: %s (0x%x)", call, zeResultName(result), static_cast<unsigned>(result));
  return toHipError(result);
}

void zeCheck(ze_result_t result, const char *call) {
  if (hipError_t error = zeOutcome(result, call))
    throw HipError(error, std::string(call) + " failed", result);
}

} // namespace hiplz
