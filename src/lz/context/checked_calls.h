// SPDX-License-Identifier: MIT
// memcheck of the API (docs/checking.md): calls that have failed, and memory that is still there when the process ends. The driver, which
// knows allocations and call stacks, writes the reports.
#pragma once
#include "lz/core/error.h"
#include "lz/memory/memory.h"

#include <optional>
#include <span>
#include <string>

namespace hiplz {

class LZDevice;

/// Asks the drivers for their part if HIPLZ_CHECK names memcheck. Once, before other threads use the runtime.
void prepareCheckedCalls(std::span<LZDevice *const> devices);

/// True if failed calls are reported.
bool areCallsChecked() noexcept;

/// Reports a call that has failed, unless it asks a question whose answer that is. `call`: "hipFree(ptr=0x1000)"; `name`: that of the error;
/// `reason` may be empty; `pointers`: its arguments, of which the report describes the first that is in or near memory that HIP knows.
void reportFailedCall(const std::string &call, hipError_t error, const char *name, const char *reason,
                      std::span<const void *const> pointers);

/// Reports a copy whose kind contradicts its pointers, of which the runtime goes by the latter: a host pointer is none of device memory, and a
/// device pointer none that HIP does not know.
void reportDirection(hipMemcpyKind kind, const void *to, const std::optional<Allocation> &memoryOfTo, const void *from,
                     const std::optional<Allocation> &memoryOfFrom);

} // namespace hiplz
