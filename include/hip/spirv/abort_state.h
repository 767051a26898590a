// SPDX-License-Identifier: MIT
// How a kernel that called assert, abort or __trap lets the host know. The runtime makes the state and reads the reason, the
// link-time passes write the code that raises it (llvm-passes/abort.cpp), assert.h says why; all include this file.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Why the grid has ended; 0 is no reason. After a call through a pointer that means no function, it goes on.
enum __hiplz_end_reason : uint32_t {
  __hiplz_end_assert = 1,
  __hiplz_end_abort = 2,
  __hiplz_end_wild_call = 3,
  __hiplz_end_stack = 4 // recursion needs more than the stack has
};

namespace __hiplz {

/// In device memory; the module's variable __hiplz_abort has its address.
struct AbortState {
  uint32_t raised; ///< the first reason, which stops what begins afterwards
  uint32_t unused;
  uint64_t reason; ///< address of a uint32_t in the host's memory, which receives the same
};
static_assert(sizeof(AbortState) == 16 && offsetof(AbortState, raised) == 0 && offsetof(AbortState, reason) == 8,
              "host and device agree");

} // namespace __hiplz
