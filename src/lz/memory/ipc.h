// SPDX-License-Identifier: MIT
// Memory of other processes. What crosses the boundary is 64 bytes: the driver's handle, and where in the driver's
// allocation the memory begins, because blocks of pools are parts of one. A driver whose handle is a file descriptor
// leaves it to its users to carry the descriptor over; those descriptors are fetched from the exporting process.
#pragma once
#include "lz/core/error.h"
#include "lz/memory/memory.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace hiplz {

using IpcBytes = std::array<std::byte, 64>;
static_assert(sizeof(IpcBytes) == HIP_IPC_HANDLE_SIZE);

/// The purpose of a handle: each kind is refused where another is expected.
enum class IpcUse : uint32_t { memory = 0x4d49484c, poolPointer = 0x5049484c };

/// Describes an allocation of this process. tag is a number of the caller's that comes back with the memory. Throws
/// HipError (hipErrorNotSupported if the driver exports no memory).
IpcBytes exportMemory(const Allocation &allocation, IpcUse use, uint32_t tag = 0);

/// The tag of a handle. Throws HipError{hipErrorInvalidValue} for bytes that exportMemory did not make for this use.
uint32_t ipcTag(const IpcBytes &handle, IpcUse use);

/// Opens memory of another process, enters it into the table for the owner and returns its address. Opening it again in
/// the same process gives the same address and counts. Throws HipError: hipErrorInvalidValue for a bad handle or one
/// whose memory is gone, hipErrorInvalidContext for memory of this process.
void *openMemory(LZDevice &current, const IpcBytes &handle, IpcUse use, MemoryOwner owner);

/// A file descriptor by which another process imports the pool; the caller closes it.
int exportPool(LZMemoryPool &pool);
/// A pool of the device whose allocations are those of another process's. The descriptor stays the caller's. Throws
/// HipError{hipErrorInvalidValue} for a descriptor of anything else.
LZMemoryPool &importPool(LZDevice &device, int descriptor);

/// Undoes one openMemory. Waits for the devices when it is the last one. False for memory that was not opened for this
/// owner, or has been closed.
bool closeMemory(void *pointer, MemoryOwner owner);

} // namespace hiplz
