// SPDX-License-Identifier: MIT
// Objects of the application's own Level Zero code under HIP's names, and the other way round. Its ZeHandle decides
// whether a handle is destroyed: one that the application keeps is borrowed.
#pragma once
#include "lz/core/ze_handle.h"
#include "lz/memory/memory.h"

#include <optional>

namespace hiplz {

class LZDevice;

/// The device behind a Level Zero device; null if it is not one of the runtime's.
LZDevice *findDevice(ze_device_handle_t native);

/// Enters an allocation of one of the runtime's contexts into the table. Throws HipError{hipErrorInvalidValue} if it is none,
/// if the pointer is not its beginning, or if the table has it already.
void enterNativeMemory(void *pointer, bool owned);

/// Takes it out again when no device uses it any more. Throws HipError{hipErrorInvalidValue} if enterNativeMemory has not
/// entered it, or as owned.
void releaseNativeMemory(void *pointer);

/// The Level Zero allocation around an address that the table knows.
struct NativeMemory {
  ze_context_handle_t context;
  void *base;
  size_t bytes;
};
/// Throws HipError{hipErrorInvalidValue} for memory that is not Level Zero's.
NativeMemory nativeMemoryOf(const void *pointer);

} // namespace hiplz
