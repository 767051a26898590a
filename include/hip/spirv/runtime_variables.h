// SPDX-License-Identifier: MIT
// The names of the variables of a module that the runtime fills when it loads the module. The link-time passes define them,
// those that are used; the runtime looks for them. Each is the 64-bit address of what its comment says, or zero.
#pragma once

namespace __hiplz {

constexpr char abortVariable[] = "__hiplz_abort";   ///< AbortState (abort_state.h)
constexpr char heapVariable[] = "__hiplz_heap";     ///< HeapHeader (heap_layout.h)
constexpr char printfVariable[] = "__hiplz_printf"; ///< PrintfRing (printf_record.h)

/// A __managed__ variable is a pointer to its memory; the variable with this behind its name has the initial value.
constexpr char managedSuffix[] = ".managed";

} // namespace __hiplz
