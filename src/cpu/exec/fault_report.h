// SPDX-License-Identifier: MIT
// The report of a kernel's fault: kernel, source line, what kind of fault it was and where.
#pragma once
#include "base/driver_extensions.h"
#include "cpu/abi/compiled_code.h"
#include "cpu/exec/fault.h"

#include <string>

namespace hiplz::cpu {

/// Finds out about an address what other layers know; returns a phrase for the report, or nothing.
using AddressDescription = std::string (*)(const void *address);

/// Describes an address by the allocations near it: "40 bytes behind an allocation of 400 bytes". Thread-safe; at most once.
void describeMemoryBy(AddressDescription function);

/// Describes an instruction by its source line: "stencil.hip:12", the source line of an instruction. Thread-safe; at most once.
void describeCodeBy(AddressDescription function);

/// Writes one line about a fault to standard error, whatever HIPLZ_LOG says: everything that follows fails, and nothing else says why.
/// `faulted` is what the kernel was using. To be called after the handler, not in it. Returns what kind of fault it was.
ZeFault reportFault(const FaultInfo &info, const WorkerState &faulted);

} // namespace hiplz::cpu
