// SPDX-License-Identifier: MIT
// Host memory of the application that is made accessible to devices under its own address.
#pragma once
#include <cstddef>

namespace hiplz {

class LZDevice;

/// True if every driver can do it: devices reach all of the host's memory, or their driver imports it.
bool canRegisterHostMemory();

/// Enters [pointer, pointer + bytes) into the allocation table as host memory and lets every driver import it whose
/// devices do not reach all of the host's memory. The device is the one that the application finds it registered with.
/// Throws HipError: hipErrorInvalidValue if a part of the range is not mapped or is memory of a device,
/// hipErrorHostMemoryAlreadyRegistered if a part is pinned already, hipErrorNotSupported if a driver imports no memory,
/// hipErrorOutOfMemory if it could not.
void registerHostMemory(LZDevice &device, void *pointer, size_t bytes, unsigned flags);

/// Waits for all devices, then undoes registerHostMemory. Throws HipError{hipErrorHostMemoryNotRegistered} if no
/// registered range begins at the pointer.
void unregisterHostMemory(void *pointer);

} // namespace hiplz
