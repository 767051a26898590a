// SPDX-License-Identifier: MIT
// See last_error.h. The text is a plain array, so that a thread which ends has nothing to destroy.
#include "driver/last_error.h"

#include <cctype>
#include <cstdio>
#include <cstring>

namespace hiplz::driver {
namespace {

thread_local char theText[256];

const char *meaningOf(ze_result_t code) {
  switch (code) {
  case ZE_RESULT_ERROR_DEVICE_LOST: return "a kernel has faulted, so the device is lost";
  case ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: return "the host has not enough memory or threads";
  case ZE_RESULT_ERROR_NOT_AVAILABLE: return "the system has no more file descriptors, processes or threads";
  case ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY: return "the device has not enough memory";
  case ZE_RESULT_ERROR_MODULE_BUILD_FAILURE: return "the code cannot be compiled; the build log says why";
  case ZE_RESULT_ERROR_UNINITIALIZED: return "the driver has not been initialised in this process";
  case ZE_RESULT_ERROR_UNSUPPORTED_VERSION: return "the version is not supported";
  case ZE_RESULT_ERROR_UNSUPPORTED_FEATURE: return "the device does not support it";
  case ZE_RESULT_ERROR_INVALID_ARGUMENT: return "an argument is invalid";
  case ZE_RESULT_ERROR_INVALID_NULL_HANDLE: return "a handle is null";
  case ZE_RESULT_ERROR_INVALID_NULL_POINTER: return "a pointer is null";
  case ZE_RESULT_ERROR_INVALID_SIZE: return "a size or a count is invalid";
  case ZE_RESULT_ERROR_UNSUPPORTED_SIZE: return "a size is zero, too large or not a whole number of pages";
  case ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT: return "an address or an alignment is not a supported one";
  case ZE_RESULT_ERROR_INVALID_ENUMERATION: return "a flag or an enumerator does not exist";
  case ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION: return "a flag or an enumerator is not supported";
  case ZE_RESULT_ERROR_INVALID_NATIVE_BINARY: return "the native binary is not one of this driver's";
  case ZE_RESULT_ERROR_INVALID_GLOBAL_NAME: return "the module has no variable of that name";
  case ZE_RESULT_ERROR_INVALID_KERNEL_NAME: return "the module has no kernel of that name";
  case ZE_RESULT_ERROR_INVALID_FUNCTION_NAME: return "the module has no function of that name";
  case ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION: return "the kernel cannot have that group size";
  case ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION: return "the global width is zero";
  case ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX: return "the kernel has no argument of that index";
  case ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE: return "the kernel's argument has another size";
  case ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE: return "the command list is of the other kind";
  default: return "it failed";
  }
}

} // namespace

ze_result_t noteError(const char *function, ze_result_t code, const char *reason) noexcept {
  if (!reason)
    reason = meaningOf(code);
  if (std::strncmp(function, "ze", 2) == 0)
    std::snprintf(theText, sizeof theText, "%s: %s", function, reason);
  else // commandListClose is zeCommandListClose
    std::snprintf(theText, sizeof theText, "ze%c%s: %s", std::toupper(function[0]), function + 1, reason);
  return code;
}

const char *lastErrorText() noexcept { return theText; }

} // namespace hiplz::driver
