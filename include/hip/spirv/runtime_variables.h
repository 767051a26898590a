// SPDX-License-Identifier: MIT
// The names of the variables of a module that the runtime fills when it loads the module. The link-time passes define them,
// those that are used; the runtime looks for them. Each but the table is the 64-bit address of what its comment says, or zero.
#pragma once

#include <stdint.h>

namespace __hiplz {

constexpr char abortVariable[] = "__hiplz_abort";   ///< AbortState (abort_state.h)
constexpr char heapVariable[] = "__hiplz_heap";     ///< HeapHeader (heap_layout.h)
constexpr char printfVariable[] = "__hiplz_printf"; ///< PrintfRing (printf_record.h)

/// A table of the addresses that initial values need and SPIR-V cannot express, because the values form a cycle. The runtime
/// writes them; to it the table is as AddressRow has it.
constexpr char addressesVariable[] = "__hiplz_addresses";
struct AddressRow {
  uint64_t variable, offset;   ///< where to write: the address of a variable, and an offset in it
  uint64_t target, difference; ///< what: the address of a variable plus a number
};

/// A __managed__ variable is a pointer to its memory; the variable with this behind its name has the initial value.
constexpr char managedSuffix[] = ".managed";

} // namespace __hiplz
