// SPDX-License-Identifier: MIT
// How failures travel: Level Zero results become a hipError_t in one table. Cold paths throw HipError, hot paths return
// the hipError_t; both report the failing call in the log, so that a bare error code can always be traced to its cause.
#pragma once
#include <hip/hip_runtime_api.h>
#include <level_zero/ze_api.h>

#include <exception>
#include <string>

namespace hiplz {

/// A failure on its way to the boundary of the C API (api/api_scope.h), which returns code() to the caller.
class HipError : public std::exception {
public:
  /// message is a sentence for the log at level info; it is written when the error reaches the boundary. Empty: none.
  explicit HipError(hipError_t code, std::string message = {}, ze_result_t zeResult = ZE_RESULT_SUCCESS)
      : code_(code), zeResult_(zeResult), message_(std::move(message)) {}

  hipError_t code() const { return code_; }
  ze_result_t zeResult() const { return zeResult_; }
  const char *what() const noexcept override { return message_.c_str(); }

private:
  hipError_t code_;
  ze_result_t zeResult_;
  std::string message_;
};

/// For calls that are refused without an exception: returns the error, and lets the boundary of the C API log the sentence,
/// a literal that says which argument is wrong and why, if this error is what the call returns.
hipError_t refuse(hipError_t error, const char *sentence) noexcept;

/// The hipError_t that stands for a Level Zero result.
hipError_t toHipError(ze_result_t result) noexcept;

/// The same for a call whose failure has one meaning to HIP, `meaning`, unless it says nothing about what was asked for: there is no
/// memory, or the device is lost.
hipError_t toHipErrorOr(ze_result_t result, hipError_t meaning) noexcept;

/// The enumerator's name, or "unknown ze_result_t".
const char *zeResultName(ze_result_t result) noexcept;

/// Logs a failed call at level error; returns toHipError(result). ZE_RESULT_NOT_READY is an answer, not a failure.
hipError_t reportZeFailure(ze_result_t result, const char *call) noexcept;

/// For hot paths: hipSuccess without any work when the call succeeded.
inline hipError_t zeOutcome(ze_result_t result, const char *call) noexcept {
  if (result == ZE_RESULT_SUCCESS) [[likely]]
    return hipSuccess;
  return reportZeFailure(result, call);
}

/// For cold paths: throws HipError when the call failed.
void zeCheck(ze_result_t result, const char *call);

} // namespace hiplz

// Call with its name, for the two helpers above: LZ_CALL throws, LZ_TRY yields a hipError_t.
#define LZ_CALL(function, arguments) ::hiplz::zeCheck(function arguments, #function)
#define LZ_TRY(function, arguments) ::hiplz::zeOutcome(function arguments, #function)
